"""What an issuer of OpenID Connect is asked: of itself, for its keys, for a code's tokens, who somebody is.

The issuer is named by whoever runs the server, so it may stand inside the network; nothing that a stranger
sends chooses an address. No redirect is followed, answers are bounded in time and size.
"""

import asyncio
import base64
import json
import secrets
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any
from urllib.parse import quote_plus, urlsplit

from models import hold_secret
from models.client import is_loopback
from roundtable.config.errors import ClientRefused, InputError, IssuerAway, SignInFailed
from roundtable.config.serve_settings import OidcSettings

if TYPE_CHECKING:
    from collections.abc import Mapping

    from joserfc.jwk import KeySet

SECONDS = 10.0
"""For one answer of the issuer."""
LARGEST = 1_000_000
"""Bytes of one answer."""
KEPT_SECONDS = 3_600.0
"""For which what the issuer says of itself, and its keys, are believed."""
_AWAY_SECONDS = 3.0
"""For which it is not asked again when it could not be reached."""
_NO_CLIENT = frozenset({"invalid_client", "unauthorized_client"})
"""What the token endpoint answers to an unknown client or a wrong secret (RFC 6749, 5.2)."""
_DISCOVERY = "/.well-known/openid-configuration"

_Refusal = Callable[[int, object], SignInFailed]
"""What an answer means that gives nothing: its status, and the JSON that it holds."""


@dataclass(frozen=True, slots=True)
class Discovery:
    """What an issuer says of itself."""

    authorization: str
    """Where browsers are sent."""
    token: str
    """Where a code is given for tokens."""
    keys: str
    """Where its public keys are."""
    userinfo: str
    """Where it says more of somebody; empty: nowhere."""
    names_itself: bool
    """Whether it says who it is when it sends a browser back (RFC 9207)."""
    secret_in_body: bool
    """Whether it takes a client's secret in the body alone, and in no header."""


@dataclass(frozen=True, slots=True)
class Tokens:
    """What a code was given for."""

    identity: str
    """The ID token, as it came."""
    access: str
    """Empty: there is none."""


