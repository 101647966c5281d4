"""What is asked about sessions: which there are, how one stands, and everything a person does with one."""

from dataclasses import asdict

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, Response, StreamingResponse
from starlette.routing import BaseRoute, Route

from roundtable.config.errors import JournalError
from roundtable.session.planning.plan_editing import PlanEdit
from roundtable.session.removal import UPLOADS
from roundtable.web.access.owned import begin_session, fork_session
from roundtable.web.access.sharing_page import SharingPage
from roundtable.web.access.viewer import viewer_of
from roundtable.web.files.uploads import keep_upload
from roundtable.web.hosting.session_thread import SessionThread
from roundtable.web.routes.request_body import body_as, json_body
from roundtable.web.schemas import ForkRequest, NewSession, SessionName, ShareRequest, WatchRequest
from roundtable.web.serializers import plan_values
from roundtable.web.stream import seen_last, stream


class SessionRoutes:
    """All sessions that this server knows."""

    def __init__(self, sessions: SessionThread, sharing: SharingPage) -> None:
        self._sessions = sessions
        self._sharing = sharing

    @property
    def routes(self) -> list[BaseRoute]:
        """The addresses of sessions."""
        return [
            Route("/api/sessions", self.sessions, methods=["GET"]),
            Route("/api/sessions", self.begin, methods=["POST"]),
            Route("/api/outgoing", self.outgoing, methods=["POST"]),
            Route("/api/sessions/{id}", self.session),
            Route("/api/sessions/{id}/events", self.events),
            Route("/api/sessions/{id}/commands", self.command, methods=["POST"]),
            Route("/api/sessions/{id}/plan", self.plan, methods=["GET"]),
            Route("/api/sessions/{id}/plan", self.begin_planned, methods=["POST"]),
            Route("/api/sessions/{id}/fork", self.fork, methods=["POST"]),
            Route("/api/sessions/{id}/name", self.rename, methods=["POST"]),
            Route("/api/sessions/{id}/delete", self.delete, methods=["POST"]),
            Route("/api/sessions/{id}/uploads/{name}", self.upload, methods=["POST"]),
            Route("/api/sessions/{id}/update", self.update, methods=["POST"]),
            Route("/api/sessions/{id}/watch", self.watch, methods=["POST"]),
            Route("/api/sessions/{id}/sharing", self.shared_session, methods=["GET"]),
            Route("/api/sessions/{id}/sharing", self.share_session, methods=["POST"]),
        ]

    async def sessions(self, request: Request) -> Response:
        """All sessions that may be seen, the newest first; with accounts, what each may be done with."""
        here, roles = self._sessions.running_here(), viewer_of(request).roles("session")
        try:
            watched = self._sessions.manager.watched()
        except JournalError:  # the sessions are there all the same; each tells what is wrong
            watched = {}
        rows = [
            {
                **asdict(row),
                "here": row.id in here,
                "watched": watched.get(row.id, ""),
                "planned": self._sessions.planned(row),
            }
            for row in self._sessions.rows()
        ]
        if roles is not None:
            rows = [{**row, "role": roles[row["id"]]} for row in rows if row["id"] in roles]
        return JSONResponse(rows)

    async def begin(self, request: Request) -> Response:
        """A new session."""
        order = await body_as(request, NewSession)
        return JSONResponse({"id": await begin_session(self._sessions, viewer_of(request), order)}, 201)

    async def outgoing(self, request: Request) -> Response:
        """What a session would send to others, before it begins; what cannot be begun is told."""
        order = viewer_of(request).order(await body_as(request, NewSession))
        return JSONResponse(await self._sessions.below(self._sessions.manager.outgoing(order)))

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
        told = stream(self._sessions, identity, seen_last(request), lambda: viewer.may("session", identity))
        return StreamingResponse(told, media_type="text/event-stream")

    async def command(self, request: Request) -> Response:
        """A person's command."""
        identity, body = request.path_params["id"], await json_body(request)
        name = body.pop("command", None)
        if not isinstance(name, str):
            raise HTTPException(422, 'name the command: {"command": "say", …}')
        self._sessions.row(identity)
        await self._sessions.perform(identity, name, body, person=viewer_of(request).name)
        return JSONResponse({"done": name})

    async def plan(self, request: Request) -> Response:
        """The plan of a session that has not begun."""
        return JSONResponse(await self._sessions.look(request.path_params["id"], plan_values))

    async def begin_planned(self, request: Request) -> Response:
        """Begin with the plan as a person wants it."""
        identity, wanted = request.path_params["id"], await body_as(request, PlanEdit)
        await self._sessions.below(self._sessions.manager.begin_planned(identity, wanted))
        return JSONResponse({"done": "begun"})

    async def fork(self, request: Request) -> Response:
        """Another session that begins as this one did."""
        turn = (await body_as(request, ForkRequest)).turn
        viewer, session = viewer_of(request), request.path_params["id"]
        return JSONResponse({"id": await fork_session(self._sessions, viewer, session, turn)}, 201)

    async def rename(self, request: Request) -> Response:
        """What a session is called in lists."""
        name = (await body_as(request, SessionName)).name
        self._sessions.rename(request.path_params["id"], name)
        return JSONResponse({"done": "renamed", "name": name})

    async def delete(self, request: Request) -> Response:
        """A session that goes for good; one that runs is refused."""
        await json_body(request)
        self._sessions.delete(request.path_params["id"])
        return JSONResponse({"done": "deleted"})

    async def upload(self, request: Request) -> Response:
        """A file to be read now."""
        identity, name = request.path_params["id"], request.path_params["name"]
        self._sessions.row(identity)
        path = await keep_upload(self._sessions.together / UPLOADS / identity, name, request.stream())
        person = viewer_of(request).name
        await self._sessions.perform(identity, "read", {"place": str(path)}, person=person, own_file=True)
        return JSONResponse({"done": "read", "name": path.name}, 201)

    async def update(self, request: Request) -> Response:
        """A look at what became of the session's sources; it goes on with what is new."""
        await json_body(request)
        await self._sessions.below(self._sessions.manager.update(request.path_params["id"]))
        return JSONResponse({"done": "begun"})

    async def watch(self, request: Request) -> Response:
        """How often that is done by itself; empty: no longer."""
        identity, every = request.path_params["id"], (await body_as(request, WatchRequest)).every
        self._sessions.row(identity)
        self._sessions.watch(identity, every)
        return JSONResponse({"done": "watched" if every else "ended"})

    async def shared_session(self, request: Request) -> Response:
        """With whom a session is shared."""
        return JSONResponse(self._sharing.told("session", request.path_params["id"]))

    async def share_session(self, request: Request) -> Response:
        """Share a session with somebody, or with all."""
        wanted = await body_as(request, ShareRequest)
        return JSONResponse(self._sharing.change("session", request.path_params["id"], wanted))
