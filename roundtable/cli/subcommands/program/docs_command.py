"""`roundtable docs`: collections of documents, by name."""

import asyncio
import os
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import click

from roundtable.cli.help_words import WholeGroup
from roundtable.cli.options import verbose_option
from roundtable.terminal.safe_output import say, tell

if TYPE_CHECKING:
    from library import SyncReport
    from roundtable.session.indexed_collections import NewIndex

_MOST_LINES = 20
"""Of what is left out, that are told: a site may have hundreds of links that lead nowhere."""


@click.group("docs", cls=WholeGroup)
def command() -> None:
    """Name collections of documents to search with --docs NAME."""


@command.command("add")
@click.argument("name")
@click.argument("paths", nargs=-1, metavar="[PATH…|ADDRESS]")
@click.option(
    "--about", "--description", "about", default="", metavar="TEXT",
    help="What it holds, for people and models; made of headings where nobody says.",
)  # fmt: skip
@click.option(
    "--depth", type=int, metavar="N",
    help="Of a site: links that are followed from its first page (2, unless settings say otherwise).",
)  # fmt: skip
@click.option(
    "--pages", type=int, metavar="N",
    help="Of a site: the most pages that are asked for (500, unless settings say otherwise).",
)  # fmt: skip
@click.option(
    "--zotero", metavar="COLLECTION",
    help="A collection of the Zotero that runs on this machine, by name; * for the whole library.",
)  # fmt: skip
@click.option("--follow-links", is_flag=True, help="Read also what links in a folder lead to outside it.")
@click.option(
    "--own-notes", is_flag=True, help="Read also reports and notes that Roundtable wrote into a folder."
)
@verbose_option
@click.option(
    "--engine", metavar="NAME",
    help="What indexes it in place of roundtable's own index: lancedb or opensearch, "
    "for very many documents.",
)  # fmt: skip
@click.option(
    "--at", metavar="FOLDER|s3://…|https://…",
    help="Where the engine keeps it; without a PATH: what another machine feeds there is searched.",
)  # fmt: skip
@click.option("--config", type=click.Path(path_type=Path), metavar="FILE.toml", help="A file of settings.")
def add(
    name: str,
    paths: tuple[str, ...],
    about: str,
    depth: int | None,
    pages: int | None,
    zotero: str | None,
    follow_links: bool,
    own_notes: bool,
    verbose: bool,
    engine: str | None,
    at: str | None,
    config: Path | None,
) -> int:
    """Index files and folders, or a site, as collection NAME; again to bring it up to date.

    A PATH may be references as Zotero and others export them (.ris, CSL .json): their abstracts, notes and
    attached files are read, and what they say of each work goes into the bibliography.

    An ADDRESS (https://…) is the first page of a site: pages of its host that lie in the same folder or below
    are read, as its robots.txt allows. Ctrl-C keeps what was read, and the same command goes on.
    """
    from library import on_the_web
    from roundtable.cli.lines.indexing_lines import indexing_lines
    from roundtable.config.config import home, load_settings
    from roundtable.config.errors import InputError
    from roundtable.session.document_collections import update_collection
    from roundtable.session.indexed_collections import NewIndex, engine_access

    if at is not None and not engine:
        raise InputError(
            "docs add: --at says where an engine keeps a collection: name it too, "
            "--engine lancedb or opensearch"
        )
    index = NewIndex(engine, at or "") if engine else None
    sites = [path for path in paths if on_the_web(path)]
    if sites:
        if len(paths) > 1 or zotero is not None or follow_links or own_notes:
            raise InputError("docs add: a site is a collection of its own: name one address and nothing else")
        return _read_site(name, sites[0], depth, pages, about, config, index)
    if depth is not None or pages is not None:
        raise InputError("docs add: --depth and --pages are of a site: name its address, https://…")
    if index is not None and index.at and not paths and zotero is None:
        return _attach(name, index, about, config)
    if not paths and zotero is None:
        raise InputError("docs add: name files or folders, the address of a site, or --zotero COLLECTION")
    references = []
    if zotero is not None:
        from library.references import zotero_references

        references = zotero_references(zotero, **zotero_address())
    report = update_collection(
        home(), name, [Path(path) for path in paths], description=about, follow_links=follow_links,
        own_notes=own_notes, progress=partial(indexing_lines(tell), name), references=references,
        names_unread=verbose,
        access=engine_access(load_settings(config=config)), index=index,
    )  # fmt: skip
    _tell_report(name, report)
    return 0


