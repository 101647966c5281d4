"""The gate: each address of the server is judged by its rule before anything is done there."""

import asyncio
from collections.abc import Callable, Iterable

from starlette.datastructures import Headers
from starlette.exceptions import HTTPException
from starlette.routing import BaseRoute, Mount, Route
from starlette.types import ASGIApp, Receive, Scope, Send

from roundtable.journal.storage.people.sharing import Sharing, reaches
from roundtable.web.access.rules import RULES, Rule
from roundtable.web.access.viewer import VIEWER, Viewer, unknown
from roundtable.web.access.visitors import VISITOR, Visitor, Visitors


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
            if rule.who != "anybody":
                await self._judge(scope, rule)
            await app(scope, receive, send)

        return gate

    async def _judge(self, scope: Scope, rule: Rule) -> None:
        """Let a request through, with its viewer; else raise what it is answered."""
        visitor = scope.get(VISITOR)
        if not isinstance(visitor, Visitor):
            raise HTTPException(401, "sign in first")
        headers = Headers(scope=scope)
        scope[VIEWER] = Viewer(self._sharing, lambda: self._visitors.of(headers))
        if visitor.unrestricted:
            return
        if visitor.account is None and rule.who != "operator":
            raise HTTPException(403, "the server's own token opens its figures alone; come with an account's")
        if visitor.account is not None and rule.who == "operator":
            raise HTTPException(403, "these are for whoever runs the server")
        if visitor.account is None or rule.kind is None:
            return
        thing = str(scope["path_params"][rule.named])
        role = self._sharing.role(visitor.account, rule.kind, thing)
        if role is None:
            await self._make_way(rule, thing)
        elif not reaches(role, rule.least):
            raise HTTPException(403, f"you are {role} of this {rule.kind}, which does not allow that")

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
