"""A service that judges how well passages answer a query: `/rerank` as Jina, Cohere and others speak it."""

import asyncio
import json
import math
from collections.abc import Sequence
from typing import Any

from pydantic import BaseModel, ConfigDict, Field

from library.errors import FetchError, SearchError
from library.evidence import Passage

KEY = "RERANK_API_KEY"
"""The environment variable with the service's key; keys are never settings."""
_LARGEST = 4_000_000
"""Bytes of an answer."""
_LONGEST = 4_000
"""Characters of one passage as sent."""


class RerankSettings(BaseModel):
    """Which service reranks what was found, if any."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    url: str | None = None
    """Its address, for instance `https://api.jina.ai/v1/rerank`; None: passages are ranked here. A private
    host must be named in `fetch.allow` too."""
    model: str = ""
    """The model's name there; empty: not sent."""
    seconds: float = Field(10.0, gt=0, le=120)
    """For one request. When it fails, passages are ranked here."""
    private: bool = False
    """Passages of your own documents may be sent to a service on another machine."""


class Reranker:
    """Asks a service over the guarded client. Nothing is retried: ranking here stands in."""

    def __init__(self, settings: RerankSettings, key: str = "", allow: Sequence[str] = ()) -> None:
        """Take a service.

        Args:
            settings: With its url.
            key: Sent as a bearer token; empty for none.
            allow: Hosts opened by name, as in `fetch.allow`.
        """
        import httpx2

        from library.addresses import target
        from library.transport import GuardedTransport

        self._settings = settings
        url = settings.url or ""
        ports = (80, 443)
        self.target = target(url, allow, ports)
        headers = {"Authorization": f"Bearer {key}"} if key else {}
        self._client = httpx2.AsyncClient(
            transport=GuardedTransport(allow), headers=headers, timeout=settings.seconds, trust_env=False
        )

    @property
    def here(self) -> bool:
        """Whether the service runs on this machine."""
        return self.target.host in {"localhost", "::1"} or self.target.host.startswith("127.")

    def may_have(self, passages: Sequence[Passage]) -> bool:
        """Tell whether passages may be sent: those of a person's own documents stay on this machine."""
        return self.here or self._settings.private or not any(passage.private for passage in passages)

    async def rerank(self, query: str, texts: Sequence[str]) -> list[float]:
        """Return a score for each text, more is better. Raises SearchError, which names the service."""
        import httpx2

        body: dict[str, Any] = {
            "query": query, "documents": [text[:_LONGEST] for text in texts], "top_n": len(texts),
            "return_documents": False,
        }  # fmt: skip
        if self._settings.model:
            body["model"] = self._settings.model
        try:
            async with asyncio.timeout(self._settings.seconds):
                data = await self._send(body)
            return _scores(json.loads(data), len(texts))
        except TimeoutError as error:
            raise SearchError(f"{self.target.host} did not rerank in {self._settings.seconds:g} s") from error
        except (httpx2.HTTPError, FetchError) as error:
            raise SearchError(f"{self.target.host} does not rerank: {error}") from error
        except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
            what = f"{type(error).__name__}: {error}"[:120]
            raise SearchError(f"{self.target.host} answered something else than scores ({what})") from error

    async def close(self) -> None:
        """Release connections."""
        await self._client.aclose()

    async def _send(self, body: dict[str, Any]) -> bytes:
        async with self._client.stream("POST", self.target.url, json=body) as response:
            data = b""
            async for part in response.aiter_bytes():
                data += part
                if len(data) > _LARGEST:
                    raise ValueError("the answer is too large")
            if response.status_code != 200:
                raise ValueError(f"status {response.status_code}")
            return data


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
