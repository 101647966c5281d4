"""Settings of versions before: what names one that has gone is still read, and says what to use instead.

Configuration files, the environment, and the settings that a session was started with may all name it. A name
that has gone is never given to another setting.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class GoneSetting:
    """What became of a setting."""

    instead: str
    """What does its work now, as the rest of a sentence; with `moved_to` it may be empty."""
    moved_to: str = ""
    """Name of the setting that takes its value, with dots; empty: the value is let go."""


GONE: Mapping[str, GoneSetting] = {
    "agents.prompt_passages": GoneSetting(
        "agents.passage_tokens says how much of the passages stands in a prompt"
    ),
}
"""By the name, with dots."""
_DEEPEST = 8
"""Tables within tables; what is nested deeper holds no setting."""


def gone_name(name: str) -> str:
    """Return what became of a setting, to stand behind its name; empty for one that has not gone."""
    gone = GONE.get(name)
    if gone is None:
        return ""
    moved = f"it is {gone.moved_to} now" if gone.moved_to else "it has gone"
    return ": " + "; ".join(filter(None, [moved, gone.instead]))


def renamed(values: Mapping[str, Any]) -> tuple[dict[str, Any], list[str]]:
    """Return settings under today's names, and a line for each that has gone.

    Args:
        values: Nested as the settings are; not changed. A value under a new name wins over one under its old.
    """
    today, lines = _copied(values, _DEEPEST), []
    for name in GONE:
        *tables, key = name.split(".")
        table = _table(today, tables)
        if table is None or key not in table:
            continue
        value = table.pop(key)
        lines.append(f"{name}{gone_name(name)}")
        if target := GONE[name].moved_to:
            *tables, key = target.split(".")
            _table(today, tables, make=True).setdefault(key, value)  # type: ignore[union-attr]
    return today, lines


def _copied(values: Mapping[str, Any], deep: int) -> dict[str, Any]:
    return {
        key: _copied(value, deep - 1) if deep and isinstance(value, Mapping) else value
        for key, value in values.items()
    }


def _table(values: dict[str, Any], path: list[str], *, make: bool = False) -> dict[str, Any] | None:
    """Return the table at a path of keys; None where there is none."""
    for part in path:
        inner = values.setdefault(part, {}) if make else values.get(part)
        if not isinstance(inner, dict):
            return None
        values = inner
    return values
