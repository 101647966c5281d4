"""What a list says of a session: counts over its events, and whose id is near to what somebody typed."""

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from models import Event

_NEAR = 0.75
"""How near: two of the eight characters of an id may be others."""
_MODERATOR = "moderator"
"""Slug of the moderator, whose room is not loaded for a list of sessions."""


def turns_of(events: "Iterable[Event]") -> int:
    """Count the table's turns as `State.counted` does: without a person's words, and what answers them."""
    told: list[Any] = list(events)
    taken = [event.turn for event in told if event.kind == "turn_taken" and not event.besides]
    failed = [event.speaker for event in told if event.kind == "turn_failed"]
    return len([turn for turn in taken if turn.role != "person"]) + len(failed) - failed.count(_MODERATOR)


def sentences_of(events: "Iterable[Event]") -> int | None:
    """Count the sentences of the last report among some events; None where there is none."""
    written: list[Any] = [event for event in events if event.kind == "report_written"]
    return written[-1].report.summary.sentences if written else None


def near_ids(typed: str, ids: Sequence[str]) -> list[str]:
    """Return `last`, or up to three sessions whose ids begin nearly as what was typed, the nearest first."""
    from difflib import get_close_matches  # not for a list

    begun = {identity[: len(typed)]: identity for identity in reversed(ids)} | {"last": "last"}
    return [begun[one] for one in get_close_matches(typed.casefold(), begun, n=3, cutoff=_NEAR)]
