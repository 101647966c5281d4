"""Who owns what, and who else may read or change it: sessions, collections and other works, by account.

What has no row here belongs to nobody, and nobody with an account sees it: a session that was begun without
one, for instance, until whoever runs the server gives it to somebody.
"""

import contextlib
import os
import secrets
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, get_args

from roundtable.journal.storage.people.accounts import Account
from roundtable.journal.storage.tables.journal_tables import JournalTables

Kind = Literal["session", "collection", "audit", "comparison"]
"""What can be somebody's."""
Role = Literal["reader", "editor", "owner"]
"""What somebody may do with it: look, steer and change, and share or delete."""
ROLES: tuple[Role, ...] = get_args(Role)


def reaches(role: Role | None, least: Role) -> bool:
    """Tell whether a role is at least another."""
    return role is not None and ROLES.index(role) >= ROLES.index(least)


@dataclass(frozen=True, slots=True)
class SharedWith:
    """With whom something is shared."""

    owner: str
    """The account's id; also of one that was removed."""
    team: Role | None
    """What everybody with an account may do; None: it is private, but for `people`."""
    people: Mapping[str, Role]
    """What others may do, by account id."""


class Sharing:
    """Owners and shares in a journal's database."""

    def __init__(self, tables: JournalTables, home: Path | None = None) -> None:
        """Take the tables.

        Args:
            tables: Of a journal.
            home: The home folder whose collections and other works are spoken of. Where several homes share
                a database, what lies in one is told apart from what is called the same in another.
        """
        self._tables = tables
        self._mark = f"@{_home_mark(home)}" if tables.shared and home is not None else ""

    def _key(self, kind: Kind, thing: str) -> str:
        return thing if kind == "session" else f"{thing}{self._mark}"

    def own(self, kind: Kind, thing: str, account: Account) -> bool:
        """Make something somebody's own, private; False: it is somebody's already."""
        with self._tables.guarded("write"):
            made = self._tables.rows(
                "INSERT INTO holdings (kind, thing, owner) VALUES (?, ?, ?) "
                "ON CONFLICT DO NOTHING RETURNING thing", (kind, self._key(kind, thing), account.id),
            )  # fmt: skip
        return bool(made)

    def give(self, kind: Kind, thing: str, account: Account) -> None:
        """Give something to another owner, whoever had it; with whom it is shared stays."""
        with self._tables.guarded("write"), self._tables.transaction():
            self._tables.change(
                "INSERT INTO holdings (kind, thing, owner) VALUES (?, ?, ?) "
                "ON CONFLICT (kind, thing) DO UPDATE SET owner = excluded.owner",
                [(kind, self._key(kind, thing), account.id)],
            )
            gone = "DELETE FROM shares WHERE kind = ? AND thing = ? AND account = ?"
            self._tables.change(gone, [(kind, self._key(kind, thing), account.id)])

    def give_all(self, account: Account, heir: Account) -> None:
        """Give all that somebody owns to another."""
        with self._tables.guarded("write"):
            self._tables.change("UPDATE holdings SET owner = ? WHERE owner = ?", [(heir.id, account.id)])

    def forget(self, kind: Kind, thing: str) -> None:
        """Forget whose something was that is gone."""
        with self._tables.guarded("write"), self._tables.transaction():
            forget_holding(self._tables, kind, self._key(kind, thing))

    def share(self, kind: Kind, thing: str, account: Account, role: Role | None) -> None:
        """Let somebody read or edit something; None: no longer."""
        with self._tables.guarded("write"), self._tables.transaction():
            gone = "DELETE FROM shares WHERE kind = ? AND thing = ? AND account = ?"
            self._tables.change(gone, [(kind, self._key(kind, thing), account.id)])
            if role is not None:
                new = "INSERT INTO shares (kind, thing, account, role) VALUES (?, ?, ?, ?)"
                self._tables.change(new, [(kind, self._key(kind, thing), account.id, role)])

    def open_to_team(self, kind: Kind, thing: str, role: Role | None) -> None:
        """Let everybody with an account read or edit something; None: no longer."""
        with self._tables.guarded("write"):
            told = "UPDATE holdings SET team = ? WHERE kind = ? AND thing = ?"
            self._tables.change(told, [(role or "", kind, self._key(kind, thing))])

    def shared(self, kind: Kind, thing: str) -> SharedWith | None:
        """Return with whom something is shared; None: it is nobody's."""
        with self._tables.guarded("read"):
            key = (kind, self._key(kind, thing))
            held = self._tables.rows("SELECT owner, team FROM holdings WHERE kind = ? AND thing = ?", key)
            people = self._tables.rows(
                "SELECT account, role FROM shares WHERE kind = ? AND thing = ? ORDER BY account", key
            )
        return SharedWith(held[0][0], held[0][1] or None, dict(people)) if held else None

    def role(self, account: Account, kind: Kind, thing: str) -> Role | None:
        """Return what somebody may do with something; None: nothing at all, or there is no such thing."""
        return self.role_of(account.id, kind, thing)

    def role_of(self, account: str, kind: Kind, thing: str) -> Role | None:
        """Return the same by an account's id, also of one that was removed."""
        with self._tables.guarded("read"):
            asked = (account, kind, self._key(kind, thing))
            found = self._tables.rows(f"{_SEEN} AND holdings.thing = ?", asked)
        return _most(account, *found[0][1:]) if found else None

    def roles(self, account: Account, kind: Kind) -> dict[str, Role]:
        """Return all that somebody may see of a kind, with what he may do with each."""
        with self._tables.guarded("read"):
            found = self._tables.rows(_SEEN, (account.id, kind))
        mark = self._key(kind, "")
        ours = [(key.removesuffix(mark), *rest) for key, *rest in found if key.endswith(mark)]
        roles = {thing: _most(account.id, *rest) for thing, *rest in ours}
        return {thing: role for thing, role in roles.items() if role is not None}


_SEEN = (
    "SELECT holdings.thing, holdings.owner, holdings.team, shares.role FROM holdings LEFT JOIN shares "
    "ON shares.kind = holdings.kind AND shares.thing = holdings.thing AND shares.account = ? "
    "WHERE holdings.kind = ?"
)


def _most(account: str, owner: str, team: str, shared: str | None) -> Role | None:
    """Return the greatest of what somebody is by himself, by a share, and as one of the team."""
    if owner == account:
        return "owner"
    given: list[Role] = [role for role in ROLES[:-1] if role in {team, shared}]
    return given[-1] if given else None


def _home_mark(home: Path) -> str:
    """Return by what a home folder is told from others; of two processes that make it, both read one."""
    path = home / "home-id"
    if not path.exists():
        home.mkdir(parents=True, exist_ok=True)
        draft = home / f".home-id.{secrets.token_hex(6)}"
        draft.write_text(secrets.token_hex(8), encoding="ascii")
        with contextlib.suppress(FileExistsError):
            os.link(draft, path)
        draft.unlink()
    return path.read_text(encoding="ascii").strip()


def forget_holding(tables: JournalTables, kind: Kind, thing: str) -> None:
    """Forget whose something was, within a transaction of the caller's."""
    for table in ("shares", "holdings"):
        gone = f"DELETE FROM {table} WHERE kind = ? AND thing = ?"  # noqa: S608 - one of two names of ours  # nosec B608
        tables.change(gone, [(kind, thing)])
