"""The store: all texts, and the collections that hold documents.

Each collection has an FTS5 index of its own, fed with our own terms (`library.index`), so that a collection's
answers depend on its own documents alone.
"""

import json
import logging
import secrets
import sqlite3
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from library.errors import StoreError
from library.evidence import Source, fingerprint, on_the_web
from library.store import engine_rows
from library.store import inverted_index as index
from library.store.cutting.text_cutting import CutText, passage_terms
from library.store.engine_rows import EnginePlace
from library.store.postings import ENDING, Postings, sweep
from library.store.text_store import TextStore
from library.text import tokenize as analysis

IMPORTED = "imported"
"""A folder beside the store, with the documents of sessions that were taken in from bundles."""

_LOG = logging.getLogger(__name__)

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
    indexed: EnginePlace | None = None
    """The engine that indexes it; None for the store's own index."""


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


class Store(TextStore):
    """The store in one file; it may be shared by threads. Every failure is a StoreError."""

    def __init__(self, path: Path, clock: Callable[[], datetime] = lambda: datetime.now(UTC)) -> None:
        """Open the file, made if it is not there; `clock` tells when texts are read."""
        super().__init__(path, clock)
        self._postings: dict[int, tuple[int, Postings]] = {}
        """By collection: the state that they are of, and the postings."""

    def collections(self) -> list[Held]:
        """Return all collections by name."""
        with self.reading() as connection:
            rows = connection.execute(
                "SELECT id, name, description, private, paths, generation, engine, place, attached, owner"
                " FROM collections LEFT JOIN engines ON engines.collection = id ORDER BY name"
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
        indexed: EnginePlace | None = None
        with self.writing() as connection:
            held = self.collection(name)
            if held is not None and self._analysis_of(held.id) != _analysis():
                indexed = held.indexed
                self.drop_collection(name)
                held = None
            if held is None:
                cursor = connection.execute(
                    "INSERT INTO collections (name, description, private, paths, analysis, generation)"
                    " VALUES (?,?,?,?,?,0)",
                    (name, description, private, listed, _analysis()),
                )
                index.create(connection, int(cursor.lastrowid or 0))
                if indexed is not None:
                    engine_rows.keep_place(connection, int(cursor.lastrowid or 0), indexed)
            elif (held.description, list(held.paths)) != (description, json.loads(listed)):
                connection.execute(
                    "UPDATE collections SET description = ?, paths = ? WHERE id = ?",
                    (description, listed, held.id),
                )
            made = self.collection(name)
            assert made is not None
            return made

    def index_elsewhere(self, collection: Held, place: EnginePlace) -> Held:
        """Have an engine index a collection that holds nothing yet."""
        with self.writing() as connection:
            engine_rows.keep_place(connection, collection.id, place)
        return replace(collection, indexed=place)

    def drop_collection(self, name: str) -> bool:
        """Remove a collection; say whether there was one. The texts stay: sessions may cite them."""
        with self.writing() as connection:
            held = self.collection(name)
            if held is None:
                return False
            index.drop(connection, held.id)
            for table in ("files", "sites", "site_pages"):
                connection.execute(f"DELETE FROM {table} WHERE collection = ?", (held.id,))  # noqa: S608 - the tables are ours  # nosec B608
            engine_rows.forget(connection, held.id)
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

    def put_file(
        self, collection: Held, file: HeldFile, source: Source | None, made: CutText | None = None
    ) -> None:
        """Note a file of a collection; with a source, that is kept and indexed in place of what it held.

        `made` is the source cut already; None: that is done here, where it is needed.
        """
        with self.writing() as connection:
            before = connection.execute(
                "SELECT sha256 FROM files WHERE collection = ? AND path = ?", (collection.id, file.path)
            ).fetchone()
            # Documents that came with a bundle are what it says of them.
            heard = IMPORTED in file.path and Path(file.path).is_relative_to(
                self.path.absolute().parent / IMPORTED
            )
            if source is not None and not self._members(collection, source.sha256):
                self.keep_text(source, made, heard=heard, place=file.path)
                self._enter(collection, source.sha256)
            elif source is not None:
                self.keep_text(source, heard=heard, place=file.path)
            connection.execute(
                "INSERT OR REPLACE INTO files VALUES (?,?,?,?,?,?)",
                (collection.id, file.path, file.size, file.modified, file.digest, file.sha256),
            )
            if before and before[0] != file.sha256:
                self._leave(collection, before[0])
            if source is not None:
                self._count_change(collection)

    def index_text(self, collection: Held, sha256: str) -> None:
        """Take a text that is kept already into a collection, under its own hash; it is not read again."""
        with self.writing() as connection:
            if not self._members(collection, sha256):
                self._enter(collection, sha256)
            connection.execute(
                "INSERT OR REPLACE INTO files VALUES (?,?,?,?,?,?)",
                (collection.id, sha256, 0, 0, sha256, sha256),
            )
            self._count_change(collection)

    def take_in(self, collection: Held, source: Source, made: CutText) -> None:
        """Keep a text that an engine holds for a collection: its own index is told nothing of it.

        Others may write where the engine keeps it, so it is held to be private, and stands for no page of
        the web, nor for what is known at its address already.

        Raises:
            StoreError: the text is not what its hash says.
        """
        if fingerprint(source.text) != source.sha256:
            raise StoreError(f"{collection.name} holds a text that is not what its hash says: {source.url}")
        with self.writing() as connection:
            known = on_the_web(source.url) or self.find(source.url) is not None
            self.add(replace(source, private=True), made, named=not known, heard=True)
            row = (collection.id, source.sha256, 0, 0, source.sha256, source.sha256)
            connection.execute("INSERT OR IGNORE INTO files VALUES (?,?,?,?,?,?)", row)

    def holding(self, sha256: str) -> list[Held]:
        """Return the collections that hold a text."""
        with self.reading() as connection:
            rows = connection.execute("SELECT collection FROM files WHERE sha256 = ?", (sha256,)).fetchall()
        ids = {row[0] for row in rows}
        return [held for held in self.collections() if held.id in ids]

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
        sql = (
            f"SELECT p.id, p.sha256 FROM index_{collection.id}_members m JOIN passages p ON p.id = m.id"  # noqa: S608 - a collection is known by a number  # nosec B608
            " ORDER BY p.id"
        )
        numbers: dict[str, int] = {}
        found = np.zeros(len(postings.ids), dtype=np.int32)
        place = 0
        with self.reading() as connection:
            for number, sha256 in connection.execute(sql):  # row by row: all of them take many times as much
                while place < len(found) and postings.ids[place] < number:  # it has gone since
                    found[place] = numbers.setdefault("", len(numbers))
                    place += 1
                if place < len(found) and postings.ids[place] == number:
                    found[place] = numbers.setdefault(sha256, len(numbers))
                    place += 1
        found[place:] = numbers.setdefault("", len(numbers)) if place < len(found) else 0
        return found

    def file_paths(self, collection: Held, sha256: str) -> list[str]:
        """Return the files of a collection that hold a text, by name."""
        with self.reading() as connection:
            rows = connection.execute(
                "SELECT path FROM files WHERE collection = ? AND sha256 = ? ORDER BY path",
                (collection.id, sha256),
            )
            return [row[0] for row in rows]

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

    def _members(self, collection: Held, sha256: str) -> int:
        sql = "SELECT count(*) FROM files WHERE collection = ? AND sha256 = ?"
        return int(self._connection.execute(sql, (collection.id, sha256)).fetchone()[0])

    def _rows(self, sha256: str) -> list[tuple[int, str]]:
        """Return a source's passages as they are indexed: row ids, and terms joined by spaces."""
        sql = "SELECT id FROM passages WHERE sha256 = ? ORDER BY start"
        ids = [row[0] for row in self._connection.execute(sql, (sha256,))]
        if self._analysed[0] != sha256:
            self._analysed = (sha256, [" ".join(passage_terms(p)) for p in self.passages(sha256)])
        return list(zip(ids, self._analysed[1], strict=True))

    def _enter(self, collection: Held, sha256: str) -> None:
        """Take a source into a collection's index; one that an engine keeps is told of it later."""
        rows = self._rows(sha256)
        if engine_rows.place_of(self._connection, collection.id) is None:
            index.add(self._connection, collection.id, rows)
        else:
            engine_rows.note(self._connection, collection.id, sha256, [terms for _, terms in rows])

    def _leave(self, collection: Held, sha256: str) -> None:
        """Take a source out of a collection's index when no file of the collection holds it any longer."""
        if self._members(collection, sha256):
            return
        if engine_rows.place_of(self._connection, collection.id) is None:
            index.remove(self._connection, collection.id, self._rows(sha256))
        else:
            engine_rows.note(self._connection, collection.id, sha256, None)

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
    number, name, description, private, paths, generation, engine, place, attached, owner = row
    indexed = None if engine is None else EnginePlace(str(engine), str(place), bool(attached), str(owner))
    return Held(
        int(str(number)),
        str(name),
        str(description),
        bool(private),
        tuple(json.loads(str(paths))),
        int(str(generation)),
        indexed,
    )
