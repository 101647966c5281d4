"""Kinds of sections, told from words: what is added up as arrays is what adding up plainly gives."""

import math
from collections import Counter

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from mindmap.titles.section_types import Cues, cues, kinds, shares

WORDS = ("police", "victims", "investigation", "born", "childhood", "reviews", "album", "the", "trial")


def plainly(texts: list[Cues]) -> np.ndarray:
    held = Counter(name for text in texts for name in text.names.tolist())
    scores = np.zeros((len(texts), len(kinds())))
    for row, text in enumerate(texts):
        shared = Counter(text.owners.tolist())
        for owner, kind in zip(text.owners.tolist(), text.kinds.tolist(), strict=True):
            times = held[text.names[owner]]
            rare = 1.0 if text.pairs[owner] else math.log(1.0 + (len(texts) + 1.0) / (times + 0.5))
            scores[row, kind] += text.weights[owner] * rare / math.sqrt(shared[owner])
        scores[row] /= math.log(10.0 + text.length)
    sharp = np.exp((scores - scores.max(axis=1, keepdims=True)) / 0.5)
    return sharp / sharp.sum(axis=1, keepdims=True)


@given(st.lists(st.lists(st.sampled_from(WORDS)).map(" ".join), min_size=1, max_size=6))
def test_shares_are_what_cues_add_up_to(texts: list[str]) -> None:
    found = [cues(text) for text in texts]
    assert np.array_equal(shares(found), plainly(found))


def test_of_no_texts_there_are_no_shares() -> None:
    assert shares([]).shape == (0, len(kinds()))


def test_cues_are_told_in_both_languages() -> None:
    assert len(cues("The police began an investigation.").names)
    assert len(cues("警方展开调查，受害者家属要求道歉。").names)
    assert not len(cues("xyzzy").names)
