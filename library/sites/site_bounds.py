"""What belongs to a site: one host, one folder, no queries that nobody asked for; one spelling of an address.

A site may lead on for ever: a calendar has a page for every day, a list one for every order that it can be
sorted in. Queries are therefore left alone, and of pages whose addresses differ in their figures alone,
those of the kind that was read least come first.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from mimetypes import guess_type
from urllib.parse import parse_qsl, urlencode, urlsplit, urlunsplit

from library.errors import FetchError
from library.web.media_types import PAGES
from library.web.url_policy import target

_TRACKING = ("utm_", "fbclid", "gclid", "mc_cid", "mc_eid")
"""How parameters begin that tell where a reader came from, and nothing of the page."""
_NO_FIGURES = str.maketrans("123456789", "000000000")


@dataclass(frozen=True, slots=True)
class SiteBounds:
    """Which addresses belong to a site."""

    scheme: str
    host: str
    """With the port where it is not the usual one."""
    folder: str
    """What paths begin with; ends with `/`."""
    keys: frozenset[str]
    """Parameters that a query may have: those of the first page's."""

    @classmethod
    def of(cls, url: str) -> "SiteBounds":
        """Return the bounds of the site that a page stands in: its folder, and what is below."""
        parts = urlsplit(url)
        folder = parts.path.rpartition("/")[0] + "/"
        keys = frozenset(key for key, _ in parse_qsl(parts.query, keep_blank_values=True))
        return cls(parts.scheme, parts.netloc, folder, keys)

    def contains(self, other: "SiteBounds") -> bool:
        """Tell whether other bounds lie within these: a folder of the same host."""
        return self.host == other.host and other.folder.startswith(self.folder)

    def settled(self, url: str) -> str:
        """Return an address of the site in its one spelling; empty for one that does not belong to it."""
        spelt = spelling(url)
        parts = urlsplit(spelt)
        if not spelt or parts.netloc != self.host:
            return ""
        pairs = [pair for pair in parse_qsl(parts.query, True) if not pair[0].lower().startswith(_TRACKING)]
        if any(key not in self.keys for key, _ in pairs):
            return ""
        if not parts.path.startswith(self.folder) or _is_no_page(parts.path):
            return ""
        # http and https lead to the same site; where they do not, it sends us on.
        return urlunsplit((self.scheme, parts.netloc, parts.path, urlencode(pairs), ""))

    def all_settled(self, urls: Iterable[str]) -> list[str]:
        """Return those of some addresses that belong to the site, each in its one spelling."""
        return [*filter(None, map(self.settled, urls))]

    def holds(self, url: str) -> bool:
        """Tell whether an address belongs to the site."""
        return bool(self.settled(url))


def spelling(url: str) -> str:
    """Return an address as it is compared: host in lower case, no usual port, no fragment; empty for none."""
    try:
        place = target(url, ports=range(1, 65_536))
        parts = urlsplit(place.url)
    except (FetchError, ValueError):
        return ""
    usual = {"http": 80, "https": 443}[place.scheme]
    host = f"[{place.host}]" if ":" in place.host else place.host
    named = host if place.port == usual else f"{host}:{place.port}"
    return urlunsplit((place.scheme, named, parts.path or "/", parts.query, ""))


def is_same_site(url: str, other: str) -> bool:
    """Tell whether two addresses are of one host, with or without `www.`, http or https."""
    hosts = [urlsplit(one).netloc.removeprefix("www.") for one in (spelling(url), spelling(other))]
    return bool(hosts[0]) and hosts[0] == hosts[1]


def shape(url: str) -> str:
    """Return what an address has in common with those that differ in their figures alone."""
    return urlsplit(url)._replace(query="").geturl().translate(_NO_FIGURES)


def without_query(url: str) -> str:
    """Return an address without what stands behind its question mark."""
    return urlsplit(url)._replace(query="").geturl()


def _is_no_page(path: str) -> bool:
    """Tell whether a path ends as pictures, programs and archives do."""
    kind, packing = guess_type(f"http://host{path}", strict=True)
    return packing is not None or (kind is not None and kind not in PAGES)
