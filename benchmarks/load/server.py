"""Fifty sessions at once in one server, each watched over a socket: how late an event reaches who watches.

    python -m benchmarks.load.server [--sessions 50] [--latency 0.3] [--turns 6]

The server is a process of its own with sessions and the application that `roundtable serve` has; its model
follows a script and takes its time as one on a network does. The sessions are begun and watched from this
process, one connection each. How late an event is: from the time in the journal to its arrival here, as
clocks of one machine tell it, so that the commit to the disk, the server's loop and the socket count.
"""

import argparse
import asyncio
import json
import sys
import tempfile
import time
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path

from benchmarks.inputs.made import SUBJECTS
from benchmarks.speed.documents import write

_ROOT = Path(__file__).resolve().parents[2]
_PATIENCE = 600.0


@dataclass(frozen=True, slots=True)
class Watched:
    """What was seen of all sessions."""

    sessions: int
    ended: int
    seconds: float
    events: int
    late: list[float] = field(repr=False)
    """Seconds, of each event that was not there yet when its session was first looked at."""
    megabytes: float

    def share(self, part: float) -> float:
        """Return how late an event is that is later than so large a part of all."""
        return sorted(self.late)[min(len(self.late) - 1, int(part * len(self.late)))]


async def serve(home: Path, latency: float) -> None:
    """Serve until the standard input closes; say the port first, and the memory taken last."""
    import resource

    import uvicorn

    from library import TextStatistics
    from models import OutputT, Reply, ScriptedModel, Task
    from roundtable.session.factory import Runtime
    from roundtable.web.access.keys import Keys
    from roundtable.web.access.served_address import ServedAddress
    from roundtable.web.app import application
    from roundtable.web.hosting.session_thread import SessionThread
    from roundtable.web.serving import Serving, bind

    class Distant(ScriptedModel):
        async def ask(self, task: Task[OutputT]) -> Reply[OutputT]:
            await asyncio.sleep(latency)
            return await super().ask(task)

    around = Runtime(home=home, environment={}, model=Distant(otherwise=TextStatistics()))
    listening = bind(Serving(port=0))
    port = listening.getsockname()[1]
    keys = Keys(home)
    app = application(SessionThread(around), keys, ServedAddress(port))
    server = uvicorn.Server(uvicorn.Config(app, log_config=None, access_log=False, ws="none"))
    running = asyncio.create_task(server.serve(sockets=[listening]))
    print(json.dumps({"port": port, "bearer": keys.bearer()}), flush=True)
    await asyncio.to_thread(sys.stdin.read)
    server.should_exit = True
    await running
    print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1000, flush=True)


async def begin(port: int, bearer: str, order: dict[str, object]) -> str:
    """Begin a session; return its id."""
    body = json.dumps(order).encode()
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(
        f"POST /api/sessions HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nAuthorization: Bearer {bearer}\r\n"
        f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\nConnection: close\r\n\r\n".encode()
        + body
    )
    answer = await reader.read()
    writer.close()
    return str(json.loads(answer.partition(b"\r\n\r\n")[2])["id"])


async def watch(port: int, bearer: str, identity: str, late: list[float]) -> int:
    """Follow a session to its end; return how many events there were, each once and in order."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port, limit=2**26)
    writer.write(
        f"GET /api/sessions/{identity}/events HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n"
        f"Authorization: Bearer {bearer}\r\n\r\n".encode()
    )
    seen, first = 0, True
    try:
        while line := await reader.readline():
            if line.startswith(b'data: {"state":') and not (standing := json.loads(line[6:]))["here"]:
                # The stream stays open for a session that has stopped: nothing more would ever come.
                raise RuntimeError(f"{identity} has {standing['state']}: {standing['trouble'] or 'no word'}")
            if not line.startswith(b"data: ["):
                continue
            now = time.time()
            for recorded in json.loads(line[6:]):
                seen += 1
                if recorded["n"] != seen:
                    raise RuntimeError(f"{identity}: event {recorded['n']} came where {seen} was due")
                if not first:
                    late.append(now - datetime.fromisoformat(recorded["at"]).timestamp())
                if recorded["event"]["kind"] == "session_ended":
                    return seen
            first = False
    finally:
        writer.close()
    raise RuntimeError(f"the stream of {identity} ended after {seen} events")


async def measure(sessions: int, latency: float, turns: int, folder: Path) -> Watched:
    """Begin so many sessions at once and follow each to its end."""
    docs, home = folder / "docs", folder / "home"
    docs.mkdir()
    write(docs, 120)
    command = [sys.executable, "-m", "benchmarks.load.server", "--serve", str(home)]
    command += ["--latency", str(latency)]
    pipe = asyncio.subprocess.PIPE
    server = await asyncio.create_subprocess_exec(*command, cwd=_ROOT, stdin=pipe, stdout=pipe)
    assert server.stdout is not None
    told = json.loads(await server.stdout.readline())
    port, bearer = told["port"], told["bearer"]
    order = {"docs": [str(docs)], "offline": True, "turns": turns}
    late: list[float] = []

    async def follow(number: int, heard: list[float]) -> int:
        subject = SUBJECTS[number % len(SUBJECTS)]
        topic = f"How do {subject} protect river towns ({number})?"
        return await watch(port, bearer, await begin(port, bearer, {**order, "topic": topic}), heard)

    await follow(0, [])  # indexes the documents, imports what is needed
    started = time.perf_counter()
    async with asyncio.timeout(_PATIENCE):
        counts = await asyncio.gather(*(follow(n, late) for n in range(1, sessions + 1)))
    seconds = time.perf_counter() - started
    memory, _ = await server.communicate(b"")
    return Watched(sessions, len(counts), seconds, sum(counts), late, float(memory))


def run(sessions: int, latency: float, turns: int) -> Watched:
    """Measure in folders of its own."""
    with tempfile.TemporaryDirectory() as folder:
        return asyncio.run(measure(sessions, latency, turns, Path(folder)))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sessions", type=int, default=50)
    parser.add_argument("--latency", type=float, default=0.3, help="seconds of an answer")
    parser.add_argument("--turns", type=int, default=6)
    parser.add_argument("--serve", type=Path, help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.serve:
        asyncio.run(serve(given.serve, given.latency))
        return
    found = run(given.sessions, given.latency, given.turns)
    print(
        f"{found.sessions} at once in one server: {found.ended} ended in {found.seconds:.1f} s, "
        f"{found.events:,} events, {found.megabytes:.0f} MB; an event is late by "
        + ", ".join(f"{1000 * found.share(p):.0f} ms (p{100 * p:.0f})" for p in (0.5, 0.95, 0.99))
    )


if __name__ == "__main__":
    main()
