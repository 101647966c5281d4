"""Where a page leads, and what a list of a site's pages names.

Runs in a worker process, as all that reads strangers' markup does.
"""

import zlib
from dataclasses import dataclass
from typing import Any
from urllib.parse import urldefrag, urljoin

from library.errors import ReadError
from library.readers.html.html_reader import parsed
from library.readers.text_files.plain_text import decode, html_charset

_MOST = 5_000
"""Links of one page that are looked at."""
_MOST_LISTED = 50_000
"""Pages of one sitemap: what the standard allows."""
_LONGEST = 2_000
"""Characters of an address."""


@dataclass(frozen=True, slots=True)
class PageLinks:
    """Where a page leads, and what it asks of whoever follows."""

    links: list[str]
    """Absolute addresses without fragments, each once, in the page's order."""
    canonical: str
    """The address that it gives itself; empty where it gives none."""
    index: bool
    """Whether it may be kept, as far as it says."""


@dataclass(frozen=True, slots=True)
class SitemapList:
    """What a sitemap lists: addresses."""

    pages: list[str]
    sitemaps: list[str]
    """More such lists."""


def read_links(data: bytes, charset: str | None, url: str, largest: int) -> dict[str, Any]:
    """Read where a page leads, as the fields of `PageLinks`; what it asks not to follow is left out.

    Args:
        data: The page.
        charset: As the server named it; None when it did not.
        url: Where it was found.
        largest: Bytes a page may have.

    Raises:
        ReadError: It is too large, or its markup cannot be read.
    """
    if len(data) > largest:
        raise ReadError(f"the page is larger than {largest / 1_000_000:g} MB")
    tree = parsed(decode(data, charset or html_charset(data)))
    based = next((node.get("href") for node in tree.iter("base") if node.get("href")), "")
    base = _joined(url, based) or url
    asked = {
        word.strip().lower()
        for node in tree.iter("meta")
        if (node.get("name") or "").strip().lower() == "robots"
        for word in (node.get("content") or "").split(",")
    }
    found: dict[str, None] = {}
    if not asked & {"nofollow", "none"}:
        for node in tree.iter("a", "area"):
            if "nofollow" not in (node.get("rel") or "").lower().split():
                there = _joined(base, node.get("href") or "")
                if there and len(found) < _MOST:
                    found[there] = None
    named = next(
        (n.get("href") for n in tree.iter("link") if "canonical" in (n.get("rel") or "").lower().split()), ""
    )
    return {
        "links": list(found),
        "canonical": _joined(base, named or ""),
        "index": not asked & {"noindex", "none"},
    }


def read_sitemap(data: bytes, largest: int) -> dict[str, Any]:
    """Read a list of a site's pages (sitemaps.org), packed or not, as the fields of `SitemapList`.

    Raises:
        ReadError: It is too large, or no such list.
    """
    from lxml import etree

    if data.startswith(b"\x1f\x8b"):
        data = _unpacked(data, largest)
    if len(data) > largest:
        raise ReadError(f"the list is larger than {largest / 1_000_000:g} MB")
    parser = etree.XMLParser(resolve_entities=False, no_network=True, load_dtd=False, huge_tree=False)
    try:
        root = etree.fromstring(data, parser)
    except (etree.XMLSyntaxError, ValueError) as error:
        raise ReadError(f"it is no sitemap ({' '.join(str(error).split())[:160]})") from error
    kind = etree.QName(root).localname
    if kind not in ("urlset", "sitemapindex"):
        raise ReadError("it is no sitemap")
    found: dict[str, None] = {}
    for node in root.iter("{*}loc"):
        parent = node.getparent()
        if etree.QName(parent).localname in ("url", "sitemap") and len(found) < _MOST_LISTED:
            address = urldefrag("".join(node.itertext()).strip()).url
            if 0 < len(address) <= _LONGEST:
                found[address] = None
    names = list(found)
    return {"pages": names, "sitemaps": []} if kind == "urlset" else {"pages": [], "sitemaps": names}


def _unpacked(data: bytes, largest: int) -> bytes:
    stream = zlib.decompressobj(wbits=16 + zlib.MAX_WBITS)
    try:
        return stream.decompress(data, largest + 1)
    except zlib.error as error:
        raise ReadError(f"it cannot be unpacked ({error})") from error


def _joined(base: str, link: str) -> str:
    """Return an address of the web, whole and without its fragment; empty for anything else."""
    link = "".join(link.strip().split("\n")) if len(link) <= _LONGEST else ""
    try:
        there = urldefrag(urljoin(base, link)).url if link else ""
    except ValueError:
        return ""
    return there if there.startswith(("http://", "https://")) and len(there) <= _LONGEST else ""
