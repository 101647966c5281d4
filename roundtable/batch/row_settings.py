"""What a row of a file of topics may set by itself: the course of a discussion, nothing that it acts with.

A file of topics may be somebody else's: questions of a benchmark, a table that was sent. So it brings no
server, no program, no model, no documents from elsewhere on this machine and no larger budget; whoever runs
the batch gives those, or says by name what the rows may set.
"""

from collections.abc import Mapping, Sequence
from dataclasses import fields
from pathlib import Path
from typing import Any

from models import Spent
from roundtable.config.acting_settings import leaves, sets_the_course, within
from roundtable.config.config import Settings
from roundtable.config.errors import InputError
from roundtable.config.search_places import PYTHON, collections, is_collection


class RowRules:
    """Judges the rows of one file of topics."""

    def __init__(self, file: Path, home: Path, own: Settings, allowed: Sequence[str]) -> None:
        """Take what the command itself sets.

        Args:
            file: The file of topics: documents beside it, or below, came with it.
            home: The home folder.
            own: Settings without any row's.
            allowed: Rooms and settings that rows may set all the same, by dotted name: `models.base_url`.
        """
        self._beside = file.absolute().parent.resolve()
        self._home = home
        self._own = own
        self._allowed = allowed

    def judged(self, row: Mapping[str, Any]) -> dict[str, Any]:
        """Return what a row sets, its documents as they were judged: a path can be taken for no other name.

        Raises:
            InputError: it sets what is not for rows to set.
        """
        for name, _ in leaves(row):
            if not self._is_allowed(name) and not sets_the_course(name):
                raise InputError(
                    f"{name} is not for rows to set, for a file of topics may be somebody else's: set it for "
                    f"all, or let rows set it: --rows-may-set {_whole(name)}"
                )
        docs = row.get("docs", ())
        if self._is_allowed("docs") or not isinstance(docs, list | tuple):
            return dict(row)
        return {**row, **({"docs": [self._documents(str(name)) for name in docs]} if docs else {})}

    def check_limits(self, settings: Settings) -> None:
        """Refuse what a row lifts that the command set. Raises InputError."""
        if self._own.offline and not settings.offline and not self._is_allowed("offline"):
            raise _beyond("offline", "--offline")
        own, given = self._own.moderator.budget, settings.moderator.budget
        for each in fields(Spent):
            limit, wanted = getattr(own, each.name), getattr(given, each.name)
            name = f"moderator.budget.{each.name}"
            if limit is not None and (wanted is None or wanted > limit) and not self._is_allowed(name):
                raise _beyond(name, f"{each.name}={limit:g}")

    def _is_allowed(self, name: str) -> bool:
        return within(name, self._allowed)

    def _documents(self, name: str) -> str:
        """Return which documents a name means: those of the command, or what came along, from the root.

        Raises:
            InputError: it means others, or cannot be a path.
        """
        if name == PYTHON or name in self._own.docs:
            return name
        try:
            path = Path(name).expanduser()
            there = path.resolve()
            # A folder beside the file may be called as a collection is, or as all sessions are.
            found = path.exists() and not is_collection(name, collections(self._home))
        except (OSError, RuntimeError, ValueError) as wrong:
            # Too long, of nobody's home, with a zero in it: no name of a file.
            raise InputError(f"docs: {name[:100]!r} is no path: {wrong}") from wrong
        given = (Path(each).expanduser().resolve() for each in self._own.docs)
        if not found or not any(there.is_relative_to(folder) for folder in (self._beside, *given)):
            raise InputError(
                f"docs: {name} neither came with the file of topics nor is in --docs: name it there, or "
                "let rows set it: --rows-may-set docs"
            )
        return str(there)


def _beyond(name: str, own: str) -> InputError:
    return InputError(
        f"{name} goes beyond the command's own {own}: change that, or let rows set it: "
        f"--rows-may-set {_whole(name)}"
    )


def _whole(name: str) -> str:
    """Return the name of a setting; of a table whose keys the row chose, that of the table."""
    tables = ("mcp.", "models.prices.", "models.roles.")
    return ".".join(name.split(".")[:2]) if name.startswith(tables) else name
