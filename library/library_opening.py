"""Opening the library: documents brought up to date, the search of the network set up."""

import asyncio
import os
import threading
from collections.abc import Callable, Mapping, Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from library.errors import LibraryError
from library.events import ToldOfSource
from library.index_engines.indexed_places import EngineAccess
from library.library import Library
from library.readers.file_bytes import shown_path
from library.readers.pictures.picture_tasks import PictureReader
from library.readers.reader import Reader
from library.references.collecting import sync_documents
from library.search.backends.backend_registry import backend
from library.search.engines.keyed_engine import KEYED
from library.search.engines.web_engines import open_keyed, open_web
from library.search.interface import Collection
from library.search.local_collection import DocumentPlace, EarlierTexts, LocalCollection
from library.search.search_cache import KeptSearches
from library.search.search_settings import SearchSettings
from library.search.tool_servers.mcp_place import McpPlace
from library.search.tool_servers.mcp_settings import McpServer
from library.settings import LibrarySettings
from library.sites.site_collection import reopened
from library.sites.site_rows import is_site
from library.store.folder_walk import Unread
from library.store.kept_texts import ALL, sync_texts
from library.store.python_docs import NAME as PYTHON
from library.store.python_docs import sync_python
from library.store.store import Held, Store
from library.store.sync import Progress, derived_name, is_unnamed
from library.store.vector_cache import kept_meanings
from library.text.similarity.sentence_model import keep_vectors
from library.web.fetcher import Fetcher
from library.web.page_renderer import PageRenderer
from models import Model
from models.client import TextCache

_SEARCH_MEGABYTES = 50.0

Indexing = Callable[[str, int, int], None]
"""Is told, of documents by their name or path, how many files have been looked at and how many there are."""


async def open_library(
    settings: LibrarySettings,
    docs: Sequence[str],
    search: Sequence[str],
    *,
    offline: bool,
    home: Path,
    progress: Indexing | None = None,
    environment: Mapping[str, str] | None = None,
    servers: Mapping[str, McpServer] | None = None,
    clock: Callable[[], datetime] = lambda: datetime.now(UTC),
    texts: Mapping[str, Mapping[str, ToldOfSource | None]] | None = None,
    sees: Model | None = None,
    pages: bool = False,
) -> Library:
    """Open the library for a session: bring the documents up to date, set up the search of the network.

    Args:
        settings: What a person set.
        docs: Names of collections, or paths; names win, `./name` is a path.
        search: Names of search backends and of servers.
        offline: Nothing is fetched or searched in the network; `search` is left aside.
        home: The folder of the store and the page cache.
        environment: Where the engines' keys are; None: the process's own.
        progress: Is told how far reading the documents is, in a thread of its own; None: nobody asks.
        servers: Servers of the Model Context Protocol by name; offline those alone that are local.
        clock: Tells how old what was read has become.
        sees: Reads scanned pages and pictures; None: nobody does.
        pages: Pages will be read that a person named; there need be nothing to search.
        texts: Of documents that are texts of earlier sessions (`sessions`, `session:ID`): which (sha256), and
            what each was known by there.

    When it is cancelled, what was read of the documents stays, and the next time goes on from there.

    Raises:
        LibraryError: a path or backend that does not exist, nothing readable, or nowhere to search; it says
            what to pass.
    """
    keys = os.environ if environment is None else environment
    known = dict(servers or {})
    called = [name for name in dict.fromkeys(search) if name in known and (known[name].local or not offline)]
    asked = [] if offline else [name for name in dict.fromkeys(search) if name not in known]
    if not docs and not asked and not called and not pages:
        raise LibraryError("nothing to search: pass --docs FOLDER or --docs python, or --search web")
    async with AsyncExitStack() as unless_open:
        store = Store(home / "library.sqlite", clock)
        unless_open.callback(store.close)
        keep_vectors(kept_meanings(home))
        loop = asyncio.get_running_loop()
        pictures = PictureReader(sees, loop, settings.read.pictures) if sees is not None else None
        reader = Reader(settings.read, pictures)
        unless_open.callback(reader.close)
        fetcher: Fetcher | None = None
        kept: TextCache | None = None
        places: list[Collection] = []
        warnings: list[str] = []
        access = EngineAccess(
            settings.engines, settings.embeddings, keys, tuple(settings.fetch.allow), offline=offline
        )
        for name in dict.fromkeys(docs):
            if texts is not None and name in texts:
                places.append(await asyncio.to_thread(_earlier, store, name, texts[name]))
                continue
            place, unread = await _opened(store, reader, name, progress, access)
            places.append(place)
            warnings += (file.reason for file in unread)
        renderer: PageRenderer | None = None
        if not offline:
            fetcher = Fetcher(settings.fetch, cache_folder=home / "pages", clock=clock)
            unless_open.push_async_callback(fetcher.close)
            renderer = PageRenderer(fetcher) if settings.fetch.browser else None
            places += [_outside(name, fetcher, settings.search, keys) for name in asked]
            if asked and settings.search.cache_minutes:
                kept = _search_cache(home, settings.search.cache_minutes)
                outside = [KeptSearches(place, kept, settings.search) for place in places if not place.local]
                places = [place for place in places if place.local] + list[Collection](outside)
        places += (
            McpPlace(
                name, known[name], store, reader,
                allow=settings.fetch.allow, environment=keys, offline=offline,
            )
            for name in called
        )  # fmt: skip
        library = Library(
            store, _distinct(places), fetcher, reader, warnings, kept, settings.search,
            clock=clock, trust=settings.trust, renderer=renderer,
        )  # fmt: skip
        unless_open.pop_all()
        return library
    raise AssertionError  # the block above returns or raises


