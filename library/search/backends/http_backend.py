"""A backend that is a programming interface over HTTP: urls to ask, and a function that reads the answer."""

import html
import json
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from typing import Any
from urllib.parse import urlencode

from library.errors import FetchError, SearchError
from library.evidence import Work
from library.readers.text_files.plain_text import seen
from library.search.backends.hit_bounds import bounded
from library.search.interface import Hit
from library.search.search_scope import SearchScope
from library.search.search_settings import SearchSettings
from library.text.multilingual.language import detect
from library.web.fetcher import Fetcher
from library.web.http_request import StatusError
from library.web.media_types import JSON

_TAG = re.compile(r"<[^<>]*>")
_LONGEST_QUERY = 400


@dataclass(frozen=True, slots=True)
class Query:
    """One search, ready to be written as a url."""

    text: str
    limit: int
    language: str
    """As `en`."""
    address: str
    """The base url of the service, without a closing slash."""
    scope: SearchScope
    """What may be found: passed on as far as the service knows how."""
    contact: str = ""
    """The user's, for services that ask for one."""

    @property
    def words(self) -> list[str]:
        """The words of the query, without operators that services give a meaning to."""
        return [
            word
            for word in re.findall(r"[^\s\"'()\[\]{}:~*?!^&|\\/+<>=,;]+", self.text)
            if word not in _OPERATORS
        ]


_OPERATORS = ("AND", "OR", "NOT", "ANDNOT", "-")


@dataclass(frozen=True, slots=True)
class Interface:
    """A service: what it is called, where it is, how it is asked, and how its answer is read."""

    name: str
    description: str
    address: str
    """Its base url; may hold `{language}`. Empty when only the user can know it."""
    asks: Callable[[Query], Sequence[str]]
    """The urls to ask: the second and further ones only when the ones before found nothing."""
    reads: Callable[[Any, Query], Sequence[Hit]]
    """Reads the answer, parsed from JSON, or as bytes for other media types."""
    accept: frozenset[str] = JSON
    kind: str = ""
    """What all it gives is: `paper`, …; empty where it does not say."""
    pause: float = 0.0
    """Seconds that the service asks to leave between requests."""
    means: Mapping[int, str] = field(default_factory=dict)
    """What a status means of this service alone."""


class InterfaceCollection:
    """An `Interface` as a collection to search."""

    private = False
    local = False

    def __init__(self, interface: Interface, fetcher: Fetcher, settings: SearchSettings) -> None:
        self.name = interface.name
        self.description = interface.description
        self._interface = interface
        self._fetcher = fetcher
        self._language = settings.language
        self._scope = settings.scope
        self._address = settings.addresses.get(interface.name, interface.address).rstrip("/")
        if not self._address:
            message = f"{interface.name} needs the address of a server: set search.addresses.{interface.name}"
            raise SearchError(message)

    async def search(self, query: str, limit: int) -> list[Hit]:
        """Search, best first. Raises SearchError when the service fails."""
        text = " ".join(query.split())[:_LONGEST_QUERY]
        if not text or limit < 1:
            return []
        language = detect(text) if self._language == "auto" else self._language
        address = self._address.replace("{language}", language)
        wanted = Query(text, limit, language, address, self._scope, self._fetcher.settings.contact)
        for url in self._interface.asks(wanted):
            if hits := self.hits(await self._asked(url), wanted):
                return hits
        return []

    async def _asked(self, url: str) -> bytes:
        interface = self._interface
        try:
            answer = await self._fetcher.fetch(
                url, accept=interface.accept, interface=True, pause=interface.pause
            )
        except FetchError as error:
            raise SearchError(self._trouble(error)) from error
        return answer.data

    def hits(self, answer: bytes, query: Query) -> list[Hit]:
        """Read an answer, whatever it is. Raises SearchError for something else than results."""
        interface = self._interface
        try:
            read = json.loads(answer) if interface.accept is JSON else answer
            hits = tidied(interface.reads(read, query), query.limit)
            return [replace(hit, kind=hit.kind or interface.kind) for hit in hits]
        except (
            KeyError, IndexError, TypeError, ValueError, OverflowError, AttributeError, RecursionError,
        ) as error:  # fmt: skip
            what = f"{type(error).__name__}: {error}"
            raise SearchError(f"{self.name} answered something else than results ({what[:120]})") from error

    def _trouble(self, error: FetchError) -> str:
        """Return in one line why the service gave nothing."""
        told = ""
        if isinstance(error, StatusError):
            means = self._interface.means.get(error.status)
            told = f"{self.name} refuses ({error.status}): {means}" if means else error.refusal(self.name)
        return told or f"{self.name} failed: {error}"


def tidied(hits: Sequence[Hit], limit: int) -> list[Hit]:
    """Keep hits with a web address, each once, their texts bounded, on one line, nothing hidden."""
    kept: dict[str, Hit] = {}
    for hit in hits:
        url = seen(hit.url).strip()
        if url.startswith(("http://", "https://")) and url not in kept:
            told = replace(hit, url=url, title=plain(hit.title) or url, snippet=plain(hit.snippet))
            if within := bounded(told):
                kept[url] = within
    return list(kept.values())[:limit]


def plain(text: str | None) -> str:
    """Return a text without markup and entities, on one line."""
    return " ".join(seen(html.unescape(_TAG.sub(" ", text or ""))).split())


def work_of(
    authors: Iterable[str | None],
    venue: str | None,
    doi: str | None,
    kind: str,
    *,
    retracted: bool = False,
    corrected: bool = False,
) -> Work:
    """Return what a catalogue says of a work, tidied; `doi` may be written as an address."""
    names = tuple(dict.fromkeys(name for each in authors if (name := plain(each))))[:200]
    bare = re.sub(r"^(?:https?://(?:dx\.)?doi\.org/|doi:\s*)", "", (doi or "").strip(), flags=re.IGNORECASE)
    return Work(names, plain(venue), bare, kind, retracted, corrected)


def with_query(address: str, **parameters: str | int) -> str:
    """Return an address with a query string."""
    return f"{address}?{urlencode(parameters)}"


def day_of(text: object) -> str | None:
    """Return the day of an ISO 8601 time; None for anything else, such as `2 days ago`."""
    try:
        return date.fromisoformat(str(text or "")[:10]).isoformat()
    except ValueError:
        return None


def date_of(parts: Sequence[int | None]) -> str | None:
    """Return year, month and day, as far as known, as an ISO 8601 date."""
    known: list[str] = []
    for part in parts[:3]:
        if part is None:
            break
        known.append(f"{int(part):04d}" if not known else f"{int(part):02d}")
    return "-".join(known) or None
