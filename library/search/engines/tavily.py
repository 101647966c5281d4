"""Tavily: a search engine made for programs; https://docs.tavily.com."""

from collections.abc import Mapping
from typing import Any

from library.search.backends.http_backend import Query
from library.search.engines.keyed_engine import KeyedEngine, hit_of
from library.search.interface import Hit


def _asks(query: Query) -> tuple[str, Mapping[str, Any]]:
    scope = query.scope
    hosts = [[site.partition("/")[0] for site in sites] for sites in (scope.sites, scope.not_sites)]
    unwanted = [host for host, site in zip(hosts[1], scope.not_sites, strict=True) if host == site]
    return "/search", {
        "query": query.text,
        "max_results": min(query.limit, 20),
        "topic": "news" if scope.kinds == ("news",) else "general",
        **({"include_domains": hosts[0]} if hosts[0] else {}),
        **({"exclude_domains": unwanted} if unwanted else {}),
        **({"start_date": scope.first.isoformat()} if scope.first else {}),
        **({"end_date": scope.last.isoformat()} if scope.last else {}),
    }


def _reads(answer: Any, query: Query) -> list[Hit]:  # noqa: ARG001
    return [hit_of(result, snippet="content", day="published_date") for result in answer["results"]]


ENGINE = KeyedEngine(
    name="tavily",
    description="The web, through Tavily.",
    key="TAVILY_API_KEY",
    header="Authorization",
    address="https://api.tavily.com",
    asks=_asks,
    reads=_reads,
)
