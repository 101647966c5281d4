"""Every text that was read, once, with its passages, its urls and what catalogues say of it.

One SQLite file in WAL mode: several processes may read and write it, and a killed one leaves it whole.
"""

import json
import sqlite3
from collections import OrderedDict
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from threading import RLock
from types import TracebackType
from typing import Self

from pydantic import TypeAdapter

from library.errors import StoreError
from library.evidence import Passage, Source, Work
from library.store.cutting.text_cutting import CutText, cut
from library.store.schema import connect, trouble

_WORK = TypeAdapter(Work)
_TOLD = ("url", "title", "author", "published", "retrieved", "private", "pages", "work")
"""What is told of a text at a place of its own."""
_KEPT_CHARACTERS = 20_000_000
"""Of source texts that are kept in memory, the last used ones."""


@dataclass(frozen=True, slots=True)
class Reading:
    """A text as it stood at a url."""

    url: str
    sha256: str
    first: str
    """When it was found there first; ISO 8601, UTC, in milliseconds, as the journal counts."""
    last: str
    """When it was found there last."""


@dataclass(frozen=True, slots=True)
class KnownText:
    """A text that is kept, without its words."""

    sha256: str
    url: str
    """Under which it was read first."""
    title: str
    characters: int
    private: bool
    read: str
    """When it was found there last; ISO 8601, UTC."""


