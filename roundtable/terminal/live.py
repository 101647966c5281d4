"""The view for a terminal: what happened scrolls by, what is going on stands below it."""

from rich.console import Console, Group
from rich.live import Live
from rich.rule import Rule
from rich.style import Style
from rich.text import Text

from roundtable.events import Recorded
from roundtable.terminal.clean import clean_line, link_target
from roundtable.terminal.story import Line, Link, Story

_COLOURS = ("cyan", "green", "magenta", "yellow", "blue", "bright_red", "bright_cyan", "bright_green")
_STYLES = {"work": "dim", "warning": "yellow", "map": "default", "fact": "default", "end": "bold"}


class LiveView:
    """Draws on a console."""

    def __init__(self, console: Console) -> None:
        self._console = console
        self._story = Story()
        self._speakers: dict[str, str] = {}
        self._live = Live(
            console=console, transient=True, auto_refresh=False, redirect_stdout=False, redirect_stderr=False
        )
        self._live.start()

    def repeat(self, recorded: Recorded) -> None:
        """Take in an event that was shown before."""
        self._story.tell(recorded)

    def show(self, recorded: Recorded) -> None:
        """Print an event above, and draw what is going on below."""
        for line in self._story.tell(recorded):
            for text in self._printed(line):
                self._console.print(text)
        self._live.update(self._below(), refresh=True)

    def say(self, text: str, *, error: bool = False) -> None:
        """Print a line above."""
        self._console.print(Text(clean_line(text), style="bold red" if error else "dim"))

    def close(self) -> None:
        """Take away what stands below."""
        self._live.stop()

    def _colour(self, speaker: str) -> str:
        return self._speakers.setdefault(speaker, _COLOURS[len(self._speakers) % len(_COLOURS)])

    def _printed(self, line: Line) -> list[Text | Rule]:
        if line.mood == "title":
            return [Rule(style="dim"), Text(line.text, style="bold"), Rule(style="dim")]
        if line.mood == "turn":
            return self._turn(line)
        text = Text("  " if line.mood in {"work", "warning"} else "", style=_STYLES[line.mood])
        text.append(line.text)
        if line.mood == "fact" and line.speaker:
            text.stylize(self._colour(line.speaker))
        if line.links and (target := link_target(line.links[0].url)):
            text.stylize(Style(link=target))
        return [text]

    def _turn(self, line: Line) -> list[Text | Rule]:
        colour = self._colour(line.speaker)
        body = Text("\n").join(Text(f"  {text}") for text in line.text.split("\n"))
        for link in line.links:
            if target := link_target(link.url):
                body.highlight_regex(rf"\[{link.id}\]", Style(link=target, color="blue"))
        return [Text(), Text(line.head, style=f"bold {colour}"), body, *map(_source, line.links), Text()]

    def _below(self) -> Group:
        """Draw who is at work, the map, and what has been spent."""
        room = max(3, self._console.height // 3)
        parts: list[Text | Rule] = [Rule(style="dim")]
        for slug, question in self._story.researching.items():
            asked = f": {question}" if question else ""
            working = Text(f"{self._story.name(slug)} is at work{asked}", style=self._colour(slug))
            parts.append(_cut(working))
        parts += [_cut(Text(line)) for line in self._story.map_lines(room)]
        turn = f"turn {self._story.turns}" + (f" of {self._story.limit}" if self._story.limit else "")
        parts.append(_cut(Text(f"{turn} · {self._story.totals.shown()}", style="dim")))
        return Group(*parts)


def _source(link: Link) -> Text:
    text = Text(f"    [{link.id}] {link.title or link.url}", style="dim", no_wrap=True, overflow="ellipsis")
    if target := link_target(link.url):
        text.stylize(Style(link=target))
    return text


def _cut(text: Text) -> Text:
    text.no_wrap, text.overflow = True, "ellipsis"
    return text
