"""Links of invitations that another site leads to: nobody is put into an account without being asked."""

import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from tests.web.access.accounts_server import AccountsServer
from tests.web.conftest import IN_A_BROWSER

pytestmark = [pytest.mark.loopback]
NAVIGATES = {"Sec-Fetch-Mode": "navigate", "Sec-Fetch-Dest": "document"}
ASKED = "fetch('/api/setup').then(told => told.json()).then(told => told.account)"


@pytest.fixture
def server(tmp_path: Path) -> Iterator[AccountsServer]:
    served = AccountsServer.at(tmp_path / "home")
    served.start()
    yield served
    served.end()


def invitation(server: AccountsServer, name: str) -> str:
    account = server.people[name]
    return f"/?token={server.keys.invite(account.id, account.generation)}"


@pytest.mark.parametrize("site", ["cross-site", "same-site"])
def test_who_is_led_to_an_invitation_is_asked_first_and_it_stays_good(
    server: AccountsServer, site: str
) -> None:
    account = server.journal.accounts().add("<b>Eve</b>")
    link = f"/?token={server.keys.invite(account.id, account.generation)}"
    for sent, method in (({**NAVIGATES, "Sec-Fetch-Site": site}, "GET"), ({}, "HEAD")):
        told = server.ask(sent, link, method=method)
        assert told.status == 200
        assert "set-cookie" not in told.headers
        assert method == "HEAD" or "as &lt;b&gt;Eve&lt;/b&gt;" in told.text
    assert server.ask({**NAVIGATES, "Sec-Fetch-Site": site}, "/?token=guess").status == 401
    come = server.ask({**NAVIGATES, "Sec-Fetch-Site": "same-origin"}, link)
    assert come.status == 303
    assert "set-cookie" in come.headers
    assert server.ask({**NAVIGATES, "Sec-Fetch-Site": site}, link).status == 401, "it is used up"
    assert server.ask({**NAVIGATES, "Sec-Fetch-Site": "none"}, invitation(server, "editor")).status == 303


def in_a_browser(test: Any) -> Any:
    for mark in IN_A_BROWSER:
        test = mark(test)
    return test


@pytest.fixture
def elsewhere(server: AccountsServer) -> Iterator[str]:
    """A page of another site that leads whoever opens it to an invitation of its own."""
    link = f"http://127.0.0.1:{server.port}{invitation(server, 'stranger')}"

    class Answer(BaseHTTPRequestHandler):
        def log_message(self, *_: object) -> None:
            pass

        def do_GET(self) -> None:
            self.send_response(200)
            self.send_header("Content-Type", "text/html")
            self.end_headers()
            self.wfile.write(f"<script>location = '{link}'</script>".encode())

    site = ThreadingHTTPServer(("127.0.0.1", 0), Answer)
    threading.Thread(target=site.serve_forever, daemon=True).start()
    yield f"http://localhost:{site.server_address[1]}/"
    site.shutdown()
    site.server_close()


@in_a_browser
def test_no_other_site_puts_a_person_into_an_account_of_its_own(
    page: Any, server: AccountsServer, elsewhere: str
) -> None:
    base = f"http://127.0.0.1:{server.port}"
    page.goto(f"{base}{invitation(server, 'owner')}")
    page.wait_for_url(f"{base}/")
    page.goto(elsewhere)
    page.get_by_text("This link signs this browser in as Stranger").wait_for()
    assert page.evaluate(ASKED) == "Owner"
    page.get_by_role("link", name="Come in").click()
    page.wait_for_url(f"{base}/")
    assert page.evaluate(ASKED) == "Owner", "who is signed in stays who he is"
    page.context.clear_cookies()
    page.goto(elsewhere)
    page.get_by_role("link", name="Come in").click()
    page.wait_for_url(f"{base}/")
    assert page.evaluate(ASKED) == "Stranger"
