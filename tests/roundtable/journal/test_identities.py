"""By which identities of an issuer people are known, in a file and in a database alike."""

import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from roundtable.config.errors import InputError
from roundtable.journal.sessions.repair import repair_journal
from roundtable.journal.storage.journal_store import Journal
from roundtable.journal.storage.people.identities import Identity
from tests.roundtable.journal.test_accounts import clock

ISSUER = "https://login.example.org"


@pytest.fixture
def journal(place: Path | str) -> Iterator[Journal]:
    with Journal(place, clock()) as journal:
        yield journal


def ada(subject: str = "1", email: str = "ada@example.org", issuer: str = ISSUER) -> Identity:
    return Identity(issuer, subject, email, "Ada")


def test_a_subject_of_an_issuer_is_one_account_for_ever(journal: Journal) -> None:
    accounts = journal.accounts()
    assert accounts.of_identity(ada(), create=False) is None
    made = accounts.of_identity(ada(), create=True)
    assert made is not None
    assert accounts.are_on()
    assert accounts.of_identity(Identity(ISSUER, "1", "", "Another name"), create=True) == made
    strangers = ada("2"), ada(issuer="https://other.example"), ada("3", ""), Identity(ISSUER, "4", "", "\x1b")
    others = [accounts.of_identity(one, create=True) for one in strangers]
    names = [one.name for one in others if one is not None]
    assert names == ["Ada (ada@example.org)", "Ada 2", "Ada 3", "Somebody"]
    accounts.remove(made)
    assert accounts.of_identity(ada(), create=True) is None, "who was removed gets no new account"
    assert len(accounts.all()) == 4


def test_an_expected_address_leads_to_its_account_once(journal: Journal) -> None:
    accounts = journal.accounts()
    bo, cy = accounts.add("Bo"), accounts.add("Cy")
    identities = accounts.identities()
    identities.expect("Bo@Example.org", bo.id)
    identities.expect("bo@example.org", bo.id)
    with pytest.raises(InputError, match="expected for another"):
        identities.expect("bo@example.org", cy.id)
    for wrong in ("", "bo", "@example.org", "bo@", "a@b\n.org"):
        with pytest.raises(InputError, match="give an address"):
            identities.expect(wrong, cy.id)
    comes = Identity(ISSUER, "7", "BO@example.org", "Robert")
    assert identities.is_named(comes)
    assert not identities.is_named(Identity(ISSUER, "7", "", "Robert"))
    assert accounts.of_identity(comes, create=False) == bo
    assert identities.expected(bo.id) == []
    assert identities.of(bo.id) == [Identity(ISSUER, "7", "BO@example.org")]
    assert identities.is_named(Identity(ISSUER, "7")), "who was named stays so"
    assert accounts.of_identity(ada("8", "bo@example.org"), create=False) is None
    identities.forget(bo.id)
    assert accounts.of_identity(comes, create=False) is None
    identities.expect("cy@example.org", cy.id)
    accounts.remove(cy)
    assert not identities.is_named(ada("9", "cy@example.org"))


def test_who_comes_at_two_servers_at_once_has_one_account(place: Path | str) -> None:
    with Journal(place, clock()) as journal:
        accounts = journal.accounts()
        begin, found = threading.Barrier(4), []

        def come() -> None:
            with Journal(place, clock()) as own:
                begin.wait()
                account = own.accounts().of_identity(ada(), create=True)
                found.append(account.id if account else None)

        threads = [threading.Thread(target=come) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert len(found) == 4
        assert {*found} == {one.id for one in accounts.all()}
        assert len(accounts.all()) == 1


def test_tables_of_the_version_before_get_what_is_new(place: Path | str) -> None:
    with Journal(place, clock()) as journal:
        bo = journal.accounts().add("Bo")
        tables = journal.accounts()._tables
        with tables.transaction():
            for table in ("identities", "expected_emails"):
                tables.change(f"DROP TABLE {table}", [()])
            if not tables.shared:
                tables.rows("PRAGMA user_version=5")
            else:
                tables.change("UPDATE about SET version = version - 1", [()])
    with Journal(place, clock()) as journal:
        assert journal.accounts().named("Bo") == bo
        assert journal.accounts().of_identity(ada(), create=True) is not None


def test_a_repaired_journal_keeps_who_signs_in_as_whom(tmp_path: Path) -> None:
    path = tmp_path / "journal.db"
    with Journal(path, clock()) as journal:
        made = journal.accounts().of_identity(ada(), create=True)
        assert made is not None
        journal.accounts().identities().expect("bo@example.org", made.id)
    repair_journal(path, clock())
    with Journal(path, clock()) as journal:
        assert journal.accounts().of_identity(ada(), create=False) == made
        assert journal.accounts().identities().expected(made.id) == ["bo@example.org"]
