"""Whether a work exists: asked by its DOI, or by a reference as somebody wrote it.

Crossref knows most DOIs of papers and books, OpenAlex those of other agencies too, and doi.org whether there
is such a DOI at all. Nothing is kept: what became of a work is asked when it matters.
"""

import json
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any
from urllib.parse import quote

from library.errors import FetchError, SearchError
from library.evidence import Work
from library.search.backends import crossref, openalex
from library.search.backends.hit_bounds import bounded
from library.search.backends.http_backend import plain, with_query
from library.search.interface import Hit
from library.search.search_settings import SearchSettings
from library.web.fetcher import Fetcher
from library.web.http_request import StatusError
from library.web.media_types import JSON

_CROSSREF, _OPENALEX, _DOI = "https://api.crossref.org", "https://api.openalex.org", "https://doi.org"
_DATES = ("issued", "published", "published-print", "published-online", "published-other", "posted")
_THERE, _NO_SUCH = 1, 100
"""What doi.org answers of a DOI, as its handle system numbers it."""
_ROWS = 5
_LONGEST = 400
"""Characters of a reference that are sent."""


@dataclass(frozen=True, slots=True)
class RegisteredWork:
    """A work as its publisher registered it."""

    hit: Hit
    """With its `work`; the title is empty where only the DOI is known to exist."""
    years: tuple[int, ...]
    """In which it was published, online and in print; empty where nobody says."""
    told_by: str
    """`crossref`, `openalex` or `doi.org`."""

    @property
    def work(self) -> Work:
        """What is registered of it."""
        return self.hit.work or Work()


class WorkRegistry:
    """The catalogues that are asked whether a work exists."""

    def __init__(self, fetcher: Fetcher, settings: SearchSettings) -> None:
        self._fetcher = fetcher
        self._crossref = settings.addresses.get("crossref", _CROSSREF).rstrip("/")
        self._openalex = settings.addresses.get("openalex", _OPENALEX).rstrip("/")
        self._doi = settings.addresses.get("doi", _DOI).rstrip("/")
        contact = fetcher.settings.contact
        self._polite = {"mailto": contact} if "@" in contact else {}

    async def by_doi(self, doi: str) -> RegisteredWork | None:
        """Return the work of a DOI, None when there is no such DOI.

        Raises SearchError when nobody could be asked.
        """
        named = quote(doi, safe="/")
        with suppress(SearchError):  # the next one is asked
            answer = await self._asked(f"{self._crossref}/works/{named}", self._polite)
            if answer is not None:
                return next(_from_crossref([answer.get("message")]), None)
        with suppress(SearchError):
            answer = await self._asked(f"{self._openalex}/works/doi:{named}", self._polite)
            if answer is not None:
                return _from_openalex(answer)
        # Each of them lacks DOIs that there are: this one alone can say that there is none.
        handle = await self._asked(f"{self._doi}/api/handles/{named}", {})
        code = handle.get("responseCode") if handle is not None else _NO_SUCH
        if code not in (_THERE, _NO_SUCH):
            raise SearchError("doi.org answered something else than whether there is such a DOI")
        if code == _NO_SUCH:
            return None
        hit = Hit(url=f"https://doi.org/{doi}", title="", work=Work(doi=doi))
        return RegisteredWork(hit, (), "doi.org")

    async def by_reference(self, text: str) -> list[RegisteredWork]:
        """Return works that a reference may mean, the likeliest first. Raises SearchError."""
        wanted = " ".join(text.split())[:_LONGEST]
        address = with_query(
            f"{self._crossref}/works", **{"query.bibliographic": wanted}, rows=_ROWS, **self._polite
        )
        answer = await self._asked(address, {})
        if answer is None:
            return []
        message = answer.get("message")
        items = message.get("items") if isinstance(message, Mapping) else None
        if not isinstance(items, list):
            raise SearchError("crossref answered something else than works")
        return list(_from_crossref(items))

    async def _asked(self, url: str, parameters: Mapping[str, str]) -> dict[str, Any] | None:
        """Return an answer, None for what there is none of."""
        host = url.split("/")[2]
        try:
            full = with_query(url, **parameters) if parameters else url
            answer = json.loads((await self._fetcher.fetch(full, accept=JSON, interface=True)).data)
        except StatusError as error:
            if error.status == 404:
                return None
            told = error.refusal(host) or f"{host} answered with status {error.status}"
            raise SearchError(told) from error
        except FetchError as error:
            raise SearchError(f"{host} could not be asked: {error}") from error
        except (ValueError, RecursionError) as error:
            raise SearchError(f"{host} answered something else than what is registered") from error
        if not isinstance(answer, dict):
            raise SearchError(f"{host} answered something else than what is registered")
        return answer


def _from_crossref(items: list[Any]) -> Iterator[RegisteredWork]:
    for item in items:
        try:
            hit = crossref.hit_of(item)
            years = {int(parts[0][0]) for name in _DATES if (parts := _parts(item.get(name)))}
            work = RegisteredWork(_tidied(hit), tuple(sorted(years)), "crossref")
        except (KeyError, IndexError, TypeError, ValueError, OverflowError, AttributeError) as error:
            raise SearchError("crossref answered something else than a work") from error
        yield work


def _parts(dated: Any) -> list[Any]:
    parts = dated.get("date-parts") if isinstance(dated, Mapping) else None
    return parts if parts and parts[0] and parts[0][0] else []


def _from_openalex(answer: dict[str, Any]) -> RegisteredWork:
    try:
        hit = _tidied(openalex.hit_of(answer))
    except (KeyError, IndexError, TypeError, ValueError, OverflowError, AttributeError) as error:
        raise SearchError("openalex answered something else than a work") from error
    year = str(answer.get("publication_year") or hit.published or "")[:4]
    return RegisteredWork(hit, (int(year),) if year.isdecimal() else (), "openalex")


def _tidied(hit: Hit) -> Hit:
    told = bounded(replace(hit, title=plain(hit.title), snippet=plain(hit.snippet), kind="paper"))
    if told is None:
        raise ValueError("its address is none that could be asked")
    return told
