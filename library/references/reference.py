"""A reference as documents: its abstract and notes as a text of their own, its files where they lie.

What the manager says of it (authors, journal, DOI, date) is kept with each text, and goes from there into
every bibliography.
"""

import json
import os
import re
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from hashlib import sha256
from html import unescape
from pathlib import Path

from library.errors import ReadError
from library.evidence import Work
from library.readers.file_bytes import shown_path
from library.readers.file_kinds import READABLE, ending_of
from library.store.attached_text import AttachedTo
from library.store.store import Held, Store

_BREAK = re.compile(r"<(?:br|/p|/li|/h[1-6]|/div|/blockquote|/tr)\b[^<>]{0,200}>", re.IGNORECASE)
_MARKUP = re.compile(r"<[^<>]{0,2000}>")
_NAME = re.compile(r"[^A-Za-z0-9_-]+")
_LONGEST = 60
_ATTACHED = ".attached.json"
"""What is known of works by the paths of their files; hidden, so that no folder is read with it."""


@dataclass(frozen=True, slots=True)
class CollectedReference:
    """What a reference manager holds of one work."""

    key: str
    """What the manager knows it by; unique in one collection."""
    work: Work
    """With its title, and its date of publication where that is known."""
    url: str = ""
    abstract: str = ""
    notes: tuple[str, ...] = ()
    """The person's own, as HTML or plain text."""
    tags: tuple[str, ...] = ()
    files: tuple[Path, ...] = ()
    """Attached to it, where they lie."""

    @property
    def address(self) -> str:
        """Where the work is found: by its DOI, else at its address."""
        return f"https://doi.org/{self.work.doi}" if self.work.doi else self.url

    @property
    def is_readable(self) -> bool:
        """Whether anything of it can be read: an abstract, a note, a file that is here."""
        return bool(self.markdown()) or any(file.is_file() for file in self.files)

    @property
    def main_file(self) -> Path | None:
        """The file that is the work's text: the first PDF, else the first that can be read; None for none."""
        readable = [file for file in self.files if ending_of(file) in READABLE and file.is_file()]
        return next((file for file in readable if ending_of(file) == ".pdf"), next(iter(readable), None))

    @property
    def text(self) -> str:
        """Its abstract and notes, in paragraphs; empty when it has neither."""
        return "\n\n".join(text for each in (self.abstract, *self.notes) if (text := _plain(each)))

    def attached(self) -> AttachedTo:
        """Return what a file of it is known as."""
        tags = f"\n\nTags: {', '.join(self.tags)}" if self.text and self.tags else ""
        return AttachedTo(
            url=self.address, title=self.work.title, author="; ".join(self.work.authors),
            date=self.work.issued, text=self.text + tags, work=self.work,
        )  # fmt: skip

    @property
    def file_name(self) -> str:
        """The name of its text's file: different for different works, whatever writing their keys are in."""
        if not _NAME.search(self.key) and 0 < len(self.key) <= _LONGEST:
            return f"{self.key}.md"
        told = f"{self.key}\n{self.address}\n{self.work.title}"
        name = _NAME.sub("-", self.key)[:_LONGEST].strip("-") or "reference"
        return f"{name}-{sha256(told.encode('utf-8', 'replace')).hexdigest()[:8]}.md"

    def markdown(self) -> str:
        """Return its abstract and notes as a document; empty when it has neither."""
        if not self.text:
            return ""
        said = {
            "url": self.address, "title": self.work.title, "author": "; ".join(self.work.authors),
            "date": self.work.issued, "tags": list(self.tags),
        }  # fmt: skip
        head = [f"{name}: {json.dumps(value)}" for name, value in said.items() if value]
        return "\n".join(["---", *head, "---", "", self.text, ""])


def lay_out(references: Sequence[CollectedReference], folder: Path) -> list[Path]:
    """Write what is to be read of references into a folder of ours; return the paths to be indexed.

    A work with a file is that file, and what is known of it is kept for when that is read (`attached_in`);
    of another one a text is written. Texts of references that are no more are removed. Files stay where they
    lie.

    Raises:
        ReadError: the folder cannot be written to; what it held before is whole.
    """
    try:
        return _laid_out(references, folder)
    except OSError as error:
        raise ReadError(f"cannot write to {folder}: {error.strerror or error}") from error


def _laid_out(references: Sequence[CollectedReference], folder: Path) -> list[Path]:
    folder.mkdir(parents=True, exist_ok=True)
    written: set[Path] = set()
    attached: dict[str, AttachedTo] = {}
    for reference in references:
        if (main := reference.main_file) is not None:
            attached.setdefault(shown_path(main.resolve()), reference.attached())
        elif text := reference.markdown():
            path = folder / reference.file_name
            data = text.encode("utf-8", "replace")
            if not path.exists() or path.read_bytes() != data:
                _write_whole(path, data)
            written.add(path)
    for path in folder.glob("*.md"):
        if path not in written:
            path.unlink(missing_ok=True)
    kept = {path: asdict(told) for path, told in attached.items()}
    _write_whole(folder / _ATTACHED, json.dumps(kept).encode())
    files = dict.fromkeys(file for reference in references for file in reference.files if file.is_file())
    return [*([folder] if written else []), *files]


def _write_whole(path: Path, data: bytes) -> None:
    """Write a file beside its place, then move it there: it is never half there."""
    unfinished = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        unfinished.write_bytes(data)
        unfinished.replace(path)
    except OSError:
        unfinished.unlink(missing_ok=True)
        raise


def attached_in(folder: Path) -> dict[str, AttachedTo]:
    """Return what was kept of works by the paths of their files, where references were laid out.

    Raises ReadError when it cannot be read, or is damaged: told apart, for what is whole must not be removed.
    """
    path = folder / _ATTACHED
    try:
        kept = json.loads(path.read_text(encoding="utf-8"))
        return {str(file): AttachedTo.from_json(told) for file, told in kept.items()}
    except FileNotFoundError:
        return {}
    except OSError as error:
        raise ReadError(f"{path} cannot be read: {error.strerror or error}") from error
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        raise ReadError(f"{path} is damaged: remove it, and add the references again") from error


def describe(store: Store, held: Held, references: Sequence[CollectedReference], folder: Path) -> None:
    """Keep with each text of a collection what the manager says of the work that it is."""
    files = store.files(held)
    with store.writing():
        for reference in references:
            for path in (folder / reference.file_name, *reference.files):
                if file := files.get(str(path.resolve())):
                    before = store.source(file.sha256, [file.path])
                    became = before.work if before is not None and before.work is not None else reference.work
                    work = replace(reference.work, retracted=became.retracted, corrected=became.corrected)
                    store.describe(file.sha256, work, file.path)


def _plain(text: str) -> str:
    """Return a note as plain text, a paragraph for each block."""
    lines = unescape(_MARKUP.sub("", _BREAK.sub("\n\n", text))).split("\n")
    return "\n".join(" ".join(line.split()) for line in lines).strip()
