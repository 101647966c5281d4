"""A damaged store: the texts that can be read are saved into a new file, and the old one is kept beside it.

A text is saved when it is what its hash says. Indexes are not saved: collections keep their names and paths,
and are read again when they are next searched.
"""

import json
import sqlite3
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from library.errors import StoreError, StoreTooNew
from library.evidence import Source, fingerprint
from library.store.cut_file import damaged_database
from library.store.engine_rows import EnginePlace
from library.store.store import Store

_COLUMNS = ("sha256", "url", "title", "text", "author", "published", "retrieved", "private", "pages")


@dataclass(frozen=True, slots=True)
class Salvaged:
    """What was saved of a store."""

    texts: int
    lost: int
    """Texts of which something is left that cannot be read; of what is wholly gone nothing is known."""
    collections: tuple[str, ...]
    aside: Path
    """Where the damaged file is now."""


def check_store(path: Path) -> str | None:
    """Return what is wrong with a store file, None when it is sound or not there."""
    if not path.exists():
        return None
    try:
        with Store(path) as store, store.reading() as connection:
            found = str(connection.execute("PRAGMA quick_check(1)").fetchone()[0])
    except StoreTooNew:
        raise
    except StoreError as failure:
        return str(failure)
    return None if found == "ok" else found


def salvage_store(path: Path) -> Salvaged:
    """Put a new store in a damaged one's place.

    Raises:
        StoreError: the new file cannot be written; nothing is changed.
    """
    fresh = path.with_name(f"{path.name}.repaired")
    remove_database(fresh)
    texts = lost = 0
    try:
        with (
            damaged_database(path) as damaged,
            Store(fresh) as store,
        ):
            heard = {row[0] for row in _rows(damaged, "SELECT sha256 FROM heard")}
            for number in _numbers(damaged):
                source = _source(damaged, number)
                if source is None:
                    lost += 1
                    continue
                told = source.sha256 in heard
                store.add(source, named=not told, heard=told)
                texts += 1
            urls = ("SELECT url, sha256 FROM urls", "SELECT url, sha256 FROM urls ORDER BY url DESC")
            for url, digest in _rows(damaged, *urls):
                if isinstance(url, str) and isinstance(digest, str) and store.source(digest) is not None:
                    store.alias(url, digest)
            for digest, place, value in _rows(damaged, "SELECT sha256, place, value FROM told"):
                if isinstance(digest, str) and isinstance(place, str) and isinstance(value, str):
                    store.tell_again(digest, place, value)
            names = tuple(_collections(damaged, store))
        aside = free_name(path)
        for suffix in ("-wal", "-shm", ""):
            beside = path.with_name(path.name + suffix)
            if beside.exists():
                beside.rename(aside.with_name(aside.name + suffix))
        fresh.rename(path)
    except OSError as failure:
        if path.exists():  # else what was saved is all that stands near its name
            with suppress(OSError):
                remove_database(fresh)
        raise StoreError(f"cannot repair {path}: {failure.strerror or failure}") from failure
    return Salvaged(texts, lost, names, aside)


def _numbers(damaged: sqlite3.Connection) -> list[int]:
    """Return the row ids of all texts that any part of the file still names, in order."""
    queries = (
        "SELECT rowid FROM sources ORDER BY rowid",
        "SELECT rowid FROM sources ORDER BY rowid DESC",
        "SELECT rowid FROM sources INDEXED BY sqlite_autoindex_sources_1 ORDER BY sha256",
        "SELECT rowid FROM sources INDEXED BY sqlite_autoindex_sources_1 ORDER BY sha256 DESC",
    )
    return sorted({row[0] for row in _rows(damaged, *queries) if isinstance(row[0], int)})


def _source(damaged: sqlite3.Connection, number: int) -> Source | None:
    """Return a text, None when it cannot be read or is not what its hash says."""
    try:
        row = damaged.execute(
            f"SELECT {', '.join(_COLUMNS)} FROM sources NOT INDEXED WHERE rowid = ?",  # noqa: S608 - ours  # nosec B608
            (number,),
        ).fetchone()
        digest, url, title, text, author, published, retrieved, private, pages = row
        if fingerprint(text) != digest:
            return None
        known = tuple(int(page) for page in json.loads(pages))
        return Source(
            digest, str(url), str(title), text, _known(author), _known(published), str(retrieved),
            bool(private), known,
        )  # fmt: skip
    except (sqlite3.Error, ValueError, TypeError, AttributeError):
        return None


def _known(value: object) -> str | None:
    return None if value is None else str(value)


def _collections(damaged: sqlite3.Connection, store: Store) -> Iterator[str]:
    """Make the collections again, to be filled when they are next searched; yield their names."""
    damaged_engines: dict[str, list[EnginePlace]] = {}
    engines = "SELECT name, engine, place, attached, {} FROM engines JOIN collections ON id = collection"
    # A store of a version before knows no owner; of what both queries read, the last is kept.
    for name, engine, place, attached, owner in _rows(damaged, engines.format("''"), engines.format("owner")):
        indexed = EnginePlace(str(engine), str(place), bool(attached), str(owner))
        damaged_engines.setdefault(str(name), []).append(indexed)
    for name, description, private, paths in _rows(
        damaged, "SELECT name, description, private, paths FROM collections ORDER BY id"
    ):
        try:
            listed = [str(path) for path in json.loads(str(paths))]
        except ValueError:
            continue
        held = store.make_collection(str(name), str(description), listed, private=bool(private))
        for indexed in damaged_engines.get(str(name), ()):
            store.index_elsewhere(held, indexed)
        yield str(name)


def _rows(damaged: sqlite3.Connection, *queries: str) -> Iterator[tuple[object, ...]]:
    """Yield the rows of each query until one cannot be read."""
    for query in queries:
        try:
            yield from damaged.execute(query)
        except (sqlite3.Error, UnicodeDecodeError):
            continue


def remove_database(path: Path) -> None:
    """Remove a database with what SQLite keeps beside it."""
    for suffix in ("", "-wal", "-shm"):
        path.with_name(path.name + suffix).unlink(missing_ok=True)


def free_name(path: Path) -> Path:
    """Return a name beside a file that nothing has yet."""
    numbers = (path.with_name(f"{path.name}.damaged{n}") for n in range(1, 10_000))
    return next(name for name in numbers if not name.exists())
