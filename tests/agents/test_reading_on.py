"""What a page is read on in: the section that answers, or what stands around what was named."""

import asyncio
from collections.abc import Sequence
from dataclasses import replace
from typing import cast

from agents.research.findings import Research
from agents.research.moves.actions import Action, Found, Observation
from agents.settings import AgentSettings
from agents.speaker_context import SpeakerContext
from library import Passage
from tests.agents.test_wide_search import Searched

QUESTION = "What happens if the weather is too bad to sail?"
PAGE = [
    "# The ferry\n\nA ferry ticket is good for a day. What happens on board is the mate's business.",
    "## Buying a ferry ticket\n\nA ferry ticket costs four crowns. Who loses a ticket buys another ticket.",
    "## When the boat stays in the harbour\n\nA red lamp is lit in a storm.",
    "Money is handed back at the office on the quay, or it counts for another crossing.",
    "## Dogs\n\nThey stay on deck, on a short lead.",
]


def passages() -> list[Passage]:
    starts = [sum(len(part) + 2 for part in PAGE[:n]) for n in range(len(PAGE))]
    return [
        Passage("b" * 64, start, start + len(text), text, "file:///ferry.md", "The ferry", None, private=True)
        for start, text in zip(starts, PAGE, strict=True)
    ]


class OnePage(Searched):
    """A search that finds the page's first passages; reading gives all of it."""

    async def perform(self, actions: Sequence[Action]) -> list[Observation]:
        found = tuple(Found(p.url, p.title, "", "notes", None, p) for p in passages()[:2])
        return [
            Observation(a, (), tuple(passages())) if a.kind == "read" else Observation(a, found)
            for a in actions
        ]

    def admit(self, passages: Sequence[tuple[Passage, float]]) -> list[tuple[Passage, bool]]:
        told = []
        for each, _score in passages:
            is_new = each.key not in self._ids
            held = self._ids.setdefault(each.key, replace(each, id=f"p{len(self._ids) + 1}"))
            told.append((held, is_new))
        return told


def test_the_section_that_answers_is_admitted_though_it_shares_no_word_with_the_question() -> None:
    settings = AgentSettings(passages=2, sure=2)
    research = Research(cast("SpeakerContext", OnePage({})), settings, QUESTION, QUESTION)

    async def search_and_follow() -> list[str]:
        await research.run([Action(kind="search", query=QUESTION)])
        return await research.follow(1)

    fresh = asyncio.run(search_and_follow())
    told = {passage.id: passage.text for passage in research.findings.passages.values()}
    assert set(PAGE[2:4]) <= set(told.values())
    assert {told[i] for i in fresh} >= set(PAGE[2:4])
    assert len(fresh) == len(set(fresh))


KEYS = [
    "## Names\n\nThese are read from a file of the mate; what is not there stays as it was.",
    "LAMP_HOURS\n\n  From dusk to dawn; who wants the mast dark in the harbour writes none.",
    "KEY_FILE\n\n  Where the key of the engine room is kept; the engine starts with no other key.",
    "KEY_COPY\n\n  Where a copy of the key of the engine room is kept, in case the key is lost.",
    "TICKET_COLOUR\n\n  Red in summer, blue in winter; children have green ones all year.",
]


class Settings(OnePage):
    """A reading that gives a page of names; some of it was shown in an earlier turn."""

    page = [
        Passage("c" * 64, 100 * n, 100 * n + len(text), text, "file:///set.md", "Settings", None)
        for n, text in enumerate(KEYS)
    ]

    def __init__(self, shown: Sequence[int]) -> None:
        super().__init__({}, chooses=True)
        self._shown = shown

    def admitted_before(self) -> list[Passage]:
        return [held for held, _ in self.admit([(p, 1.0) for p in self.page])]

    def seen_before(self) -> dict[str, int]:
        return {f"p{n + 1}": 1 for n in self._shown}

    async def perform(self, actions: Sequence[Action]) -> list[Observation]:
        return [Observation(a, (), tuple(self.page)) for a in actions]


def read_around(passage: str, query: str, shown: Sequence[int] = ()) -> set[str]:
    asked = "Where is the key of the engine room of the ferry kept?"
    research = Research(cast("SpeakerContext", Settings(shown)), AgentSettings(), asked, asked)
    action = Action(kind="read", url="file:///set.md", query=query, opens=passage)
    asyncio.run(research.run([action]))
    return set(research.findings.beside)


def test_what_fits_neither_the_question_nor_what_a_passage_is_read_for_stays_on_its_page() -> None:
    assert read_around("p3", "a key that is lost, its copy") == {"p4"}
    assert read_around("p3", "") == {"p1", "p2", "p4", "p5"}, "for nothing in particular: the whole section"


def test_what_this_expert_was_shown_before_is_not_brought_again_around_another_passage() -> None:
    assert read_around("p3", "", shown=range(5)) == set()
    assert read_around("p2", "the key of the engine room", shown=range(5)) == {"p3", "p4"}, "it is asked for"
