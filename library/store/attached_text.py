"""A file that a reference manager holds as the text of a work: one source, known as the manager knows it.

The work's abstract and notes stand before the file's own text, unless they stand in it already, and before
its first page. A file that cannot be read leaves them as all that is known of the work.
"""

import re
from collections.abc import Callable, Mapping
from dataclasses import astuple, dataclass, replace
from hashlib import sha256
from pathlib import Path
from typing import Any, Self

from library.errors import ReadError
from library.evidence import Source, Work, fingerprint
from library.readers.file_bytes import shown_path

_MARK = "+"
"""Between the digest of a file and that of what is attached to it."""
_COMPARED = 200
"""Letters at the start of a paragraph by which it is known in a text."""
_UNLETTERED = re.compile(r"[\W_]+")


@dataclass(frozen=True, slots=True)
class AttachedTo:
    """The work that a file is the text of; empty for what is not known."""

    url: str = ""
    title: str = ""
    author: str = ""
    date: str = ""
    text: str = ""
    """Its abstract and notes, in paragraphs."""
    work: Work | None = None
    """What the manager says of it."""

    @classmethod
    def from_json(cls, told: Mapping[str, Any]) -> Self:
        """Return what `dataclasses.asdict` made of one, and JSON of that. Raises TypeError, KeyError."""
        work = told["work"]
        return cls(**{**told, "work": Work(**{**work, "authors": tuple(work["authors"])}) if work else None})

    def stamped(self, digest: str) -> str:
        """Return the digest of a file together with this."""
        told = "\n".join(map(str, astuple(self))).encode("utf-8", "replace")
        return f"{digest}{_MARK}{sha256(told).hexdigest()[:16]}"

    def joined(self, source: Source) -> Source:
        """Return the source that a file was read as, as the work that it is the text of."""
        there = _letters(source.text)
        told = [part for part in self.text.split("\n\n") if _letters(part)[:_COMPARED] not in there]
        before = "".join(f"{part}\n\n" for part in told)
        text = before + source.text
        return self._named(source, text, tuple(start + len(before) for start in source.pages))

    def alone(self, url: str) -> Source | None:
        """Return what is known of the work without its file, which lies at `url`; None when nothing is."""
        empty = Source("", url, "", "", private=True)
        return self._named(empty, self.text, ()) if self.text else None

    def _named(self, source: Source, text: str, pages: tuple[int, ...]) -> Source:
        return replace(
            source,
            sha256=fingerprint(text),
            text=text,
            pages=pages,
            work=self.work or source.work,
            url=self.url or source.url,
            title=self.title or source.title,
            author=self.author or source.author,
            published=self.date or source.published,
        )


def stamped(digest: str, attached: AttachedTo | None) -> str:
    """Return what a file is known by: its bytes' digest, and what is attached to it."""
    return digest if attached is None else attached.stamped(digest)


def is_stamped(known: str, attached: AttachedTo | None) -> bool:
    """Tell whether a file was read with what is attached to it now, by what it is known by."""
    return known == stamped(known.partition(_MARK)[0], attached)


def read_attached(
    read: Callable[[], Source], missed: Callable[[str], str], attached: AttachedTo | None, file: Path
) -> tuple[Source, str]:
    """Read a file as the work that it is the text of; say what of it could not be read, '' for nothing.

    Args:
        read: Reads the file. Raises ReadError.
        missed: Tells of the hash of a text that was read what of it is missing.
        attached: The work; None for a file that is none's.
        file: Where it lies.

    Raises:
        ReadError: it cannot be read, and nothing else is known of the work.
    """
    try:
        source = read()
    except ReadError as error:
        alone = attached.alone(file.absolute().as_uri()) if attached is not None else None
        if alone is None:
            raise
        reason = str(error).removeprefix(f"{shown_path(file)}: ")
        return alone, f"{reason}; its abstract and notes are read instead"
    return (source if attached is None else attached.joined(source)), missed(source.sha256)


def _letters(text: str) -> str:
    return _UNLETTERED.sub("", text).casefold()
