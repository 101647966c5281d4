"""Whose the talks of the Model Context Protocol are, and how many one account may have open."""

from collections import defaultdict, deque

from mcp.server.auth.middleware.bearer_auth import AuthenticatedUser
from mcp.server.auth.provider import AccessToken
from starlette.datastructures import Headers
from starlette.requests import Request
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from roundtable.web.access.viewer import viewer_of

_OF_ONE = 20
"""Talks of one account that stay open: many assistants begin one each time and never end it."""
_ID = "mcp-session-id"


class Talks:
    """Tells the protocol whose a talk is, and ends those of one account that are too many."""

    def __init__(self, app: ASGIApp) -> None:
        """Take what speaks the protocol."""
        self._app = app
        self._open: defaultdict[str, deque[str]] = defaultdict(deque)
        """By account, the ids of its talks, the one that was silent longest first; some may have ended."""

    async def belonging(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer within the talks of whoever asks: with another person's account an id finds nothing."""
        account = viewer_of(Request(scope)).account
        if account is None:
            await self._app(scope, receive, send)
            return
        who = AccessToken(token=account.id, client_id=account.id, scopes=[])  # its id is what counts
        scope["user"] = AuthenticatedUser(who)
        talks = self._open[account.id]

        async def noted(message: Message) -> None:
            if message["type"] == "http.response.start" and message["status"] == 200:
                talk = Headers(raw=message["headers"]).get(_ID)
                if talk is not None:
                    if talk in talks:
                        talks.remove(talk)
                    talks.append(talk)
            await send(message)

        await self._app(scope, receive, noted)
        while len(talks) > _OF_ONE:
            await self._end(scope, talks.popleft())

    async def _end(self, scope: Scope, talk: str) -> None:
        """End a talk as its client would: whoever goes on with it is told so, and begins anew."""

        async def nothing() -> Message:
            return {"type": "http.request", "body": b"", "more_body": False}

        async def unheard(_: Message) -> None:
            """Nobody waits for the answer."""

        ending = {**scope, "method": "DELETE", "headers": [(_ID.encode(), talk.encode())]}
        await self._app(ending, nothing, unheard)
