"""What a person may use: sessions at the same time, tokens and money a day. A session counts for its owner.

What is used is counted as events are committed, so deleting a session gives nothing back, and a copy of one
counts for nobody. Days are those of UTC.
"""

from collections.abc import Collection, Iterable
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Any

from roundtable.config.errors import QuotaReached
from roundtable.journal.clock import Clock, timestamp
from roundtable.journal.storage.people.accounts import Account
from roundtable.journal.storage.tables.journal_tables import JournalTables

if TYPE_CHECKING:
    from models import Event, Usage

_EVERYBODY = ""
"""In place of an account: what holds for whoever has no limit of his own."""
_COUNTED = (
    "INSERT INTO spent (account, day, tokens, money) VALUES (?, ?, ?, ?) "
    "ON CONFLICT (account, day) DO UPDATE "
    "SET tokens = spent.tokens + excluded.tokens, money = spent.money + excluded.money"
)
_OWNER = "SELECT owner FROM holdings WHERE kind = 'session' AND thing = ?"


@dataclass(frozen=True, slots=True)
class Quota:
    """Limits; None: none."""

    sessions: int | None = None
    """That run at the same time."""
    tokens: int | None = None
    """A day, of prompts and replies together."""
    money: float | None = None
    """US dollars a day. Requests without a known price count as nothing."""


class Quotas:
    """All quotas of a journal's database."""

    def __init__(self, tables: JournalTables, clock: Clock) -> None:
        self._tables = tables
        self._clock = clock

    def limit(self, account: Account | None, quota: Quota) -> None:
        """Set somebody's limits, or (None) those of everybody who has none of his own, in place of before."""
        whose = account.id if account is not None else _EVERYBODY
        with self._tables.guarded("write"), self._tables.transaction():
            self._tables.change("DELETE FROM quotas WHERE account = ?", [(whose,)])
            new = "INSERT INTO quotas (account, sessions, tokens, money) VALUES (?, ?, ?, ?)"
            self._tables.change(new, [(whose, quota.sessions, quota.tokens, quota.money)])

    def of(self, account: str) -> Quota:
        """Return an account's limits, by its id: its own, else everybody's."""
        with self._tables.guarded("read"):
            found = self._tables.rows(
                "SELECT account, sessions, tokens, money FROM quotas WHERE account = ? OR account = ?",
                (account, _EVERYBODY),
            )
        known = {whose: Quota(*limits) for whose, *limits in found}
        own, all_ = known.get(account, Quota()), known.get(_EVERYBODY, Quota())
        names = [field.name for field in fields(Quota)]
        return Quota(*(getattr(all_, n) if getattr(own, n) is None else getattr(own, n) for n in names))

    def used(self, account: str) -> tuple[int, float]:
        """Return the tokens and the money that an account has used today, by whatever was its own."""
        with self._tables.guarded("read"):
            found = self._tables.rows(
                "SELECT tokens, money FROM spent WHERE account = ? AND day = ?", (account, self._today())
            )
        return (int(found[0][0]), float(found[0][1])) if found else (0, 0.0)

    def left(self, session: str, running: Collection[str]) -> Quota:
        """Return what a session may still use today; all None where nobody owns it, or nothing is limited.

        Args:
            session: That is to begin, or to go on.
            running: Sessions that run now.

        Raises:
            QuotaReached: its owner has used up something; the message says what.
        """
        owner = self._owner(session)
        if owner is None:
            return Quota()
        quota, (tokens, money) = self.of(owner), self.used(owner)
        if quota.sessions is not None and self._others(owner, session, running) >= quota.sessions:
            raise QuotaReached(
                f"{quota.sessions} of its owner's sessions run already, which is the most there may be: "
                "wait for one to end, or stop one"
            )
        _check_day(quota, tokens, money)
        return _rest(quota, tokens, money)

    def check(self, account: str) -> None:
        """Raise QuotaReached where an account has used up the tokens or the money of the day."""
        _check_day(self.of(account), *self.used(account))

    def count(self, account: str, usage: "Usage") -> None:
        """Count what was used for an account outside of sessions: for its audits and comparisons."""
        tokens = usage.prompt_tokens + usage.completion_tokens
        if not usage.cached and (tokens or usage.cost):
            with self._tables.guarded("write"):
                self._tables.change(_COUNTED, [(account, self._today(), tokens, usage.cost or 0.0)])

    def rest(self, session: str) -> Quota:
        """Return what a session's owner has left today, 0 and above; all None where nothing is limited."""
        owner = self._owner(session)
        return Quota() if owner is None else _rest(self.of(owner), *self.used(owner))

    def _owner(self, session: str) -> str | None:
        with self._tables.guarded("read"):
            owners = self._tables.rows(_OWNER, (session,))
        return str(owners[0][0]) if owners else None

    def _others(self, owner: str, session: str, running: Collection[str]) -> int:
        """Count the sessions of somebody that run, but for one."""
        with self._tables.guarded("read"):
            owned = self._tables.rows(
                "SELECT thing FROM holdings WHERE kind = 'session' AND owner = ?", (owner,)
            )
        return len({row[0] for row in owned} & {*running} - {session})

    def _today(self) -> str:
        return timestamp(self._clock.now())[:10]


def _check_day(quota: Quota, tokens: int, money: float) -> None:
    if quota.tokens is not None and tokens >= quota.tokens:
        raise QuotaReached(
            f"its owner has used {tokens} tokens today, of {quota.tokens}: "
            "go on tomorrow (UTC)"
        )
    if quota.money is not None and money >= quota.money:
        raise QuotaReached(
            f"its owner has used {money:.2f} dollars today, of {quota.money:.2f}: "
            "go on tomorrow (UTC)"
        )


def _rest(quota: Quota, tokens: int, money: float) -> Quota:
    return Quota(
        tokens=None if quota.tokens is None else max(0, quota.tokens - tokens),
        money=None if quota.money is None else max(0.0, quota.money - money),
    )


def count_spent(tables: JournalTables, session: str, day: str, events: "Iterable[Event]") -> None:
    """Count what models were asked for a session, for its owner, within a transaction of the caller's."""
    replied: list[Any] = [event for event in events if event.kind == "model_replied"]
    usages = [event.usage for event in replied if not event.usage.cached]
    tokens = sum(usage.prompt_tokens + usage.completion_tokens for usage in usages)
    money = sum(usage.cost or 0.0 for usage in usages)
    if tokens or money:
        tables.change(
            "INSERT INTO spent (account, day, tokens, money) "
            "SELECT owner, ?, CAST(? AS bigint), CAST(? AS double precision) FROM holdings "
            "WHERE kind = 'session' AND thing = ? ON CONFLICT (account, day) DO UPDATE "
            "SET tokens = spent.tokens + excluded.tokens, money = spent.money + excluded.money",
            [(day, tokens, money, session)],
        )
