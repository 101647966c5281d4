"""The way in: the page itself, invitations, signing out, the page's words, and what this server can do."""

import asyncio
from pathlib import Path

from starlette.requests import Request
from starlette.responses import FileResponse, JSONResponse, RedirectResponse, Response
from starlette.routing import BaseRoute, Mount, Route
from starlette.staticfiles import StaticFiles

from library.text import catalogue, languages, message_patterns
from roundtable import __version__
from roundtable.web.access.keys import COOKIE_SECONDS, KeyClaim, Keys, same_secret
from roundtable.web.access.served_address import ServedAddress
from roundtable.web.access.viewer import viewer_of
from roundtable.web.access.visitors import VISITOR, Visitors
from roundtable.web.files.downloads import offered, unavailable
from roundtable.web.hosting.session_commands import NAMES
from roundtable.web.routes.request_body import json_body
from roundtable.web.start_options import choices

STATIC = Path(__file__).parents[1] / "static"


class EntryRoutes:
    """What is served to whoever comes, and to whoever was let in."""

    def __init__(self, visitors: Visitors, keys: Keys, place: ServedAddress) -> None:
        self._visitors = visitors
        self._keys = keys
        self._place = place

    @property
    def routes(self) -> list[BaseRoute]:
        """The addresses of the way in."""
        return [
            Route("/", self.page),
            Route("/join", self.join),
            Route("/static/words/{code}.json", self.words),
            Mount("/static", StaticFiles(directory=STATIC)),
            Route("/api/setup", self.setup),
            Route("/api/sign-out", self.sign_out, methods=["POST"]),
        ]

    async def page(self, request: Request) -> Response:
        """The page itself, or the way in."""
        token = request.query_params.get("token", "")
        known = request.scope.get(VISITOR) is not None
        if token:
            return RedirectResponse("/", 303) if known else self._let_in(token)
        if not known:
            return FileResponse(STATIC / "join.html", 401)
        return FileResponse(STATIC / "index.html")

    join = page

    def _let_in(self, token: str) -> Response:
        given = "" if self._visitors.with_accounts else self._place.token
        claim = KeyClaim() if given and same_secret(token, given) else self._keys.accept(token)
        who = self._visitors.invited(claim) if claim is not None else None
        if who is None:
            return FileResponse(STATIC / "join.html", 401)
        answer = RedirectResponse("/", 303)
        answer.set_cookie(
            self._place.cookie,
            self._keys.cookie(self._place.port, who),
            max_age=COOKIE_SECONDS,
            httponly=True,
            samesite="strict",
            secure=self._place.tls,
        )
        return answer

    async def words(self, request: Request) -> Response:
        """What the page says, in a language or in the nearest that there is."""
        texts = catalogue(request.path_params["code"], "page")
        told = {"code": texts.language, "texts": texts.texts, "messages": message_patterns(texts.language)}
        return JSONResponse({**told, "languages": languages()})

    async def setup(self, request: Request) -> Response:
        """What a new session can be given, what this server can do, and who is signed in."""
        account = viewer_of(request).account
        given = await asyncio.to_thread(choices)
        given["account"] = account.name if account is not None else ""
        can = {"commands": list(NAMES), "downloads": offered(), "unavailable": unavailable()}
        return JSONResponse({**given, **can, "version": __version__})

    async def sign_out(self, request: Request) -> Response:
        """Forget this browser; others of the same person stay signed in."""
        await json_body(request)
        answer = JSONResponse({"done": "signed out"})
        answer.delete_cookie(self._place.cookie, httponly=True, samesite="strict", secure=self._place.tls)
        return answer
