"""`roundtable accounts`, as whoever runs a team's server types it."""

from pathlib import Path

import pytest

from roundtable.__main__ import run
from roundtable.cli.journals import open_journal
from roundtable.journal.storage.people.identities import Identity
from roundtable.journal.storage.people.sharing import Role
from roundtable.web.access.keys import Keys
from tests.roundtable.journal.test_journal import started


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("ROUNDTABLE_HOME", str(tmp_path / "home"))
    return tmp_path / "home"


def said(capsys: pytest.CaptureFixture[str], *words: str) -> str:
    """Run a command that works; return what it says."""
    assert run(["accounts", *words]) == 0
    return capsys.readouterr().out


def refused(capsys: pytest.CaptureFixture[str], *words: str) -> str:
    """Run a command that does not; return the one line that tells why."""
    assert run(list(words)) == 2
    told = capsys.readouterr().err.strip()
    assert "\n" not in told
    return told


def role(name: str) -> Role | None:
    with open_journal() as journal:
        return journal.sharing().role(journal.accounts().named(name), "session", "abcd1234")


def test_there_is_no_account_where_no_link_can_be_made(
    home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    home.mkdir(exist_ok=True)
    (home / "web").write_text("")  # as a disk that takes no folder
    assert run(["accounts", "add", "Ann"]) == 1
    assert "cannot keep keys" in capsys.readouterr().err
    (home / "web").unlink()
    assert "token=" in said(capsys, "add", "Ann")


def test_from_the_first_account_to_the_last(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with open_journal() as journal:
        journal.create("abcd1234", [started("Tea")])
    first = said(capsys, "add", "Ada", "--url", "https://team.example.org")
    link, told = first.split("\n", 1)
    assert link.startswith("https://team.example.org/?token=")
    assert "start servers again" in " ".join(told.split())
    claim = Keys(home).accept(link.partition("=")[2])
    assert claim is not None
    assert len(said(capsys, "add", "Bo").splitlines()) == 1, "the warning is for the first one"
    assert "already" in refused(capsys, "accounts", "add", "ada")
    assert "accounts invite NAME" in refused(capsys, "serve", "--invite")
    assert "give where browsers find it" in refused(capsys, "accounts", "invite", "Ada", "--url", "team")

    assert "nobody's yet" in refused(capsys, "accounts", "share", "abcd")
    assert "owned by Ada" in said(capsys, "share", "abcd", "--owner", "Ada", "--with", "Bo", "--as", "editor")
    assert (role("Ada"), role("Bo")) == ("owner", "editor")
    assert "everybody with an account: reader" in said(
        capsys, "share", "abcd", "--team", "reader", "--with", "Bo", "--as", "none"
    )
    assert role("Bo") == "reader"
    said(capsys, "share", "abcd", "--team", "none")
    assert role("Bo") is None
    assert "no collection 'papers'" in refused(capsys, "accounts", "share", "papers", "--collection")

    token = said(capsys, "token", "Bo", "--label", "nightly").strip()
    listed = said(capsys, "tokens", "Bo").split()
    assert listed[-1] == "nightly"
    with open_journal() as journal:
        assert journal.accounts().of_token(token) is not None
    assert "nothing any more" in said(capsys, "revoke", listed[0])
    assert "no token" in refused(capsys, "accounts", "revoke", listed[0])
    assert "Ada: since" in said(capsys, "list")
    assert "2 sessions at once, 1.5 dollars a day" in said(
        capsys, "limit", "Ada", "--sessions", "2", "--money", "1.5"
    )
    assert "everybody: no limit" in said(capsys, "limit", "--everybody")
    assert "say --everybody" in refused(capsys, "accounts", "limit")
    said(capsys, "sign-out", "Ada")
    said(capsys, "remove", "Ada", "--give-to", "Bo")
    assert role("Bo") == "owner"
    assert "no account called" in refused(capsys, "accounts", "invite", "Ada")


def test_who_signs_in_by_openid_connect(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    said(capsys, "add", "Ada")
    assert "ada@example.org is Ada" in said(capsys, "connect", "ada", "ada@example.org")
    assert "give an address" in refused(capsys, "accounts", "connect", "Ada", "ada")
    assert "no account called" in refused(capsys, "accounts", "connect", "Bo", "bo@example.org")
    assert "Ada: expected to sign in as ada@example.org" in said(capsys, "list")
    came = Identity("https://login.example.org", "1", "ada@example.org")
    with open_journal() as journal:
        before = journal.accounts().of_identity(came, create=False)
    assert before is not None
    assert "Ada: signs in as ada@example.org through https://login.example.org" in said(capsys, "list")
    said(capsys, "disconnect", "Ada")
    assert "signs in" not in said(capsys, "list")
    with open_journal() as journal:
        again = journal.accounts().of_id(before.id)
        assert again is not None
        assert again.generation == before.generation + 1, "browsers that are in are signed out"


def test_who_signed_in_before_is_told_and_comes_as_the_account_after_disconnecting(
    home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    came = Identity("https://login.example.org", "1", "Ada@Example.org", "Ada Byron")
    with open_journal() as journal:
        made = journal.accounts().of_identity(came, create=True)
    assert made is not None
    said(capsys, "add", "Ada")
    told = said(capsys, "connect", "Ada", "ada@example.org")
    assert "ada@example.org has signed in before, as Ada Byron, and stays that" in told
    with open_journal() as journal:
        assert journal.accounts().of_identity(came, create=True) == made
    assert "`roundtable accounts disconnect 'Ada Byron'`" in told
    said(capsys, "disconnect", "Ada Byron")
    with open_journal() as journal:
        now = journal.accounts().of_identity(came, create=True)
    assert now is not None
    assert now.name == "Ada"
    assert "before" not in said(capsys, "connect", "Ada", "ada@example.org")


def test_a_folder_s_collection_is_shared_by_what_people_call_it(
    home: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "Tide tables").mkdir()
    (tmp_path / "Tide tables" / "a.txt").write_text("The tide turns at noon on most days of the year.")
    assert run(["run", "tides", "--docs", str(tmp_path / "Tide tables"), "--offline", "--plan"]) == 0
    said(capsys, "add", "Ada")
    told = said(capsys, "share", "Tide tables", "--collection", "--owner", "Ada")
    assert told.startswith("Tide tables is owned by Ada")
    wrong = refused(capsys, "accounts", "share", "Tide table", "--collection")
    assert "did you mean Tide tables? there are: Tide tables" in wrong
