"""The course of a session: warm start, turns by the moderator's policy, the map after each, and the report.

Every step begins by looking at the state alone, so a session that was cut off anywhere goes on from its last
event: what the journal holds is not done again, and what was under way is done anew with the replies it
already had.
"""

import asyncio
from collections.abc import Callable, Collection, Sequence

from agents import Contribution, SpeakerCalled, SpeakRequest, Turn, nearness, reach
from library.text import asked_words
from mindmap import MapStarted
from models import Event
from moderator import (
    SLUG,
    AnswerStep,
    AskStep,
    CloseCause,
    CloseStep,
    Question,
    QuestionRaised,
    RenewStep,
    Standing,
    dry_answers,
    next_step,
)
from reports import ReportSettings, ReportWritten
from roundtable.config.config import Settings
from roundtable.journal.events import TableClosed, TableWaits
from roundtable.journal.fold.state import State
from roundtable.journal.source_updates import SourcesUpdated
from roundtable.session.closing.gap_search import search_gaps
from roundtable.session.closing.report_writing import standing_report, written_report
from roundtable.session.closing.section_reading import read_sections
from roundtable.session.context.journalled_context import ContextFactory
from roundtable.session.context.speaker_call import SpeakerCall
from roundtable.session.judging.answer_weighing import brought, may_settle, share_new, to_judge
from roundtable.session.judging.discussion_review import review, review_due
from roundtable.session.judging.evaluation import Evaluation
from roundtable.session.map_work import MAP, MapWork
from roundtable.session.planning.invited_agents import InvitedAgents
from roundtable.session.planning.panel_setup import PanelSetup
from roundtable.session.turns.command_runner import PERSON, CommandRunner
from roundtable.session.turns.contribution_events import ContributionEvents
from roundtable.session.turns.turn_runner import TurnRunner
from roundtable.session.updating.source_update import SourceUpdate


