"""Sessions from one journal to another, with their texts: from a file to a database, back, or between two."""

from collections.abc import Iterator, Mapping
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from library import Source, Store, fingerprint
from roundtable.config.acting_settings import reaching_out
from roundtable.config.errors import InputError, JournalError, SessionUnknown
from roundtable.config.home import JOURNAL, is_database
from roundtable.config.search_places import STORE
from roundtable.journal.clock import SystemClock
from roundtable.journal.events import SessionStarted
from roundtable.journal.storage.journal_store import Journal
from roundtable.journal.storage.named_texts import texts_of

_MOST_NAMED = 5
"""Settings that are named of one session."""


@dataclass(frozen=True, slots=True)
class Copied:
    """What became of one session."""

    session: str
    done: Literal["copied", "continued", "there", "left"]
    """`continued`: its later events were added to those that were there; `left`: it could not be copied."""
    events: int = 0
    """That were copied."""
    why: str = ""
    """It was left, in one line."""


class _End:
    """A journal and where its texts are."""

    def __init__(self, place: str, opened: ExitStack, *, made: bool) -> None:
        folder = None if is_database(place) else Path(place).expanduser().resolve()
        if folder is not None and "://" in place:
            raise InputError(f"{place}: no address of a database is known; give postgresql://user@host/name")
        if folder is not None and not made and not (folder / JOURNAL).exists():
            raise InputError(
                f"{folder}: there is no {JOURNAL}; name a home folder, or postgresql://user@host/name"
            )
        self.journal = opened.enter_context(Journal(folder / JOURNAL if folder else place, SystemClock()))
        self._store = opened.enter_context(Store(folder / STORE)) if folder else None

    def texts(self, digests: list[str]) -> list[Source]:
        if self._store is None:
            return self.journal.shared_texts.read(digests)
        return [source for digest in digests if (source := self._store.source(digest)) is not None]

    def missing(self, digests: list[str]) -> list[str]:
        """Return which of some texts are not here; of a database all, which passes over those that it has."""
        store = self._store
        return digests if store is None else [digest for digest in digests if store.source(digest) is None]

    def keep(self, sources: list[Source], *, own: bool) -> None:
        """Keep texts in the store; a database is given them with the events that name them.

        `own`: the person says so; else whoever made the journal does not say what stands at an address.
        """
        if self._store is not None:
            for source in sources:
                self._store.add(source, named=own, heard=not own)


def copy_sessions(
    source: str, target: str, here: Mapping[str, Any] | None = None, *, own: bool = True
) -> Iterator[Copied]:
    """Copy all sessions; yield what became of each, the oldest first. What is there already stays as it is.

    Args:
        source: A home folder, or the address of a database.
        target: Likewise; it is made where it is not there.
        here: The settings in force on this machine.
        own: Whether the person says that the journal is theirs. If not, a session that would ask servers,
            start programs or open hosts that `here` does not name is left: it may be anybody's.

    Raises:
        InputError: there is nothing to copy from, or both are the same.
        JournalError, StoreError: one of them cannot be opened or written.
    """
    with ExitStack() as opened:
        before = _End(source, opened, made=False)
        after = _End(target, opened, made=True)
        if before.journal.place == after.journal.place:
            raise InputError(f"{source} and {target} are the same journal")
        for row in reversed(before.journal.sessions()):
            if row.state == "running":
                yield Copied(row.id, "left", why="it is running: copy it when it has ended")
                continue
            try:
                yield _copied(row.id, before, after, None if own else here or {})
            except JournalError as failure:
                yield Copied(row.id, "left", why=str(failure))


def _copied(session: str, before: _End, after: _End, here: Mapping[str, Any] | None) -> Copied:
    with before.journal.lock(session), after.journal.lock(session):
        row, events = before.journal.as_kept(session)
        try:
            _, there = after.journal.as_kept(session)
        except SessionUnknown:
            there = []
        if there != events[: len(there)]:
            if there[: len(events)] == events:
                return Copied(session, "there")
            raise JournalError(f"another session of the id {session} is there: delete one of them")
        if len(there) == len(events):
            return Copied(session, "there")
        if here is not None and not there:
            _check(session, before, here)
        wanted = after.missing(texts_of(before.journal.read(session)))
        found = before.texts(wanted)
        if len(found) < len(wanted):
            count = len(wanted) - len(found)
            raise JournalError(f"{count} texts that it speaks of are not in {before.journal.place}")
        for one in found:
            if fingerprint(one.text) != one.sha256:
                raise JournalError(f"a text that it speaks of is not what its hash says: {one.url[:100]}")
        after.keep(found, own=here is None)
        after.journal.take(row, events[len(there) :], found)
        return Copied(session, "continued" if there else "copied", len(events) - len(there))


def _check(session: str, before: _End, here: Mapping[str, Any]) -> None:
    """Refuse a session that would reach what this machine's settings do not. Raises JournalError."""
    started = before.journal.read(session, 0, 1)[0].event
    assert isinstance(started, SessionStarted)
    if names := reaching_out(started.settings, here):
        shown = ", ".join(names[:_MOST_NAMED]) + (", …" if len(names) > _MOST_NAMED else "")
        raise JournalError(
            f"it would go on with what it brings and is not set here: {shown}. If it is yours, copy with "
            "--own; take somebody else's as a bundle (export --bundle, import)"
        )
