"""Two servers behind nginx on one PostgreSQL, many who follow, and one server killed in the middle.

    python -m benchmarks.load.team [--sessions 8] [--followers 40] [--workers 2]
        [--documents 60] [--turns 3] [--nginx PROGRAM] [--json FILE]

Everything is on this machine. Sessions use the embedded model over made documents; each server begins some,
and runs them itself or, with workers, puts them into the queue: then one worker is killed, too. Who follows
connects through nginx, without stickiness, and comes back with the number of the last event.
"""

import argparse
import contextlib
import http.client
import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from benchmarks.inputs.made import SUBJECTS
from benchmarks.speed.documents import write
from roundtable.journal.clock import SystemClock
from roundtable.journal.storage.journal_store import Journal
from roundtable.web.access.keys import Keys
from tests.postgres_server import PostgresServer

NGINX = shutil.which("nginx") or "/usr/sbin/nginx"
_NGINX = """
worker_processes 1; daemon off; pid {folder}/nginx.pid; error_log {folder}/error.log;
events {{ worker_connections 512; }}
http {{
    access_log off; client_body_temp_path {folder}/body; proxy_temp_path {folder}/proxy;
    fastcgi_temp_path {folder}/f; uwsgi_temp_path {folder}/u; scgi_temp_path {folder}/s;
    upstream roundtable {{ server 127.0.0.1:{one}; server 127.0.0.1:{two}; }}
    server {{
        listen 127.0.0.1:{port};
        location / {{
            proxy_pass http://roundtable;
            proxy_set_header Host $http_host;
            proxy_http_version 1.1;
            proxy_set_header Connection "";
            proxy_buffering off;
            proxy_read_timeout 1h;
        }}
    }}
}}
"""


@dataclass
class Follower:
    """What one who follows has seen."""

    identity: str
    numbers: list[int] = field(default_factory=list)
    reconnects: int = 0
    ended: bool = False

    @property
    def whole(self) -> bool:
        """Whether all came, once, and in order."""
        return self.ended and self.numbers == list(range(1, len(self.numbers) + 1))


def free_port() -> int:
    """Return a port that nobody listens on."""
    with socket.create_server(("127.0.0.1", 0)) as found:
        return int(found.getsockname()[1])


