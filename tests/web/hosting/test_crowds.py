"""Many connections, slow ones, large and deep bodies, files that stop in the middle: the server goes on."""

import contextlib
import http.client
import resource
import socket
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from roundtable.web.prompt_connection import HEAD_SECONDS, connections_served
from roundtable.web.serving import MOST_CONNECTIONS
from tests.web.conftest import Server

pytestmark = [pytest.mark.loopback, pytest.mark.slow]


@pytest.fixture
def server(serve: Callable[..., Server]) -> Server:
    return serve()


def opened(server: Server, sent: bytes) -> socket.socket:
    connection = socket.create_connection(("127.0.0.1", server.port), timeout=300)
    connection.sendall(sent)
    return connection


def status(server: Server) -> int:
    return server.request("GET", "/api/sessions", headers={"Authorization": f"Bearer {server.bearer}"})[0]


def test_those_who_send_half_a_request_do_not_keep_others_out(server: Server) -> None:
    head = f"GET / HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\nX-Slow: ".encode()
    whole = b"".join([head, b"1\r\n\r\n"])
    slow = [opened(server, head) for _ in range(MOST_CONNECTIONS - 5)]
    asked_before = opened(server, whole)
    assert asked_before.recv(100).startswith(b"HTTP/1.1 401")
    asked_before.sendall(head)
    time.sleep(0.5)
    first = status(server)
    crowd = [opened(server, b"") for _ in range(20)]
    time.sleep(0.5)
    assert status(server) == 503, "told to come later, and at once"
    deadline = time.monotonic() + 2 * HEAD_SECONDS + 300
    while status(server) != 200:
        assert time.monotonic() < deadline
        time.sleep(0.5)
    assert first == 200
    assert slow[0].recv(10) == b"", "it was ended"
    while asked_before.recv(65_536):
        pass  # it is ended as well, though it had asked once
    for each in [*slow, *crowd, asked_before]:
        each.close()


def test_a_thousand_streams_are_served_or_told_to_come_later(server: Server, documents: Path) -> None:
    order = {"topic": "Why do cities flood?", "docs": [str(documents)], "offline": True, "turns": 2}
    identity = server.ask("/api/sessions", {**order, "model": "embedded"})["id"]
    ask = (
        f"GET /api/sessions/{identity}/events HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\n"
        f"Authorization: Bearer {server.bearer}\r\n\r\n"
    ).encode()
    streams = [opened(server, ask) for _ in range(1000)]
    answers = [stream.recv(15) for stream in streams]
    served = sum(answer.startswith(b"HTTP/1.1 200") for answer in answers)
    turned_away = sum(answer.startswith(b"HTTP/1.1 503") for answer in answers)
    assert served + turned_away == 1000
    assert served
    for stream in streams:
        stream.close()
    deadline = time.monotonic() + 300
    while status(server) != 200:
        assert time.monotonic() < deadline
        time.sleep(0.2)
    while server.ask(f"/api/sessions/{identity}")["state"] != "ended":
        assert time.monotonic() < deadline
        time.sleep(0.2)
    assert server.process.poll() is None


BODIES = {
    "deep list": (b"[" * 90_000, 400),
    "deep object": (b'{"a":' * 19_000, 400),
    "long number": (b'{"topic": ' + b"9" * 90_000 + b"}", 400),
    "100 MB": (b" " * 100_000_000, 413),
    "half a letter": (b'{"topic": "\\ud800"}', 400),
}


def test_bodies_that_are_too_much(server: Server) -> None:
    headers = {"Authorization": f"Bearer {server.bearer}", "Content-Type": "application/json"}
    for named, (body, code) in BODIES.items():
        try:
            answered, _, said = server.request("POST", "/api/sessions", body, headers)
        except (ConnectionResetError, BrokenPipeError, http.client.HTTPException):
            answered, said = 413, b""  # it was not listened to any longer
        assert answered == code, (named, said)
        assert said.count(b"\n") <= 1
        assert status(server) == 200


NAMES = (
    "..%2F..%2Fescaped.md", "%2Fetc%2Fpasswd", "..", ".hidden.md", "a%00b.md", "-rf.md", "%E2%80%AEdm.exe",
    "C%3A%5Cx.md", "%0A%1B%5B2J.md", "x" * 300 + ".md", "%F0%9F%98%80" * 90 + ".md", "NUL", "%ff%fe.md",
)  # fmt: skip


def test_a_file_of_any_name_stays_in_its_folder(server: Server) -> None:
    headers = {"Authorization": f"Bearer {server.bearer}", "Content-Type": "application/octet-stream"}
    before = set(server.home.parent.rglob("*"))
    for collection in ("river", "..", "%2e%2e", ".", "a%2Fb"):
        for name in NAMES:
            place = f"/api/collections/{collection}/files/{name}"
            answered, _, said = server.request("POST", place, b"# River\n\nThe river rose.", headers)
            assert answered in {201, 404, 405, 422}, (place, said)
    after = {path for path in server.home.parent.rglob("*") if path.is_file()} - before
    brought = [path for path in after if not path.name.startswith(("journal.db", "library.sqlite"))]
    assert brought
    assert all("river" in path.relative_to(server.home).parts[:-1] for path in brought), brought
    assert all(path.name.isprintable() for path in brought)


def test_a_file_that_stops_in_the_middle_replaces_nothing(server: Server) -> None:
    headers = {"Authorization": f"Bearer {server.bearer}", "Content-Type": "application/octet-stream"}
    place = "/api/collections/river/files/notes.md"
    assert server.request("POST", place, b"# Notes\n\nThe river rose.", headers)[0] == 201
    [kept] = [path for path in server.home.rglob("notes.md") if path.is_file()]
    head = "".join(f"{name}: {value}\r\n" for name, value in headers.items())
    half = opened(
        server,
        f"POST {place} HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\n{head}"
        "Content-Length: 1000\r\n\r\n# N".encode(),
    )
    time.sleep(0.5)
    half.close()
    time.sleep(1.0)
    assert kept.read_text().endswith("The river rose.")
    assert [path.name for path in kept.parent.iterdir()] == ["notes.md"]


def test_those_who_say_nothing_take_no_files_from_the_sessions_at_work(
    server: Server, documents: Path
) -> None:
    resource.prlimit(server.process.pid, resource.RLIMIT_NOFILE, (620, 620))
    order = {"topic": "Why do cities flood?", "docs": [str(documents)], "offline": True, "turns": 2}
    identity = server.ask("/api/sessions", {**order, "model": "embedded"})["id"]
    silent = list[socket.socket]()
    for _ in range(1000):
        with contextlib.suppress(OSError):
            silent.append(opened(server, b""))
    open_files = Path(f"/proc/{server.process.pid}/fd")
    most = max(len(list(open_files.iterdir())) for _ in range(20) if time.sleep(0.1) is None)
    for each in silent:
        each.close()
    deadline = time.monotonic() + 300
    while status(server) != 200:
        assert time.monotonic() < deadline
        time.sleep(0.2)
    while (told := server.ask(f"/api/sessions/{identity}"))["state"] != "ended":
        assert not told.get("trouble")
        assert time.monotonic() < deadline
        time.sleep(0.2)
    assert most < 620


@pytest.mark.parametrize(("files", "served"), [(100, 16), (512, 192), (1_024, 400), (20_000, 400)])
def test_fewer_are_served_where_few_files_may_be_open(files: int, served: int) -> None:
    assert connections_served(MOST_CONNECTIONS, files) == served
