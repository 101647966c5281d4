"""Texts that a database holds for all machines, beside the events that speak of them. A file holds none."""

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from roundtable.config.errors import JournalError
from roundtable.journal.storage.tables.journal_tables import JournalTables

if TYPE_CHECKING:  # not for listing sessions
    from library import Source
    from roundtable.journal.events import Recorded

    SourceOf = Callable[[str], Source | None]

_NEW_TEXT = "INSERT INTO texts (sha256, source) VALUES (?, ?) ON CONFLICT DO NOTHING"


class SharedTexts:
    """The texts beside the events of a database; of a file, nothing at all."""

    def __init__(self, tables: JournalTables) -> None:
        self._tables = tables
        self.source_of: SourceOf | None = None
        """Finds the texts that events speak of; None: none are put beside them."""
        self._there: set[str] = set()

    def put_named(self, events: "Sequence[Recorded]") -> None:
        """Put texts there that events speak of, in the caller's transaction.

        Raises:
            JournalError: `source_of` does not know one of them.
        """
        if self._tables.shared:
            self.put([self._text(digest) for digest in self._new(events)])

    def put(self, texts: "Sequence[Source]") -> None:
        """Put texts there, in the caller's transaction."""
        if self._tables.shared and texts:
            from roundtable.journal.storage.named_texts import source_line

            # In one order, or two sessions that share the same texts at the same time wait for each other.
            ordered = sorted(texts, key=lambda source: source.sha256)
            self._tables.change(_NEW_TEXT, [(source.sha256, source_line(source)) for source in ordered])

    def note(self, events: "Sequence[Recorded]") -> None:
        """Take note that the texts of events are there: their transaction is through."""
        if self._tables.shared:
            self._there.update(self._new(events))

    def read(self, digests: Sequence[str]) -> "list[Source]":
        """Return those of some texts that are there."""
        if not self._tables.shared or not digests:
            return []
        from roundtable.journal.storage.named_texts import read_source

        with self._tables.guarded("read"):
            found = self._tables.rows("SELECT source FROM texts WHERE sha256 = ANY(?)", (list(digests),))
        return [read_source(row[0]) for row in found]

    def _new(self, events: "Sequence[Recorded]") -> list[str]:
        """Return which texts that events speak of are not known to be there."""
        from roundtable.journal.storage.named_texts import texts_of

        return [digest for digest in texts_of(events) if digest not in self._there] if self.source_of else []

    def _text(self, digest: str) -> "Source":
        source = self.source_of(digest) if self.source_of else None
        if source is None:
            raise JournalError(f"the text {digest[:12]} is not in the store: nothing is kept that names it")
        return source
