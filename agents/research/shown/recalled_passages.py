"""What the session holds already and a question's words find: as searched as anything in the places."""

from collections.abc import Collection, Mapping, Sequence

from library import Passage
from library.passages import combined_relevance
from library.text import titled_text
from models import Statistics

_EACH, _MOST = 2, 5
"""Passages that each wording may bring to mind, and all of them together."""
_NEAR = 0.5
"""Share (0 to 1) of the best fit to a wording from which on a passage is what it asks for."""


def recalled(
    admitted: Mapping[str, Passage],
    wordings: Sequence[str],
    statistics: Statistics,
    known: Collection[str] = (),
) -> dict[str, int]:
    """Return admitted passages that fit one of some wordings best, each with its place among them, from 0.

    Who looks for something is found what is new; what somebody else was found before, or the same speaker for
    another question, may be the passage itself.

    Args:
        admitted: All that may be shown, by id.
        wordings: What is asked, and what was searched for: each has the same share.
        statistics: Weighs how well passages fit.
        known: Ids that stand in the prompt anyway.
    """
    ids = list(admitted)
    texts = [titled_text(passage) for passage in admitted.values()]
    found: dict[str, int] = {}
    for wording in dict.fromkeys(" ".join(w.split()) for w in wordings if w.strip()):
        worth = combined_relevance(wording, texts, statistics)
        least = max(_NEAR * max(worth, default=0.0), 1e-6)
        order = sorted(range(len(ids)), key=lambda n: (-round(worth[n], 6), n))
        best = [ids[n] for n in order[: _EACH + len(known)] if worth[n] >= least and ids[n] not in known]
        for place, i in enumerate(best[:_EACH]):
            found[i] = min(place, found.get(i, place))
    return dict(sorted(found.items(), key=lambda each: each[1])[:_MOST])
