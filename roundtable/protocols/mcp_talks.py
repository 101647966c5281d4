"""Whose the talks of the Model Context Protocol are, and how many one account may have open."""

from collections.abc import Mapping

from mcp.server.auth.middleware.bearer_auth import AuthenticatedUser
from mcp.server.auth.provider import AccessToken
from starlette.datastructures import Headers
from starlette.requests import Request
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from roundtable.web.access.viewer import viewer_of

_OF_ONE = 20
"""Talks of one account that stay open: many assistants begin one each time and never end it."""
OPEN_AT_MOST = 200
"""Talks that the protocol keeps open; whoever would begin another one is refused."""
_OF_ALL = 150
"""Talks of all accounts that stay open: what is left is for those being begun, and for who has no account."""
_ID = "mcp-session-id"


class Talks:
    """Tells the protocol whose a talk is, and ends what is too many, of one account and of all together."""

    def __init__(self, app: ASGIApp) -> None:
        """Take what speaks the protocol."""
        self._app = app
        self._open: dict[str, dict[str, None]] = {}
        """By account, the ids of its talks; the longest silent first in both. Some may have ended."""

    async def belonging(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer within the talks of whoever asks: with another person's account an id finds nothing."""
        account = viewer_of(Request(scope)).account
        if account is None:
            await self._app(scope, receive, send)
            return
        scope["user"] = _user(account.id)

        async def noted(message: Message) -> None:
            if message["type"] == "http.response.start" and message["status"] == 200:
                if scope["method"] == "DELETE":
                    self._forget(account.id, Headers(scope=scope).get(_ID))
                else:
                    self._note(account.id, Headers(raw=message["headers"]).get(_ID))
            await send(message)

        await self._app(scope, receive, noted)
        while (ending := too_many(self._open)) is not None:
            self._forget(*ending)
            await self._end(scope, *ending)

    def _note(self, account: str, talk: str | None) -> None:
        """Keep that somebody spoke just now; None: within no talk."""
        if talk is not None:
            talks = self._open.pop(account, {})
            talks.pop(talk, None)
            self._open[account] = talks | {talk: None}

    def _forget(self, account: str, talk: str | None) -> None:
        """Count a talk no longer; one that is not known is none."""
        talks = self._open.get(account, {})
        if talk is not None:
            talks.pop(talk, None)
        if not talks:
            self._open.pop(account, None)

    async def _end(self, scope: Scope, account: str, talk: str) -> None:
        """End a talk as its client would: whoever goes on with it is told so, and begins anew."""

        async def nothing() -> Message:
            return {"type": "http.request", "body": b"", "more_body": False}

        async def unheard(_: Message) -> None:
            """Nobody waits for the answer."""

        head = [(_ID.encode(), talk.encode())]
        ending = {**scope, "user": _user(account), "method": "DELETE", "headers": head}
        await self._app(ending, nothing, unheard)


def too_many(talks: Mapping[str, Mapping[str, None]]) -> tuple[str, str] | None:
    """Return the account and the talk that must end, of those in the order of their silence; None: no one.

    An account with more than one may have ends its own. Where all together have too many, that is the
    talk that was silent longest of the account that has most: who begins many ends no talk of the others.
    """
    if not talks:
        return None
    account = max(talks, key=lambda one: len(talks[one]))
    if len(talks[account]) <= _OF_ONE and sum(map(len, talks.values())) <= _OF_ALL:
        return None
    return account, next(iter(talks[account]))


def _user(account: str) -> AuthenticatedUser:
    # Its id is what counts.
    return AuthenticatedUser(AccessToken(token=account, client_id=account, scopes=[]))
