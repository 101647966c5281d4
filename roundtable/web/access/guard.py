"""The guard: which requests reach the server at all, and the headers that every answer leaves with.

A page of another origin can make a browser send requests here, with the person's cookies when it stands on
another port of this machine (that is the same *site*, so `SameSite` does not help), and with our name when
it rebinds its own. So each request must name a host that is ours, exactly; must not come from another
origin; and must show a cookie or a bearer token. What it does not cover: other programs of the same user on
this machine, who can read the home folder anyway.
"""

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import JSONResponse, PlainTextResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from roundtable.config.errors import RoundtableError
from roundtable.web.access.served_address import ServedAddress
from roundtable.web.access.visitors import VISITOR, Visitors

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
ENTRANCES = frozenset({"/", "/join", "/sign-in", "/sign-in/back"})
"""Paths by which people come in, also from another site: what they change is who is signed in here alone."""

_CHAT = "/v1/"
_WRONG_KEY = (
    "the key is no token of this server: it takes what `roundtable serve --bearer` prints, "
    "or, where people have accounts, what `roundtable accounts token NAME` prints"
)


class Guard:
    """Stands before the application."""

    def __init__(self, app: ASGIApp, visitors: Visitors, place: ServedAddress) -> None:
        self._app = app
        self._visitors = visitors
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
        if refusal is not None and str(scope["path"]).startswith(_CHAT):
            refusal = _as_chat_has_it(refusal)
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
        try:
            visitor = scope[VISITOR] = self._visitors.of(headers)
        except RoundtableError as failure:  # the database is away, so it cannot be told
            return _refuse(str(failure), 503)
        if visitor is None:
            return None if path in ENTRANCES and method in SAFE else _refuse("sign in first", 401)
        if method not in SAFE:
            return self._unsafe(headers, method, scripted=visitor.scripted)
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
        return visited and method in SAFE and path in ENTRANCES

    def _unsafe(self, headers: Headers, method: str, *, scripted: bool) -> Response | None:
        """A change comes as JSON or as a file, which no form can send so, from the page or with a token."""
        if scripted and method == "DELETE":  # no form can send one, and it has no body
            return None
        kind = headers.get("content-type", "").partition(";")[0].strip().lower()
        if kind not in {"application/json", "application/octet-stream"}:
            return _refuse("send JSON: Content-Type: application/json", 415)
        told = "origin" in headers or headers.get("sec-fetch-site") == "same-origin"
        return None if scripted or told else _refuse("a request with a cookie must say its Origin")


def _as_chat_has_it(refusal: Response) -> Response:
    """Return a refusal in the form in which clients of OpenAI's protocol show it to who uses them."""
    said = bytes(refusal.body).decode().strip() if refusal.status_code != 401 else _WRONG_KEY
    error = {"message": said, "type": "invalid_request_error", "param": None, "code": None}
    return JSONResponse({"error": error}, refusal.status_code)


def _refuse(why: str, status: int = 403) -> Response:
    return PlainTextResponse(f"{why}\n", status)
