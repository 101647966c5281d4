"""Signing in by OpenID Connect, by people who would be somebody else or keep others out."""

import base64
from collections.abc import Iterator
from pathlib import Path

import pytest

from roundtable.config.errors import JournalError
from roundtable.journal.storage.people.accounts import Account, Accounts
from tests.oidc_provider import SECRET, Provider
from tests.web.access.test_sign_in import Browser, begun, changed, refused

pytestmark = [pytest.mark.loopback]


@pytest.fixture
def issuer() -> Iterator[Provider]:
    provider = Provider()
    yield provider
    provider.close()


@pytest.fixture
def browser(issuer: Provider, tmp_path: Path) -> Iterator[Browser]:
    served = begun(tmp_path / "home", issuer, allow=("@strasse.example", "kim@example.net", "group:research"))
    yield Browser(served)
    served.end()


def test_an_address_that_only_looks_alike_when_folded_is_somebody_elses(
    browser: Browser, issuer: Provider
) -> None:
    server = browser.server
    server.journal.accounts().identities().expect("Strauss@Example.com", server.people["owner"].id)
    for number, email in enumerate((
        "eve@stra\u00dfe.example", "\u212aim@example.net", "strau\u00df@example.com", "eve@x@strasse.example",
        " kim@example.net", "strauss@example.com ",
    )):  # fmt: skip
        issuer.person = {"sub": f"eve {number}", "email": email, "email_verified": True}
        other = Browser(server)
        refused(other, other.sign_in(), "may not sign in here")
    for email in ("a@STRASSE.example", "KIM@Example.NET", "STRAUSS@example.com"):
        issuer.person = {"sub": email, "email": email, "email_verified": True}
        other = Browser(server)
        assert other.sign_in().status == 200, email
    assert other.name == "Owner"


def test_an_address_is_verified_where_it_is_told(browser: Browser, issuer: Provider) -> None:
    """Groups are asked for beside the ID token; what is verified there is another address."""
    own = {"email": "eve@elsewhere.example", "email_verified": True}
    issuer.person = {"sub": "eve", "email": "kim@example.net"}
    issuer.of_userinfo = {"sub": "eve", **own}
    refused(browser, browser.sign_in(), "may not sign in here")
    issuer.person = {"sub": "eve", "email_verified": True}
    issuer.of_userinfo = {"sub": "eve", "email": "kim@example.net"}
    refused(browser, browser.sign_in(), "may not sign in here")
    issuer.person = {"sub": "kim", "email": "kim@example.net"}
    issuer.of_userinfo = {"sub": "kim", "email": "kim@example.net", "email_verified": True}
    assert browser.sign_in().status == 200


def test_a_code_on_which_the_issuer_fails_shuts_nobody_else_out(browser: Browser, issuer: Provider) -> None:
    issuer.claims = {"groups": ["research"]}
    other = Browser(browser.server)
    back = other.vouched(other.begin())
    issuer.token_status = 500
    answer = browser.sign_in()
    assert answer.status == 503
    refused(browser, answer, "cannot be reached (status 500)")
    issuer.token_status = 200
    assert other.ask(back).status == 200


@pytest.mark.parametrize("code", ["a\nb", "a\x00", "\u00e9", "x" * 9_000])
def test_what_is_no_code_is_not_sent_on(browser: Browser, issuer: Provider, code: str) -> None:
    back = browser.vouched(browser.begin())
    refused(browser, browser.ask(changed(back, code=code)), "sent no code")
    assert "/token" not in issuer.asked


@pytest.mark.parametrize("access", ["a\nb", "\u00e9"])
def test_an_access_token_that_no_header_holds_is_not_sent_nor_shown(
    browser: Browser, issuer: Provider, access: str
) -> None:
    issuer.access = access
    answer = browser.sign_in()
    assert answer.status == 403
    refused(browser, answer, "may not sign in here")
    assert "/userinfo" not in issuer.asked


def test_an_issuer_that_says_its_ways_wrongly_is_asked_the_usual_way(
    browser: Browser, issuer: Provider
) -> None:
    issuer.says = {"token_endpoint_auth_methods_supported": 7}
    issuer.claims = {"groups": ["research"]}
    assert browser.sign_in().status == 200
    assert SECRET not in str(issuer.bodies)


def test_a_database_that_is_away_is_told_on_the_page_and_what_was_begun_is_over(
    browser: Browser, monkeypatch: pytest.MonkeyPatch, issuer: Provider
) -> None:
    def away(*_: object, **__: object) -> Account:
        raise JournalError("the database is away")

    issuer.claims = {"groups": ["research"]}
    back = browser.vouched(browser.begin())
    with monkeypatch.context() as broken:
        broken.setattr(Accounts, "of_identity", away)
        answer = browser.ask(back)
    assert answer.status == 503
    refused(browser, answer, "the database is away")
    assert browser.cookies == {}


@pytest.mark.parametrize(
    "head", ['"alg"', '["alg"]', '{"alg": "\\ud800"}', '{"alg": "RS256", "kid": "\\ud800"}']
)
def test_a_token_whose_head_is_none_is_told_as_one(browser: Browser, issuer: Provider, head: str) -> None:
    packed = base64.urlsafe_b64encode(head.encode()).decode().rstrip("=")
    issuer.raw = f"{packed}.e30.AA"
    refused(browser, browser.sign_in(), "the ID token is")


@pytest.mark.parametrize("says", [
    {"issuer": "\ud800"},
    {"authorization_endpoint": "https://issuer.example/\ud800"},
    {"authorization_endpoint": "https://issuer.example/\r\nX: y"},
    {"jwks_uri": "https://issuer.example/\ud800"},
])  # fmt: skip
def test_an_issuer_that_names_what_cannot_be_sent_is_told_as_one(
    browser: Browser, issuer: Provider, says: dict[str, str]
) -> None:
    issuer.says = says
    refused(browser, browser.ask("/sign-in"), "the issuer http://127.0.0.1:")


def test_a_name_that_holds_an_address_is_told_with_the_verified_one(
    browser: Browser, issuer: Provider
) -> None:
    """Else somebody's things could be shared with whoever calls himself what a second one is called."""
    issuer.claims = {"groups": ["research"]}
    said = "Owner (owner@strasse.example)"
    issuer.person = {"sub": "e", "name": said, "email": "eve@strasse.example", "email_verified": True}
    assert browser.sign_in().status == 200
    assert browser.name == f"{said} (eve@strasse.example)"
    issuer.person = {"sub": "f", "name": said}
    other = Browser(browser.server)
    assert other.sign_in().status == 200
    assert other.name == "Somebody"
