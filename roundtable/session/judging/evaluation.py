"""Evaluating the talk between its turns: records what `answer_weighing` finds, has answers judged."""

from collections.abc import Callable, Sequence

from agents import Action, Contribution, Turn
from agents.research import routed_actions
from library import Passage, TopicProfile
from library.text import one_line
from mindmap import MapGrown
from models import EMBEDDED, Event, Spent
from moderator import SLUG, AnswerVerdict, ModeratorSettings, Question, QuestionRaised, raise_all
from roundtable.journal.fold.state import State
from roundtable.session.context.journalled_context import ContextFactory, JournalledContext
from roundtable.session.context.speaker_call import SpeakerCall
from roundtable.session.context.spending import spent
from roundtable.session.judging.answer_weighing import (
    judgement,
    may_return,
    measure,
    settle,
    talk_share,
    to_judge,
)
from roundtable.session.judging.told_contradictions import compare, marks

_GAPS = 3
"""Questions that one turn may put on the agenda."""
Judged = list[tuple[Turn, AnswerVerdict]]


class Evaluation:
    """Looks at one session's talk; holds nothing that the record does not."""

    def __init__(
        self, contexts: ContextFactory, settings: ModeratorSettings, timestamp: Callable[[], str]
    ) -> None:
        self._contexts = contexts
        self._settings = settings
        self._timestamp = timestamp
        self.allowance: Callable[[], str | None] = lambda: None
        """Returns which limit beside the session's own budget is reached, such as its owner's of the day."""

    @property
    def _state(self) -> State:
        return self._contexts.record.state

    @property
    def alone(self) -> bool:
        """Whether no language model moderates."""
        return self._contexts.models["moderator"].name == EMBEDDED

    async def look_back(self, speaker: str) -> None:
        """Look at what the last turns brought: which answers hold, how much is new, what contradicts."""
        record, statistics = self._contexts.record, self._contexts.library.statistics
        await self.settle(await self.judge(self._state.talk.overdue(), speaker))
        record.add(*measure(self._state, statistics))
        record.add(*compare(self._state, statistics, self._settings, alone=self.alone))
        self.mark()

    def mark(self) -> None:
        """Mark in the map where sources disagree, as far as they have their place."""
        if self._state.map_course.changed_nodes is None and (changes := marks(self._state, alone=self.alone)):
            self._contexts.record.add(MapGrown(changes=[*changes]))

    async def judge(self, turns: Sequence[Turn], speaker: str) -> Judged:
        """Judge answers whose questions nobody has closed, in a speaker's context."""
        due = to_judge(self._state, turns)
        statistics = self._contexts.library.statistics
        tasks = [judgement(self._state, turn, statistics) for turn in due]
        verdicts = await self._contexts.of(speaker).ask_jointly(tasks) if tasks else []
        return list(zip(due, verdicts, strict=True))

    def judged_by_rules(self, turns: Sequence[Turn]) -> Judged:
        """Judge answers without spending anything."""
        due = to_judge(self._state, turns)
        statistics = self._contexts.library.statistics
        return [(turn, judgement(self._state, turn, statistics).extract(statistics)) for turn in due]

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
                # What the judge of rules says of an answer is the program's own sentence.
                wanting = verdict.wanted or " ".join(verdict.missing.split()) or question.text
                margin = _CLEARLY if verdict.in_part else 1.0
                again = await anything_new(self._contexts, question, wanting, margin)
            statistics = self._contexts.library.statistics
            self._contexts.record.add(*settle(self._state, turn, verdict, statistics, again=again))

    def spent(self) -> str | None:
        """Return which limit leaves nothing but the report, None while there is some left."""
        if not self.alone and (out := self.allowance()):
            return out
        used = spent(self._state, self._timestamp())
        return None if self._settings.budget.level(used) == "free" else self._settings.budget.nearest(used)

    def pressed(self) -> bool:
        """Tell whether so much is gone that experts answer with what they have."""
        budget = self._settings.budget
        if not budget.limited:
            return False
        return talk_share(budget, spent(self._state, self._timestamp())) >= self._settings.hurry_from

    def exhausted(self, beside: Spent) -> str | None:
        """Return which limit of the models is reached, None while there is some left.

        Args:
            beside: What is spent, or likely to be, that the record does not count yet.
        """
        budget = self._settings.budget
        own = budget.exhausted(spent(self._state, self._timestamp(), beside)) if budget.limited else None
        return own or self.allowance()

    def hurried(self, call: SpeakerCall) -> SpeakerCall:
        """Ask for an answer with what there is when most is spent; one called before is asked as it was."""
        key = (call.request.turn, call.speaker)
        hurry = key in self._state.talk.hurried if key in self._state.under_way.called else self.pressed()
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


_CLEARLY = 1.3
"""How much better something new must fit what is wanting where the rest of the question is answered."""
_CUT_OFF = 0.2
"""Fit to the topic (share of the best) below which a passage is not about it."""


async def anything_new(contexts: ContextFactory, question: Question, wanting: str, margin: float) -> bool:
    """Search, without a model, for what an answer lacks; tell whether there is anything new to answer with.

    New is what nobody who answered was shown, what fits the topic, and what fits what is wanting better than
    all that was shown, by a factor (`margin`, 1 or more).

    The search is journalled like any other, and is had again for nothing when a session is resumed.
    """
    state, context = contexts.record.state, contexts.of(SLUG)
    before = _shown_for(state, question)
    found = await context.perform(_actions(state, context, question, wanting))
    passages = {p.key: p for seen in found for each in seen.found if (p := each.passage) is not None}
    later = {p.key: p for p in state.usable().passages.values()}
    known = {p.key for p in before}
    words = {one_line(p.text) for p in before}
    new = [p for p in (passages | later).values() if p.key not in known and one_line(p.text) not in words]
    unread = [
        f"{each.title} {each.snippet}"
        for seen in found
        for each in seen.found
        if each.passage is None and each.url not in state.work.pages
    ]
    profile = TopicProfile(state.topic, context.statistics, cut_off=_CUT_OFF)
    profile.learn([*context.found_before(), *before, *new])
    fits = [p for p, score in zip(new, profile.scores(new), strict=True) if score >= profile.cut_off]
    texts = [*(f"{p.title}\n{p.text}" for p in fits), *unread]
    shown = _best(context, wanting, [f"{p.title}\n{p.text}" for p in before])
    return _best(context, wanting, texts) > margin * shown


def _actions(state: State, context: JournalledContext, question: Question, wanting: str) -> list[Action]:
    """Return one search of each place: in full words at home, in key words outside."""
    # A model reads directions; among the words of a search they bring what they want left out.
    steering = [] if context.chooses else state.controls.steering
    inside = " ".join(dict.fromkeys([question.search or question.text, wanting, *steering]))
    key_words = list(dict.fromkeys(context.statistics.terms(" ".join([state.topic, wanting, *steering]))))
    return routed_actions(" ".join(key_words), [inside], [p.name for p in context.places], context.places)


def _shown_for(state: State, question: Question) -> list[Passage]:
    """Return what those who answered a question brought or cited."""
    turns = [turn for turn in state.answers() if turn.question == question.id]
    ids = {i for turn in turns for i in [*turn.citations, *state.admitted.get(turn.n, [])]}
    return [p for i, p in state.evidence.passages.items() if i in ids]


def _best(context: JournalledContext, wanting: str, texts: Sequence[str]) -> float:
    return max(context.statistics.relevance(wanting, texts), default=0.0) if texts else 0.0
