"""What is shown of a batch at work: a line for each topic that is done, and how far all of it is."""

import os
import sys
import time
from typing import Protocol

from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn
from rich.text import Text

from roundtable.batch.batch_index import BatchRow, dollars, duration
from roundtable.batch.batch_run import BatchRun
from roundtable.output.clean import clean_line, counted
from roundtable.terminal.safe_output import write_json_line, write_line

_PAUSE = 30.0
"""Seconds between two lines that tell how far a batch is, where lines stay."""


class BatchView(Protocol):
    """Something that shows a batch as it goes on."""

    def say(self, text: str, *, error: bool = False) -> None:
        """Tell the person something."""

    def begin(self, batch: BatchRun) -> None:
        """Take note of what will be shown."""

    def show(self, row: BatchRow) -> None:
        """Show a change of a topic."""

    def finish(self) -> None:
        """Take away what stands for work under way."""

    def close(self) -> None:
        """Leave the terminal as it was."""


def choose_batch_view(*, as_json: bool, plain: bool) -> BatchView:
    """Return the view for this process's output: JSON, plain lines, or a bar on a terminal."""
    if as_json:
        return JsonBatch()
    drawn = sys.stdout.isatty() and not plain and not os.environ.get("NO_COLOR")
    return BarBatch() if drawn and os.environ.get("TERM") != "dumb" else LinesBatch()


class Pace:
    """How far a batch is, and how long the rest will take at the pace of this run."""

    def __init__(self, batch: BatchRun) -> None:
        self._batch, self._began = batch, time.monotonic()

    @property
    def done(self) -> int:
        """Topics that ended, or failed in this run."""
        return sum(row.status in {"ended", "failed"} for row in self._batch.rows.values())

    @property
    def total(self) -> int:
        """All topics."""
        return len(self._batch.rows)

    def told(self) -> str:
        """Return the line that says how far it is."""
        rows = self._batch.rows.values()
        under_way = sum(row.status == "running" for row in rows)
        failed = sum(row.status == "failed" for row in rows)
        spent = self._batch.spent()
        cost = None if any(row.cost is None for row in rows) else spent.money
        parts = [f"{self.done:,} of {self.total:,}", f"{under_way:,} under way"]
        parts += [f"{failed:,} failed"] if failed else []
        parts += [f"{dollars(cost)}, {spent.tokens:,} tokens"] if spent.requests else []
        now = self.done - self._batch.already
        if now and self.done < self.total:
            parts.append(
                f"about {duration((time.monotonic() - self._began) / now * (self.total - self.done))} left"
            )
        return " · ".join(parts)


def _done(row: BatchRow) -> str:
    """Return the line that says what came of a topic."""
    if row.status != "ended":
        why = f": {clean_line(row.error, 300)}" if row.error else ""
        return f"{row.status}: {clean_line(row.topic, 90)}{why}"
    cost = f", {dollars(row.cost)}" if row.requests else ""
    found = f"{counted(row.sentences, 'sentence')}, {counted(row.sources, 'source')}"
    return f"ended: {clean_line(row.topic, 90)} ({found}, {duration(row.seconds)}{cost})"


class LinesBatch:
    """Writes a line for each topic that is done."""

    def __init__(self) -> None:
        self._pace: Pace | None = None
        self._due = time.monotonic() + _PAUSE

    def say(self, text: str, *, error: bool = False) -> None:
        """Write a line; errors go to stderr."""
        stream = sys.stderr if error else sys.stdout
        write_line(text, stream)
        stream.flush()

    def begin(self, batch: BatchRun) -> None:
        """Take note of what will be shown."""
        self._pace = Pace(batch)

    def show(self, row: BatchRow) -> None:
        """Write what came of a topic, and now and then how far all is."""
        assert self._pace is not None
        if row.status == "running":
            return
        self.say(f"[{self._pace.done}/{self._pace.total}] {_done(row)}")
        if time.monotonic() >= self._due:
            self._due = time.monotonic() + _PAUSE
            self.say(self._pace.told())

    def finish(self) -> None:
        """Nothing is drawn that would have to go."""

    def close(self) -> None:
        """Nothing is drawn that would have to go."""


class JsonBatch(LinesBatch):
    """Writes each change of a topic as a line of JSON; words go to stderr."""

    def say(self, text: str, *, error: bool = False) -> None:  # noqa: ARG002
        """Write a line to stderr."""
        write_line(text, sys.stderr)
        sys.stderr.flush()

    def show(self, row: BatchRow) -> None:
        """Write the row."""
        write_json_line(row.model_dump_json(), sys.stdout)


class BarBatch:
    """Draws a bar below the lines."""

    def __init__(self) -> None:
        self._console = Console(highlight=False)
        self._progress = Progress(
            BarColumn(30), TextColumn("{task.description}"), console=self._console, transient=True
        )
        self._bar = self._progress.add_task("", total=None)
        self._pace: Pace | None = None

    def say(self, text: str, *, error: bool = False) -> None:
        """Print a line above."""
        self._console.print(Text(clean_line(text), style="bold red" if error else "dim"))

    def begin(self, batch: BatchRun) -> None:
        """Draw the bar."""
        self._pace = Pace(batch)
        self._draw()
        self._progress.start()

    def show(self, row: BatchRow) -> None:
        """Print what came of a topic above, and draw how far all is."""
        if row.status != "running":
            self._console.print(Text(_done(row), style="red" if row.status == "failed" else ""))
        self._draw()

    def _draw(self) -> None:
        assert self._pace is not None
        told = self._pace.told()
        self._progress.update(self._bar, total=self._pace.total, completed=self._pace.done, description=told)

    def finish(self) -> None:
        """Take the bar away."""
        self._progress.stop()

    def close(self) -> None:
        """Take the bar away."""
        self._progress.stop()
