"""A service that judges how well passages answer a query: `/rerank` as Jina, Cohere and others speak it."""

import math
from collections.abc import Sequence
from functools import partial
from typing import Any

from pydantic import Field

from library.evidence import Passage
from library.web.json_api import Faults, Service
from models import Frozen

KEY = "RERANK_API_KEY"
"""The environment variable with the service's key; keys are never settings."""
_LARGEST = 4_000_000
"""Bytes of an answer."""
_LONGEST = 4_000
"""Characters of one passage as sent."""
_FAULTS = Faults("did not rerank in", "does not rerank", "scores")


class RerankSettings(Frozen):
    """Which service reranks what was found, if any."""

    url: str | None = None
    """Its address, for instance `https://api.jina.ai/v1/rerank`; None: passages are ranked here. A private
    host must be named in `fetch.allow` too."""
    model: str = ""
    """The model's name there; empty: not sent."""
    seconds: float = Field(10.0, gt=0, le=120)
    """For one request. When it fails, passages are ranked here."""
    private: bool = False
    """Passages of your own documents may be sent to a service on another machine."""


class Reranker(Service):
    """Asks a service over the guarded client. Nothing is retried: ranking here stands in."""

    def __init__(self, settings: RerankSettings, key: str = "", allow: Sequence[str] = ()) -> None:
        """Take a service.

        Args:
            settings: With its url.
            key: Sent as a bearer token; empty for none.
            allow: Hosts opened by name, as in `fetch.allow`.
        """
        super().__init__(
            settings.url or "",
            key=key,
            allow=allow,
            seconds=settings.seconds,
            largest=_LARGEST,
            faults=_FAULTS,
            key_variable=KEY,
        )
        self._settings = settings

    def may_have(self, passages: Sequence[Passage]) -> bool:
        """Tell whether passages may be sent: those of a person's own documents stay on this machine."""
        return self.here or self._settings.private or not any(passage.private for passage in passages)

    async def rerank(self, query: str, texts: Sequence[str]) -> list[float]:
        """Return a score for each text, more is better. Raises SearchError, which names the service."""
        body: dict[str, Any] = {
            "query": query, "documents": [text[:_LONGEST] for text in texts], "top_n": len(texts),
            "return_documents": False,
        }  # fmt: skip
        if self._settings.model:
            body["model"] = self._settings.model
        return await self.ask(body, partial(_scores, count=len(texts)))


def _scores(answer: Any, count: int) -> list[float]:
    """Read an answer: each document's index with its score; a document that is left out has the least."""
    results = answer["results"] if "results" in answer else answer["data"]
    scores: dict[int, float] = {}
    for result in results:
        index = result["index"]
        score = float(result["relevance_score"] if "relevance_score" in result else result["score"])
        if not isinstance(index, int) or not 0 <= index < count or math.isnan(score):
            raise ValueError(f"no score for document {index}")
        scores[index] = score
    if not scores:
        raise ValueError("no scores")
    least = min(scores.values())
    return [scores.get(n, least) for n in range(count)]
