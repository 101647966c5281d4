"""Signing in by OpenID Connect, with an issuer on this machine: who comes in, and what must not lead in."""

import http.client
import re
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from http.cookies import SimpleCookie
from pathlib import Path
from urllib.parse import parse_qs, urlencode, urlsplit

import pytest

from roundtable.config.errors import SignInFailed
from roundtable.config.serve_settings import OidcSettings
from roundtable.web.sign_in.issuer_requests import Issuer
from tests.oidc_provider import CLIENT, SECRET, Provider
from tests.web.access.accounts_server import AccountsServer, Answer

pytestmark = [pytest.mark.loopback]


@dataclass
class Browser:
    """Keeps cookies, and goes where it is told."""

    server: AccountsServer
    cookies: dict[str, str] = field(default_factory=dict)

    def ask(self, path: str, headers: dict[str, str] | None = None) -> Answer:
        jar = "; ".join(f"{name}={value}" for name, value in self.cookies.items())
        answer = self.server.ask({"Cookie": jar, **(headers or {})}, path)
        set_now: SimpleCookie = SimpleCookie(answer.headers.get("set-cookie", ""))
        for name, morsel in set_now.items():
            self.cookies[name] = morsel.value
            if morsel["max-age"] == "0":
                del self.cookies[name]
        return answer

    def begin(self, path: str = "/sign-in") -> str:
        """Begin to sign in; return where the issuer is asked."""
        answer = self.ask(path)
        assert answer.status == 303, answer.text
        return answer.headers["location"]

    def vouched(self, address: str) -> str:
        """Go to the issuer; return the path with which it sends the browser back here."""
        parts = urlsplit(address)
        connection = http.client.HTTPConnection("127.0.0.1", parts.port or 80, timeout=300)
        connection.request("GET", f"{parts.path}?{parts.query}")
        answer = connection.getresponse()
        back = urlsplit(answer.getheader("Location", ""))
        answer.read()
        connection.close()
        assert (back.hostname, back.port) == ("127.0.0.1", self.server.port)
        return f"{back.path}?{back.query}"

    def sign_in(self, path: str = "/sign-in") -> Answer:
        return self.ask(self.vouched(self.begin(path)))

    @property
    def name(self) -> str:
        """Who the server thinks this is; empty: nobody."""
        answer = self.ask("/api/setup")
        return answer.told["account"] if answer.status == 200 else ""


def begun(home: Path, issuer: Provider, **settings: object) -> AccountsServer:
    """Return a running server that this issuer vouches at."""
    served = AccountsServer.at(home)
    served.environment = {"TEAM_SECRET": SECRET}
    served.oidc = OidcSettings(**{
        "issuer": issuer.issuer, "client_id": CLIENT, "client_secret": "TEAM_SECRET", "name": "The <team>",
        "allow": ("@example.org", "bo@example.net", "group:research"), **settings,
    })  # fmt: skip
    served.start()
    return served


@pytest.fixture(scope="module")
def provider() -> Iterator[Provider]:
    provider = Provider()
    yield provider
    provider.close()


@pytest.fixture
def issuer(provider: Provider) -> Provider:
    provider.reset()
    return provider


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory, provider: Provider) -> Iterator[AccountsServer]:
    """One for most tests; each has people of its own."""
    served = begun(tmp_path_factory.mktemp("home"), provider)
    yield served
    served.end()


@pytest.fixture
def fresh(tmp_path: Path, issuer: Provider) -> Iterator[Browser]:
    """A browser at a server that has not asked its issuer yet."""
    served = begun(tmp_path / "home", issuer)
    yield Browser(served)
    served.end()


@pytest.fixture
def browser(server: AccountsServer, issuer: Provider) -> Browser:
    return Browser(server)


def changed(back: str, **told: str) -> str:
    """Return the way back with other values; empty ones are left out."""
    path, _, query = back.partition("?")
    values = {name: each[0] for name, each in parse_qs(query).items()} | told
    return f"{path}?{urlencode({name: value for name, value in values.items() if value})}"


def refused(browser: Browser, answer: Answer, *words: str) -> None:
    """Check that nobody came in, and that the page says why in one line."""
    assert answer.status in {403, 503}, answer.status
    assert 'role="alert"' in answer.text
    for word in words:
        assert word in answer.text
    assert browser.name == ""


