"""A service that is asked over JSON: one guarded request, bounded in time and size, its faults in one line.

Embedding and reranking services are asked in this way. Nothing is retried: who asks goes on without them.
"""

import asyncio
import json
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

from library.errors import FetchError, SearchError
from library.web.refusals import is_limited, own_words, refusal, wait_asked
from models import hold_secret
from models.client import in_turns, is_loopback

_Read = TypeVar("_Read")


@dataclass(frozen=True, slots=True)
class Faults:
    """How a service's faults are told, after the name of its host."""

    late: str
    """`gave no vectors in`; the seconds follow."""
    failed: str
    """`gives no vectors`; the reason follows."""
    wanted: str
    """What it should have answered: `vectors`."""


class RefusedError(SearchError):
    """A service refuses: its limit or its credit is used up, or its key is not taken."""

    def __init__(self, message: str, wait: float | None) -> None:
        super().__init__(message)
        self.wait = wait
        """Seconds after which it may be asked again; None where it does not say."""


class Service:
    """One address that is posted to, through the guarded client."""

    def __init__(
        self,
        url: str,
        *,
        key: str,
        allow: Sequence[str],
        seconds: float,
        largest: int,
        faults: Faults,
        headers: Mapping[str, str] | None = None,
        key_variable: str = "",
    ) -> None:
        """Take a service.

        Args:
            url: What is posted to.
            key: Sent as a bearer token; empty for none.
            allow: Hosts opened by name, as in `fetch.allow`.
            seconds: For one request.
            largest: Bytes of an answer.
            faults: How its faults are told.
            headers: Sent too; a key in there is for the caller to hold.
            key_variable: The variable of the environment that holds the key; empty where there is none.

        Raises:
            FetchError: the url may not be asked; the message says what to set.
        """
        import httpx2

        from library.web.guarded_transport import GuardedTransport
        from library.web.url_policy import target

        self.target = target(url, allow, (80, 443))
        self._seconds, self._largest, self._faults = seconds, largest, faults
        self._key_variable = key_variable
        hold_secret(key)
        sent = {"Authorization": f"Bearer {key}"} if key else {}
        sent |= headers or {}
        self._client = httpx2.AsyncClient(
            transport=GuardedTransport(allow), headers=sent, timeout=seconds, trust_env=False
        )

    @property
    def here(self) -> bool:
        """Whether the service runs on this machine."""
        return is_loopback(self.target.host)

    async def ask(self, body: dict[str, Any] | None, read: Callable[[Any], _Read]) -> _Read:
        """Post a body and read the answer's JSON; None asks without one (GET).

        Raises SearchError, which names the service; RefusedError when it refuses.
        """
        import httpx2

        host, faults = self.target.host, self._faults
        try:
            async with asyncio.timeout(self._seconds):
                data = await self._post(body)
            return read(json.loads(data))
        except TimeoutError as error:
            raise SearchError(f"{host} {faults.late} {self._seconds:g} s") from error
        except (httpx2.HTTPError, FetchError) as error:
            raise SearchError(f"{host} {faults.failed}: {error}") from error
        except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
            what = f"{type(error).__name__}: {error}"[:120]
            raise SearchError(f"{host} answered something else than {faults.wanted} ({what})") from error

    async def _post(self, body: dict[str, Any] | None) -> bytes:
        method = "GET" if body is None else "POST"
        async with self._client.stream(method, self.target.url, json=body) as response:
            data = bytearray()
            async for part in in_turns(response.aiter_bytes()):
                data += part
                if len(data) > self._largest:
                    raise ValueError("the answer is too large")
            if response.status_code != 200:
                self._refused(response.status_code, response.headers, bytes(data))
                raise ValueError(f"status {response.status_code}")
            return bytes(data)

    def _refused(self, status: int, headers: Mapping[str, str], data: bytes) -> None:
        """Raise RefusedError where an answer is a refusal."""
        limited, wait = is_limited(status, headers), wait_asked(headers, time.time())
        words = own_words(data)
        told = refusal(
            self.target.host, status, limited=limited, wait=wait, key=self._key_variable, words=words
        )
        if told:
            raise RefusedError(told, wait if limited else None)

    async def close(self) -> None:
        """Release connections."""
        await self._client.aclose()
