"""Work on the page that is no session: it is asked for, made beside others, kept, shown and taken away.

Each piece is kept in a folder of its own in the home folder. What was kept of work without an end is
`unfinished`, its name, and why in `trouble`.
"""

import asyncio
import contextlib
import json
import logging
import secrets
import shutil
from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Coroutine, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar
from urllib.parse import quote

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from library import LibraryError
from models import ModelError
from roundtable.config.config import Settings, load_settings
from roundtable.config.errors import InputError, RoundtableError
from roundtable.config.flags import given_settings
from roundtable.config.search_places import refuse_paths
from roundtable.journal.storage.people.quotas import Quotas
from roundtable.journal.storage.people.sharing import Kind
from roundtable.output.listed_works import KEPT
from roundtable.output.outputs import write_whole
from roundtable.session.texts.runtime import TextRuntime
from roundtable.web.access.account_spending import spending_of
from roundtable.web.access.viewer import viewer_of
from roundtable.web.hosting.fair_turns import FairTurns, LongWork, WaitingWork
from roundtable.web.works.work_thread import SpendingAbove, run_apart

_CUT_OFF = "it was cut off before it was done; begin it again"
_AT_ONCE, _AT_ONCE_OF_ONE = 2, 1
"""Pieces of work that are made at the same time, in all and of one account; others wait."""
_MOST_WAITING = 40
"""Pieces of work of a kind that are made or wait, each with what was brought for it."""
_MINUTES = 45.0
"""For which a piece of work may be made: others wait for its turn."""

_CLOSING = 1.5
"""Seconds in which what is under way may end when the server does; then it is left."""

Making = Callable[[], Coroutine[Any, Any, Mapping[str, Any]]]
"""Makes a piece of work, on a loop of its own; returns what is kept of it."""
Check = Callable[[], object]
"""Raises when the work may not be made any more."""


@dataclass(slots=True)
class WorkUnderWay:
    """A piece of work that is made, or could not be."""

    name: str
    stage: str = "waiting"
    done: int = 0
    of: int = 0
    trouble: str = ""

    def row(self, identity: str) -> dict[str, Any]:
        """Return it as a list shows it."""
        row: dict[str, Any] = {"id": identity, "name": self.name}
        if self.trouble:
            return {**row, "trouble": self.trouble}
        return {**row, "work": {"stage": self.stage, "done": self.done, "of": self.of}}


