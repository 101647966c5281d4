"""One request and its answer: what is sent, what is believed of the headers, how much is taken."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from datetime import UTC, datetime

import httpx2

from library.errors import FetchError
from library.web.decoding import ACCEPTED, Inflate
from library.web.fetch_settings import FetchSettings
from library.web.media_types import UNTYPED, content_type, sniffed
from library.web.page_cache import Kept, fresh_for
from library.web.refusals import is_limited, refusal, wait_asked
from library.web.url_policy import Target
from models.client import in_turns

PRODUCT = "Roundtable"
VERSION = "0.1"

NOT_KEPT = -1.0
"""As `fresh_until`: this answer must not be kept on disk."""
_MOVED = (301, 302, 303, 307, 308)
_KEPT_MOVES = (301, 308)


class StatusError(FetchError):
    """The server answered, but not with the page."""

    def __init__(
        self, message: str, status: int, retry_after: float | None = None, *, limited: bool = False
    ) -> None:
        super().__init__(message)
        self.status = status
        self.limited = limited
        """Whether it refuses because of too many requests."""
        self.retry_after = retry_after
        """Seconds after which the server wants to be asked again; None when it said nothing."""

    def refusal(self, who: str) -> str:
        """Return in one line why `who` refuses, and when to ask again; empty for other troubles."""
        return refusal(who, self.status, limited=self.limited, wait=self.retry_after)

    @property
    def gone(self) -> bool:
        """Whether there is no such page, or none any more."""
        return self.status in {404, 410, 451}


class UnreachableError(FetchError):
    """The server could not be connected to, or the connection broke or took too long."""


def may_pass(error: FetchError) -> bool:
    """Tell whether what could not be had may be there in a while."""
    if isinstance(error, StatusError):
        return error.limited or error.status >= 500 or error.status in {408, 425, 429}
    return isinstance(error, UnreachableError)


class Exchange:
    """Asks a transport for one url, and takes no more of the answer than the settings allow."""

    def __init__(
        self, transport: httpx2.AsyncBaseTransport, settings: FetchSettings, clock: Callable[[], datetime]
    ) -> None:
        self._transport = transport
        self._settings = settings
        self._clock = clock
        contact = f"; {settings.contact}" if settings.contact else ""
        self.user_agent = f"{PRODUCT}/{VERSION} (research reader{contact})"

    async def ask(
        self,
        place: Target,
        accept: frozenset[str] | None,
        headers: Mapping[str, str] | None = None,
        known: Kept | None = None,
    ) -> Kept:
        """Ask once, following no redirect.

        Args:
            place: What to ask for.
            accept: Media types that will do; None for any.
            headers: More to send.
            known: An older answer: the server may say that it still holds (status 304).

        Raises:
            StatusError: The answer is neither the page nor a redirect nor "unchanged".
            FetchError: The answer is too large, of another type, or broken.
            httpx2.HTTPError: The connection failed.
        """
        connect, whole = self._settings.connect_seconds, self._settings.seconds
        timeouts = {"connect": connect, "read": whole, "write": whole, "pool": whole}
        sent = self._headers(accept, headers, known)
        request = httpx2.Request("GET", place.url, headers=sent, extensions={"timeout": timeouts})
        response = await self._transport.handle_async_request(request)
        try:
            return await self._received(place, response, accept, known)
        finally:
            await response.aclose()

    def _headers(
        self, accept: frozenset[str] | None, more: Mapping[str, str] | None, known: Kept | None
    ) -> dict[str, str]:
        headers = {
            "User-Agent": self.user_agent,
            "Accept": ", ".join([*sorted(accept), "*/*;q=0.1"]) if accept else "*/*",
            "Accept-Encoding": ACCEPTED,
        }
        if known is not None and known.etag:
            headers["If-None-Match"] = known.etag
        if known is not None and known.modified:
            headers["If-Modified-Since"] = known.modified
        return headers | dict(more or {})

    async def _received(
        self, place: Target, response: httpx2.Response, accept: frozenset[str] | None, known: Kept | None
    ) -> Kept:
        status, location = response.status_code, response.headers.get("location")
        kept = self._stamped(place, response)
        if status == 304 and known is not None:
            return kept
        if status in _MOVED and location:
            fresh_until = kept.fresh_until if status in _KEPT_MOVES else NOT_KEPT
            return replace(kept, location=_joined(place.url, location), fresh_until=fresh_until)
        if status != 200:
            said = f"HTTP {status} {response.reason_phrase}".rstrip()
            wait = wait_asked(response.headers, self._clock().timestamp())
            limited = is_limited(status, response.headers)
            raise StatusError(f"{said}: {place.url}", status, wait, limited=limited)
        if accept is not None and kept.media_type not in UNTYPED and kept.media_type not in accept:
            raise FetchError(f"{kept.media_type[:80]} is not read: {place.url}")
        try:
            data = await self._body(response)
        except FetchError as error:
            raise FetchError(f"{error}: {place.url}") from error
        media_type = sniffed(data) if kept.media_type in UNTYPED else kept.media_type
        if accept is not None and media_type not in accept:
            raise FetchError(f"its type is not said and cannot be seen: {place.url}")
        return replace(kept, data=data, media_type=media_type)

    async def _body(self, response: httpx2.Response) -> bytes:
        limit = int(self._settings.megabytes * 1_000_000)
        body = Inflate(response.headers.get("content-encoding", ""), limit)
        body.expect(response.headers.get("content-length", ""))
        async for part in in_turns(response.aiter_raw()):
            body.feed(part)
        return body.finish()

    def _stamped(self, place: Target, response: httpx2.Response) -> Kept:
        """Read the headers of an answer into a page that has no data yet."""
        media_type, charset = content_type(response.headers.get("content-type", ""))
        now = self._clock()
        fresh = fresh_for(response.headers, now.timestamp(), self._settings.cache_minutes * 60.0)
        return Kept(
            url=place.url,
            status=response.status_code,
            location=None,
            media_type=media_type,
            charset=charset,
            etag=response.headers.get("etag"),
            modified=response.headers.get("last-modified"),
            retrieved=now.astimezone(UTC).isoformat(timespec="seconds"),
            fresh_until=NOT_KEPT if fresh is None else now.timestamp() + fresh,
            opened=place.opened,
            data=b"",
        )


def _joined(url: str, location: str) -> str:
    try:
        return str(httpx2.URL(url).join(location))
    except (httpx2.InvalidURL, ValueError) as error:
        raise FetchError(f"{url} redirects to what is no url: {location[:200]!r}") from error
