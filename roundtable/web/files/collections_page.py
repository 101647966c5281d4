"""Collections on the page: files that are brought to one, bringing it up to date, and how far that is."""

import asyncio
import logging
import math
import time
from collections.abc import AsyncIterable, Awaitable, Callable, Sequence
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path, PurePosixPath
from typing import Any

from library import LibraryError, SyncReport, on_the_web
from roundtable.config.config import load_settings
from roundtable.config.errors import InputError
from roundtable.config.search_places import collections
from roundtable.session.document_collections import (
    BROUGHT,
    check_collection_name,
    describe_collection,
    document_collections,
    is_of_site,
    remove_collection,
    update_collection,
    update_site,
)
from roundtable.session.factory import load_stubs
from roundtable.session.indexed_collections import engine_access
from roundtable.web.files.uploads import keep_at, plain_name
from roundtable.web.hosting.fair_turns import FairTurns, WaitingWork

_DEEPEST = 12
"""Folders in folders of what is brought."""
_READ_AT_ONCE, _SITES_AT_ONCE = (2, 1), (4, 2)
"""Collections that are brought up to date at the same time, in all and of one account, each in a thread or
with processes of its own; others wait."""
_MOST_WAITING = 40
"""Collections that are read or wait."""
_MINUTES = 45.0
"""For which one is read where there are accounts: others wait, and a site may answer slowly for days."""


ReadSite = Callable[..., Awaitable[SyncReport]]
"""`update_site`, or that with an address and bounds."""


@dataclass(slots=True)
class _Work:
    """A collection that is being brought up to date."""

    done: int = 0
    of: int = 0
    """Files or pages; 0: not counted yet."""
    began: float = 0.0
    of_site: bool = False


