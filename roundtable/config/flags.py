"""What is asked for when a session begins, from a command or the page, as the settings that it stands for."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from roundtable.config.errors import InputError

FLAGS = {
    "depth": ("depth",),
    "docs": ("docs",),
    "follow_links": ("library", "read", "follow_links"),
    "own_notes": ("library", "read", "own_notes"),
    "verbose": ("library", "read", "names_unread"),
    "search": ("search",),
    "offline": ("offline",),
    "site": ("library", "search", "scope", "sites"),
    "not_site": ("library", "search", "scope", "not_sites"),
    "since": ("library", "search", "scope", "since"),
    "until": ("library", "search", "scope", "until"),
    "kind": ("library", "search", "scope", "kinds"),
    "language": ("language",),
    "model": ("models", "model"),
    "base_url": ("models", "base_url"),
    "roles": ("models", "roles"),
    "style": ("reports", "style"),
    "words": ("reports", "words"),
    "experts": ("agents", "experts"),
    "turns": ("moderator", "turns"),
    "budget": ("moderator", "budget"),
    "allow_provider": ("agents", "allow_providers"),
}
"""Where in the settings each flag's value goes."""


def flag_of(path: Sequence[int | str]) -> str:
    """Return the name of the flag, without its dashes, that sets a setting or what is in it; '' for none."""
    for flag, place in FLAGS.items():
        if tuple(path[: len(place)]) == place:
            return flag.replace("_", "-")
    return ""


def is_file(text: str) -> bool:
    """Tell whether what was given for an expert is a file with an agent's configuration."""
    return text.endswith(".json") or Path(text).is_file()


def seat_of(text: str) -> dict[str, str]:
    """Read `NAME: FOCUS @ MODEL`, where `at URL` may follow, as an expert's seat; focus or model may lack.

    Raises:
        InputError: it is neither, nor a file.
    """
    who, _, voice = text.rpartition(" @ ") if " @ " in text else (text, "", "")
    name, _, focus = who.partition(":")
    model, _, url = voice.strip().partition(" at ")
    if not name.strip() or not (focus.strip() or model.strip()):
        raise InputError(
            f'--expert {text!r}: give a FILE.json, or "NAME: FOCUS", "NAME: FOCUS @ MODEL" '
            'or "NAME: FOCUS @ MODEL at URL"'
        )
    values = {"name": name, "focus": focus, "model": model, "base_url": url}
    return {key: value.strip() for key, value in values.items() if value.strip()}


def given_settings(flags: dict[str, Any]) -> dict[str, Any]:
    """Return the values of the flags that were given, nested as the settings are."""
    nested: dict[str, Any] = {}
    if flags.get("web"):
        flags = {**flags, "search": tuple(dict.fromkeys(["web", *(flags.get("search") or ())]))}
    for flag, path in FLAGS.items():
        value = flags.get(flag)
        if value is None or value in ((), {}) or value is False:
            continue
        inside = nested
        for part in path[:-1]:
            inside = inside.setdefault(part, {})
        inside[path[-1]] = list(value) if isinstance(value, tuple) else value
    if seats := [seat_of(text) for text in flags.get("invited") or () if not is_file(text)]:
        nested.setdefault("agents", {})["seats"] = seats
    if flags.get("cache") is not None:
        nested.setdefault("models", {})["cache"] = "on" if flags["cache"] else "off"
    if flags.get("cache") is False:
        library = nested.setdefault("library", {})
        library.setdefault("search", {})["cache_minutes"] = 0
        library.setdefault("fetch", {})["cache"] = False
    return nested
