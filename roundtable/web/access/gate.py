"""The gate: each address of the server is judged by its rule before anything is done there."""

import asyncio
import contextlib
from collections import Counter
from collections.abc import Callable, Iterable, Iterator

from starlette.datastructures import Headers
from starlette.exceptions import HTTPException
from starlette.routing import BaseRoute, Mount, Route
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from roundtable.journal.storage.people.sharing import Sharing, reaches
from roundtable.web.access.guard import SAFE
from roundtable.web.access.rules import RULES, Rule
from roundtable.web.access.viewer import VIEWER, Viewer, unknown
from roundtable.web.access.visitors import VISITOR, Visitor, Visitors

_MOST_AT_ONCE = 60
"""Requests of one account that are answered at a time, streams among them: a few browsers and assistants. All
people together have `serving.MOST_CONNECTIONS`, so that nobody keeps the others out."""


class Gates:
    """Puts a gate before each route of a server."""

    def __init__(self, visitors: Visitors, sharing: Sharing, taken: Callable[[str], bool]) -> None:
        """Take who judges.

        Args:
            visitors: Tells who sends requests.
            sharing: What is whose.
            taken: Tells whether a collection of a name is there already, whoever's it is.
        """
        self._visitors = visitors
        self._sharing = sharing
        self._taken = taken
        self._answered: Counter[str] = Counter()
        """By account, the requests that are being answered."""

    def before(self, routes: Iterable[BaseRoute]) -> list[BaseRoute]:
        """Return the routes, each behind its gate.

        Raises:
            RuntimeError: one of them has no rule. Then nothing is served.
        """
        guarded: list[BaseRoute] = []
        for route in routes:
            assert isinstance(route, Route | Mount)
            rule, app = rule_of(route), route.app
            route.app = self._gate(app, rule)
            guarded.append(route)
        return guarded

    def _gate(self, app: ASGIApp, rule: Rule) -> ASGIApp:
        async def gate(scope: Scope, receive: Receive, send: Send) -> None:
            if rule.who == "anybody":
                await app(scope, receive, send)
                return
            visitor = await self._judge(scope, rule)
            with self._one_more(visitor):
                whole = receive if scope["method"] in SAFE else self._judged_when_whole(scope, rule, receive)
                await app(scope, whole, send)

        return gate

    def _judged_when_whole(self, scope: Scope, rule: Rule, receive: Receive) -> Receive:
        """Judge a request once more when all of its body has come, which may be days after its head."""

        async def received() -> Message:
            message = await receive()
            if message["type"] == "http.request" and not message.get("more_body", False):
                scope[VISITOR] = self._visitors.of(Headers(scope=scope))
                await self._judge(scope, rule)
            return message

        return received

    @contextlib.contextmanager
    def _one_more(self, visitor: Visitor) -> Iterator[None]:
        """Count a request while it is answered; refuse one that is too many of one account."""
        if visitor.account is None:
            yield
            return
        who = visitor.account.id
        if self._answered[who] >= _MOST_AT_ONCE:
            raise HTTPException(429, f"you have {_MOST_AT_ONCE} requests open: close some pages or programs")
        self._answered[who] += 1
        try:
            yield
        finally:
            self._answered[who] -= 1
            if not self._answered[who]:
                del self._answered[who]

    async def _judge(self, scope: Scope, rule: Rule) -> Visitor:
        """Let a request through, with its viewer; return who sent it. Else raise what it is answered."""
        visitor = scope.get(VISITOR)
        if not isinstance(visitor, Visitor):
            raise HTTPException(401, "sign in first")
        headers = Headers(scope=scope)
        scope[VIEWER] = Viewer(self._sharing, lambda: self._visitors.of(headers))
        if visitor.unrestricted:
            return visitor
        if visitor.account is None and rule.who != "operator":
            raise HTTPException(403, "the server's own token opens its figures alone; come with an account's")
        if visitor.account is not None and rule.who == "operator":
            raise HTTPException(403, "these are for whoever runs the server")
        if visitor.account is None or rule.kind is None:
            return visitor
        thing = str(scope["path_params"][rule.named])
        role = self._sharing.role(visitor.account, rule.kind, thing)
        if role is None:
            await self._make_way(rule, thing)
        elif not reaches(role, rule.least):
            raise HTTPException(403, f"you are {role} of this {rule.kind}, which does not allow that")
        return visitor

    async def _make_way(self, rule: Rule, thing: str) -> None:
        """Let something new be made; what is there, or is never made so, is not to be seen."""
        assert rule.kind is not None
        if not rule.fresh or self._sharing.shared(rule.kind, thing) is not None:
            raise unknown(rule.kind, thing)
        if await asyncio.to_thread(self._taken, thing):
            raise unknown(rule.kind, thing)


def rule_of(route: Route | Mount) -> Rule:
    """Return the rule of a route. Raises RuntimeError where there is none, or not one for all methods."""
    methods = (getattr(route, "methods", None) or {"*"}) - {"HEAD"}
    rules = {RULES.get((method, route.path)) for method in methods}
    rule = rules.pop()
    if rule is None or rules:
        asked = f"{'/'.join(sorted(methods))} {route.path}"
        raise RuntimeError(f"{asked}: who may do that? say it in {__package__}.rules")
    return rule
