"""Collections that an engine indexes in place of our own index: which, where, and what it has yet to take.

What is put into such a collection, or goes, is noted in the same transaction as its files (an outbox). Who
feeds the engine looks at what a text is now, tells the engine, and strikes the note out where that is so
still: a process that is killed in between does it again, what changed meanwhile is told once more, and the
outcome is the same.
"""

import sqlite3
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class EnginePlace:
    """Where a collection is indexed, if not in the store itself."""

    engine: str
    """`lancedb` or `opensearch`."""
    place: str
    """A folder's path, or an address as the engine knows it: `s3://bucket/path`."""
    attached: bool = False
    """Whether somebody else feeds it: here it is only searched."""
    owner: str = field(default="", compare=False)
    """Drawn when the collection is made, and kept in the engine too: no other may write there; empty where it
    is attached."""


@dataclass(frozen=True, slots=True)
class Untold:
    """A text that an engine has yet to be told of."""

    sha256: str
    terms: tuple[str, ...] | None
    """What each of its passages is found by, joined by spaces; None where that is to be worked out again."""


def place_of(connection: sqlite3.Connection, collection: int) -> EnginePlace | None:
    """Return where a collection is indexed; None for the store's own index."""
    sql = "SELECT engine, place, attached, owner FROM engines WHERE collection = ?"
    row = connection.execute(sql, (collection,)).fetchone()
    return EnginePlace(row[0], row[1], bool(row[2]), row[3]) if row else None


def keep_place(connection: sqlite3.Connection, collection: int, place: EnginePlace) -> None:
    """Note where a collection is indexed."""
    row = (collection, place.engine, place.place, place.attached, place.owner)
    connection.execute("INSERT OR REPLACE INTO engines VALUES (?,?,?,?,?)", row)


def note(connection: sqlite3.Connection, collection: int, sha256: str, terms: Sequence[str] | None) -> None:
    """Note that a text came to a collection (with its passages' terms) or went (None)."""
    joined = "\n".join(terms) if terms else None
    connection.execute("INSERT OR REPLACE INTO untold VALUES (?,?,?)", (collection, sha256, joined))


def note_all(connection: sqlite3.Connection, collection: int, texts: Iterable[str] | None = None) -> None:
    """Note texts of a collection as if they had just come; None: all that it holds."""
    if texts is None:
        connection.execute(
            "INSERT OR IGNORE INTO untold"
            " SELECT DISTINCT collection, sha256, NULL FROM files WHERE collection = ?",
            (collection,),
        )
        return
    rows = [(collection, sha256) for sha256 in texts]
    connection.executemany("INSERT OR IGNORE INTO untold VALUES (?,?,NULL)", rows)


def untold(connection: sqlite3.Connection, collection: int, most: int) -> list[Untold]:
    """Return some of what the engine has yet to be told of, in a fixed order."""
    sql = "SELECT sha256, terms FROM untold WHERE collection = ? ORDER BY sha256 LIMIT ?"
    rows = connection.execute(sql, (collection, most))
    return [Untold(sha256, tuple(terms.split("\n")) if terms else None) for sha256, terms in rows]


def untold_count(connection: sqlite3.Connection, collection: int) -> int:
    """Return how many texts the engine has yet to be told of."""
    return int(
        connection.execute("SELECT count(*) FROM untold WHERE collection = ?", (collection,)).fetchone()[0]
    )


def held_of(connection: sqlite3.Connection, collection: int, texts: Sequence[str]) -> set[str]:
    """Return which of some texts (some hundreds, by sha256) files of a collection hold."""
    marks = ",".join("?" * len(texts))
    sql = f"SELECT DISTINCT sha256 FROM files WHERE collection = ? AND sha256 IN ({marks})"  # noqa: S608 - marks alone  # nosec B608
    return {row[0] for row in connection.execute(sql, (collection, *texts))}


def held_count(connection: sqlite3.Connection, collection: int) -> int:
    """Return how many texts the files of a collection hold."""
    sql = "SELECT count(DISTINCT sha256) FROM files WHERE collection = ?"
    return int(connection.execute(sql, (collection,)).fetchone()[0])


def strike_out(connection: sqlite3.Connection, collection: int, told: Mapping[str, bool]) -> None:
    """Note that the engine was told of texts (by sha256): whether files of the collection hold each.

    Where another process changed that since, the note stays.
    """
    rows = [(collection, sha256, held) for sha256, held in told.items()]
    connection.executemany(
        "DELETE FROM untold WHERE collection = ? AND sha256 = ? AND ? = EXISTS (SELECT 1 FROM files"
        " WHERE files.collection = untold.collection AND files.sha256 = untold.sha256)",
        rows,
    )


def forget(connection: sqlite3.Connection, collection: int) -> None:
    """Drop all that is noted of a collection."""
    for table in ("engines", "untold"):
        connection.execute(f"DELETE FROM {table} WHERE collection = ?", (collection,))  # noqa: S608 - the tables are ours  # nosec B608
