"""Signing in by OpenID Connect: the authorization code flow with PKCE, state and nonce.

What a browser began with is kept in a cookie of its own, signed, so that any server of a team can end it. The
cookie is taken away when the browser comes back, whatever comes of it; codes are good once at the issuer.
"""

import base64
import hashlib
import json
import re
import secrets
from collections.abc import Mapping
from dataclasses import dataclass
from urllib.parse import urlencode

from starlette.datastructures import QueryParams

from roundtable.config.errors import NotAdmitted, SignInFailed
from roundtable.config.serve_settings import EVERYBODY, GROUP, OidcSettings
from roundtable.journal.storage.people.accounts import Account, Accounts
from roundtable.journal.storage.people.identities import same_address
from roundtable.web.access.keys import Keys, same_secret
from roundtable.web.sign_in.id_token import Vouched, vouched
from roundtable.web.sign_in.issuer_requests import Issuer

BEGUN_SECONDS = 600
"""In which somebody who began to sign in comes back."""
_SEALED = "sign-in"
_PLACE = re.compile(r"#/[A-Za-z0-9/_.-]{0,200}")
"""A view of the page: all that somebody can be led to once he is in."""

_CODE = re.compile(r"[\x20-\x7e]{1,8192}")
"""What a code may be (RFC 6749): anybody can send one here, and it is sent on to the issuer."""


@dataclass(frozen=True, slots=True)
class Begun:
    """A browser that goes to the issuer."""

    address: str
    """Where to."""
    kept: str
    """What it shows when it comes back."""


class OpenIdSignIn:
    """Signs people in whom one issuer vouches for."""

    def __init__(self, settings: OidcSettings, issuer: Issuer, keys: Keys, back: str) -> None:
        """Take what is set.

        Args:
            settings: Who may sign in.
            issuer: Who vouches.
            keys: What browsers keep is signed with them.
            back: The full address that the issuer sends browsers back to.
        """
        self.settings = settings
        self.back = back
        self._issuer = issuer
        self._keys = keys

    async def begin(self, wanted: str, *, choosing: bool = False) -> Begun:
        """Begin to sign somebody in.

        Args:
            wanted: The view that he is led to then, as `#/session/ID`.
            choosing: The issuer is to ask which account; else it may take the one that is signed in there.

        Raises:
            SignInFailed: the issuer cannot be had.
        """
        about = await self._issuer.about()
        state, nonce, verifier = (secrets.token_urlsafe(32) for _ in range(3))
        place = wanted if _PLACE.fullmatch(wanted) else ""
        challenge = base64.urlsafe_b64encode(hashlib.sha256(verifier.encode()).digest()).rstrip(b"=")
        asked = {
            "response_type": "code", "client_id": self._issuer.client, "redirect_uri": self.back,
            "scope": " ".join(self.settings.scopes), "state": state, "nonce": nonce,
            "code_challenge": challenge.decode(), "code_challenge_method": "S256",
        }  # fmt: skip
        if choosing:
            asked["prompt"] = "select_account"
        joint = "&" if "?" in about.authorization else "?"
        kept = json.dumps([state, nonce, verifier, place])
        sealed = self._keys.sealed(_SEALED, kept, BEGUN_SECONDS)
        return Begun(f"{about.authorization}{joint}{urlencode(asked)}", sealed)

    async def finish(self, told: QueryParams, kept: str, accounts: Accounts) -> tuple[Account, str]:
        """Return whose account somebody signs in to who comes back from the issuer, and the view he wanted.

        Args:
            told: What his browser brings from the issuer.
            kept: What it kept here meanwhile; empty: nothing.
            accounts: Of the server.

        Raises:
            SignInFailed: he is not let in; the message says why.
        """
        opened = self._keys.unsealed(_SEALED, kept)
        if opened is None:
            raise SignInFailed("this browser did not begin to sign in, or too long ago: begin again")
        state, nonce, verifier, place = json.loads(opened)
        code = await self._code(told, state)
        tokens = await self._issuer.tokens(code, verifier, self.back)
        by_group = any(entry.startswith(GROUP) for entry in self.settings.allow)
        groups = self.settings.groups_claim if by_group else ""
        who = await vouched(self._issuer, tokens.identity, nonce, tokens.access, groups=groups)
        return self._admitted(who, accounts), place

    async def _code(self, told: QueryParams, state: str) -> str:
        """Return the code that the issuer sent in answer to this very sign-in."""
        values: Mapping[str, str] = dict(told)
        if len(values) != len(told.multi_items()) or not same_secret(values.get("state", ""), state):
            raise SignInFailed("this is no answer to how this browser began to sign in: begin again")
        named = values.get("iss")
        if named is None and (await self._issuer.about()).names_itself:
            raise SignInFailed("the answer does not say which issuer it comes from: begin again")
        if named is not None and named != self._issuer.name:
            raise SignInFailed("the answer comes from another issuer: begin again")
        if "error" in values:
            said = values["error"]
            shown = said if re.fullmatch(r"[A-Za-z0-9_. -]{1,80}", said) else "an error"
            raise SignInFailed(f"the issuer {self._issuer.name} does not vouch for you ({shown})")
        if not _CODE.fullmatch(values.get("code", "")):
            raise SignInFailed("the issuer sent no code: begin again")
        return values["code"]

    def _admitted(self, who: Vouched, accounts: Accounts) -> Account:
        shown = who.identity.email or who.identity.subject
        if not accounts.identities().is_named(who.identity) and not self._allowed(who):
            raise NotAdmitted(
                f"{shown} may not sign in here: ask whoever runs the server"
                if who.identity.email
                else f"{shown} may not sign in here, and the issuer has verified no address of theirs: "
                "ask whoever runs the server"
            )
        account = accounts.of_identity(who.identity, create=self.settings.create)
        if account is None:
            raise NotAdmitted(f"{shown} has no account here, or no longer: ask whoever runs the server")
        return account

    def _allowed(self, who: Vouched) -> bool:
        email = same_address(who.identity.email)
        is_said = {EVERYBODY, *(f"{GROUP}{group}" for group in who.groups)}
        if any(entry in is_said for entry in self.settings.allow):
            return True
        addresses = {email, f"@{email.rpartition('@')[2]}"} if email else set()
        named = (same_address(entry) for entry in self.settings.allow if not entry.startswith(GROUP))
        return any(entry in addresses for entry in named)