def _outside(name: str, fetcher: Fetcher, settings: SearchSettings, keys: Mapping[str, str]) -> Collection:
    """Open a place outside. Raises SearchError when there is none such, or no key for it."""
    if name == "web":
        return open_web(fetcher, settings, keys)
    return open_keyed(name, fetcher, settings, keys) if name in KEYED else backend(name, fetcher, settings)


async def _opened(
    store: Store, reader: Reader, name: str, progress: Indexing | None, access: EngineAccess
) -> tuple[DocumentPlace, list[Unread]]:
    """Open documents in a thread, which stops soon when nobody waits for it any more."""
    stopped = threading.Event()

    def told(done: int, of: int) -> None:
        if stopped.is_set():
            raise LibraryError(f"{name}: stopped after {done} of {of} files")
        if progress is not None:
            progress(name, done, of)

    work = asyncio.ensure_future(asyncio.to_thread(open_documents, store, reader, name, told, access))
    try:
        return await asyncio.shield(work)
    except asyncio.CancelledError:
        stopped.set()
        await asyncio.wait([work])
        if not work.cancelled():
            work.exception()  # that it was stopped is known
        raise


def _earlier(store: Store, name: str, texts: Mapping[str, ToldOfSource | None]) -> LocalCollection:
    """Open what earlier sessions read as a place to search."""
    kept = ALL if ":" not in name else name
    held = sync_texts(store, kept, "What earlier sessions read", list(texts))
    return EarlierTexts(store, held, name, texts)


def _search_cache(home: Path, minutes: float) -> TextCache:
    return TextCache(home / "searches.sqlite", megabytes=_SEARCH_MEGABYTES, seconds=minutes * 60)


@dataclass(frozen=True, slots=True)
class _Wanted:
    """What `--docs` names: a collection's name with the paths it was made of."""

    name: str
    paths: tuple[Path, ...]
    is_named: bool


def open_documents(
    store: Store,
    reader: Reader,
    name_or_path: str,
    progress: Progress | None = None,
    access: EngineAccess | None = None,
) -> tuple[DocumentPlace, list[Unread]]:
    """Return a collection by name or path, brought up to date, with the files that are left out.

    `access`: what engines are opened with that index collections; None: as nobody set anything.
    """
    if name_or_path == PYTHON:
        return LocalCollection(store, sync_python(store)), []
    engines = access or EngineAccess(LibrarySettings().engines, LibrarySettings().embeddings, {})
    held, unread = _brought_up(store, reader, name_or_path, progress)
    place, notes = engines.place(store, held, progress)
    return place, [*unread, *(Unread(held.name, note) for note in notes)]


def _brought_up(
    store: Store, reader: Reader, name_or_path: str, progress: Progress | None
) -> tuple[Held, list[Unread]]:
    """Bring a collection's files up to date, and return those that are left out."""
    kept = store.collection(name_or_path)
    if kept is not None and kept.indexed is not None and kept.indexed.attached:
        return kept, []
    if kept is not None and is_site(kept):
        # What was read of it last: a session asks no site for all its pages.
        held = reopened(store, kept.name, kept.description, kept.paths[0], private=kept.private)
        if store.files(held):
            return held, []
        update = f"`roundtable docs update {kept.name}` reads it"
        return held, [Unread(kept.paths[0], f"{kept.name}: nothing of {kept.paths[0]} is kept; {update}")]
    wanted = _wanted(store, name_or_path)
    links, own = reader.settings.follow_links, reader.settings.own_notes
    # A collection that was named keeps to what was said when it was; a path to what is said now.
    said = ((links or None), (own or None)) if wanted.is_named else (links, own)
    held, report = sync_documents(
        store, wanted.name, wanted.paths, reader, follow_links=said[0], own_notes=said[1], progress=progress
    )
    shown = wanted.is_named and not is_unnamed(held)
    return held, [_within(one, wanted) if shown else one for one in report.warnings]


def _within(left_out: Unread, wanted: _Wanted) -> Unread:
    """Name a file by its collection, which readers know, not by where a server keeps it."""
    for root in {shown_path(one) for path in wanted.paths for one in (path, path.resolve())}:
        rest = left_out.reason.removeprefix(root)
        if rest != left_out.reason and rest[:1] in ("/", ":"):
            file = f"/{Path(root).name}" if Path(root).is_file() else ""
            return Unread(left_out.path, f"{wanted.name}{file}{rest}")
    return left_out


def _wanted(store: Store, name_or_path: str) -> _Wanted:
    held = store.collection(name_or_path)
    if held is not None:
        return _Wanted(held.name, tuple(map(Path, held.paths)), is_named=True)
    path = Path(name_or_path).expanduser()
    if not name_or_path.strip() or not path.exists():
        named = [PYTHON, *(held.name for held in store.collections() if held.name != PYTHON)]
        raise LibraryError(
            f"{name_or_path}: no such collection, file or folder; pass an existing path,"
            f" or one of: {', '.join(named)}"
        )
    return _Wanted(derived_name(path), (path,), is_named=False)


def _distinct(places: Sequence[Collection]) -> list[Collection]:
    """Drop places of the same name: the first wins, so that documents go before a backend."""
    return list({place.name: place for place in reversed(places)}.values())[::-1]
