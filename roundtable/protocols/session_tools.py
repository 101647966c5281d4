"""What another program may do with sessions, whatever it speaks: plain values in, plain values out.

Nothing here waits for a session to end: a session is begun, and followed for some seconds at a time.
"""

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from time import monotonic
from typing import Any, TypeVar

from pydantic import ValidationError

from agents import Turn
from library import open_library
from mindmap.export import export_map
from roundtable.commands.resolve import passage_id
from roundtable.config.config import load_settings
from roundtable.config.errors import InputError, SessionUnknown, wrong_value
from roundtable.config.search_places import PYTHON, collections
from roundtable.journal.fold.state import State
from roundtable.journal.storage.people.sharing import Role, reaches
from roundtable.journal.storage.session_row import SessionRow
from roundtable.output.clean import counted
from roundtable.output.outputs import output_texts
from roundtable.web.access.owned import begin_session
from roundtable.web.access.viewer import Viewer
from roundtable.web.hosting.session_thread import SessionThread
from roundtable.web.schemas import NewSession
from roundtable.web.serializers import passage_values, sources_values

LONGEST_WAIT = 50.0
"""Seconds that following may wait for news: programs give up on a call after a minute."""
MOST_SOURCES = 200
TEXT_MAPS = ("markdown", "json", "mermaid", "opml")
"""Formats of the map that are text."""

MadeT = TypeVar("MadeT")
Progress = Callable[[float, float | None, str], Awaitable[None]]
"""Is told the turns taken, the most there will be (None: unknown), and what goes on."""


class SessionTools:
    """Sessions of one home folder, for another program."""

    def __init__(
        self, sessions: SessionThread, *, any_documents: bool = False, viewer: Viewer | None = None
    ) -> None:
        """Take the sessions.

        Args:
            sessions: Those of a server.
            any_documents: Any folder of this machine may be searched, not only collections that were named
                with `roundtable docs add`.
            viewer: Whose program it is; None: of whoever runs this one, who may do everything.
        """
        self._sessions = sessions
        self._any_documents = any_documents
        self._viewer = viewer

    def of(self, viewer: Viewer) -> "SessionTools":
        """Return the same tools for somebody's program, which sees what that person may see."""
        return SessionTools(self._sessions, any_documents=self._any_documents, viewer=viewer)

    def _row(self, identity: str, least: Role = "reader") -> SessionRow:
        """Return a session that may be seen so far. Raises SessionUnknown, InputError."""
        role = self._viewer.role("session", identity) if self._viewer else "owner"
        if role is None:
            raise SessionUnknown(f"no session {identity}: see `roundtable list`")
        if not reaches(role, least):
            raise InputError(f"you are {role} of this session, which does not allow that")
        return self._sessions.row(identity)

    @property
    def home(self) -> str:
        """The folder that all is kept in."""
        return str(self._sessions.home)

    def collections(self) -> list[str]:
        """Return the names of the collections that can be searched."""
        roles = self._viewer.roles("collection") if self._viewer else None
        known = collections(self._sessions.home, named=not (self._any_documents and self._unrestricted))
        return known if roles is None else [name for name in known if name in roles or name == PYTHON]

    async def start(self, order: Mapping[str, Any]) -> str:
        """Begin a session; return its id at once.

        Args:
            order: As `NewSession` takes it.

        Raises:
            InputError: it cannot be begun so; the message says why.
        """
        try:
            wanted = NewSession.model_validate({k: v for k, v in order.items() if v is not None})
        except ValidationError as failure:
            first = failure.errors(include_url=False)[0]
            raise InputError(f"{'.'.join(map(str, first['loc']))}: {wrong_value(first)}") from failure
        self._check_documents(wanted.docs)
        if self._viewer is not None:
            return await begin_session(self._sessions, self._viewer, wanted)
        return await self._sessions.below(self._sessions.manager.begin(wanted))

    @property
    def _unrestricted(self) -> bool:
        return self._viewer is None or self._viewer.unrestricted

    def _check_documents(self, docs: Sequence[str]) -> None:
        known = self.collections()
        for name in docs:
            if name not in known and not (self._any_documents and self._unrestricted):
                raise InputError(
                    f"{name}: only named collections may be searched here ({', '.join(known)}); the person "
                    "whose machine this is names one with `roundtable docs add`"
                )

    async def follow(
        self, identity: str, after: int = 0, seconds: float = 25.0, progress: Progress | None = None
    ) -> dict[str, Any]:
        """Return what was said after a turn, waiting for something new at most for so long.

        Args:
            identity: Of the session.
            after: The number of the last turn that is known; 0: none.
            seconds: How long to wait when there is nothing new, at most `LONGEST_WAIT`.
            progress: Is told how far it is while it is waited.

        Raises:
            SessionUnknown: there is no such session.
        """
        until = monotonic() + max(0.0, min(seconds, LONGEST_WAIT))
        told = ""
        while True:
            row = self._row(identity)
            standing = self._sessions.standing(identity)
            running = standing["here"] or row.state == "running"
            state = await self._sessions.look(identity, _seen)
            new = [turn for turn in state["turns"] if turn["n"] > after]
            doing = _doing(state, row.state, running=running)
            if progress is not None and doing != told:
                await progress(float(state["taken"]), state["limit"], doing)
                told = doing
            left = until - monotonic()
            if new or not running or left <= 0 or self._sessions.ending.is_set():
                return {
                    "session": identity,
                    "topic": row.topic,
                    "state": "running" if running else row.state,
                    "doing": doing,
                    "turns": new,
                    "next": new[-1]["n"] if new else after,
                    "report": state["report"] and not running,
                    **({"trouble": standing["trouble"]} if standing["trouble"] else {}),
                }
            await self._sessions.news(identity, min(left, 5.0))

    async def tell(self, identity: str, command: str, text: str = "", turns: int | None = None) -> None:
        """Have a session do a person's command, such as `say`; one that has ended goes on for it.

        Raises:
            SessionUnknown, CommandError: there is no such session, or it cannot be done.
            NotRunning, SessionLocked: the session is not to be had here.
        """
        self._row(identity, "editor")
        given = {**({"text": text} if text else {}), **({"turns": turns} if turns else {})}
        person = self._viewer.name if self._viewer is not None else ""
        await self._sessions.perform(identity, command, given, person=person)

    async def discusses(self, identity: str) -> bool:
        """Tell whether the table takes turns: it neither stands still nor is closed."""
        if self._row(identity).state != "running":
            return False
        state = await self._sessions.look(identity, _seen)
        return not state["closed"]

    async def report(self, identity: str, form: str = "report.md") -> str:
        """Return the report. Raises InputError when there is none yet."""
        texts = await self.made(identity, output_texts)
        if texts[form] is None:
            row = self._sessions.row(identity)
            raise InputError(f"there is no report yet: the session is {row.state} after {row.turns} turns")
        return str(texts[form])

    async def map(self, identity: str, form: str = "markdown") -> str:
        """Return the mind map as text. Raises InputError for a format that is none."""
        if form not in TEXT_MAPS:
            raise InputError(f"no map as {form!r}; there is: {', '.join(TEXT_MAPS)}")
        drawn = await self.made(identity, lambda state: export_map(state.map, state.evidence, form))
        return drawn.decode("utf-8")

    async def sources(self, identity: str) -> list[dict[str, Any]]:
        """Return what was read and put on the table, with the ids of its passages."""
        found = await self.made(identity, lambda state: sources_values(state.evidence))
        return found[:MOST_SOURCES]

    async def passage(self, identity: str, passage: str) -> dict[str, Any]:
        """Return one passage in its place. Raises InputError when the session holds none such."""

        def found(state: State) -> dict[str, Any] | None:
            held = state.evidence.passages.get(passage_id(state, passage))
            return None if held is None else passage_values(held, state.evidence)

        told = await self.made(identity, found)
        if told is None:
            raise InputError(f"session {identity} holds no passage {passage}; they are called 1.1, 1.2, …")
        return told

    def sessions(self, words: str = "", limit: int = 20) -> list[dict[str, Any]]:
        """Return the sessions whose topic or id holds all of some words, the newest first."""
        roles = self._viewer.roles("session") if self._viewer else None
        seen = [row for row in self._sessions.rows() if roles is None or row.id in roles]
        rows = [row for row in seen if row.fits(words)]
        return [asdict(row) for row in rows[: max(1, min(limit, 200))]]

    async def search(self, query: str, names: Sequence[str], limit: int = 10) -> list[dict[str, Any]]:
        """Return the passages of collections that answer a query best; nothing leaves this machine.

        Raises:
            InputError: there is no such collection.
            LibraryError: it cannot be opened.
        """
        self._check_documents(names)
        known = self.collections()
        for name in names:
            if name not in known:
                raise InputError(f"{name}: no such collection; there is: {', '.join(known)}")
        most = max(1, min(limit, 50))
        searched, home = list(names) or known, self._sessions.home
        return await self._sessions.long_work.done(
            self._whose, lambda: asyncio.run(_found(query, searched, most, home))
        )

    @property
    def _whose(self) -> str:
        return self._viewer.whose if self._viewer is not None else ""

    async def made(self, identity: str, make: Callable[[State], MadeT]) -> MadeT:
        """Return what is made of a session as it stands, in a thread. Raises SessionUnknown, LibraryError."""
        self._row(identity)
        state = await self._sessions.below(self._sessions.manager.at_rest(identity))
        return await self._sessions.long_work.done(self._whose, make, state)


