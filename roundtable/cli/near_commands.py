"""Commands offered for a word that names none: those that mean the same, else those spelt nearly so.

Values of options that are one of a few are offered likewise.
"""

from collections.abc import Collection
from typing import Any

import click

_SAME = tuple(
    words.split()
    for words in (
        "list ls sessions history all",
        "delete remove forget rm del erase revoke",
        "run start new ask begin create discuss",
        "join open enter attach chat talk",
        "show open view cat read info",
        "resume continue",
        "add new create put",
        "serve start web ui server page browser",
        "update refresh sync",
        "rename name title mv",
        "copy move cp mv migrate",
        "export save download write",
        "import load restore",
        "doctor status health config settings",
        "docs collections documents",
        "accounts users people",
    )
)
"""Words for the same thing, that one first by which most programs call it."""


class NearGroup(click.Group):
    """A group of commands that offers others for a word that is none."""

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Find the command that is called; one that is not there is told with those that may be meant."""
        name, commands = args[0], self.list_commands(ctx)
        if name not in commands and not name.startswith("-"):
            meant = _meant(name.lower(), commands)
            hint = f" Did you mean {' or '.join(meant)}?" if meant else ""
            ctx.fail(f"No such command {name!r}.{hint}")
        return super().resolve_command(ctx, args)


class NearChoice(click.Choice[str]):
    """One of a few words; another one is told with the nearest."""

    def get_invalid_choice_message(self, value: Any, ctx: click.Context | None) -> str:
        """Return what is wrong with a value, and the word that may be meant."""
        told = super().get_invalid_choice_message(value, ctx)
        near = _near(str(value).lower(), self.choices)
        return f"{told} Did you mean {near[0]}?" if near else told


def _meant(name: str, commands: Collection[str]) -> list[str]:
    """Return the commands, at most two, that may be meant by a word that is none."""
    meaning: dict[str, list[str]] = {command: [command] for command in commands}
    for words in _SAME:
        there = [word for word in words if word in commands]
        for word in words:
            if word not in commands:
                meaning.setdefault(word, []).extend(there)
    slips = [command for command in commands if _one_slip(name, command)]
    near = [name] if name in meaning else slips or _near(name, meaning)
    return list(dict.fromkeys(command for word in near for command in meaning[word]))[:2]


def _one_slip(typed: str, word: str) -> bool:
    """Tell whether one letter is wrong, missing, too many, or changed places with the next."""
    alike = [a == b for a, b in zip(typed, word, strict=False)]
    same = [*alike, False].index(False)
    rest, wanted = typed[same:], word[same:]
    swapped = rest[:2] == wanted[:2][::-1] and rest[2:] == wanted[2:]
    return swapped or rest[1:] == wanted[1:] or rest[1:] == wanted or rest == wanted[1:]


def _near(name: str, words: Collection[str]) -> list[str]:
    """Return the words that are spelt most nearly as one is, and those hardly less so."""
    from difflib import SequenceMatcher, get_close_matches  # not for `--help`

    near = get_close_matches(name, words, n=3, cutoff=0.7)
    likeness = {word: SequenceMatcher(None, word, name).ratio() for word in near}
    return [word for word in near if likeness[word] > likeness[near[0]] - 0.05]
