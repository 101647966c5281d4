"""The application: routes of the page, and of scripts. The guard stands before all of it."""

import asyncio
import json
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import AbstractAsyncContextManager, AsyncExitStack, asynccontextmanager
from dataclasses import asdict
from pathlib import Path
from typing import Any, Protocol, TypeVar
from urllib.parse import quote

from pydantic import BaseModel, ValidationError
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import FileResponse, JSONResponse, RedirectResponse, Response, StreamingResponse
from starlette.routing import BaseRoute, Mount, Route
from starlette.staticfiles import StaticFiles

from library import LibraryError
from library.text import catalogue, languages, message_patterns
from models import ModelError
from reports import without_marks
from roundtable import __version__
from roundtable.config.errors import (
    QuotaReached,
    RoundtableError,
    SessionLocked,
    SessionUnknown,
    wrong_value,
)
from roundtable.config.search_places import PYTHON, collections
from roundtable.journal.fold.state import State
from roundtable.journal.sessions.removal import UPLOADS
from roundtable.output.exports import outline_of
from roundtable.output.report_check import check_values, checked_again
from roundtable.session.document_collections import check_collection_name
from roundtable.session.planning.plan_editing import PlanEdit
from roundtable.web.access.gate import Gates
from roundtable.web.access.guard import Guard
from roundtable.web.access.keys import COOKIE_SECONDS, KeyClaim, Keys, same_secret
from roundtable.web.access.owned import begin_session, fork_session
from roundtable.web.access.served_address import ServedAddress
from roundtable.web.access.sharing_page import SharingPage
from roundtable.web.access.viewer import viewer_of
from roundtable.web.access.visitors import VISITOR, Visitors
from roundtable.web.files.collections_page import CollectionsPage
from roundtable.web.files.downloads import download, offered, unavailable
from roundtable.web.files.uploads import keep_upload
from roundtable.web.health import health_routes
from roundtable.web.hosting.session_commands import NAMES, Conflict
from roundtable.web.hosting.session_manager import NotRunning
from roundtable.web.hosting.session_thread import SessionThread
from roundtable.web.schemas import (
    CollectionDescription,
    ForkRequest,
    NewSession,
    ReportOrder,
    SessionName,
    ShareRequest,
    SiteRequest,
    WatchRequest,
)
from roundtable.web.serializers import passage_values, plan_values, sources_values
from roundtable.web.start_options import choices
from roundtable.web.stream import seen_last, stream
from roundtable.web.works.audits_page import AuditsPage
from roundtable.web.works.comparisons_page import ComparisonsPage

OrderT = TypeVar("OrderT", bound=BaseModel)

