"""What lists, searches, streams and other programs' tools show to whom; whose what is made becomes."""

import http.client
import json
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from library import Store
from library.store import derived_name
from roundtable.config.search_places import STORE
from roundtable.journal.events import SessionStarted
from roundtable.journal.storage.people.quotas import Quota
from roundtable.session.document_collections import document_collections, update_collection
from roundtable.web.access.keys import KeyClaim, Keys
from tests.roundtable.output.told import session
from tests.web.access.accounts_server import AccountsServer

pytestmark = [pytest.mark.loopback]
MINE, PRIVATE, OPEN = "0b5e55ed", "5ec2e700", "09e45e55"
"""The stranger's session, and two of the owner's; the editor and the reader share them. The last one searches
what the reader may search too, the others a folder of the machine."""


@pytest.fixture(scope="module")
def server(
    tmp_path_factory: pytest.TempPathFactory, python_indexed: Callable[[Path], Path]
) -> Iterator[AccountsServer]:
    home = python_indexed(tmp_path_factory.mktemp("home"))
    served = AccountsServer.at(home)
    sharing, people = served.journal.sharing(), served.people
    for identity, owner in ((MINE, "stranger"), (PRIVATE, "owner")):
        served.journal.adopt(identity, session(f"Session of {owner}"))
        sharing.own("session", identity, people[owner])
        sharing.share("session", identity, people["reader"], "reader")
        sharing.share("session", identity, people["editor"], "editor")
    begun = session("Session of owner, over what is shared")
    assert isinstance(begun[0].event, SessionStarted)
    first = begun[0].event.model_copy(update={"docs": ["secrets", "python"]})
    served.journal.adopt(OPEN, [begun[0].model_copy(update={"event": first}), *begun[1:]])
    sharing.own("session", OPEN, people["owner"])
    sharing.share("session", OPEN, people["reader"], "reader")
    served.journal.adopt("10bd5e55", session("Nobody's"))
    for name in ("secrets", "unowned"):
        (home / f"{name}.md").write_text("# Salaries\n\nThe salary of the director is 90,000 a year.\n")
        update_collection(home, name, [home / f"{name}.md"])
    sharing.own("collection", "secrets", people["owner"])
    sharing.share("collection", "secrets", people["reader"], "reader")
    served.start()
    yield served
    served.end()


def ids(server: AccountsServer, who: str) -> set[str]:
    return {row["id"] for row in server.ask(server.token(who), "/api/sessions").told}


def test_lists_show_what_one_may_read_and_as_what(server: AccountsServer) -> None:
    assert MINE not in ids(server, "owner")
    assert PRIVATE not in ids(server, "stranger")
    assert PRIVATE in ids(server, "owner")
    rows = server.ask(server.cookie("reader"), "/api/sessions").told
    roles = {row["id"]: row["role"] for row in rows}
    assert (roles[MINE], roles[PRIVATE]) == ("reader", "reader")
    assert "10bd5e55" not in json.dumps(rows), "what nobody owns nobody is shown"

    def collections(who: str) -> set[str]:
        return {row["name"] for row in server.ask(server.token(who), "/api/collections").told}

    assert collections("owner") >= {"python", "secrets"}
    assert str(server.home) not in server.ask(server.token("owner"), "/api/collections").text
    assert collections("reader") >= {"python", "secrets"}
    assert not collections("stranger") & {"secrets", "unowned"}
    assert server.ask(server.token("owner"), "/api/setup").told["account"] == "Owner"


@pytest.mark.parametrize(
    "wanted",
    [
        {"docs": ["secrets"]}, {"docs": ["unowned"]}, {"docs": ["nowhere"]}, {"docs": [f"session:{PRIVATE}"]},
        {"docs": ["sessions"]}, {"docs": ["session:5ec"]}, {"docs": ["/etc"]}, {"follows": PRIVATE},
        {"follows": "last"}, {"follows": PRIVATE[:4]}, {"base_url": "http://127.0.0.1:1/v1"},
    ],
)  # fmt: skip
def test_a_session_searches_and_follows_nothing_that_its_owner_may_not_read(
    server: AccountsServer, wanted: dict[str, Any]
) -> None:
    order = {"topic": "What does the director earn?", "docs": ["python"], "offline": True, **wanted}
    before = ids(server, "stranger")
    for path in ("/api/sessions", "/api/outgoing"):
        told = server.ask(server.token("stranger"), path, order)
        assert told.status == 422, told.text
        assert "90,000" not in told.text
    assert ids(server, "stranger") == before
    for path in ("/api/audits?name=a.md&docs=", "/api/comparisons?of=A,B&by=c&offline=1&docs="):
        for name in wanted.get("docs", []):
            assert server.ask(server.token("stranger"), f"{path}{name}", b"text", "POST").status in {415, 422}


