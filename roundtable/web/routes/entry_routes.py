"""What the page is made of: its files, its words, and what this server can do."""

import asyncio
from pathlib import Path

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import BaseRoute, Mount, Route
from starlette.staticfiles import StaticFiles

from library.text import catalogue, languages, message_patterns
from roundtable import __version__
from roundtable.journal.sessions.fork_names import fork_names
from roundtable.web.access.viewer import viewer_of
from roundtable.web.files.downloads import offered, unavailable
from roundtable.web.hosting.session_commands import NAMES
from roundtable.web.start_options import choices

STATIC = Path(__file__).parents[1] / "static"


class EntryRoutes:
    """What is served to whoever comes, and to whoever was let in; the way in is `sign_in.entrance`."""

    @property
    def routes(self) -> list[BaseRoute]:
        """The addresses of what every view of the page needs."""
        return [
            Route("/static/words/{code}.json", self.words),
            Mount("/static", StaticFiles(directory=STATIC)),
            Route("/api/setup", self.setup),
        ]

    async def words(self, request: Request) -> Response:
        """What the page says, in a language or in the nearest that there is."""
        texts = catalogue(request.path_params["code"], "page")
        code = texts.language
        told = {"code": code, "texts": texts.texts, "messages": message_patterns(code)}
        return JSONResponse({**told, "names": fork_names(code), "languages": languages()})

    async def setup(self, request: Request) -> Response:
        """What a new session can be given, what this server can do, and who is signed in."""
        given = await asyncio.to_thread(choices)
        given["account"] = viewer_of(request).name
        can = {"commands": list(NAMES), "downloads": offered(), "unavailable": unavailable()}
        return JSONResponse({**given, **can, "version": __version__})
