"""Collections of documents: walking folders, reading what is new or changed, dropping what is gone."""

import hashlib
import os
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from itertools import chain
from pathlib import Path
from typing import Protocol

from library.errors import LibraryError, ReadError
from library.evidence import Source
from library.readers.file_bytes import shown_path
from library.readers.file_kinds import READABLE
from library.store.attached_text import AttachedTo, is_stamped, read_attached, stamped
from library.store.collection_description import describe_by_headings, is_made
from library.store.cutting.page_furniture import FolderFurniture
from library.store.cutting.text_cutting import CutText, WorkDoer, cut, cut_elsewhere
from library.store.folder_walk import Unread, walk
from library.store.store import Held, HeldFile, Store

_FILES_AT_ONCE = 64
"""Read side by side and committed together: what is lost when it is stopped."""

_FILES_A_JOB = 8
"""Whose texts a worker process cuts at one time."""
_MANY = 200
"""New files from which on worker processes cut their texts too: starting one takes a while."""

Progress = Callable[[int, int], None]
"""Is told how many files have been looked at and how many there are; what it raises stops the work."""
_LONGEST = (1 << 63) - 1
"""Nanoseconds, the most that the store can hold; a disk can hold later times."""
_NAME = re.compile(r"[^\W_](?:[\w.-]{0,62}[^\W_])?")


class FileReader(Protocol):
    """Reads files within its bounds; both raise ReadError."""

    @property
    def side_by_side(self) -> int:
        """How many files it can read at the same time."""

    @property
    def reads_pictures(self) -> bool:
        """Whether it reads pictures too."""

    @property
    def names_unread(self) -> bool:
        """Whether whoever has a folder read wants to know each file of a kind that is not read."""

    def missed(self, sha256: str) -> str:
        """Return what of a text that it read is missing, and why; '' where nothing is."""

    def file_bytes(self, path: Path) -> bytes:
        """Return what is in a file."""

    def read_file_bytes(self, data: bytes, path: Path, retrieved: str = "") -> Source:
        """Return the source that it is; `retrieved` is when it was last changed (ISO 8601)."""


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


def is_unnamed(held: Held) -> bool:
    """Tell whether a collection was made for a folder or file that was given by its path."""
    return len(held.paths) == 1 and derived_name(Path(held.paths[0])) == held.name


def sync(
    store: Store,
    name: str,
    paths: Sequence[Path],
    reader: FileReader,
    *,
    walked: Sequence[Path] | None = None,
    description: str = "",
    made: str = "",
    follow_links: bool | None = None,
    own_notes: bool | None = None,
    attached: Mapping[str, AttachedTo] | None = None,
    progress: Progress | None = None,
) -> tuple[Held, SyncReport]:
    """Bring a collection up to date with files and folders, made if it is not there.

    A file is read again only when its size or time of change differ and its bytes do too. Files are read
    side by side, as many as the reader has worker processes, and kept in their order. When it is stopped,
    what was read so far stays, and the next time goes on from there.

    Args:
        store: Where it is kept.
        name: The collection's.
        paths: Files and folders.
        reader: Reads a file; what it refuses is left out, and told.
        walked: What is read instead of the paths, where some of those stand for other files; None: the paths.
        description: For people and models; empty: as somebody wrote it, else made of paths and headings.
        made: What a description that is made begins with; empty: the paths.
        follow_links: Whether links in a folder may lead out of it; None: as when it was last said.
        own_notes: Whether files that sessions wrote are read too; None: as when it was last said.
        attached: Of files that are texts of works, what is known of these, by the files' paths without links.
        progress: Is told now and then; None: nobody wants to know.

    Raises:
        ReadError: nothing at the paths can be read; the message says why.
        LibraryError: a path does not exist.
    """
    resolved = [_existing(path) for path in paths]
    roots = resolved if walked is None else [_existing(path) for path in walked]
    report = SyncReport()
    links = _kept_choice(store, f"follow_links:{name}", follow_links)
    own = _kept_choice(store, f"own_notes:{name}", own_notes)
    files: dict[str, Path] = {}
    for path in roots:
        for found in walk(
            path, follow_links=links, pictures=reader.reads_pictures, own_notes=own,
            names_unread=reader.names_unread,
        ):  # fmt: skip
            if isinstance(found, Unread):
                report.warnings.append(found)
            else:
                files.setdefault(shown_path(found), found)
    whole = {shown_path(path) for path in roots}
    if not files and all(unread.path in whole for unread in report.warnings):
        endings = ", ".join(sorted(READABLE))
        there = f"{report.warnings[0].reason}; " if report.warnings else ""
        raise ReadError(f"{there}{_listed(paths)}: nothing there that can be read; looked for {endings}")
    begun = made or f"Documents in {_listed(resolved)}"
    before = store.collection(name)
    known_as = before.description if before is not None else ""
    elsewhere = f"Documents in {_listed([Path(path) for path in before.paths])}" if before is not None else ""
    stays = is_made(known_as, begun) or not is_made(known_as, elsewhere)
    line = description or (known_as if known_as and stays else begun)
    held = store.make_collection(name, line, map(str, resolved))
    known = store.files(held)
    found_files = [_Found(shown, file, (attached or {}).get(shown)) for shown, file in files.items()]
    _take_in(store, held, found_files, known, reader, report, progress)
    gone = sorted(set(known) - set(files))
    if gone:
        with store.writing():
            for lost in gone:
                store.remove_file(held, lost)
        report.removed += len(gone)
    if not store.files(held):
        if before is None:  # what never held anything is not in lists
            store.drop_collection(name)
        raise ReadError(f"{_listed(paths)}: nothing there can be read; {report.warnings[0].reason}")
    fresh = store.collection(name)
    assert fresh is not None
    if not description and (line == begun or report.added or report.changed or report.removed):
        fresh = describe_by_headings(store, fresh, begun)
    return fresh, report


