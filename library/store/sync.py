"""Collections of documents: walking folders, reading what is new or changed, dropping what is gone."""

import hashlib
import os
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path

from library.errors import LibraryError, ReadError
from library.evidence import Source
from library.readers.reader import READABLE
from library.store.store import Held, HeldFile, Store

_FILES_A_TRANSACTION = 500
_NAME = re.compile(r"[^\W_](?:[\w.-]{0,62}[^\W_])?")

ReadFile = Callable[[Path, str], Source]
"""Reads a file: its path, and when it was last changed (ISO 8601). Raises ReadError."""


@dataclass(frozen=True, slots=True)
class Unread:
    """A file that could not be read."""

    path: str
    reason: str
    """One line that names the file."""


@dataclass(slots=True)
class SyncReport:
    """What a synchronization found, in numbers of files."""

    added: int = 0
    changed: int = 0
    removed: int = 0
    unchanged: int = 0
    warnings: list[Unread] = field(default_factory=list)


def check_name(name: str) -> None:
    """Raise LibraryError for a name that could be mistaken for a path or typed wrongly."""
    if not _NAME.fullmatch(name):
        raise LibraryError(
            f"{name!r} is no name for a collection; use up to 64 letters, digits, '-', '_' and '.'"
        )


def derived_name(path: Path) -> str:
    """Return the name of an unnamed collection: the path's last part and a hash of the whole, resolved."""
    resolved = path.resolve()
    stem = re.sub(r"[^\w.-]+", "-", resolved.name).strip("-._")[:40] or "docs"
    return f"{stem}-{hashlib.sha256(str(resolved).encode('utf-8', 'surrogateescape')).hexdigest()[:8]}"


def sync(
    store: Store, name: str, paths: Sequence[Path], read: ReadFile, *, description: str = ""
) -> tuple[Held, SyncReport]:
    """Bring a collection up to date with files and folders, made if it is not there.

    A file is read again only when its size or time of change differ and its bytes do too.

    Raises:
        ReadError: nothing at the paths can be read; the message says why.
        LibraryError: a path does not exist.
    """
    resolved = [path.resolve() for path in paths]
    for path, real in zip(paths, resolved, strict=True):
        if not real.exists():
            raise LibraryError(f"{path}: there is no such file or folder")
    files = list(dict.fromkeys(file for path in resolved for file in walk(path)))
    if not files:
        endings = ", ".join(sorted(READABLE))
        raise ReadError(f"{_listed(paths)}: nothing there that can be read; looked for {endings}")
    report = SyncReport()
    line = description or f"Documents in {_listed(resolved)}"
    held = store.make_collection(name, line, map(str, resolved))
    known = store.files(held)
    present = {str(file) for file in files}
    for start in range(0, len(files), _FILES_A_TRANSACTION):
        with store.writing():
            for file in files[start : start + _FILES_A_TRANSACTION]:
                _sync_file(store, held, file, known.get(str(file)), read, report)
    gone = sorted(set(known) - present)
    if gone:
        with store.writing():
            for lost in gone:
                store.remove_file(held, lost)
        report.removed += len(gone)
    if not store.files(held):
        raise ReadError(f"{_listed(paths)}: nothing there can be read; {report.warnings[0].reason}")
    fresh = store.collection(name)
    assert fresh is not None
    return fresh, report


def walk(path: Path) -> Iterator[Path]:
    """Yield a file, or the readable files under a folder in order, without hidden ones and loops of links."""
    if not path.is_dir():
        yield path
        return
    yield from _walk(path, {path.resolve()})


def _walk(folder: Path, above: set[Path]) -> Iterator[Path]:
    try:
        entries = sorted(os.scandir(folder), key=lambda entry: entry.name)
    except OSError:
        return  # a folder that may not be listed is like an empty one
    for entry in entries:
        if entry.name.startswith("."):
            continue
        path = Path(entry.path)
        if entry.is_dir():
            real = path.resolve()
            if real not in above:
                yield from _walk(path, above | {real})
        elif path.suffix.lower() in READABLE and entry.is_file():
            yield path


def _sync_file(
    store: Store, held: Held, file: Path, known: HeldFile | None, read: ReadFile, report: SyncReport
) -> None:
    try:
        stat = file.stat()
        if known and (known.size, known.modified) == (stat.st_size, stat.st_mtime_ns):
            report.unchanged += 1
            return
        digest = hashlib.sha256(file.read_bytes()).hexdigest()
        if known and known.digest == digest:
            touched = HeldFile(known.path, stat.st_size, stat.st_mtime_ns, digest, known.sha256)
            store.put_file(held, touched, None)
            report.unchanged += 1
            return
        changed = datetime.fromtimestamp(stat.st_mtime, UTC).isoformat(timespec="seconds")
        source = read(file, changed)
    except (OSError, ReadError) as error:
        reason = str(error) if isinstance(error, ReadError) else f"{file}: {error.strerror or error}"
        report.warnings.append(Unread(str(file), reason))
        if known:  # what it held is no longer what it says
            store.remove_file(held, known.path)
        return
    store.put_file(held, HeldFile(str(file), stat.st_size, stat.st_mtime_ns, digest, source.sha256), source)
    if known:
        report.changed += 1
    else:
        report.added += 1


def _listed(paths: Sequence[Path]) -> str:
    return ", ".join(map(str, paths))
