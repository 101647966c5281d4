"""Collections of documents as a person knows them: listed, brought up to date, and removed."""

import asyncio
import shutil
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from pydantic import ValidationError

from library import EngineError, LibrarySettings, Store, SyncReport, check_name
from library.index_engines import EngineAccess, alone
from library.readers import Reader
from library.references import FOLDER, CollectedReference, sync_documents
from library.sites import CrawlSettings, Site, is_site, kept_site, reopened, sync_site
from library.store import Held, Unread, is_unnamed
from library.web import Fetcher, PageRenderer
from roundtable.config.config import Settings
from roundtable.config.errors import InputError
from roundtable.config.search_places import PYTHON, SESSION, SESSIONS, STORE, near_collection
from roundtable.journal.place_names import told_apart
from roundtable.session.indexed_collections import NewIndex, engine_access, indexed_by, usual_access

BROUGHT = "collections"
"""The folder, in the home folder, of files that were brought to collections on the page; one for each."""


@dataclass(frozen=True, slots=True)
class DocumentCollection:
    """What can be searched by a name."""

    name: str
    label: str
    """What a person calls it: of a folder that was searched without a name, the folder's own, with as much
    before it as tells it from another one."""
    files: int | None
    """How many documents it holds; None where they are indexed when it is first used."""
    description: str
    paths: tuple[str, ...] = ()
    unnamed: bool = False
    """Made for a folder or file that was named by its path."""
    of_file: bool = False
    """Made for a single file that was named by its path: nobody has it for choosing it again."""
    of_site: bool = False
    """Made of a site: its files are pages."""
    engine: str = ""
    """What indexes it: `lancedb`; empty for our own index."""
    engine_place: str = ""
    """The folder or address in which an engine keeps it."""
    attached: bool = False
    """Fed elsewhere, and only searched here: what was found of it so far is counted."""


def document_collections(home: Path) -> list[DocumentCollection]:
    """Return the collections that can be searched, the one that is always there first."""
    python = DocumentCollection(PYTHON, PYTHON, None, "The Python language reference and docstrings")
    if not (home / STORE).exists():
        return [python]
    with Store(home / STORE) as store:
        own = [held for held in store.collections() if not held.name.startswith(SESSION)]
        known = sorted(own, key=is_unnamed)
        held = [(one, len(store.files(one))) for one in known]
    labels = _labels(known)
    found: list[DocumentCollection] = []
    for one, files in held:
        unnamed = is_unnamed(one)
        found.append(
            DocumentCollection(
                one.name,
                labels[one.name],
                files,
                one.description,
                tuple(one.paths),
                unnamed=unnamed,
                of_file=unnamed and _one_file(one.paths),
                of_site=is_site(one),
                engine=one.indexed.engine if one.indexed else "",
                engine_place=one.indexed.place if one.indexed else "",
                attached=one.indexed is not None and one.indexed.attached,
            )
        )
    named = {one.name for one in found}
    earlier = DocumentCollection(SESSIONS, SESSIONS, None, "What earlier sessions read")
    fixed = [one for one in (python, earlier) if one.name not in named]
    return [*fixed, *found]


def _one_file(paths: Sequence[str]) -> bool:
    return len(paths) == 1 and "://" not in paths[0] and Path(paths[0]).is_file()