STATIC = Path(__file__).parent / "static"
MOST_BYTES = 100_000
"""Of a request's body."""


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
) -> Starlette:
    """Return the application that serves these sessions, and what is mounted beside the page.

    Args:
        sessions: That it serves. The application is made on the server's loop.
        keys: Of those who are let in.
        place: Where the server is.
        beside: What else is served.
        with_accounts: Whether there are accounts; see `Visitors`.

    Raises:
        RuntimeError: an address has no rule of who may use it.
    """
    visitors = Visitors(keys, place, sessions.accounts(), with_accounts=with_accounts)
    pages = _Pages(sessions, visitors, keys, place)
    gates = Gates(visitors, sessions.sharing(), lambda name: name in collections(sessions.home))
    health, measures = health_routes(sessions)

    @asynccontextmanager
    async def lifespan(_: Starlette) -> AsyncIterator[None]:
        async with AsyncExitStack() as running:
            for each in beside:
                await running.enter_async_context(each.running())
            yield
            await pages.audits.close()
            await pages.comparisons.close()
            await sessions.close()

    return Starlette(
        routes=gates.before([
            Route("/", pages.page),
            Route("/join", pages.join),
            Route("/static/words/{code}.json", pages.words),
            Mount("/static", StaticFiles(directory=STATIC)),
            Route("/api/setup", pages.setup),
            Route("/api/sign-out", pages.sign_out, methods=["POST"]),
            Route("/api/sessions", pages.sessions, methods=["GET"]),
            Route("/api/sessions", pages.begin, methods=["POST"]),
            Route("/api/outgoing", pages.outgoing, methods=["POST"]),
            Route("/api/collections", pages.collections),
            Route("/api/collections/{name}/site", pages.read_site, methods=["POST"]),
            Route("/api/collections/{name}/refresh", pages.refresh, methods=["POST"]),
            Route("/api/collections/{name}/description", pages.describe, methods=["POST"]),
            Route("/api/collections/{name}/delete", pages.remove, methods=["POST"]),
            Route("/api/collections/{name}/files/{path:path}", pages.bring, methods=["POST"]),
            Route("/api/collections/{name}/sharing", pages.shared_collection, methods=["GET"]),
            Route("/api/collections/{name}/sharing", pages.share_collection, methods=["POST"]),
            Route("/api/sessions/{id}", pages.session),
            Route("/api/sessions/{id}/events", pages.events),
            Route("/api/sessions/{id}/commands", pages.command, methods=["POST"]),
            Route("/api/sessions/{id}/plan", pages.plan, methods=["GET"]),
            Route("/api/sessions/{id}/plan", pages.begin_planned, methods=["POST"]),
            Route("/api/sessions/{id}/fork", pages.fork, methods=["POST"]),
            Route("/api/sessions/{id}/name", pages.rename, methods=["POST"]),
            Route("/api/sessions/{id}/delete", pages.delete, methods=["POST"]),
            Route("/api/sessions/{id}/uploads/{name}", pages.upload, methods=["POST"]),
            Route("/api/sessions/{id}/sources", pages.sources),
            Route("/api/sessions/{id}/passages/{passage}", pages.passage),
            Route("/api/sessions/{id}/outline", pages.outline),
            Route("/api/sessions/{id}/update", pages.update, methods=["POST"]),
            Route("/api/sessions/{id}/watch", pages.watch, methods=["POST"]),
            Route("/api/sessions/{id}/check", pages.check),
            Route("/api/sessions/{id}/sharing", pages.shared_session, methods=["GET"]),
            Route("/api/sessions/{id}/sharing", pages.share_session, methods=["POST"]),
            Route("/api/sessions/{id}/report", pages.write_report, methods=["POST"]),
            Route("/api/sessions/{id}/{kind}/{name}", pages.download),
            Route("/healthz", health),
            Route("/metrics", measures),
            *pages.audits.routes,
            *pages.comparisons.routes,
            *(route for each in beside for route in each.routes),
        ]),
        middleware=[Middleware(Guard, visitors=visitors, place=place)],
        exception_handlers={
            HTTPException: _told,
            **dict.fromkeys((RoundtableError, LibraryError, ModelError), _told),
        },
        lifespan=lifespan,
    )


