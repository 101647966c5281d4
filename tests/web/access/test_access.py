"""Nobody reads what is not theirs: every address of the server, asked by everybody."""

import http.client
import json
import threading
from collections.abc import Iterator

import pytest
from starlette.routing import Mount, Route

from roundtable.output.listed_works import KEPT
from roundtable.web.access import gate
from roundtable.web.access.gate import Gates, rule_of
from roundtable.web.access.rules import RULES
from roundtable.web.files.downloads import Download
from roundtable.web.hosting.session_manager import SessionManager
from roundtable.web.routes import report_routes
from tests.roundtable.output.told import session
from tests.web.access.accounts_server import PEOPLE, AccountsServer, Answer
from tests.web.access.test_share_lost import until

pytestmark = [pytest.mark.loopback]

THING = "5e551011"
LEAST = {
    "anybody": (
        "GET / | GET /join | GET /sign-in | GET /sign-in/back | GET /static/words/{code}.json | * /static | "
        "GET /healthz"
    ),
    "operator": "GET /metrics",
    "stranger": (
        "GET /api/setup | POST /api/sign-out | GET /api/sessions | POST /api/sessions | POST /api/outgoing | "
        "GET /api/collections | GET /api/audits | POST /api/audits | GET /api/comparisons | "
        "POST /api/comparisons | GET /v1/models | GET /v1/models/{name:path} | POST /v1/chat/completions | "
        "* /mcp"
    ),
    "reader": (
        "GET /api/sessions/{id} | GET /api/sessions/{id}/events | GET /api/sessions/{id}/plan | "
        "GET /api/sessions/{id}/sources | GET /api/sessions/{id}/passages/{passage} | "
        "GET /api/sessions/{id}/outline | GET /api/sessions/{id}/check | "
        "GET /api/sessions/{id}/{kind}/{name} | POST /api/sessions/{id}/fork | GET /api/audits/{id} | "
        "GET /api/audits/{id}/{file} | GET /api/comparisons/{id} | GET /api/comparisons/{id}/{file}"
    ),
    "editor": (
        "POST /api/sessions/{id}/commands | POST /api/sessions/{id}/plan | POST /api/sessions/{id}/name | "
        "POST /api/sessions/{id}/uploads/{name} | POST /api/sessions/{id}/update | "
        "POST /api/sessions/{id}/watch | POST /api/sessions/{id}/report | "
        "POST /api/collections/{name}/site | POST /api/collections/{name}/refresh | "
        "POST /api/collections/{name}/files/{path:path} | "
        "POST /api/collections/{name}/description"
    ),
    "owner": (
        "POST /api/sessions/{id}/delete | GET /api/sessions/{id}/sharing | POST /api/sessions/{id}/sharing | "
        "POST /api/collections/{name}/delete | GET /api/collections/{name}/sharing | "
        "POST /api/collections/{name}/sharing | POST /api/audits/{id}/delete | "
        "POST /api/comparisons/{id}/delete"
    ),
}
"""What each address asks for at least: written once more, so that a rule is changed by two hands."""
ADDRESSES = {address: who for who, several in LEAST.items() for address in several.split(" | ")}
REACHES = {
    "anybody": {"nobody", "operator", *PEOPLE},
    "operator": {"operator"},
    "stranger": {"stranger", "reader", "editor", "owner"},
    "reader": {"reader", "editor", "owner"},
    "editor": {"editor", "owner"},
    "owner": {"owner"},
}
KINDS = {"sessions": "session", "collections": "collection", "audits": "audit", "comparisons": "comparison"}
FIELDS = {"code": "en", "passage": "p1", "kind": "files", "name:path": "roundtable", "path:path": "a/b.txt"}
NOT_JSON = b"["
"""A body that is refused by whoever was let through, and changes nothing."""


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[AccountsServer]:
    """A server where everything of one id is the owner's, and shared as the people are called."""
    home = tmp_path_factory.mktemp("home")
    served = AccountsServer.at(home)
    served.journal.adopt(THING, session())
    sharing = served.journal.sharing()
    for kind in KINDS.values():
        sharing.own(kind, THING, served.people["owner"])  # type: ignore[arg-type]
        for role in ("reader", "editor", "removed"):
            given = "editor" if role == "removed" else role
            sharing.share(kind, THING, served.people[role], given)  # type: ignore[arg-type]
    served.journal.accounts().remove(served.people["removed"])
    for kind in ("audits", "comparisons"):
        (home / kind / THING).mkdir(parents=True)
        (home / kind / THING / KEPT).write_text(json.dumps({"unfinished": "paper", "trouble": "cut off"}))
    served.start()
    yield served
    served.end()


