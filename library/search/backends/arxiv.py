"""arXiv: preprints, through its Atom interface."""

import xml.etree.ElementTree as ET
from datetime import date
from functools import partial

from library.search.backends.http_backend import (
    Interface,
    InterfaceCollection,
    Query,
    day_of,
    with_query,
    work_of,
)
from library.search.interface import Hit
from library.web.media_types import ATOM

_ATOM = "{http://www.w3.org/2005/Atom}"
_ARXIV = "{http://arxiv.org/schemas/atom}"


def _asks(query: Query) -> list[str]:
    words = [f"all:{word}" for word in query.words]
    forms = [" AND ".join(words), " OR ".join(words)] if len(words) > 1 else words
    if query.scope.dated:
        first, last = query.scope.first or date.min, query.scope.last or date.max
        between = f"submittedDate:[{first:%Y%m%d}0000 TO {last:%Y%m%d}2359]"
        forms = [f"({form}) AND {between}" for form in forms]
    return [
        with_query(
            f"{query.address}/api/query",
            search_query=form,
            start=0,
            max_results=min(query.limit, 100),
            sortBy="relevance",
        )
        for form in forms
    ]


class _WithoutType(ET.TreeBuilder):
    """Builds a tree of what has no document type: Atom has none, and entities, which need one, may grow."""

    def doctype(self, name: str, pubid: str | None, system: str | None) -> None:  # noqa: ARG002
        """Refuse it, in whatever encoding it came."""
        raise ValueError("a document type")


def _reads(answer: bytes, query: Query) -> list[Hit]:  # noqa: ARG001
    parser = ET.XMLParser(target=_WithoutType())  # noqa: S314 - entities are refused by it  # nosec B314
    try:
        feed = ET.fromstring(answer, parser)  # noqa: S314  # nosec B314
    except ET.ParseError as error:
        raise ValueError(str(error)) from error
    hits = []
    for entry in feed.iter(f"{_ATOM}entry"):
        url = entry.findtext(f"{_ATOM}id", "")
        if "/api/errors" in url:
            raise ValueError(entry.findtext(f"{_ATOM}summary", "an error"))
        hits.append(
            Hit(
                url=url.replace("http://arxiv.org/", "https://arxiv.org/"),
                title=entry.findtext(f"{_ATOM}title", ""),
                snippet=entry.findtext(f"{_ATOM}summary", ""),
                published=day_of(entry.findtext(f"{_ATOM}published")),
                work=work_of(
                    (author.findtext(f"{_ATOM}name") for author in entry.iter(f"{_ATOM}author")),
                    entry.findtext(f"{_ARXIV}journal_ref") or "arXiv",
                    entry.findtext(f"{_ARXIV}doi"),
                    "article",
                ),
            )
        )
    return hits


ARXIV = Interface(
    name="arxiv",
    description="arXiv: preprints in physics, mathematics, computer science, statistics, biology, economics.",
    address="https://export.arxiv.org",
    asks=_asks,
    reads=_reads,
    kind="paper",
    accept=ATOM,
    pause=3.0,
)
open_backend = partial(InterfaceCollection, ARXIV)