class TextStore:
    """Texts and their passages in one file; it may be shared by threads. Every failure is a StoreError."""

    def __init__(self, path: Path, clock: Callable[[], datetime] = lambda: datetime.now(UTC)) -> None:
        """Open the file, made if it is not there; `clock` tells when texts are read."""
        self.path = path
        self._clock = clock
        self._connection = connect(path)
        self._lock = RLock()
        self._depth = 0
        self._sources: OrderedDict[str, Source] = OrderedDict()
        self._kept = 0
        self._analysed: tuple[str, list[str]] = ("", [])
        """The terms of each passage of the source that was added last, joined: it is mostly indexed next."""

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

    def add(
        self,
        source: Source,
        made: CutText | None = None,
        *,
        named: bool = True,
        heard: bool = False,
        place: str = "",
    ) -> list[Passage]:
        """Keep a source and return its passages. A text that is there already is not kept twice.

        A text keeps the url and title that it was first read under; its other urls lead to it as well. What
        is told of it at another place is kept for that place: several people may share a store, and whoever
        is the first to bring a text does not say what it is for the others.

        Args:
            source: The text, with what is known of it.
            made: The source cut already; None: it is done here.
            named: Whether its url leads to it.
            heard: Others say where it is from and what it is, a bundle say: of a text that is here that
                changes nothing, and it is given up when the text is read here.
            place: Where it was read: the path of a file; empty for its url, where a page was fetched.
        """
        with self.writing():
            made = self.keep_text(source, made, named=named, heard=heard, place=place)
            if made is None:
                return self.passages(source.sha256)
        return [source.passage(start, end) for start, end in made.spans]

    def keep_text(
        self,
        source: Source,
        made: CutText | None = None,
        *,
        named: bool = True,
        heard: bool = False,
        place: str = "",
    ) -> CutText | None:
        """Keep a source as `add` does; return how it was cut, None for a text that was there already."""
        place = place or ("" if source.private or heard else source.url)
        with self.writing() as connection:
            held = self.source(source.sha256)
            if held is not None and not heard:
                held = self._read_here(held, source)
            if held is None:
                row = (source.sha256, source.url, source.title, source.text, source.author, source.published)
                rest = (source.retrieved, source.private, json.dumps(source.pages))
                connection.execute("INSERT INTO sources VALUES (?,?,?,?,?,?,?,?,?)", row + rest)
                if heard:
                    connection.execute("INSERT INTO heard VALUES (?)", (source.sha256,))
                made = made or cut(source)
                self._analysed = (source.sha256, made.terms)
                connection.executemany(
                    'INSERT INTO passages (sha256, start, "end", terms) VALUES (?,?,?,?)',
                    [
                        (source.sha256, start, end, len(terms.split()))
                        for (start, end), terms in zip(made.spans, made.terms, strict=True)
                    ],
                )
            elif place:
                self._tell(held, source, place)
            elif source.private and not held.private:
                connection.execute("UPDATE sources SET private = 1 WHERE sha256 = ?", (source.sha256,))
                self._forget()
            if named:
                self.alias(source.url, source.sha256)
            if source.work is not None and (held is None or not (heard or place)):
                self.describe(source.sha256, source.work)
            return made if held is None else None

    def _read_here(self, held: Source, source: Source) -> Source:
        """Let what was only heard of a text give way to how it was read here; return how it stands now."""
        with self.writing() as connection:
            if not connection.execute("DELETE FROM heard WHERE sha256 = ?", (held.sha256,)).rowcount:
                return held
            connection.execute("DELETE FROM works WHERE sha256 = ?", (held.sha256,))
            connection.execute(
                "UPDATE sources SET url = ?, title = ?, author = ?, published = ?, retrieved = ?, pages = ?"
                " WHERE sha256 = ?",
                (source.url, source.title, source.author, source.published, source.retrieved,
                 json.dumps(source.pages), held.sha256),
            )  # fmt: skip
            self._forget()
            return self.source(held.sha256) or held

    def _tell(self, held: Source, source: Source, place: str) -> None:
        """Keep what is told of a text at a place, where that is not what is told of it anyway."""
        with self.writing() as connection:
            connection.execute("DELETE FROM told WHERE sha256 = ? AND place = ?", (held.sha256, place))
            told = {name: getattr(source, name) for name in _TOLD}
            if _named(replace(held, **told)) != replace(held, retrieved=source.retrieved):
                told["work"] = source.work and asdict(source.work)
                row = (held.sha256, place, json.dumps(told))
                connection.execute("INSERT INTO told VALUES (?,?,?)", row)

    def tell_again(self, sha256: str, place: str, value: str) -> None:
        """Keep what a row of another store tells of a text at a place; nothing where it cannot be read."""
        held = self.source(sha256)
        try:
            source = held and _with(held, value)
        except (ValueError, TypeError, KeyError, RecursionError):
            return
        if held is not None and source is not None and (source.sha256, source.text) == (sha256, held.text):
            self._tell(held, source, place)

    def describe(self, sha256: str, work: Work, place: str = "") -> None:
        """Keep what a catalogue says of a source; said again, it replaces what was said.

        Args:
            sha256: Of its text.
            work: What is said.
            place: Where the text was read that it is said of: the url of a page, the path of a file. Of
                another place it says nothing. Empty: of every one.
        """
        with self.writing() as connection:
            held = self.source(sha256)
            there = self.source(sha256, [place]) if place else None
            if held and there and (there != held or held.url not in (place, _address(place))):
                self._tell(held, replace(there, work=work), place)
                return
            row = (sha256, json.dumps(asdict(work)))
            connection.execute("INSERT OR REPLACE INTO works VALUES (?,?)", row)
            self._forget()

    def alias(self, url: str, sha256: str) -> None:
        """Note that a url, such as one that redirects, leads to a source."""
        with self.writing() as connection:
            connection.execute("INSERT OR REPLACE INTO urls VALUES (?,?)", (url, sha256))
            now = self._clock().astimezone(UTC).isoformat(timespec="milliseconds")
            connection.execute(
                "INSERT INTO readings VALUES (?,?,?,?) ON CONFLICT DO UPDATE SET last = excluded.last",
                (url, sha256, now, now),
            )

    def readings(self, *, url: str = "", sha256: str = "") -> list[Reading]:
        """Return which texts stood at a url, or where a text stood, the newest last.

        What a version before has read is not told.
        """
        with self.reading() as connection:
            rows = connection.execute(
                "SELECT url, sha256, first, last FROM readings WHERE url = ? OR sha256 = ?"
                " ORDER BY last, first",
                (url, sha256),
            )
            return [Reading(*row) for row in rows]

    def source(self, sha256: str, places: Sequence[str] = ()) -> Source | None:
        """Return a source by the hash of its text, None when it is not here.

        `places`: where it was read; it is told as it is told there, the first of them that tells anything.
        """
        if places:
            return self._as_told(self.source(sha256), places)
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
            source = _named(
                Source(sha, url, title, text, author, published, retrieved, bool(private), known, work)
            )
            self._keep(source)
            return source

    def _as_told(self, held: Source | None, places: Sequence[str]) -> Source | None:
        """Return a source as it is told at the first of some places that tells anything of it."""
        if held is None:
            return None
        with self.reading() as connection:
            for place in places:
                sql = "SELECT value FROM told WHERE sha256 = ? AND place = ?"
                if row := connection.execute(sql, (held.sha256, place)).fetchone():
                    return _named(_with(held, row[0]))
        return held

    def find(self, url: str) -> Source | None:
        """Return the source that was last read at a url, under that url; None when there is none."""
        with self.reading() as connection:
            row = connection.execute("SELECT sha256 FROM urls WHERE url = ?", (url,)).fetchone()
            source = self.source(row[0], [url]) if row else None
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

    def known(self) -> list[KnownText]:
        """Return all texts, the one that was read last first."""
        with self.reading() as connection:
            rows = connection.execute(
                "SELECT sha256, url, title, length(text), private, coalesce((SELECT max(last) FROM readings"
                " WHERE readings.sha256 = sources.sha256), retrieved) AS read FROM sources"
                " ORDER BY read DESC, url"
            )
            return [KnownText(s, u, t, n, bool(private), read) for s, u, t, n, private, read in rows]

    def forget(self, sha256: str) -> None:
        """Drop a text for good, with its passages and all that is known of it; no collection may hold it."""
        with self.writing() as connection:
            for table in ("sources", "urls", "passages", "works", "readings", "heard", "told"):
                connection.execute(f"DELETE FROM {table} WHERE sha256 = ?", (sha256,))  # noqa: S608 - the tables are ours  # nosec B608
            self._forget()

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


def _named(source: Source) -> Source:
    """Return a source by its title and date in a catalogue, where that has them.

    A person's own list knows better than what a file says of itself.
    """
    work = source.work
    if work is None or not (work.title or work.issued):
        return source
    return replace(source, title=work.title or source.title, published=work.issued or source.published)


def _with(held: Source, value: str) -> Source:
    """Return a source with what a row tells of it. Raises what a row that is none leads to."""
    told = json.loads(value)
    work = told["work"] and _WORK.validate_python(told["work"])
    return replace(held, **(told | {"pages": tuple(told["pages"]), "work": work}))


def _address(path: str) -> str:
    """Return the address of a file; what is no absolute path is its own."""
    return Path(path).as_uri() if Path(path).is_absolute() else path
