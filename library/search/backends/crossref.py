"""Crossref: what publishers register, by title and abstract."""

from functools import partial
from typing import Any

from library.search.backends.http_backend import Interface, InterfaceCollection, Query, date_of, with_query
from library.search.interface import Hit


def _asks(query: Query) -> list[str]:
    polite = {"mailto": query.contact} if "@" in query.contact else {}
    bounds = {"from-pub-date": query.scope.first, "until-pub-date": query.scope.last}
    if dated := ",".join(f"{name}:{day}" for name, day in bounds.items() if day):
        polite["filter"] = dated
    return [
        with_query(
            f"{query.address}/works",
            query=query.text,
            rows=min(query.limit, 100),
            select="DOI,title,abstract,issued,URL",
            **polite,
        )
    ]


def _reads(answer: Any, query: Query) -> list[Hit]:  # noqa: ARG001
    return [
        Hit(
            url=work.get("URL") or f"https://doi.org/{work['DOI']}",
            title=(work.get("title") or [""])[0],
            snippet=work.get("abstract") or "",
            published=date_of(((work.get("issued") or {}).get("date-parts") or [[]])[0]),
        )
        for work in answer["message"]["items"]
    ]


CROSSREF = Interface(
    name="crossref",
    description="Crossref: articles, books and reports of all sciences, as their publishers register them.",
    address="https://api.crossref.org",
    asks=_asks,
    reads=_reads,
    kind="paper",
)
open_backend = partial(InterfaceCollection, CROSSREF)
