"""Semantic Scholar: papers with abstracts. Without a key all share one allowance, and it often says 429."""

from functools import partial
from typing import Any

from library.search.backends.http_backend import (
    Interface,
    InterfaceCollection,
    Query,
    with_query,
    work_of,
)
from library.search.interface import Hit

_FIELDS = "title,abstract,year,publicationDate,url,openAccessPdf,externalIds,authors,venue,publicationTypes"

_KINDS = (
    ("JournalArticle", "article-journal"), ("Conference", "paper-conference"), ("Book", "book"),
    ("BookSection", "chapter"), ("Dataset", "dataset"),
)  # fmt: skip


def _asks(query: Query) -> list[str]:
    dated = f"{query.scope.first or ''}:{query.scope.last or ''}"
    return [
        with_query(
            f"{query.address}/graph/v1/paper/search",
            query=" ".join(query.words),
            limit=min(query.limit, 100),
            fields=_FIELDS,
            **({"publicationDateOrYear": dated} if query.scope.dated else {}),
        )
    ]


def _reads(answer: Any, query: Query) -> list[Hit]:  # noqa: ARG001
    if answer.get("total") == 0:
        return []
    return [
        Hit(
            url=_address(paper),
            title=paper.get("title") or "",
            snippet=paper.get("abstract") or "",
            published=paper.get("publicationDate") or (str(paper["year"]) if paper.get("year") else None),
            work=work_of(
                (author.get("name") for author in paper.get("authors") or ()),
                paper.get("venue"),
                (paper.get("externalIds") or {}).get("DOI"),
                next((kind for name, kind in _KINDS if name in (paper.get("publicationTypes") or ())), ""),
            ),
        )
        for paper in answer["data"]
    ]


def _address(paper: dict[str, Any]) -> str:
    """Prefer a text that can be read freely to the page about it."""
    pdf: str = (paper.get("openAccessPdf") or {}).get("url") or ""
    arxiv = (paper.get("externalIds") or {}).get("ArXiv")
    return pdf or (f"https://arxiv.org/abs/{arxiv}" if arxiv else str(paper.get("url") or ""))


SEMANTIC_SCHOLAR = Interface(
    name="semanticscholar",
    description="Semantic Scholar: papers of all sciences, with abstracts and links to free copies.",
    address="https://api.semanticscholar.org",
    asks=_asks,
    reads=_reads,
    kind="paper",
    pause=1.0,
)
open_backend = partial(InterfaceCollection, SEMANTIC_SCHOLAR)
