"""The store: every text that was read, once, with its passages, and the collections that hold documents.

One SQLite file in WAL mode: several processes may read and write it, and a killed one leaves it whole. Each
collection has an FTS5 index of its own, fed with our own terms (`library.index`), so that a collection's
answers depend on its own documents alone.
"""

import json
import logging
import secrets
import sqlite3
from collections import OrderedDict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from threading import RLock
from types import TracebackType
from typing import Self

import numpy as np
from numpy.typing import NDArray
from pydantic import TypeAdapter

from library.errors import StoreError
from library.evidence import Passage, Source, Work
from library.passages import chunking as passages
from library.store import inverted_index as index
from library.store.postings import ENDING, Postings, sweep
from library.store.schema import connect, trouble
from library.text import tokenize as analysis

_WORK = TypeAdapter(Work)
_LOG = logging.getLogger(__name__)

_KEPT_CHARACTERS = 20_000_000
"""Of source texts that are kept in memory, the last used ones."""
_LEAST_GENERATION = 1 << 48
"""Smaller ones were counted, not drawn, and so may stand for several states."""


@dataclass(frozen=True, slots=True)
class Held:
    """A collection as the store knows it."""

    id: int
    name: str
    description: str
    private: bool
    paths: tuple[str, ...]
    generation: int
    """A number that is drawn anew with each change of its contents: it names a state, here and elsewhere."""


@dataclass(frozen=True, slots=True)
class HeldFile:
    """A file of a collection as it was when read."""

    path: str
    size: int
    modified: int
    """Nanoseconds."""
    digest: str
    """SHA-256 of its bytes."""
    sha256: str
    """Of the source that was read from it."""