def mcp(
    server: AccountsServer, who: str, method: str, headers: dict[str, str] | None = None, **given: Any
) -> Any:
    """Ask by the Model Context Protocol; return what came back."""
    body = {"jsonrpc": "2.0", "id": 1, "method": method, "params": given}
    told = server.ask({**server.token(who), **(headers or {})}, "/mcp", body)
    lines = [line.removeprefix("data: ") for line in told.text.splitlines() if line.startswith("data: {")]
    return told, json.loads(lines[-1]) if lines else json.loads(told.text)


def talk(server: AccountsServer, who: str) -> dict[str, str]:
    """Begin a talk; return the headers by which it goes on."""
    about = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}}
    told, _ = mcp(server, who, "initialize", **about)
    assert told.status == 200
    headers = {"Mcp-Session-Id": told.headers["mcp-session-id"], "Mcp-Protocol-Version": "2025-06-18"}
    server.ask(
        {**server.token(who), **headers}, "/mcp", {"jsonrpc": "2.0", "method": "notifications/initialized"}
    )
    return headers


def test_another_assistant_sees_what_its_person_may(server: AccountsServer) -> None:
    pytest.importorskip("mcp")
    mine, shared = talk(server, "stranger"), talk(server, "reader")

    def tool(who: str, headers: dict[str, str], name: str, **given: Any) -> tuple[bool, str]:
        _, told = mcp(server, who, "tools/call", headers, name=name, arguments=given)
        return bool(told["result"].get("isError")), json.dumps(told["result"]["content"])

    assert PRIVATE not in tool("stranger", mine, "sessions")[1]
    assert PRIVATE in tool("reader", shared, "sessions")[1]
    for name, given in (
        ("follow", {"seconds": 0}), ("report", {}), ("map", {}), ("sources", {}),
        ("passage", {"passage": "p1"}),
        ("say", {"text": "x"}), ("steer", {"text": "x"}), ("stop", {}), ("go_on", {}),
    ):  # fmt: skip
        failed, hidden = tool("stranger", mine, name, session=PRIVATE, **given)
        assert failed
        missing = tool("stranger", mine, name, session="0" * 8, **given)[1]
        assert hidden.replace(PRIVATE, "0" * 8) == missing, name
    assert "reader of this session" in tool("reader", shared, "say", session=PRIVATE, text="x")[1]
    found = tool("stranger", mine, "search", query="director salary")[1]
    assert "90,000" not in found
    assert "secrets" not in found
    assert "90,000" in tool("reader", shared, "search", query="director salary", docs=["secrets"])[1]
    refused = tool("stranger", mine, "search", query="salary", docs=["secrets"])[1]
    assert "secrets" in refused
    assert "unowned" not in refused
    _, listed = mcp(server, "stranger", "resources/list", mine)
    assert PRIVATE not in json.dumps(listed)
    _, whole = mcp(server, "reader", "resources/list", shared)
    assert PRIVATE in json.dumps(whole)
    _, read = mcp(
        server, "stranger", "resources/read", mine, uri=f"roundtable://sessions/{PRIVATE}/mindmap.md"
    )
    assert "error" in read


def test_a_talk_of_one_is_not_taken_up_by_another(server: AccountsServer) -> None:
    pytest.importorskip("mcp")
    headers = talk(server, "owner")
    told, _ = mcp(server, "stranger", "tools/call", headers, name="sessions", arguments={})
    assert told.status == 404


