"""Events of versions before: each is brought to today's form as it is read; the file keeps what was written.

An event is kept with the number of the format that it was written in. A new field with a default, or a new
kind of event, needs nothing here: what lacks it is read with the default. Anything else is a step in `STEPS`,
which raises the format by one (docs/architecture.md says how). What a later version wrote is refused, never
guessed at.
"""

import json
import re
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import Any

from pydantic import ValidationError

from roundtable.journal.events import AnyEvent, event_adapter

Values = dict[str, Any]
"""An event as JSON holds it."""
Upcaster = Callable[[Values], Values]
"""Returns an event's values in the next format; the kind may change, the number of events may not."""

STEPS: Sequence[Mapping[str, Upcaster]] = ()
"""From each format to the next, oldest first: upcasters by the kind that an event has before the step.

A step without upcasters is for what only a later version can read, such as a new value of a known field.
"""

_NAME = re.compile(r"[a-z][a-z0-9_]{1,40}")


class EventUnreadable(ValueError):
    """An event cannot be read; the message says why, without its place."""

    def __init__(self, message: str, *, too_new: bool) -> None:
        super().__init__(message)
        self.too_new = too_new
        """A later version wrote it: it is not damaged."""


def current_format() -> int:
    """Return the number of the format in which events are written: 1 and above."""
    return 1 + len(STEPS)


def upcast(values: Values, written: int) -> Values:
    """Return an event's values in today's form.

    Args:
        values: As they were written; not changed.
        written: The format that they were written in.
    """
    for step in STEPS[written - 1 :]:
        if change := step.get(values.get("kind", "")):
            values = change(dict(values))
    return values


def upcast_text(text: str, written: int) -> str:
    """Return an event's JSON in today's form; the very same text when nothing has changed since.

    Raises:
        EventUnreadable: a later version wrote it, or it is no JSON object.
    """
    if written == current_format():
        return text
    # A damaged file may hold anything in this column.
    if not isinstance(written, int) or written < 1:
        raise EventUnreadable(f"is of no format ({written!r:.40})", too_new=False)
    if written > current_format():
        message = f"is of format {written}, and this one reads up to {current_format()}"
        raise EventUnreadable(message, too_new=True)
    try:
        return json.dumps(upcast(json.loads(text), written))
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as failure:
        raise EventUnreadable(
            f"is no event of format {written} ({failure!r:.80})", too_new=False
        ) from failure


def read_event(text: str, written: int) -> AnyEvent:
    """Return an event as it is understood today.

    Args:
        text: Its JSON as it was written.
        written: The format that it was written in.

    Raises:
        EventUnreadable: a later version wrote it, or it is damaged.
    """
    try:
        return event_adapter.validate_json(upcast_text(text, written))
    except ValidationError as failure:
        problem = " ".join(failure.errors()[0]["msg"].split())[:160]
        if named := _later(failure):
            raise EventUnreadable(f"has {named}, unknown here", too_new=True) from failure
        raise EventUnreadable(f"is not understood ({problem})", too_new=False) from failure


def _later(failure: ValidationError) -> str:
    """Return what a later version has added, when that is all that is wrong; else an empty text."""
    found = []
    for error in failure.errors(include_url=False):
        if error["type"] == "union_tag_invalid":
            kind = error["ctx"]["tag"]
            name, what = kind, f"the kind {kind!r}"
        elif error["type"] == "extra_forbidden":
            name = str(error["loc"][-1])
            what = f"the field {'.'.join(map(str, error['loc']))!r}"
        else:
            return ""
        if not _NAME.fullmatch(name) or _spoiled(name):
            return ""
        found.append(what)
    return found[0] if found else ""


def _spoiled(name: str) -> bool:
    """Tell whether a name is a known one with one character changed: that is damage, nothing new."""
    return any(
        len(known) == len(name) and sum(a != b for a, b in zip(known, name, strict=True)) == 1
        for known in _known_names()
    )


@cache
def _known_names() -> frozenset[str]:
    """Return the kinds of events, and the fields of whatever stands in one."""
    schema = event_adapter.json_schema()
    models = schema["$defs"].values()
    kinds = schema["discriminator"]["mapping"]
    return frozenset(kinds).union(*(model.get("properties", {}) for model in models))
