"""Whether each word of a question is met by some word of a text, by what both mean where they stand.

Late interaction (Khattab and Zaharia, "ColBERT", 2020; with a model that was not taught for it, as in Zhang
et al., "BERTScore", 2020): each piece of the question looks for the piece of the text whose vector comes
nearest, and the mean of these cosines tells how well the text fits. A text's one vector says what it is about
as a whole; this finds the text that has something on every part of the question, however long it is.
"""

from collections import OrderedDict
from collections.abc import Sequence
from threading import Lock

import numpy as np

from library.text.similarity.sentence_model import Matrix, SentenceModel, in_batches, sentence_model

_PARTS = 3
"""Parts of a text, of 126 pieces each, that are looked at: about 280 words."""
_KEPT = 4_000
"""Fits that a process keeps."""
_kept: OrderedDict[tuple[str, str], float] = OrderedDict()
_lock = Lock()


def interaction(question: str, texts: Sequence[str]) -> list[float]:
    """Return how well some English texts meet a question, word by word: -1 to 1, in thousandths.

    Args:
        question: Its first 90 words count; one without a word is met by nothing.
        texts: Of each the first 280 words count.
    """
    with _lock:
        known = {text: _kept[question, text] for text in texts if (question, text) in _kept}
    unknown = [text for text in dict.fromkeys(texts) if text not in known]
    if unknown:
        new = dict(zip(unknown, _met(question, unknown, sentence_model()), strict=True))
        known |= new
        with _lock:
            for text, fit in new.items():
                _kept[question, text] = fit
            while len(_kept) > _KEPT:
                _kept.popitem(last=False)
    return [known[text] for text in texts]


def _met(question: str, texts: Sequence[str], model: SentenceModel) -> list[float]:
    asked = model.pieces(question)
    said = np.flatnonzero(model.said(asked))
    if not said.size:
        return [0.0] * len(texts)
    own = _unit(in_batches([asked], model.states)[0])[said]
    parts = [model.parts(text, _PARTS) for text in texts]

    def best(batch: list[Sequence[int]]) -> list[Matrix]:
        # The marks at both ends are no words.
        return [
            (own @ _unit(state[1:-1] if len(state) > 2 else state).T).max(axis=1)
            for state in model.states(batch)
        ]

    found = iter(in_batches([part for each in parts for part in each], best))
    met = [np.max([next(found) for _ in each], axis=0) for each in parts]
    return [round(float(each.mean()), 3) for each in met]


def _unit(rows: Matrix) -> Matrix:
    return np.asarray(rows / np.maximum(1e-9, np.linalg.norm(rows, axis=1, keepdims=True)), dtype=np.float32)
