"""What a speaker may do while it researches, and what it sees of it in the next round."""

import json
from dataclasses import dataclass, field
from typing import Literal

from library import Passage, shown_address
from library.text import one_line
from models import Frozen

ActionKind = Literal["search", "read", "compute"]


class Action(Frozen):
    """One action: search places, read a page that a search or a page gave, or compute with figures."""

    kind: ActionKind
    query: str = ""
    """For a search, the words; for a reading, what it is read for; for a computation, what it finds out."""
    where: tuple[str, ...] = ()
    """For a search: names of the places; empty for all."""
    url: str = ""
    """For a reading."""
    code: str = ""
    """For a computation: Python."""
    passages: tuple[str, ...] = ()
    """For a computation: ids of the passages that its numbers come from."""
    opens: str = ""
    """For a reading that named a passage: its id; it is shown whole in the next round."""

    @property
    def key(self) -> str:
        """What makes two actions the same: asked again, the first result is returned and nothing is spent."""
        if self.kind == "read":
            return f"read {self.url}"
        if self.kind == "compute":
            return f"compute {json.dumps([self.code, *self.passages], ensure_ascii=False)}"
        return "search " + json.dumps([one_line(self.query), sorted(self.where)], ensure_ascii=False)

    @property
    def line(self) -> str:
        """Return the action as a prompt and a warning show it."""
        where = f" in {', '.join(self.where)}" if self.where else ""
        what = {
            "read": f"{self.opens} {shown_address(self.url)}".strip(),
            "compute": " ".join((self.query or self.code).split()),
        }
        return f"{self.kind} {what.get(self.kind, self.query)[:160]}{where}"


ON_THE_TABLE = "person"
"""Where that was found which a person had read at the table: it stands in no collection."""


@dataclass(frozen=True, slots=True)
class Found:
    """One result of an action: a page or passage, in the order of the place that gave it."""

    url: str
    title: str
    snippet: str
    where: str
    score: float | None
    passage: Passage | None
    """The stored passage; None for a page of the web that has not been read."""


@dataclass(frozen=True, slots=True)
class Observation:
    """What came of an action.

    A failure is an observation with its reason, never an error and never silence.
    """

    action: Action
    found: tuple[Found, ...] = ()
    passages: tuple[Passage, ...] = ()
    """For a reading: all passages of the page, in its order; for a computation: the code and its result."""
    problems: tuple[str, ...] = field(default=())
    """One line for each place or page that failed."""
    repeated: bool = False
    """The same action had been done before in this session."""