def update_collection(
    home: Path,
    name: str,
    paths: Sequence[Path] = (),
    *,
    description: str = "",
    follow_links: bool | None = None,
    own_notes: bool | None = None,
    progress: Callable[[int, int], None] | None = None,
    references: Sequence[CollectedReference] = (),
    names_unread: bool = False,
    access: EngineAccess | None = None,
    index: NewIndex | None = None,
) -> SyncReport:
    """Bring a collection up to date with files and folders; make it where there is none.

    Args:
        home: The folder that all is kept in.
        name: The collection's.
        paths: Files and folders, also references as managers export them (RIS, BibTeX, CSL-JSON);
            empty: those that it was made of.
        description: For people and models; empty: as somebody wrote it, else made of the paths and headings.
        follow_links: Whether links in a folder may lead out of it; None: as when it was last said.
        own_notes: Whether files that sessions wrote are read too; None: as when it was last said.
        progress: Is told how many files of how many were looked at.
        references: What a reference manager holds: abstracts, notes and files are read too.
        names_unread: Whether the report names each file of a kind that is not read.
        access: What engines are opened with; None: as nobody set anything.
        index: What is to index it where it is new; None: our own index, or the engine that it has.

    Raises:
        InputError: the name is kept for another or belongs to a site, or nobody says which files; another
            engine indexes it.
        LibraryError: nothing there can be read; its engine cannot be fed.
    """
    check_collection_name(name)
    reader = Reader(LibrarySettings().read.model_copy(update={"names_unread": names_unread}))
    engines = access or usual_access()
    try:
        with Store(home / STORE) as store:
            held = store.collection(name)
            if held is not None and held.indexed is not None and held.indexed.attached:
                raise InputError(f"{name} is fed elsewhere and only searched here: bring it up to date there")
            again = [] if references else [Path(path) for path in (held.paths if held else ())]
            wanted = list(paths) or again
            if held is not None and is_site(held):
                raise InputError(
                    f"{name} is made of {held.paths[0]}; choose another name for files,"
                    f" or remove it first: `roundtable docs remove {name}`"
                )
            if not wanted and not references:
                raise _no_collection(name, store)
            made = f"Documents in {name}" if wanted == [home / BROUGHT / name] else ""
            with indexed_by(store, name, index, home, engines):
                held, report = sync_documents(
                    store, name, wanted, reader, description=" ".join(description.split()), made=made,
                    follow_links=follow_links, own_notes=own_notes, progress=progress, references=references,
                )  # fmt: skip
            report.warnings += [Unread(name, note) for note in engines.feed(store, held, progress)]
            return report
    finally:
        reader.close()


async def update_site(
    home: Path,
    name: str,
    settings: Settings,
    address: str = "",
    *,
    depth: int | None = None,
    pages: int | None = None,
    description: str = "",
    progress: Callable[[int, int], None] | None = None,
    index: NewIndex | None = None,
) -> SyncReport:
    """Bring a collection up to date with a site; make it where there is none.

    Args:
        home: The folder that all is kept in.
        name: The collection's.
        settings: How pages are fetched and read, how far a site is read where nobody says, whether at all.
        address: Of the site's first page; empty: the one that the collection is made of.
        depth: Links that are followed from there; None: as it was said last.
        pages: The most pages that are asked for; None likewise.
        description: For people and models; empty: as somebody wrote it, else made of the pages' headings.
        progress: Is told how many pages of how many were looked at.
        index: What is to index it where it is new; None: our own index, or the engine that it has.

    When it is cancelled, what was read stays, and the next time goes on from there.

    Raises:
        InputError: the name is kept for another, a bound is none, or there is no such collection of a site.
        LibraryError: the site cannot be read.
    """
    check_collection_name(name)
    with Store(home / STORE) as store:
        held = store.collection(name)
        before = kept_site(store, held) if held is not None else None
        # Of a store that was repaired, a site's address alone is left.
        known_at = held.paths[0] if held is not None and is_site(held) else ""
        if not address and not known_at:
            raise _no_collection(name, store)
        library = settings.library
        usual = (before.depth, before.pages) if before else (library.crawl.depth, library.crawl.pages)
        try:
            bounds = CrawlSettings(
                depth=usual[0] if depth is None else depth, pages=usual[1] if pages is None else pages
            )
        except ValidationError as failure:
            said = failure.errors(include_url=False)[0]
            raise InputError(f"{said['loc'][0]}: {said['msg'].lower()}, not {said['input']}") from failure
        site = Site(address or known_at, bounds.depth, bounds.pages)
        fetcher = Fetcher(library.fetch, cache_folder=home / "pages", offline=settings.offline)
        renderer = PageRenderer(fetcher) if library.fetch.browser else None
        reader = Reader(library.read)
        engines = engine_access(settings)
        try:
            with indexed_by(store, name, index, home, engines, paths=(site.address,)):
                held, report = await sync_site(
                    store, name, site, fetcher, reader,
                    renderer=renderer, description=" ".join(description.split()), progress=progress,
                )  # fmt: skip
            notes = await asyncio.to_thread(engines.feed, store, held, progress)
            report.warnings += [Unread(name, note) for note in notes]
            return report
        finally:
            if renderer is not None:
                await renderer.close()
            await fetcher.close()
            await asyncio.to_thread(reader.close)


