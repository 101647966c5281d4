"""`roundtable docs`: collections of documents, by name."""

import os
from functools import partial
from pathlib import Path

import click

from roundtable.cli.help_words import WholeGroup
from roundtable.terminal.safe_output import say, tell


@click.group("docs", cls=WholeGroup)
def command() -> None:
    """Name collections of documents to search with --docs NAME."""


@command.command("add")
@click.argument("name")
@click.argument("paths", nargs=-1, type=click.Path(path_type=Path), metavar="[PATH…]")
@click.option(
    "--zotero", metavar="COLLECTION",
    help="A collection of the Zotero that runs on this machine, by name; * for the whole library.",
)  # fmt: skip
@click.option("--follow-links", is_flag=True, help="Read also what links in a folder lead to outside it.")
@click.option("--description", default="", metavar="TEXT", help="What it holds, for people and models.")
def add(name: str, paths: tuple[Path, ...], zotero: str | None, follow_links: bool, description: str) -> None:
    """Index files and folders as collection NAME; again to bring it up to date.

    A PATH may be references as Zotero and others export them (.ris, CSL .json): their abstracts, notes and
    attached files are read, and what they say of each work goes into the bibliography.
    """
    from roundtable.cli.indexing_lines import indexing_lines
    from roundtable.config.config import home
    from roundtable.config.errors import InputError
    from roundtable.session.document_collections import update_collection

    if not paths and zotero is None:
        raise InputError("docs add: name files or folders, or --zotero COLLECTION")
    references = []
    if zotero is not None:
        from library.references import zotero_references

        references = zotero_references(zotero, **zotero_address())
    progress = partial(indexing_lines(tell), name)
    report = update_collection(
        home(), name, paths, description=description, follow_links=follow_links, progress=progress,
        references=references,
    )  # fmt: skip
    for unread in report.warnings:
        tell(f"roundtable: skipped: {unread.reason}", error=True)
    counts = (
        f"{report.added} new, {report.changed} changed, {report.removed} gone, {report.unchanged} as before"
    )
    tell(f"{name}: {counts}. Search it with --docs {name}")


def zotero_address() -> dict[str, str]:
    """Return where Zotero answers, where somebody set it otherwise."""
    address = os.environ.get("ZOTERO_URL", "").strip()
    return {"address": address} if address else {}


@command.command("list")
def list_all() -> None:
    """List the collections."""
    from roundtable.config.config import home
    from roundtable.output.clean import clean_line, counted
    from roundtable.session.document_collections import document_collections
    from roundtable.terminal.terminal_language import in_terminal_language

    for one in document_collections(home()):
        files = counted(one.files, "file") if one.files is not None else "indexed when first used"
        held, what = in_terminal_language(files), in_terminal_language(clean_line(one.description))
        say(f"{one.name:<20} {held:>12}  {what}")


@command.command("describe")
@click.argument("name")
@click.argument("text")
def describe(name: str, text: str) -> None:
    """Say in TEXT what collection NAME holds, for people and models."""
    from roundtable.config.config import home
    from roundtable.session.document_collections import describe_collection

    describe_collection(home(), name, text)
    tell(f"{name}: described")


@command.command("remove")
@click.argument("name")
def remove(name: str) -> None:
    """Remove collection NAME. Sessions keep the passages that they cite."""
    from roundtable.config.config import home
    from roundtable.session.document_collections import remove_collection

    remove_collection(home(), name)
    tell(f"{name}: removed")
