"""What is asked for when a session begins, from a command or the page, as the settings that it stands for."""

from typing import Any

FLAGS = {
    "depth": ("depth",),
    "docs": ("docs",),
    "follow_links": ("library", "read", "follow_links"),
    "search": ("search",),
    "offline": ("offline",),
    "language": ("language",),
    "model": ("models", "model"),
    "base_url": ("models", "base_url"),
    "experts": ("agents", "experts"),
    "turns": ("moderator", "turns"),
    "budget": ("moderator", "budget"),
    "allow_provider": ("agents", "allow_providers"),
}
"""Where in the settings each flag's value goes."""


def given_settings(flags: dict[str, Any]) -> dict[str, Any]:
    """Return the values of the flags that were given, nested as the settings are."""
    nested: dict[str, Any] = {}
    for flag, path in FLAGS.items():
        value = flags.get(flag)
        if value is None or value in ((), {}) or value is False:
            continue
        inside = nested
        for part in path[:-1]:
            inside = inside.setdefault(part, {})
        inside[path[-1]] = list(value) if isinstance(value, tuple) else value
    if flags.get("cache") is not None:
        nested.setdefault("models", {})["cache"] = "on" if flags["cache"] else "off"
    if flags.get("cache") is False:
        nested.setdefault("library", {}).update({"search": {"cache_minutes": 0}, "fetch": {"cache": False}})
    return nested