class Issuer:
    """The issuer of one server; used on one loop."""

    def __init__(
        self, settings: OidcSettings, environment: "Mapping[str, str]",
        clock: Callable[[], float] = time.monotonic,
    ) -> None:  # fmt: skip
        """Take what is set; nothing is asked yet.

        Raises:
            InputError: its secret is not there, or it cannot be asked safely.
        """
        self.name = settings.issuer
        self.client = settings.client_id
        self._secret = environment.get(settings.client_secret, "").strip() if settings.client_secret else ""
        if settings.client_secret and not self._secret:
            raise InputError("serve.oidc.client_secret names an environment variable that is not set")
        hold_secret(self._secret)
        if not _is_safe(self.name):
            raise InputError(f"serve.oidc.issuer {self.name}: it must be asked by https, or on this machine")
        self._clock = clock
        self._lock = asyncio.Lock()
        self._about: tuple[float, Discovery] | None = None
        self._keys: tuple[float, KeySet] | None = None
        self._away: tuple[float, str] | None = None

    async def about(self) -> Discovery:
        """Return what it says of itself, from an hour ago at most. Raises SignInFailed."""
        async with self._lock:
            if self._about is None or self._clock() - self._about[0] > KEPT_SECONDS:
                address = self.name.rstrip("/") + _DISCOVERY
                said = await self._asked("GET", address, refused=self._no_discovery)
                self._about = (self._clock(), self._understood(said))
            return self._about[1]

    def _understood(self, said: dict[str, Any]) -> Discovery:
        if said.get("issuer") != self.name:
            called = str(said.get("issuer"))[:200]
            raise SignInFailed(f"the issuer {self.name} calls itself {called}: set serve.oidc.issuer to that")
        ways = said.get("token_endpoint_auth_methods_supported")
        more = said.get("userinfo_endpoint")
        return Discovery(
            authorization=self._named(said, "authorization_endpoint"),
            token=self._named(said, "token_endpoint"),
            keys=self._named(said, "jwks_uri"),
            userinfo=more if isinstance(more, str) and self._may_name(more) else "",
            names_itself=said.get("authorization_response_iss_parameter_supported") is True,
            secret_in_body=isinstance(ways, list) and bool(ways) and "client_secret_basic" not in ways,
        )

    def _named(self, said: dict[str, Any], what: str) -> str:
        address = said.get(what)
        if not isinstance(address, str) or not self._may_name(address):
            raise SignInFailed(f"the issuer {self.name} names no {what} that can be asked safely")
        return address

    def _may_name(self, address: str) -> bool:
        """Tell whether an address of its may be asked: one elsewhere names nothing on this machine."""
        return _is_safe(address) and (_is_here(self.name) or not _is_here(address))

    async def keys(self, *, fresh: bool = False) -> "KeySet":
        """Return its public keys; `fresh`: asked for now, because one that it signs with is not among them.

        Raises:
            SignInFailed: it has none that can be used.
        """
        address = (await self.about()).keys
        async with self._lock:
            if fresh or self._keys is None or self._clock() - self._keys[0] > KEPT_SECONDS:
                self._keys = (self._clock(), _public_keys(await self._asked("GET", address)))
            return self._keys[1]

    async def tokens(self, code: str, verifier: str, back: str) -> Tokens:
        """Return what it gives for a code.

        Args:
            code: That it sent with the browser.
            verifier: Of the code's challenge (PKCE).
            back: Where it sent the browser.

        Raises:
            SignInFailed: it gives nothing: the code was used, is too old, or somebody else's.
        """
        about = await self.about()
        headers: dict[str, str] = {}
        body = {
            "grant_type": "authorization_code", "code": code, "redirect_uri": back, "code_verifier": verifier,
        }  # fmt: skip
        if not self._secret or about.secret_in_body:
            body["client_id"] = self.client
        if self._secret and about.secret_in_body:
            body["client_secret"] = self._secret
        elif self._secret:
            both = f"{quote_plus(self.client)}:{quote_plus(self._secret)}".encode()
            headers["Authorization"] = f"Basic {base64.b64encode(both).decode()}"
        said = await self._asked("POST", about.token, headers, body, refused=self._no_tokens)
        identity, access = said.get("id_token"), said.get("access_token")
        if not isinstance(identity, str):
            raise SignInFailed(f"the issuer {self.name} sent no ID token")
        if not isinstance(access, str) or not (access.isascii() and access.isprintable()):
            access = ""  # nothing that a header can hold
        return Tokens(identity, access)

    async def more_of(self, access: str) -> dict[str, Any]:
        """Return what it says of somebody beside the ID token, which may be nothing. Raises SignInFailed."""
        address = (await self.about()).userinfo
        if not address or not access:
            return {}
        return await self._asked("GET", address, {"Authorization": f"Bearer {access}"})

    async def _asked(
        self, method: str, url: str, headers: "Mapping[str, str] | None" = None,
        body: "Mapping[str, str] | None" = None, refused: "_Refusal | None" = None,
    ) -> dict[str, Any]:  # fmt: skip
        """Return the JSON object that it answers with; `refused` says what another answer means.

        Raises SignInFailed, IssuerAway.
        """
        import httpx2

        if self._away is not None and self._clock() - self._away[0] < _AWAY_SECONDS:
            raise IssuerAway(self._away[1])
        try:
            async with asyncio.timeout(SECONDS):
                status, data = await _answer(method, url, headers, body)
        except (httpx2.HTTPError, httpx2.InvalidURL, TimeoutError) as failure:
            why = str(failure) or f"no answer within {SECONDS:g} s"
            status, data = 0, why.encode()
        if status == 0 or status >= 500:
            said = data.decode("utf-8", "replace")[:200] if status == 0 else f"status {status}"
            shown = f"the issuer {self.name} cannot be reached ({said}): try again later"
            if headers is None and body is None:
                # Else one browser's code or token, on which the issuer fails, would shut out everybody.
                self._away = (self._clock(), shown)
            raise IssuerAway(shown)
        try:
            values = json.loads(data)
        except (ValueError, RecursionError):
            values = None
        if status == 200 and isinstance(values, dict):
            return values
        raise (refused or self._refusal)(status, values)

    async def check_client(self, back: str) -> None:
        """Ask whether it knows this server, with a code that it never gave.

        Args:
            back: An address that browsers might be sent back to.

        Raises:
            ClientRefused: it does not know its name, or has another secret for it.
            IssuerAway: it cannot be reached.
        """
        try:
            await self.tokens("none", secrets.token_urlsafe(32), back)
        except (ClientRefused, IssuerAway):
            raise
        except SignInFailed:
            return  # the code is refused, as it should be: clients are looked at before

    def _no_discovery(self, status: int, _values: object) -> SignInFailed:
        return SignInFailed(
            f"the issuer {self.name} does not say of itself what it must (status {status}): "
            "whoever runs the server looks at serve.oidc.issuer"
        )

    def _no_tokens(self, status: int, values: object) -> SignInFailed:
        error = _error(values)
        if error not in _NO_CLIENT:
            return self._refusal(status, values)
        return ClientRefused(
            f"the issuer {self.name} does not take this server's client_id and client_secret ({error}): "
            "whoever runs the server sets them"
        )

    def _refusal(self, status: int, values: object) -> SignInFailed:
        error = _error(values)
        said = error[:60] if error and error.isprintable() else f"status {status}"
        return SignInFailed(
            f"the issuer {self.name} did not answer as it should ({said}): begin to sign in again"
        )


