"""`roundtable docs`: collections of documents, by name."""

from functools import partial
from pathlib import Path

import click

from roundtable.terminal.safe_output import say


@click.group("docs")
def command() -> None:
    """Name collections of documents to search with --docs NAME."""


@command.command("add")
@click.argument("name")
@click.argument("paths", nargs=-1, required=True, type=click.Path(path_type=Path), metavar="PATH…")
@click.option("--follow-links", is_flag=True, help="Read also what links in a folder lead to outside it.")
def add(name: str, paths: tuple[Path, ...], follow_links: bool) -> None:
    """Index files and folders as collection NAME; again to bring it up to date."""
    from library import LibrarySettings, Store, check_name, sync
    from library.readers import Reader
    from roundtable.cli.indexing_lines import indexing_lines
    from roundtable.config.config import home
    from roundtable.config.errors import InputError
    from roundtable.config.search_places import PYTHON, STORE

    check_name(name)
    if name == PYTHON:
        raise InputError(f"{PYTHON!r} is the collection that every Python carries: choose another name")
    reader = Reader(LibrarySettings().read)
    try:
        with Store(home() / STORE) as store:
            progress = partial(indexing_lines(say), name)
            _, report = sync(store, name, paths, reader, follow_links=follow_links, progress=progress)
            held = store.collection(name)
    finally:
        reader.close()
    for unread in report.warnings:
        say(f"roundtable: skipped: {unread.reason}", error=True)
    assert held is not None
    counts = (
        f"{report.added} new, {report.changed} changed, {report.removed} gone, {report.unchanged} as before"
    )
    say(f"{name}: {counts}. Search it with --docs {name}")


@command.command("list")
def list_all() -> None:
    """List the collections."""
    from library import Store
    from roundtable.config.config import home
    from roundtable.config.search_places import PYTHON, STORE
    from roundtable.output.clean import clean_line

    with Store(home() / STORE) as store:
        held = store.collections()
        counts = {c.name: len(store.files(c)) for c in held}
    if PYTHON not in counts:
        say(f"{PYTHON:<20} The Python language reference and docstrings; indexed when first used")
    for collection in held:
        files = counts[collection.name]
        say(f"{collection.name:<20} {files:>6} files  {clean_line(collection.description)}")


@command.command("remove")
@click.argument("name")
def remove(name: str) -> None:
    """Remove collection NAME. Sessions keep the passages that they cite."""
    from library import Store
    from roundtable.config.config import home
    from roundtable.config.errors import InputError
    from roundtable.config.search_places import STORE

    with Store(home() / STORE) as store:
        if not store.drop_collection(name):
            known = ", ".join(held.name for held in store.collections()) or "none"
            raise InputError(f"no collection {name!r}; there are: {known}")
    say(f"{name}: removed")