class KeptWorks(ABC):
    """All work of one kind in one home folder, with the routes to it."""

    kind: ClassVar[str]
    """The name of its folder, and of its place in the interface: `audits`."""
    one: ClassVar[Kind]
    """What one of them is called, where it is said whose it is."""
    files: ClassVar[Sequence[str]]
    """What of it can be taken away."""

    def __init__(self, home: Path, *, named_only: bool, quotas: Quotas | None = None) -> None:
        """Take the home folder.

        Args:
            home: With what is kept.
            named_only: No path of this machine may be named.
            quotas: What people may use; None: nobody counts.
        """
        self._quotas = quotas
        self._folder = home / self.kind
        self._named_only = named_only
        self._under_way: dict[str, WorkUnderWay] = {}
        self._tasks: dict[str, asyncio.Task[None]] = {}
        self._placed: dict[str, str] = {}
        """Whose work has not begun, by its id: what it is made of is still being brought."""
        self._turns = FairTurns(_AT_ONCE, _AT_ONCE_OF_ONE)
        self._waiting = WaitingWork(_MOST_WAITING)
        self._looks = LongWork()
        path = f"/api/{self.kind}"
        self.routes = [
            Route(path, self._listed, methods=["GET"]),
            Route(path, self.begin, methods=["POST"]),
            Route(f"{path}/{{id}}", self._shown, methods=["GET"]),
            Route(f"{path}/{{id}}/delete", self._delete, methods=["POST"]),
            Route(f"{path}/{{id}}/{{file}}", self._file, methods=["GET"]),
        ]

    @abstractmethod
    async def begin(self, request: Request) -> Response:
        """Begin a piece of work; the answer has its id."""

    @abstractmethod
    def row(self, kept: Mapping[str, Any]) -> dict[str, Any]:
        """Return what a list shows of what was kept."""

    @abstractmethod
    def view(self, kept: Mapping[str, Any], language: str) -> dict[str, Any]:
        """Return what the page shows of what was kept, in words of its language."""

    async def close(self) -> None:
        """Stop what is under way."""
        if under_way := list(self._tasks.values()):
            for task in under_way:
                task.cancel()
            await asyncio.wait(under_way, timeout=_CLOSING)
        self._looks.close()

    def documents(self, request: Request) -> list[str]:
        """Return the documents that are asked for, if they may be searched now. Raises InputError."""
        docs = viewer_of(request).docs(request.query_params.getlist("docs"))
        if self._named_only:
            refuse_paths(docs, self._folder.parent)
        return docs

    def around(self, request: Request) -> TextRuntime:
        """Return what a piece of work runs in, which counts for who asked. Raises QuotaReached."""
        spent = spending_of(self._quotas, viewer_of(request)) if self._quotas is not None else None
        spending = None if spent is None else SpendingAbove(spent, asyncio.get_running_loop())
        return TextRuntime(home=self._folder.parent, spending=spending)

    def settings(self, *, docs: Sequence[str], offline: bool, web: bool, model: str | None) -> Settings:
        """Return the settings that are asked for. Raises InputError for a path where none may be named."""
        flags = {"docs": tuple(docs), "offline": offline, "web": web and not offline, "model": model}
        asked = load_settings(given_settings(flags))
        if self._named_only:
            refuse_paths(asked.docs, self._folder.parent)
        return asked

    @contextlib.contextmanager
    def placed(self, request: Request) -> Iterator[tuple[str, Path]]:
        """Give a piece of work an id, which is then its asker's, and a folder that is there.

        Where it is not started, because what it is made of did not come, nothing is left of either.

        Raises:
            InputError: too many wait.
        """
        whose = viewer_of(request).whose
        self._waiting.check(whose)
        identity = secrets.token_hex(4)
        folder = self._folder / identity
        viewer_of(request).own(self.one, identity)
        self._placed[identity] = whose
        self._waiting.add(whose)
        try:
            folder.mkdir(parents=True, mode=0o700)
            yield identity, folder
        finally:
            if identity in self._tasks:
                self._tasks[identity].add_done_callback(lambda _: self._waiting.done(whose))
            else:
                self._waiting.done(whose)
            if identity in self._placed:
                del self._placed[identity]
                shutil.rmtree(folder, ignore_errors=True)
                viewer_of(request).forget(self.one, identity)

    def start(self, identity: str, work: WorkUnderWay, making: Making, check: Check) -> None:
        """Make a piece of work when it is its turn; what goes wrong is told.

        `check` is asked then: a collection may be gone, or another's, by then.
        """
        self._under_way[identity] = work
        whose = self._placed.pop(identity)
        self._tasks[identity] = asyncio.create_task(self._make(identity, work, making, check, whose))

    async def _make(
        self, identity: str, work: WorkUnderWay, making: Making, check: Check, whose: str
    ) -> None:
        try:
            await self._keep(identity, {"unfinished": work.name, "trouble": _CUT_OFF})
            async with self._turns.turn(whose):
                check()
                kept = await _in_time(run_apart(making, f"{self.one} {identity}"))
            await self._keep(identity, kept)
            del self._under_way[identity]
        except (RoundtableError, LibraryError, ModelError, OSError) as failure:
            work.trouble = str(failure)
        except Exception as failure:
            logging.getLogger(__name__).exception("%s: %s failed", self.kind, work.name)
            work.trouble = f"unexpected error: {type(failure).__name__}: {failure}"
        finally:
            self._tasks.pop(identity, None)
        if work.trouble:
            await self._keep_trouble(identity, work)

    async def _keep_trouble(self, identity: str, work: WorkUnderWay) -> None:
        try:
            await self._keep(identity, {"unfinished": work.name, "trouble": work.trouble})
            del self._under_way[identity]
        except OSError as failure:  # after a restart it is told as cut off
            logging.getLogger(__name__).warning("%s: %s: %s", self.kind, work.name, failure)

    async def _keep(self, identity: str, kept: Mapping[str, Any]) -> None:
        text = json.dumps(kept, ensure_ascii=False)
        await asyncio.to_thread(write_whole, self._folder / identity / KEPT, text)

    async def _listed(self, request: Request) -> Response:
        roles = viewer_of(request).roles(self.one)
        rows = [work.row(identity) for identity, work in self._under_way.items()]
        passed_over = {*self._under_way, *self._placed}
        rows += await self._looks.done(viewer_of(request).whose, self._rows, passed_over)
        return JSONResponse([row for row in rows if roles is None or row["id"] in roles])

    def _rows(self, passed_over: Collection[str]) -> list[dict[str, Any]]:
        folders = self._folder.iterdir() if self._folder.is_dir() else ()
        kept = [one for one in folders if one.is_dir() and one.name not in passed_over]
        return [self._row(one) for one in sorted(kept, key=lambda one: one.stat().st_mtime, reverse=True)]

    def _row(self, folder: Path) -> dict[str, Any]:
        """Return what a list shows of a folder; of one that cannot be read why, so that it can be deleted."""
        try:
            told = json.loads((folder / KEPT).read_text(encoding="utf-8"))
            if "unfinished" in told:
                return {"id": folder.name, "name": told["unfinished"], "trouble": told["trouble"]}
            return {"id": folder.name, **self.row(told)}
        except FileNotFoundError:
            return {"id": folder.name, "name": folder.name, "trouble": _CUT_OFF}
        except (OSError, ValueError, KeyError, TypeError) as failure:
            logging.getLogger(__name__).warning("%s cannot be read: %s", folder / KEPT, failure)
            return {"id": folder.name, "name": folder.name, "trouble": "what was kept of it cannot be read"}

    async def _shown(self, request: Request) -> Response:
        identity = request.path_params["id"]
        if identity in self._under_way:
            return JSONResponse(self._under_way[identity].row(identity))
        language = request.query_params.get("language", "")
        return await self._looks.done(viewer_of(request).whose, self._told, self._there(identity), language)

    def _told(self, folder: Path, language: str) -> Response:
        """Return what the page shows of a folder; of what came to no end why."""
        row = self._row(folder)
        if "trouble" in row:
            return JSONResponse(row)
        text = self._kept(folder.name, KEPT).read_text(encoding="utf-8")
        told = self.view(json.loads(text), language)
        return JSONResponse({"id": folder.name, "files": list(self.files), **told})

    async def _file(self, request: Request) -> Response:
        """A file to be saved; never shown in the page's own origin."""
        name = request.path_params["file"]
        if name not in self.files:
            raise HTTPException(404, "there is no such file")
        data = await asyncio.to_thread(self._kept(request.path_params["id"], name).read_bytes)
        headers = {"Content-Disposition": f"attachment; filename*=UTF-8''{quote(name)}"}
        return Response(data, media_type="application/octet-stream", headers=headers)

    async def _delete(self, request: Request) -> Response:
        """A piece of work that goes, with what was brought for it."""
        identity = request.path_params["id"]
        if (task := self._tasks.get(identity)) is not None:
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)
        if self._under_way.pop(identity, None) is None:
            self._there(identity)
        await asyncio.to_thread(shutil.rmtree, self._folder / identity, ignore_errors=True)
        viewer_of(request).forget(self.one, identity)
        return JSONResponse({"done": "deleted"})

    def _there(self, identity: str) -> Path:
        folder = self._folder / identity
        if not identity.isalnum() or not folder.is_dir():
            raise HTTPException(404, "there is nothing of that id")
        return folder

    def _kept(self, identity: str, name: str) -> Path:
        path = self._there(identity) / name
        if not path.is_file():
            raise HTTPException(404, "there is nothing of that id")
        return path


async def _in_time(making: Coroutine[Any, Any, Mapping[str, Any]]) -> Mapping[str, Any]:
    """Return what is made. Raises InputError where that takes longer than others can be kept waiting."""
    try:
        async with asyncio.timeout(_MINUTES * 60) as bound:
            return await making
    except TimeoutError as failure:
        if not bound.expired():
            raise
        raise InputError(
            f"it was ended after {_MINUTES:.0f} minutes, for others wait: ask for less at once, or run it "
            "yourself where nobody waits (`roundtable audit`, `compare`, `extract`)"
        ) from failure
