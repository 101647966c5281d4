"""Bringing sessions up to date for a person, or for cron: one after the other, each with its own outcome."""

import contextlib
import re
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Any

from library import LibraryError
from models import ModelError
from roundtable.cli.journals import open_journal
from roundtable.cli.running.endings import ENDED, FAILED, STOPS, tell_stop
from roundtable.cli.running.interrupts import Interrupts
from roundtable.cli.running.run_session import changed_settings
from roundtable.config.config import Settings, home
from roundtable.config.errors import InputError, RoundtableError, SessionLocked, SessionUnknown
from roundtable.journal.events import Recorded, SessionStarted
from roundtable.output.clean import clean_line
from roundtable.output.outputs import claim_folder, default_folder, write_outputs
from roundtable.session.factory import Runtime, resume_session
from roundtable.session.steady_loop import run_steadily
from roundtable.session.updating.watches import Watches, interval, often
from roundtable.terminal.plain_view import EventView
from roundtable.terminal.safe_output import tell
from roundtable.terminal.view_choice import choose_view

NEVER = "never"
_SESSION = re.compile(r"last|[0-9a-f]{8}")
"""What names a session wherever one can be named."""
_LONGEST_NAME = 60
"""Characters of a session's name in a message."""


def watching(every: str) -> Callable[[str], None]:
    """Return what watches a session as soon as it has begun."""

    def begun(identity: str) -> None:
        Watches(home()).set(identity, interval(every), datetime.now(UTC))
        looks = "`roundtable update --due`, or a running `roundtable serve`, looks again"
        tell(f"{identity} is watched {often(interval(every))}: {looks}", error=True)

    return begun


def refuse_session(topic: str, every: str) -> None:
    """Refuse a topic that names a session, as `last` and ids do elsewhere.

    Raises:
        InputError: it is a session; it says how that one is watched.
        SessionUnknown: there is none of that id.
    """
    if not _SESSION.fullmatch(topic):
        return
    with open_journal() as journal:
        identity = journal.find(topic)
        name = clean_line(journal.session(identity).topic, _LONGEST_NAME)
    raise InputError(
        f"{topic} is a session ({name}): to watch it: `roundtable update {identity} --every {every}`; "
        f"to begin one on this word: `roundtable run {topic}`"
    )


def watch_from_now(prefixes: Sequence[str], every: str) -> bool:
    """Watch sessions, or end that; True when that was all that was wanted."""
    watches = Watches(home())
    with open_journal() as journal:
        found = [journal.find(prefix) for prefix in prefixes]
    for identity in found:
        if every == NEVER:
            ended = watches.end(identity)
            tell(f"{identity} is watched no longer" if ended else f"{identity} was not watched")
        else:
            watches.set(identity, interval(every), datetime.now(UTC))
            tell(f"{identity} is watched {often(interval(every))}")
    return every == NEVER


def update_all(
    prefixes: Sequence[str], flags: Mapping[str, Any], *, due: bool, as_json: bool, plain: bool
) -> int:
    """Bring sessions up to date; return the exit code: that of the first that failed.

    Raises:
        InputError: one that is named is not there, or runs elsewhere. Of those that are due such a one is
            passed over: another process may be bringing it up to date.
    """
    watches = Watches(home())
    with open_journal() as journal:
        found = [journal.find(prefix) for prefix in prefixes]
    if due:
        found += [identity for identity in watches.due(datetime.now(UTC)) if identity not in found]
        if not found:
            coming = [f": {one.session} is at {one.due:%Y-%m-%d %H:%M} UTC" for one in watches.all()[:1]]
            tell(f"Nothing is due{''.join(coming)}", error=True)
    codes = [_update(identity, flags, as_json=as_json, plain=plain, alone=not due) for identity in found]
    return next((code for code in codes if code), ENDED)


def _update(identity: str, flags: Mapping[str, Any], *, as_json: bool, plain: bool, alone: bool) -> int:
    watches = Watches(home())
    before = next((one.looked for one in watches.all() if one.session == identity), None)
    watches.looked(identity, datetime.now(UTC))  # who else looks for what is due leaves it alone
    code = FAILED
    try:
        code = _opened(identity, flags, as_json=as_json, plain=plain or not alone)
    except SessionUnknown:
        watches.end(identity)  # it was deleted
        return ENDED
    except SessionLocked:
        if alone:
            raise
        tell(f"{identity} is running already", error=True)
        return ENDED
    except (RoundtableError, LibraryError, ModelError) as failure:
        if alone:
            raise
        tell(f"roundtable: {identity}: {failure}", error=True)
    finally:
        if code != ENDED and before is not None:
            watches.looked(identity, before)  # it is still due
    return code


def _opened(identity: str, flags: Mapping[str, Any], *, as_json: bool, plain: bool) -> int:
    with open_journal() as journal:
        past = journal.read(identity)
    first = past[0].event
    assert isinstance(first, SessionStarted)
    settings = changed_settings(first.settings, flags)
    folder = claim_folder(
        Path(first.out) if first.out else default_folder(first.topic, identity), identity, force=False
    )
    view = choose_view(as_json=as_json, plain=plain, language=first.language)
    try:
        for recorded in past:
            view.repeat(recorded)
        return run_steadily(_looked(identity, settings, view, folder, past))
    finally:
        view.close()


async def _looked(
    identity: str, settings: Settings, view: EventView, folder: Path, past: Sequence[Recorded]
) -> int:
    again = f"go on with: roundtable update {identity}"
    interrupts = Interrupts(view.say)
    with interrupts.watching():
        try:
            around = Runtime(untold=partial(view.say, error=True))
            session = await resume_session(identity, settings, around=around)
            interrupts.opened(session)
            before = session.state.report
            async with contextlib.AsyncExitStack() as closing:
                closing.push_async_callback(session.close)
                with open_journal() as journal:
                    opened = journal.read(identity, after=past[-1].n)
                for recorded in opened:
                    view.show(recorded)
                async with contextlib.aclosing(session.update()) as events:
                    async for recorded in events:
                        view.show(recorded)
                        if recorded.event.kind == "table_waits":  # nobody can say anything here
                            view.say(f"take part with: roundtable join {identity}")
                            break
                if session.state.report is not before:
                    write_outputs(session.state, folder)
                    view.say(f"What changed is told in {folder / 'report.md'}")
        except STOPS as stop:
            return tell_stop(stop, view.say, again)
    return ENDED
