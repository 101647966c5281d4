"""An expert: researches a question from its own viewpoint and answers with what it was shown."""

import re
from collections.abc import Collection, Sequence

from agents.events import CitationRejected
from agents.expert_phrases import wording
from agents.memory.history_summary import retold
from agents.research.actions import Action
from agents.research.findings import Research
from agents.research.research_loop import Inquiry
from agents.research.respond import Move, Respond
from agents.research.routing import fitting, routed_actions
from agents.session_view import SessionView
from agents.settings import AgentSettings
from agents.speaker import Contribution, SpeakRequest
from agents.speaker_context import SpeakerContext
from agents.token_budget import cut, fit_lines, fit_passages, room_in
from agents.turn import Perspective, Turn
from library import citations, keep_citations
from mindmap import context

_PAGES = 4
"""Unread pages shown in a prompt at most."""
_TURN = 60
"""Tokens of a turn when several are shown."""
_MAP = 300
"""Characters of the map in a prompt."""
_QUOTED = re.compile("“[^”]+”")


def search_words(topic: str, request: SpeakRequest) -> str:
    """Return what to search for: the question's own search words (or the question), led by the topic."""
    words = request.search or request.text
    return words if topic.casefold() in words.casefold() else f"{topic} {words}"


def discussion(turns: list[Turn], most: int) -> str:
    """Print the beginnings of the last turns for a prompt."""
    last = turns[len(turns) - most :] if most else []
    return "\n".join(cut(f"{turn.name}: {turn.text}", _TURN) for turn in last)


def quoted(turns: Sequence[Turn], passages: Collection[str]) -> list[str]:
    """Return the quotations in turns that cite one of the passages, in order, marks included."""
    shown = set(passages)
    near = [turn.text for turn in turns if not shown.isdisjoint(turn.citations)]
    return list(dict.fromkeys(mark for text in near for mark in _QUOTED.findall(text)))


class Expert:
    """A speaker with a perspective."""

    def __init__(
        self, perspective: Perspective, view: SessionView, desk: SpeakerContext, settings: AgentSettings
    ) -> None:
        self.perspective = perspective
        self._view = view
        self._desk = desk
        self._settings = settings
        self._room = room_in(settings.context)

    @property
    def slug(self) -> str:
        """The expert's name at the table."""
        return self.perspective.slug

    @property
    def description(self) -> str:
        """Who the expert is."""
        return self.perspective.role

    async def speak(self, request: SpeakRequest) -> Contribution:
        """Research the question and answer it."""
        words = search_words(self._view.topic, request)
        inside = words
        if any(turn.question == request.question and turn.act == "answer" for turn in self._view.turns):
            # Somebody has answered already: look from this expert's own side.
            inside = " ".join([words, *self.perspective.terms[:3]])
        question = request.question or ""
        research = Research(self._desk, self._settings, self._view.topic, inside, question)
        inquiry = Inquiry(self._desk, self._settings, request, research, self._room, self._view.language)
        await inquiry.begin(self._first_actions(request, words, inside), inside)
        await self._desk.settled()
        move = await inquiry.answered(lambda so_far, left: self._task(request, so_far, left))
        return self._contribution(move, inquiry)

    def _first_actions(self, request: SpeakRequest, outside: str, inside: str) -> list[Action]:
        """Return what the research begins with: the places that fit the question, each with its wording."""
        desk = self._desk
        records = desk.records(request.question or "")
        most, places = self._settings.places, desk.places
        names = fitting(outside, places, records, request.turn, most, desk.statistics)
        return routed_actions(outside, inside, names, places)

    def _task(self, request: SpeakRequest, inquiry: Inquiry, left: int) -> Respond:
        findings, view, room = inquiry.research.findings, self._view, self._room
        resting = [i for block in inquiry.notebook.facts for i in block.passages]
        admitted = list(findings.passages.values())
        worth = self._desk.statistics.relevance(findings.question, [p.text for p in admitted])
        most = self._settings.prompt_passages
        passages = fit_passages(admitted, room.passages, most, resting, worth)
        inquiry.shown |= {p.id for p in passages}
        who = self.perspective
        places = [f"{place.name}: {place.description}" for place in self._desk.places]
        pages = [f"{url} {title}" for url, title in findings.pages.items()][:_PAGES]
        quarter = room.question // 4
        return Respond(
            topic=cut(view.topic, quarter),
            language=view.language,
            expert=cut(f"{who.name}. {who.role}. Focus: {who.focus}", quarter),
            places=tuple(fit_lines(places, quarter)),
            discussion=retold(
                view.turns,
                self._settings.discussion_turns,
                request.text,
                self._desk.statistics,
                min(room.discussion, self._settings.discussion_tokens),
            ),
            branch=cut(context(view.map, request.text, _MAP), room.map),
            question=cut(request.text, quarter),
            passages=passages,
            passage_tokens=min(room.passages, self._settings.passage_tokens),
            memory=tuple(fit_lines(inquiry.notebook.lines(), room.memory)),
            rounds=inquiry.rounds_text(),
            pages=tuple(fit_lines(pages, room.pages)),
            notices=tuple(fit_lines(findings.notices, room.notices, newest=True)),
            computes=self._desk.computes,
            said=tuple(quoted(view.turns, findings.passages)),
            rounds_left=left,
        )

    def _contribution(self, move: Move, inquiry: Inquiry) -> Contribution:
        findings = inquiry.research.findings
        text, rejected = keep_citations(move.answer.strip(), inquiry.shown)
        if rejected:
            self._desk.record(CitationRejected(speaker=self.slug, ids=rejected))
        return Contribution(
            act="answer",
            text=text or wording(self._view.language).nothing,
            citations=citations(text),
            admitted=findings.fresh,
            shown=len(inquiry.shown),
            raised=inquiry.notebook.raised,
        )
