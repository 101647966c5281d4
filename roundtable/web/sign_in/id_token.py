"""Whether an ID token says what it must: by whom, for whom, until when, and in answer to whom.

Signatures and times are checked by joserfc. The list of algorithms is ours and holds public-key ones alone:
a token that names `none`, or a keyed hash with the public key as its key, is none.
"""

import base64
import json
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from roundtable.config.errors import SignInFailed
from roundtable.journal.storage.people.identities import Identity, is_address
from roundtable.web.access.keys import same_secret
from roundtable.web.sign_in.issuer_requests import Issuer

ALGORITHMS = (
    "RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "ES512", "Ed25519",
)  # fmt: skip
LEEWAY = 60
"""Seconds by which the issuer's clock may differ from ours."""
_LONGEST_SUBJECT = 255
_MOST_GROUPS = 10_000


@dataclass(frozen=True, slots=True)
class Vouched:
    """Somebody, as his issuer vouches for him."""

    identity: Identity
    groups: frozenset[str]


async def vouched(
    issuer: Issuer,
    token: str,
    nonce: str,
    access: str,
    *,
    groups: str,
    now: Callable[[], float] = time.time,
) -> Vouched:
    """Return whom an ID token is about.

    Args:
        issuer: Who should have signed it.
        token: As it came.
        nonce: That was sent with the browser that began to sign in.
        access: The access token beside it; where the ID token tells no address, the issuer is asked with it.
        groups: Under which name it tells groups; empty: nobody wants to know.
        now: The time, in seconds since 1970.

    Raises:
        SignInFailed: it is not what it should be; the message says in what.
    """
    claims = await _signed(issuer, token)
    _check(claims, issuer, nonce, now)
    more: dict[str, Any] = {}
    if {"email", groups} - {""} - claims.keys():
        more = await issuer.more_of(access)
        if more and more.get("sub") != claims["sub"]:
            raise SignInFailed("the issuer told of somebody else than the ID token is about")
    # Whether an address is verified counts for that address: the two places may know of different ones.
    same = "email_verified" not in claims and more.get("email") == claims.get("email")
    email = _email(more if same or "email" not in claims else claims)
    claims = {**more, **claims}
    listed = claims.get(groups)
    named = listed[:_MOST_GROUPS] if isinstance(listed, list) else [listed]
    return Vouched(
        Identity(issuer.name, claims["sub"], email, _name(claims.get("name"))),
        frozenset(group for group in named if isinstance(group, str)),
    )


async def _signed(issuer: Issuer, token: str) -> dict[str, Any]:
    """Return what a token claims, once its signature is that of one of the issuer's keys."""
    from joserfc import jwt
    from joserfc.errors import BadSignatureError, InvalidKeyIdError, JoseError

    for fresh in (False, True):
        keys = await issuer.keys(fresh=fresh)
        try:
            return jwt.decode(token, keys, algorithms=ALGORITHMS).claims
        except InvalidKeyIdError as failure:
            if fresh:
                raise SignInFailed("the ID token is signed with a key that the issuer has not") from failure
            # It may have changed its keys since they were looked at.
        except (JoseError, ValueError, TypeError, AttributeError, RecursionError) as failure:
            # One without a name for its key may be signed with the next one, which has no name either.
            if not fresh and isinstance(failure, BadSignatureError) and not _names_its_key(token):
                continue
            raise SignInFailed(f"the ID token is not signed as it should be ({_short(failure)})") from failure
    raise AssertionError


def _names_its_key(token: str) -> bool:
    """Tell whether a token whose head could be read says by which key it is signed (`kid`)."""
    head = token.partition(".")[0]
    return "kid" in json.loads(base64.urlsafe_b64decode(head + "=" * (-len(head) % 4)))


def _check(claims: dict[str, Any], issuer: Issuer, nonce: str, now: Callable[[], float]) -> None:
    from joserfc.errors import JoseError
    from joserfc.jwt import JWTClaimsRegistry

    registry = JWTClaimsRegistry(
        now=lambda: int(now()),
        leeway=LEEWAY,
        iss={"essential": True, "value": issuer.name},
        aud={"essential": True, "value": issuer.client},
        sub={"essential": True},
        exp={"essential": True},
        iat={"essential": True},
    )
    try:
        registry.validate(claims)
    except JoseError as failure:
        raise SignInFailed(f"the ID token is not for here, or not for now ({_short(failure)})") from failure
    several = isinstance(claims["aud"], list) and len(claims["aud"]) > 1
    if (several or "azp" in claims) and claims.get("azp") != issuer.client:
        raise SignInFailed("the ID token was given to somebody else (azp)")
    subject = claims["sub"]
    if len(subject) > _LONGEST_SUBJECT or not (subject.isascii() and subject.isprintable()):
        raise SignInFailed("the ID token names its subject as none may be named")
    answered = claims.get("nonce")
    if not isinstance(answered, str) or not same_secret(answered, nonce):
        raise SignInFailed("the ID token answers somebody else who began to sign in (nonce)")


def _email(claims: dict[str, Any]) -> str:
    """Return an address that the issuer has verified; empty: none. Some write the truth as text."""
    email = claims.get("email")
    if not isinstance(email, str) or not is_address(email):
        return ""
    return email if claims.get("email_verified") in (True, "true") else ""


def _name(value: object) -> str:
    return value[:_LONGEST_SUBJECT] if isinstance(value, str) else ""


def _short(failure: Exception) -> str:
    return " ".join(str(failure).split())[:120]
