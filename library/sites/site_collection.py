"""A collection that is made of a site: read within its bounds, kept page by page, brought up to date."""

import asyncio
import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from library.errors import FetchError, LibraryError, ReadError
from library.evidence import Source
from library.readers.reader import Reader
from library.readers.rendered_page import read_fetched
from library.readers.site.page_links import PageLinks
from library.sites.frontier import Frontier
from library.sites.site_bounds import SiteBounds, is_same_site, spelling, without_query
from library.sites.site_rows import (
    Site,
    SitePage,
    forget_pages,
    keep_pages,
    keep_site,
    keep_start,
    kept_site,
    kept_start,
    pages_under_way,
)
from library.sites.sitemaps import listed_pages
from library.store.collection_description import describe_by_headings
from library.store.folder_walk import Unread
from library.store.store import Held, HeldFile, Store
from library.store.sync import Progress, SyncReport, check_name
from library.web.fetcher import Fetched, Fetcher
from library.web.http_request import StatusError, may_pass
from library.web.page_renderer import PageRenderer
from library.web.url_policy import target

_AT_ONCE = 4
"""Pages that are asked for and committed together: what is lost when it is stopped."""
_HTML = frozenset(("text/html", "application/xhtml+xml"))


@dataclass(slots=True)
class _Visit:
    """What came of a page."""

    page: SitePage
    file: HeldFile | None = None
    """None where nothing of it is kept, or what was kept stays."""
    source: Source | None = None
    """None when it is as before."""
    kept: str = ""
    links: list[str] = field(default_factory=list)
    unread: str = ""
    """Why it could not be had or read."""
    lost: bool = False
    """Whether it may lead on to pages, but where is not known just now."""


async def sync_site(
    store: Store,
    name: str,
    site: Site,
    fetcher: Fetcher,
    reader: Reader,
    *,
    renderer: PageRenderer | None = None,
    description: str = "",
    progress: Progress | None = None,
) -> tuple[Held, SyncReport]:
    """Read a site into a collection, made if it is not there, or bring it up to date.

    Pages go by their addresses. What is kept of a page is asked for again when its server says that it is no
    longer fresh, and read again when its bytes have changed; a page that is gone goes out of the collection,
    and so does one that nothing within the bounds leads to any longer, unless a page that may lead there
    could not be had this time. When it is stopped, what was read so far stays, and the next time goes on from
    there.

    Args:
        store: Where it is kept.
        name: The collection's.
        site: Where to begin, and how far to go.
        fetcher: Asks politely: one for each host.
        reader: Reads what was fetched.
        renderer: Shows pages that hold no text without their scripts; None: nobody does.
        description: For people and models; empty: as somebody wrote it, else made of the pages' headings.
        progress: Is told how many pages of how many were looked at; what it raises stops the work.

    Raises:
        FetchError: the first page cannot be had, or leads out of what the collection was made of.
        LibraryError: the collection is made of something else.
        ReadError: no page of it can be read.
    """
    check_name(name)
    held = before = store.collection(name)
    if held is not None and held.paths != (site.address,):
        made_of = ", ".join(held.paths) or "something else"
        raise LibraryError(
            f"{name} is made of {made_of}; choose another name for {site.address},"
            f" or remove it first: `roundtable docs remove {name}`"
        )
    first = await fetcher.fetch(site.address, within=lambda url: is_same_site(url, site.address))
    start = spelling(first.url)
    begun = kept_start(store, held) if held is not None and store.files(held) else ""
    bounds = SiteBounds.of(begun or start)
    if not bounds.contains(SiteBounds.of(start)):
        raise FetchError(
            f"{site.address} leads to {start}, out of {bounds.host}{bounds.folder} of which {name} is made;"
            f" nothing is changed. Has the site moved, `roundtable docs remove {name}` and add it again."
        )
    start = bounds.settled(start) or start
    private = target(first.url, fetcher.settings.allow, fetcher.settings.ports).opened
    line = description or (held.description if held else "")
    held = reopened(store, name, line, site.address, private=private)
    keep_site(store, held, site)
    if not begun:
        keep_start(store, held, start)
    crawl = _Crawl(store, held, site, bounds, fetcher, reader, renderer)
    if not bounds.folder.startswith(SiteBounds.of(spelling(site.address)).folder):
        crawl.warn(f"{site.address} leads to {start}: pages of {bounds.host}{bounds.folder} are read")
    report = await crawl.run(first, start, progress)
    if not store.files(held):
        if before is None:
            store.drop_collection(name)
        why = report.warnings[0].reason if report.warnings else f"{site.address} may not be kept"
        raise ReadError(f"{site.address}: no page there can be read; {why}")
    fresh = store.collection(name)
    assert fresh is not None
    if not description:
        made = f"Pages of {bounds.host}{bounds.folder}"
        fresh = await asyncio.to_thread(describe_by_headings, store, fresh, made)
    return fresh, report


