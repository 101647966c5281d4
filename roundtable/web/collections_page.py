"""Collections on the page: files that are brought to one, bringing it up to date, and how far that is."""

import asyncio
import logging
import time
from collections.abc import AsyncIterable
from dataclasses import asdict, dataclass
from pathlib import Path, PurePosixPath
from typing import Any

from library import LibraryError, check_name
from roundtable.config.errors import InputError
from roundtable.config.search_places import PYTHON, SESSIONS
from roundtable.session.document_collections import (
    BROUGHT,
    describe_collection,
    document_collections,
    remove_collection,
    update_collection,
)
from roundtable.session.factory import load_stubs
from roundtable.web.uploads import keep_at, plain_name

_DEEPEST = 12
"""Folders in folders of what is brought."""


@dataclass(slots=True)
class _Work:
    """A collection that is being brought up to date."""

    done: int = 0
    of: int = 0
    """Files; 0: not counted yet."""
    began: float = 0.0


class CollectionsPage:
    """All collections of one home folder, as the page shows and changes them."""

    def __init__(self, home: Path, *, named_only: bool) -> None:
        """Take the home folder; `named_only`: no path of this machine may be named."""
        self._home = home
        self._named_only = named_only
        self._work: dict[str, _Work] = {}
        self._told: dict[str, dict[str, Any]] = {}
        self._tasks: set[asyncio.Task[None]] = set()

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
            found.append({**asdict(one), "value": value, **self._state(one.name)})
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
        return {"work": {"done": work.done, "of": work.of, "seconds": seconds}}

    async def keep(self, name: str, path: str, data: AsyncIterable[bytes]) -> None:
        """Keep a file that is brought to a collection, under its place in the folder that it came from.

        Raises:
            InputError: it cannot be kept. LibraryError: the name is none for a collection.
        """
        self._check(name)
        parts = [plain_name(part) for part in PurePosixPath(path).parts if part not in {"/", "..", "."}]
        if not parts or len(parts) > _DEEPEST:
            raise InputError(f"{path}: no name for a file")
        await keep_at(self._home / BROUGHT / name / Path(*parts), data)

    def refresh(self, name: str) -> None:
        """Begin to bring a collection up to date; `listed` tells how far that is, and what came of it."""
        self._check(name)
        if name in self._work:
            return
        self._work[name] = _Work(began=time.monotonic())
        self._told.pop(name, None)
        task = asyncio.create_task(self._update(name))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _update(self, name: str) -> None:
        work = self._work[name]

        def tell(done: int, of: int) -> None:
            work.done, work.of = done, of

        def updating() -> dict[str, Any]:
            load_stubs()
            brought = self._home / BROUGHT / name
            paths = [brought] if brought.is_dir() else []
            report = update_collection(self._home, name, paths, progress=tell)
            return {"skipped": [unread.reason for unread in report.warnings]}

        try:
            self._told[name] = await asyncio.to_thread(updating)
        except (LibraryError, InputError, OSError) as failure:
            self._told[name] = {"trouble": str(failure)}
        except Exception as failure:
            logging.getLogger(__name__).exception("collection %s could not be brought up to date", name)
            self._told[name] = {"trouble": f"unexpected error: {type(failure).__name__}: {failure}"}
        finally:
            del self._work[name]

    async def describe(self, name: str, description: str) -> None:
        """Say what a collection holds. Raises InputError: there is none of that name."""
        await asyncio.to_thread(describe_collection, self._home, name, description)

    async def remove(self, name: str) -> None:
        """Remove a collection with what was brought to it. Raises InputError: there is none to remove."""
        if name in self._work:
            raise InputError(f"{name} is being read; remove it when that is done")
        if self._told.pop(name, {}).get("trouble"):
            return  # nothing of it was kept
        await asyncio.to_thread(remove_collection, self._home, name)

    def _check(self, name: str) -> None:
        check_name(name)
        if name == PYTHON:
            raise InputError(f"{PYTHON!r} is the collection that every Python carries: choose another name")
        if name == SESSIONS:
            raise InputError(f"{SESSIONS!r} is what earlier sessions read: choose another name")
