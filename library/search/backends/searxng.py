"""SearXNG: a metasearch server of one's own; its settings must allow the format `json`."""

from functools import partial
from typing import Any

from library.errors import SearchError
from library.search.backends.http_backend import (
    Interface,
    InterfaceCollection,
    Query,
    day_of,
    plain,
    with_query,
)
from library.search.interface import Hit


def _asks(query: Query) -> list[str]:
    text = query.text + query.scope.operators()
    category = {"categories": "news"} if query.scope.kinds == ("news",) else {}
    return [with_query(f"{query.address}/search", q=text, format="json", language=query.language, **category)]


def _reads(answer: Any, query: Query) -> list[Hit]:  # noqa: ARG001
    results = answer["results"]
    if not results and answer.get("unresponsive_engines"):
        engines = (": ".join(map(plain, map(str, engine[:2]))) for engine in answer["unresponsive_engines"])
        raise SearchError(f"searxng found nothing, for its engines do not answer ({', '.join(engines)})")
    return [
        Hit(
            url=result["url"],
            title=result.get("title") or "",
            snippet=result.get("content") or "",
            kind="news" if result.get("category") == "news" else "",
            published=day_of(result.get("publishedDate")),
        )
        for result in results
    ]


SEARXNG = Interface(
    name="searxng",
    description="The web, through a SearXNG server.",
    address="",
    means={403: "its settings do not allow the format json: add it to search.formats in its settings.yml"},
    asks=_asks,
    reads=_reads,
)
open_backend = partial(InterfaceCollection, SEARXNG)