class Discussion:
    """Runs one session on its record; holds nothing that the record does not."""

    def __init__(
        self,
        contexts: ContextFactory,
        settings: Settings,
        timestamp: Callable[[], str],
        invited: InvitedAgents | None = None,
    ) -> None:
        self._contexts = contexts
        self._invited = invited
        self._settings = settings
        self._timestamp = timestamp
        self._table = TurnRunner(contexts, settings.agents)
        self.panel_setup = PanelSetup(contexts, settings)
        self.evaluation = Evaluation(contexts, settings.moderator, timestamp)
        contexts.pressed, contexts.exhausted = self.evaluation.pressed, self.evaluation.exhausted
        self.map = MapWork(contexts, settings, self.evaluation)
        self.command_runner = CommandRunner(contexts, settings, timestamp)
        self._update = SourceUpdate(contexts, settings)
        self._calling: asyncio.Future[list[Contribution | str]] | None = None
        """The turn under way."""
        self._begun = False
        self._changed = asyncio.Event()
        """Set when a person asked for something."""
        self.before_turn: Callable[[], None] = lambda: None
        """Called before anything new is searched; what it raises stops the session."""

    @property
    def _state(self) -> State:
        return self._contexts.record.state

    def _record(self, *events: Event) -> None:
        self._contexts.record.add(*events)

    async def run(self) -> None:
        """Go on until the table closes, then write the report."""
        if not self._state.map_course.started:
            self._record(MapStarted(title=self._state.topic))
        if self._state.status == "running":
            await self._have_agents()
            await self.map.catch_up()
            await self._warm_up()
            while self._state.status == "running" and await self._step():
                pass
        if self._state.status == "closed" and not self._state.writing.written:
            await self.write()

    async def look_again(self) -> SourcesUpdated:
        """Look up what became of the sources, and journal it; see `SourceUpdate.look`."""
        return await self._update.look()

    async def close(self) -> None:
        """Release readings under way."""
        await self.command_runner.close()

    async def _have_agents(self) -> None:
        """Have the AutoGen agents at hand that sit at the table, before anything is spent."""
        seated = {p.slug for p in self._state.panel}
        wanted = [who for who in self._state.invited if not seated or who.slug in seated]
        if wanted and self._invited is not None:
            await self._invited.ready(wanted)

    # The warm start

    async def _warm_up(self) -> None:
        """Search for the background, seat the panel, have the experts answer together, round by round."""
        if not await self.panel_setup.seat() and not await self._seat_with_help():
            self._close_without_panel()
            return
        while self._warming():
            if not self._cut_off():
                await self._attend()
            if self._state.controls.stopping or not await self._answer_together():
                return
            await self.evaluation.look_back(MAP)

    def _warming(self) -> bool:
        """Tell whether the next turns are a round of the warm start: all experts at once.

        A round in which some had nothing to answer is the last.
        """
        taken, seats = self._state.taken, len(self._state.panel)
        rounds = self._settings.moderator.warm_rounds
        return bool(seats) and taken % seats == 0 and taken // seats < rounds and not self._state.seated_at

    async def plan(self) -> bool:
        """Do what a plan needs and nothing more; False when nothing was found and the table has closed."""
        if not self._state.map_course.started:
            self._record(MapStarted(title=self._state.topic))
        seated = await self.panel_setup.seat()
        if not seated:
            self._close_without_panel()
        return seated

    async def _seat_with_help(self) -> bool:
        """Carry out what a person asked for; True when somebody sits at the table then.

        They may have invited an expert, or named a page to be read. Left waiting, what they said would open
        the table again as soon as it has closed, for ever.
        """
        before = self._state.controls.given, len(self._state.controls.waiting)
        await self._attend()
        heard = before != (self._state.controls.given, len(self._state.controls.waiting))
        return bool(self._state.panel) or (heard and await self.panel_setup.seat())

    def _close_without_panel(self) -> None:
        self._record(TableClosed(cause=CloseCause.NOTHING_FOUND, reason="nothing was found about the topic"))

    async def _answer_together(self) -> bool:
        """Have as many questions answered at once as there are experts; False when none waits."""
        room = max(0, min(self._limit(), self._state.round_end) - self._state.counted)
        first = list(self._first_questions().items())[: int(room)]
        calls = [SpeakerCall(to, self._request(q, place)) for place, (to, q) in enumerate(first)]
        if calls:
            await self._call(calls)
        return bool(calls)

    def _first_questions(self) -> dict[str, Question]:
        """Return a question for each expert: the most urgent first, put to the nearest unless put to one."""
        waiting = self._state.agenda.waiting()
        found: dict[str, Question] = {}
        for question in waiting:
            free = [p for p in self._state.panel if p.slug not in found]
            if question.to in {p.slug for p in free}:
                found[str(question.to)] = question
            elif question.to is None and free:
                text = f"{question.text} {question.search}"
                near = nearness(text, free, self._contexts.library.statistics)
                found[free[max(range(len(free)), key=lambda place: (near[place], -place))].slug] = question
        return found

    # One step

    async def _step(self) -> bool:
        """Do the next step; False when the table has closed."""
        if not self._cut_off():
            await self._attend()
        await self.evaluation.look_back(MAP)
        # What a person asks beyond the limit is answered, and nobody is called to respond to that.
        limit = self._own_limit()
        if not (self._in_short() or self.evaluation.pressed()) and review_due(self._state, limit):
            await review(self._contexts, limit, self._settings.moderator)
        step = next_step(self._standing(), self._settings.moderator)
        match step:
            case CloseStep() if self._in_short() and (due := self._unjudged()):
                await self.evaluation.settle(self.evaluation.judged_by_rules(due), over=True)
            case CloseStep() if self._state.counted < self._limit() and (due := self._unjudged()):
                # An answer that does not hold may keep the table open.
                await self.evaluation.settle(await self.map.place(due))
            case CloseStep(cause, reason):
                self._record(TableClosed(cause=cause, reason=reason))
                return False
            case AnswerStep(question) if (due := self._unjudged()) and self._weighs_first(question, due):
                # It may be answered whole already, or closes from all that stands: it is judged before.
                await self.evaluation.settle(await self.map.place(due))
            case AnswerStep(question, speaker):
                await self._call([SpeakerCall(speaker, self._request(question, 0))])
            case AskStep():
                await self._call([SpeakerCall(SLUG, SpeakRequest(turn=self._state.taken + 1))])
            case RenewStep(leaving, question):
                await self.panel_setup.renew(leaving, question)
        return True

    def _unjudged(self) -> list[Turn]:
        return to_judge(self._state, self._state.talk.unjudged)

    def _weighs_first(self, question: Question, unjudged: Sequence[Turn]) -> bool:
        """Tell whether a question waits until a judge that reads has said what stands of the last answers.

        Whoever closes would take up what a judge strikes; another question may be answered already.
        """
        statistics = self._contexts.library.statistics
        waits = question.state == "taken" or question.place == "tail"
        waits = waits or may_settle(self._state, question, unjudged, statistics)
        return waits and not self.evaluation.alone

    def _in_short(self) -> bool:
        """Tell whether nothing more is to be asked for the talk."""
        return bool(self.evaluation.spent()) or self._state.controls.stopping

    def _cut_off(self) -> bool:
        """Tell, once, whether a turn was cut off earlier: it is done again before a person is heard.

        They asked while it was under way, so what they asked for comes after it.
        """
        begun, self._begun = self._begun, True
        return not begun and bool(self._state.running())

    async def _attend(self) -> None:
        """Carry out what a person asked for, and stand still for as long as they want that."""
        controls = self._state.controls
        while True:
            self._changed.clear()
            self.before_turn()
            await self.command_runner.attend()
            if self._state.waits_now and not any(q.by == PERSON for q in self._state.agenda.waiting()):
                self._record(TableWaits(turn=self._state.taken))
            if controls.stopping or not controls.standing_still:
                return
            await self._changed.wait()

    def notice(self) -> None:
        """Look at what a person asked for: they just did."""
        self._changed.set()

    def _limit(self) -> int:
        """Return the turns after which the table closes; a person's question is answered all the same."""
        asked = any(q.owed for q in self._state.agenda.waiting())
        return max(self._own_limit(), self._state.counted + 1) if asked else self._own_limit()

    def _own_limit(self) -> int:
        """Return the turns that the table has by itself."""
        state = self._state
        return self._settings.moderator.turns if state.turn_limit is None else state.turn_limit

    def _standing(self) -> Standing:
        state = self._state
        waiting = state.agenda.waiting()
        last = state.last_question()
        at_hand = waiting[0] if waiting else last
        asked = ""
        if at_hand:
            words = asked_words(at_hand.text) if at_hand.by == PERSON else at_hand.text
            asked = f"{words} {at_hand.search}"
        statistics = self._contexts.library.statistics
        near = nearness(asked, state.panel, statistics) if asked else [0.0] * len(state.panel)
        answers = state.answers()
        return Standing(
            turns=state.counted,
            besides=len(state.asked_from_outside()),
            limit=self._limit(),
            waiting=waiting,
            panel=[p.slug for p in state.panel],
            spoken=[
                sum(t.speaker == p.slug for t in state.turns if t.n > state.seated_at) for p in state.panel
            ],
            nearness=near,
            reach=reach(asked, state.panel, statistics) if asked else 0.0,
            last_question=last,
            answered_by=state.answered_by(last),
            answers=state.answers_since_question(),
            unused=0 if state.nothing_to_ask() else len(state.unused()),
            dry=dry_answers(brought(state, answers)),
            seated=state.taken - state.seated_at,
            spent=self.evaluation.spent(),
            stopped=state.controls.stopping,
            novelty=share_new(state, self._settings.moderator),
            tail=state.agenda.tail(),
            in_vain=state.agenda.in_vain(),
            staying=[*(agent.slug for agent in state.invited), *state.kept],
            tried=state.answered_by(waiting[0]) if waiting else (),
            settled=not self.evaluation.alone and last is not None and _whole(last),
            wanted=state.turns_wanted,
            unheard=state.unheard() if state.turns_wanted else None,
        )

    def _request(self, question: Question, place_in_step: int) -> SpeakRequest:
        number, controls = self._state.taken + 1 + place_in_step, self._state.controls
        return SpeakRequest(
            turn=number,
            question=question.id,
            text=question.text,
            search=question.search,
            directions=controls.steering,
            closing=question.place == "tail",
            by_person=question.by == PERSON,
            claim=question.claim,
            passages=[i for i in question.passages if i in self._state.usable().passages],
            wanting=question.wanting if question.returns else "",
        )

    async def _call(self, calls: Sequence[SpeakerCall]) -> None:
        """Call speakers together; their contributions are journalled together, in order."""
        known, calls = self._state.under_way.called, [self.evaluation.hurried(call) for call in calls]
        new = [c for c in calls if (c.request.turn, c.speaker) not in known]
        self._record(
            *(
                SpeakerCalled(
                    turn=c.request.turn, speaker=c.speaker, question=c.request.question, hurry=c.request.hurry
                )
                for c in new
            )
        )
        async with self.map.meanwhile([call.speaker for call in calls]):
            contributions = await self._said(calls)
            if contributions is None:
                return  # a person broke in: what came of the calls is journalled with that
            events: list[Event] = []
            judged = self._settings.moderator.returns > 0
            come = ContributionEvents(self._state, self._timestamp, judged=judged)
            for call, said in zip(calls, contributions, strict=True):
                events += come.of(call, said, sum(isinstance(e, QuestionRaised) for e in events))
            self._record(*events, *self.evaluation.gaps(calls, contributions, events))

    async def _said(self, calls: Sequence[SpeakerCall]) -> list[Contribution | str] | None:
        """Return what was said; None when a person broke in."""
        self._calling = asyncio.ensure_future(self._table.call(calls))
        task = asyncio.current_task()
        try:
            return await self._calling
        except asyncio.CancelledError:
            if not self._contexts.record.silenced or (task is not None and task.cancelling()):
                raise
            return None
        finally:
            self._calling = None
            self._contexts.record.silenced = frozenset()

    @property
    def speaking(self) -> bool:
        """Whether a turn is under way that can be broken off."""
        return self._calling is not None and not self._calling.done()

    def break_off(self, speakers: Collection[str]) -> None:
        """Cancel the turn under way: what it admitted stays."""
        if self._calling is not None:
            self._contexts.record.silenced = frozenset(speakers)
            self._calling.cancel()

    # The report

    async def write(self, settings: ReportSettings | None = None, outline: str | None = None) -> None:
        """Write the report from what there is; where something was said since the last, tidy the map first.

        Args:
            settings: How; None: as the session's settings say.
            outline: Headings with the nodes that each is written from, as `outline_text` prints them.

        Raises:
            OutlineUnreadable: the outline cannot be followed.
        """
        if not self._state.writing.written:
            judged = await self.map.tidy([] if self._in_short() else self._unjudged())
            await self.evaluation.settle(judged, over=True)
            self.evaluation.mark()
            told = self.evaluation.alone or self._in_short() or self.evaluation.pressed()
            if not told and standing_report(self._state, settings or self._settings.reports) is None:
                self.before_turn()
                await search_gaps(self._contexts, self._settings.agents)
            if self.evaluation.alone:
                self.before_turn()
                await read_sections(self._contexts)
        how = settings or self._settings.reports
        report = await written_report(self._contexts, how, outline)
        self._record(ReportWritten(report=report, settings=how))


def _whole(question: Question) -> bool:
    """Tell whether a question is answered, and no part of it is wanting."""
    return question.state == "answered" and not question.in_part