def test_who_is_vouched_for_gets_an_account_and_the_same_again(fresh: Browser, issuer: Provider) -> None:
    browser = fresh
    way_in = browser.ask("/")
    assert way_in.status == 401
    assert "Sign in with The &lt;team&gt;" in way_in.text
    answer = browser.sign_in()
    assert answer.status == 200
    assert 'content="0;url=/"' in answer.text
    assert browser.name == "Ada Lovelace"
    assert len(browser.cookies) == 1, "what the browser began with is gone"
    asked, body = issuer.asked, issuer.bodies[-1]
    assert asked.count("/.well-known/openid-configuration") == asked.count("/keys") == 1
    assert len(body["code_verifier"]) >= 43

    issuer.person |= {"name": "Countess of Lovelace", "email": "countess@example.org"}
    other = Browser(browser.server)
    other.sign_in()
    assert other.name == "Ada Lovelace", "it is the subject by which somebody is known"
    issuer.person |= {"sub": "2", "name": "Ada Lovelace", "email": "other@example.org"}
    third = Browser(browser.server)
    third.sign_in()
    assert third.name == "Ada Lovelace (other@example.org)"


def test_whose_account_goes_is_out_and_gets_no_new_one(browser: Browser, issuer: Provider) -> None:
    issuer.person |= {"sub": "77", "name": "Grace Hopper"}
    browser.sign_in()
    cookie = next(iter(browser.cookies.values()))
    assert len(cookie.split(".")) == 5
    accounts = browser.server.journal.accounts()
    account = accounts.named("Grace Hopper")
    until = int(cookie.split(".")[0]) - time.time()
    assert 23 * 3600 < until <= 24 * 3600, "the issuer is asked again after a day"
    accounts.sign_out(account)
    assert browser.name == ""
    browser.sign_in()
    assert browser.name == "Grace Hopper"
    accounts.remove(account)
    assert browser.name == ""
    answer = browser.sign_in()
    refused(browser, answer, "no longer")
    assert not [one for one in accounts.all() if "Grace" in one.name], "who was removed gets no new account"


def test_who_may_sign_in(server: AccountsServer, issuer: Provider) -> None:
    def come(**claims: object) -> Answer:
        issuer.person = {"sub": str(claims), "name": "X", **claims}
        return Browser(server).sign_in()

    assert come(email="a@EXAMPLE.org", email_verified=True).status == 200
    assert come(email="Bo@example.net", email_verified="true").status == 200
    assert come(groups=["research", 3]).status == 200
    assert come(email="no@example.net", email_verified=True, groups="research").status == 200
    for claims in (
        {"email": "a@example.org"},
        {"email": "a@example.org", "email_verified": False},
        {"email": "a@example.org", "email_verified": 1.5},
        {"email": "a@notexample.org", "email_verified": True},
        {"email": "a@sub.example.org", "email_verified": True},
        {"email": "a@example.org@evil.net", "email_verified": True},
        {"email": "@example.org", "email_verified": True},
        {"email": ["a@example.org"], "email_verified": True},
        {"email": "not-bo@example.net", "email_verified": True},
        {"groups": ["Research", "group:research", ["research"]]},
        {},
    ):
        answer = come(**claims)
        assert answer.status == 403, claims
        assert "may not sign in here" in answer.text
    issuer.of_userinfo = {"sub": "{}", "email": "late@example.org", "email_verified": True}
    assert come().status == 200, "some tell addresses beside the ID token alone"
    issuer.of_userinfo["sub"] = "somebody else"
    assert "somebody else than" in come().text


def test_who_was_not_let_in_may_choose_another_account_of_the_issuer(
    browser: Browser, issuer: Provider
) -> None:
    assert "prompt=" not in browser.begin()
    issuer.person = {"sub": "a second account", "email": "private@example.com", "email_verified": True}
    again = re.search(r'href="(/sign-in[^"]*)"', browser.sign_in().text)
    assert again is not None
    assert "prompt=select_account" in browser.begin(again[1])
    elsewhere = browser.ask(again[1], {"Host": f"localhost:{browser.server.port}"})
    assert elsewhere.headers["location"].endswith(again[1])
    back = browser.vouched(browser.begin(again[1]))
    answer = browser.ask(changed(back, code="", error="account_selection_required"))
    refused(browser, answer, "account_selection_required")
    assert "choose" not in answer.text, "an issuer that cannot ask is not told to again"


