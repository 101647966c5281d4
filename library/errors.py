"""What can go wrong when something is looked for or read, as one tree.

LibraryError
├── SearchError      a backend failed or answered nonsense
├── FetchError       a page could not be had, or may not be
├── ReadError        a file or page could not be read as text
├── EngineError      an engine that indexes a collection cannot be had, asked or fed
└── StoreError       the store cannot be opened, read or written
    └── StoreTooNew  a later version of the program wrote it: that is no damage
"""


class LibraryError(Exception):
    """The root of this room's errors; the message is one line that says what is wrong and what to do."""


class SearchError(LibraryError):
    """A search backend failed."""


class FetchError(LibraryError):
    """A page could not be fetched, or a rule forbids it."""


class ReadError(LibraryError):
    """A file or page could not be turned into text."""


class EngineError(LibraryError):
    """An engine that indexes a collection cannot be used."""


class StoreError(LibraryError):
    """The store cannot be used."""


class StoreTooNew(StoreError):
    """A later version of the program wrote the store: that is no damage."""
