"""An expert: researches a question from its own viewpoint and answers with what it was shown."""

import re
from collections.abc import Collection, Sequence

from agents.desk import Desk
from agents.events import CitationRejected
from agents.research import Research, allowed_actions, first_actions, is_answer
from agents.settings import AgentSettings
from agents.speaker import Contribution, SpeakRequest
from agents.tasks import Move, Respond
from agents.turn import Perspective, Turn
from agents.view import View
from agents.wording import wording
from library import citations, keep_citations
from mindmap import context

_QUOTED = re.compile("“[^”]+”")


def search_words(topic: str, request: SpeakRequest) -> str:
    """Return what to search for: the question's own search words (or the question), led by the topic."""
    words = request.search or request.text
    return words if topic.casefold() in words.casefold() else f"{topic} {words}"


def discussion(turns: list[Turn], most: int) -> str:
    """Print the last turns for a prompt."""
    return "\n\n".join(f"{turn.name}: {turn.text}" for turn in turns[len(turns) - most :]) if most else ""


def quoted(turns: Sequence[Turn], passages: Collection[str]) -> list[str]:
    """Return the quotations in turns that cite one of the passages, in order, marks included."""
    shown = set(passages)
    near = [turn.text for turn in turns if not shown.isdisjoint(turn.citations)]
    return list(dict.fromkeys(mark for text in near for mark in _QUOTED.findall(text)))


class Expert:
    """A speaker with a perspective."""

    def __init__(self, perspective: Perspective, view: View, desk: Desk, settings: AgentSettings) -> None:
        self.perspective = perspective
        self._view = view
        self._desk = desk
        self._settings = settings

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
        if any(turn.question == request.question and turn.act == "answer" for turn in self._view.turns):
            # Somebody has answered already: look from this expert's own side.
            words = " ".join([words, *self.perspective.terms[:3]])
        research = Research(self._desk, self._settings, self._view.topic, words)
        await research.run(first_actions(words))
        await self._desk.settled()
        places = [place.name for place in self._desk.places]
        for left in range(self._settings.rounds - 1, -1, -1):
            move = await self._desk.ask(self._task(request, research, left))
            if left == 0 or is_answer(move):
                return self._contribution(move, research)
            actions, research.findings.notices = allowed_actions(
                move.actions, research.findings, places, self._settings.actions
            )
            if actions:
                await research.run(actions)
        raise AssertionError  # the last round has left == 0 and returns

    def _task(self, request: SpeakRequest, research: Research, left: int) -> Respond:
        findings, view = research.findings, self._view
        shown = list(findings.passages.values())[-self._settings.prompt_passages :]
        who = self.perspective
        return Respond(
            topic=view.topic,
            language=view.language,
            expert=f"{who.name}. {who.role}. Focus: {who.focus}",
            places=tuple(f"{place.name}: {place.description}" for place in self._desk.places),
            discussion=discussion(list(view.turns), self._settings.discussion_turns),
            branch=context(view.map, request.text),
            question=request.text,
            passages=tuple(shown),
            pages=tuple(f"{url} {title}" for url, title in list(findings.pages.items())[:12]),
            notices=tuple(findings.notices),
            said=tuple(quoted(view.turns, findings.passages)),
            rounds_left=left,
        )

    def _contribution(self, move: Move, research: Research) -> Contribution:
        findings = research.findings
        text, rejected = keep_citations(move.answer.strip(), findings.passages)
        if rejected:
            self._desk.record(CitationRejected(speaker=self.slug, ids=rejected))
        return Contribution(
            act="answer",
            text=text or wording(self._view.language).nothing,
            citations=citations(text),
            admitted=findings.fresh,
            shown=len(findings.passages),
        )