class Store:
    """The store in one file; it may be shared by threads. Every failure is a StoreError."""

    def __init__(self, path: Path) -> None:
        """Open the file, made if it is not there."""
        self.path = path
        self._connection = connect(path)
        self._lock = RLock()
        self._depth = 0
        self._sources: OrderedDict[str, Source] = OrderedDict()
        self._kept = 0
        self._postings: dict[int, tuple[int, Postings]] = {}
        """By collection: the state that they are of, and the postings."""
        self._analysed: tuple[str, list[list[str]]] = ("", [])
        """The terms of the source that was added last: what is added is mostly indexed next."""

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Close the file."""
        with self._lock:
            self._connection.close()

    @contextmanager
    def reading(self) -> Iterator[sqlite3.Connection]:
        """Hold the connection for a while."""
        with self._lock:
            try:
                yield self._connection
            except (sqlite3.Error, UnicodeDecodeError) as error:
                raise trouble(error, self.path) from error

    @contextmanager
    def writing(self) -> Iterator[sqlite3.Connection]:
        """Hold the connection for one transaction: all of it is written, or nothing. May be nested."""
        with self.reading() as connection:
            if self._depth == 0:
                connection.execute("BEGIN IMMEDIATE")
            self._depth += 1
            try:
                yield connection
            except BaseException:
                self._depth -= 1
                if self._depth == 0 and connection.in_transaction:
                    connection.execute("ROLLBACK")
                    self._forget()
                raise
            self._depth -= 1
            if self._depth == 0:
                self._commit(connection)

    def _commit(self, connection: sqlite3.Connection) -> None:
        try:
            connection.execute("COMMIT")
        except sqlite3.Error:
            if connection.in_transaction:
                connection.execute("ROLLBACK")
            self._forget()
            raise

    # Sources and their passages

    def add(self, source: Source) -> list[Passage]:
        """Keep a source and return its passages. A text that is there already is not kept twice.

        A text keeps the url and title that it was first read under; its other urls lead to it as well.
        """
        with self.writing() as connection:
            held = self.source(source.sha256)
            if held is None:
                row = (source.sha256, source.url, source.title, source.text, source.author, source.published)
                rest = (source.retrieved, source.private, json.dumps(source.pages))
                connection.execute("INSERT INTO sources VALUES (?,?,?,?,?,?,?,?,?)", row + rest)
                found = passages.cut(source)
                self._analysed = (source.sha256, [index.terms(p) for p in found])
                connection.executemany(
                    'INSERT INTO passages (sha256, start, "end", terms) VALUES (?,?,?,?)',
                    [
                        (source.sha256, p.start, p.end, len(terms))
                        for p, terms in zip(found, self._analysed[1], strict=True)
                    ],
                )
            elif source.private and not held.private:
                connection.execute("UPDATE sources SET private = 1 WHERE sha256 = ?", (source.sha256,))
                self._forget()
            connection.execute("INSERT OR REPLACE INTO urls VALUES (?,?)", (source.url, source.sha256))
            if source.work is not None:
                self.describe(source.sha256, source.work)
            return found if held is None else self.passages(source.sha256)

    def describe(self, sha256: str, work: Work) -> None:
        """Keep what a catalogue says of a source; said again, it replaces what was said."""
        with self.writing() as connection:
            row = (sha256, json.dumps(asdict(work)))
            connection.execute("INSERT OR REPLACE INTO works VALUES (?,?)", row)
            self._forget()

    def alias(self, url: str, sha256: str) -> None:
        """Note that a url, such as one that redirects, leads to a source."""
        with self.writing() as connection:
            connection.execute("INSERT OR REPLACE INTO urls VALUES (?,?)", (url, sha256))

    def source(self, sha256: str) -> Source | None:
        """Return a source by the hash of its text, None when it is not here."""
        with self.reading() as connection:
            if sha256 in self._sources:
                self._sources.move_to_end(sha256)
                return self._sources[sha256]
            columns = "sha256, url, title, text, author, published, retrieved, private, pages"
            row = connection.execute(f"SELECT {columns} FROM sources WHERE sha256 = ?", (sha256,)).fetchone()  # noqa: S608 - the columns are ours  # nosec B608
            if row is None:
                return None
            sha, url, title, text, author, published, retrieved, private, pages = row
            known = tuple(json.loads(pages))
            said = connection.execute("SELECT value FROM works WHERE sha256 = ?", (sha256,)).fetchone()
            work = _WORK.validate_json(said[0]) if said else None
            if work is not None:  # a person's own list knows better than what a file says of itself
                title, published = work.title or title, work.issued or published
            source = Source(sha, url, title, text, author, published, retrieved, bool(private), known, work)
            self._keep(source)
            return source

    def find(self, url: str) -> Source | None:
        """Return the source that was last read at a url, under that url; None when there is none."""
        with self.reading() as connection:
            row = connection.execute("SELECT sha256 FROM urls WHERE url = ?", (url,)).fetchone()
            source = self.source(row[0]) if row else None
        return replace(source, url=url) if source and source.url != url else source

    def passages(self, sha256: str) -> list[Passage]:
        """Return the passages of a source in order. Raises StoreError when it is not here."""
        with self.reading() as connection:
            source = self.source(sha256)
            if source is None:
                raise StoreError(f"{self.path}: the text {sha256[:12]} is not in the store")
            rows = connection.execute(
                'SELECT start, "end" FROM passages WHERE sha256 = ? ORDER BY start', (sha256,)
            )
            return [source.passage(start, end) for start, end in rows]

    def passages_by_id(self, ids: Sequence[int]) -> dict[int, Passage]:
        """Return passages by their row ids; those that are gone are left out."""
        with self.reading() as connection:
            found: dict[int, Passage] = {}
            for number in ids:
                row = connection.execute(
                    'SELECT sha256, start, "end" FROM passages WHERE id = ?', (number,)
                ).fetchone()
                source = self.source(row[0]) if row else None
                if source is not None:
                    found[number] = source.passage(row[1], row[2])
            return found

    def _keep(self, source: Source) -> None:
        self._sources[source.sha256] = source
        self._kept += len(source.text)
        while self._kept > _KEPT_CHARACTERS and len(self._sources) > 1:
            _, dropped = self._sources.popitem(last=False)
            self._kept -= len(dropped.text)

    def _forget(self) -> None:
        self._sources.clear()
        self._kept = 0

    # Collections

    def collections(self) -> list[Held]:
        """Return all collections by name."""
        with self.reading() as connection:
            rows = connection.execute(
                "SELECT id, name, description, private, paths, generation FROM collections ORDER BY name"
            )
            return [_held(row) for row in rows]

    def collection(self, name: str) -> Held | None:
        """Return a collection by its name, None when there is none."""
        return next((held for held in self.collections() if held.name == name), None)

    def make_collection(
        self, name: str, description: str, paths: Iterable[str] = (), *, private: bool = True
    ) -> Held:
        """Return the collection of a name, made if it is not there; its description and paths are updated.

        A collection that was indexed by another analysis of text comes back empty, to be filled anew.
        """
        listed = json.dumps(list(paths))
        with self.writing() as connection:
            held = self.collection(name)
            if held is not None and self._analysis_of(held.id) != _analysis():
                self.drop_collection(name)
                held = None
            if held is None:
                cursor = connection.execute(
                    "INSERT INTO collections (name, description, private, paths, analysis, generation)"
                    " VALUES (?,?,?,?,?,0)",
                    (name, description, private, listed, _analysis()),
                )
                index.create(connection, int(cursor.lastrowid or 0))
            elif (held.description, list(held.paths)) != (description, json.loads(listed)):
                connection.execute(
                    "UPDATE collections SET description = ?, paths = ? WHERE id = ?",
                    (description, listed, held.id),
                )
            made = self.collection(name)
            assert made is not None
            return made

    def drop_collection(self, name: str) -> bool:
        """Remove a collection; say whether there was one. The texts stay: sessions may cite them."""
        with self.writing() as connection:
            held = self.collection(name)
            if held is None:
                return False
            index.drop(connection, held.id)
            connection.execute("DELETE FROM files WHERE collection = ?", (held.id,))
            connection.execute("DELETE FROM collections WHERE id = ?", (held.id,))
            sweep(self._postings_path(held, 0).parent, held.id)
            return True

    def files(self, collection: Held) -> dict[str, HeldFile]:
        """Return the files of a collection by path."""
        with self.reading() as connection:
            rows = connection.execute(
                "SELECT path, size, modified, digest, sha256 FROM files WHERE collection = ? ORDER BY path",
                (collection.id,),
            )
            return {row[0]: HeldFile(*row) for row in rows}

    def put_file(self, collection: Held, file: HeldFile, source: Source | None) -> None:
        """Note a file of a collection; with a source, that is kept and indexed in place of what it held."""
        with self.writing() as connection:
            before = connection.execute(
                "SELECT sha256 FROM files WHERE collection = ? AND path = ?", (collection.id, file.path)
            ).fetchone()
            if source is not None and not self._members(collection, source.sha256):
                self.add(source)
                index.add(connection, collection.id, self._rows(source.sha256))
            elif source is not None:
                self.add(source)
            connection.execute(
                "INSERT OR REPLACE INTO files VALUES (?,?,?,?,?,?)",
                (collection.id, file.path, file.size, file.modified, file.digest, file.sha256),
            )
            if before and before[0] != file.sha256:
                self._leave(collection, before[0])
            if source is not None:
                self._count_change(collection)

    def remove_file(self, collection: Held, path: str) -> None:
        """Take a file out of a collection."""
        with self.writing() as connection:
            row = connection.execute(
                "SELECT sha256 FROM files WHERE collection = ? AND path = ?", (collection.id, path)
            ).fetchone()
            if row is not None:
                connection.execute(
                    "DELETE FROM files WHERE collection = ? AND path = ?", (collection.id, path)
                )
                self._leave(collection, row[0])
                self._count_change(collection)

    def postings(self, collection: Held) -> Postings:
        """Return a collection's postings as they are now. Raises StoreError when it was removed."""
        with self.reading() as connection:
            generation = self._generation_of(collection)
            held = self._postings.get(collection.id)
            if held is None or held[0] != generation:
                if generation < _LEAST_GENERATION:  # of an earlier version's store
                    with self.writing():
                        self._count_change(collection)
                    generation = self._generation_of(collection)
                found = Postings.read(self._postings_path(collection, generation))
                held = (generation, found) if found is not None else self._gather(connection, collection)
                self._postings[collection.id] = held
            return held[1]

    def page_numbers(self, collection: Held, postings: Postings) -> NDArray[np.int32]:
        """Return for each passage of a collection's postings the number of the page it stands in, from 0."""
        sql = f"SELECT p.id, p.sha256 FROM index_{collection.id}_members m JOIN passages p ON p.id = m.id"  # noqa: S608 - a collection is known by a number  # nosec B608
        with self.reading() as connection:
            pages = dict(connection.execute(sql).fetchall())
        numbers: dict[str, int] = {}
        found = [numbers.setdefault(pages.get(int(place), ""), len(numbers)) for place in postings.ids]
        return np.array(found, dtype=np.int32)

    def _gather(self, connection: sqlite3.Connection, collection: Held) -> tuple[int, Postings]:
        """Build a collection's postings, and keep them in a file unless they may yet be taken back."""
        if self._depth:
            return self._generation_of(collection), index.gather(connection, collection.id)
        connection.execute("BEGIN")  # what another process writes meanwhile is not seen
        try:
            generation = self._generation_of(collection)
            found = index.gather(connection, collection.id)
        finally:
            connection.execute("COMMIT")
        path = self._postings_path(collection, generation)
        try:
            found.write(path)
            sweep(path.parent, collection.id, path)
        except OSError as error:
            _LOG.warning("the postings of %s are not kept: %s", collection.name, error)
        return generation, found

    def _postings_path(self, collection: Held, generation: int) -> Path:
        folder = self.path.with_name(f"{self.path.stem}-index")
        return folder / f"{collection.id}-{generation:016x}{ENDING}"

    def _generation_of(self, collection: Held) -> int:
        sql = "SELECT generation FROM collections WHERE id = ? AND name = ?"
        row = self._connection.execute(sql, (collection.id, collection.name)).fetchone()
        if row is None:
            raise StoreError(f"the collection {collection.name} was removed")
        return int(row[0])

    def document_frequency(self, collections: Sequence[Held], terms: Iterable[str]) -> Mapping[str, int]:
        """Return in how many passages of the collections each term occurs; those of none are left out."""
        wanted = list(dict.fromkeys(terms))
        found: dict[str, int] = {}
        for held in collections:
            for term, number in zip(wanted, self.postings(held).frequencies(wanted), strict=True):
                if number:
                    found[term] = found.get(term, 0) + number
        return found

    def passage_count(self, collections: Sequence[Held]) -> int:
        """Return how many passages the collections hold."""
        return sum(len(self.postings(held)) for held in collections)

    def _members(self, collection: Held, sha256: str) -> int:
        sql = "SELECT count(*) FROM files WHERE collection = ? AND sha256 = ?"
        return int(self._connection.execute(sql, (collection.id, sha256)).fetchone()[0])

    def _rows(self, sha256: str) -> list[tuple[int, str]]:
        """Return a source's passages as they are indexed: row ids, and terms joined by spaces."""
        sql = "SELECT id FROM passages WHERE sha256 = ? ORDER BY start"
        ids = [row[0] for row in self._connection.execute(sql, (sha256,))]
        if self._analysed[0] != sha256:
            self._analysed = (sha256, [index.terms(passage) for passage in self.passages(sha256)])
        return [(number, " ".join(terms)) for number, terms in zip(ids, self._analysed[1], strict=True)]

    def _leave(self, collection: Held, sha256: str) -> None:
        """Take a source out of a collection's index when no file of the collection holds it any longer."""
        if not self._members(collection, sha256):
            index.remove(self._connection, collection.id, self._rows(sha256))

    def _count_change(self, collection: Held) -> None:
        drawn = _LEAST_GENERATION + secrets.randbits(62)
        self._connection.execute("UPDATE collections SET generation = ? WHERE id = ?", (drawn, collection.id))

    def _analysis_of(self, collection: int) -> str:
        row = self._connection.execute(
            "SELECT analysis FROM collections WHERE id = ?", (collection,)
        ).fetchone()
        return str(row[0])


def _analysis() -> str:
    return str(analysis.VERSION)


def _held(row: Sequence[object]) -> Held:
    number, name, description, private, paths, generation = row
    return Held(
        int(str(number)),
        str(name),
        str(description),
        bool(private),
        tuple(json.loads(str(paths))),
        int(str(generation)),
    )
