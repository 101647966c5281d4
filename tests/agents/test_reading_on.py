"""Where no language model chooses what to read, the section that answers is read whole."""

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
