"""Which addresses may be connected to, and which urls may be asked for: pure rules, no sockets.

A page chooses what we fetch next (links, redirects), so a url is a stranger's word. Two rules hold:

1. `target` judges a url as written: scheme, userinfo, port, and the notation of its host.
2. `refusal` judges an address that a host resolved to. It is asked about *every* address of a host, by the
   code that then connects to the very address it asked about (`library/web/guarded_transport.py`), so that a
   second answer of the name server ("rebinding") is never used.

An IPv6 address can carry an IPv4 address inside (mapped, 6to4, NAT64, Teredo, ISATAP): both are judged.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address
from typing import TYPE_CHECKING

from library.errors import FetchError

if TYPE_CHECKING:
    import httpx2  # loaded when the first url is read: the settings need no HTTP client

LONGEST_URL = 4096

# Denied on top of what `ipaddress` calls not global: its tables differ between patch releases of Python, and
# a few global addresses lead inside all the same.
_DENIED_4 = tuple(
    IPv4Network(network)
    for network in (
        "0.0.0.0/8", "10.0.0.0/8", "100.64.0.0/10", "127.0.0.0/8", "169.254.0.0/16", "172.16.0.0/12",
        "192.0.0.0/24", "192.0.2.0/24", "192.88.99.0/24", "192.168.0.0/16", "198.18.0.0/15",
        "198.51.100.0/24", "203.0.113.0/24", "224.0.0.0/4", "240.0.0.0/4",
        "168.63.129.16/32",  # the metadata and DNS address of Azure, in public space
    )
)  # fmt: skip
_DENIED_6 = tuple(
    IPv6Network(network)
    for network in (
        "2001::/23",  # protocol assignments, among them Teredo and ORCHID
        "2001:db8::/32", "3fff::/20",  # documentation
    )
)  # fmt: skip
_GLOBAL_6 = IPv6Network("2000::/3")
_NAT64 = IPv6Network("64:ff9b::/96")
_CARRIERS = (
    IPv6Network("::/96"),  # IPv4-compatible
    IPv6Network("::ffff:0:0/96"),  # IPv4-mapped
    IPv6Network("::ffff:0:0:0/96"),  # IPv4-translated
    _NAT64,
)
_ISATAP = (0x0000_5EFE, 0x0200_5EFE)

_NUMERIC_HOST = re.compile(r"(?:.*\.)?(?:0x[0-9a-f]*|\d+)$", re.IGNORECASE)
_HOST = re.compile(r"(?!-)[A-Za-z0-9_-]{1,63}(?<!-)(?:\.(?!-)[A-Za-z0-9_-]{1,63}(?<!-))*$")
_DEFAULT_PORTS = {"http": 80, "https": 443}


@dataclass(frozen=True, slots=True)
class Target:
    """A url that may be asked for, as long as its addresses may be connected to."""

    url: str
    """Without fragment."""
    scheme: str
    host: str
    """In ASCII, lower case, without brackets or a closing dot."""
    port: int
    opened: bool
    """Named by the user in `fetch.allow`: its addresses are not judged."""

    @property
    def origin(self) -> str:
        """Scheme, host and port: what robots.txt and connections belong to."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return f"{self.scheme}://{host}:{self.port}"


def target(url: str, allow: Sequence[str] = (), ports: Sequence[int] = (80, 443)) -> Target:
    """Read a url and judge it as written. Raises FetchError with the rule that it breaks."""
    import httpx2  # the parser of the client that will ask, so that both read a url alike

    if len(url) > LONGEST_URL:
        raise FetchError(f"the url is longer than {LONGEST_URL} characters: {url[:80]}…")
    if "\\" in url or any(character.isspace() for character in url):
        raise FetchError(f"the url holds a space or backslash: {url!r}")
    try:
        parsed = httpx2.URL(url).copy_with(fragment=None)
    except (httpx2.InvalidURL, ValueError) as error:
        raise FetchError(f"this is no url: {url!r} ({error})") from error
    if parsed.scheme not in _DEFAULT_PORTS:
        raise FetchError(
            f"only http and https are fetched, not {parsed.scheme or 'a url without a scheme'}: {url}"
        )
    if "@" in _authority(url):
        raise FetchError(
            f"a url with a user name or password in it is not fetched: {_without_userinfo(parsed)}"
        )
    host = _host(parsed, url)
    port = parsed.port or _DEFAULT_PORTS[parsed.scheme]
    opened = is_opened(host, port, allow)
    if not opened and port not in ports:
        mend = f"add '{host}:{port}' to library.fetch.allow"
        raise FetchError(f"port {port} is not open to fetching ({mend}): {url}")
    return Target(str(parsed), parsed.scheme, host, port, opened)


