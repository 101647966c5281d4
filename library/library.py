"""The library as the rest of the program sees it: places to search, pages to read, texts to cite."""

import asyncio
import contextlib
from collections.abc import Callable, Iterable, Sequence
from contextlib import AsyncExitStack
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from types import TracebackType
from typing import NoReturn, Self
from urllib.parse import urlsplit

from library.claims.standing.source_weight import kind_of
from library.errors import FetchError, LibraryError, ReadError, SearchError, StoreError
from library.events import FoundHit
from library.evidence import Passage, Source, Trust, Work, as_told, fingerprint, on_the_web
from library.readers.file_bytes import shown_path
from library.readers.pictures.picture_tasks import PictureText
from library.readers.reader import Reader
from library.readers.rendered_page import look_at, looked_at, read_fetched
from library.references.collecting import FOLDER
from library.search.address_kind import address_kind
from library.search.backends.hit_bounds import bounded
from library.search.interface import Collection, Hit, NotedHits
from library.search.local_collection import DocumentPlace, JoinedFrequencies
from library.search.open_copies import open_copies
from library.search.search_cache import KeptHits, KeptSearches
from library.search.search_scope import SearchScope
from library.search.search_settings import SearchSettings
from library.search.tool_servers.mcp_place import SCHEME, McpPlace
from library.search.trust_list import TrustList
from library.search.work_registry import WorkRegistry
from library.store.store import Store
from library.text.multilingual.language import topic_language
from library.text.similarity.tfidf import TextStatistics
from library.web.fetcher import Fetcher
from library.web.http_request import StatusError
from library.web.page_renderer import PageRenderer
from models import Reply
from models.client import TextCache

_READ_IN: tuple[Trust, ...] = ("prefer", "", "doubt")
"""The order in which results are read, by what a person thinks of them."""
_STRONGEST: tuple[Trust, ...] = ("never", "doubt", "prefer")
_LEAST_ABSTRACT, _LEAST_IN_CHARACTERS = 120, 40
"""Characters from which on a catalogue's text of a work can stand for a page that cannot be read: a sentence
or two; and where a character is nearly a word (zh, ja)."""
_HOSTS = 3
"""Of those whose results may never be used, that are named."""
_MORE = 4
"""How many times more is asked of documents when some of what they hold may be of another time."""


