"""The application: routes of the page, and of scripts. The guard stands before all of it."""

from collections.abc import AsyncIterator, Sequence
from contextlib import AbstractAsyncContextManager, AsyncExitStack, asynccontextmanager
from typing import Protocol

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import BaseRoute, Route

from library import LibraryError
from models import ModelError
from roundtable.config.errors import (
    NothingToSearch,
    QuotaReached,
    RoundtableError,
    SessionLocked,
    SessionUnknown,
)
from roundtable.config.search_places import collections
from roundtable.web.access.gate import Gates
from roundtable.web.access.guard import Guard
from roundtable.web.access.keys import Keys
from roundtable.web.access.served_address import ServedAddress
from roundtable.web.access.sharing_page import SharingPage
from roundtable.web.access.visitors import Visitors
from roundtable.web.files.collections_page import CollectionsPage
from roundtable.web.health import health_routes
from roundtable.web.hosting.session_commands import Conflict
from roundtable.web.hosting.session_manager import NotRunning
from roundtable.web.hosting.session_thread import SessionThread
from roundtable.web.routes.collection_routes import CollectionRoutes
from roundtable.web.routes.entry_routes import EntryRoutes
from roundtable.web.routes.report_routes import ReportRoutes
from roundtable.web.routes.session_routes import SessionRoutes
from roundtable.web.sign_in.entrance import Entrance
from roundtable.web.sign_in.openid import OpenIdSignIn
from roundtable.web.works.audits_page import AuditsPage
from roundtable.web.works.comparisons_page import ComparisonsPage


class Mounted(Protocol):
    """What is served beside the page: another way to ask for the same sessions."""

    routes: Sequence[BaseRoute]

    def running(self) -> AbstractAsyncContextManager[None]:
        """Return what is entered while the server runs."""


def application(
    sessions: SessionThread,
    keys: Keys,
    place: ServedAddress,
    beside: Sequence[Mounted] = (),
    *,
    with_accounts: bool = False,
    openid: OpenIdSignIn | None = None,
) -> Starlette:
    """Return the application that serves these sessions, and what is mounted beside the page.

    Args:
        sessions: That it serves. The application is made on the server's loop.
        keys: Of those who are let in.
        place: Where the server is.
        beside: What else is served.
        with_accounts: Whether there are accounts; see `Visitors`.
        openid: Signs in whom an issuer of OpenID Connect vouches for; None: nobody is signed in so.

    Raises:
        RuntimeError: an address has no rule of who may use it.
    """
    visitors = Visitors(keys, place, sessions.accounts(), with_accounts=with_accounts)
    sharing = SharingPage(sessions.accounts(), sessions.sharing())
    named_only = sessions.manager.named_only
    audits = AuditsPage(sessions.home, named_only=named_only, quotas=sessions.quotas())
    comparisons = ComparisonsPage(sessions.home, named_only=named_only, quotas=sessions.quotas())
    gates = Gates(visitors, sessions.sharing(), lambda name: name in collections(sessions.home))
    health, measures = health_routes(sessions)

    @asynccontextmanager
    async def lifespan(_: Starlette) -> AsyncIterator[None]:
        async with AsyncExitStack() as running:
            for each in beside:
                await running.enter_async_context(each.running())
            yield
            await audits.close()
            await comparisons.close()
            await sessions.close()

    return Starlette(
        routes=gates.before([
            *Entrance(visitors, keys, place, sessions.accounts(), openid).routes,
            *EntryRoutes().routes,
            *CollectionRoutes(CollectionsPage(sessions.home, named_only=named_only), sharing).routes,
            *SessionRoutes(sessions, sharing).routes,
            *ReportRoutes(sessions).routes,
            Route("/healthz", health),
            Route("/metrics", measures),
            *audits.routes,
            *comparisons.routes,
            *(route for each in beside for route in each.routes),
        ]),
        middleware=[Middleware(Guard, visitors=visitors, place=place)],
        exception_handlers={
            HTTPException: _told,
            **dict.fromkeys((RoundtableError, LibraryError, ModelError), _told),
        },
        lifespan=lifespan,
    )


_NOTHING_TO_SEARCH = (
    "nothing to search: offline leaves out the web, and no documents are chosen; choose some (python is "
    "always there), or do not stay offline"
)
_STATUS = ((SessionUnknown, 404), (SessionLocked, 409), (Conflict, 409), (NotRunning, 409),
           (QuotaReached, 429))  # fmt: skip


async def _told(_: Request, failure: Exception) -> Response:
    """Answer with the error's own words: they say what to do; the page has no options of a command line."""
    if isinstance(failure, HTTPException):
        return JSONResponse({"error": failure.detail}, failure.status_code)
    status = next((code for kind, code in _STATUS if isinstance(failure, kind)), 422)
    told = _NOTHING_TO_SEARCH if isinstance(failure, NothingToSearch) else str(failure)
    return JSONResponse({"error": told}, status)
