"""What actions brought: which passages, in which order, and how an expert is told of it."""

from collections.abc import Sequence
from math import inf

from agents.research.moves.actions import ON_THE_TABLE, Action, Observation
from agents.speaker_context import SearchPlace
from library import Passage
from library.passages import combined_relevance, holders
from library.text import titled_text
from models import Statistics

_Key = tuple[str, int, int]
_NAMED = 4
"""Passages that an action brought which the account of its round names: what matters is shown or listed."""
_AFTER_HITS = 3
"""Results of each search that come before what fits best on a page that was read."""
_AROUND = 0.2
"""Share (0 to 1) of its page's best fit that a passage needs to be read on in around another. What readings
of five whole sessions brought loses 35 of 88 passages that nobody used, 2 of 51 that were."""


def whole_ones(chosen: Sequence[Passage], found: Sequence[Passage]) -> list[Passage]:
    """Return chosen passages, each that another one found says all of, and more, as that other one.

    A page that tells half of what another tells fits a short query better, and what decides may be the rest.
    """
    own = {p.key for p in chosen}
    texts = [*chosen, *(p for p in found if p.key not in own)]
    held = holders([p.text for p in texts], [p.title for p in texts])
    larger = [next((m for m in held[n] if n not in held[m]), n) for n in range(len(chosen))]
    return list({texts[n].key: texts[n] for n in larger}.values())


def untold(passages: Sequence[Passage], held: Sequence[Passage]) -> list[Passage]:
    """Return those passages that say something which neither another of them nor one of `held` says whole."""
    if not passages:
        return []
    texts = [*held, *passages]
    tellers = holders([p.text for p in texts], [p.title for p in texts])
    first = len(held)
    return [p for n, p in enumerate(passages, first) if not any(m < n for m in tellers[n])]


def by_fit(readings: Sequence[Observation], statistics: Statistics) -> list[list[_Key]]:
    """Return of each page that was read for something its passages' keys, what fits that best first."""
    found: list[list[_Key]] = []
    for seen in readings:
        worth = statistics.relevance(seen.action.query, [p.text for p in seen.passages])
        order = sorted(range(len(worth)), key=lambda n: (-round(worth[n], 6), n))
        found.append([seen.passages[n].key for n in order if worth[n] > 0])
    return found


def fitting_around(wordings: Sequence[str], passages: Sequence[Passage], statistics: Statistics) -> set[_Key]:
    """Return the keys of the passages of a page that fit one of some wordings, beside its best for that."""
    texts = [titled_text(passage) for passage in passages]
    fitting = set[_Key]()
    for wording in wordings:
        worth = combined_relevance(wording, texts, statistics)
        least = _AROUND * max(worth, default=0.0)
        fitting |= {p.key for p, fit in zip(passages, worth, strict=True) if fit > 0 and fit >= least}
    return fitting


def passages_of(seen: Observation) -> list[Passage]:
    """Return the passages that an action read and found."""
    return [*seen.passages, *(f.passage for f in seen.found if f.passage is not None)]


def ids_told(new: Sequence[str], known: Sequence[str]) -> str:
    """Say which passages an action brought, the first ones by their ids; '' for none."""
    told = [(said, ids, len(ids) - _NAMED) for said, ids in (("new:", new), ("again:", known)) if ids]
    return "; ".join(
        f"{said} {', '.join([*ids[:_NAMED], *([f'{more} more'] if more > 0 else [])])}"
        for said, ids, more in told
    )


def extent(seen: Observation) -> str:
    """Say of a reading that named a passage how much its document holds."""
    if not seen.action.opens or seen.problems:
        return ""
    count = len(seen.passages)
    return " (the whole of its document)" if count == 1 else f" (of {count} passages in its document)"


def first_hits(seen: Observation, count: int) -> list[Passage]:
    """Return the best passages of a search in documents; none of a page of the web, which is read whole.

    What a person had read is searched as a place of its own.
    """
    given = [(f.where, f.passage) for f in seen.found if f.passage is not None]
    found = [passage for where, passage in given if where != ON_THE_TABLE]
    own = [passage for where, passage in given if where == ON_THE_TABLE]
    return [*found[:count], *own[:count]]


def in_order_found(
    passages: Sequence[Passage], observations: Sequence[Observation], wanted: Sequence[Sequence[_Key]]
) -> list[Passage]:
    """Return passages in the order in which searches of documents found them, then those of pages read.

    Of several searches each one's first result comes before any one's second. Their ids keep the order: what
    comes later can tell from it what a search thought best.

    Args:
        passages: To be put in order.
        observations: What was found and read.
        wanted: Of each page that was read for something, the keys of its passages, what fits that best first.
    """
    hits = [(0, [f.passage.key for f in seen.found if f.passage is not None]) for seen in observations]
    found: dict[_Key, int] = {}
    for first, keys in [*hits, *((_AFTER_HITS, keys) for keys in wanted)]:
        for place, key in enumerate(dict.fromkeys(keys), first):
            found[key] = min(place, found.get(key, place))
    return sorted(passages, key=lambda passage: found.get(passage.key, inf))


def is_wide(action: Action, wide: str, places: Sequence[SearchPlace]) -> bool:
    """Tell whether an action searches for the whole topic, in local places alone.

    A place of the network is asked once, in few words, which are the question's own.

    Args:
        action: What was done.
        wide: The query of the search for the whole topic; empty: there is none.
        places: All that can be searched.
    """
    asked = (place for place in places if not action.where or place.name in action.where)
    return bool(wide) and action.query == wide and all(place.local for place in asked)


def wide_last(
    passages: Sequence[Passage], observations: Sequence[Observation], wide: str, places: Sequence[SearchPlace]
) -> list[Passage]:
    """Return passages in their order, behind the others those that a search for the whole topic alone found.

    Every question is searched with the topic, which brings the same each time: no place of its own among what
    the question itself found.

    Args:
        passages: In the order in which they were found.
        observations: What was found and read.
        wide: The query of that search; empty: there was none.
        places: All that can be searched; only local ones are for the whole topic.
    """
    searches = [seen for seen in observations if not is_wide(seen.action, wide, places)]
    own = {p.key for seen in searches for p in passages_of(seen)}
    return sorted(passages, key=lambda passage: passage.key not in own)
