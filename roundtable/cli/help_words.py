"""What `--help` shows, in the language of the terminal.

It is written in English where a command is defined; the table `help` of `configs/languages/CODE.toml` has
other words for its paragraphs. Lines are broken by the width of letters on a screen: a Chinese one takes two
places.
"""

import re
from collections.abc import Iterable, Mapping
from functools import cache

import click

from roundtable.cli.near_commands import NearGroup
from roundtable.terminal.terminal_language import terminal_language

_KEPT = "\ue000"
"""Stands behind a wide letter for the second place that it takes, until lines are broken, where no line may
end. Elsewhere a space stands there, so that one may."""
_WIDE = "[\u1100-\u115f\u2018-\u201d\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60]"
_CLOSES, _OPENS = "，。：；？！、）》”’…", "（《“‘"


class SpokenFormatter(click.HelpFormatter):
    """Writes help in the terminal's language."""

    def write_usage(self, prog: str, args: str = "", prefix: str | None = None) -> None:
        """Write how the command is called."""
        super().write_usage(prog, args, f"{_said('Usage')}{_said(': ')}" if prefix is None else prefix)

    def write_heading(self, heading: str) -> None:
        """Write what a list is of."""
        self.write(f"{'':>{self.current_indent}}{_said(heading)}{_said(': ').rstrip()}\n")

    def write_text(self, text: str) -> None:
        """Write paragraphs; one that begins with click's sign for it stays as it is."""
        said = (one if one.startswith("\b") else _spaced(_said(one)) for one in text.split("\n\n"))
        super().write_text("\n\n".join(said))

    def write_dl(self, rows: Iterable[tuple[str, str]], col_max: int = 30, col_spacing: int = 2) -> None:
        """Write a list of names with what each means."""
        super().write_dl([(name, _spaced(_said(meaning))) for name, meaning in rows], col_max, col_spacing)

    def getvalue(self) -> str:
        """Return what was written."""
        written = super().getvalue()
        return written if written.isascii() else re.sub(f"({_WIDE}) ", r"\1", written).replace(_KEPT, "")


class SpokenContext(click.Context):
    """A command's context; its help is in the terminal's language."""

    formatter_class = SpokenFormatter


class _WholeCommand(click.Command):
    def get_short_help_str(self, limit: int = 45) -> str:  # noqa: ARG002
        # No language has words for what is cut in the midst.
        return " ".join((self.help or "").split("\n\n")[0].split())


class WholeGroup(NearGroup):
    """A group whose list of commands holds the first paragraph of each one's help, whole."""

    command_class = _WholeCommand


def _said(text: str) -> str:
    """Return a paragraph in the terminal's language, with what click adds to it in brackets."""
    words = _words(terminal_language())
    if not words:
        return text
    if text in words:
        return words[text]
    line = " ".join(text.split())
    told, bracket, added = line.partition(" [") if line not in words else (line, "", "")
    if told.endswith("..."):  # click cut it to the width of a line
        told = next((whole for whole in words if whole.startswith(told[:-3])), told)
    for mark in ("default", "required"):
        added = added.replace(mark, words.get(mark, mark))
    return words.get(told, told) + bracket + added


def _spaced(text: str) -> str:
    """Return a text with as many letters as it takes places on a screen, and spaces where lines may end."""
    if text.isascii():
        return text  # compiling the pattern is a quarter of what `--help` takes

    def placed(found: re.Match[str]) -> str:
        letter, after = found.groups()
        return letter + (_KEPT if letter in _OPENS or (after and after in f" {_CLOSES}") else " ")

    return re.sub(f"({_WIDE})(?=(.?))", placed, text)


@cache
def _words(language: str) -> Mapping[str, str]:
    if language == "en":
        return {}
    from library.text import catalogue

    return {english: str(told) for english, told in catalogue(language, "help").texts.items()}
