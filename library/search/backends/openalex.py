"""OpenAlex: an open catalogue of works. Without a key, a few dozen searches a day and then status 429."""

from collections.abc import Mapping
from functools import partial
from heapq import nsmallest
from typing import Any

from library.search.backends.http_backend import (
    Interface,
    InterfaceCollection,
    Query,
    with_query,
    work_of,
)
from library.search.interface import Hit

_FIELDS = (
    "id,doi,display_name,publication_date,best_oa_location,abstract_inverted_index,authorships,"
    "primary_location,type,is_retracted"
)
_KINDS = {
    "article": "article-journal", "review": "article-journal", "letter": "article-journal",
    "preprint": "article", "book": "book", "book-chapter": "chapter", "report": "report",
    "dissertation": "thesis", "dataset": "dataset",
}  # fmt: skip

_MOST_WORKS = 100
_MOST_WORDS, _LONGEST_WORD = 2000, 60
"""Of an abstract, and characters of one of them."""


def _asks(query: Query) -> list[str]:
    # Commas and colons are syntax of its filters, not of its search; words alone are safe in either.
    bounds = {"from_publication_date": query.scope.first, "to_publication_date": query.scope.last}
    dated = ",".join(f"{name}:{day}" for name, day in bounds.items() if day)
    return [
        with_query(
            f"{query.address}/works",
            search=" ".join(query.words),
            per_page=min(query.limit, _MOST_WORKS),
            select=_FIELDS,
            **({"filter": dated} if dated else {}),
        )
    ]


def _reads(answer: Any, query: Query) -> list[Hit]:  # noqa: ARG001
    return [hit_of(work) for work in answer["results"][:_MOST_WORKS]]


def hit_of(work: Mapping[str, Any]) -> Hit:
    """Return a work of the catalogue as a result. Raises KeyError, TypeError, … for something else."""
    return Hit(
        url=(work.get("best_oa_location") or {}).get("landing_page_url") or work.get("doi") or work["id"],
        title=work.get("display_name") or "",
        snippet=_abstract(work.get("abstract_inverted_index") or {}),
        published=work.get("publication_date"),
        work=work_of(
            ((each.get("author") or {}).get("display_name") for each in work.get("authorships") or ()),
            ((work.get("primary_location") or {}).get("source") or {}).get("display_name"),
            work.get("doi"),
            _KINDS.get(work.get("type") or "", ""),
            retracted=bool(work.get("is_retracted")),
        ),
    )


def _abstract(positions: dict[str, list[int]]) -> str:
    """Put an abstract together, which comes as the places of each word.

    A word of megabytes at a hundred thousand places would be an abstract of terabytes.
    """
    placed = ((place, word[:_LONGEST_WORD]) for word, places in positions.items() for place in places)
    return " ".join(word for _, word in nsmallest(_MOST_WORDS, placed))


OPENALEX = Interface(
    name="openalex",
    description="OpenAlex: works of all sciences, with abstracts and links to free copies.",
    address="https://api.openalex.org",
    asks=_asks,
    reads=_reads,
    kind="paper",
)
open_backend = partial(InterfaceCollection, OPENALEX)
