"""The base of everything that happens: one frozen model an event, told apart by its `kind`."""

from pydantic import BaseModel, ConfigDict


class Event(BaseModel):
    """One thing that happened.

    Each room defines its own events in its `events.py`, with `kind` narrowed to a literal;
    `roundtable.journal.events` joins them into one discriminated union. Events carry ids and small values;
    page text stays in the store.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    kind: str
