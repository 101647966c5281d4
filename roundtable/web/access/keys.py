"""Who may come in: invitations that are used once, cookies that outlive a restart, and a token for scripts.

Everything is kept in `web/` of the home folder, readable by its owner alone. An invitation is a file whose
name is its token's hash, and using it is deleting that file: so it is used once, also with several servers
at the same home and across restarts, and the token itself is nowhere on the disk.
"""

import base64
import contextlib
import hashlib
import hmac
import logging
import os
import secrets
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from models import hold_secret
from roundtable.config.errors import RoundtableError

DAY = 86_400
COOKIE_SECONDS = 30 * DAY
INVITATION_SECONDS = DAY
_ENDED = "signed-out"
"""The folder of the hashes of cookies that were signed out before they were too old."""
_SET_BACK = 3_600
"""Seconds by which a clock may have been set back since something was made."""


@dataclass(frozen=True, slots=True)
class KeyClaim:
    """Whom an invitation or a cookie lets in."""

    account: str = ""
    """The account's id; empty where there are no accounts."""
    generation: int = 0
    """Of the account's cookies; see `Account`."""


class KeysUnusable(RoundtableError):
    """The folder of keys cannot be read or written, or others may read it."""


class Keys:
    """The keys of one home folder."""

    def __init__(self, home: Path, now: Callable[[], float] = time.time) -> None:
        self._folder = home / "web"
        self._now = now
        try:
            for part in ("invitations", _ENDED):
                (self._folder / part).mkdir(parents=True, exist_ok=True, mode=0o700)
            self._folder.chmod(0o700)
            self._signing = self._kept("signing-key").encode()
        except OSError as failure:
            raise KeysUnusable(
                f"cannot keep keys in {self._folder}: {failure.strerror}; "
                "set ROUNDTABLE_HOME to another folder"
            ) from failure

    def _kept(self, name: str) -> str:
        """Return a secret that is made once; of two processes that make it, one wins and both read that."""
        path = self._folder / name
        if not path.exists():
            draft = self._folder / f".{name}.{secrets.token_hex(6)}"
            handle = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
            with os.fdopen(handle, "w") as file:
                file.write(secrets.token_urlsafe(32))
            with contextlib.suppress(FileExistsError):
                os.link(draft, path)
            draft.unlink()
        if path.stat().st_mode & 0o077:
            raise KeysUnusable(f"others may read {path}: delete it, and everybody signs in again")
        return path.read_text().strip()

    # Invitations

    def invite(self, account: str = "", generation: int = 0) -> str:
        """Return a token that lets one person in, once, within a day: as an account, where there are some.

        Args:
            account: Its id.
            generation: Of its cookies now: signing out of every browser makes the token worthless, too.

        Raises KeysUnusable when it cannot be kept.
        """
        token = secrets.token_urlsafe(24)
        path = self._invitation(token)
        try:
            handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
            with os.fdopen(handle, "w") as file:
                file.write(f"{int(self._now()) + INVITATION_SECONDS} {account} {generation}")
        except OSError as failure:
            raise KeysUnusable(
                f"cannot keep an invitation in {path.parent}: {failure.strerror or failure}; free some space"
            ) from failure
        return token

    def accept(self, token: str) -> KeyClaim | None:
        """Use an invitation up; None when there is none such, or it is too old."""
        claim = self.claim(token)
        try:
            self._invitation(token).unlink()  # whoever deletes it has used it
        except OSError:
            return None
        return claim

    def claim(self, token: str) -> KeyClaim | None:
        """Return whom an invitation lets in, without using it up; None as for `accept`."""
        try:
            expires, account, generation = self._invitation(token).read_text().split(" ")
            who, until = KeyClaim(account, int(generation)), int(expires)
        except (OSError, ValueError):
            return None
        return who if self._holds(until, INVITATION_SECONDS) else None

    def _invitation(self, token: str) -> Path:
        return self._folder / "invitations" / hashlib.sha256(token.encode()).hexdigest()

    # Cookies

    def cookie(self, port: int, who: KeyClaim = KeyClaim(), seconds: int = COOKIE_SECONDS) -> str:
        """Return the value of a cookie that shows its bearer was let in; good for this port alone."""
        claim = f"{int(self._now()) + seconds}.{secrets.token_urlsafe(9)}"
        claim += f".{who.account}.{who.generation}" if who.account else ""
        return f"{claim}.{self._sign(claim, port)}"

    def admits(self, cookie: str, port: int) -> KeyClaim | None:
        """Return whom a cookie lets in; None: it is none of ours, not for this port, or too old."""
        claim, _, signature = cookie.rpartition(".")
        if not claim or not same_secret(signature, self._sign(claim, port)):
            return None
        expires, _, *who = claim.split(".")
        if not expires.isdecimal() or not self._holds(int(expires), COOKIE_SECONDS):
            return None
        if self._ended(cookie).exists():
            return None
        return KeyClaim(who[0], int(who[1])) if who else KeyClaim()

    def end(self, cookie: str, port: int) -> None:
        """Let a cookie admit nobody any more, whoever has kept it: its hash is kept until it is too old.

        Where that cannot be written, it ends with the browser that forgets it alone.
        """
        if self.admits(cookie, port) is None:
            return
        try:
            for path in self._ended(cookie).parent.iterdir():
                if int(path.read_text() or 0) < self._now() - _SET_BACK:
                    path.unlink(missing_ok=True)
            self._ended(cookie).write_text(cookie.partition(".")[0])
        except (OSError, ValueError) as failure:
            logging.getLogger(__name__).warning("%s: %s", self._folder / _ENDED, failure)

    def _ended(self, cookie: str) -> Path:
        return self._folder / _ENDED / hashlib.sha256(cookie.encode()).hexdigest()

    def _sign(self, claim: str, port: int) -> str:
        return hmac.new(self._signing, f"cookie|{port}|{claim}".encode(), hashlib.sha256).hexdigest()

    def _holds(self, until: int, seconds: int) -> bool:
        """Tell whether what was made to be good for so many seconds is so still.

        What was made while the clock stood in the future would be good for as long as it was wrong.
        """
        return 0 < until - self._now() <= seconds + _SET_BACK

    # What a browser keeps for us while it signs in elsewhere

    def sealed(self, what: str, text: str, seconds: int) -> str:
        """Return a text that a browser may keep for a while and cannot change; it can be read there.

        Args:
            what: It is good for this alone.
            text: Any.
            seconds: For which it is good; a day at most.
        """
        kept = base64.urlsafe_b64encode(f"{int(self._now()) + seconds} {text}".encode()).decode()
        return f"{kept}.{self._seal(what, kept)}"

    def unsealed(self, what: str, value: str) -> str | None:
        """Return the text of `sealed`; None: it is none of ours, for something else, or too old."""
        kept, _, signature = value.rpartition(".")
        if not kept or not same_secret(signature, self._seal(what, kept)):
            return None
        until, _, text = base64.urlsafe_b64decode(kept).decode().partition(" ")
        return text if self._holds(int(until), DAY) else None

    def _seal(self, what: str, kept: str) -> str:
        return hmac.new(self._signing, f"sealed|{what}|{kept}".encode(), hashlib.sha256).hexdigest()

    # Scripts

    def bearer(self) -> str:
        """Return the token with which scripts come in: `Authorization: Bearer …`."""
        token = self._kept("bearer-token")
        hold_secret(token)
        return token


def same_secret(one: str, other: str) -> bool:
    """Compare two secrets in a time that says nothing about them."""
    return hmac.compare_digest(one.encode("utf-8", "replace"), other.encode("utf-8", "replace"))