def reopened(store: Store, name: str, description: str, address: str, *, private: bool) -> Held:
    """Return a site's collection, made if it is not there, and indexed anew where terms are others now."""
    with store.writing():
        before = store.collection(name)
        files = store.files(before) if before is not None else {}
        site = kept_site(store, before) if before is not None else None
        held = store.make_collection(name, description, (address,), private=private)
        if site is not None:
            keep_site(store, held, site)
        if files and not store.files(held):
            for file in files.values():
                if (source := store.source(file.sha256)) is not None:
                    store.put_file(held, file, source)
        return held


class _Crawl:
    """One reading of a site."""

    def __init__(
        self,
        store: Store,
        held: Held,
        site: Site,
        bounds: SiteBounds,
        fetcher: Fetcher,
        reader: Reader,
        renderer: PageRenderer | None,
    ) -> None:
        self._store = store
        self._held = held
        self._site = site
        self._bounds = bounds
        self._fetcher = fetcher
        self._reader = reader
        self._renderer = renderer
        self._files = store.files(held)
        self._frontier = Frontier(site.pages, pages_under_way(store, held))
        self._read_now = {page.kept for page in self._frontier.pages.values() if page.kept}
        """Under which names pages were read or seen again this time."""
        self._report = SyncReport()
        self._lost = False
        """Whether a page that may lead on could not be had this time."""

    def warn(self, reason: str) -> None:
        """Tell something of the site as a whole."""
        self._report.warnings.append(Unread(self._site.address, reason))

    async def run(self, first: Fetched, start: str, progress: Progress | None) -> SyncReport:
        # Where another page stands in for the first (a form to log in), it may be for a while.
        begun = kept_start(self._store, self._held)
        self._lost = bool(self._files) and start != begun and start not in self._files
        if start not in self._frontier.pages:  # else it goes on
            self._frontier.meet([start], 0)
            [page] = self._frontier.next_pages(1)
            visit = await self._read(page, first)
            if self._site.depth:
                listed, unread = await listed_pages(
                    self._fetcher, self._reader, first.url, self._bounds, self._frontier.room
                )
                self._report.warnings += unread
                self._lost = self._lost or bool(unread)
                visit.links += listed
            await asyncio.to_thread(self._commit, [visit])
        while pages := self._frontier.next_pages(_AT_ONCE):
            visits = await asyncio.gather(*map(self._visit, pages))
            await asyncio.to_thread(self._commit, visits)
            if progress is not None:
                progress(self._frontier.done, self._frontier.of)
        await asyncio.to_thread(self._finish)
        return self._report

    async def _visit(self, page: SitePage) -> _Visit:
        try:
            fetched = await self._fetcher.fetch(page.url, within=self._bounds.holds)
        except FetchError as error:
            if isinstance(error, StatusError) and error.gone:
                return _Visit(page, unread=str(error))
            kept = self._as_before(page.url)
            return _Visit(page, unread=str(error), kept=kept, lost=bool(kept) or may_pass(error))
        return await self._read(page, fetched)

    def _as_before(self, url: str) -> str:
        """Return the path of what is kept of a page that cannot be had just now; empty for nothing."""
        return url if url in self._files else ""

    async def _read(self, page: SitePage, fetched: Fetched) -> _Visit:
        found = self._bounds.settled(fetched.url) or page.url
        if found != page.url and found in self._frontier.pages:
            return _Visit(page)  # it is read under the address that this one leads to
        visit = _Visit(page)
        try:
            if fetched.media_type in _HTML:
                visit.lost = bool(self._as_before(found))  # until they are read
                links = await self._reader.links(fetched)
                visit.lost = False
                visit.links = await asyncio.to_thread(self._bounds.all_settled, links.links)
                if not links.index:
                    return visit
                found = self._said_to_be(found, links) or found
            digest = hashlib.sha256(fetched.data).hexdigest()
            known = self._files.get(found)
            if known is None or known.digest != digest:
                visit.source = source = await read_fetched(fetched, self._reader, self._renderer)
                visit.file = HeldFile(found, len(fetched.data), 0, digest, source.sha256)
            visit.kept = found
        except (FetchError, ReadError) as error:
            visit.unread, visit.kept = str(error), self._as_before(found)
        return visit

    def _said_to_be(self, found: str, links: PageLinks) -> str:
        """Return the address under which a page says that it is to be known, where it is a form of this one.

        Another address is not believed: sites name their first page on all their pages by mistake.
        """
        other = self._bounds.settled(links.canonical) if links.canonical else ""
        same = without_query(other).rstrip("/") == without_query(found).rstrip("/")
        return other if other and other != found and same else ""

    def _commit(self, visits: Sequence[_Visit]) -> None:
        with self._store.writing() as connection:
            for visit in sorted(visits, key=lambda one: one.page.url != one.kept):
                self._keep(visit)
                self._lost = self._lost or visit.lost
                done = self._frontier.ended(visit.page.url, visit.kept)
                links = [link for link in visit.links if link not in self._read_now]
                deeper = visit.page.depth < self._site.depth
                new = self._frontier.meet(links, visit.page.depth + 1) if deeper else []
                # What was lost is asked for again where a reading that was stopped goes on.
                keep_pages(connection, self._held, [replace(done, asked=not visit.lost), *new])

    def _keep(self, visit: _Visit) -> None:
        report = self._report
        if visit.unread:
            report.warnings.append(Unread(visit.page.url, visit.unread))
        elif visit.kept and visit.kept != visit.page.url:
            if visit.kept in self._read_now:
                return  # another form of a page that is kept
            self._frontier.leave_out(visit.kept)
        if visit.kept and not visit.unread:
            self._read_now.add(visit.kept)
        known = self._files.get(visit.kept)
        if visit.file is None:
            if known is not None and not visit.unread:
                self._store.alias(known.path, known.sha256)  # it was seen there again
                report.unchanged += 1
            return
        self._store.put_file(self._held, visit.file, visit.source)
        self._files[visit.kept] = visit.file
        if known is not None:
            report.changed += 1
        else:
            report.added += 1

    def _finish(self) -> None:
        """Take out what is no longer there, and note that the reading has ended."""
        pages = self._frontier.pages.values()
        away = self._files.keys() - {page.kept for page in pages}
        gone = away & {page.url for page in pages if page.asked} if self._lost else away
        with self._store.writing() as connection:
            for path in sorted(gone):
                self._store.remove_file(self._held, path)
                self._report.removed += 1
            forget_pages(connection, self._held)
        if stay := len(away - gone):
            self.warn(f"{self._site.address}: pages that stay, as what led to them could not be had: {stay}")
        if left_out := self._frontier.left_out:
            self.warn(
                f"{self._site.address}: pages known of beyond these {self._site.pages}: {left_out} (--pages)"
            )
