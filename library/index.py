"""A collection's inverted index: an FTS5 table fed with our own terms, read back as postings.

FTS5 keeps the index (incremental, safe in a crash); the scoring is ours (`library.local`), because FTS5
cannot weigh the words of a query. The table is contentless: the terms of a passage can always be had from
its text again.
"""

import sqlite3
from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from library import analysis
from library.evidence import Passage


def terms(passage: Passage) -> list[str]:
    """Return what a passage is found by: the words of its page's title, and its text."""
    return analysis.title_terms(passage.title) + analysis.terms(passage.text)


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
    connection.executemany(f"INSERT INTO index_{collection} (rowid, terms) VALUES (?,?)", rows)  # noqa: S608
    members = [(number,) for number, _ in rows]
    connection.executemany(f"INSERT INTO index_{collection}_members VALUES (?)", members)  # noqa: S608


def remove(connection: sqlite3.Connection, collection: int, rows: Sequence[tuple[int, str]]) -> None:
    """Remove passages, given with the same terms as when they were added."""
    connection.executemany(
        f"INSERT INTO index_{collection} (index_{collection}, rowid, terms) VALUES ('delete',?,?)",  # noqa: S608
        rows,
    )
    members = [(number,) for number, _ in rows]
    connection.executemany(f"DELETE FROM index_{collection}_members WHERE id = ?", members)  # noqa: S608


def count(connection: sqlite3.Connection, collection: int) -> int:
    """Return how many passages the index holds."""
    return int(connection.execute(f"SELECT count(*) FROM index_{collection}_members").fetchone()[0])  # noqa: S608


def members(connection: sqlite3.Connection, collection: int) -> list[tuple[int, str, int]]:
    """Return (row id, sha256 of the source, number of terms) of each passage, by row id."""
    sql = (
        f"SELECT p.id, p.sha256, p.terms FROM index_{collection}_members m JOIN passages p ON p.id = m.id"  # noqa: S608
        " ORDER BY p.id"
    )
    return connection.execute(sql).fetchall()


def postings(
    connection: sqlite3.Connection, collection: int, term: str
) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """Return the row ids of the passages that hold a term, ascending, and how often each does."""
    # Joined by SQLite: a row of Python's for each occurrence of a frequent term takes ten times as long.
    sql = f"SELECT group_concat(doc) FROM index_{collection}_instance WHERE term = ?"  # noqa: S608
    joined = connection.execute(sql, (term,)).fetchone()[0] or ""
    ids, counts = np.unique(np.fromstring(joined, dtype=np.int64, sep=","), return_counts=True)
    return ids, counts.astype(np.float64)


def document_frequency(
    connection: sqlite3.Connection, collections: Sequence[int], terms: Iterable[str]
) -> dict[str, int]:
    """Return in how many passages of the collections each term occurs."""
    wanted = list(dict.fromkeys(terms))
    found: dict[str, int] = {}
    for collection in collections:
        sql = f"SELECT doc FROM index_{collection}_row WHERE term = ?"  # noqa: S608
        for term in wanted:
            row = connection.execute(sql, (term,)).fetchone()
            if row is not None:
                found[term] = found.get(term, 0) + int(row[0])
    return found