def test_who_is_expected_gets_the_account_that_there_is(server: AccountsServer, issuer: Provider) -> None:
    accounts = server.journal.accounts()
    accounts.identities().expect("Owner@example.com", server.people["owner"].id)
    issuer.person = {"sub": "9", "email": "owner@example.com", "email_verified": True, "name": "Somebody"}
    browser = Browser(server)
    browser.sign_in()
    assert browser.name == "Owner"
    issuer.person = {"sub": "9"}
    browser.sign_in()
    assert browser.name == "Owner", "once known, by the subject"
    issuer.person = {"sub": "10", "email": "owner@example.com", "email_verified": True}
    assert Browser(server).sign_in().status == 403, "an address leads to an account once"
    accounts.identities().forget(server.people["owner"].id)
    issuer.person = {"sub": "9"}
    assert Browser(server).sign_in().status == 403


def test_without_create_nobody_new_comes_in(issuer: Provider, tmp_path: Path) -> None:
    served = begun(tmp_path / "home", issuer, create=False)
    try:
        browser = Browser(served)
        refused(browser, browser.sign_in(), "has no account here")
    finally:
        served.end()


@pytest.mark.parametrize("told", [
    {"state": "another"}, {"state": ""}, {"iss": "https://evil.example"}, {"iss": ""}, {"code": ""},
    {"code": "", "error": "access_denied"},
])  # fmt: skip
def test_an_answer_to_something_else_leads_nowhere(
    browser: Browser, issuer: Provider, told: dict[str, str]
) -> None:
    back = browser.vouched(browser.begin())
    refused(browser, browser.ask(changed(back, **told)))
    assert "/token" not in issuer.asked
    refused(browser, browser.ask(back), "did not begin")


def test_values_that_stand_twice_are_none(browser: Browser, issuer: Provider) -> None:
    back = browser.vouched(browser.begin())
    refused(browser, browser.ask(f"{back}&code=another"))
    assert "/token" not in issuer.asked


def test_a_code_is_good_once_and_for_who_began(browser: Browser, issuer: Provider) -> None:
    back = browser.vouched(browser.begin())
    kept = dict(browser.cookies)
    assert browser.ask(back).status == 200
    thief = Browser(browser.server)
    refused(thief, thief.ask(back), "did not begin")
    thief.cookies = kept
    refused(thief, thief.ask(back), "invalid_grant")

    stolen = parse_qs(urlsplit(browser.vouched(browser.begin())).query)["code"][0]
    own = thief.vouched(thief.begin())
    refused(thief, thief.ask(changed(own, code=stolen)), "invalid_grant")


