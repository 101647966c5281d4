"""The base of everything that happens: one frozen model an event, told apart by its `kind`."""

from typing import Any

from pydantic import BaseModel, ConfigDict, ValidationInfo, field_validator
from pydantic_core import PydanticKnownError

_NUMBERS: frozenset[Any] = frozenset({int, float, int | None, float | None})
"""Types of fields that take a number."""


class Frozen(BaseModel):
    """A value that is checked when it is made, takes no name it does not know, and never changes."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class Given(Frozen):
    """What a person or another program set: no truth value counts as a number there, and each has an end."""

    model_config = ConfigDict(allow_inf_nan=False)

    @field_validator("*", mode="before")
    @classmethod
    def _is_number(cls, value: object, info: ValidationInfo) -> object:
        """Refuse `true`, which would be a limit of 1."""
        name = str(info.field_name)
        if isinstance(value, bool) and cls.model_fields[name].annotation in _NUMBERS:
            raise PydanticKnownError("float_type")
        return value


class Event(Frozen):
    """One thing that happened.

    Each room defines its own events in its `events.py`, with `kind` narrowed to a literal;
    `roundtable.journal.events` joins them into one discriminated union. Events carry ids and small values;
    page text stays in the store.
    """

    kind: str
