"""robots.txt as RFC 9309 has it: groups, the longest rule wins, `*` and `$`."""

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from urllib.parse import quote, unquote_to_bytes, urlsplit

LARGEST = 512_000
"""Bytes of a robots.txt that are read; the rest is not looked at."""


@dataclass(frozen=True, slots=True)
class _Rule:
    pattern: str
    allows: bool

    def matches(self, path: str) -> bool:
        ends = self.pattern.endswith("$")
        pieces = self.pattern.removesuffix("$").split("*")
        # By hand rather than by a regular expression: a pattern of many stars must not cost exponential time.
        if not path.startswith(pieces[0]):
            return False
        at = len(pieces[0])
        for piece in pieces[1:-1]:
            found = path.find(piece, at)
            if found < 0:
                return False
            at = found + len(piece)
        if len(pieces) == 1:
            return not ends or at == len(path)
        last = pieces[-1]
        if ends:
            return path.endswith(last) and len(path) - len(last) >= at
        return path.find(last, at) >= 0


@dataclass(frozen=True, slots=True)
class Robots:
    """What a site asks of one program."""

    rules: tuple[_Rule, ...] = ()
    delay: float = 0.0
    """Seconds between requests; 0 when nothing is said."""
    sitemaps: tuple[str, ...] = ()
    """Where it says that lists of its pages are."""

    def allows(self, url: str) -> bool:
        """Tell whether a url may be fetched. Of rules of the same length the one that allows wins."""
        parts = urlsplit(url)
        path = _normalise((parts.path or "/") + (f"?{parts.query}" if parts.query else ""))
        if path == "/robots.txt":
            return True
        matching = [rule for rule in self.rules if rule.matches(path)]
        return not matching or max(matching, key=lambda rule: (len(rule.pattern), rule.allows)).allows


CLOSED = Robots((_Rule("/", allows=False),))
"""For a site whose robots.txt cannot be had because the site is in trouble."""


def _normalise(path: str) -> str:
    """Write a path with one spelling of its escapes; `*`, `$`, `?` and `&` keep their meaning."""
    raw = re.sub(rb"%(2[Ff]|2[Aa]|24|3[Ff])", rb"%25\1", path.encode("utf-8", "replace"))
    return quote(unquote_to_bytes(raw), safe="/*$?&=:@!'(),;+~-._%")


def parse(text: str, product: str) -> Robots:
    """Read a robots.txt for one product name, in either case; the group `*` is for all others."""
    own: list[tuple[str, str]] = []
    everyone: list[tuple[str, str]] = []
    found = False
    for names, lines in _groups(text):
        if product.lower() in names:
            found = True
            own += lines
        if "*" in names:
            everyone += lines
    return replace(_robots(own if found else everyone), sitemaps=tuple(_sitemaps(text)))


def _sitemaps(text: str) -> Iterable[str]:
    """Yield the addresses of `Sitemap:` lines, which belong to no group."""
    for line in text.splitlines():
        key, _, value = line.partition(":")
        if key.strip().lower() == "sitemap" and value.strip():
            yield value.strip()


def _groups(text: str) -> Iterable[tuple[set[str], list[tuple[str, str]]]]:
    names: set[str] = set()
    lines: list[tuple[str, str]] = []
    for line in text.removeprefix("\ufeff").splitlines():
        key, colon, value = line.partition("#")[0].partition(":")
        key, value = key.strip().lower(), value.strip()
        if not colon:
            continue
        if key == "user-agent":
            if lines:
                yield names, lines
                names, lines = set(), []
            product = re.match(r"[a-z_-]+|\*", value.lower())
            if product:
                names.add(product[0])
        elif names and key in ("allow", "disallow", "crawl-delay"):
            lines.append((key, value))
    yield names, lines


def _robots(lines: list[tuple[str, str]]) -> Robots:
    rules = tuple(
        _Rule(_normalise(value), allows=key == "allow")
        for key, value in lines
        if key != "crawl-delay" and value
    )
    delays = [
        value for key, value in lines if key == "crawl-delay" and re.fullmatch(r"\d{1,6}(\.\d+)?", value)
    ]
    return Robots(rules, float(delays[0]) if delays else 0.0)