class _Pages:
    """What each route answers."""

    def __init__(
        self, sessions: SessionThread, visitors: Visitors, keys: Keys, place: ServedAddress
    ) -> None:
        self._sessions = sessions
        self._visitors = visitors
        self._sharing = SharingPage(sessions.accounts(), sessions.sharing())
        self._keys = keys
        self._place = place
        named_only = sessions.manager.named_only
        self.audits = AuditsPage(sessions.home, named_only=named_only)
        self.comparisons = ComparisonsPage(sessions.home, named_only=named_only)
        self._collections = CollectionsPage(sessions.home, named_only=named_only)

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

    async def sign_out(self, request: Request) -> Response:
        """Forget this browser; others of the same person stay signed in."""
        await _body(request)
        answer = JSONResponse({"done": "signed out"})
        answer.delete_cookie(self._place.cookie, httponly=True, samesite="strict", secure=self._place.tls)
        return answer

    async def setup(self, request: Request) -> Response:
        """What a new session can be given, what this server can do, and who is signed in."""
        account = viewer_of(request).account
        given = await asyncio.to_thread(choices)
        given["account"] = account.name if account is not None else ""
        can = {"commands": list(NAMES), "downloads": offered(), "unavailable": unavailable()}
        return JSONResponse({**given, **can, "version": __version__})

    async def sessions(self, request: Request) -> Response:
        """All sessions that may be seen, the newest first; with accounts, what each may be done with."""
        here, roles = self._sessions.running_here(), viewer_of(request).roles("session")
        rows = [{**asdict(row), "here": row.id in here} for row in self._sessions.rows()]
        if roles is not None:
            rows = [{**row, "role": roles[row["id"]]} for row in rows if row["id"] in roles]
        return JSONResponse(rows)

    async def begin(self, request: Request) -> Response:
        """A new session."""
        order = await _read(request, NewSession)
        return JSONResponse({"id": await begin_session(self._sessions, viewer_of(request), order)}, 201)

    async def outgoing(self, request: Request) -> Response:
        """What a session would send to others, before it begins; what cannot be begun is told."""
        order = viewer_of(request).order(await _read(request, NewSession))
        return JSONResponse(await self._sessions.below(self._sessions.manager.outgoing(order)))

    async def collections(self, request: Request) -> Response:
        """The collections of documents that may be searched, and how far reading them is."""
        roles = viewer_of(request).roles("collection")
        rows = await asyncio.to_thread(self._collections.listed)
        if roles is not None:
            roles[PYTHON] = "reader"
            rows = [{**row, "role": roles[row["name"]]} for row in rows if row["name"] in roles]
        return JSONResponse(rows)

    def _collection(self, request: Request) -> str:
        """Return the name of a collection that is brought to; a new one belongs to whoever brings."""
        name = str(request.path_params["name"])
        check_collection_name(name)
        viewer_of(request).own("collection", name)
        return name

    async def bring(self, request: Request) -> Response:
        """A file for a collection."""
        name, path = self._collection(request), request.path_params["path"]
        await self._collections.keep(name, path, request.stream())
        return JSONResponse({"done": "kept"}, 201)

    async def refresh(self, request: Request) -> Response:
        """Begin to bring a collection up to date."""
        await _body(request)
        self._collections.refresh(self._collection(request))
        return JSONResponse({"done": "begun"})

    async def read_site(self, request: Request) -> Response:
        """Begin to read a site into a collection."""
        site = await _read(request, SiteRequest)
        self._collections.read_site(self._collection(request), site.address, site.depth, site.pages)
        return JSONResponse({"done": "begun"})

    async def describe(self, request: Request) -> Response:
        """What a collection holds, in a person's words."""
        words = (await _read(request, CollectionDescription)).description
        await self._collections.describe(request.path_params["name"], words)
        return JSONResponse({"done": "described"})

    async def remove(self, request: Request) -> Response:
        """A collection that goes."""
        await _body(request)
        name = request.path_params["name"]
        await self._collections.remove(name)
        viewer_of(request).forget("collection", name)
        return JSONResponse({"done": "removed"})

    async def plan(self, request: Request) -> Response:
        """The plan of a session that has not begun."""
        return JSONResponse(await self._sessions.look(request.path_params["id"], plan_values))

    async def begin_planned(self, request: Request) -> Response:
        """Begin with the plan as a person wants it."""
        identity, wanted = request.path_params["id"], await _read(request, PlanEdit)
        await self._sessions.below(self._sessions.manager.begin_planned(identity, wanted))
        return JSONResponse({"done": "begun"})

    async def fork(self, request: Request) -> Response:
        """Another session that begins as this one did."""
        turn = (await _read(request, ForkRequest)).turn
        viewer, session = viewer_of(request), request.path_params["id"]
        return JSONResponse({"id": await fork_session(self._sessions, viewer, session, turn)}, 201)

    async def shared_session(self, request: Request) -> Response:
        """With whom a session is shared."""
        return JSONResponse(self._sharing.told("session", request.path_params["id"]))

    async def share_session(self, request: Request) -> Response:
        """Share a session with somebody, or with all."""
        wanted = await _read(request, ShareRequest)
        return JSONResponse(self._sharing.change("session", request.path_params["id"], wanted))

    async def shared_collection(self, request: Request) -> Response:
        """With whom a collection is shared."""
        return JSONResponse(self._sharing.told("collection", request.path_params["name"]))

    async def share_collection(self, request: Request) -> Response:
        """Share a collection with somebody, or with all."""
        wanted = await _read(request, ShareRequest)
        return JSONResponse(self._sharing.change("collection", request.path_params["name"], wanted))

    async def rename(self, request: Request) -> Response:
        """What a session is called in lists."""
        name = (await _read(request, SessionName)).name
        self._sessions.rename(request.path_params["id"], name)
        return JSONResponse({"done": "renamed", "name": name})

    async def delete(self, request: Request) -> Response:
        """A session that goes for good; one that runs is refused."""
        await _body(request)
        self._sessions.delete(request.path_params["id"])
        return JSONResponse({"done": "deleted"})

    async def upload(self, request: Request) -> Response:
        """A file to be read now."""
        identity, name = request.path_params["id"], request.path_params["name"]
        self._sessions.row(identity)
        path = await keep_upload(self._sessions.together / UPLOADS / identity, name, request.stream())
        await self._sessions.perform(identity, "read", {"place": str(path)}, own_file=True)
        return JSONResponse({"done": "read", "name": path.name}, 201)

    async def session(self, request: Request) -> Response:
        """One session as it stands."""
        identity, viewer = request.path_params["id"], viewer_of(request)
        told = {**asdict(self._sessions.row(identity)), **self._sessions.standing(identity)}
        if not viewer.unrestricted:
            told["role"] = viewer.role("session", identity)
        return JSONResponse(told)

    async def events(self, request: Request) -> Response:
        """Everything that happened and happens, from `Last-Event-ID` or `?after=` on."""
        identity, viewer = request.path_params["id"], viewer_of(request)
        self._sessions.row(identity)
        told = stream(
            self._sessions, identity, seen_last(request), lambda: viewer.may("session", identity)
        )
        return StreamingResponse(told, media_type="text/event-stream")

    async def command(self, request: Request) -> Response:
        """A person's command."""
        identity, body = request.path_params["id"], await _body(request)
        name = body.pop("command", None)
        if not isinstance(name, str):
            raise HTTPException(422, 'name the command: {"command": "say", …}')
        self._sessions.row(identity)
        await self._sessions.perform(identity, name, body)
        return JSONResponse({"done": name})

    async def sources(self, request: Request) -> Response:
        """The sources that the session has admitted passages of."""
        told = await self._sessions.look(
            request.path_params["id"], lambda state: sources_values(state.evidence)
        )
        return JSONResponse(told)

    async def passage(self, request: Request) -> Response:
        """One passage in its place."""
        wanted = request.path_params["passage"]

        def found(state: State) -> dict[str, Any] | None:
            passage = state.evidence.passages.get(wanted)
            return None if passage is None else passage_values(passage, state.evidence)

        told = await self._sessions.look(request.path_params["id"], found)
        if told is None:
            raise HTTPException(404, "the session holds no such passage")
        return JSONResponse(told)

    async def outline(self, request: Request) -> Response:
        """The outline that the report has, or would have, to be edited."""
        state = await self._sessions.below(self._sessions.manager.at_rest(request.path_params["id"]))
        return JSONResponse({"outline": without_marks(await asyncio.to_thread(outline_of, state))})

    async def update(self, request: Request) -> Response:
        """A look at what became of the session's sources; it goes on with what is new."""
        await _body(request)
        await self._sessions.below(self._sessions.manager.update(request.path_params["id"]))
        return JSONResponse({"done": "begun"})

    async def watch(self, request: Request) -> Response:
        """How often that is done by itself; empty: no longer."""
        identity, every = request.path_params["id"], (await _read(request, WatchRequest)).every
        self._sessions.row(identity)
        self._sessions.watch(identity, every)
        return JSONResponse({"done": "watched" if every else "ended"})

    async def write_report(self, request: Request) -> Response:
        """The report written again; the answer comes when it is."""
        identity, order = request.path_params["id"], await _read(request, ReportOrder)
        self._sessions.row(identity)
        await self._sessions.below(self._sessions.manager.write_report(identity, order))
        return JSONResponse({"done": "written"})

    async def check(self, request: Request) -> Response:
        """The report looked over once more; `?online=1`: with the pages that it cites."""
        state = await self._sessions.below(self._sessions.manager.at_rest(request.path_params["id"]))
        if state.report is None:
            raise HTTPException(422, "there is no report yet")
        online = request.query_params.get("online") == "1"
        checking = checked_again(state.report, state.evidence, online=online)
        found = await asyncio.to_thread(asyncio.run, checking)
        return JSONResponse({**check_values(found), "sound": found.sound})

    async def download(self, request: Request) -> Response:
        """A file to be saved; never shown in the page's own origin."""
        wanted = request.path_params
        state = await self._sessions.below(self._sessions.manager.at_rest(wanted["id"]))
        made = await asyncio.to_thread(download, state, wanted["id"], wanted["kind"], wanted["name"])
        return Response(
            made.data,
            media_type="application/octet-stream",
            headers={"Content-Disposition": f"attachment; filename*=UTF-8''{quote(made.name)}"},
        )


