"""Commands to sessions that other processes run, in the database that they share.

Who has a command for such a session puts it in; the process that runs the session takes it out, does it, and
puts in what came of it. A command that nobody took is taken back, so that none is done hours later.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from roundtable.journal.storage.tables.journal_tables import JournalTables

_KEPT = "1 day"
"""For how long it can be seen what came of a command."""


@dataclass(frozen=True, slots=True)
class SentCommand:
    """A command that waits."""

    id: int
    session: str
    values: Mapping[str, Any]
    """As the page sends it: its name under `command`, and its arguments."""


@dataclass(frozen=True, slots=True)
class CommandOutcome:
    """What came of a command."""

    trouble: str = ""
    """Empty: it was done."""
    kind: str = ""
    """The name of the error's class."""


class CommandInbox:
    """All commands that wait, or were done of late."""

    def __init__(self, tables: JournalTables) -> None:
        self._tables = tables

    def send(self, session: str, values: Mapping[str, Any]) -> int:
        """Put a command in; return its number."""
        with self._tables.guarded("write"):
            self._tables.change(
                "DELETE FROM inbox WHERE sent < clock_timestamp() - ?::interval", [(_KEPT,)]
            )
            new = "INSERT INTO inbox (session, command) VALUES (?, ?) RETURNING id"
            found = self._tables.rows(new, (session, json.dumps(values)))
        return int(found[0][0])

    def waiting(self, sessions: Sequence[str]) -> list[SentCommand]:
        """Return the commands that wait for some sessions, in the order in which they came."""
        with self._tables.guarded("read"):
            found = self._tables.rows(
                "SELECT id, session, command FROM inbox WHERE outcome IS NULL AND session = ANY(?) "
                "ORDER BY id", (list(sessions),),
            )  # fmt: skip
        return [SentCommand(id=n, session=session, values=json.loads(text)) for n, session, text in found]

    def answer(self, number: int, outcome: CommandOutcome) -> None:
        """Put in what came of a command."""
        with self._tables.guarded("write"):
            self._tables.change(
                "UPDATE inbox SET outcome = ? WHERE id = ?", [(json.dumps(asdict(outcome)), number)]
            )

    def outcome(self, number: int) -> CommandOutcome | None:
        """Return what came of a command; None: it waits, or is being done."""
        with self._tables.guarded("read"):
            found = self._tables.rows("SELECT outcome FROM inbox WHERE id = ?", (number,))
        return CommandOutcome(**json.loads(found[0][0])) if found and found[0][0] else None

    def take_back(self, number: int) -> bool:
        """Take a command out that nobody has answered; False: it was answered meanwhile."""
        with self._tables.guarded("write"):
            gone = "DELETE FROM inbox WHERE id = ? AND outcome IS NULL RETURNING id"
            return bool(self._tables.rows(gone, (number,)))
