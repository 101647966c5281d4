"""What `roundtable serve` can be told beside its flags: who signs in by OpenID Connect."""

import re
from typing import Annotated

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, model_validator

_ADDRESS = re.compile(r"https?://[A-Za-z0-9.\-\[\]:]+(/[^\s?#]*)?")
_VARIABLE = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
EVERYBODY = "*"
GROUP = "group:"


def _allowed(entry: str) -> str:
    if entry == EVERYBODY or (entry.startswith(GROUP) and entry.removeprefix(GROUP).strip()):
        return entry
    name, at, host = entry.rpartition("@")
    if not at or not host or "@" in name or any(sign.isspace() for sign in entry):
        raise ValueError('give "@example.org", "ada@example.org", "group:NAME", or "*" for everybody')
    return entry


class OidcSettings(BaseModel):
    """Sign-in by OpenID Connect."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    issuer: str = ""
    """Who vouches for people, as it calls itself: `https://login.example.org/realms/team`; empty: nobody."""
    client_id: str = ""
    """By which the issuer knows this server."""
    client_secret: str = ""
    """The environment variable that holds what the issuer gave for it; empty: the issuer gave nothing."""
    name: str = Field(default="", max_length=60)
    """What the issuer is called where people sign in; empty: its host."""
    scopes: tuple[str, ...] = ("openid", "email", "profile")
    """What it is asked to tell."""
    allow: tuple[Annotated[str, AfterValidator(_allowed)], ...] = ()
    """Who may sign in: `@example.org` (verified addresses of that host), `ada@example.org`, `group:research`,
    `*`: everybody whom the issuer knows; empty: those alone who are expected by `accounts connect`."""
    groups_claim: str = "groups"
    """Under which name the issuer tells the groups that somebody is in."""
    create: bool = True
    """Whether somebody who is allowed and has no account is given one."""
    hours: float = Field(default=24.0, gt=0, le=24 * 30)
    """For how long a browser stays signed in before the issuer is asked again."""

    @model_validator(mode="after")
    def _whole(self) -> "OidcSettings":
        """Refuse what cannot be used. Raises ValueError."""
        if not self.issuer:
            return self
        if not _ADDRESS.fullmatch(self.issuer):
            raise ValueError("issuer: give an address as in https://login.example.org")
        if not self.client_id:
            raise ValueError("client_id: name what the issuer calls this server")
        if "openid" not in self.scopes:
            raise ValueError('scopes: "openid" must be among them')
        if self.client_secret and not _VARIABLE.fullmatch(self.client_secret):
            raise ValueError("client_secret: name the environment variable that holds it, never the secret")
        return self


class ServeSettings(BaseModel):
    """A server's own settings."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    oidc: OidcSettings = OidcSettings()
    """Sign-in by OpenID Connect; without an issuer there is none."""
