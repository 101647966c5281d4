"""Serper: what Google answers; https://serper.dev."""

from collections.abc import Mapping
from typing import Any

from library.search.backends.http_backend import Query
from library.search.engines.keyed_engine import KeyedEngine, hit_of
from library.search.interface import Hit


def _asks(query: Query) -> tuple[str, Mapping[str, Any]]:
    scope = query.scope
    bounds = [f"cd_min:{scope.first:%m/%d/%Y}"] if scope.first else []
    bounds += [f"cd_max:{scope.last:%m/%d/%Y}"] if scope.last else []
    return "/news" if scope.kinds == ("news",) else "/search", {
        "q": query.text + scope.operators(),
        "num": min(query.limit, 100),
        "hl": query.language,
        **({"tbs": ",".join(["cdr:1", *bounds])} if bounds else {}),
    }


def _reads(answer: Any, query: Query) -> list[Hit]:
    results = answer["news" if query.scope.kinds == ("news",) else "organic"]
    return [hit_of(result, url="link", snippet="snippet", day="date") for result in results]


ENGINE = KeyedEngine(
    name="serper",
    description="The web, as Google finds it, through Serper.",
    key="SERPER_API_KEY",
    header="X-API-KEY",
    address="https://google.serper.dev",
    asks=_asks,
    reads=_reads,
)
