"""A session: one discussion on one topic, from its first event to its report. The Python API.

session = await start_session("Why do cities flood?", settings)
async for recorded in session.run():
    print(recorded.event.kind)
report = await session.report()

While it runs, a person takes part: `session.say("What does it cost?")`, `session.do("/steer stay on costs")`.
All that can be done is a command (`roundtable.journal.commands`), journalled when it is given; `session.do`
takes each as a person types it, or as data.
"""

import asyncio
import contextlib
from collections.abc import AsyncGenerator, Callable, Iterator, Sequence
from contextlib import AsyncExitStack

from models import Event, ModelUnavailable
from reports import Report, ReportSettings
from roundtable.commands.map_commands import edit_map
from roundtable.commands.resolve import definite
from roundtable.config.errors import InputError, SearchRefused
from roundtable.journal.commands.command_reading import AnyCommand, read_line
from roundtable.journal.commands.map_edits import MapCommand
from roundtable.journal.commands.table_commands import BreakIn, Compare, GoOn, ReadSource, Say, Stop
from roundtable.journal.events import (
    CommandDone,
    Commanded,
    Recorded,
    SessionEnded,
    SessionResumed,
    SessionStopped,
)
from roundtable.journal.fold.state import State
from roundtable.journal.fold.user_controls import interrupted
from roundtable.session.context.journalled_context import ContextFactory
from roundtable.session.context.live_writing import Listener
from roundtable.session.planning.plan_editing import PlanEdit, changes, edited_plan
from roundtable.session.planning.session_plan import Panel, SessionPlan
from roundtable.session.session_loop import Discussion


