"""Flags that several commands share, and the settings that they stand for."""

from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import click

CommandT = TypeVar("CommandT", bound=Callable[..., Any])

FLAGS = {
    "docs": ("docs",),
    "search": ("search",),
    "offline": ("offline",),
    "language": ("language",),
    "model": ("models", "model"),
    "base_url": ("models", "base_url"),
    "experts": ("agents", "experts"),
    "turns": ("moderator", "turns"),
}
"""Where in the settings each flag's value goes."""


def given_settings(flags: dict[str, Any]) -> dict[str, Any]:
    """Return the values of the flags that were given, nested as the settings are."""
    nested: dict[str, Any] = {}
    for flag, path in FLAGS.items():
        value = flags.get(flag)
        if value is None or value == () or value is False:
            continue
        inside = nested
        for part in path[:-1]:
            inside = inside.setdefault(part, {})
        inside[path[-1]] = list(value) if isinstance(value, tuple) else value
    return nested


def model_options(command: CommandT) -> CommandT:
    """Add the flags that choose models."""
    for option in reversed(
        [
            click.option(
                "--model",
                metavar="MODEL",
                help="embedded | openai:NAME | anthropic:NAME | ollama:NAME. Default: a configured key's "
                "model, else embedded, which needs no key and quotes.",
            ),
            click.option(
                "--base-url", metavar="URL", help="Address of any OpenAI-compatible or Ollama server."
            ),
        ]
    ):
        command = option(command)
    return command


def view_options(command: CommandT) -> CommandT:
    """Add the flags that say how a session is shown."""
    for option in reversed(
        [
            click.option(
                "--json", "as_json", is_flag=True, help="Events as JSON lines on stdout, words on stderr."
            ),
            click.option(
                "--plain", is_flag=True, help="Plain lines, also on a terminal (NO_COLOR is honoured too)."
            ),
        ]
    ):
        command = option(command)
    return command


def out_options(command: CommandT) -> CommandT:
    """Add the flags that say where results are written."""
    folder = click.Path(file_okay=True, path_type=Path)
    for option in reversed(
        [
            click.option("--out", type=folder, metavar="DIR", help="Folder for the results."),
            click.option("--force", is_flag=True, help="Write also over another session's files."),
        ]
    ):
        command = option(command)
    return command