class Library:
    """Collections and web backends to search, the store behind them, and a fetcher for pages."""

    def __init__(
        self,
        store: Store,
        collections: Sequence[Collection],
        fetcher: Fetcher | None = None,
        reader: Reader | None = None,
        warnings: Iterable[str] = (),
        searches: TextCache | None = None,
        search: SearchSettings | None = None,
        clock: Callable[[], datetime] = lambda: datetime.now(UTC),
        trust: TrustList | None = None,
        renderer: PageRenderer | None = None,
    ) -> None:
        self.store = store
        self._clock = clock
        self.trust = trust or TrustList()
        """What the session's person thinks of sources: what is never to be used leaves neither `search` nor
        `read`."""
        self._search = search or SearchSettings()
        self.collections = list(collections)
        self.warnings = list(warnings)
        """One line for each document that could not be read when the library was opened."""
        self.scope: SearchScope = self._search.scope
        """Which sources may be used: nothing else leaves `search` and `read`."""
        self._searches = searches
        self._fetcher = fetcher
        self._reader = reader
        self._renderer = renderer
        self._servers = [place for place in self.collections if isinstance(place, McpPlace)]
        self._documents = [place for place in self.collections if isinstance(place, DocumentPlace)]
        bodies = [place.frequencies for place in self._documents]
        self.statistics = TextStatistics(JoinedFrequencies(bodies) if bodies else None)
        """Over the collections of documents as they were when the library was opened."""
        self._reading: dict[str, asyncio.Task[Source]] = {}
        self._brought: set[str] = set()
        """Hashes of files of the user's own that were named by themselves."""
        self._read_at: dict[str, str] = {}
        """Where texts were read that stand in no collection of these, by hash: a url, or a file's address."""
        self._ahead: dict[str, asyncio.Task[Source]] = {}

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()

    async def close(self) -> None:
        """Close the store, connections and worker processes."""
        async with AsyncExitStack() as closing:
            closing.callback(self.store.close)
            if self._searches is not None:
                closing.callback(self._searches.close)
            if self._reader is not None:
                closing.push_async_callback(asyncio.to_thread, self._reader.close)
            if self._fetcher is not None:
                closing.push_async_callback(self._fetcher.close)
            if self._renderer is not None:
                closing.push_async_callback(self._renderer.close)
            for server in self._servers:
                closing.push_async_callback(server.close)
            for place in self._documents:
                closing.push_async_callback(place.close)
            under_way = [*self._reading.values(), *self._ahead.values()]
            for task in under_way:
                task.cancel()
            await asyncio.gather(*under_way, return_exceptions=True)

    async def warm_up(self) -> None:
        """Start what reading pages of the web needs, while something else is waited for."""
        if self._fetcher is not None and self._reader is not None:
            await self._reader.warm_up()

    @property
    def pictures_read(self) -> list[Reply[PictureText]]:
        """What a model that sees has read, and what each picture cost."""
        return self._reader.pictures.replies if self._reader and self._reader.pictures else []

    @property
    def looks(self) -> bool:
        """Whether pages can be looked at: there are a browser and a model that sees."""
        return self._renderer is not None and self._reader is not None and self._reader.reads_pictures

    @property
    def registry(self) -> WorkRegistry | None:
        """The catalogues that tell whether a work exists; None where nothing outside is asked."""
        return WorkRegistry(self._fetcher, self._search) if self._fetcher is not None else None

    def files(self) -> dict[str, str]:
        """Return the files of its collections of documents: by path the hash of the text that each holds."""
        files = (file for place in self._documents for file in self.store.files(place.held).values())
        return {file.path: file.sha256 for file in files if file.sha256}

    def holds_whole(self, source: Source) -> bool:
        """Tell whether a file of its collections holds a text, and not a work's abstract alone.

        A paper of pages that has none could not be read: what stands for it is what its catalogue says.
        """
        laid = self.store.path.parent / FOLDER
        paths = (p for place in self._documents for p in self.store.file_paths(place.held, source.sha256))
        files = [path for path in map(Path, paths) if not path.is_relative_to(laid)]
        return any(source.pages or path.suffix.casefold() != ".pdf" for path in files)

    def place(self, name: str) -> Collection:
        """Return the collection of a name. Raises SearchError, which names what there is."""
        for place in self.collections:
            if place.name == name:
                return place
        known = ", ".join(place.name for place in self.collections) or "nothing"
        raise SearchError(f"there is no place '{name}' to search; there is: {known}")

    async def examine(self, name: str) -> str:
        """Return in a line what a server of tools offers. Raises SearchError."""
        for server in self._servers:
            if server.name == name:
                return await server.examine()
        raise SearchError(f"there is no server '{name}'")

    async def search(self, query: str, where: str, limit: int, *, anew: bool = False) -> list[Hit]:
        """Search one place, within the scope; `anew` past what is kept of earlier searches.

        Nothing found is an empty list.

        Raises:
            SearchError: it fails, or all that was found is of sources that are never to be used.
        """
        place = self.place(where)
        try:
            more = _MORE if place.local and self.scope.dated else 1
            asked = place.search_anew if anew and isinstance(place, KeptSearches) else place.search
            found = await asked(query, limit * more)
            within = [kept for hit in found if (kept := bounded(hit))]
            seen = [hit for hit in within if self._may_be_shown(hit, place)]
            shown = self._by_trust(seen, place)[:limit]
            if seen and not shown:
                _refuse_for_trust(seen)
            if isinstance(found, NotedHits):
                return NotedHits(shown, found.notes)
            return KeptHits(shown) if isinstance(found, KeptHits) else shown
        except (LibraryError, MemoryError):
            raise
        except Exception as error:
            # A place that another distribution adds may fail in any way: it costs this search alone.
            what = " ".join(f"{type(error).__name__}: {error}".split())[:160]
            raise SearchError(f"{where} failed: {what}") from error

    def _may_be_shown(self, hit: Hit, place: Collection) -> bool:
        """Tell whether a hit lies in the scope, as far as one sees before its page is read."""
        scope = self.scope
        if scope.refuses_date(hit.published, undated_too=False):
            return False
        kind = hit.kind or address_kind(hit.url)
        return place.local or not (scope.refuses_url(hit.url) or scope.refuses_kind(kind))

    def _by_trust(self, hits: list[Hit], place: Collection) -> list[Hit]:
        """Leave out what is never to be used; of what is read page by page put the preferred first."""
        if not self.trust:
            return hits
        told = [(self._trust_of(hit.url, kind_of(hit.url, hit.work), _text_of(hit)), hit) for hit in hits]
        kept = [(word, hit) for word, hit in told if word != "never"]
        if not place.local:
            kept.sort(key=lambda pair: _READ_IN.index(pair[0]))
        return [hit for _, hit in kept]

    def _trust_of(self, url: str, kind: str, sha256: str) -> Trust:
        """Return what is thought of a source, by its address and by the collections that hold its text.

        A document of a collection may name an address of its own, and a reference has that of its DOI.
        """
        told = [self.trust.of_url(url, kind)]
        if sha256 and self.trust.names_folders:
            paths = (path for held in self.store.holding(sha256) for path in held.paths)
            told += [self.trust.of_url(Path(path).as_uri()) for path in paths if Path(path).is_absolute()]
        return next((word for word in _STRONGEST if word in told), "")

    async def read(self, url: str, found: Sequence[Hit | FoundHit] = ()) -> Source:
        """Return the source at a url: from the store when it is known there, else fetched, read and kept.

        Two who ask for the same page at the same time share one reading.

        Args:
            url: Where it is.
            found: Results that led there: they may tell its kind, and a date where the page has none.

        Raises:
            FetchError: the page could not be had, or may not be; a paper's abstract stands in, where `found`
                holds it.
            ReadError: it is nothing that can be read, or lies outside the scope.
        """
        self._check_scope(url, {hit.kind for hit in found})
        works = [(hit, hit.work) for hit in found if hit.work is not None]
        work = _joined([said for _, said in works])
        try:
            if url in self._ahead:
                source = await self._begun(url)
            else:
                source = await self._read(url)
        except (FetchError, ReadError) as failure:
            if work is None:
                raise
            source = await self._otherwise(url, works[0][0], work, failure)
        if not source.private:
            self._read_at.setdefault(source.sha256, url)
        if work is not None and not source.private:
            said = _joined([work, *([source.work] if source.work else [])])
            if said is not None and said != source.work:
                await asyncio.to_thread(self.store.describe, source.sha256, said, url)
        held = self.source(source.sha256)  # what would be cited
        if held.private:
            if why := self.scope.refuses_date(held.published, undated_too=False):
                raise ReadError(f"{url}: {why}")
            return source
        for where in {source.url, held.url}:
            self._check_scope(where, {hit.kind for hit in found})
        dates = [held.published, *(hit.published for hit in found)]
        if why := self.scope.refuses_date(next((date for date in dates if date), None)):
            raise ReadError(f"{url}: {why}")
        return source

    async def _otherwise(
        self, url: str, hit: Hit | FoundHit, work: Work, failure: FetchError | ReadError
    ) -> Source:
        """Return an open copy of a paper whose page cannot be read, else its abstract; else raise why."""
        more = ""
        if self._fetcher is not None:
            try:
                copies = await open_copies(work.doi, self._fetcher, self._search)
                for copy in copies:
                    if copy != url and not self.scope.refuses_url(copy):
                        with contextlib.suppress(FetchError, ReadError):  # the next one is tried
                            return await self._read(copy)
                more = "; no open copy could be read" if copies else ""
            except FetchError as error:
                more = f"; no open copy was found: {error}"
        dense = topic_language(hit.snippet) in ("zh", "ja")
        if len(hit.snippet) < (_LEAST_IN_CHARACTERS if dense else _LEAST_ABSTRACT):
            if not more:
                raise failure
            raise FetchError(f"{failure}{more}") from failure
        source = _abstract(url, hit, work)
        await asyncio.to_thread(self._keep, source, url)
        return source

    def _check_scope(self, url: str, kinds: set[str]) -> None:
        """Raise ReadError for what may not be used."""
        if self.trust.of_url(url, kind_of(url)) == "never":
            raise ReadError(f"{url}: your trust list says that it is never to be used")
        if any(server.local and server.reads(url) for server in self._servers):
            return
        why = self.scope.refuses_url(url)
        # A kind that somebody told stays with the page; one that its address tells changes with a redirect.
        refused = [self.scope.refuses_kind(kind or address_kind(url)) for kind in kinds or {""}]
        if not why and all(refused):
            why = refused[0]
        if why:
            raise ReadError(f"{url}: outside what this session may use: {why}")

    def at_hand(self, url: str) -> Source | None:
        """Return what was read at a url before; None where nothing was.

        A document of the user's own is at hand only where it was named, also one that says it is from the
        web: others share the store, and whoever writes an address or a path somewhere, in a bundle say, is to
        be shown nothing by it.
        """
        known = self.store.find(url)
        if known is None or not known.private or known.sha256 in self._brought:
            return known
        own = {place.held.id for place in self._documents}
        return known if own & {held.id for held in self.store.holding(known.sha256)} else None

    async def _read(self, url: str) -> Source:
        known = None if url.startswith(SCHEME) else await asyncio.to_thread(self.at_hand, url)
        if known is not None and not await asyncio.to_thread(self._over, known):
            return known
        if url not in self._reading:
            task = asyncio.create_task(self._fetch(url) if known is None else self._fetch_again(url, known))
            task.add_done_callback(lambda _: self._reading.pop(url, None))
            self._reading[url] = task
        return await asyncio.shield(self._reading[url])

    def _over(self, known: Source) -> bool:
        """Tell whether a page of the web was read so long ago that its server is to be asked again."""
        if self._fetcher is None or known.private or not on_the_web(known.url):
            return False
        settings, readings = self._fetcher.settings, self.store.readings(url=known.url)
        if not settings.cache or not readings:
            return True
        # What was read in the future was noted by a clock that was wrong: nobody waits for it.
        age = abs(self._clock() - datetime.fromisoformat(readings[-1].last))
        return age >= timedelta(minutes=settings.cache_minutes)

    async def _fetch_again(self, url: str, known: Source) -> Source:
        """Return a page as it is now; as it was read last where its server cannot be reached."""
        try:
            return await self._fetch(url)
        except StatusError as error:
            if error.gone:
                raise
            return known
        except FetchError:
            return known

    async def read_now(self, url: str) -> Source:
        """Return a page or document as it is now, however short ago it was read.

        The server of a page is asked whether it has changed; what a page looked like stays as long as the
        page is there, for a model would put it otherwise each time. A document of the user's own is as its
        collection was read last, when this library was opened.

        Raises:
            StatusError: the server says that there is no such page.
            FetchError, ReadError: it cannot be had, or read, now; or lies outside what may be used.
        """
        known = await asyncio.to_thread(self.at_hand, url)
        if known is not None and (known.private or not on_the_web(url)):
            return known
        self._check_scope(url, set())
        if known is not None and looked_at(url) and self._fetcher is not None:
            await self._fetcher.fetch(looked_at(url), anew=True)
            return known
        return await self._fetch(url, anew=True)

    async def _begun(self, url: str) -> Source:
        """Wait for a page that was begun ahead; who is cancelled leaves it where `close` finds it."""
        task = self._ahead[url]
        try:
            return await asyncio.shield(task)
        finally:
            if task.done():
                self._ahead.pop(url, None)

    def read_ahead(self, urls: Sequence[str]) -> None:
        """Begin to read pages that will be asked for; what came of it, failures too, is told then."""
        for url in urls:
            if url not in self._ahead and not self.scope.refuses_url(url):
                task = asyncio.create_task(self._read(url))
                task.add_done_callback(_noticed)
                self._ahead[url] = task

    async def _fetch(self, url: str, *, anew: bool = False) -> Source:
        for server in self._servers:
            if server.reads(url):
                source = await server.read(url)
                await asyncio.to_thread(self._keep, source, url)
                return source
        if self._fetcher is None or self._reader is None:
            raise ReadError(f"{url}: it is not in the store, and this library does not read the web")
        page = await self._fetcher.fetch(looked_at(url) or url, anew=anew)
        read = look_at if looked_at(url) else read_fetched
        source = await read(page, self._reader, self._renderer)
        await asyncio.to_thread(self._keep, source, url)
        return source

    def documents(self, name: str) -> dict[str, str]:
        """Return the documents of a collection: by their paths the hash of their text. Raises SearchError."""
        place = self.place(name)
        held = self.store.files(place.held) if isinstance(place, DocumentPlace) else {}
        texts = {path: file.sha256 for path, file in held.items()}
        return {path: sha256 for path, sha256 in texts.items() if sha256}  # others are marks of ours

    async def read_file(self, path: Path) -> Source:
        """Read a file of the user's own as it is now, and keep it. Raises ReadError."""
        if self._reader is None:
            raise ReadError(f"{path}: this library reads no files")
        source = await self._reader.read_file_async(path)
        self._brought.add(source.sha256)
        place = shown_path(path)
        self._read_at.setdefault(source.sha256, place)
        await asyncio.to_thread(self._keep, source, source.url, place)
        return source

    def _keep(self, source: Source, asked: str, place: str = "") -> None:
        with self.store.writing():
            self.store.add(source, place=place or ("" if source.private else asked))
            if asked != source.url:
                self.store.alias(asked, source.sha256)

    def source(self, sha256: str) -> Source:
        """Return a source by the hash of its text, as it is told where this library has it from.

        Raises StoreError when it is not in the store.
        """
        paths = (path for own in self._documents for path in self.store.file_paths(own.held, sha256))
        # A text that was taken in without being read stands under its own hash.
        places = [path for path in paths if path != sha256]
        places += [self._read_at[sha256]] if sha256 in self._read_at else []
        known = (own.told_itself(sha256) for own in self._documents)
        itself = None if places else next(filter(None, known), None)
        source = itself or self.store.source(sha256, places)
        if source is None:
            raise StoreError(f"{self.store.path}: the text {sha256[:12]} is not in the store")
        return source

    def passages(self, sha256: str) -> list[Passage]:
        """Return the passages of a source in order. Raises StoreError when it is not in the store."""
        source = self.source(sha256)
        held = [as_told(passage, source) for passage in self.store.passages(sha256)]
        trust: Trust = ""
        if self.trust and held:
            trust = self._trust_of(source.url, kind_of(source.url, source.work), sha256)
        return [replace(passage, trust=trust) for passage in held] if trust else held


