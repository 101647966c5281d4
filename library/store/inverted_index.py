"""A collection's inverted index: an FTS5 table fed with our own terms, read back as arrays.

FTS5 keeps the index (incremental, safe in a crash); searching and scoring are ours (`library.store.postings`,
`library.search.passage_search`), because FTS5 cannot weigh the words of a query. The table is contentless:
the terms of a passage can always be had from its text again.
"""

import sqlite3
from collections.abc import Iterator, Sequence

import numpy as np

from library.store.postings import Counted, Postings

_AT_ONCE = 500_000
"""Occurrences of terms that are read at one time: what that takes of memory is given back."""


def create(connection: sqlite3.Connection, collection: int) -> None:
    """Make the index of a collection."""
    connection.execute(
        f"CREATE VIRTUAL TABLE index_{collection} USING fts5"
        "(terms, content='', columnsize=0, tokenize=\"ascii tokenchars '.'\")"
    )
    for kind in ("row", "instance"):
        connection.execute(
            f"CREATE VIRTUAL TABLE index_{collection}_{kind} USING fts5vocab(index_{collection}, {kind})"
        )
    connection.execute(f"CREATE TABLE index_{collection}_members (id INTEGER PRIMARY KEY)")


def drop(connection: sqlite3.Connection, collection: int) -> None:
    """Remove the index of a collection."""
    for suffix in ("_row", "_instance", "", "_members"):
        connection.execute(f"DROP TABLE index_{collection}{suffix}")


def add(connection: sqlite3.Connection, collection: int, rows: Sequence[tuple[int, str]]) -> None:
    """Add passages: their row ids with their terms, joined by spaces."""
    connection.executemany(f"INSERT INTO index_{collection} (rowid, terms) VALUES (?,?)", rows)  # noqa: S608 - a collection is known by a number  # nosec B608
    members = [(number,) for number, _ in rows]
    connection.executemany(f"INSERT INTO index_{collection}_members VALUES (?)", members)  # noqa: S608 - a collection is known by a number  # nosec B608


def remove(connection: sqlite3.Connection, collection: int, rows: Sequence[tuple[int, str]]) -> None:
    """Remove passages, given with the same terms as when they were added."""
    connection.executemany(
        f"INSERT INTO index_{collection} (index_{collection}, rowid, terms) VALUES ('delete',?,?)",  # noqa: S608 - a collection is known by a number  # nosec B608
        rows,
    )
    members = [(number,) for number, _ in rows]
    connection.executemany(f"DELETE FROM index_{collection}_members WHERE id = ?", members)  # noqa: S608 - a collection is known by a number  # nosec B608


def gather(connection: sqlite3.Connection, collection: int) -> Postings:
    """Return all that the index holds, as arrays."""
    sql = (
        f"SELECT p.id, p.terms FROM index_{collection}_members m JOIN passages p ON p.id = m.id"  # noqa: S608 - a collection is known by a number  # nosec B608
        " ORDER BY p.id"
    )
    # Row by row: a list of all of them takes many times as much.
    members = np.fromiter(connection.execute(sql), dtype=[("id", np.int64), ("terms", np.int32)])
    ids, lengths = members["id"].copy(), members["terms"].copy()
    size = connection.execute(f"SELECT coalesce(sum(doc), 0) FROM index_{collection}_row").fetchone()[0]  # noqa: S608 - a collection is known by a number  # nosec B608
    return Postings.gathered(ids, lengths, _parts(connection, collection), size)


def _parts(connection: sqlite3.Connection, collection: int) -> Iterator[tuple[Counted, str]]:
    """Yield the terms in order, some at a time, with the row ids of where they occur."""
    # Joined by SQLite: a row of Python's for each occurrence of a term takes ten times as long.
    occurrences = f"SELECT group_concat(doc) FROM index_{collection}_instance WHERE term BETWEEN ? AND ?"  # noqa: S608 - a collection is known by a number  # nosec B608
    part: Counted = []
    size = 0
    for term, count in connection.execute(f"SELECT term, cnt FROM index_{collection}_row").fetchall():  # noqa: S608 - a collection is known by a number  # nosec B608
        part.append((term, count))
        size += count
        if size >= _AT_ONCE:
            yield part, connection.execute(occurrences, (part[0][0], term)).fetchone()[0]
            part, size = [], 0
    if part:
        yield part, connection.execute(occurrences, (part[0][0], part[-1][0])).fetchone()[0]
