"""Brave Search: an index of its own; https://api-dashboard.search.brave.com/app/documentation."""

from collections.abc import Mapping
from datetime import date
from typing import Any

from library.search.backends.http_backend import Query
from library.search.engines.keyed_engine import KeyedEngine, hit_of
from library.search.interface import Hit


def _asks(query: Query) -> tuple[str, Mapping[str, Any]]:
    scope = query.scope
    between = f"{scope.first or date(1970, 1, 1)}to{scope.last or date(2100, 1, 1)}"
    return f"/res/v1/{'news' if scope.kinds == ('news',) else 'web'}/search", {
        "q": query.text + scope.operators(),
        "count": min(query.limit, 20),
        "search_lang": {"zh": "zh-hans", "pt": "pt-pt", "ja": "jp"}.get(query.language, query.language),
        **({"freshness": between} if scope.dated else {}),
    }


def _reads(answer: Any, query: Query) -> list[Hit]:
    news = query.scope.kinds == ("news",)
    results = answer["results"] if news else answer.get("web", {}).get("results", [])
    return [hit_of(result, snippet="description", day="page_age") for result in results]


ENGINE = KeyedEngine(
    name="brave",
    description="The web, through Brave Search.",
    key="BRAVE_API_KEY",
    header="X-Subscription-Token",
    address="https://api.search.brave.com",
    asks=_asks,
    reads=_reads,
    method="GET",
)
