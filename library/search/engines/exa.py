"""Exa: a search engine made for programs, by meaning; https://exa.ai/docs."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from library.search.backends.http_backend import Query
from library.search.engines.keyed_engine import KeyedEngine, hit_of
from library.search.interface import Hit


def _asks(query: Query) -> tuple[str, Mapping[str, Any]]:
    scope = query.scope
    kinds = {("news",): "news", ("paper",): "research paper"}
    return "/search", {
        "query": query.text,
        "numResults": min(query.limit, 100),
        "type": "auto",
        "contents": {"highlights": True},
        **({"category": kinds[scope.kinds]} if scope.kinds in kinds else {}),
        **({"includeDomains": list(scope.sites)} if scope.sites else {}),
        **({"excludeDomains": list(scope.not_sites)} if scope.not_sites and not scope.sites else {}),
        **({"startPublishedDate": scope.first.isoformat()} if scope.first else {}),
        **({"endPublishedDate": scope.last.isoformat()} if scope.last else {}),
    }


def _reads(answer: Any, query: Query) -> list[Hit]:
    return [
        replace(
            hit_of(result, snippet="text", day="publishedDate"),
            snippet=" … ".join(result.get("highlights") or []) or (result.get("text") or "")[:2000],
            kind="paper" if query.scope.kinds == ("paper",) else "",
        )
        for result in answer["results"]
    ]


ENGINE = KeyedEngine(
    name="exa",
    description="The web, through Exa, which searches by meaning.",
    key="EXA_API_KEY",
    header="x-api-key",
    address="https://api.exa.ai",
    asks=_asks,
    reads=_reads,
)
