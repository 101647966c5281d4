"""Of versions of one page that a search finds, the newest comes first: what it says holds."""

from collections.abc import Sequence
from itertools import combinations

from library.evidence import Passage
from library.search.interface import Hit
from library.text import terms

_ALIKE = 0.5
"""Share of the terms of two passages that both have, from which the one is a version of the other."""


def newest_first(hits: Sequence[Hit]) -> list[Hit]:
    """Return hits with each passage before those of which it is a later version; all else stays in place.

    Texts of one address that were read at different times are its versions; of these the passages that say
    much the same change places.
    """
    ordered = list(hits)
    places: dict[str, list[int]] = {}
    for place, hit in enumerate(ordered):
        places.setdefault(hit.url, []).append(place)
    for held in places.values():
        if len({_version(ordered[place]) for place in held}) < 2:
            continue
        for one, other in combinations(held, 2):
            if _renews(ordered[other].passage, ordered[one].passage):
                ordered[one], ordered[other] = ordered[other], ordered[one]
    return ordered


def _version(hit: Hit) -> str:
    return hit.passage.sha256 if hit.passage is not None else ""


def _renews(later: Passage | None, earlier: Passage | None) -> bool:
    """Tell whether one passage is what another one's place in a page says by now."""
    if later is None or earlier is None or later.sha256 == earlier.sha256:
        return False
    if not earlier.retrieved or earlier.retrieved >= later.retrieved:
        return False
    said = frozenset(terms(later.text)), frozenset(terms(earlier.text))
    return len(said[0] & said[1]) >= _ALIKE * len(said[0] | said[1])