async def _body(request: Request) -> dict[str, Any]:
    """Return a request's JSON object, however large it says it is."""
    data = bytearray()
    async for piece in request.stream():
        data += piece
        if len(data) > MOST_BYTES:
            raise HTTPException(413, f"a request has at most {MOST_BYTES} bytes")
    try:
        values = json.loads(data)
    except (ValueError, RecursionError) as failure:
        raise HTTPException(400, f"this is not JSON: {failure}") from failure
    if not isinstance(values, dict):
        raise HTTPException(400, "send a JSON object")
    return values


async def _read(request: Request, form: type[OrderT]) -> OrderT:
    """Return a request's body as what it should be; what is wrong with it is told in one line."""
    try:
        return form.model_validate(await _body(request))
    except ValidationError as failure:
        first = failure.errors(include_url=False)[0]
        raise HTTPException(422, f"{'.'.join(map(str, first['loc']))}: {wrong_value(first)}") from failure


_STATUS = ((SessionUnknown, 404), (SessionLocked, 409), (Conflict, 409), (NotRunning, 409),
           (QuotaReached, 429))  # fmt: skip
Handler = Callable[[Request, Exception], Awaitable[Response]]


async def _told(_: Request, failure: Exception) -> Response:
    """Answer with the error's own words: they say what to do."""
    if isinstance(failure, HTTPException):
        return JSONResponse({"error": failure.detail}, failure.status_code)
    status = next((code for kind, code in _STATUS if isinstance(failure, kind)), 422)
    return JSONResponse({"error": str(failure)}, status)