def _error(values: object) -> str:
    """Return the error that an answer names (RFC 6749, 5.2); empty for none."""
    error = values.get("error") if isinstance(values, dict) else None
    return error if isinstance(error, str) else ""


async def _answer(
    method: str, url: str, headers: "Mapping[str, str] | None", body: "Mapping[str, str] | None"
) -> tuple[int, bytes]:
    """Return the status and the body of one answer."""
    import httpx2

    from models.client import in_turns, trusted

    elsewhere = not is_loopback(str(urlsplit(url).hostname))
    client = httpx2.AsyncClient(
        timeout=SECONDS, follow_redirects=False, trust_env=elsewhere, verify=trusted(trust_env=elsewhere)
    )
    # What is packed may stand for any amount, and would be unpacked before it is counted.
    sent = {"Accept": "application/json", "Accept-Encoding": "identity", **(headers or {})}
    async with client, client.stream(method, url, headers=sent, data=body) as response:
        if response.headers.get("Content-Encoding", "identity") != "identity":
            raise httpx2.DecodingError("it packs its answer, which it was asked not to")
        data = bytearray()
        async for part in in_turns(response.aiter_raw()):
            data += part
            if len(data) > LARGEST:
                raise httpx2.DecodingError("it sends without end")
        return response.status_code, bytes(data)


def _public_keys(said: dict[str, Any]) -> "KeySet":
    """Return the keys that signatures can be checked with; those that nobody understands are left out."""
    from joserfc.errors import JoseError
    from joserfc.jwk import KeySet, import_key

    found = []
    listed = said.get("keys")
    for key in listed if isinstance(listed, list) else []:
        if not isinstance(key, dict) or key.get("kty") not in ("RSA", "EC", "OKP") or key.get("use") == "enc":
            continue
        try:
            found.append(import_key(key))
        except (JoseError, ValueError, TypeError):
            continue
    if not found:
        raise SignInFailed("the issuer has no key that a signature can be checked with")
    return KeySet(found)


def _is_here(address: str) -> bool:
    """Tell whether an address that is one is of this machine."""
    return is_loopback(urlsplit(address).hostname or "")


def _is_safe(address: str) -> bool:
    """Tell whether what is sent to an address can be read by nobody on the way."""
    try:
        parts = urlsplit(address)
        host = parts.hostname or ""
    except ValueError:
        return False
    if not address.isprintable():
        return False  # nor can it be sent, with half a sign or a line end in it
    return bool(host) and (parts.scheme == "https" or (parts.scheme == "http" and is_loopback(host)))
