"""What is asked about a session's report and what it rests on: sources, passages, outline, check, files."""

import asyncio
from typing import Any
from urllib.parse import quote

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import BaseRoute, Route

from reports import without_marks
from roundtable.journal.fold.state import State
from roundtable.output.exports import outline_of
from roundtable.output.report_check import check_values, checked_again
from roundtable.web.access.viewer import viewer_of
from roundtable.web.files.downloads import download
from roundtable.web.hosting.session_thread import SessionThread
from roundtable.web.routes.request_body import body_as
from roundtable.web.schemas import ReportOrder
from roundtable.web.serializers import passage_values, sources_values


class ReportRoutes:
    """The reports of all sessions."""

    def __init__(self, sessions: SessionThread) -> None:
        self._sessions = sessions

    @property
    def routes(self) -> list[BaseRoute]:
        """The addresses of reports; `download` takes what is left below a session, so it stands last."""
        return [
            Route("/api/sessions/{id}/sources", self.sources),
            Route("/api/sessions/{id}/passages/{passage}", self.passage),
            Route("/api/sessions/{id}/outline", self.outline),
            Route("/api/sessions/{id}/check", self.check),
            Route("/api/sessions/{id}/report", self.write_report, methods=["POST"]),
            Route("/api/sessions/{id}/{kind}/{name}", self.download),
        ]

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
        outline = await self._sessions.long_work.done(viewer_of(request).whose, outline_of, state)
        return JSONResponse({"outline": without_marks(outline)})

    async def check(self, request: Request) -> Response:
        """The report looked over once more; `?online=1`: with the pages that it cites."""
        state = await self._sessions.below(self._sessions.manager.at_rest(request.path_params["id"]))
        if (report := state.report) is None:
            raise HTTPException(422, "there is no report yet")
        online = request.query_params.get("online") == "1"
        found = await self._sessions.long_work.done(
            viewer_of(request).whose,
            lambda: asyncio.run(checked_again(report, state.evidence, online=online)),
        )
        return JSONResponse({**check_values(found), "sound": found.sound})

    async def write_report(self, request: Request) -> Response:
        """The report written again; the answer comes when it is."""
        identity, order = request.path_params["id"], await body_as(request, ReportOrder)
        self._sessions.row(identity)
        await self._sessions.below(self._sessions.manager.write_report(identity, order))
        return JSONResponse({"done": "written"})

    async def download(self, request: Request) -> Response:
        """A file to be saved; never shown in the page's own origin."""
        wanted = request.path_params
        state = await self._sessions.below(self._sessions.manager.at_rest(wanted["id"]))
        made = await self._sessions.long_work.done(
            viewer_of(request).whose, download, state, wanted["id"], wanted["kind"], wanted["name"]
        )
        return Response(
            made.data,
            media_type="application/octet-stream",
            headers={"Content-Disposition": f"attachment; filename*=UTF-8''{quote(made.name)}"},
        )