def _authority(url: str) -> str:
    return re.split(r"[/?#]", url.partition("//")[2], maxsplit=1)[0]


def _without_userinfo(url: "httpx2.URL") -> str:
    return str(url.copy_with(userinfo=b""))


def _host(parsed: "httpx2.URL", url: str) -> str:
    host = parsed.raw_host.decode("ascii").lower().strip("[]")
    if ":" in host:
        try:
            return str(IPv6Address(host))
        except ValueError as error:
            raise FetchError(f"this is no IPv6 address: {host} ({url})") from error
    host = host.removesuffix(".")
    if not host:
        raise FetchError(f"the url names no host: {url}")
    if _NUMERIC_HOST.match(host):
        try:
            return str(IPv4Address(host))
        except ValueError as error:
            message = f"an IPv4 address is only read in its plain notation, not as {host}: {url}"
            raise FetchError(message) from error
    if len(host) > 253 or not _HOST.match(host):
        raise FetchError(f"this is no host name: {host[:80]} ({url[:160]})")
    return host


def is_opened(host: str, port: int, allow: Sequence[str]) -> bool:
    """Tell whether `fetch.allow` names this host with this port, or the host alone with a usual port."""
    for entry in allow:
        name, opened_port = split_allowed(entry)
        if name == host and (port == opened_port or (opened_port is None and port in (80, 443))):
            return True
    return False


@lru_cache(maxsize=1_000)
def split_allowed(entry: str) -> tuple[str, int | None]:
    """Read an entry of `fetch.allow`: `host`, `host:port`, `::1` or `[::1]:port`. Raises ValueError."""
    bare, bracketed, rest = entry.strip().lower(), "", ""
    if bare.startswith("["):
        bracketed, _, rest = bare[1:].partition("]")
        host, port = bracketed, rest.removeprefix(":")
    elif bare.count(":") > 1:
        host, port = bare, ""
    else:
        host, _, port = bare.partition(":")
    if not host or (port and not (port.isdecimal() and 0 < int(port) < 65536)):
        raise ValueError(f"'{entry}' is neither 'host' nor 'host:port'")
    host = str(ip_address(host)) if ":" in host else host.removesuffix(".")
    return host, int(port) if port else None


def refusal(address: str) -> str | None:
    """Say why an address may not be connected to; None for an ordinary one of the public internet."""
    try:
        ip = ip_address(address.partition("%")[0])
    except ValueError:
        return f"{address} is no address"
    if isinstance(ip, IPv4Address):
        return _refusal_4(ip)
    for inner in carried(ip):
        if why := _refusal_4(inner):
            return f"{ip} carries {inner}: {why}"
    if ip in _NAT64 or ip.ipv4_mapped is not None:
        return None  # no more than the public address inside
    if ip not in _GLOBAL_6 or any(ip in network for network in _DENIED_6) or not ip.is_global:
        return f"{ip} is not on the public internet"
    return None


def _refusal_4(ip: IPv4Address) -> str | None:
    if ip.is_global and not ip.is_multicast and not any(ip in network for network in _DENIED_4):
        return None
    kind = "this machine" if ip.is_loopback or ip.is_unspecified else "a private or special network"
    return f"{ip} belongs to {kind}, not to the public internet"


def carried(ip: IPv6Address) -> Iterator[IPv4Address]:
    """Yield the IPv4 addresses that an IPv6 address carries."""
    low = int(ip) & 0xFFFF_FFFF
    if any(ip in network for network in _CARRIERS) or int(ip) >> 32 & 0xFFFF_FFFF in _ISATAP:
        yield IPv4Address(low)
    if ip.sixtofour is not None:
        yield ip.sixtofour
    if ip.teredo is not None:
        yield from ip.teredo
