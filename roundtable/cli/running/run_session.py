"""Running a session for a person: the view, Ctrl-C, the files at the end, and the exit code."""

import contextlib
import secrets
from collections.abc import Awaitable, Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from mindmap import Outline
from roundtable.cli.journals import claim_unless_running, nothing_came_of, open_journal
from roundtable.cli.lines.first_lines import destination_line
from roundtable.cli.lines.indexing_lines import indexing_lines
from roundtable.cli.lines.settings_left_out import left_out
from roundtable.cli.running.endings import ENDED, FAILED, STOPPED, STOPS, tell_stop
from roundtable.cli.running.interrupts import Interrupts
from roundtable.cli.running.planning import Planning, check_terminal, confirmed
from roundtable.config.config import Settings, home, recorded_settings
from roundtable.config.language_codes import session_language
from roundtable.config.search_places import settle_places
from roundtable.journal.events import Recorded
from roundtable.journal.sessions.imported import taken
from roundtable.output.closing_figures import figures_line, unsearched
from roundtable.output.last_files import write_unless_taken_over
from roundtable.output.outputs import claim_folder, default_folder, write_outputs
from roundtable.session.factory import Runtime, resume_session, start_session
from roundtable.session.planning.invited_agents import read_invited
from roundtable.session.planning.session_plan import plan_text
from roundtable.session.session import Session
from roundtable.session.steady_loop import run_steadily
from roundtable.session.texts.follow_up import with_places_of
from roundtable.terminal.plain_view import EventView
from roundtable.terminal.safe_output import say
from roundtable.terminal.terminal_language import told_language
from roundtable.terminal.view_choice import choose_view


def begin(
    topic: str,
    settings: Settings,
    *,
    out: Path | None,
    force: bool,
    as_json: bool,
    plain: bool,
    outline: Outline | None = None,
    planning: Planning | None = None,
    experts: Sequence[Path] = (),
    begun: Callable[[str], None] | None = None,
    follows: str = "",
) -> int:
    """Run a new session; return the exit code. A wrong order is found before anything is spent.

    `begun` is told its id once it has begun; `follows` is the session that it goes on from.
    """
    check_terminal(planning)
    identity, language = secrets.token_hex(4), session_language(topic, settings)
    if follows:
        with open_journal() as journal:
            follows = journal.find(follows)
            settings = with_places_of(settings, journal, follows)
    settings = settle_places(settings, home())
    line = destination_line(settings)
    invited = read_invited(experts, settings)
    folder = claim_folder(
        out or default_folder(topic, identity), identity, force=force, nothing_came_of=nothing_came_of
    )
    view = choose_view(as_json=as_json, plain=plain, language=language)
    view.say(line)
    around = Runtime(indexing=indexing_lines(view.say), untold=partial(view.say, error=True))

    async def opening() -> Session:
        session = await start_session(
            topic, settings, out=folder, session_id=identity, around=around, outline=outline, experts=invited,
            follows=follows,
        )  # fmt: skip
        if begun is not None:
            begun(identity)
        return session

    return _run(_conduct(identity, opening, view, folder, seen=0, turns=None, planning=planning), view)


def go_on(
    prefix: str,
    flags: dict[str, Any],
    *,
    turns: int | None,
    out: Path | None,
    force: bool,
    as_json: bool,
    plain: bool,
    use_imported: Sequence[str] = (),
    experts: Sequence[Path] = (),
) -> int:
    """Go on with a session; return the exit code."""
    with open_journal() as journal:
        identity = journal.find(prefix)
        past = journal.read(identity)
    first: Any = past[0].event
    before = out or (Path(first.out) if first.out else default_folder(first.topic, identity))
    settings = changed_settings(taken(first.settings, first.imported, use_imported), flags)
    line = destination_line(settings)
    invited = read_invited(experts, settings)
    folder = claim_unless_running(before, identity, force=force)
    view = choose_view(as_json=as_json, plain=plain, language=first.language)
    for recorded in past:
        view.repeat(recorded)
    view.say(line)
    for told in left_out({} if use_imported else first.imported):
        view.say(told)
    around = Runtime(indexing=indexing_lines(view.say), untold=partial(view.say, error=True))
    opening = lambda: resume_session(identity, settings, around=around, experts=invited)  # noqa: E731
    return _run(_conduct(identity, opening, view, folder, seen=past[-1].n, turns=turns), view)