def routes(server: AccountsServer) -> list[tuple[str, str]]:
    assert server.app is not None
    found = []
    for route in server.app.routes:
        assert isinstance(route, Route | Mount)
        methods = (getattr(route, "methods", None) or {"*"}) - {"HEAD"}
        found += [(method, route.path) for method in sorted(methods)]
    return found


def test_every_address_has_its_rule_and_no_rule_is_left_over(server: AccountsServer) -> None:
    served = {f"{method} {path}" for method, path in routes(server)}
    assert served == set(ADDRESSES)
    assert {f"{method} {path}" for method, path in RULES} == served


def test_a_route_without_a_rule_is_not_served(server: AccountsServer) -> None:
    async def answer(_: object) -> None:
        raise AssertionError("it is not served")

    fresh = Route("/api/sessions/{id}/diary", answer)
    with pytest.raises(RuntimeError, match="GET /api/sessions/{id}/diary: who may do that"):
        rule_of(fresh)
    with pytest.raises(RuntimeError):
        Gates(None, None, lambda _: False).before([fresh])  # type: ignore[arg-type]
    assert server.ask(server.cookie("owner"), f"/api/sessions/{THING}/diary").status == 404


def test_one_account_keeps_nobody_else_out(
    server: AccountsServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(gate, "_MOST_AT_ONCE", 2)
    followed = f"/api/sessions/{THING}/events"
    streams = [http.client.HTTPConnection("127.0.0.1", server.port, timeout=300) for _ in range(3)]
    try:
        for stream in streams:
            stream.request("GET", followed, headers=server.token("reader"))
        told = [stream.getresponse() for stream in streams]
        assert sorted(answer.status for answer in told) == [200, 200, 429]
        assert server.ask(server.cookie("reader"), "/api/sessions").status == 429
        assert server.ask(server.cookie("owner"), "/api/sessions").status == 200
    finally:
        for stream in streams:
            stream.close()


def test_what_takes_long_for_one_account_keeps_nobody_waiting(
    server: AccountsServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """More files are asked for than a loop has threads; each takes for ever."""
    monkeypatch.setattr(gate, "_MOST_AT_ONCE", 40)
    let_go = threading.Event()

    async def at_rest(_manager: SessionManager, _identity: str) -> None:
        """What the texts of a session are matters to none of this."""

    def slowly(_state: None, _identity: str, _kind: str, name: str) -> Download:
        if name == "report.md":
            let_go.wait(100)
        return Download(name, b"made")

    monkeypatch.setattr(SessionManager, "at_rest", at_rest)
    monkeypatch.setattr(report_routes, "download", slowly)
    asked = [http.client.HTTPConnection("127.0.0.1", server.port, timeout=300) for _ in range(40)]
    try:
        for one in asked:
            one.request("GET", f"/api/sessions/{THING}/files/report.md", headers=server.token("reader"))
        until(lambda: server.ask(server.token("reader"), "/api/setup").status == 429)
        mine = server.token("owner")
        assert server.ask({}, "/healthz").status == 200
        assert server.ask(mine, "/api/collections").status == 200
        assert server.ask(mine, f"/api/sessions/{THING}/files/mindmap.md").status == 200
        let_go.set()
        assert {one.getresponse().status for one in asked} == {200}
    finally:
        let_go.set()
        for one in asked:
            one.close()


def filled(path: str) -> str:
    """Return an address as it is asked for: the thing's id, and plain words elsewhere."""
    for name, value in {"id": THING, "name": THING, "file": "report.md", **FIELDS}.items():
        path = path.replace(f"{{{name}}}", value)
    return path


def through(answer: Answer, path: str) -> bool:
    """Tell whether an answer comes from behind the gate."""
    kind = KINDS.get(path.split("/")[2], "") if path.startswith("/api/") else ""
    hidden = answer.status == 404 and kind and f"there is no {kind} {THING}" in answer.text
    return answer.status not in {401, 403} and not hidden


def visitors(server: AccountsServer) -> list[tuple[str, str, dict[str, str]]]:
    """Return everybody: the role, how he comes, and his headers."""
    told = [(name, way, getattr(server, way)(name)) for name in PEOPLE for way in ("cookie", "token")]
    operator = {"Authorization": "Bearer an operator's own token"}
    forged = {"Cookie": f"roundtable-{server.port}=9999999999.x.{server.people['owner'].id}.0.forged"}
    empty = server.keys.cookie(server.port)
    return [
        *told, ("operator", "bearer", server.operator()), ("operator", "token", operator),
        ("nobody", "nothing", {}), ("nobody", "forged", forged),
        ("nobody", "of before", {"Cookie": f"roundtable-{server.port}={empty}"}),
        ("nobody", "guessed", {"Authorization": f"Bearer rt-{'0' * 16}-{'A' * 43}"}),
    ]  # fmt: skip


ORDER = sorted(ADDRESSES, key=lambda address: "/delete" in address)


@pytest.mark.parametrize("address", ORDER)
def test_each_address_is_open_to_those_it_is_for_and_to_nobody_else(
    server: AccountsServer, address: str
) -> None:
    method, path = address.split(" ")
    allowed = REACHES[ADDRESSES[address]]
    body = None if method == "GET" else NOT_JSON
    deletes_at_once = path in {"/api/audits/{id}/delete", "/api/comparisons/{id}/delete"}
    for who, way, headers in visitors(server):
        if path in {"/static", "/", "/join"} or (way in {"forged", "of before"} and method == "POST"):
            continue  # the page itself has a test of its own; a cookie without an Origin is refused anyway
        if deletes_at_once and who == "owner":
            continue  # it would be gone for whoever comes next
        sent = b"" if "/uploads/" in path or "/files/" in path else body
        asked = filled(path) + ("?name=" if path == "/api/audits" else "")
        told = server.ask(
            headers, asked, sent, "POST" if method == "*" else method, whole="/events" not in path
        )
        if "/events" in path and told.status == 404:
            told = server.ask(headers, asked)
        assert through(told, path) is (who in allowed), (address, who, way, told.status, told.text[:200])
        if who == "nobody" and ADDRESSES[address] != "anybody":
            assert told.status == 401
        if ADDRESSES[address] in {"reader", "editor", "owner"} and who == "stranger":
            assert told.status == 404, "what is not his is not there"


def test_the_page_itself_is_for_who_has_an_account(server: AccountsServer) -> None:
    for who, _, headers in visitors(server):
        expected = 401 if who in {"nobody", "removed"} else 200
        assert server.ask(headers, "/").status == expected
    assert server.ask({}, "/static/page.css").status == 200
    assert server.ask({}, "/?token=an operator's own token".replace(" ", "%20")).status == 401


@pytest.mark.parametrize("lost", ["account", "things"])
def test_a_request_is_judged_again_when_its_body_has_come(
    server: AccountsServer, monkeypatch: pytest.MonkeyPatch, lost: str
) -> None:
    """Heads that are sent while one may, and bodies once one may no longer, do nothing."""
    thing, accounts, sharing = f"1ea7e5{lost[:2]}", server.journal.accounts(), server.journal.sharing()
    leaver = accounts.add(f"Who loses {lost}")
    headers = {"Authorization": f"Bearer {accounts.new_token(leaver)}"}
    server.journal.adopt(thing, session())
    for kind in KINDS.values():
        sharing.own(kind, thing, leaver)  # type: ignore[arg-type]
    at_once = {"/api/comparisons", "/api/comparisons/{id}/delete", "/api/audits/{id}/delete"}  # no body
    posts = [path for method, path in map(str.split, ADDRESSES) if method == "POST" and path not in at_once]
    monkeypatch.setattr(gate, "_MOST_AT_ONCE", len(posts))
    held = [
        (path, server.hold(headers, filled(path).replace(THING, thing) + "?name=a.md&docs=python", b"[ "))
        for path in posts
    ]
    until(lambda: server.ask(headers, "/api/setup").status == 429)  # all of them are being answered
    if lost == "account":
        accounts.remove(leaver)
    for kind in KINDS.values():
        sharing.give(kind, thing, server.people["owner"])  # type: ignore[arg-type]
    for path, end in held:
        told, names_it = end(), "{id}" in path or "{name}" in path
        if lost == "account":
            assert told.status == 401, (path, told)
        elif names_it:
            assert told.status == 404, (path, told)
            assert thing in told.text
        else:
            assert told.status not in {401, 403, 404}, (path, told)
    kept = server.home.glob(f"*/{thing}/**/*")
    assert not [path for path in kept if path.is_file()]


def test_what_is_not_mine_and_what_is_not_there_are_answered_alike(server: AccountsServer) -> None:
    mine = server.token("stranger")
    for path in ("sessions/{}", "sessions/{}/events", "sessions/{}/files/report.md", "audits/{}"):
        hidden, missing = (server.ask(mine, f"/api/{path.format(one)}") for one in (THING, "0" * 8))
        assert (hidden.status, hidden.text.replace(THING, "0" * 8)) == (missing.status, missing.text)
        assert {*hidden.headers} == {*missing.headers}
