"""Evaluating the talk between its turns: records what `answer_weighing` finds, has answers judged."""

from collections.abc import Callable, Sequence

from agents import Contribution, Turn
from mindmap import MapGrown
from models import Event
from moderator import AnswerVerdict, ModeratorSettings, QuestionRaised, raise_all
from roundtable.journal.state import State
from roundtable.session.answer_weighing import (
    compare,
    judgement,
    marks,
    may_return,
    measure,
    settle,
    talk_share,
    to_judge,
)
from roundtable.session.journalled_context import ContextFactory
from roundtable.session.new_evidence import anything_new
from roundtable.session.turn_runner import SpeakerCall
from roundtable.session.usage import spent

_GAPS = 3
"""Questions that one turn may put on the agenda."""
Judged = list[tuple[Turn, AnswerVerdict]]


class Evaluation:
    """Looks at one session's talk; holds nothing that the record does not."""

    def __init__(
        self, desks: ContextFactory, settings: ModeratorSettings, timestamp: Callable[[], str]
    ) -> None:
        self._desks = desks
        self._settings = settings
        self._timestamp = timestamp

    @property
    def _state(self) -> State:
        return self._desks.record.state

    async def look_back(self, desk: str) -> None:
        """Look at what the last turns brought: which answers hold, how much is new, what contradicts."""
        record, statistics = self._desks.record, self._desks.library.statistics
        await self.settle(await self.judge(self._state.talk.overdue(), desk))
        record.add(*measure(self._state, statistics))
        record.add(*compare(self._state, statistics, self._settings))
        self.mark()

    def mark(self) -> None:
        """Mark in the map where sources disagree, as far as they have their place."""
        if self._state.changed_nodes is None and (changes := marks(self._state)):
            self._desks.record.add(MapGrown(changes=[*changes]))

    async def judge(self, turns: Sequence[Turn], desk: str) -> Judged:
        """Judge answers whose questions nobody has closed, at a desk."""
        due = to_judge(self._state, turns)
        tasks = [judgement(self._state, turn) for turn in due]
        verdicts = await self._desks.desk(desk).ask_jointly(tasks) if tasks else []
        return list(zip(due, verdicts, strict=True))

    def judged_by_rules(self, turns: Sequence[Turn]) -> Judged:
        """Judge answers without spending anything."""
        due = to_judge(self._state, turns)
        statistics = self._desks.library.statistics
        return [(turn, judgement(self._state, turn).extract(statistics)) for turn in due]

    async def settle(self, judged: Judged, *, over: bool = False) -> None:
        """Close the questions whose answers hold; others come back if there is something new to answer with.

        Args:
            judged: Answers, each with what it is worth.
            over: Nothing is asked any more: no question comes back.
        """
        for turn, verdict in judged:
            again = not over and may_return(self._state, turn, verdict, self._settings)
            if again:
                question = self._state.agenda.questions[turn.question or ""]
                wanting = " ".join(verdict.missing.split()) or question.text
                again = await anything_new(self._desks, question, wanting)
            self._desks.record.add(*settle(self._state, turn, verdict, again=again))

    def spent(self) -> str | None:
        """Return which limit leaves nothing but the report, None while there is some left."""
        used = spent(self._state, self._timestamp())
        return None if self._settings.budget.level(used) == "free" else self._settings.budget.nearest(used)

    def pressed(self) -> bool:
        """Tell whether so much is gone that experts answer with what they have."""
        budget = self._settings.budget
        if not budget.limited:
            return False
        return talk_share(budget, spent(self._state, self._timestamp())) >= self._settings.hurry_from

    def exhausted(self) -> str | None:
        """Return which limit of the models is reached, None while there is some left."""
        budget = self._settings.budget
        return budget.exhausted(spent(self._state, self._timestamp())) if budget.limited else None

    def hurried(self, call: SpeakerCall) -> SpeakerCall:
        """Ask for an answer with what there is when most is spent; one called before is asked as it was."""
        key = (call.request.turn, call.speaker)
        hurry = key in self._state.talk.hurried if key in self._state.called else self.pressed()
        return SpeakerCall(call.speaker, call.request.model_copy(update={"hurry": hurry})) if hurry else call

    def gaps(
        self, calls: Sequence[SpeakerCall], said: Sequence[Contribution | str], events: Sequence[Event]
    ) -> list[QuestionRaised]:
        """Put what came up while speakers researched at the head of the agenda, each question once."""
        raised = [
            (" ".join(text.split()), "", call.speaker, None)
            for call, contribution in zip(calls, said, strict=True)
            if isinstance(contribution, Contribution)
            for text in contribution.raised[:_GAPS]
        ]
        before = sum(isinstance(event, QuestionRaised) for event in events)
        return raise_all(self._state.agenda, raised, place="head", why="a gap", first=before)