def _existing(path: Path) -> Path:
    """Return a path that is there, links in it resolved. Raises LibraryError."""
    try:
        real = path.resolve(strict=True)
        str(real).encode()
    except UnicodeEncodeError:
        raise LibraryError(f"{shown_path(path)}: its name is not UTF-8; give it another") from None
    except FileNotFoundError:
        raise LibraryError(f"{shown_path(path)}: there is no such file or folder") from None
    except (OSError, RuntimeError) as error:
        raise LibraryError(f"{shown_path(path)}: {getattr(error, 'strerror', None) or error}") from error
    return real


def _kept_choice(store: Store, key: str, said: bool | None) -> bool:
    """Return what was chosen for a collection (`follow_links:NAME`), and keep it when it is said."""
    if said is None:
        with store.reading() as connection:
            row = connection.execute("SELECT 1 FROM library_meta WHERE name = ?", (key,)).fetchone()
        return row is not None
    with store.writing() as connection:
        if said:
            connection.execute("INSERT OR REPLACE INTO library_meta VALUES (?, 'yes')", (key,))
        else:
            connection.execute("DELETE FROM library_meta WHERE name = ?", (key,))
    return said


def _take_in(
    store: Store,
    held: Held,
    files: Sequence["_Found"],
    known: Mapping[str, HeldFile],
    reader: FileReader,
    report: SyncReport,
    progress: Progress | None,
) -> None:
    """Look at files and take in what is new or changed."""
    many = len(files) - len(known) >= _MANY
    workers = reader if many and isinstance(reader, WorkDoer) else None
    furniture = FolderFurniture(file.path for file in files)
    by_path = {file.path: file for file in files}
    read: dict[str, _LookedAt] = {}
    seen = _Seen(len(files), progress)

    def look(file: _Found) -> _LookedAt:
        return read.pop(file.shown, None) or _looked_at(file, known.get(file.shown), reader)

    with ThreadPoolExecutor(reader.side_by_side, thread_name_prefix="documents") as threads:

        def begun(start: int) -> Iterator[_LookedAt]:
            some = files[start : start + _FILES_AT_ONCE]
            for file in some:
                folders = furniture.unlearnt(file.path)
                if not folders:
                    continue
                if _is_as_before(file, known.get(file.shown)):
                    read[file.shown] = _LookedAt(file.shown)  # the disk is asked once
                    continue
                for folder in folders:
                    pages = [by_path[path] for path in furniture.sample(folder, file.path)]
                    sample = list(seen.each(threads.map(look, pages)))
                    texts = _texts(store, sample, known)
                    furniture.learn(folder, texts, _cut_before(store, texts))
                    read.update({page.shown: page for page in sample})
            # With worker processes some at a time: each job costs, however short its text is.
            step = _FILES_A_JOB if workers is not None else 1
            jobs = [some[first : first + step] for first in range(0, len(some), step)]
            done = threads.map(lambda job: _cut([*map(look, job)], job, furniture, workers), jobs)
            return chain.from_iterable(done)

        try:
            ahead = begun(0)
            for start in range(0, len(files), _FILES_AT_ONCE):
                looked: list[_LookedAt] = []
                try:
                    looked.extend(seen.each(ahead))
                    ahead = begun(start + _FILES_AT_ONCE)  # the next are looked at while these are kept
                finally:  # also where it is stopped
                    with store.writing():
                        for file in looked:
                            _keep(store, held, file, known.get(file.shown), report)
        except BaseException:
            threads.shutdown(wait=False, cancel_futures=True)
            raise


@dataclass(frozen=True, slots=True)
class _Found:
    """A file that is to be looked at."""

    shown: str
    path: Path
    attached: AttachedTo | None
    """The work that it is the text of, where a reference manager says so."""


@dataclass(frozen=True, slots=True)
class _LookedAt:
    """What a file is found to be."""

    shown: str
    held: HeldFile | None = None
    """As it is now; None when it is as before, or could not be read."""
    source: Source | None = None
    """What was read in it; None when its bytes are those of before."""
    unread: str = ""
    """Why it could not be read."""
    missed: str = ""
    """What of it could not be read, and why."""
    made: CutText | None = None
    """The source as it is indexed, where that is done already."""