def test_one_account_s_talks_keep_no_other_assistant_out(
    server: AccountsServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("mcp")
    from roundtable.protocols import mcp_talks

    monkeypatch.setattr(mcp_talks, "_OF_ONE", 2)
    others = talk(server, "reader")
    first, second = talk(server, "stranger"), talk(server, "stranger")
    assert mcp(server, "stranger", "tools/list", first)[0].status == 200  # silent longest is now the second
    third = talk(server, "stranger")
    statuses = [mcp(server, "stranger", "tools/list", each)[0].status for each in (first, second, third)]
    assert statuses == [200, 404, 200]
    assert mcp(server, "reader", "tools/list", others)[0].status == 200


def test_accounts_together_keep_no_assistant_out(
    server: AccountsServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each within its own bound, several accounts would take all the places that there are."""
    pytest.importorskip("mcp")
    from roundtable.protocols import mcp_talks

    def status(who: str, headers: dict[str, str]) -> int:
        return int(mcp(server, who, "tools/list", headers)[0].status)

    monkeypatch.setattr(mcp_talks, "_OF_ONE", 3)
    monkeypatch.setattr(mcp_talks, "_OF_ALL", 6)
    many = {who: [talk(server, who) for _ in range(3)] for who in ("reader", "stranger")}
    quiet = talk(server, "owner")
    many["editor"] = [talk(server, "editor") for _ in range(3)]
    assert status("owner", quiet) == 200, "who has few keeps them, however silent"
    told = [[status(who, each) for each in talks] for who, talks in many.items()]
    assert all(of_one[-1] == 200 for of_one in told), "the silent longest go first"
    assert sum(of_one.count(200) for of_one in told) <= 5


def test_a_chat_goes_on_with_nobody_elses_session_and_sees_no_foreign_collection(
    server: AccountsServer,
) -> None:
    models = {
        who: {one["id"] for one in server.ask(server.token(who), "/v1/models").told["data"]}
        for who in ("reader", "stranger")
    }
    assert models["reader"] - models["stranger"] == {"roundtable/secrets"}
    assert server.ask(server.token("stranger"), "/v1/models/roundtable/secrets").status == 404
    before = [
        {"role": "user", "content": "Tea?"}, {"role": "assistant", "content": f"So.\n\nSession `{PRIVATE}`"},
        {"role": "user", "content": "And what else?"},
    ]  # fmt: skip
    told = server.ask(
        server.token("stranger"), "/v1/chat/completions", {"model": "roundtable", "messages": before}
    )
    assert told.status == 404
    order = {"model": "roundtable/secrets", "messages": before[:1]}
    assert server.ask(server.token("stranger"), "/v1/chat/completions", order).status in {400, 404}


def test_a_fork_belongs_to_who_forks_and_leaves_with_what_it_was_forked_from(server: AccountsServer) -> None:
    closed = server.ask(server.token("reader"), f"/api/sessions/{PRIVATE}/fork", {"turn": 0})
    assert closed.status == 422, "it searches a folder, in which a fork of his own would search for more"
    assert "that you may search" in closed.text
    follow = {"topic": "More of it", "follows": PRIVATE, "docs": ["python"], "offline": True, "plan": True}
    assert server.ask(server.token("editor"), "/api/sessions", follow).status == 422
    told = server.ask(server.token("reader"), f"/api/sessions/{OPEN}/fork", {"turn": 0})
    assert told.status == 201, told.text
    fork = told.told["id"]
    assert server.ask(server.token("reader"), f"/api/sessions/{fork}").told["role"] == "owner"
    assert server.ask(server.token("owner"), f"/api/sessions/{fork}").status == 404
    failed = server.ask(server.token("reader"), f"/api/sessions/{OPEN}/fork", {"turn": 90})
    assert failed.status == 422
    owned = server.journal.sharing().roles(server.people["reader"], "session")
    assert [one for one, role in owned.items() if role == "owner"] == [fork], "what was not made is nobody's"
    assert server.ask(server.token("reader"), f"/api/sessions/{fork}/delete", {}).status == 200


def test_what_is_begun_is_its_beginners_and_nobody_elses(server: AccountsServer) -> None:
    order = {"topic": "How are lists sorted?", "docs": ["python"], "offline": True, "turns": 1, "plan": True}
    begun = server.ask(server.cookie("stranger"), "/api/sessions", order)
    assert begun.status == 201, begun.text
    identity = begun.told["id"]
    assert identity in ids(server, "stranger")
    for other in ("owner", "editor", "reader"):
        assert server.ask(server.token(other), f"/api/sessions/{identity}").status == 404


def test_a_collection_that_is_brought_is_its_bringers(server: AccountsServer) -> None:
    put = "/api/collections/{}/files/a.md"
    assert server.ask(server.token("stranger"), put.format("recipes"), b"# Soup").status == 201
    for other in ("owner", "reader"):
        assert server.ask(server.token(other), put.format("recipes"), b"# Poison").status == 404
    for taken in ("secrets", "unowned"):
        assert server.ask(server.token("stranger"), put.format(taken), b"# Mine now").status == 404
    assert server.ask(server.token("reader"), put.format("secrets"), b"# Mine now").status == 403
    assert server.ask(server.token("stranger"), put.format("python"), b"x").status == 404
    shared = server.ask(server.token("stranger"), "/api/collections/recipes/sharing", {"team": "editor"})
    assert shared.told["team"] == "editor"
    assert server.ask(server.token("owner"), put.format("recipes"), b"# Salad").status == 201
    with Store(server.home / STORE) as store:
        assert store.collection("unowned") is not None


def test_a_name_for_which_nothing_could_be_kept_is_free_again(server: AccountsServer) -> None:
    mine, other = server.token("stranger"), server.token("reader")
    for path, body in (
        ("/api/collections/atlas/files/empty.md", b""),
        ("/api/collections/atlas/site", {"address": "no address"}),
    ):
        assert server.ask(mine, path, body).status == 422
        assert server.journal.sharing(server.home).shared("collection", "atlas") is None
    assert server.ask(mine, "/api/collections/atlas/files/a.md", b"# A\n\nText.\n").status == 201
    assert server.ask(mine, "/api/collections/atlas/files/empty.md", b"").status == 422
    assert server.ask(other, "/api/collections/atlas/files/b.md", b"# B\n").status == 404
    shared = server.journal.sharing(server.home).shared("collection", "atlas")
    assert shared is not None
    assert shared.owner == server.people["stranger"].id


def test_sharing_is_the_owners_and_holds_at_once(server: AccountsServer) -> None:
    path, stranger = f"/api/sessions/{PRIVATE}", server.token("stranger")
    owner = server.cookie("owner")
    told = server.ask(owner, f"{path}/sharing").told
    assert told == {
        "owner": "Owner", "team": "", "others": ["Removed", "Stranger"],
        "people": [{"name": "Editor", "role": "editor"}, {"name": "Reader", "role": "reader"}],
    }  # fmt: skip
    assert server.ask(stranger, path).status == 404
    server.ask(owner, f"{path}/sharing", {"person": "stranger", "role": "reader"})
    assert server.ask(stranger, path).told["role"] == "reader"
    connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=300)
    connection.request("GET", f"{path}/events", headers=stranger)
    stream = connection.getresponse()
    assert stream.status == 200
    server.ask(owner, f"{path}/sharing", {"person": "Stranger", "role": ""})
    server.ask(owner, f"{path}/name", {"name": "Renamed"})
    until = time.monotonic() + 300
    while stream.readline():
        assert time.monotonic() < until, "the stream of who may no longer read goes on"
    connection.close()
    assert server.ask(stranger, path).status == 404
    server.ask(owner, f"{path}/sharing", {"team": "reader"})
    assert server.ask(stranger, path).status == 200
    server.ask(owner, f"{path}/sharing", {"team": ""})
    wrong = (
        {"person": "Nobody at all", "role": "reader"},
        {"person": "Owner", "role": "reader"},
        {"team": "owner"},
    )
    for one in wrong:
        assert server.ask(owner, f"{path}/sharing", one).status == 422


def test_an_invitation_signs_in_as_its_account_once(server: AccountsServer) -> None:
    token = server.keys.invite(server.people["editor"].id)
    told = server.ask({}, f"/?token={token}")
    assert told.status == 303
    cookie = {"Cookie": told.headers["set-cookie"].partition(";")[0]}
    assert server.ask(cookie, "/api/setup").told["account"] == "Editor"
    assert server.ask({}, f"/?token={token}").status == 401
    assert server.ask({}, f"/?token={server.keys.invite()}").status == 401, "of before there were accounts"
    assert server.ask({}, f"/?token={server.keys.invite(server.people['removed'].id + 'x')}").status == 401
    gone = server.ask({**cookie, "Origin": f"http://127.0.0.1:{server.port}"}, "/api/sign-out", {})
    assert "Max-Age=0" in gone.headers["set-cookie"] or "expires" in gone.headers["set-cookie"].lower()
    assert server.ask(cookie, "/api/setup").status == 401, "nor is a copy of the cookie worth anything"
    unused = server.keys.invite(server.people["editor"].id)
    server.journal.accounts().sign_out(server.people["editor"])
    assert server.ask({}, f"/?token={unused}").status == 401, "a link that was made before opens nothing"
    now = server.journal.accounts().named("Editor")
    assert server.ask({}, f"/?token={server.keys.invite(now.id, now.generation)}").status == 303


def test_a_cookie_of_an_account_is_worth_nothing_without_accounts(tmp_path: Path) -> None:
    keys = Keys(tmp_path)
    assert keys.admits(keys.cookie(1, KeyClaim("abcd", 3)), 1) == KeyClaim("abcd", 3)
    assert keys.admits(keys.cookie(1), 1) == KeyClaim()
    forged = keys.cookie(1, KeyClaim("abcd", 3)).replace(".abcd.", ".dcba.")
    assert keys.admits(forged, 1) is None


def test_who_has_used_up_what_he_may_is_told_so_and_others_go_on(server: AccountsServer) -> None:
    quotas, owner = server.journal.quotas(), server.people["removed"]
    sharing = server.journal.sharing()
    server.journal.adopt("9007a000", session("Used up"))
    sharing.own("session", "9007a000", owner)
    quotas.limit(owner, Quota(sessions=0))
    talk = [{"role": "user", "content": "x"}]
    mine, order = server.token("removed"), {"topic": "x", "docs": ["python"], "offline": True, "plan": True}
    commands = "/api/sessions/9007a000/commands"
    for path, body in (
        ("/api/sessions", order), (commands, {"command": "say", "text": "And then?"}),
        ("/api/sessions/9007a000/update", {}), ("/api/sessions/9007a000/report", {}),
        ("/v1/chat/completions", {"model": "roundtable/python", "messages": talk}),
    ):  # fmt: skip
        told = server.ask(mine, path, body)
        assert told.status == 429, (path, told.status, told.text)
        assert "0 of its owner's sessions run already" in told.text
    assert ids(server, "removed") == {"9007a000"}, "what was refused was not begun"
    assert server.ask(mine, "/api/sessions/9007a000/name", {"name": "Still mine"}).status == 200
    sharing.share("session", "9007a000", server.people["editor"], "editor")
    told = server.ask(server.token("editor"), commands, {"command": "say", "text": "For me?"})
    assert told.status == 429, "a session counts for its owner, whoever steers it"
    quotas.limit(owner, Quota())


def test_audits_and_comparisons_count_for_who_asks(server: AccountsServer) -> None:
    quotas, editor = server.journal.quotas(), server.people["editor"]
    mine, other = server.token("editor"), server.token("stranger")
    text = b"# A\n\nText.\n"
    asked = ("/api/audits?name=a.md&offline=1", text), ("/api/comparisons?of=A,B&by=c&offline=1", b"")
    quotas.limit(editor, Quota(tokens=0))
    try:
        for address, body in asked:
            told = server.ask({**mine, "Content-Type": "application/octet-stream"}, address, body)
            assert (told.status, "has used 0 tokens today, of 0" in told.text) == (429, True)
            assert server.ask(mine, address.partition("?")[0]).told == []
            told = server.ask({**other, "Content-Type": "application/octet-stream"}, address, body)
            assert told.status != 429
    finally:
        quotas.limit(editor, Quota())


def test_a_name_of_ones_own_shows_and_changes_no_collection_of_others(server: AccountsServer) -> None:
    """A folder's collection is called by the folder, too: who holds that name holds nothing of it."""
    folder = server.home / "minutes"
    folder.mkdir()
    (folder / "a.md").write_text("# Minutes\n\nThe board met on Monday.\n")
    name = derived_name(folder)
    update_collection(server.home, name, [folder])
    server.journal.sharing().own("collection", name, server.people["owner"])
    who = server.token("stranger")
    assert server.ask(who, "/api/collections/minutes/files/a.md", b"# Tea").status == 201
    for path, body in (("description", {"description": "Mine"}), ("delete", {})):
        told = server.ask(who, f"/api/collections/minutes/{path}", body)
        assert (told.status, told.told["error"]) == (422, "there is no collection minutes")
    (kept,) = (one for one in document_collections(server.home) if one.name == name)
    assert kept.description != "Mine"
    assert server.ask(who, "/api/collections/nothing/refresh", {}).status == 200
    rows: list[dict[str, Any]] = []
    while not any("trouble" in row for row in rows):
        rows = server.ask(who, "/api/collections").told
    assert [row["trouble"] for row in rows if row["name"] == "nothing"] == ["there is no collection nothing"]


def test_a_session_goes_on_only_where_its_owner_may_search_still(
    server: AccountsServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    identity, sharing, editor = "0f1e7d00", server.journal.sharing(), server.people["editor"]
    begun = session("What was lent?")[:2]
    assert isinstance(begun[0].event, SessionStarted)
    settings = {"docs": ["lent"], "offline": True}
    first = begun[0].event.model_copy(update={"settings": settings})
    server.journal.adopt(identity, [begun[0].model_copy(update={"event": first}), *begun[1:]])
    sharing.own("session", identity, editor)
    (tmp_path / "lent").mkdir()
    for place in (tmp_path / "lent", server.home):
        (place / "loans.md").write_text("# Loans\n\nThe museum was lent 12 paintings.\n")
    monkeypatch.chdir(tmp_path)

    def told(name: str = "steer") -> int:
        path = f"/api/sessions/{identity}/commands"
        return server.ask(server.token("editor"), path, {"command": name, "text": "Stay on loans"}).status

    def make(owner: str) -> None:
        update_collection(server.home, "lent", [server.home / "loans.md"])
        sharing.own("collection", "lent", server.people[owner])

    make("owner")
    sharing.share("collection", "lent", editor, "reader")
    assert told() == 200
    sharing.share("collection", "lent", editor, None)
    assert (told(), told("say")) == (422, 422), "what was shared is taken back"
    sharing.share("collection", "lent", editor, "reader")
    assert told() == 200
    assert server.ask(server.token("owner"), "/api/collections/lent/delete", {}).status == 200
    assert (told(), told("say")) == (422, 422), "a name is no path"
    make("stranger")
    assert (told(), told("say")) == (422, 422), "the name is somebody else's now"
    follow = {"topic": "More of it", "follows": identity, "offline": True, "plan": True}
    assert server.ask(server.token("editor"), "/api/sessions", follow).status == 422


def test_what_is_said_carries_the_name_of_who_said_it(server: AccountsServer) -> None:
    identity, sharing = "5a1d5a1d", server.journal.sharing()
    begun = session("What was said?")[:2]
    assert isinstance(begun[0].event, SessionStarted)
    settings = {"docs": ["python"], "offline": True}
    first = begun[0].event.model_copy(update={"settings": settings})
    server.journal.adopt(identity, [begun[0].model_copy(update={"event": first}), *begun[1:]])
    sharing.own("session", identity, server.people["owner"])
    sharing.share("session", identity, server.people["editor"], "editor")
    commands = f"/api/sessions/{identity}/commands"
    for who, kind in (("owner", server.token), ("editor", server.cookie)):
        told = server.ask(kind(who), commands, {"command": "steer", "text": f"Stay on pay, says {who}"})
        assert told.status == 200, told.text
    forging = {"command": "steer", "text": "x", "person": "Owner"}
    forged = server.ask(server.token("editor"), commands, forging)
    assert forged.status == 422, "nobody says for whom he speaks"
    told, answer = mcp(
        server, "editor", "tools/call", talk(server, "editor"), name="steer",
        arguments={"session": identity, "text": "Stay on pay, says a program"},
    )  # fmt: skip
    assert "error" not in answer, told.text
    said = [r.event.person for r in server.journal.read(identity) if r.event.kind == "commanded"]
    assert said == ["Owner", "Editor", "Editor"]
