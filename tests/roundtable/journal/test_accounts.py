"""Accounts, tokens and sharing, in a file and in a database alike."""

import sqlite3
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest

from roundtable.config.errors import InputError
from roundtable.journal.clock import SteppingClock
from roundtable.journal.sessions.repair import repair_journal
from roundtable.journal.storage.journal_store import Journal
from tests.roundtable.journal.test_journal import started


def clock() -> SteppingClock:
    return SteppingClock(datetime(2026, 1, 1, tzinfo=UTC))


@pytest.fixture
def journal(place: Path | str) -> Iterator[Journal]:
    with Journal(place, clock()) as journal:
        yield journal


def test_accounts_are_on_from_the_first_one_and_stay_on(journal: Journal) -> None:
    accounts = journal.accounts()
    assert not accounts.are_on()
    ada = accounts.add("  Ada   Lovelace ")
    assert ada.name == "Ada Lovelace"
    assert accounts.are_on()
    assert accounts.named("ada lovelace") == accounts.of_id(ada.id) == ada
    for taken in ("ADA LOVELACE", "Ada  Lovelace"):
        with pytest.raises(InputError, match="already"):
            accounts.add(taken)
    for none in ("", "  ", "x" * 81, "A\x1b[31m"):
        with pytest.raises(InputError, match="printable"):
            accounts.add(none)
    accounts.remove(ada)
    assert accounts.are_on(), "nobody left is not everybody let in"
    assert accounts.of_id(ada.id) is None
    assert accounts.all() == []
    with pytest.raises(InputError, match="no account called"):
        accounts.named("Ada Lovelace")
    assert accounts.add("Ada Lovelace").id != ada.id, "a name may be given again, what was owned is not"


def test_a_token_is_kept_as_a_hash_and_worth_nothing_once_revoked(
    journal: Journal, place: Path | str
) -> None:
    accounts = journal.accounts()
    ada, bo = accounts.add("Ada"), accounts.add("Bo")
    token, other = accounts.new_token(ada, "nightly"), accounts.new_token(bo)
    assert accounts.of_token(token) == ada
    assert accounts.of_token(other) == bo
    listed = accounts.tokens(ada)
    assert [one.label for one in listed] == ["nightly"]
    secret = token.rpartition("-")[2] if "-" not in token[20:] else token[20:]
    if isinstance(place, Path):
        assert secret.encode() not in place.read_bytes() + Path(f"{place}-wal").read_bytes()
    mixed = f"{token[:20]}{other[20:]}"
    for wrong in ("", "rt-", token[:-1], token + "A", token.replace("rt-", "rt--"), mixed, secret):
        assert accounts.of_token(wrong) is None, wrong
    assert accounts.revoke(listed[0].id)
    assert not accounts.revoke(listed[0].id)
    assert accounts.of_token(token) is None
    accounts.remove(bo)
    assert accounts.of_token(other) is None


def test_signing_out_counts_up(journal: Journal) -> None:
    accounts = journal.accounts()
    ada = accounts.add("Ada")
    accounts.sign_out(ada)
    again = accounts.of_id(ada.id)
    assert again is not None
    assert (ada.generation, again.generation) == (0, 1)


def test_what_is_nobodys_is_seen_by_nobody(journal: Journal) -> None:
    ada = journal.accounts().add("Ada")
    journal.create("s1", [started()])
    sharing = journal.sharing()
    assert sharing.role(ada, "session", "s1") is None
    assert sharing.roles(ada, "session") == {}
    sharing.open_to_team("session", "s1", "reader")
    assert sharing.role(ada, "session", "s1") is None, "what nobody owns nobody shares"


def test_a_session_is_private_shared_with_people_or_the_teams(journal: Journal) -> None:
    accounts, sharing = journal.accounts(), journal.sharing()
    ada, bo, cy = (accounts.add(name) for name in ("Ada", "Bo", "Cy"))
    assert sharing.own("session", "s1", ada)
    assert not sharing.own("session", "s1", bo), "what is somebody's is not taken"
    assert sharing.own("collection", "s1", bo), "a name of another kind is another thing"

    def roles() -> list[str | None]:
        return [sharing.role(one, "session", "s1") for one in (ada, bo, cy)]

    assert roles() == ["owner", None, None]
    sharing.share("session", "s1", bo, "reader")
    assert roles() == ["owner", "reader", None]
    sharing.open_to_team("session", "s1", "editor")
    assert roles() == ["owner", "editor", "editor"], "the greater of two"
    sharing.open_to_team("session", "s1", "reader")
    sharing.share("session", "s1", bo, "editor")
    assert roles() == ["owner", "editor", "reader"]
    assert sharing.roles(bo, "session") == {"s1": "editor"}
    shared = sharing.shared("session", "s1")
    assert shared is not None
    assert (shared.owner, shared.team, dict(shared.people)) == (ada.id, "reader", {bo.id: "editor"})
    sharing.open_to_team("session", "s1", None)
    sharing.share("session", "s1", bo, None)
    assert roles() == ["owner", None, None]
    sharing.share("session", "s1", bo, "reader")
    sharing.give("session", "s1", bo)
    assert roles() == [None, "owner", None]


def test_what_lies_in_two_homes_is_told_apart_where_they_share_a_database(
    journal: Journal, tmp_path: Path
) -> None:
    ada = journal.accounts().add("Ada")
    one, other = journal.sharing(tmp_path / "one"), journal.sharing(tmp_path / "other")
    one.own("collection", "papers", ada)
    one.own("session", "s1", ada)
    assert journal.sharing(tmp_path / "one").roles(ada, "collection") == {"papers": "owner"}
    if journal.is_shared:  # a file is in one home
        assert other.role(ada, "collection", "papers") is None
        assert other.roles(ada, "collection") == {}
        assert other.own("collection", "papers", journal.accounts().add("Bo"))
    assert other.role(ada, "session", "s1") == "owner"
    one.forget("collection", "papers")
    assert one.shared("collection", "papers") is None


def test_a_session_that_is_deleted_leaves_no_share(journal: Journal) -> None:
    ada, sharing = journal.accounts().add("Ada"), journal.sharing()
    journal.create("s1", [started()])
    sharing.own("session", "s1", ada)
    sharing.share("session", "s1", journal.accounts().add("Bo"), "reader")
    journal.delete("s1")
    assert sharing.shared("session", "s1") is None


def test_a_repaired_journal_keeps_who_may_see_what(tmp_path: Path) -> None:
    path = tmp_path / "journal.db"
    with Journal(path, clock()) as journal:
        ada, bo = journal.accounts().add("Ada"), journal.accounts().add("Bo")
        journal.create("s1", [started()])
        journal.sharing().own("session", "s1", ada)
        journal.sharing().share("session", "s1", bo, "reader")
        token = journal.accounts().new_token(bo)
    with sqlite3.connect(path) as database:
        database.execute("INSERT INTO events VALUES ('s1', 2, '', '{', 1)")
    repair_journal(path, clock())
    with Journal(path, clock()) as journal:
        assert journal.accounts().of_token(token) == bo
        assert journal.sharing().role(bo, "session", "s1") == "reader"
        assert journal.sharing().role(ada, "session", "s1") == "owner"
