"""What came of each topic of a batch: `batch.jsonl`, and the same as `batch.csv`."""

import csv
import io
import json
from collections.abc import Sequence
from dataclasses import fields
from pathlib import Path
from typing import Literal

from library import ReadError
from library.readers import text_beside
from library.text import cell_text
from models import Frozen, Spent
from roundtable.output.clean import counted
from roundtable.output.outputs import write_file

INDEX, TABLE = "batch.jsonl", "batch.csv"
_LARGEST = 500_000_000
"""Bytes that the index may have."""
Status = Literal["waiting", "running", "ended", "stopped", "failed"]


class BatchRow(Frozen):
    """One topic, as the index tells of it."""

    n: int
    """Its number in the file of topics, from 1."""
    id: str
    """What the file calls it; empty: nothing."""
    session: str
    topic: str
    status: Status
    """`stopped`: it can go on; `failed`: it could not be done, and `error` says why."""
    error: str | None = None
    attempts: int = 0
    """How often it was begun or taken up again by the command that wrote this."""
    folder: str
    """With its report; seen from the batch's folder."""
    settings: str = ""
    """A digest of its settings."""
    turns: int = 0
    sentences: int = 0
    """Of the report."""
    cited: int = 0
    """Of these, with a citation."""
    accuracy: float | None = None
    """Share (0 to 1) of citations that hold what they are cited for; None: nothing is cited, or no report."""
    sources: int = 0
    requests: int = 0
    tokens: int = 0
    cost: float | None = 0.0
    """US dollars; None: the price of a model is not known."""
    searches: int = 0
    pages: int = 0
    seconds: float = 0.0
    """At work."""
    models: str = ""

    @property
    def spent(self) -> Spent:
        """What it has used."""
        return Spent(self.tokens, self.cost or 0.0, self.requests, self.searches, self.pages, self.seconds)


def read_index(folder: Path) -> dict[str, BatchRow]:
    """Return the rows of a folder's index by session; what cannot be read is left out: the journal has it."""
    try:
        # Not `splitlines`: a topic may hold what Unicode, too, calls the end of a line.
        lines = text_beside(folder / INDEX, _LARGEST).split("\n")
    except ReadError:
        return {}
    rows: dict[str, BatchRow] = {}
    for line in lines:
        try:
            row = BatchRow.model_validate_json(line)
        except ValueError:
            continue
        rows[row.session] = row
    return rows


def write_index(folder: Path, rows: Sequence[BatchRow]) -> None:
    """Write both files, each whole or not at all. Raises OutputError."""
    values = [row.model_dump() for row in rows]
    lines = "".join(json.dumps(each, ensure_ascii=False) + "\n" for each in values)
    table = io.StringIO(newline="")
    writer = csv.DictWriter(table, list(BatchRow.model_fields))
    writer.writeheader()
    writer.writerows(
        {key: cell_text(value) if isinstance(value, str) else value for key, value in each.items()}
        for each in values
    )
    for file, text in ((INDEX, lines), (TABLE, table.getvalue())):
        write_file(folder / file, text.encode("utf-8", "replace"))


def summary_line(rows: Sequence[BatchRow]) -> str:
    """Return how many topics came to what, and what all of them used, in one line."""
    states = [row.status for row in rows]
    told = [
        f"{states.count(status):,} {word}"
        for status, word in (
            ("ended", "ended"), ("failed", "failed"), ("running", "under way"), ("stopped", "stopped"),
            ("waiting", "not begun"),
        )
        if status in states
    ]  # fmt: skip
    total = total_spent(rows)
    cost = None if any(row.cost is None for row in rows) else total.money
    used = (
        [f"{counted(total.requests, 'request')}, {total.tokens:,} tokens, {dollars(cost)}"]
        if total.requests
        else []
    )
    used += [counted(total.searches, "search", "searches"), f"{duration(total.seconds)} of work"]
    return f"{counted(len(rows), 'topic')}: {', '.join(told)}; {', '.join(used)}"


def total_spent(rows: Sequence[BatchRow]) -> Spent:
    """Return what all sessions of a batch have used together."""
    return add_spent([row.spent for row in rows])


def add_spent(each: Sequence[Spent]) -> Spent:
    """Return what several have used together."""
    return Spent(**{name.name: sum(getattr(one, name.name) for one in each) for name in fields(Spent)})


def dollars(cost: float | None) -> str:
    """Return a sum of money, `?` where prices are not known."""
    return "$?" if cost is None else f"${cost:,.2f}" if cost >= 0.1 or not cost else f"${cost:.4f}"


def duration(seconds: float) -> str:
    """Return a time in the two units that tell most: `42 s`, `3 min 20 s`, `2 h 5 min`."""
    whole = round(seconds)
    if whole < 60:
        return f"{whole} s"
    if whole < 3600:
        return f"{whole // 60} min {whole % 60} s"
    return f"{whole // 3600:,} h {whole % 3600 // 60} min"
