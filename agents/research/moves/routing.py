"""Where a question is asked: which places fit it, and with which words. Pure functions.

A place is known by its description and by how its earlier results did. One that was searched for a question
and gave nothing fitting is not asked again for that question; one that never gave anything is asked rarely.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from agents.research.moves.actions import Action
from agents.speaker_context import PlaceRecord, SearchPlace
from library.text import STOP_WORDS
from models import Statistics

RARELY = 4
"""A place that never gave anything is asked at each fourth turn."""
MISSES = 2
"""Questions without anything fitting after which a place is asked rarely."""
LONGEST_OUTSIDE = 12
"""Words of a query for the network: search engines want few."""
_OF_TOPIC = LONGEST_OUTSIDE // 3
"""Of those, words of the topic, where the question's own leave no more room."""
_AROUND = ".,;:!?()[]\"'“”‘’«»…"
"""Signs around a word that are none of it."""
_CLOSE = 0.5
"""Places that score at least this share of the best are searched too."""


@dataclass(frozen=True, slots=True)
class Route:
    """A place with the words to search it by."""

    where: str
    query: str


def fitting(
    question: str,
    places: Sequence[SearchPlace],
    records: Mapping[str, PlaceRecord],
    turn: int,
    most: int,
    statistics: Statistics,
) -> list[str]:
    """Return the names of the places to search for a question, in the order of the places.

    Those found unrelated are left out, as long as any other is left. Of many places the likeliest are taken:
    by the likeness of their descriptions to the question, and by the share of searches that gave something.
    """
    open_places = [place for place in places if not _left_out(records.get(place.name), turn)] or list(places)
    if len(open_places) <= 1:
        return [place.name for place in open_places]
    likeness = statistics.relevance(question, [f"{p.name} {p.description}" for p in open_places])
    top = max(likeness) or 1.0
    scores = {
        place.name: like / top + _success(records.get(place.name))
        for place, like in zip(open_places, likeness, strict=True)
    }
    ranked = sorted(open_places, key=lambda place: -scores[place.name])[:most]
    best = scores[ranked[0].name]
    near = {place.name for place in ranked if scores[place.name] >= _CLOSE * best}
    untried = {place.name for place in ranked if place.name not in records}
    return [place.name for place in open_places if place.name in near | untried]


def search_words(topic: str, words: str) -> str:
    """Return what to search for: a question's own search words (or the question), led by the topic."""
    return words if topic.casefold() in words.casefold() else f"{topic} {words}"


def network_words(topic: str, words: str) -> str:
    """Return few words to search the network for: a question's own telling ones, behind the topic's.

    A topic that is a long question itself leaves the question at hand two thirds of the room. Where no word
    is a telling one, all stay.
    """
    whole = search_words(topic, words)
    if len(whole.split()) <= LONGEST_OUTSIDE:
        return whole
    own = _telling(words)
    known = {word.casefold() for word in own}
    subject = [word for word in _telling(topic) if word.casefold() not in known]
    subject = subject[: max(LONGEST_OUTSIDE - len(own), _OF_TOPIC)]
    return " ".join([*subject, *own[: LONGEST_OUTSIDE - len(subject)]]) or whole


def _telling(words: str) -> list[str]:
    bare = (word.strip(_AROUND) for word in words.split())
    return list(dict.fromkeys(word for word in bare if word and word.casefold() not in STOP_WORDS))


def worded(place: SearchPlace, outside: str, inside: list[str]) -> list[str]:
    """Return a question's wordings for a place: all of them for documents, one of few words for the network.

    What an expert's own terms add comes from what was read, which may be a person's own documents: it is for
    local places alone.
    """
    return list(inside) if place.local else [" ".join(outside.split()[:LONGEST_OUTSIDE])]


def routed_actions(
    outside: str, inside: list[str], names: Collection[str], places: Sequence[SearchPlace]
) -> list[Action]:
    """Return what every research begins with: searches of each place that fits, worded for it."""
    by_words: dict[str, dict[str, None]] = {}
    for place in places:
        if place.name in names:
            for words in worded(place, outside, inside):
                by_words.setdefault(words, {})[place.name] = None
    return [
        Action(kind="search", query=words, where=() if len(where) == len(places) else tuple(where))
        for words, where in by_words.items()
    ]


def _left_out(record: PlaceRecord | None, turn: int) -> bool:
    if record is None:
        return False
    never = record.fitted == 0 and record.searched >= MISSES and record.unrelated >= MISSES
    return record.unrelated_here or (never and turn % RARELY != 0)


def _success(record: PlaceRecord | None) -> float:
    return 0.5 if record is None else (record.fitted + 1) / (record.searched + 2)
