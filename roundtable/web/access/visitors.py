"""Who sent a request, by its cookie or its token."""

import time
from dataclasses import dataclass

from starlette.datastructures import Headers
from starlette.requests import cookie_parser

from roundtable.journal.storage.people.accounts import Account, Accounts
from roundtable.web.access.keys import KeyClaim, Keys, same_secret
from roundtable.web.access.served_address import ServedAddress

VISITOR = "roundtable.visitor"
"""Under which a request's scope holds who sent it; None or missing: nobody who is known."""
_LOOK = 1.0
"""Seconds for which it is believed that there are no accounts."""


@dataclass(frozen=True, slots=True)
class Visitor:
    """Somebody who was let in."""

    account: Account | None = None
    """None: there are no accounts here; or it is whoever runs the server, with its own token."""
    scripted: bool = False
    """Came with a token, which no page of another origin can send."""
    unrestricted: bool = False
    """There are no accounts here: whoever is let in does everything."""


class Visitors:
    """Tells who sends requests to one server."""

    def __init__(self, keys: Keys, place: ServedAddress, accounts: Accounts, *, with_accounts: bool) -> None:
        """Take what identifies people.

        Args:
            keys: Of cookies, and the server's own token.
            place: The server's, with its cookie and the token it was started with.
            accounts: Those of its database.
            with_accounts: Whether there were any when the server began. When there are only later, nobody is
                let in until it is started again: what was opened without them must not go on.
        """
        self._keys = keys
        self._place = place
        self._accounts = accounts
        self.with_accounts = with_accounts
        self._believed_until = 0.0

    def of(self, headers: Headers) -> Visitor | None:
        """Return who sent these headers; None: nobody who is known. Raises JournalError."""
        kind, _, token = headers.get("authorization", "").partition(" ")
        if kind.lower() == "bearer" and token.strip():
            found = self._of_token(token.strip())
        else:
            found = self._of_cookie(headers)
        if found is None or self.with_accounts:
            return found
        return None if self._accounts_came() else found

    def _of_token(self, token: str) -> Visitor | None:
        ours = [self._keys.bearer(), *([self._place.token] if self._place.token else [])]
        if any([same_secret(token, known) for known in ours]):  # noqa: C419 - each is compared
            return Visitor(scripted=True, unrestricted=not self.with_accounts)
        account = self._accounts.of_token(token) if self.with_accounts else None
        return Visitor(account, scripted=True) if account is not None else None

    def _of_cookie(self, headers: Headers) -> Visitor | None:
        value = cookie_parser(headers.get("cookie", "")).get(self._place.cookie, "")
        claim = self._keys.admits(value, self._place.port) if value else None
        return self.known(claim) if claim is not None else None

    def known(self, claim: KeyClaim) -> Visitor | None:
        """Return whom a cookie or an invitation stands for; None: nobody any more."""
        if not self.with_accounts:
            return Visitor(unrestricted=True) if not claim.account else None
        account = self._accounts.of_id(claim.account) if claim.account else None
        if account is None or account.generation != claim.generation:
            return None
        return Visitor(account)

    def _accounts_came(self) -> bool:
        if time.monotonic() < self._believed_until:
            return False
        if self._accounts.are_on():
            return True
        self._believed_until = time.monotonic() + _LOOK
        return False