async def _found(query: str, names: Sequence[str], most: int, home: Path) -> list[dict[str, Any]]:
    """Return the passages of collections that answer a query best."""
    library = await open_library(load_settings().library, names, [], offline=True, home=home)
    async with library:
        found = [
            {
                "collection": place.name,
                "title": hit.title,
                "url": hit.url,
                "text": hit.passage.text if hit.passage else hit.snippet,
                "published": hit.published,
                "score": round(hit.score or 0.0, 3),
            }
            for place in library.collections
            for hit in await library.search(query, place.name, most)
        ]
    return sorted(found, key=lambda each: -float(str(each["score"])))[:most]


def _seen(state: State) -> dict[str, Any]:
    """Return what a follower is told of a state, taken on the loop that changes it."""
    return {
        "turns": [_turn(turn, state) for turn in state.turns],
        "taken": state.counted,
        "limit": state.settings.get("moderator", {}).get("turns"),
        "closed": state.status == "closed",
        "report": state.report is not None,
    }


def _turn(turn: Turn, state: State) -> dict[str, Any]:
    passages, labels = state.evidence.passages, state.evidence.labels()
    cited = {labels[i]: {"id": i, "url": passages[i].url} for i in turn.citations if i in passages}
    return {"n": turn.n, "speaker": turn.person or turn.name, "role": turn.role, "act": turn.act,
            "text": state.evidence.named(turn.text), "cited": cited}  # fmt: skip


def _doing(state: Mapping[str, Any], row_state: str, *, running: bool) -> str:
    if not running:
        return "the report is written" if state["report"] else row_state
    taken = f"{counted(state['taken'], 'turn')} taken"
    return f"{taken}, the report is being written" if state["closed"] else taken