def changed_settings(before: Mapping[str, Any], flags: Mapping[str, Any]) -> Settings:
    """Return a session's settings with the models, the use of what is kept, and the components named now."""
    named: dict[str, Any] = {room: flags[room] for room in ("models", "library", "agents") if room in flags}
    return recorded_settings(before, named)


def _run(work: Awaitable[int], view: EventView) -> int:
    async def watched() -> int:
        try:
            return await work
        finally:
            view.close()

    return run_steadily(watched())


async def _conduct(
    identity: str,
    opening: Callable[[], Awaitable[Session]],
    view: EventView,
    folder: Path,
    *,
    seen: int,
    turns: int | None,
    planning: Planning | None = None,
) -> int:
    """Open a session, show it to its end, and write its files whatever happens."""
    interrupts = Interrupts(view.say)
    again = f"go on with: roundtable resume {identity} (or join {identity})"
    with interrupts.watching():
        try:
            session = await opening()
            interrupts.opened(session)
            before = session.state.report
            async with contextlib.AsyncExitStack() as closing:
                closing.push_async_callback(session.close)
                writing = partial(write_outputs, session.state, folder)
                telling = partial(view.say, error=True)
                closing.callback(
                    write_unless_taken_over, identity, session.state, writing, open_journal, telling
                )
                if planning:
                    shown = await _planned(session, view, planning, seen)
                    if shown is None:
                        view.say(f"Nothing more was spent; {again}")
                        return ENDED
                    seen = shown
                await _watch(session, view, seen, turns)
        except STOPS as stop:
            return tell_stop(stop, view.say, again)
    if session.state.status != "ended":
        view.say(f"Stopped: {session.state.reason}; {again}")
        return STOPPED
    if before is not None and session.state.report is before:
        asking = f"go on with: roundtable join {identity}"
        view.say(f"The session has ended, and its files are written again; {asking}")
    return _closed(session, view, folder)


def _closed(session: Session, view: EventView, folder: Path) -> int:
    """Tell how a session ended and where its report is; return the exit code."""
    why = unsearched(session.state)
    if why:
        view.say(f"roundtable: {why}; the report is empty: run it again later, or with --docs", error=True)
    elif session.state.report:
        view.say(figures_line(session.state.report.summary, told_language(session.state.language)))
    view.say(f"Session {session.id}. {report_line(folder)}")
    return FAILED if why else ENDED


async def _planned(session: Session, view: EventView, planning: Planning, seen: int) -> int | None:
    """Make the plan, telling what is done for it, and show it; `seen` is the last event that was shown.

    Returns:
        The last event shown, when the person wants the table to begin, changed or not; else None.
    """
    for recorded in _since(session, seen):
        view.show(recorded)
    session.hear(lambda recorded: _told_with_plan(recorded, view))
    try:
        plan = await session.plan()
    finally:
        session.hear(lambda _: None)
    # Nobody works while a person reads: what they take for it is no working time.
    session.leave_planned()
    if planning == "show":
        for line in plan_text(plan).split("\n"):
            view.say(line)
        return None
    view.close()
    edited = confirmed(plan, say, told_language(session.state.language))
    if edited is None:
        return None
    for recorded in _since(session, session.state.last - 1):
        view.repeat(recorded)  # that it was left for the plan
    shown = session.state.last
    session.adopt(plan, edited)
    return shown


def _told_with_plan(recorded: Recorded, view: EventView) -> None:
    """Show an event of the planning, but for the panel and its questions, which the plan shows."""
    if recorded.event.kind in {"panel_seated", "question_raised"}:
        view.repeat(recorded)
    else:
        view.show(recorded)


def _since(session: Session, seen: int) -> list[Recorded]:
    with open_journal() as journal:
        return journal.read(session.id, after=seen)


async def _watch(session: Session, view: EventView, seen: int, turns: int | None) -> None:
    """Show what was recorded while the session was opened, then everything that happens."""
    for recorded in _since(session, seen):
        view.show(recorded)
    async with contextlib.aclosing(session.run(turns)) as events:
        async for recorded in events:
            view.show(recorded)


def report_line(folder: Path) -> str:
    """Return what tells where a report is, with its path as it is typed from here."""
    path = folder / "report.md"
    with contextlib.suppress(ValueError):
        path = path.relative_to(Path.cwd())
    return f"Report: {path}"
