"""Accounts: the people who sign in at a server, and the tokens that their scripts come with.

They stand beside the sessions, so that all servers of one database know them. Of a token its hash alone is
kept. Accounts are on from the first one on and stay on: a removed account leaves its row, so that nobody
becomes somebody else, and a server whose accounts are all removed is not suddenly open.
"""

import hashlib
import hmac
import re
import secrets
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from models import hold_secret
from roundtable.config.errors import InputError
from roundtable.journal.clock import Clock, timestamp
from roundtable.journal.storage.people.identities import LONGEST_NAME, Identities, Identity, folded
from roundtable.journal.storage.tables.journal_tables import JournalTables

_MARK = "rt"
"""What every token begins with: who finds one in a log or a repository knows what it is."""
_TOKEN = re.compile(r"rt-([0-9a-f]{16})-([A-Za-z0-9_-]{43})")
_COLUMNS = "id, name, created, generation"


@dataclass(frozen=True, slots=True)
class Account:
    """A person who may sign in."""

    id: str
    name: str
    created: str
    """ISO 8601 date and time, UTC."""
    generation: int
    """Counts how often all browsers were signed out: a cookie of an earlier one is worth nothing."""


@dataclass(frozen=True, slots=True)
class ScriptToken:
    """A token as it is listed; the secret itself is known to whom it was given alone."""

    id: str
    account: str
    label: str
    created: str


class Accounts:
    """All accounts of a journal's database."""

    def __init__(self, tables: JournalTables, clock: Clock) -> None:
        self._tables = tables
        self._clock = clock

    def are_on(self) -> bool:
        """Tell whether there has ever been an account here."""
        return bool(self._rows("SELECT 1 FROM accounts LIMIT 1"))

    def add(self, name: str) -> Account:
        """Make an account. Raises InputError: somebody has that name, or it is none."""
        shown = " ".join(name.split())
        if not shown or len(shown) > LONGEST_NAME or not shown.isprintable():
            raise InputError(f"a name has 1 to {LONGEST_NAME} printable characters")
        account = Account(secrets.token_hex(8), shown, timestamp(self._clock.now()), 0)
        with self._tables.guarded("write"):
            made = self._tables.rows(
                "INSERT INTO accounts (id, name, folded, created) VALUES (?, ?, ?, ?) "
                "ON CONFLICT DO NOTHING RETURNING id",
                (account.id, shown, folded(shown), account.created),
            )
        if not made:
            raise InputError(f"there is an account called {shown} already: choose another name")
        return account

    def named(self, name: str) -> Account:
        """Return the account of a name. Raises InputError: there is none."""
        statement = f"SELECT {_COLUMNS} FROM accounts WHERE folded = ? AND removed IS NULL"  # noqa: S608 - ours  # nosec B608
        found = self._rows(statement, (folded(name),))
        if not found:
            raise InputError(f"there is no account called {name}: see `roundtable accounts list`")
        return Account(*found[0])

    def of_id(self, identity: str) -> Account | None:
        """Return an account; None: there is none, or it was removed."""
        statement = f"SELECT {_COLUMNS} FROM accounts WHERE id = ? AND removed IS NULL"  # noqa: S608 - ours  # nosec B608
        found = self._rows(statement, (identity,))
        return Account(*found[0]) if found else None

    def all(self) -> list[Account]:
        """Return the accounts that there are, by name."""
        statement = f"SELECT {_COLUMNS} FROM accounts WHERE removed IS NULL ORDER BY folded"  # noqa: S608 - ours  # nosec B608
        return [Account(*row) for row in self._rows(statement)]

    def remove(self, account: Account) -> None:
        """Remove an account with its tokens; what it owns is seen by sharing alone."""
        with self._tables.guarded("write"), self._tables.transaction():
            gone = (timestamp(self._clock.now()), account.id)
            self._tables.change("UPDATE accounts SET removed = ? WHERE id = ?", [gone])
            self._tables.change("DELETE FROM account_tokens WHERE account = ?", [(account.id,)])
            self._tables.change("DELETE FROM shares WHERE account = ?", [(account.id,)])
            # Identities stay: who has no account any more is not given a new one when he signs in.
            self._tables.change("DELETE FROM expected_emails WHERE account = ?", [(account.id,)])

    def sign_out(self, account: Account) -> None:
        """Sign an account out of every browser; its tokens stay."""
        with self._tables.guarded("write"):
            self._tables.change(
                "UPDATE accounts SET generation = generation + 1 WHERE id = ?", [(account.id,)]
            )

    # Sign-in by OpenID Connect

    def identities(self) -> Identities:
        """Return the identities by which issuers know the people of these accounts."""
        return Identities(self._tables, self._clock)

    def of_identity(self, identity: Identity, *, create: bool) -> Account | None:
        """Return whose account an identity is, once and for all; None: nobody's, also of an account removed.

        Args:
            identity: As its issuer vouched for it just now.
            create: Whether somebody without an account is given one, called as the issuer calls him.
        """
        account = self.identities().account(identity, create=create)
        return self.of_id(account) if account is not None else None

    # Tokens for scripts

    def new_token(self, account: Account, label: str = "") -> str:
        """Make a token for an account's scripts; it is returned once and kept nowhere."""
        identity, secret = secrets.token_hex(8), secrets.token_urlsafe(32)
        row = (identity, account.id, " ".join(label.split())[:LONGEST_NAME], _hash(secret),
               timestamp(self._clock.now()))  # fmt: skip
        with self._tables.guarded("write"):
            self._tables.change(
                "INSERT INTO account_tokens (id, account, label, hash, created) VALUES (?, ?, ?, ?, ?)",
                [row],
            )
        return f"{_MARK}-{identity}-{secret}"

    def tokens(self, account: Account) -> list[ScriptToken]:
        """Return an account's tokens, the oldest first."""
        found = self._rows(
            "SELECT id, account, label, created FROM account_tokens WHERE account = ? ORDER BY created, id",
            (account.id,),
        )
        return [ScriptToken(*row) for row in found]

    def revoke(self, token_id: str) -> bool:
        """Make a token worthless, by its id; False: there is none such."""
        with self._tables.guarded("write"):
            gone = self._tables.rows("DELETE FROM account_tokens WHERE id = ? RETURNING id", (token_id,))
        return bool(gone)

    def of_token(self, token: str) -> Account | None:
        """Return whose token it is; None: nobody's. The secret's hash is compared in constant time."""
        parts = _TOKEN.fullmatch(token)
        if parts is None:
            return None
        found = self._rows("SELECT account, hash FROM account_tokens WHERE id = ?", (parts[1],))
        if not found or not hmac.compare_digest(found[0][1], _hash(parts[2])):
            return None
        hold_secret(token)
        return self.of_id(found[0][0])

    def _rows(self, statement: str, values: Sequence[str] = ()) -> list[Any]:
        with self._tables.guarded("read"):
            return self._tables.rows(statement, values)


def _hash(secret: str) -> str:
    # 256 random bits: a slow hash would protect them no better.
    return hashlib.sha256(secret.encode()).hexdigest()
