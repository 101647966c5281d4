"""Taking part in a session from the terminal: opening it, the seat, Ctrl-C, and the files at the end."""

import contextlib
import re
import secrets
import signal
import sys
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from functools import partial
from pathlib import Path
from typing import Any

from roundtable.cli.journals import claim_unless_running, nothing_came_of, open_journal
from roundtable.cli.lines.first_lines import destination_line
from roundtable.cli.lines.indexing_lines import indexing_lines
from roundtable.cli.running.endings import ENDED, FAILED, STOPPED, STOPS, tell_stop
from roundtable.cli.running.interrupts import Interrupts
from roundtable.cli.running.run_session import report_line
from roundtable.config.config import Settings, home, recorded_settings
from roundtable.config.errors import OutputError, SessionLocked, SessionUnknown
from roundtable.config.language_codes import session_language
from roundtable.config.search_places import settle_places
from roundtable.journal.events import Recorded
from roundtable.journal.sessions.fork import fork
from roundtable.output.clean import clean_line
from roundtable.output.closing_figures import unsearched
from roundtable.output.last_files import write_unless_taken_over
from roundtable.output.outputs import claim_folder, default_folder, write_outputs
from roundtable.session.factory import Runtime, resume_session, start_session
from roundtable.session.planning.invited_agents import AgentFromFile, read_invited
from roundtable.session.session import Session
from roundtable.session.steady_loop import run_steadily
from roundtable.terminal.repl import Typed
from roundtable.terminal.safe_output import confirm
from roundtable.terminal.seat import Seat, choose_seat
from roundtable.terminal.terminal_language import told_language

_FIRST_HELP = "Type words to say something; /help lists all that you can do, /quit leaves."
_ID = re.compile(r"last|[0-9a-f]{4,32}")
_MEANT = re.compile(r"(?=.*\d)(?=.*[a-f])[0-9a-f]{6,32}|[0-9a-f]{8}")
"""What nobody would discuss: an id that is not there, and no topic as “facade” may be."""
_MISTYPED = re.compile(r"(?=.*\d)[0-9a-z]{6,32}", re.IGNORECASE)
"""What is taken for an id where one is near to it."""
_NEAR = 0.75
"""How near: two of the eight characters of an id may be others."""
_LONGEST_NAME = 60
"""Characters of a session's name in a message."""
_WORD = re.compile(r"[a-z0-9_-]{2,32}", re.IGNORECASE)
"""What may be meant for `last` or for a session's name; languages without spaces write whole topics so."""
_SHORT_WORD = re.compile(r"[!-~]{1,10}")
"""What may be a slip of an id or of `last`, or a topic: only who typed it knows."""


@dataclass(frozen=True, slots=True)
class _Order:
    """A session to sit down at."""

    id: str
    folder: Path
    past: list[Recorded]
    opening: Callable[[Runtime], Awaitable[Session]]
    """Opens it, in a runtime that is told how far reading its documents is."""
    destinations: str
    """What goes where, in one line."""
    language: str
    wait: bool


def sit_down(
    topic_or_id: str,
    settings: Settings,
    *,
    out: Path | None,
    force: bool,
    plain: bool,
    wait: bool,
    experts: Sequence[Path] = (),
) -> int:
    """Take part in a session, a new one or one that the journal holds; return the exit code."""
    invited = read_invited(experts, settings)
    order = _known(topic_or_id, out, invited, force=force, wait=wait)
    if order is None:
        _refuse_slip(topic_or_id)
        _ask_for_slip(topic_or_id)
        order = _new(topic_or_id, settings, out, invited, force=force, wait=wait)
    return run_steadily(
        _taking_part(order, choose_seat(plain=plain, language=order.language, past=order.past))
    )


def _known(
    named: str, out: Path | None, invited: Sequence[AgentFromFile], *, force: bool, wait: bool
) -> _Order | None:
    """Return the order for a session that is named by its id; None when it is a topic."""
    if not (_ID.fullmatch(named) or _MISTYPED.fullmatch(named)):
        return None
    with open_journal() as journal:
        try:
            identity = journal.find(named)
        except SessionUnknown:
            ids = [row.id for row in journal.sessions()]
            near = _MISTYPED.fullmatch(named) and get_close_matches(named.casefold(), ids, 1, _NEAR)
            if named == "last" or _MEANT.fullmatch(named) or near:
                raise
            return None
        past = journal.read(identity)
    first: Any = past[0].event
    folder = out or (Path(first.out) if first.out else default_folder(first.topic, identity))
    line = destination_line(recorded_settings(first.settings))
    try:
        claimed = claim_unless_running(folder, identity, force=force)
    except SessionLocked as failure:
        raise SessionLocked(f"{failure}; look on with: roundtable join {identity} --read-only") from failure

    def opening(around: Runtime) -> Awaitable[Session]:
        return resume_session(identity, around=around, experts=invited)

    return _Order(identity, claimed, past, opening, line, first.language, wait)