class Session:
    """One session. Its journal is the truth: everything here is read from there, and goes there first."""

    def __init__(
        self,
        session_id: str,
        discussion: Discussion,
        contexts: ContextFactory,
        opened: AsyncExitStack,
        *,
        offline: bool,
    ) -> None:
        self.id = session_id
        self._discussion = discussion
        self._contexts = contexts
        self._opened = opened
        self._offline = offline
        self._waits_on = False
        self._running = False
        self._reporting = asyncio.Lock()
        self._given = asyncio.Event()

    @property
    def state(self) -> State:
        """The session as it stands; changed by its events alone."""
        return self._contexts.record.state

    @property
    def running(self) -> bool:
        """Whether somebody runs it now."""
        return self._running

    async def run(self, turns: int | None = None, *, stay: bool = False) -> AsyncGenerator[Recorded]:
        """Run, or go on, until the report is written; yield each event once it is committed.

        Args:
            turns: Go on for so many turns more, also in a session that has ended; None: to the session's own
                limit.
            stay: Do not end with the report: wait for what a person asks then. Close the generator to leave.

        Raises:
            ModelUnavailable: a model cannot be had; the session is stopped and can be resumed.
            SearchRefused: `before_turns` was told so; the same.
            StoreError, JournalError: nothing more can be kept; what was committed is there.
        """
        with self._at_work():
            queue = self._contexts.record.listen()
            work = asyncio.create_task(self._work(turns, stay=stay))
            async with contextlib.aclosing(self._events_of(work, queue)) as events:
                async for recorded in events:
                    yield recorded

    async def update(self) -> AsyncGenerator[Recorded]:
        """Look the sources up again, search again, and go on with what is new; yield each event.

        `SourcesUpdated` says what was found. With nothing new it is the only event, and no model was asked;
        else the table answers what is new, and the report is written again and tells what changed. A session
        that has not ended goes on to its end, as with `run`: it was cut off.

        Raises:
            ModelUnavailable, StoreError, JournalError: as `run`.
        """
        with self._at_work():
            queue = self._contexts.record.listen()
            work = asyncio.create_task(self._look_and_go_on())
            async with contextlib.aclosing(self._events_of(work, queue)) as events:
                async for recorded in events:
                    yield recorded

    async def _look_and_go_on(self) -> None:
        if self.state.status != "ended":
            await self._work(None, stay=False)
        elif (await self._discussion.look_again()).news:
            await self._discuss()

    async def _events_of(
        self, work: "asyncio.Task[None]", queue: "asyncio.Queue[Recorded | None]"
    ) -> AsyncGenerator[Recorded]:
        """Yield what is recorded until some work is done; raise what it raises."""
        work.add_done_callback(lambda _: queue.put_nowait(None))
        try:
            while (recorded := await queue.get()) is not None:
                yield recorded
            await work
        finally:
            self._contexts.record.forget(queue)
            if not work.done():
                work.cancel()
                with contextlib.suppress(asyncio.CancelledError):
                    await work

    @contextlib.contextmanager
    def _at_work(self) -> Iterator[None]:
        """Let one at a time act on the record: events of two would not fit each other.

        Raises:
            RuntimeError: it is run, or its report is written, already.
        """
        if self._running:
            raise RuntimeError("this session is running already: wait for its end, or stop it")
        self._running = True
        try:
            yield
        finally:
            self._running = False

    def watch(self, listener: Listener) -> Callable[[], None]:
        """Tell somebody what each speaker is writing, while a model writes it; return what ends that.

        It is not journalled, and may be taken back: what was said is the turn.
        """
        return self._contexts.speaking.listen(listener)

    def hear(self, listener: Callable[[Recorded], None]) -> None:
        """Tell somebody of each event at the moment it is committed, before the session works on.

        `run` yields events when its own loop comes to it; whoever watches from another thread need not wait.
        """
        self._contexts.record.on_event = listener

    def before_turns(self, check: Callable[[], None]) -> None:
        """Have something checked before each turn, and before the report has gaps searched for.

        Args:
            check: Raises SearchRefused to stop the session there: it can be resumed.
        """
        self._discussion.before_turn = check

    def before_requests(self, allowance: Callable[[], str | None]) -> None:
        """Have something asked before each request of a model, beside the session's own budget.

        Args:
            allowance: Returns which limit is reached, None while there is some left. With one reached the
                table closes, and rules answer in a model's place.
        """
        self._discussion.evaluation.allowance = allowance

    async def plan(self) -> SessionPlan:
        """Search for the background and seat the panel, nothing more; `run` goes on from there.

        Raises:
            ModelUnavailable: the model that plans cannot be had.
            InputError: nothing was found about the topic, or all searches failed: there is nothing to plan.
        """
        with self._at_work():
            found = await self._discussion.plan()
        if not found:
            if why := self.state.unsearched:
                raise InputError(why)
            raise InputError("nothing was found about the topic: name other documents or places to search")
        return self._discussion.panel_setup.planned()

    def adopt(self, plan: SessionPlan, panel: Panel) -> None:
        """Make a plan's experts as a person changed them the session's."""
        self._contexts.record.add(*changes(self.state, plan, panel))

    def edit_plan(self, wanted: PlanEdit) -> None:
        """Make a whole plan as a person wants it the session's.

        What else than the experts was changed is in force once the session is opened again.

        Raises:
            InputError: it cannot be begun so, or has begun.
        """
        plan, panel, changed = edited_plan(self.state, wanted)
        self._contexts.record.add(*changes(self.state, plan, panel), *changed)

    def leave_planned(self) -> None:
        """Leave a session whose plan is made, to go on with it later."""
        self._contexts.record.add(SessionStopped.planned())

    def wait_on(self) -> None:
        """Let a table that waits for a person wait when the session goes on: nobody has said anything."""
        self._waits_on = True

    async def _work(self, turns: int | None, *, stay: bool) -> None:
        state = self.state
        waits = state.controls.standing_still and not self._waits_on
        if state.status == "stopped" or turns is not None or waits:
            self._contexts.record.add(SessionResumed(turns=turns))
        await self._discuss()
        while stay or state.controls.asked or state.turns_after_report:
            if state.status == "ended" and (state.controls.asked or state.turns_after_report):
                # Said while the report was being written: answered all the same.
                self._contexts.record.add(SessionResumed(turns=state.turns_after_report or 0))
            if state.status != "running":
                self._given.clear()
                await self._given.wait()
                continue
            waiting = list(state.controls.waiting)
            await self._discuss()
            self._give_up_on(waiting)

    def _give_up_on(self, waiting: Sequence[str]) -> None:
        """Close commands that a run to the end has not carried out: they would open it again for ever."""
        if self.state.status == "ended":
            left = [identity for identity in waiting if identity in self.state.controls.waiting]
            problem = "the session ended before it could be done"
            self._contexts.record.add(*(CommandDone(id=identity, problem=problem) for identity in left))

    async def _discuss(self) -> None:
        state, record = self.state, self._contexts.record
        try:
            await self._discussion.run()
        except (ModelUnavailable, SearchRefused) as failure:
            record.add(SessionStopped(reason=str(failure)))
            raise
        if state.status == "closed":
            record.add(SessionEnded(reason=state.reason))

    # What a person can do

    def do(self, command: AnyCommand | str, person: str = "") -> None:
        """Do what a person asks for: it is journalled now, and carried out now or at the next turn boundary.

        Args:
            command: A command, or a line as it is typed at the table: `/drop 3`; words are said to the table.
            person: Of several people, the name of who asks; empty: not known.

        Raises:
            CommandError: it cannot be done (a ValueError; the message is one clear line).
        """
        if isinstance(command, str):
            command = read_line(command)
        if isinstance(command, MapCommand):
            edit_map(command, self._contexts.record)
            return
        state = self.state
        command = definite(command, state, offline=self._offline)
        given = Commanded(id=f"c{state.controls.given + 1}", person=person, command=command)
        broken = [interrupted(call) for call in state.running()] if self._breaks_in(command) else []
        self._contexts.record.add(given, *broken, *self._revival(command))
        if broken:
            self._discussion.break_off({failed.speaker for failed in broken})
        if isinstance(command, ReadSource):
            self._discussion.command_runner.read_ahead(command.place)
        self._given.set()
        self._discussion.notice()

    def _breaks_in(self, command: AnyCommand) -> bool:
        return isinstance(command, BreakIn) and self._discussion.speaking

    def _revival(self, command: AnyCommand) -> list[Event]:
        """Return what takes a session up again that has ended: what is said then is answered."""
        if self.state.status != "ended":
            return []
        if isinstance(command, GoOn):
            return [SessionResumed(turns=command.turns)]
        return [SessionResumed(turns=0)] if isinstance(command, Say | Stop | Compare) else []

    def say(self, text: str, to: str | None = None) -> None:
        """Say something: heard at the next turn boundary, and answered before anything else on the agenda.

        Args:
            text: The words.
            to: The expert who should answer, by slug or name; None: the nearest.
        """
        self.do(Say.of(text=text, to=to))

    def stop(self) -> None:
        """Stop after this turn and write the report from what there is; after the end, write it again."""
        self.do(Stop())

    async def report(self) -> Report:
        """Return the report, written now from what there is when there is none yet.

        Raises:
            RuntimeError: there is none yet, and the session is running: it will write one.
            ModelUnavailable: the writer's model cannot be had.
        """
        async with self._reporting:
            if self.state.report is None:
                with self._at_work():
                    await self._discussion.write()
        report = self.state.report
        assert report is not None
        return report

    async def write_again(self, settings: ReportSettings | None = None, outline: str | None = None) -> Report:
        """Write the report again from what there is; sections that nothing changed for are kept.

        Args:
            settings: How it is written; None: as the session's settings say.
            outline: An edited outline (`roundtable.output.exports.outline_of` prints one).

        Raises:
            ModelUnavailable: the writer's model cannot be had.
            OutlineUnreadable: the outline cannot be followed; the message names the line.
            RuntimeError: the session is running.
        """
        with self._at_work():
            await self._discussion.write(settings, outline)
        return await self.report()

    async def close(self) -> None:
        """Release the lock, connections and files. The session stays in the journal."""
        await self._opened.aclose()
