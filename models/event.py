"""The base of everything that happens: one frozen model an event, told apart by its `kind`."""

from pydantic import BaseModel, ConfigDict


class Frozen(BaseModel):
    """A value that is checked when it is made, takes no name it does not know, and never changes."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class Event(Frozen):
    """One thing that happened.

    Each room defines its own events in its `events.py`, with `kind` narrowed to a literal;
    `roundtable.journal.events` joins them into one discriminated union. Events carry ids and small values;
    page text stays in the store.
    """

    kind: str
