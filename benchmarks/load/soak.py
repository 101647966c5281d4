"""Many short sessions, one after another, in one server: what it holds on to.

    python -m benchmarks.load.soak [--sessions 1000] [--json FILE]

Each session has documents of its own, so that nothing is had again from a session before; when it has ended
it is looked at once, as the page does. Memory is what the process holds after a collection of garbage. The
full soak takes twenty minutes of a processor; a short one by counts of objects is a test.
"""

import argparse
import asyncio
import gc
import json
import tempfile
import time
from dataclasses import asdict, dataclass
from pathlib import Path

from benchmarks.inputs.made import SUBJECTS, page
from roundtable.session.factory import Runtime
from roundtable.web.hosting.session_manager import SessionManager
from roundtable.web.schemas import NewSession

DOCUMENTS, TURNS = 1, 1
"""The shortest session that does what a longer one does: it reads, answers, places in the map, reports."""
_EVERY = 50
"""Sessions between two looks at the memory."""


@dataclass(frozen=True, slots=True)
class Held:
    """What a server holds after so many sessions."""

    sessions: int
    megabytes: float
    """Resident."""
    objects: int
    """That the garbage collector follows."""
    open_files: int
    threads: int
    seconds: float
    """Since the first session."""


def held(sessions: int, began: float) -> Held:
    """Look at this process."""
    gc.collect()
    status = Path("/proc/self/status").read_text(encoding="ascii").split()
    return Held(
        sessions, round(int(status[status.index("VmRSS:") + 1]) / 1000, 1), len(gc.get_objects()),
        len(list(Path("/proc/self/fd").iterdir())), int(status[status.index("Threads:") + 1]),
        round(time.monotonic() - began, 1),
    )  # fmt: skip


def _write(folder: Path, number: int) -> None:
    folder.mkdir()
    for place in range(DOCUMENTS):
        made = page(number * DOCUMENTS + place, paragraphs=2, edition=number)
        (folder / f"{made.name}.md").write_text(made.text, encoding="utf-8")


async def play(manager: SessionManager, number: int, folder: Path) -> None:
    """Run one session on new documents to its end, and look at it then."""
    _write(folder, number)
    topic = f"How do {SUBJECTS[number % len(SUBJECTS)]} protect river towns ({number})?"
    wanted = {"topic": topic, "docs": [str(folder)], "offline": True, "model": "embedded", "turns": TURNS}
    identity = await manager.begin(NewSession.model_validate(wanted))
    while identity in manager.running_here():  # noqa: ASYNC110 - as whoever asks a server would
        await asyncio.sleep(0.01)
    state = await manager.state(identity)
    if state.report is None:
        raise RuntimeError(f"session {number} has no report: {manager.stands(manager.row(identity))}")


async def soak(sessions: int, home: Path, *, every: int = _EVERY) -> list[Held]:
    """Run sessions one after another; return what was held after every few of them."""
    manager = SessionManager(Runtime(home=home, environment={}))
    found, began = list[Held](), time.monotonic()
    for number in range(1, sessions + 1):
        await play(manager, number, home / f"documents-{number}")
        if number % every == 0:
            found.append(held(number, began))
            print(asdict(found[-1]), flush=True)
    await manager.close()
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sessions", type=int, default=1000)
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the figures there, too")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as home:
        found = asyncio.run(soak(given.sessions, Path(home)))
    if given.json:
        given.json.write_text(json.dumps([asdict(each) for each in found], indent=1) + "\n")


if __name__ == "__main__":
    main()
