"""What a contribution becomes in the journal: a turn, the question it raises or answers, or a failure."""

from collections.abc import Callable

from agents import NOTHING_TO_ASK, Contribution, Turn, TurnFailed, TurnTaken
from library import citations, without_citations
from library.text import sentences
from models import Event
from moderator import (
    QuestionClosed,
    QuestionRaised,
)
from roundtable.journal.clock import seconds_between
from roundtable.journal.fold.state import State
from roundtable.journal.session_phrases import session_phrases
from roundtable.session.context.speaker_call import SpeakerCall
from roundtable.session.judging.answer_weighing import said_of_age


class ContributionEvents:
    """Makes events of what speakers said together."""

    def __init__(self, state: State, timestamp: Callable[[], str], *, judged: bool) -> None:
        """Look at a session.

        Args:
            state: As it stands before any of the contributions is recorded.
            timestamp: Says what time it is.
            judged: Answers are judged, which alone closes their questions.
        """
        self._state, self._timestamp, self._judged = state, timestamp, judged

    def of(self, call: SpeakerCall, said: Contribution | str, raised: int) -> list[Event]:
        """Return the events of one contribution; a text in its place is the reason why nothing came."""
        request = call.request
        said = self._kept(said)
        if isinstance(said, str) or not said.text:
            reason = said if isinstance(said, str) else NOTHING_TO_ASK
            failed = TurnFailed(
                turn=request.turn, speaker=call.speaker, question=request.question, reason=reason
            )
            waiting = request.question and self._state.agenda.questions[request.question].state == "waiting"
            closed = [QuestionClosed(id=request.question, state="open", reason=reason)] if waiting else []
            return [failed, *closed]
        question = request.question
        events: list[Event] = []
        if said.act == "question":
            question = f"q{len(self._state.agenda.questions) + raised + 1}"
            events.append(
                QuestionRaised(
                    id=question,
                    text=said.text,
                    by=call.speaker,
                    why=said.why,
                    search=said.search,
                    passages=said.asked_from,
                )
            )
        events.append(
            TurnTaken(
                turn=self._turn(call, said, question),
                admitted=said.admitted,
                shown=said.shown,
                seen=said.seen,
                besides=question is not None and self._owed(question),
            )
        )
        if said.act == "answer" and question and not self._judged:
            state = "answered" if said.citations else "open"
            if self._state.agenda.questions[question].state != "answered":
                events.append(QuestionClosed(id=question, state=state))
        return events

    def _owed(self, question: str) -> bool:
        known = self._state.agenda.questions.get(question)
        return known is not None and known.owed

    def _kept(self, said: Contribution | str) -> Contribution | str:
        """Take out what rests on sources that a person dropped while the turn was under way."""
        if isinstance(said, str):
            return said
        if said.act == "question" and self._state.controls.left_aside(said.text):
            return "it was about a subject that was set aside"
        passages = self._state.evidence.passages
        gone = [i for i in said.citations if self._state.controls.about_to_bar(passages[i].url)]
        if not gone:
            return said
        text = without_citations(said.text, gone, sentences)
        if not text:
            return "it rested on a source that was dropped meanwhile"
        return said.model_copy(update={"text": text, "citations": citations(text)})

    def _turn(self, call: SpeakerCall, said: Contribution, question: str | None) -> Turn:
        at = self._timestamp()
        asked = self._state.agenda.questions.get(call.request.question or "")
        called = self._state.under_way.called.get((call.request.turn, call.speaker), at)
        expert = next((p for p in self._state.panel if p.slug == call.speaker), None)
        return Turn(
            n=call.request.turn,
            speaker=call.speaker,
            name=expert.name if expert else self._moderator_name(),
            role="expert" if expert else "moderator",
            act=said.act,
            text=said.text,
            citations=said.citations,
            question=question,
            replies_to=said.replies_to,
            age=said_of_age(self._state, asked, said.text),
            at=at,
            seconds=seconds_between(called, at),
        )

    def _moderator_name(self) -> str:
        return session_phrases(self._state.language).moderator
