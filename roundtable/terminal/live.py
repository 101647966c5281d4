"""The view for a terminal: what happened scrolls by, what is going on stands below it."""

from collections.abc import Sequence

from rich.console import Console, Group
from rich.live import Live
from rich.rule import Rule
from rich.text import Text

from roundtable.journal.events import Recorded
from roundtable.output.event_text import EventText
from roundtable.terminal.paint import Paint


class LiveView:
    """Draws on a console."""

    def __init__(self, console: Console, language: str = "", past: Sequence[Recorded] = ()) -> None:
        self._console = console
        self._told = EventText(language, past)
        self._paint = Paint()
        self._live = Live(
            console=console, transient=True, auto_refresh=False, redirect_stdout=False, redirect_stderr=False
        )
        self._live.start()

    def repeat(self, recorded: Recorded) -> None:
        """Take in an event that was shown before."""
        self._told.tell(recorded)

    def show(self, recorded: Recorded) -> None:
        """Print an event above, and draw what is going on below."""
        for line in self._told.tell(recorded):
            for text in self._paint.printed(line):
                self._console.print(text)
        if not self._live.is_started:
            self._live.start()  # it was closed for a question
        self._live.update(self._below(), refresh=True)

    def say(self, text: str, *, error: bool = False) -> None:
        """Print a line above."""
        self._console.print(Text(self._told.translated(text), style="bold red" if error else "dim"))

    def close(self) -> None:
        """Take away what stands below."""
        self._live.stop()

    def _below(self) -> Group:
        """Draw who is at work, the map, and what has been spent."""
        room = max(3, self._console.height // 3)
        parts: list[Text | Rule] = [Rule(style="dim")]
        told = self._told
        for slug, question in told.at_work().items():
            key = "is_at_work_on" if question else "is_at_work"
            working = told.say(key, name=told.name(slug), question=question)
            parts.append(_cut(Text(working, style=self._paint.colour(slug))))
        if writing := told.writing():
            parts.append(_cut(Text(f"{writing[:1].upper()}{writing[1:]}")))
        parts += [_cut(Text(line)) for line in told.map_lines(room)]
        measured = told.state.talk.novelty
        share = f"{max(measured[-1].passages, measured[-1].terms):.0%}" if measured else ""
        new = f" · {told.say('new', share=share)}" if share else ""
        parts.append(_cut(Text(f"{told.turn()} · {told.spent()}{new}", style="dim")))
        return Group(*parts)


def _cut(text: Text) -> Text:
    text.no_wrap, text.overflow = True, "ellipsis"
    return text
