"""An issuer of OpenID Connect on this machine, over real sockets, that can be told to misbehave.

It signs with joserfc, keeps to the code flow with PKCE as the specification has it (a code is good once, for
the address and the challenge that it was made for), and asks nobody for a password: who comes is `person`.
"""

import base64
import gzip
import hashlib
import hmac
import json
import secrets
import threading
import time
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs, unquote_plus, urlencode, urlsplit

from joserfc import jwk, jwt

CLIENT, SECRET = "roundtable", "the client's own secret"


@dataclass
class Provider:
    """One issuer. What is set on it holds from the next request on."""

    person: dict[str, Any] = field(default_factory=lambda: {
        "sub": "248289761001", "email": "ada@example.org", "email_verified": True, "name": "Ada Lovelace",
    })  # fmt: skip
    """Who signs in: claims of the ID token."""
    claims: dict[str, Any] = field(default_factory=dict)
    """Put over what a token would claim; None takes one away."""
    of_userinfo: dict[str, Any] = field(default_factory=dict)
    algorithm: str = "RS256"
    packs: bool = False
    """Its answers, whatever it is asked to."""
    host: str = "127.0.0.1"
    says: dict[str, Any] = field(default_factory=dict)
    """Put over what it says of itself."""
    back: dict[str, str] = field(default_factory=dict)
    """Put over what browsers are sent back with; empty takes away."""
    away: bool = False
    page: bool = False
    """Show a page with a button first, as people see one."""
    raw: str | None = None
    """Instead of an ID token."""
    access: str = "a"
    """The access token."""
    token_status: int = 200
    """What the token endpoint answers with; another one than 200: without any token."""
    nameless: bool = False
    """Its keys have no names (`kid`)."""
    other_keys: list[Any] = field(default_factory=list)
    """Shown before its own."""
    asked: list[str] = field(default_factory=list)
    bodies: list[dict[str, str]] = field(default_factory=list)
    """What came to the token endpoint."""

    def __post_init__(self) -> None:
        self.codes: dict[str, dict[str, str]] = {}
        self.rotate()
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), self._handler())
        self.port: int = self._server.server_address[1]
        self.issuer = f"http://{self.host}:{self.port}"
        threading.Thread(target=self._server.serve_forever, args=(0.05,), daemon=True).start()

    def reset(self) -> None:
        """Behave again."""
        for name, told in self.__dataclass_fields__.items():
            if name != "host":
                factory = told.default_factory
                setattr(self, name, factory() if callable(factory) else told.default)

    def close(self) -> None:
        self._server.shutdown()
        self._server.server_close()

    def rotate(self) -> None:
        """Sign with another key from now on; the one before is shown no more."""
        self.key = jwk.RSAKey.generate_key(2048, {"kid": secrets.token_hex(4), "use": "sig"})

    # What it answers

    def discovery(self) -> dict[str, Any]:
        return {
            "issuer": self.issuer,
            "authorization_endpoint": f"{self.issuer}/authorize",
            "token_endpoint": f"{self.issuer}/token",
            "jwks_uri": f"{self.issuer}/keys",
            "userinfo_endpoint": f"{self.issuer}/userinfo",
            "authorization_response_iss_parameter_supported": True,
            "response_types_supported": ["code"],
            **self.says,
        }

    def authorize(self, asked: dict[str, str]) -> str:
        """Return where a browser is sent that asked so."""
        assert asked["response_type"] == "code"
        assert asked["code_challenge_method"] == "S256"
        assert "openid" in asked["scope"].split()
        code = secrets.token_urlsafe(16)
        self.codes[code] = asked
        told = {"code": code, "state": asked["state"], "iss": self.issuer, **self.back}
        return f"{asked['redirect_uri']}?{urlencode({k: v for k, v in told.items() if v})}"

    def token(self, body: dict[str, str], authorization: str) -> tuple[int, dict[str, Any]]:
        self.bodies.append(body)
        if self.token_status != 200:
            return self.token_status, {}
        given = base64.b64decode(authorization.removeprefix("Basic ") or "").decode().split(":")
        client, secret = [*map(unquote_plus, given), ""][:2] if given != [""] else (body.get("client_id"), "")
        if client != CLIENT or (secret or body.get("client_secret")) != SECRET:
            return 401, {"error": "invalid_client"}
        begun = self.codes.pop(body["code"], None)
        digest = hashlib.sha256(body["code_verifier"].encode()).digest()
        challenge = base64.urlsafe_b64encode(digest).rstrip(b"=").decode()
        if begun is None or begun["redirect_uri"] != body["redirect_uri"]:
            return 400, {"error": "invalid_grant"}
        if begun["code_challenge"] != challenge:
            return 400, {"error": "invalid_grant"}
        identity = self.id_token(begun["nonce"])
        return 200, {"id_token": identity, "access_token": self.access, "token_type": "Bearer"}

    def id_token(self, nonce: str) -> str:
        if self.raw is not None:
            return self.raw
        now = int(time.time())
        claims = {
            "iss": self.issuer, "aud": CLIENT, "iat": now, "exp": now + 300, "nonce": nonce, **self.person,
            **self.claims,
        }  # fmt: skip
        claims = {name: value for name, value in claims.items() if value is not None}
        if self.algorithm in {"none", "HS256"}:
            return self.forged(claims)
        header = {"alg": self.algorithm, **({} if self.nameless else {"kid": self.key.kid})}
        return jwt.encode(header, claims, self.key, algorithms=[self.algorithm])

    def forged(self, claims: dict[str, Any]) -> str:
        """Return a token that nobody signed, or that is sealed with the public key as if it were a secret."""
        header = {"alg": self.algorithm, "kid": self.key.kid}
        begun = ".".join(_packed(json.dumps(part).encode()) for part in (header, claims))
        seal = hmac.new(self.key.as_pem(private=False), begun.encode(), hashlib.sha256).digest()
        return f"{begun}.{_packed(seal) if self.algorithm == 'HS256' else ''}"

    def packed(self, data: bytes) -> tuple[bytes, str]:
        """Return an answer as it is sent, and how it is packed."""
        return (gzip.compress(data), "gzip") if self.packs else (data, "identity")

    def _handler(self) -> type[BaseHTTPRequestHandler]:
        provider = self

        class Handler(BaseHTTPRequestHandler):
            def log_message(self, *_: Any) -> None:
                pass

            def do_GET(self) -> None:
                parts = urlsplit(self.path)
                provider.asked.append(parts.path)
                query = {name: values[0] for name, values in parse_qs(parts.query).items()}
                if provider.away:
                    self.answer(503, {})
                elif parts.path == "/.well-known/openid-configuration":
                    self.answer(200, provider.discovery())
                elif parts.path == "/keys":
                    key = provider.key.as_dict(private=False)
                    gone = {"kid"} if provider.nameless else set()
                    own = [{k: v for k, v in key.items() if k not in gone}]
                    self.answer(200, {"keys": [*provider.other_keys, *own]})
                elif parts.path == "/userinfo":
                    self.answer(200, provider.of_userinfo)
                elif parts.path == "/authorize" and provider.page:
                    link = provider.authorize(query).replace("&", "&amp;")
                    self.send(200, "text/html", f'<h1>Log in</h1><a href="{link}">It is me</a>'.encode())
                elif parts.path == "/authorize":
                    self.send_response(302)
                    self.send_header("Location", provider.authorize(query))
                    self.end_headers()
                else:
                    self.answer(404, {})

            def do_POST(self) -> None:
                provider.asked.append(self.path)
                data = self.rfile.read(int(self.headers["Content-Length"])).decode()
                body = {name: values[0] for name, values in parse_qs(data).items()}
                self.answer(*provider.token(body, self.headers.get("Authorization", "")))

            def answer(self, status: int, values: dict[str, Any]) -> None:
                self.send(status, "application/json", json.dumps(values).encode())

            def send(self, status: int, kind: str, data: bytes) -> None:
                self.send_response(status)
                self.send_header("Content-Type", kind)
                data, packing = provider.packed(data)
                self.send_header("Content-Encoding", packing)
                self.send_header("Content-Length", str(len(data)))
                self.end_headers()
                self.wfile.write(data)

        return Handler


def _packed(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()
