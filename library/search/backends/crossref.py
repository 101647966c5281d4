"""Crossref: what publishers register, by title and abstract."""

import re
from collections.abc import Mapping
from functools import partial
from typing import Any

from library.search.backends.http_backend import (
    Interface,
    InterfaceCollection,
    Query,
    date_of,
    with_query,
    work_of,
)
from library.search.interface import Hit

_KINDS = {
    "journal-article": "article-journal", "proceedings-article": "paper-conference", "book": "book",
    "monograph": "book", "edited-book": "book", "book-chapter": "chapter", "posted-content": "article",
    "report": "report", "dissertation": "thesis", "dataset": "dataset",
}  # fmt: skip
_WITHDRAWN = re.compile(r"\s*(?:RETRACTED|WITHDRAWN)\b")
"""How publishers begin the title of what they have withdrawn."""
_WITHDRAWALS = frozenset({"retraction", "partial_retraction", "withdrawal", "removal"})
_CORRECTIONS = frozenset({"correction", "corrigendum", "erratum", "expression_of_concern"})
"""Kinds of notices that publishers register about a work, and Retraction Watch for them."""


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
            select="DOI,title,abstract,issued,URL,author,container-title,type,updated-by",
            **polite,
        )
    ]


def _reads(answer: Any, query: Query) -> list[Hit]:  # noqa: ARG001
    return [hit_of(work) for work in answer["message"]["items"]]


def hit_of(work: Mapping[str, Any]) -> Hit:
    """Return a registered work as a result. Raises KeyError, TypeError, … for something else."""
    title = (work.get("title") or [""])[0]
    notices = _notices(work)
    return Hit(
        url=work.get("URL") or f"https://doi.org/{work['DOI']}",
        title=title,
        snippet=work.get("abstract") or "",
        published=date_of(((work.get("issued") or {}).get("date-parts") or [[]])[0]),
        work=work_of(
            (_name(author) for author in work.get("author") or ()),
            (work.get("container-title") or [""])[0],
            work["DOI"],
            _KINDS.get(work.get("type") or "", ""),
            retracted=bool(_WITHDRAWN.match(title)) or not _WITHDRAWALS.isdisjoint(notices),
            corrected=not _CORRECTIONS.isdisjoint(notices),
        ),
    )


def _notices(work: Mapping[str, Any]) -> set[str]:
    """Return the kinds of notices that were published about a work."""
    return {str(notice.get("type")) for notice in work.get("updated-by") or ()}


def _name(author: Mapping[str, Any]) -> str:
    return author.get("name") or f"{author.get('given') or ''} {author.get('family') or ''}"


CROSSREF = Interface(
    name="crossref",
    description="Crossref: articles, books and reports of all sciences, as their publishers register them.",
    address="https://api.crossref.org",
    asks=_asks,
    reads=_reads,
    kind="paper",
)
open_backend = partial(InterfaceCollection, CROSSREF)