@command.command("update")
@click.argument("names", nargs=-1, metavar="NAME…", required=True)
@verbose_option
@click.option("--config", type=click.Path(path_type=Path), metavar="FILE.toml", help="A file of settings.")
def update(names: tuple[str, ...], verbose: bool, config: Path | None) -> int:
    """Bring collections up to date: files that changed, pages that their site says are no longer fresh."""
    from roundtable.cli.lines.indexing_lines import indexing_lines
    from roundtable.config.config import home, load_settings
    from roundtable.session.document_collections import is_of_site, update_collection
    from roundtable.session.indexed_collections import engine_access

    for name in names:
        if is_of_site(home(), name):
            if code := _read_site(name, "", None, None, "", config):
                return code
        else:
            progress = partial(indexing_lines(tell), name)
            report = update_collection(
                home(), name, progress=progress, names_unread=verbose,
                access=engine_access(load_settings(config=config)),
            )  # fmt: skip
            _tell_report(name, report)
    return 0


def _attach(name: str, index: "NewIndex", about: str, config: Path | None) -> int:
    """Search what somebody else feeds; return the exit code."""
    from roundtable.config.config import home, load_settings
    from roundtable.output.clean import counted
    from roundtable.session.document_collections import check_collection_name
    from roundtable.session.indexed_collections import attach_collection, engine_access

    check_collection_name(name)
    files = attach_collection(home(), name, index, engine_access(load_settings(config=config)), about)
    tell(f"{name}: {counted(files, 'document')} in {index.at}. Search it with --docs {name}")
    return 0


def _read_site(
    name: str,
    address: str,
    depth: int | None,
    pages: int | None,
    about: str,
    config: Path | None,
    index: "NewIndex | None" = None,
) -> int:
    """Read a site into a collection; return the exit code."""
    from roundtable.cli.lines.indexing_lines import indexing_lines
    from roundtable.config.config import home, load_settings
    from roundtable.session.document_collections import update_site

    reading = update_site(
        home(), name, load_settings(config=config), address, depth=depth, pages=pages, description=about,
        progress=partial(indexing_lines(tell, "pages"), name), index=index,
    )  # fmt: skip
    try:
        report = asyncio.run(reading)
    except KeyboardInterrupt:
        tell(f"{name}: stopped; what was read is kept. The same command goes on", error=True)
        return 130
    _tell_report(name, report)
    return 0


def _tell_report(name: str, report: "SyncReport") -> None:
    for unread in report.warnings[:_MOST_LINES]:
        tell(f"roundtable: skipped: {unread.reason}", error=True)
    if (more := len(report.warnings) - _MOST_LINES) > 0:
        tell(f"roundtable: skipped: {more} more", error=True)
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

    listed = document_collections(home())
    width = max(20, min(40, max(len(clean_line(one.label)) for one in listed)))
    for one in listed:
        unit = "page" if one.of_site else "file"
        files = counted(one.files, unit) if one.files is not None else "indexed when first used"
        if one.attached:
            files = "fed elsewhere"
        held, what = in_terminal_language(files), in_terminal_language(clean_line(one.description))
        by = f"[{one.engine}: {clean_line(one.engine_place)}] " if one.engine else ""
        say(f"{clean_line(one.label):<{width}} {held:>12}  {by}{what}")


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
@click.option("--config", type=click.Path(path_type=Path), metavar="FILE.toml", help="A file of settings.")
def remove(name: str, config: Path | None) -> None:
    """Remove collection NAME. Sessions keep the passages that they cite."""
    from roundtable.cli.journals import open_journal
    from roundtable.config.config import home, load_settings
    from roundtable.session.document_collections import remove_collection
    from roundtable.session.indexed_collections import engine_access

    for note in remove_collection(home(), name, engine_access(load_settings(config=config))):
        tell(f"roundtable: {note}", error=True)
    with open_journal() as journal:  # what is called so later is not whose this was
        journal.sharing(home()).forget("collection", name)
    tell(f"{name}: removed")
