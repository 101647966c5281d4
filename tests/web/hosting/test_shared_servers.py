"""Two servers on one database: what one runs the other shows and steers, and takes up when it is killed."""

import http.client
import json
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from roundtable.config.errors import InputError
from roundtable.config.home import DATABASE_FILE
from roundtable.web.access.keys import Keys
from roundtable.web.access.served_address import ServedAddress
from roundtable.web.serving import Serving, check, invitation, page_address, place_of
from tests.postgres_server import PostgresServer
from tests.web.conftest import Server, start

pytestmark = [pytest.mark.loopback, pytest.mark.slow]


@pytest.fixture
def pair(tmp_path: Path, postgres: PostgresServer) -> Iterator[tuple[Server, Server]]:
    """Two servers with homes of their own and one journal."""
    address, servers = postgres.database(), []
    for name in ("one", "other"):
        home = tmp_path / name
        home.mkdir()
        (home / DATABASE_FILE).write_text(f'database = "{address}"\n')
        servers.append(start(home, shared=tmp_path / "shared"))
    yield servers[0], servers[1]
    for server in servers:
        server.process.kill()
        server.process.wait()
        assert server.process.stdout is not None
        server.process.stdout.close()


def until(true: Callable[[], bool], seconds: float = 300.0) -> None:
    """Wait until something is so."""
    due = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < due, "it did not come to be"
        time.sleep(0.1)


def events(server: Server, identity: str, after: int = 0) -> list[dict[str, Any]]:
    """Return what a server streams of a session until it has no more for now."""
    told: list[dict[str, Any]] = []
    connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=300)
    headers = {"Host": f"127.0.0.1:{server.port}", "Authorization": f"Bearer {server.bearer}"}
    connection.request("GET", f"/api/sessions/{identity}/events?after={after}", headers=headers)
    answer = connection.getresponse()
    name = ""
    while line := answer.readline().decode().rstrip("\n"):
        if line.startswith("event: "):
            name = line.removeprefix("event: ")
        elif line.startswith("data: ") and name == "events":
            told += json.loads(line.removeprefix("data: "))
        elif line.startswith("data:") and name in {"standing", "beat"}:
            break
        if line.startswith(("data", "retry")):
            answer.readline()  # the empty line behind a frame
    connection.close()
    return told


def kinds(server: Server, identity: str) -> list[str]:
    return [each["event"]["kind"] for each in events(server, identity)]


def test_what_one_server_runs_the_other_shows_steers_and_takes_up(
    pair: tuple[Server, Server], documents: Path
) -> None:
    one, other = pair
    assert one.bearer == other.bearer
    order = {"topic": "Why do cities flood?", "docs": [str(documents)], "offline": True, "turns": 3}
    order["wait"] = True
    identity = one.ask("/api/sessions", order)["id"]
    until(lambda: "table_waits" in kinds(other, identity))
    here = {row["id"]: row["here"] for row in other.ask("/api/sessions")}
    assert here == {identity: False}

    other.ask(f"/api/sessions/{identity}/commands", {"command": "say", "text": "What of the sewers?"})
    until(lambda: "What of the sewers?" in json.dumps(events(one, identity)))
    bearer = {"Authorization": f"Bearer {other.bearer}", "Content-Type": "application/json"}
    wrong = {"command": "go_on", "turns": -1}
    status, _, data = other.request("POST", f"/api/sessions/{identity}/commands", wrong, bearer)
    assert status == 422, data

    one.process.kill()
    one.process.wait()
    until(lambda: {row["id"]: row["here"] for row in other.ask("/api/sessions")} == {identity: True})
    known = {"Authorization": f"Bearer {other.bearer}"}
    until(lambda: b"roundtable_taken_up_total 1" in other.request("GET", "/metrics", None, known)[2])
    other.ask(f"/api/sessions/{identity}/commands", {"command": "stop"})
    until(lambda: other.ask(f"/api/sessions/{identity}")["state"] == "ended")
    told = events(other, identity)
    assert [each["n"] for each in told] == list(range(1, len(told) + 1))
    assert [each["event"]["kind"] for each in told].count("session_ended") == 1


def test_whether_a_server_is_well_is_told_to_anybody_and_figures_to_who_is_known(
    pair: tuple[Server, Server], postgres: PostgresServer
) -> None:
    one, _ = pair
    assert one.request("GET", "/healthz")[0] == 200
    assert one.request("GET", "/metrics")[0] == 401
    figures = one.request("GET", "/metrics", None, {"Authorization": f"Bearer {one.bearer}"})[2].decode()
    assert 'roundtable_sessions{state="ended"} 0' in figures
    assert 'roundtable_queue{state="waiting"} 0' in figures
    assert "# TYPE process_resident_memory_bytes gauge" in figures
    postgres.stop()
    try:
        until(lambda: one.request("GET", "/healthz")[0] == 503)
    finally:
        postgres.start()
    until(lambda: one.request("GET", "/healthz")[0] == 200)
    assert one.ask("/api/sessions") == []


def test_behind_a_proxy_the_address_that_browsers_see_is_the_servers(tmp_path: Path) -> None:
    outside = ServedAddress(port=443, names=("team.example.org",), tls=True, inside=("127.0.0.1:8421",))
    serving = Serving(url="https://team.example.org")
    check(serving)
    assert place_of(serving, 8421).is_ours("team.example.org")
    for place in (outside, place_of(serving, 8421)):
        assert place.is_ours("127.0.0.1:8421")
        assert not place.is_ours("127.0.0.1")
        assert not place.is_ours("other.example.org")
        assert (place.cookie, place.scheme) == ("__Host-roundtable-443", "https")
    assert invitation(outside, serving, Keys(tmp_path)).startswith("https://team.example.org/?token=")
    for written in ("https://Team.Example.org:8443", "https://team.example.org:8443/"):
        on_port = Serving(url=written)
        assert page_address(place_of(on_port, 8421), on_port) == "https://team.example.org:8443/"
        assert place_of(on_port, 8421).is_ours("team.example.org:8443"), "as browsers ask for it"
    usual = Serving(url="https://team.example.org:443")
    assert page_address(place_of(usual, 8421), usual) == "https://team.example.org/"
    for wrong in (
        "team.example.org", "https://team.example.org/path", "ftp://a", "https://a b", "https://a.example:99999",
    ):  # fmt: skip
        with pytest.raises(InputError, match="--url"):
            check(Serving(url=wrong))