def is_of_site(home: Path, name: str) -> bool:
    """Tell whether there is a collection of a name that is made of a site."""
    if not (home / STORE).exists():
        return False
    with Store(home / STORE) as store:
        held = store.collection(name)
        return held is not None and is_site(held)


def check_collection_name(name: str) -> None:
    """Refuse a name that is none, or is kept for another. Raises LibraryError, InputError."""
    check_name(name)
    if name.casefold() == PYTHON:
        raise InputError(f"{PYTHON!r} is the collection that every Python carries: choose another name")
    if name.casefold() == SESSIONS:
        raise InputError(f"{SESSIONS!r} is what earlier sessions read: choose another name")


def describe_collection(home: Path, name: str, description: str) -> None:
    """Say what a collection holds, for people and for models.

    Raises:
        InputError: there is none of that name.
    """
    with Store(home / STORE) as store:
        held = _held(name, store)
        said = " ".join(description.split())
        if is_site(held):
            reopened(store, held.name, said, held.paths[0], private=held.private)
        else:
            store.make_collection(held.name, said, held.paths, private=held.private)


def remove_collection(home: Path, name: str, access: EngineAccess | None = None) -> list[str]:
    """Remove a collection, and files that were brought to it on the page; sessions keep what they cite.

    What an engine keeps of it goes too, unless somebody else feeds it; where the engine cannot be had, that
    is what is returned, in a line.

    Args:
        home: The folder that all is kept in.
        name: The collection's.
        access: What engines are opened with; None: as nobody set anything.

    Raises:
        InputError: there is none of that name.
    """
    notes: list[str] = []
    with Store(home / STORE) as store:
        held = _held(name, store)
        name = held.name
        # First: who feeds its engine meanwhile sees it and leaves off, or the wait could take hours.
        store.drop_collection(name)
        if held.indexed is not None and not held.indexed.attached:
            try:
                with alone(store, held):
                    (access or usual_access()).engine(held).drop()
            except EngineError as failure:
                notes.append(f"{name}: what {held.indexed.engine} keeps of it stays there: {failure}")
    for ours in (home / BROUGHT / name, home / FOLDER / name):
        if ours.is_dir():
            shutil.rmtree(ours)
    return notes


def named_collection(home: Path, name: str) -> str:
    """Return a collection's name, also for what a person calls one that was made for a folder.

    Raises:
        InputError: there is none of that name.
    """
    with Store(home / STORE) as store:
        return _held(name, store).name


def _held(name: str, store: Store) -> Held:
    """Return a collection by its name, or by the folder that it was made for. Raises InputError."""
    held = store.collection(name)
    if held is not None:
        return held
    labels = _labels(store.collections())
    folders = [one for one in store.collections() if is_unnamed(one)]
    shown = [one for one in folders if name in {labels[one.name], Path(one.paths[0]).name, one.paths[0]}]
    if len(shown) == 1:
        return shown[0]
    raise _no_collection(name, store)


def _labels(collections: Sequence[Held]) -> dict[str, str]:
    """Return what a person calls each collection, by its name."""
    folders = {one.name: Path(one.paths[0]) for one in collections if is_unnamed(one)}
    names = [one.name for one in collections if one.name not in folders]
    apart = told_apart(list(folders.values()), names)
    return {one.name: apart[folders[one.name]] if one.name in folders else one.name for one in collections}


def _no_collection(name: str, store: Store) -> InputError:
    names = list(_labels(store.collections()).values())
    there = ", ".join(names) or "none"
    return InputError(f"no collection {name!r}; {near_collection(name, names)}there are: {there}")