def _refuse_slip(word: str) -> None:
    """Refuse one word that is nearly `last` or a session's name. Raises SessionUnknown, with what is near."""
    if not _WORD.fullmatch(word):
        return
    with open_journal() as journal:
        rows = journal.sessions()
    typed = word.casefold()
    # Slips seldom spoil the first letter, and “past” or “blast” are words.
    near = ["last"] if rows and typed[0] == "l" and get_close_matches(typed, ["last"], 1, _NEAR) else []
    named = {row.topic.casefold(): row for row in reversed(rows)}
    alike = [named[name] for name in get_close_matches(typed, named, 3, _NEAR)]
    near += [f"{row.id} ({clean_line(row.topic, _LONGEST_NAME)})" for row in alike]
    if near:
        raise SessionUnknown(
            f"no session has the id {word!r}; did you mean {', '.join(near)}? To begin one on this word: "
            f"`roundtable run {word}`"
        )
    if _MISTYPED.fullmatch(word) and not sys.stdin.isatty():  # who sits at a terminal is asked
        raise SessionUnknown(
            f"no session begins with {word!r}: see `roundtable list`. To begin one on this word: "
            f"`roundtable run {word}`"
        )


def _ask_for_slip(word: str) -> None:
    """Ask whoever sits at a terminal whether one short word is a topic. Ends the command if it is none."""
    if not _SHORT_WORD.fullmatch(word) or not sys.stdin.isatty():
        return
    with open_journal() as journal:
        if not journal.sessions():
            return
    confirm(f"No session begins with {word!r}. Begin one on this word?")


def _new(
    topic: str,
    settings: Settings,
    out: Path | None,
    invited: Sequence[AgentFromFile],
    *,
    force: bool,
    wait: bool,
) -> _Order:
    identity, language = secrets.token_hex(4), session_language(topic, settings)
    settled = settle_places(settings, home())
    line = destination_line(settled)
    folder = claim_folder(
        out or default_folder(topic, identity), identity, force=force, nothing_came_of=nothing_came_of
    )

    def opening(around: Runtime) -> Awaitable[Session]:
        return start_session(topic, settled, out=folder, session_id=identity, around=around, experts=invited)

    return _Order(identity, folder, [], opening, line, language, wait)


async def _taking_part(order: _Order, seat: Seat) -> int:
    """Open the session, sit down, and write its files whatever happens."""
    interrupts = Interrupts(seat.say)
    again = f"take it up again with: roundtable join {order.id}"
    with interrupts.watching():
        try:
            for recorded in order.past:
                seat.show(recorded)
            seat.say(order.destinations)
            seat.say(_FIRST_HELP)
            around = Runtime(indexing=indexing_lines(seat.say), untold=partial(seat.say, error=True))
            session = await order.opening(around)
            interrupts.opened(session)
            async with contextlib.AsyncExitStack() as closing:
                closing.push_async_callback(session.close)
                writing = partial(write_outputs, session.state, order.folder)
                telling = partial(seat.say, error=True)
                closing.callback(
                    write_unless_taken_over, order.id, session.state, writing, open_journal, telling
                )
                named = await _sit(session, seat, order, interrupts)
        except STOPS as stop:
            return tell_stop(stop, seat.say, again)
    if session.state.status != "ended":
        seat.say(f"You left session {order.id}; {again}")
        return STOPPED
    if not named:
        seat.say(f"Session {order.id}. {report_line(order.folder)}")
    if why := unsearched(session.state):
        seat.say(f"roundtable: {why}; the report is empty: run it again later, or with --docs", error=True)
        return FAILED
    return ENDED


async def _sit(session: Session, seat: Seat, order: _Order, interrupts: Interrupts) -> bool:
    """Sit down until the person leaves or the session cannot go on; True when the report was named."""
    if order.wait:
        session.do("/mode wait")
    with open_journal() as journal:
        for recorded in journal.read(session.id, after=order.past[-1].n if order.past else 0):
            seat.show(recorded)

    def make_fork(turn: int) -> str:
        with open_journal() as journal:
            return fork(journal, session.id, turn)

    named = False

    def ended() -> None:
        """Write the files while the person still sits there."""
        nonlocal named
        try:
            write_outputs(session.state, order.folder)
        except OutputError as failure:
            seat.say(f"roundtable: {failure}", error=True)
            return
        seat.say(report_line(order.folder))
        named = True

    typed = Typed(session, make_fork, told_language(session.state.language))
    await seat.sit(session, typed, lambda: interrupts.press(signal.SIGINT), ended)
    return named
