"""The pages that a site itself lists: `sitemap.xml`, or what its robots.txt names instead."""

import asyncio
from collections.abc import Iterable, Sequence
from itertools import islice
from urllib.parse import urlsplit

from library.errors import FetchError, ReadError
from library.readers.reader import Reader
from library.sites.site_bounds import SiteBounds, is_same_site
from library.store.folder_walk import Unread
from library.web.fetcher import Fetcher
from library.web.http_request import StatusError, may_pass

_MOST = 50
"""Lists that are read: a list may name more lists."""
_LOOKED_AT = 1_000
"""Lists that one list, or a robots.txt, names and that are looked at: it may name any number."""
_USUAL = "/sitemap.xml"


async def listed_pages(
    fetcher: Fetcher, reader: Reader, url: str, bounds: SiteBounds, most: int
) -> tuple[list[str], list[Unread]]:
    """Return the pages within the bounds that a site lists, and which of its lists cannot be read.

    Args:
        fetcher: Asks for the lists.
        reader: Reads them.
        url: A page of the site.
        bounds: What belongs to the site.
        most: Pages for which there is room: once so many are found, no further list is asked for.
    """
    named = await fetcher.sitemaps(url)
    parts = urlsplit(url)
    usual = [f"{parts.scheme}://{parts.netloc}{_USUAL}"]
    waiting = await asyncio.to_thread(_of_site, named or usual, url)
    found: dict[str, None] = {}
    unread: list[Unread] = []
    read: set[str] = set()
    while waiting and len(read) < _MOST and len(found) < most:
        address = waiting.pop(0)
        if address in read:
            continue
        read.add(address)
        try:
            fetched = await fetcher.fetch(address, accept=None, within=lambda there: is_same_site(there, url))
            listed = await reader.sitemap(fetched.data)
        except (FetchError, ReadError) as error:
            # Most sites have none, and answer what they like where one usually is.
            gone = isinstance(error, StatusError) and error.gone
            passing = isinstance(error, FetchError) and may_pass(error)
            if passing or (named and not gone):
                unread.append(
                    Unread(address, f"{address}: {error}" if isinstance(error, ReadError) else str(error))
                )
            continue
        # A list has up to 50,000 addresses: whoever else is served does not wait for that.
        waiting += await asyncio.to_thread(_of_site, listed.sitemaps, url)
        found |= await asyncio.to_thread(_settled, listed.pages, bounds, most - len(found))
    return list(found), unread


def _of_site(lists: Sequence[str], url: str) -> list[str]:
    """Return the lists that are of a page's site, as many as may be read."""
    same = (address for address in lists[:_LOOKED_AT] if is_same_site(address, url))
    return list(islice(dict.fromkeys(same), _MOST))


def _settled(pages: Iterable[str], bounds: SiteBounds, most: int) -> dict[str, None]:
    """Return the pages that belong to the site, each once, in their order, so many at the most."""
    found: dict[str, None] = {}
    for page in pages:
        if settled := bounds.settled(page):
            found[settled] = None
        if len(found) >= most:
            break
    return found
