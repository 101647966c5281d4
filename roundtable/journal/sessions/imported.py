"""What an imported session may bring of its settings: next to nothing.

A bundle is data that a stranger may have made. Going on with its session acts on this machine: with its keys,
its documents and its money. So servers, models, prices, budgets, tools, places and paths are those of this
machine, whatever the bundle says; the discussion's language comes along, and that it was kept offline. What
it was run with elsewhere is kept beside it, is shown, and is taken when a person names it.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from agents import TurnTaken
from roundtable.config.acting_settings import leaves
from roundtable.config.config import Settings, joined, load_settings, unresolved
from roundtable.config.errors import InputError
from roundtable.journal.events import Commanded, Recorded
from roundtable.journal.fold.user_controls import UserControls


def settings_here(brought: Mapping[str, Any], here: Settings, docs: Sequence[str]) -> dict[str, Any]:
    """Return the settings of an imported session: this machine's, its own documents, its language.

    Args:
        brought: The settings that it was run with elsewhere.
        here: This machine's.
        docs: The texts that came with it, as they are kept here.
    """
    own = unresolved(here)
    own["docs"] = list(docs)
    own["offline"] = here.offline or brought.get("offline") is True
    if isinstance(language := brought.get("language"), str):
        own["language"] = language
    return own


def differing(brought: Mapping[str, Any], own: Mapping[str, Any]) -> dict[str, Any]:
    """Return what a session brought and is not in force here, by dotted name: `models.base_url`."""
    here = dict(leaves(own))
    return {name: value for name, value in leaves(brought) if name in here and here[name] != value}


def taken(own: Mapping[str, Any], brought: Mapping[str, Any], names: Sequence[str]) -> dict[str, Any]:
    """Return settings with those that a person takes over by name, a room (`models`) or one setting.

    Raises:
        InputError: the session brought nothing of that name.
    """
    values: dict[str, Any] = dict(own)
    if not names:
        return values
    for wanted in names:
        found = {name: value for name, value in brought.items() if f"{name}.".startswith(f"{wanted}.")}
        if not found:
            there = ", ".join(sorted(brought)) or "nothing"
            raise InputError(f"--use-imported {wanted}: the session brought no such setting, but {there}")
        for name, value in found.items():
            values = joined(values, _nested(name.split("."), value))
    return unresolved(load_settings(values, environment={}))


def unheard(events: Sequence[Recorded]) -> list[str]:
    """Return the ids of commands that wait in a session: a stranger's wishes are not carried out here."""
    controls = UserControls()
    for recorded in events:
        controls.fold(recorded.event)
    return list(controls.waiting)


def unsigned(recorded: Recorded) -> Recorded:
    """Return an event without the name of the person who spoke or asked for something."""
    match recorded.event:
        case Commanded() as asked if asked.person:
            return recorded.model_copy(update={"event": asked.model_copy(update={"person": ""})})
        case TurnTaken(turn=turn) as taken if turn.person:
            told = taken.model_copy(update={"turn": turn.model_copy(update={"person": ""})})
            return recorded.model_copy(update={"event": told})
        case _:
            return recorded


def _nested(path: Sequence[str], value: Any) -> dict[str, Any]:
    for part in reversed(path):
        value = {part: value}
    assert isinstance(value, dict)
    return value
