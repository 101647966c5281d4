"""What a thing is meant for and where its limits are, told by the headings of whoever documents it.

Who asks whether to use something is told least by pages on how that is done: the one that says for what it is
not meant (“Limitations”, “When to use it”) shares few words with the question. It is looked for beside the
topic, and known by its heading; of other matters nothing is taken.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace

from agents.research.moves.actions import Action, Found, Observation
from agents.speaker_context import SearchPlace
from library import Passage
from library.text import headline

_EACH, _OF_A_PAGE = 3, 2
"""Passages that one search gives at most, and of one page."""
_WORDS = {
    "en": ("when to use it, appropriate uses", "limitations restrictions caveats known problems"),
    "zh": ("适用场景 何时使用 不适合", "限制 局限 注意事项 已知问题"),
}
"""What is searched for beside the topic, by language."""
_HEADINGS = re.compile(
    r"\b(?:limits|limitations?|restrictions?|caveats?|gotchas?|pitfalls?|drawbacks?|disadvantages?|trade-?offs?|"
    r"pros and cons|known (?:issues|problems|bugs)|when (?:not )?to (?:use|choose)|use cases?|"
    r"(?:appropriate|suggested|intended|recommended) us(?:e|es|age)|what [\w .+-]{1,40} (?:is|are|does) not|"
    r"should (?:i|you) use|why not|not (?:meant|intended|suitable|recommended|supported)|suitab(?:le|ility)|"
    r"scalability|choosing)\b"
    r"|限制|局限|适用|不适合|不支持|注意事项|已知问题|缺点|优缺点|何时使用|使用场景|选择",
    re.IGNORECASE,
)
_IN_TEXT = re.compile(r"^#{1,6} +(.+)$", re.MULTILINE)


def limits_searches(topic: str, language: str, places: Sequence[SearchPlace]) -> list[Action]:
    """Return searches of the local places for what a topic's thing is meant for and where its limits are.

    None where there is no local place, or no words for it in a language.
    """
    where = tuple(place.name for place in places if place.local)
    everywhere = () if len(where) == len(places) else where
    wordings = _WORDS.get(language.partition("-")[0], ()) if where else ()
    return [Action(kind="search", query=f"{topic} {words}", where=everywhere) for words in wordings]


def has_headings(passages: Iterable[Passage]) -> bool:
    """Tell whether any of some passages holds a heading: where none does, none tells limits."""
    return any(_IN_TEXT.search(passage.text) for passage in passages)


def told_by_headings(seen: Observation) -> Observation:
    """Return what a search found with the best of those results alone whose heading is on uses or limits."""
    kept: list[Found] = []
    for found in seen.found:
        passage = found.passage
        if passage is None or not tells_limits(passage):
            continue
        same = sum(other.passage is not None and other.passage.sha256 == passage.sha256 for other in kept)
        if same < _OF_A_PAGE and len(kept) < _EACH:
            kept.append(found)
    return replace(seen, found=tuple(kept))


def tells_limits(passage: Passage) -> bool:
    """Tell whether a passage's page, or a heading in it, is on what something is (not) meant for."""
    titles = [headline(passage.title) or passage.title, *_IN_TEXT.findall(passage.text)]
    return any(_HEADINGS.search(title) for title in titles)
