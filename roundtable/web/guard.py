"""The guard: which requests reach the server at all, and the headers that every answer leaves with.

A page of another origin can make a browser send requests here, with the person's cookies when it stands on
another port of this machine (that is the same *site*, so `SameSite` does not help), and with our name when
it rebinds its own. So each request must name a host that is ours, exactly; must not come from another
origin; and must show a cookie or a bearer token. What it does not cover: other programs of the same user on
this machine, who can read the home folder anyway.
"""

import ipaddress
from collections.abc import Collection
from dataclasses import dataclass, field

from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import cookie_parser
from starlette.responses import PlainTextResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from roundtable.web.keys import Keys, same_secret

SAFE = frozenset({"GET", "HEAD"})
HEADERS = {
    "Content-Security-Policy": "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; "
    "connect-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), microphone=(), geolocation=()",
    "Cache-Control": "no-store",
}
OPEN = ("/static/", "/favicon.ico", "/healthz")
"""Paths that need no cookie: the program's own files, and whether it is well: nothing of anybody's."""


@dataclass(frozen=True, slots=True)
class ServedAddress:
    """Where the server is, as browsers name it."""

    port: int
    names: Collection[str] = ("127.0.0.1", "localhost", "[::1]")
    """Host names that are ours, without the port."""
    any_address: bool = False
    """Whether any address in figures is ours as well. Rebinding needs a name, so addresses are no way in."""
    tls: bool = False
    token: str = field(default="", repr=False)
    """A token given by whoever started the server: for scripts, and to sign in with; empty for none."""
    inside: Collection[str] = ()
    """Hosts with ports by which programs of its own network ask it, behind a proxy."""

    @property
    def cookie(self) -> str:
        """The cookie's name: cookies do not tell ports apart, so the name does."""
        return f"roundtable-{self.port}"

    @property
    def scheme(self) -> str:
        """`http` or `https`."""
        return "https" if self.tls else "http"

    def is_ours(self, host: str) -> bool:
        """Tell whether a Host header names this server, exactly."""
        usual = 443 if self.tls else 80
        hosts = {f"{name}:{self.port}" for name in self.names}
        if self.port == usual:
            hosts |= set(self.names)
        name, _, port = host.rpartition(":")
        if host in self.inside or host in hosts:
            return True
        return self.any_address and port == str(self.port) and _is_address(name)


def _is_address(name: str) -> bool:
    try:
        ipaddress.ip_address(name.removeprefix("[").removesuffix("]"))
    except ValueError:
        return False
    return True


class Guard:
    """Stands before the application."""

    def __init__(self, app: ASGIApp, keys: Keys, place: ServedAddress) -> None:
        self._app = app
        self._keys = keys
        self._place = place

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let a request through, or refuse it."""
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
            return
        if scope["type"] != "http":
            await send({"type": "websocket.close", "code": 1008})
            return

        async def guarded(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in HEADERS.items():
                    headers.setdefault(name, value)
            await send(message)

        refusal = self._refusal(scope)
        await (refusal or self._app)(scope, receive, guarded)

    def _refusal(self, scope: Scope) -> Response | None:
        headers, method, path = Headers(scope=scope), str(scope["method"]), str(scope["path"])
        hosts = headers.getlist("host")
        if len(hosts) != 1 or not self._place.is_ours(hosts[0]):
            return _refuse("this is not the server that was asked for", 421)
        if not self._from_here(headers, hosts[0]):
            return _refuse("requests from other origins are refused")
        if not self._by_the_page(headers, method, path):
            return _refuse("requests from other sites are refused")
        if path.startswith(OPEN) and method in SAFE:
            return None
        scripted = self._bearer(headers)
        if not scripted and not signed_in(headers, self._keys, self._place):
            return None if path in {"/", "/join"} and method in SAFE else _refuse("sign in first", 401)
        if method not in SAFE:
            return self._unsafe(headers, method, scripted=scripted)
        return None

    def _from_here(self, headers: Headers, host: str) -> bool:
        """An Origin, when there is one, is that of the page; `null` is not."""
        origin = headers.get("origin")
        return origin is None or origin == f"{self._place.scheme}://{host}"

    def _by_the_page(self, headers: Headers, method: str, path: str) -> bool:
        """What a browser says of where a request comes from: the page, or a person who follows a link."""
        site = headers.get("sec-fetch-site")
        if site in {None, "same-origin", "none"}:
            return True
        visited = headers.get("sec-fetch-mode") == "navigate" and headers.get("sec-fetch-dest") == "document"
        return visited and method in SAFE and path in {"/", "/join"}

    def _unsafe(self, headers: Headers, method: str, *, scripted: bool) -> Response | None:
        """A change comes as JSON or as a file, which no form can send so, from the page or with a token."""
        if scripted and method == "DELETE":  # no form can send one, and it has no body
            return None
        kind = headers.get("content-type", "").partition(";")[0].strip().lower()
        if kind not in {"application/json", "application/octet-stream"}:
            return _refuse("send JSON: Content-Type: application/json", 415)
        told = "origin" in headers or headers.get("sec-fetch-site") == "same-origin"
        return None if scripted or told else _refuse("a request with a cookie must say its Origin")

    def _bearer(self, headers: Headers) -> bool:
        kind, _, token = headers.get("authorization", "").partition(" ")
        if kind.lower() != "bearer" or not token:
            return False
        ours = [self._keys.bearer(), *([self._place.token] if self._place.token else [])]
        return any([same_secret(token.strip(), known) for known in ours])  # noqa: C419 - each is compared


def signed_in(headers: Headers, keys: Keys, place: ServedAddress) -> bool:
    """Tell whether a request shows a cookie of ours."""
    value = cookie_parser(headers.get("cookie", "")).get(place.cookie, "")
    return bool(value) and keys.admits(value, place.port)


def _refuse(why: str, status: int = 403) -> Response:
    return PlainTextResponse(f"{why}\n", status)