class _Seen:
    """Tells how many of all files were looked at, from the first moment on; no file counts twice."""

    def __init__(self, of: int, progress: Progress | None) -> None:
        self._files: set[str] = set()
        self._of, self._progress = of, progress
        if progress is not None and of:
            progress(0, of)

    def each(self, some: Iterable[_LookedAt]) -> Iterator[_LookedAt]:
        """Return files one after another, and tell of each when the next is asked for."""
        for file in some:
            yield file
            self._files.add(file.shown)
            if self._progress is not None:
                self._progress(len(self._files), self._of)


def _is_as_before(found: _Found, known: HeldFile | None) -> bool:
    """Whether a file's size and time of change are those of before, so that it need not be read."""
    if known is None or not is_stamped(known.digest, found.attached):
        return False
    try:
        return (known.size, known.modified) == _state(found.path.stat())
    except OSError:
        return False


def _state(stat: os.stat_result) -> tuple[int, int]:
    """Return a file's size and time of change as the store keeps them."""
    return stat.st_size, max(-_LONGEST, min(stat.st_mtime_ns, _LONGEST))


def _texts(store: Store, pages: Sequence[_LookedAt], known: Mapping[str, HeldFile]) -> dict[str, str]:
    """Return the texts of pages by their sha256: as they were read now, or are kept."""
    texts: dict[str, str] = {}
    for page in pages:
        held = known.get(page.shown)
        source = page.source
        if source is None and held is not None and not page.unread:
            source = store.source(held.sha256)
        if source is not None:
            texts[source.sha256] = source.text
    return texts


def _cut_before(store: Store, texts: Iterable[str]) -> dict[str, list[tuple[int, int]]]:
    """Return the spans of the passages of texts (by sha256) that are kept, which are not cut again."""
    kept = [sha256 for sha256 in texts if store.source(sha256) is not None]
    return {sha256: [(p.start, p.end) for p in store.passages(sha256)] for sha256 in kept}


def _cut(
    looked: Sequence[_LookedAt], found: Sequence[_Found], furniture: FolderFurniture, workers: WorkDoer | None
) -> list[_LookedAt]:
    """Cut what was read into passages; without worker processes only a page that has furniture."""
    read = [
        (number, each.source, furniture.own_parts(file.path, each.source))
        for number, (each, file) in enumerate(zip(looked, found, strict=True))
        if each.source is not None
    ]
    cuts: list[CutText | None] = [None] * len(read)
    if workers is not None:
        cuts = cut_elsewhere([(source, parts) for _, source, parts in read], workers)
    done = list(looked)
    for (number, source, parts), made in zip(read, cuts, strict=True):
        done[number] = replace(done[number], made=made or (cut(source, parts) if parts else None))
    return done


def _looked_at(found: _Found, known: HeldFile | None, reader: FileReader) -> _LookedAt:
    shown, file, attached = found.shown, found.path, found.attached
    try:
        if _is_as_before(found, known):
            return _LookedAt(shown)
        stat = file.stat()
        modified = _state(stat)[1]
        data = reader.file_bytes(file)
        digest = stamped(hashlib.sha256(data).hexdigest(), attached)
        if known and known.digest == digest:
            return _LookedAt(shown, HeldFile(known.path, stat.st_size, modified, digest, known.sha256))
        source, missed = read_attached(
            lambda: reader.read_file_bytes(data, file, _changed(stat.st_mtime)), reader.missed, attached, file
        )
        if missed:  # the next time it is read again
            again = HeldFile(shown, -1, -1, "", source.sha256)
            return _LookedAt(shown, again, source, missed=missed)
        held = HeldFile(shown, stat.st_size, modified, digest, source.sha256)
        return _LookedAt(shown, held, source)
    except (OSError, ReadError) as error:
        reason = str(error) if isinstance(error, ReadError) else f"{shown}: {error.strerror or error}"
        return _LookedAt(shown, unread=reason)


def _keep(store: Store, held: Held, file: _LookedAt, known: HeldFile | None, report: SyncReport) -> None:
    if file.unread:
        report.warnings.append(Unread(file.shown, file.unread))
        if known:  # what it held is no longer what it says
            store.remove_file(held, known.path)
        return
    if file.missed:
        report.warnings.append(Unread(file.shown, f"{file.shown}: {file.missed}"))
    if file.held is not None:
        store.put_file(held, file.held, file.source, file.made)
    if file.source is None:
        report.unchanged += 1
    elif known:
        report.changed += 1
    else:
        report.added += 1


def _changed(seconds: float) -> str:
    """Return a file's time of change; a disk may hold one that no calendar has."""
    try:
        return datetime.fromtimestamp(seconds, UTC).isoformat(timespec="seconds")
    except (ValueError, OverflowError, OSError):
        return ""


def _listed(paths: Sequence[Path]) -> str:
    return ", ".join(map(shown_path, paths))
