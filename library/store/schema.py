"""The store's tables, and how a store file is opened."""

import sqlite3
from pathlib import Path

from library.errors import StoreError, StoreTooNew

VERSION = 1

_TABLES = """
CREATE TABLE IF NOT EXISTS library_meta (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS sources (
    sha256 TEXT PRIMARY KEY, url TEXT NOT NULL, title TEXT NOT NULL, text TEXT NOT NULL, author TEXT,
    published TEXT, retrieved TEXT NOT NULL, private INTEGER NOT NULL, pages TEXT NOT NULL
);
CREATE TABLE IF NOT EXISTS urls (url TEXT PRIMARY KEY, sha256 TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS passages (
    id INTEGER PRIMARY KEY, sha256 TEXT NOT NULL, start INTEGER NOT NULL, "end" INTEGER NOT NULL,
    terms INTEGER NOT NULL, UNIQUE (sha256, start)
);
CREATE TABLE IF NOT EXISTS collections (
    id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, description TEXT NOT NULL, private INTEGER NOT NULL,
    paths TEXT NOT NULL, analysis TEXT NOT NULL, generation INTEGER NOT NULL
);
CREATE TABLE IF NOT EXISTS files (
    collection INTEGER NOT NULL, path TEXT NOT NULL, size INTEGER NOT NULL, modified INTEGER NOT NULL,
    digest TEXT NOT NULL, sha256 TEXT NOT NULL, PRIMARY KEY (collection, path)
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS works (sha256 TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS readings (
    url TEXT NOT NULL, sha256 TEXT NOT NULL, first TEXT NOT NULL, last TEXT NOT NULL,
    PRIMARY KEY (url, sha256)
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS sites (
    collection INTEGER PRIMARY KEY, depth INTEGER NOT NULL, pages INTEGER NOT NULL
);
CREATE TABLE IF NOT EXISTS site_pages (
    collection INTEGER NOT NULL, url TEXT NOT NULL, depth INTEGER NOT NULL, asked INTEGER NOT NULL,
    kept TEXT NOT NULL, PRIMARY KEY (collection, url)
);
CREATE TABLE IF NOT EXISTS engines (
    collection INTEGER PRIMARY KEY, engine TEXT NOT NULL, place TEXT NOT NULL, attached INTEGER NOT NULL,
    owner TEXT NOT NULL DEFAULT ''
);
CREATE TABLE IF NOT EXISTS untold (
    collection INTEGER NOT NULL, sha256 TEXT NOT NULL, terms TEXT, PRIMARY KEY (collection, sha256)
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS heard (sha256 TEXT PRIMARY KEY) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS told (
    sha256 TEXT NOT NULL, place TEXT NOT NULL, value TEXT NOT NULL, PRIMARY KEY (sha256, place)
) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS files_by_source ON files (collection, sha256);
CREATE INDEX IF NOT EXISTS files_by_text ON files (sha256);
CREATE INDEX IF NOT EXISTS readings_by_text ON readings (sha256);
"""


_WORKED_OUT = r"""
SELECT CAST(coalesce(lower(type), 'entry') || ' ' || name AS BLOB) FROM sqlite_master
WHERE CASE type
    WHEN 'table' THEN sql NOT LIKE 'CREATE TABLE %' AND sql NOT LIKE 'CREATE VIRTUAL TABLE %'
    WHEN 'index' THEN sql NOT LIKE 'CREATE INDEX %' AND sql NOT LIKE 'CREATE UNIQUE INDEX %'
    ELSE 1 END UNION ALL
SELECT CAST('virtual table ' || name AS BLOB) FROM sqlite_master WHERE sql LIKE 'CREATE VIRTUAL%'
AND NOT (name LIKE 'index\_%' ESCAPE '\' AND sql LIKE '% USING fts5%') UNION ALL
SELECT CAST('generated column ' || kept.name || '.' || seen.name AS BLOB)
FROM sqlite_master AS kept, pragma_table_xinfo(kept.name) AS seen
WHERE kept.type = 'table' AND kept.sql LIKE 'CREATE TABLE %' AND seen.hidden IN (2, 3) LIMIT 1
"""
"""What we make is named, not what we do not: SQLite takes `VIEW` for a view too, a name need be no text."""


