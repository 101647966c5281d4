"""A question on the agenda is searched with the topic, too; what it asks itself decides what is shown."""

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import replace
from types import SimpleNamespace
from typing import Any, cast

import pytest

from agents.expert import Expert
from agents.research.findings import Research
from agents.research.moves.actions import Action, Found, Observation
from agents.research.moves.routing import network_words
from agents.settings import AgentSettings
from agents.speaker import SpeakRequest
from agents.speaker_context import SpeakerContext
from library import Passage, TextStatistics

TOPIC = "Is the ferry of Asterby safe in storms, who pays for the ferry, and how is its engine checked?"
QUESTION = "How is the engine checked before the ferry leaves?"
WIDE = f"{TOPIC} {QUESTION}"
WORDS = "Asterby safe storms pays engine checked ferry leaves oil water mate spring"
TEXTS = [
    "Who pays for the ferry of Asterby: the county pays for the ferry in storms, and the ferry is safe.",
    "The ferry of Asterby is safe in storms; the ferry pays for itself and the ferry of Asterby is old.",
    "Before the ferry leaves, the mate checks the engine: oil first, then the engine's cooling water.",
    "The engine of the ferry is checked by the county's engineer each spring before the season.",
]


def passage(n: int) -> Passage:
    return Passage(f"{n:064d}", 0, len(TEXTS[n]), TEXTS[n], f"file:///{n}.md", f"Page {n}", None)


class Searched:
    """A context whose searches give what is said here, by query."""

    speaker, reranks, computes, looks = "ada", False, False, False
    statistics = TextStatistics()
    places = [SimpleNamespace(name="notes", local=True, description="")]

    def __init__(self, found: dict[str, list[int]], *, chooses: bool = False) -> None:
        self._found = found
        self.chooses = chooses
        self._ids: dict[tuple[str, int, int], Passage] = {}

    async def aside(self, work: Callable[[], None]) -> None:
        work()

    def found_before(self) -> list[Passage]:
        return []

    def rankings_before(self) -> list[tuple[str, list[tuple[str, int, int]]]]:
        return []

    def admitted_before(self) -> list[Passage]:
        return []

    def seen_before(self) -> dict[str, int]:
        return {}

    def known(self, passages: Sequence[Passage]) -> set[Any]:
        return {p.key for p in passages} & self._ids.keys()

    async def perform(self, actions: Sequence[Action]) -> list[Observation]:
        def hits(query: str) -> tuple[Found, ...]:
            given = [passage(n) for n in self._found[query]]
            return tuple(Found(p.url, p.title, "", "notes", None, p) for p in given)

        return [Observation(action, hits(action.query)) for action in actions]

    def admit(self, passages: Sequence[tuple[Passage, float]]) -> list[tuple[Passage, bool]]:
        for each, _score in passages:
            self._ids.setdefault(each.key, replace(each, id=f"p{each.url[8]}"))
        return [(self._ids[each.key], True) for each, _score in passages]


def search(wide: str, *, local: bool = True) -> Research:
    world = Searched({QUESTION: [3, 2], WIDE: [0, 1, 2]})
    world.places = [SimpleNamespace(name="notes", local=local, description="")]
    context = cast("SpeakerContext", world)
    settings = AgentSettings()
    research = Research(context, settings, TOPIC, f"{QUESTION} {TOPIC}", asked=[QUESTION], wide=wide)
    asyncio.run(research.run([Action(kind="search", query=q) for q in (QUESTION, WIDE)]))
    return research


def test_what_the_whole_topic_alone_finds_stands_behind_what_the_question_finds() -> None:
    findings = search(WIDE).findings
    assert findings.found[:2] == ["p3", "p2"]
    assert set(findings.found[2:]) == {"p0", "p1"}, "it is there, for who looks for it"
    assert findings.searches == [QUESTION], "passages are weighed by what the question asks"
    assert search("").findings.found[:2] == ["p3", "p0"], "without it they take turns"


def test_a_place_of_the_network_is_asked_once_and_that_counts() -> None:
    findings = search(WIDE, local=False).findings
    assert findings.searches == [QUESTION, WIDE]
    assert findings.found[:2] == ["p3", "p0"], "they take turns"


@pytest.mark.parametrize(
    ("words", "query"),
    [
        # The topic alone has more words than are sent: what is asked would not be among them.
        (QUESTION, "ferry Asterby safe storms pays engine checked leaves"),
        (
            "engine oil cooling water mate spring season county",
            "ferry Asterby safe storms engine oil cooling water mate spring season county",
        ),
        (f"{QUESTION} oil water mate spring season county seal", WORDS),
    ],
)
def test_a_long_topic_leaves_the_question_its_words_in_the_network(words: str, query: str) -> None:
    assert sorted(network_words(TOPIC, words).split()) == sorted(query.split())


def test_a_short_topic_leads_the_question_as_it_is() -> None:
    assert network_words("The ferry", "Who pays for it?") == "The ferry Who pays for it?"


def test_a_long_topic_without_a_telling_word_is_sent_as_it_is() -> None:
    topic = "To be or not to be, and what if it is neither the one nor the other?"
    assert network_words(topic, topic) == topic


@pytest.mark.parametrize(
    ("topic", "how", "wide"),
    [
        (TOPIC, {}, "words"),
        (TOPIC, {"text": TOPIC}, ""),
        (TOPIC, {"closing": True}, ""),
        (TOPIC, {"by_person": True}, ""),
        ("The ferry of Asterby", {}, ""),
    ],
)
def test_the_topic_itself_a_persons_question_and_a_subject_are_asked_with_all_words(
    topic: str, how: dict[str, Any], wide: str
) -> None:
    asked = SpeakRequest.model_validate({"turn": 1, "question": "q1", "text": QUESTION, **how})
    expert = Expert(
        cast("Any", SimpleNamespace(slug="ada", role="")),
        cast("Any", SimpleNamespace(topic=topic)),
        cast("SpeakerContext", Searched({}, chooses=True)),
        AgentSettings(),
    )
    assert expert._wide(asked, "words") == wide  # noqa: SLF001 - what it searches by, no turn tells