def test_nobody_is_signed_in_to_what_another_began(browser: Browser, issuer: Provider) -> None:
    """Login CSRF: the attacker's own way back, opened in the browser of somebody who may be signing in."""
    attacker = Browser(browser.server)
    back = attacker.vouched(attacker.begin())
    refused(browser, browser.ask(back, {"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "navigate",
                                        "Sec-Fetch-Dest": "document"}))  # fmt: skip
    browser.begin()
    refused(browser, browser.ask(back))
    (name,) = attacker.cookies
    forged = attacker.cookies[name]
    # A sign in the middle: of the last one some bits mean nothing.
    turned = forged[:-9] + ("A" if forged[-9] != "A" else "B") + forged[-8:]
    for cookie in (turned, "AAAA." + forged.partition(".")[2], "x", "", "."):
        victim = Browser(browser.server, {name: cookie})
        refused(victim, victim.ask(back), "did not begin")
    for cookie in (forged, *browser.cookies.values()):
        assert Browser(browser.server, {f"roundtable-{browser.server.port}": cookie}).name == ""
    assert browser.ask(back, {"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "no-cors"}).status == 403


def test_what_was_begun_too_long_ago_is_over(browser: Browser, monkeypatch: pytest.MonkeyPatch) -> None:
    back = browser.vouched(browser.begin())
    keys = browser.server.keys
    monkeypatch.setattr(keys, "_now", lambda: time.time() + 601)
    refused(browser, browser.ask(back), "too long ago")


@pytest.mark.parametrize(("claims", "word"), [
    ({"aud": "another-client"}, "not for here"),
    ({"aud": ["another-client"]}, "not for here"),
    ({"aud": [CLIENT, "another-client"]}, "azp"),
    ({"aud": [CLIENT], "azp": "another-client"}, "azp"),
    ({"aud": None}, "not for here"),
    ({"aud": ""}, "not for here"),
    ({"iss": "https://evil.example"}, "not for here"),
    ({"iss": None}, "not for here"),
    ({"exp": 1_600_000_000}, "not for now"),
    ({"exp": None}, "not for now"),
    ({"exp": float("nan")}, "not for now"),
    ({"exp": "2099"}, "not for now"),
    ({"iat": 4_000_000_000}, "not for now"),
    ({"nbf": 4_000_000_000}, "not for now"),
    ({"nonce": "of another"}, "nonce"),
    ({"nonce": None}, "nonce"),
    ({"nonce": ["a"]}, "nonce"),
    ({"nonce": ""}, "nonce"),
    ({"sub": None}, "not for here"),
    ({"sub": ""}, "not for here"),
    ({"sub": 7}, "not for here"),
    ({"sub": "a\x00b"}, "subject"),
    ({"sub": "x" * 256}, "subject"),
])  # fmt: skip
def test_a_token_that_does_not_say_what_it_must(
    browser: Browser, issuer: Provider, claims: dict[str, object], word: str
) -> None:
    issuer.claims = claims
    refused(browser, browser.sign_in(), word)


def test_tokens_that_are_for_us_in_other_words(browser: Browser, issuer: Provider) -> None:
    issuer.claims = {"aud": [CLIENT, "an-api"], "azp": CLIENT, "exp": int(time.time()) - 30}
    assert browser.sign_in().status == 200


@pytest.mark.parametrize("algorithm", ["none", "HS256"])
def test_a_token_that_nobody_signed(browser: Browser, issuer: Provider, algorithm: str) -> None:
    issuer.algorithm = algorithm
    refused(browser, browser.sign_in(), "not signed as it should be")


@pytest.mark.parametrize("raw", ["", "a.b.c", "\u00e9.\u00e9.\u00e9", "x" * 200_000, "e30.e30.", "a.b.c.d.e"])
def test_what_is_no_token(browser: Browser, issuer: Provider, raw: str) -> None:
    issuer.raw = raw
    refused(browser, browser.sign_in(), "not signed as it should be")


@pytest.mark.parametrize("algorithm", ["RS512", "PS256"])
def test_other_signatures_are_read(browser: Browser, issuer: Provider, algorithm: str) -> None:
    issuer.algorithm = algorithm
    assert browser.sign_in().status == 200


def test_keys_change_and_those_of_others_do_not_count(fresh: Browser, issuer: Provider) -> None:
    browser = fresh
    assert browser.sign_in().status == 200
    issuer.rotate()
    assert browser.sign_in().status == 200
    assert issuer.asked.count("/keys") == 2, "asked for again when one is missing, and then only"

    shown = issuer.key
    issuer.rotate()
    stranger = issuer.key
    stranger.ensure_kid()
    before = issuer.discovery()["jwks_uri"]
    signed = issuer.id_token("x")
    issuer.key = shown
    issuer.raw = signed
    other = Browser(browser.server)
    refused(other, other.sign_in(), "a key that the issuer has not")
    issuer.raw = None
    issuer.key = type(shown).import_key({**stranger.as_dict(private=True), "kid": shown.kid})
    issuer.says = {"jwks_uri": before}
    answer = other.ask(other.vouched(other.begin()))
    refused(other, answer, "not signed as it should be")


def test_keys_that_are_none_stand_in_no_other_s_way(fresh: Browser, issuer: Provider) -> None:
    issuer.other_keys = [5, {"kty": ["RSA"]}, {"kty": {}}, {"kty": "oct", "k": "AAAA"}]
    assert fresh.sign_in().status == 200


def test_keys_without_names_change_too(fresh: Browser, issuer: Provider) -> None:
    issuer.nameless = True
    assert fresh.sign_in().status == 200
    issuer.rotate()
    assert fresh.sign_in().status == 200
    assert issuer.asked.count("/keys") == 2
    shown = issuer.key
    issuer.rotate()
    issuer.raw, issuer.key = issuer.id_token("x"), shown
    other = Browser(fresh.server)
    refused(other, other.sign_in(), "not signed as it should be")


@pytest.mark.parametrize("what", ["token_endpoint", "jwks_uri", "authorization_endpoint"])
@pytest.mark.parametrize("address", ["http://127.0.0.1:9/x", "https://localhost/x"])
def test_an_issuer_elsewhere_names_nothing_on_this_machine(what: str, address: str) -> None:
    name = "https://login.example.org"
    issuer = Issuer(OidcSettings(issuer=name, client_id="x"), {})
    said = {
        "issuer": name, "authorization_endpoint": f"{name}/a", "token_endpoint": f"{name}/t",
        "jwks_uri": f"{name}/k", "userinfo_endpoint": address,
    }  # fmt: skip
    assert issuer._understood(said).userinfo == ""
    with pytest.raises(SignInFailed, match=f"no {what} that can be asked safely"):
        issuer._understood({**said, what: address})


@pytest.mark.parametrize(("wanted", "led"), [
    ("#/session/5e551011", "/#/session/5e551011"),
    ("https://evil.example/", "/"), ("//evil.example", "/"), ("/\\evil.example", "/"),
    ("#//evil.example", "/#//evil.example"), ("javascript:alert(1)", "/"),
    ('#/"><script>alert(1)</script>', "/"), ("#/\r\nSet-Cookie: a=b", "/"),
    ("#/" + "x" * 500, "/"), ("#/;url=https://evil.example", "/"), ("@evil.example", "/"),
    (".evil.example", "/"),
])  # fmt: skip
def test_one_is_led_to_a_view_of_the_page_and_nowhere_else(browser: Browser, wanted: str, led: str) -> None:
    answer = browser.sign_in(f"/sign-in?{urlencode({'next': wanted})}")
    assert f'content="0;url={led}"' in answer.text, "below our own address in each case"
    assert "set-cookie: a" not in str(answer.headers).lower()


def test_an_issuer_that_is_away_is_told_in_one_line(fresh: Browser, issuer: Provider) -> None:
    browser = fresh
    issuer.away = True
    answer = browser.ask("/sign-in")
    assert answer.status == 503
    refused(browser, answer, "cannot be reached (status 503): try again later", "无法访问")
    asked = len(issuer.asked)
    browser.ask("/sign-in")
    assert len(issuer.asked) == asked, "it is not asked again at once"
    token = browser.server.keys.invite(browser.server.people["owner"].id)
    assert browser.ask(f"/?token={token}").status == 303
    assert browser.name == "Owner", "links go on working"


def test_an_issuer_s_answer_is_not_unpacked(fresh: Browser, issuer: Provider) -> None:
    issuer.packs = True
    refused(fresh, fresh.ask("/sign-in"), "cannot be reached (it packs its answer")


@pytest.mark.parametrize(("says", "word"), [
    ({"issuer": "https://evil.example"}, "calls itself https://evil.example"),
    ({"token_endpoint": "http://evil.example/token"}, "no token_endpoint that can be asked safely"),
    ({"authorization_endpoint": "javascript:alert(1)"}, "no authorization_endpoint"),
    ({"jwks_uri": None}, "no jwks_uri"),
])  # fmt: skip
def test_an_issuer_that_says_what_cannot_be(
    fresh: Browser, issuer: Provider, says: dict[str, object], word: str
) -> None:
    issuer.says = says
    refused(fresh, fresh.ask("/sign-in"), word)


@pytest.mark.parametrize("way", ["client_secret_basic", "client_secret_post"])
def test_the_secret_goes_as_the_issuer_takes_it(fresh: Browser, issuer: Provider, way: str) -> None:
    issuer.says = {"token_endpoint_auth_methods_supported": [way]}
    address = fresh.begin()
    assert SECRET not in address + str(fresh.cookies)
    assert fresh.ask(fresh.vouched(address)).status == 200
    assert issuer.bodies[-1].get("client_secret") == (SECRET if way.endswith("post") else None)


def test_another_name_of_the_server_leads_to_the_one_that_the_issuer_knows(browser: Browser) -> None:
    answer = browser.ask("/sign-in?next=%23/session/1", {"Host": f"localhost:{browser.server.port}"})
    assert answer.headers["location"].startswith(f"http://127.0.0.1:{browser.server.port}/sign-in?next=")
    assert "set-cookie" not in answer.headers