def worked_out(connection: sqlite3.Connection) -> str:
    """Return what of a database is worked out when it is read, and not kept; empty for nothing.

    We make nothing of that kind. In a file that somebody sent, a view in a table's place may have rows
    without end, and nobody is heard while SQLite looks for the next one.

    Raises:
        sqlite3.Error: the file is damaged.
    """
    try:
        found = connection.execute(_WORKED_OUT).fetchone()
    except UnicodeDecodeError as error:  # in what SQLite says of the damage
        raise sqlite3.DatabaseError("the list of tables is damaged") from error
    return "" if found is None else bytes(found[0]).decode(errors="replace")


def connect(path: Path) -> sqlite3.Connection:
    """Open a store file, made if it is not there. Raises StoreError, which says what to do."""
    connection: sqlite3.Connection | None = None
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        connection = sqlite3.connect(path, timeout=30, isolation_level=None, check_same_thread=False)
        connection.execute("PRAGMA journal_mode = WAL")
        # The journal speaks of texts that are kept here: they must be on the disk before it does.
        connection.execute("PRAGMA synchronous = FULL")
        connection.execute("PRAGMA temp_store = MEMORY")
        _check_version(connection, path)
    except (sqlite3.Error, OSError, UnicodeDecodeError) as error:
        if connection is not None:
            connection.close()
        raise trouble(error, path) from error
    except StoreError:
        if connection is not None:
            connection.close()
        raise
    return connection


def _check_version(connection: sqlite3.Connection, path: Path) -> None:
    if foreign := worked_out(connection):
        raise StoreError(f"{path}: not opened, for it works out what it says ({foreign})")
    known = connection.execute("SELECT 1 FROM sqlite_master WHERE name = 'library_meta'").fetchone()
    if known is None:
        connection.execute("BEGIN IMMEDIATE")
        for statement in _TABLES.split(";"):
            connection.execute(statement)
        connection.execute("INSERT OR IGNORE INTO library_meta VALUES ('version', ?)", (str(VERSION),))
        connection.execute("COMMIT")
    # A version before knew no works, no readings, no sites and no engines, and reads the file all the same.
    there = connection.execute(
        "SELECT count(*) FROM sqlite_master"
        " WHERE name IN ('works', 'readings', 'sites', 'site_pages', 'engines', 'untold', 'heard', 'told')"
    ).fetchone()
    if there[0] < 8:
        for statement in _TABLES.split(";"):
            connection.execute(statement)
    row = connection.execute("SELECT value FROM library_meta WHERE name = 'version'").fetchone()
    if row is None or int(row[0]) > VERSION:
        raise StoreTooNew(
            f"{path}: written by a newer version of roundtable; update it, or move the file away"
        )
    _add_owner(connection)


def _add_owner(connection: sqlite3.Connection) -> None:
    """Give the engines' table, where it was made before, the column that tells whose an index is."""
    there = "SELECT 1 FROM pragma_table_info('engines') WHERE name = 'owner'"
    if connection.execute(there).fetchone() is None:
        connection.execute("BEGIN IMMEDIATE")
        if connection.execute(there).fetchone() is None:  # nobody else added it meanwhile
            connection.execute("ALTER TABLE engines ADD COLUMN owner TEXT NOT NULL DEFAULT ''")
        connection.execute("COMMIT")


def trouble(error: Exception, path: Path) -> StoreError:
    """Say what is wrong with a store file and what to do."""
    if isinstance(error, sqlite3.OperationalError) and "locked" in str(error):
        return StoreError(f"{path}: another process holds the store; try again when it is done")
    broken = isinstance(error, sqlite3.DatabaseError) and not isinstance(error, sqlite3.OperationalError)
    if broken or isinstance(error, UnicodeDecodeError) or "malformed" in str(error):
        said = " ".join("".join(sign if sign.isprintable() else " " for sign in str(error)).split())[:200]
        return StoreError(
            f"{path}: the file is damaged ({said}); `roundtable doctor --repair` saves its texts"
        )
    if isinstance(error, OSError) and error.strerror:
        return StoreError(f"{path}: the store cannot be opened: {error.strerror}")
    return StoreError(f"{path}: the store cannot be used: {error}; check the folder's rights and free space")
