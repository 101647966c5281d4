import json
import socket
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from roundtable.config.errors import InputError
from roundtable.web.serving import Serving, check, place_of
from tests.web.conftest import Server, run_command

pytestmark = pytest.mark.loopback


@pytest.mark.parametrize("host", ["0.0.0.0", "::", "192.168.1.7", "myhost"])
def test_a_server_open_to_others_needs_a_token_or_tls_or_a_word(host: str, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="--token"):
        check(Serving(host))
    check(Serving(host, token="sixteen-characters"))
    check(Serving(host, unprotected=True))
    with pytest.raises(InputError, match="too short"):
        check(Serving(host, token="short"))
    with pytest.raises(InputError, match="both"):
        check(Serving(host, certificate=tmp_path))


def test_an_open_server_takes_addresses_in_figures_and_no_foreign_names() -> None:
    place = place_of(Serving("0.0.0.0", names=("box.lan",), unprotected=True), 8420)
    assert place.is_ours("192.168.1.7:8420")
    assert place.is_ours("box.lan:8420")
    assert not place.is_ours("evil.example:8420")
    assert not place.is_ours("192.168.1.7:80")
    local = place_of(Serving(), 8420)
    assert not local.is_ours("192.168.1.7:8420")
    assert not local.is_ours("127.0.0.1.evil.example:8420")


def test_refusals_are_one_line_and_a_taken_port_is_named(tmp_path: Path) -> None:
    refused = run_command(tmp_path, "serve", "--host", "0.0.0.0")
    assert refused.returncode == 2
    assert len(refused.stderr.splitlines()) == 1
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        told = run_command(tmp_path, "serve", "--port", str(taken.getsockname()[1]))
    assert told.returncode == 2
    assert "choose another --port" in told.stderr


def test_ctrl_c_ends_it_at_once_with_a_stream_open_and_the_session_goes_on_later(
    serve: Callable[..., Server], documents: Path
) -> None:
    server = serve()
    order = {"topic": "Why do cities flood?", "docs": [str(documents)], "offline": True, "turns": 200}
    identity = server.ask("/api/sessions", order)["id"]
    with socket.create_connection(("127.0.0.1", server.port), timeout=300) as listening:
        listening.sendall(
            f"GET /api/sessions/{identity}/events HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\n"
            f"Authorization: Bearer {server.bearer}\r\n\r\n".encode()
        )
        assert b"text/event-stream" in listening.recv(4096)
        before = time.monotonic()
        assert server.end() == 0
        # Two seconds on a machine that is idle; a loaded one takes longer to end any process.
        assert time.monotonic() - before < 6.0
    again = serve("--port", str(server.port))
    row = next(row for row in again.ask("/api/sessions") if row["id"] == identity)
    assert row["state"] in {"stopped", "ended"}
    if row["state"] == "stopped":
        again.ask(f"/api/sessions/{identity}/commands", {"command": "stop"})
    assert finished(again, identity)["state"] == "ended"


def test_nothing_that_python_would_wait_for_keeps_it_from_ending(
    serve: Callable[..., Server], documents: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Taking a large process down in good order may last; here it would last for ever.
    slow = "import atexit, threading, time\natexit.register(time.sleep, 3600)\n"
    slow += "threading.Thread(target=time.sleep, args=(3600,)).start()\n"
    (tmp_path / "slow").mkdir()
    (tmp_path / "slow" / "sitecustomize.py").write_text(slow)
    monkeypatch.setenv("PYTHONPATH", str(tmp_path / "slow"))
    server = serve()
    for number in range(3):
        order = {"topic": f"Why do cities flood ({number})?", "docs": [str(documents)], "offline": True}
        server.ask("/api/sessions", {**order, "turns": 200})
    assert server.end() == 0


def finished(server: Server, identity: str) -> dict[str, object]:
    end = time.monotonic() + 300
    while time.monotonic() < end:
        row: dict[str, object] = server.ask(f"/api/sessions/{identity}")
        assert not row["trouble"], row
        if row["state"] == "ended" and not row["here"]:
            return row
        time.sleep(0.05)
    raise AssertionError(row)


def test_one_more_person_is_invited_while_it_runs(server: Server) -> None:
    told = run_command(server.home, "serve", "--invite", "--port", str(server.port))
    link = told.stdout.strip()
    assert not told.stderr
    elsewhere = run_command(server.home, "serve", "--invite", "--port", "1")
    assert "no server answers at 127.0.0.1:1 now" in elsewhere.stderr
    # The link of another home folder would lead to a server that does not know it.
    other = run_command(server.home.with_name("other"), "serve", "--invite", "--port", str(server.port))
    assert (other.returncode, other.stdout) == (2, "")
    assert f"the server at 127.0.0.1:{server.port} does not take a link from this home folder" in other.stderr
    assert link.startswith(f"{server.base}/?token=")
    first, second = server.join(), server.join(link)
    assert first != second
    for cookie in (first, second):
        assert server.request("GET", "/api/sessions", headers={"Cookie": cookie})[0] == 200
    assert server.request("GET", link.removeprefix(server.base))[0] == 401


def test_a_cookie_is_good_after_a_restart(serve: Callable[..., Server]) -> None:
    server = serve()
    cookie = server.join()
    server.end()
    again = serve("--port", str(server.port))
    assert again.request("GET", "/api/sessions", headers={"Cookie": cookie})[0] == 200


def test_everything_can_be_downloaded_and_nothing_is_shown_in_our_origin(
    server: Server, documents: Path
) -> None:
    order = {"topic": "Why do cities flood?", "docs": [str(documents)], "offline": True, "turns": 4}
    identity = server.ask("/api/sessions", order)["id"]
    finished(server, identity)
    offered = server.ask("/api/setup")["downloads"]
    bearer = {"Authorization": f"Bearer {server.bearer}"}
    for kind, names in offered.items():
        for name in names:
            path = f"/api/sessions/{identity}/{kind}/{name}"
            status, headers, data = server.request("GET", path, headers=bearer)
            assert status == 200, (kind, name, data)
            assert headers["content-disposition"].startswith("attachment"), (kind, name)
            assert headers["content-type"] == "application/octet-stream"
            assert data
    bad = server.request("GET", f"/api/sessions/{identity}/files/.roundtable", headers=bearer)
    assert bad[0] == 422
    sources = server.ask(f"/api/sessions/{identity}/sources")
    first = sources[0]["passages"][0]
    passage = server.ask(f"/api/sessions/{identity}/passages/{first}")
    assert passage["text"]
    assert json.dumps(passage)