class CollectionsPage:
    """All collections of one home folder, as the page shows and changes them."""

    def __init__(self, home: Path, *, named_only: bool) -> None:
        """Take the home folder; `named_only`: no path of this machine may be named."""
        self._home = home
        self._named_only = named_only
        self._work: dict[str, _Work] = {}
        self._told: dict[str, dict[str, Any]] = {}
        self._tasks: set[asyncio.Task[None]] = set()
        self._file_turns, self._site_turns = FairTurns(*_READ_AT_ONCE), FairTurns(*_SITES_AT_ONCE)
        self._waiting = WaitingWork(_MOST_WAITING)

    def listed(self) -> list[dict[str, Any]]:
        """Return every collection, with what came of its last update and how far the one under way is.

        `value` is what a new session is given to search it: its path where it was made for one, so that it is
        brought up to date with it.
        """
        found = []
        known = document_collections(self._home)
        for one in known:
            there = one.unnamed and not self._named_only and Path(one.paths[0]).exists()
            value = one.paths[0] if there else one.name
            row = {**asdict(one), "value": value, **self._state(one.name)}
            if self._named_only:  # where this machine keeps things is nobody's business
                folders = [path for path in one.paths if "://" not in path]
                row["paths"] = [path for path in one.paths if path not in folders]
                row["description"] = _without_folders(one.description, folders)
                row["engine_place"] = one.engine_place if "://" in one.engine_place else ""
            found.append(row)
        fresh = [name for name in {**self._work, **self._told} if name not in {one.name for one in known}]
        found += [
            {"name": name, "label": name, "files": 0, "description": "", "value": name, **self._state(name)}
            for name in fresh
        ]
        return found

    def _state(self, name: str) -> dict[str, Any]:
        work = self._work.get(name)
        if work is None:
            return self._told.get(name, {})
        seconds = round(time.monotonic() - work.began, 1)
        return {"work": {"done": work.done, "of": work.of, "seconds": seconds, "of_site": work.of_site}}

    def holds(self, name: str) -> bool:
        """Tell whether there is anything of a collection: a file, or work that is under way or told of."""
        brought = self._home / BROUGHT / name
        if name in self._work or name in self._told or name in collections(self._home):
            return True
        return any(path.is_file() for path in brought.rglob("*"))

    async def keep(self, name: str, path: str, data: AsyncIterable[bytes]) -> None:
        """Keep a file that is brought to a collection, under its place in the folder that it came from.

        Raises:
            InputError: it cannot be kept. LibraryError: the name is none for a collection.
        """
        check_collection_name(name)
        parts = [plain_name(part) for part in PurePosixPath(path).parts if part not in {"/", "..", "."}]
        if not parts or len(parts) > _DEEPEST:
            raise InputError(f"{path}: no name for a file")
        await keep_at(self._home / BROUGHT / name / Path(*parts), data)

    def read_site(
        self, name: str, address: str, depth: int | None, pages: int | None, whose: str = ""
    ) -> None:
        """Begin to read a site into a collection; as with `refresh`, `listed` tells what comes of it.

        Raises:
            InputError: it is no address. LibraryError: the name is none for a collection.
        """
        if not on_the_web(address):
            raise InputError(f"{address}: write the address of a site as https://example.org/docs/")
        self.refresh(name, partial(update_site, address=address, depth=depth, pages=pages), whose)

    def refresh(self, name: str, read_site: ReadSite = update_site, whose: str = "") -> None:
        """Begin to bring a collection up to date; `listed` tells how far that is, and what came of it.

        `whose` is the id of who asks, empty where there are no accounts.

        Raises:
            InputError: too many wait. LibraryError: the name is none for a collection.
        """
        check_collection_name(name)
        if name in self._work:
            return
        self._waiting.check(whose)
        self._waiting.add(whose)
        self._work[name] = _Work(began=time.monotonic())
        self._told.pop(name, None)
        task = asyncio.create_task(self._update(name, read_site, whose))
        task.add_done_callback(lambda _: self._waiting.done(whose))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _update(self, name: str, read_site: ReadSite, whose: str) -> None:
        work, ends = self._work[name], math.inf

        def tell(done: int, of: int) -> None:
            work.done, work.of = done, of
            if time.monotonic() > ends:
                raise InputError(_OVER)

        def updating() -> SyncReport:
            brought = self._home / BROUGHT / name
            paths = [brought] if brought.is_dir() else []
            if not paths:
                self._check_there(name)
            access = engine_access(load_settings())
            return update_collection(self._home, name, paths, progress=tell, access=access)

        try:
            load_stubs()
            new = read_site is not update_site
            work.of_site = new or await asyncio.to_thread(is_of_site, self._home, name)
            turns = self._site_turns if work.of_site else self._file_turns
            async with turns.turn(whose):
                seconds = _MINUTES * 60 if whose else math.inf
                ends = time.monotonic() + seconds
                if work.of_site:
                    reading = read_site(self._home, name, load_settings(), progress=tell)
                    report = await _in_time(reading, seconds)
                else:
                    report = await asyncio.to_thread(updating)
            news = {"added": report.added, "changed": report.changed, "removed": report.removed}
            self._told[name] = {"skipped": [unread.reason for unread in report.warnings], "news": news}
        except (LibraryError, InputError, OSError) as failure:
            self._told[name] = {"trouble": str(failure)}
        except Exception as failure:
            logging.getLogger(__name__).exception("collection %s could not be brought up to date", name)
            self._told[name] = {"trouble": f"unexpected error: {type(failure).__name__}: {failure}"}
        finally:
            del self._work[name]

    async def describe(self, name: str, description: str) -> None:
        """Say what a collection holds. Raises InputError: there is none of that name."""
        await asyncio.to_thread(self._check_there, name)
        await asyncio.to_thread(describe_collection, self._home, name, description)

    async def remove(self, name: str) -> None:
        """Remove a collection with what was brought to it. Raises InputError: there is none to remove."""
        if name in self._work:
            raise InputError(f"{name} is being read; remove it when that is done")
        if self._told.pop(name, {}).get("trouble"):
            known = await asyncio.to_thread(document_collections, self._home)
            if name not in {one.name for one in known}:
                return  # nothing of it was kept
        await asyncio.to_thread(self._check_there, name)
        access = engine_access(load_settings())
        for note in await asyncio.to_thread(remove_collection, self._home, name, access):
            logging.getLogger(__name__).warning("%s", note)

    def _check_there(self, name: str) -> None:
        """Refuse another name than a collection's: a folder's would stand for what may be somebody else's."""
        if name not in collections(self._home):
            raise InputError(f"there is no collection {name}")


_OVER = (
    f"it was ended after {_MINUTES:.0f} minutes, for others wait: what was read stays; bring it up to date, "
    "and it goes on from there"
)


async def _in_time(reading: Awaitable[SyncReport], seconds: float) -> SyncReport:
    """Return what came of reading a site. Raises InputError where that takes too long."""
    try:
        async with asyncio.timeout(None if math.isinf(seconds) else seconds) as bound:
            return await reading
    except TimeoutError as failure:
        if not bound.expired():
            raise
        raise InputError(_OVER) from failure


def _without_folders(description: str, folders: Sequence[str]) -> str:
    """Return a description, which is made of paths where nobody wrote one, with their last parts alone."""
    for folder in sorted(folders, key=len, reverse=True):
        description = description.replace(folder, Path(folder).name)
    return description
