"""Dense vectors of texts from a service: `/v1/embeddings` as OpenAI's and compatible servers speak it."""

import base64
from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray
from pydantic import Field

from library.errors import SearchError
from library.evidence import Passage
from library.web.json_api import Faults, Service
from models import Frozen

OPENAI = "https://api.openai.com/v1"
KEY = "EMBEDDINGS_API_KEY"
"""The environment variable with the service's key; keys are never settings."""
_BATCH = 96
"""Texts of one request."""
_LONGEST = 6_000
"""Characters of one text as sent."""
_LONGEST_VECTOR = 16_384
"""Numbers; the longest in use have 12,288. Each passage's stands in the journal."""
_LARGEST = 16_000_000
"""Bytes of an answer."""
_STEPS = 127.0
_FAULTS = Faults("gave no vectors in", "gives no vectors", "vectors")


class EmbeddingSettings(Frozen):
    """Which service turns passages into vectors, if any."""

    model: str = ""
    """`openai:text-embedding-3-small`, or the name that the server at `url` knows; empty: none is asked."""
    url: str = ""
    """Address of a server, ending in `/v1`; empty: OpenAI's. A private host must be in `fetch.allow` too."""
    seconds: float = Field(default=30, gt=0, le=300)
    """For one request. When it fails, words alone do the work."""
    private: bool = False
    """Passages of your own documents may be sent to a service on another machine."""


def key_of(settings: EmbeddingSettings, environment: Mapping[str, str]) -> str:
    """Return the key: the service's own, else OpenAI's for OpenAI's service alone."""
    own = environment.get(KEY, "")
    return own or ("" if settings.url else environment.get("OPENAI_API_KEY", ""))


class Embedder(Service):
    """Asks a service over the guarded client, in batches. Nothing is retried: words stand in."""

    def __init__(self, settings: EmbeddingSettings, key: str = "", allow: Sequence[str] = ()) -> None:
        """Take a service.

        Args:
            settings: With its model.
            key: Sent as a bearer token; empty for none.
            allow: Hosts opened by name, as in `fetch.allow`.

        Raises:
            FetchError: the url may not be asked; the message says what to set.
        """
        url = f"{(settings.url or OPENAI).rstrip('/')}/embeddings"
        super().__init__(
            url, key=key, allow=allow, seconds=settings.seconds, largest=_LARGEST, faults=_FAULTS,
            key_variable=KEY,
        )  # fmt: skip
        self._settings = settings

    def may_have(self, passage: Passage) -> bool:
        """Tell whether a passage may be sent: those of a person's own documents stay on this machine."""
        return self.here or self._settings.private or not passage.private

    async def embed(self, texts: Sequence[str]) -> list[str]:
        """Return a packed vector for each text. Raises SearchError, which names the service."""
        model = self._settings.model.removeprefix("openai:")
        made: list[str] = []
        for start in range(0, len(texts), _BATCH):
            batch = [text[:_LONGEST] for text in texts[start : start + _BATCH]]
            body = {"model": model, "input": batch, "encoding_format": "float"}
            made += await self.ask(body, partial(_vectors, count=len(batch)))
        if len({len(base64.b64decode(each)) for each in made}) > 1:
            raise SearchError(f"{self.target.host} gives vectors of several lengths")
        return made


def _vectors(answer: Any, count: int) -> list[str]:
    """Read an answer: each text's index with its vector, all of one length."""
    found: dict[int, NDArray[np.float64]] = {}
    for entry in answer["data"]:
        vector = np.array(entry["embedding"], dtype=np.float64)
        if vector.ndim != 1 or not 0 < vector.size <= _LONGEST_VECTOR or not np.isfinite(vector).all():
            raise ValueError("a vector is not a list of numbers")
        found[entry["index"]] = vector
    if sorted(found) != list(range(count)) or len({vector.size for vector in found.values()}) != 1:
        raise ValueError(f"{len(found)} vectors for {count} texts")
    return [packed(found[index]) for index in range(count)]


def packed(vector: NDArray[np.float64]) -> str:
    """Return a vector's direction in one byte for each number, as text: small enough for a journal."""
    largest = float(np.abs(vector).max()) or 1.0
    return base64.b64encode(np.round(vector / largest * _STEPS).astype(np.int8).tobytes()).decode("ascii")


def unpacked(text: str) -> NDArray[np.float64]:
    """Return a packed vector, of length 1."""
    vector = np.frombuffer(base64.b64decode(text), dtype=np.int8).astype(np.float64)
    unit: NDArray[np.float64] = vector / max(1e-9, float(np.linalg.norm(vector)))
    return unit
