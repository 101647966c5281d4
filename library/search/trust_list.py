"""What a person thinks of sources: which are preferred, which are doubted, which are never used.

It is the person's word and no measure of truth: it settles what is read and shown first, what is shown only
where room is left and told as doubted, and what is not used at all.
"""

import re
from collections.abc import Sequence
from typing import get_args
from urllib.parse import unquote, urlsplit

from pydantic import Field, field_validator

from library.claims.standing.source_weight import SourceKind, kind_of
from library.evidence import Source, Trust
from library.search.search_scope import as_site, lies_in
from models import Frozen

_KINDS = tuple(kind for kind in get_args(SourceKind) if kind)
_ENTRY = re.compile(r"(kind|collection|folder):(.+)", re.DOTALL)


class TrustList(Frozen):
    """Each entry is a host (`example.org`, `example.org/part`), `kind:forum` or `collection:NAME`.

    What is said of a host or a collection wins over what is said of a kind; of entries alike `never` wins
    over `doubt`, and that over `prefer`.
    """

    prefer: tuple[str, ...] = Field(default=(), max_length=1_000)
    """Read and shown first, where several fit."""
    doubt: tuple[str, ...] = Field(default=(), max_length=1_000)
    """Shown only where room is left, and told as doubted; an answer that rests on such alone is asked again
    for a second source."""
    never: tuple[str, ...] = Field(default=(), max_length=1_000)
    """Not used."""

    @field_validator("prefer", "doubt", "never")
    @classmethod
    def _entries(cls, entries: tuple[str, ...]) -> tuple[str, ...]:
        return tuple(dict.fromkeys(map(_entry, entries)))

    def __bool__(self) -> bool:
        """Tell whether anything is said."""
        return bool(self.prefer or self.doubt or self.never)

    @property
    def names_folders(self) -> bool:
        """Whether something is said of collections."""
        return any(entry.startswith("folder:") for entry in (*self.prefer, *self.doubt, *self.never))

    def joined(self, other: "TrustList") -> "TrustList":
        """Return what both say together."""
        return TrustList(
            prefer=(*self.prefer, *other.prefer),
            doubt=(*self.doubt, *other.doubt),
            never=(*self.never, *other.never),
        )

    def of_url(self, url: str, kind: str = "") -> Trust:
        """Return what is thought of a source, by its address and what is known of its kind."""
        words: Sequence[tuple[Trust, tuple[str, ...]]] = (
            ("never", self.never), ("doubt", self.doubt), ("prefer", self.prefer),
        )  # fmt: skip
        for word, entries in words:
            if any(_holds(entry, url) for entry in entries):
                return word
        return next((word for word, entries in words if kind and f"kind:{kind}" in entries), "")

    def of_source(self, source: Source) -> Trust:
        """Return what is thought of a source that was read."""
        return self.of_url(source.url, kind_of(source.url, source.work))


def _entry(text: str) -> str:
    """Return an entry as it is compared. Raises ValueError."""
    found = _ENTRY.fullmatch(text.strip())
    if found is None:
        return as_site(text)
    if found[1] == "kind" and found[2] not in _KINDS:
        raise ValueError(f"'{text}': there is no such kind; there are: {', '.join(_KINDS)}")
    return text.strip()


def _holds(entry: str, url: str) -> bool:
    if entry.startswith("folder:"):
        if not url.startswith("file:"):
            return False  # and may be no address at all
        path, folder = unquote(urlsplit(url).path), entry.removeprefix("folder:")
        return path == folder or path.startswith(folder.rstrip("/") + "/")
    return _ENTRY.match(entry) is None and lies_in(url, entry)
