"""What the store knows of a site that is a collection: its bounds, and how far reading it is."""

import sqlite3
from collections.abc import Iterable
from dataclasses import dataclass

from library.evidence import on_the_web
from library.store.store import Held, Store


@dataclass(frozen=True, slots=True)
class Site:
    """A site as somebody asked for it."""

    address: str
    """Of its first page."""
    depth: int
    """Links that are followed from there."""
    pages: int
    """The most pages that are asked for."""


@dataclass(frozen=True, slots=True)
class SitePage:
    """A page of a site that is being read."""

    url: str
    depth: int
    """Links from the first page."""
    asked: bool = False
    kept: str = ""
    """The path of the collection's file that it is, or stays; empty for none."""


def is_site(held: Held) -> bool:
    """Tell whether a collection is made of a site, rather than of files."""
    return len(held.paths) == 1 and on_the_web(held.paths[0])


def kept_site(store: Store, held: Held) -> Site | None:
    """Return the site that a collection is made of; None where it is made of files."""
    if not is_site(held):
        return None
    with store.reading() as connection:
        row = connection.execute("SELECT depth, pages FROM sites WHERE collection = ?", (held.id,)).fetchone()
    return Site(held.paths[0], *row) if row else None


def keep_site(store: Store, held: Held, site: Site) -> None:
    """Keep a site's bounds; what was read so far within others does not count."""
    if kept_site(store, held) == site:
        return
    with store.writing() as connection:
        row = (held.id, site.depth, site.pages)
        connection.execute("INSERT OR REPLACE INTO sites VALUES (?,?,?)", row)
        forget_pages(connection, held)


def kept_start(store: Store, held: Held) -> str:
    """Return the address at which a site was first found, redirects followed; empty where it is not known."""
    with store.reading() as connection:
        row = connection.execute("SELECT value FROM library_meta WHERE name = ?", (_start(held),)).fetchone()
    return str(row[0]) if row else ""


def keep_start(store: Store, held: Held, url: str) -> None:
    """Keep at which address a site was found."""
    with store.writing() as connection:
        connection.execute("INSERT OR REPLACE INTO library_meta VALUES (?,?)", (_start(held), url))


def _start(held: Held) -> str:
    return f"site_start:{held.name}"


def pages_under_way(store: Store, held: Held) -> list[SitePage]:
    """Return the pages of a reading that has not ended, in the order in which they were met."""
    with store.reading() as connection:
        rows = connection.execute(
            "SELECT url, depth, asked, kept FROM site_pages WHERE collection = ? ORDER BY rowid", (held.id,)
        ).fetchall()
    return [SitePage(url, depth, bool(asked), kept) for url, depth, asked, kept in rows]


def keep_pages(connection: sqlite3.Connection, held: Held, pages: Iterable[SitePage]) -> None:
    """Keep how far a reading is; a page that was known keeps its place."""
    connection.executemany(
        "INSERT INTO site_pages VALUES (?,?,?,?,?) ON CONFLICT DO UPDATE"
        " SET asked = excluded.asked, kept = excluded.kept",
        [(held.id, page.url, page.depth, page.asked, page.kept) for page in pages],
    )


def forget_pages(connection: sqlite3.Connection, held: Held) -> None:
    """Note that a reading has ended, or that none has begun."""
    connection.execute("DELETE FROM site_pages WHERE collection = ?", (held.id,))