def request(port: int, token: str, path: str, body: object = None) -> Any:
    """Ask as a script does."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
    headers = {"Authorization": f"Bearer {token}", "Content-Type": "application/json"}
    data = None if body is None else json.dumps(body)
    connection.request("GET" if body is None else "POST", path, body=data, headers=headers)
    answer = connection.getresponse()
    told = answer.read()
    connection.close()
    if answer.status >= 300:
        raise RuntimeError(f"{path}: {answer.status} {told[:200]!r}")
    return json.loads(told)


def wait_for(port: int) -> None:
    """Return when a server takes requests."""
    for _ in range(300):
        with contextlib.suppress(OSError, http.client.HTTPException):
            connection = http.client.HTTPConnection("127.0.0.1", port, timeout=10)
            with contextlib.closing(connection):
                connection.request("GET", "/healthz")
                with connection.getresponse() as answer:
                    if answer.status == 200:
                        return
        time.sleep(0.2)
    raise SystemExit(f"nothing answers at port {port}")


def follow(port: int, token: str, seen: Follower, until: float) -> None:
    """Follow a session through the proxy, and come back when the connection breaks, until it has ended."""
    while not seen.ended and time.monotonic() < until:
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=40)
        last = str(seen.numbers[-1] if seen.numbers else 0)
        headers = {"Authorization": f"Bearer {token}", "Last-Event-ID": last}
        with contextlib.closing(connection), contextlib.suppress(OSError, http.client.HTTPException):
            connection.request("GET", f"/api/sessions/{seen.identity}/events", headers=headers)
            with connection.getresponse() as answer:
                read(answer, seen)
        seen.reconnects += not seen.ended
        time.sleep(0.2)


def read(answer: http.client.HTTPResponse, seen: Follower) -> None:
    """Note the events of a stream until its session has ended, or it breaks."""
    name = ""
    while not seen.ended and (line := answer.readline()):
        if line.startswith(b"event: "):
            name = line[7:].strip().decode()
        elif line.startswith(b"data: ") and name == "events":
            events = json.loads(line[6:])
            seen.numbers += [each["n"] for each in events]
            seen.ended = any(each["event"]["kind"] == "session_ended" for each in events)


@contextlib.contextmanager
def program(folder: Path, name: str, address: str, *words: str) -> Iterator[subprocess.Popen[str]]:
    """Run a server or a worker, with a home of its own and the folder that all share."""
    environment = {
        **os.environ, "ROUNDTABLE_HOME": str(folder / name), "ROUNDTABLE_SHARED": str(folder / "shared"),
        "ROUNDTABLE_DATABASE": address,
    }  # fmt: skip
    process = subprocess.Popen(
        [sys.executable, "-P", "-m", "roundtable", *words], env=environment, text=True,
        stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
    )  # fmt: skip
    assert process.stdout is not None
    if not (said := process.stdout.readline().strip()).startswith(("http://", "Worker")):
        raise SystemExit(f"{words[0]} did not begin: {said}")
    try:
        yield process
    finally:
        process.kill()
        process.wait()
        process.stdout.close()


def ended_once(address: str) -> int:
    """Return how many sessions were begun and have ended exactly once."""
    with Journal(address, SystemClock()) as journal:
        kinds = [[each.event.kind for each in journal.read(row.id)] for row in journal.sessions()]
    return sum(each.count("session_started") == each.count("session_ended") == 1 for each in kinds)


@dataclass(frozen=True, slots=True)
class Team:
    """How many of what."""

    sessions: int = 8
    followers: int = 40
    workers: int = 2
    """0: the servers run sessions themselves."""
    documents: int = 60
    turns: int = 3


def measure(folder: Path, address: str, nginx: str, team: Team) -> dict[str, Any]:
    """Run it; return what became of it."""
    sessions, followers, workers = team.sessions, team.followers, team.workers
    docs = folder / "docs"
    docs.mkdir()
    write(docs, team.documents)
    one, two, outside = free_port(), free_port(), free_port()
    (folder / "nginx.conf").write_text(_NGINX.format(folder=folder, one=one, two=two, port=outside))
    with contextlib.ExitStack() as running:
        handing = ["--workers"] if workers else []
        words = ["serve", *handing, "--url", f"http://127.0.0.1:{outside}", "--port"]
        first = running.enter_context(program(folder, "one", address, *words, str(one)))
        running.enter_context(program(folder, "two", address, *words, str(two)))
        at_work = [
            running.enter_context(program(folder, f"worker{n}", address, "worker", "--sessions", "2"))
            for n in range(workers)
        ]
        proxy = subprocess.Popen([nginx, "-p", str(folder), "-c", str(folder / "nginx.conf")])
        running.callback(proxy.wait)
        running.callback(proxy.send_signal, signal.SIGTERM)
        key = Keys(folder / "shared").bearer()
        for port in (one, two, outside):
            wait_for(port)
        begun, names = time.perf_counter(), []
        for n in range(sessions):
            order: dict[str, Any] = {
                "topic": f"How do {SUBJECTS[n % len(SUBJECTS)]} protect river towns ({n})?"
            }
            order |= {"docs": [str(docs)], "offline": True, "turns": team.turns, "model": "embedded"}
            names.append(request(outside, key, "/api/sessions", order)["id"])
        seen = [Follower(names[n % sessions]) for n in range(followers)]
        until = time.monotonic() + 900
        following = [threading.Thread(target=follow, args=(outside, key, each, until)) for each in seen]
        for thread in following:
            thread.start()
        while sum(each.ended for each in seen) < followers // 4 and time.monotonic() < until:
            time.sleep(0.2)
        rows = request(one, key, "/api/sessions")
        here = sum(row["here"] for row in rows)
        running_then = sum(row["state"] == "running" for row in rows)
        first.kill()
        if at_work:
            at_work[0].kill()
        killed = time.perf_counter()
        for thread in following:
            thread.join()
        rows = request(two, key, "/api/sessions")
        return {
            "sessions": sessions,
            "followers": followers,
            "ended": sum(row["state"] == "ended" for row in rows),
            "once": ended_once(address),
            "whole": sum(each.whole for each in seen),
            "reconnects": sum(each.reconnects for each in seen),
            "workers": workers,
            "on_the_killed_server": here,
            "not_ended_at_the_kill": running_then,
            "seconds": time.perf_counter() - begun,
            "after_the_kill": time.perf_counter() - killed,
        }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    for name in (usual := asdict(Team())):
        parser.add_argument(f"--{name}", type=int, default=usual[name])
    parser.add_argument("--nginx", default=NGINX, metavar="PROGRAM")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the figures there, too")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder, PostgresServer.running() as database:
        place, address = Path(folder), database.database()
        found = measure(place, address, given.nginx, Team(**{name: getattr(given, name) for name in usual}))
    print(found)
    if given.json:
        given.json.write_text(json.dumps(found, indent=1) + "\n")


if __name__ == "__main__":
    main()
