"""The view for pipes and files: plain lines, nothing drawn over."""

import sys
from collections.abc import Iterator, Sequence
from typing import Protocol, TextIO

from roundtable.journal.events import Recorded, SessionStarted
from roundtable.output.clean import clean_line
from roundtable.output.event_text import EventText, Line
from roundtable.terminal.safe_output import write_json_line, write_line
from roundtable.terminal.terminal_language import told_language


class EventView(Protocol):
    """Something that shows a session as it happens."""

    def repeat(self, recorded: Recorded) -> None:
        """Take in an event that was shown before."""

    def show(self, recorded: Recorded) -> None:
        """Show an event."""

    def say(self, text: str, *, error: bool = False) -> None:
        """Tell the person something that is not of the session, in their language."""

    def close(self) -> None:
        """Leave the terminal as it was."""


class PlainView:
    """Writes each event's lines as they come."""

    def __init__(self, stream: TextIO, language: str = "", past: Sequence[Recorded] = ()) -> None:
        self._stream = stream
        self._told = EventText(language, past)

    def repeat(self, recorded: Recorded) -> None:
        """Take in an event that was shown before."""
        self._told.tell(recorded)

    def show(self, recorded: Recorded) -> None:
        """Write an event's lines."""
        for line in self._told.tell(recorded):
            for text in printed(line):
                write_line(text, self._stream)
        self._stream.flush()

    def say(self, text: str, *, error: bool = False) -> None:
        """Write a line; errors go to stderr."""
        stream = sys.stderr if error else self._stream
        write_line(self._told.translated(text), stream)
        stream.flush()

    def close(self) -> None:
        """Nothing is drawn that would have to go."""


class JsonView:
    """Writes each event as one line of JSON."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream

    def repeat(self, recorded: Recorded) -> None:
        """Pass over an event that was written before."""

    def show(self, recorded: Recorded) -> None:
        """Write an event."""
        write_json_line(recorded.model_dump_json(), self._stream)

    def say(self, text: str, *, error: bool = False) -> None:  # noqa: ARG002
        """Write a line to stderr: stdout is for events alone."""
        write_line(clean_line(text), sys.stderr)

    def close(self) -> None:
        """Nothing is drawn that would have to go."""


def plain_lines(events: Sequence[Recorded], *, working: bool = True) -> Iterator[str]:
    """Tell a session's events in plain lines; without what goes on between turns if `working` is False."""
    languages = (e.event.language for e in events if isinstance(e.event, SessionStarted))
    told = EventText(told_language(next(languages, "")), events)
    for recorded in events:
        for line in told.tell(recorded):
            if working or line.mood != "work":
                yield from printed(line)


def printed(line: Line) -> list[str]:
    """Print a line without colours."""
    from rich.cells import cell_len

    match line.mood:
        case "title":
            return [line.text, "=" * min(cell_len(line.text), 78)]
        case "turn":
            sources = [
                f"    [{link.id}] {' — '.join(p for p in (link.title, link.url) if p)}" for link in line.links
            ]
            body = [f"  {text}" if text else "" for text in line.text.split("\n")]
            return ["", line.head, *body, *sources, ""]
        case "work":
            return [f"  · {line.text}"]
        case "asked":
            return [f"  > {line.text}"]
        case "warning":
            return [f"  ! {line.text}"]
        case _:
            return [line.text]