def _refuse_for_trust(hits: Sequence[Hit]) -> NoReturn:
    """Tell that none of what was found may be used. Raises SearchError."""
    hosts = dict.fromkeys(urlsplit(hit.url).hostname or hit.url for hit in hits)
    few = ", ".join([*list(hosts)[:_HOSTS], *(["…"] if len(hosts) > _HOSTS else [])])
    raise SearchError(f"all that was found is of sources that your trust list never uses: {few}")


def _text_of(hit: Hit) -> str:
    """Return the hash of the text that a hit is a passage of; empty where it is none."""
    return hit.passage.sha256 if hit.passage is not None else ""


def _joined(works: Sequence[Work]) -> Work | None:
    """Return what several catalogues say of one work: the first, and what became of it by any."""
    if not works:
        return None
    retracted, corrected = any(w.retracted for w in works), any(w.corrected for w in works)
    return replace(works[0], retracted=retracted, corrected=corrected)


def _abstract(url: str, hit: Hit | FoundHit, work: Work) -> Source:
    """Return a paper's abstract as a source, where its page cannot be read: publishers close many."""
    text = f"{hit.title}\n\n{hit.snippet}"
    return Source(
        sha256=fingerprint(text),
        url=url,
        title=f"{hit.title} (abstract)",
        text=text,
        author="; ".join(work.authors[:20]) or None,
        published=hit.published,
        retrieved=datetime.now(UTC).isoformat(timespec="seconds"),
        work=work,
    )


def _noticed(task: asyncio.Task[Source]) -> None:
    """Take note of a failure, so that one that nobody asks about is not complained of."""
    if not task.cancelled():
        task.exception()
