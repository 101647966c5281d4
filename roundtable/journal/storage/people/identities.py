"""By which identities of an issuer (OpenID Connect) people are known, and whose accounts these are.

An identity is an issuer and a subject, which never changes and is never given again: addresses and names may.
An address alone leads to an account once, when somebody comes for the first time whom the operator expects.
"""

import secrets
from collections.abc import Iterator
from dataclasses import dataclass

from roundtable.config.errors import InputError
from roundtable.journal.clock import Clock, timestamp
from roundtable.journal.storage.tables.journal_tables import JournalTables

LONGEST_NAME = 80
"""Of an account's name."""
LONGEST_EMAIL = 254
_NEW_ACCOUNT = (
    "INSERT INTO accounts (id, name, folded, created) VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING RETURNING id"
)
_NEW_IDENTITY = (
    "INSERT INTO identities (issuer, subject, account, email, created, named) VALUES (?, ?, ?, ?, ?, ?) "
    "ON CONFLICT DO NOTHING RETURNING account"
)
_NAMES_TRIED = 50


@dataclass(frozen=True, slots=True)
class Identity:
    """Somebody, as an issuer vouches for him."""

    issuer: str
    subject: str
    """By which the issuer knows him, for ever."""
    email: str = ""
    """His address; empty: none that the issuer has verified."""
    name: str = ""
    """What the issuer calls him; empty: it does not say."""


class _Lost(Exception):
    """Another server gave the same identity an account at the same moment."""


class Identities:
    """All identities of a journal's database."""

    def __init__(self, tables: JournalTables, clock: Clock) -> None:
        self._tables = tables
        self._clock = clock

    def account(self, identity: Identity, *, create: bool) -> str | None:
        """Return the id of an identity's account, also of one that was removed; None: nobody's.

        Args:
            identity: As its issuer vouched for it just now. An address that is expected leads to its account,
                once; from then on the subject does.
            create: Whether somebody without an account is given one.
        """
        with self._tables.guarded("write"):
            try:
                with self._tables.transaction():
                    return self._known(identity) or self._expected(identity) or self._new(identity, create)
            except _Lost:
                return self._known(identity)

    def _known(self, identity: Identity) -> str | None:
        found = self._tables.rows(
            "SELECT account FROM identities WHERE issuer = ? AND subject = ?",
            (identity.issuer, identity.subject),
        )
        return str(found[0][0]) if found else None

    def _expected(self, identity: Identity) -> str | None:
        if not identity.email:
            return None
        gone = "DELETE FROM expected_emails WHERE email = ? RETURNING account"
        found = self._tables.rows(gone, (same_address(identity.email),))
        return self._link(identity, str(found[0][0]), named=True) if found else None

    def _new(self, identity: Identity, create: bool) -> str | None:
        if not create:
            return None
        account, now = secrets.token_hex(8), timestamp(self._clock.now())
        for name in _names(identity):
            if self._tables.rows(_NEW_ACCOUNT, (account, name, folded(name), now)):
                return self._link(identity, account, named=False)
        raise InputError("there are too many accounts of that name already: ask whoever runs the server")

    def _link(self, identity: Identity, account: str, *, named: bool) -> str:
        now = timestamp(self._clock.now())
        row = (identity.issuer, identity.subject, account, identity.email, now, int(named))
        if not self._tables.rows(_NEW_IDENTITY, row):
            raise _Lost
        return account

    def is_named(self, identity: Identity) -> bool:
        """Tell whether whoever runs the server has named somebody: by an address, before he came or now."""
        known = "SELECT 1 FROM identities WHERE issuer = ? AND subject = ? AND named = 1"
        expected = "SELECT 1 FROM expected_emails WHERE email = ?"
        with self._tables.guarded("read"):
            if self._tables.rows(known, (identity.issuer, identity.subject)):
                return True
            return bool(identity.email) and bool(self._tables.rows(expected, (same_address(identity.email),)))

    # What whoever runs the server says

    def expect(self, email: str, account: str) -> None:
        """Let whoever first signs in with a verified address be an account, by its id.

        Raises:
            InputError: it is no address, or somebody else is expected with it.
        """
        if not is_address(email):
            raise InputError(f"{email}: give an address, as in ada@example.org")
        made = (
            "INSERT INTO expected_emails (email, account) VALUES (?, ?) "
            "ON CONFLICT (email) DO NOTHING RETURNING email"
        )
        with self._tables.guarded("write"):
            if self._tables.rows(made, (same_address(email), account)):
                return
        if same_address(email) not in self.expected(account):
            raise InputError(f"{email} is expected for another account: `accounts disconnect` that one first")

    def expected(self, account: str) -> list[str]:
        """Return the addresses with which an account's person is expected."""
        asked = "SELECT email FROM expected_emails WHERE account = ? ORDER BY email"
        with self._tables.guarded("read"):
            return [str(row[0]) for row in self._tables.rows(asked, (account,))]

    def known_with(self, email: str) -> list[str]:
        """Return the ids of accounts, also of removed ones, whose people have signed in with an address."""
        with self._tables.guarded("read"):
            rows = self._tables.rows("SELECT account, email FROM identities ORDER BY created, subject")
        same = same_address(email)
        return list(dict.fromkeys(str(account) for account, known in rows if same_address(known) == same))

    def of(self, account: str) -> list[Identity]:
        """Return the identities that sign in as an account, the oldest first."""
        asked = "SELECT issuer, subject, email FROM identities WHERE account = ? ORDER BY created, subject"
        with self._tables.guarded("read"):
            return [Identity(*row) for row in self._tables.rows(asked, (account,))]

    def forget(self, account: str) -> None:
        """Let no identity sign in as an account any more, and expect nobody for it."""
        with self._tables.guarded("write"), self._tables.transaction():
            self._tables.change("DELETE FROM identities WHERE account = ?", [(account,)])
            self._tables.change("DELETE FROM expected_emails WHERE account = ?", [(account,)])


def folded(name: str) -> str:
    """Return a name as names are compared."""
    return " ".join(name.split()).casefold()


def is_address(email: str) -> bool:
    """Tell whether something is written as an address is: a name, one `@`, a host, no spaces."""
    name, _, host = email.partition("@")
    whole = bool(name) and bool(host) and "@" not in host and len(email) <= LONGEST_EMAIL
    return whole and email.isprintable() and " " not in email


def same_address(email: str) -> str:
    """Return an address as addresses are compared: without regard to the case of Latin letters alone.

    Other folding makes one of two that belong to different people: `straße` and `strasse` are different
    hosts, and a Kelvin sign is no k.
    """
    return "".join(sign.lower() if sign.isascii() else sign for sign in email)


def _names(identity: Identity) -> Iterator[str]:
    """Yield what an account may be called: as the issuer says, with the address, with a number."""
    said = "".join(sign for sign in " ".join(identity.name.split()) if sign.isprintable())
    said = said[:LONGEST_NAME].strip()
    both = f"{said[:40]} ({identity.email[:36]})" if said and identity.email else ""
    alone = "" if "@" in said else said  # people may write any name, and an address there that is not theirs
    names = [name for name in (alone, both or identity.email[:LONGEST_NAME]) if name] or ["Somebody"]
    yield from names
    yield from (f"{names[0][: LONGEST_NAME - 4]} {n}" for n in range(2, _NAMES_TRIED))
