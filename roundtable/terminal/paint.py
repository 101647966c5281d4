"""Lines of the story as they look on a terminal: a colour for each speaker, links on citations."""

import re

from rich.padding import Padding
from rich.rule import Rule
from rich.style import Style
from rich.text import Text

from roundtable.output.clean import link_target
from roundtable.output.event_text import Line, Link

_COLOURS = ("cyan", "green", "magenta", "yellow", "blue", "bright_red", "bright_cyan", "bright_green")
_STYLES = {"work": "dim", "asked": "bold", "warning": "yellow", "map": "default", "fact": "default",
           "end": "bold"}  # fmt: skip


class Paint:
    """Gives lines their colours."""

    def __init__(self) -> None:
        self._speakers: dict[str, str] = {}

    def colour(self, speaker: str) -> str:
        """Return a speaker's colour, the same throughout."""
        return self._speakers.setdefault(speaker, _COLOURS[len(self._speakers) % len(_COLOURS)])

    def printed(self, line: Line) -> list[Text | Rule | Padding]:
        """Return what to print for a line."""
        if line.mood == "title":
            return [Rule(style="dim"), Text(line.text, style="bold"), Rule(style="dim")]
        if line.mood == "turn":
            return self._turn(line)
        text = Text("  " if line.mood in {"work", "warning"} else "", style=_STYLES[line.mood])
        text.append(line.text)
        if line.mood == "fact" and line.speaker:
            text.stylize(self.colour(line.speaker))
        if line.links and (target := link_target(line.links[0].url)):
            text.stylize(Style(link=target))
        return [text]

    def _turn(self, line: Line) -> list[Text | Rule | Padding]:
        colour = self.colour(line.speaker)
        body = Text(line.text)
        indented = Padding(body, (0, 0, 0, 2), expand=False)
        for link in line.links:
            if target := link_target(link.url):
                body.highlight_regex(rf"\[{re.escape(link.id)}\]", Style(link=target, color="blue"))
        return [Text(), Text(line.head, style=f"bold {colour}"), indented, *map(_source, line.links), Text()]


def _source(link: Link) -> Text:
    text = Text(f"    [{link.id}] {link.title or link.url}", style="dim", no_wrap=True, overflow="ellipsis")
    if target := link_target(link.url):
        text.stylize(Style(link=target))
    return text
