"""A disk that fails at any of the calls that write: one line is said, nothing is lost, and it goes on after.

The calls fail in the C library (`disk/faulty_disk.c`, by LD_PRELOAD), under SQLite and Python alike: once,
three times, or from then on for ever. With ROUNDTABLE_FAULTS=all at 200 calls, else at a few of each error.
"""

import contextlib
import errno
import json
import os
import random
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from tests.faults.town import THINGS, TOPIC, write_documents

_HERE = Path(__file__).parent
_ROOT = _HERE.parents[2]
ERRORS = {"no space": errno.ENOSPC, "no disk": errno.EIO, "read only": errno.EROFS, "half written": 0}
PLACES = 50 if os.environ.get("ROUNDTABLE_FAULTS") == "all" else 4
FOR_EVER = 1_000_000

pytestmark = pytest.mark.slow


@dataclass(frozen=True)
class Machine:
    """A process under the failing disk, which runs commands."""

    process: subprocess.Popen[str]
    documents: Path
    meanings: Path
    """What is kept of what texts mean, most of it: what is missing is worked out and written in each home."""

    def run(
        self, home: Path, *words: object, first: int = 0, many: int = 0, error: int = 0
    ) -> dict[str, Any]:
        """Run a command; its writing calls below the home fail from the first-th on. 0: none does."""
        order = {
            "root": str(home), "first": first, "many": many, "error": error,
            "arguments": list(map(str, words)),
            "environment": {
                "ROUNDTABLE_HOME": str(home / "rt"), "ROUNDTABLE_MEANINGS": str(home / "meanings.sqlite"),
            },
        }  # fmt: skip
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.write(json.dumps(order) + "\n")
        self.process.stdin.flush()
        said: dict[str, Any] = json.loads(self.process.stdout.readline())
        return said

    def begin(self, home: Path, *more: str, **faults: int) -> dict[str, Any]:
        """Begin a session with its files in the same home."""
        home.mkdir(exist_ok=True)
        if self.meanings.exists() and not (home / "meanings.sqlite").exists():
            shutil.copyfile(self.meanings, home / "meanings.sqlite")
        flags = ["--offline", "--model", "embedded", "--turns", "3", "--plain", "--out", home / "out", *more]
        return self.run(home, "run", TOPIC, "--docs", self.documents, *flags, **faults)


@pytest.fixture(scope="module")
def machine(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Machine]:
    if not sys.platform.startswith("linux") or shutil.which("cc") is None:
        pytest.skip("calls are made to fail by a C compiler and LD_PRELOAD")
    folder = tmp_path_factory.mktemp("disk")
    library = folder / "faulty_disk.so"
    line = ["cc", "-shared", "-fPIC", "-o", str(library), str(_HERE / "faulty_disk.c"), "-ldl"]
    subprocess.run(line, check=True)
    with subprocess.Popen(
        [sys.executable, "-m", "tests.faults.disk.on_a_faulty_disk"], cwd=_ROOT, text=True,
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, env={**os.environ, "LD_PRELOAD": str(library)},
    ) as process:  # fmt: skip
        yield Machine(process, write_documents(folder / "documents", THINGS[:3]), folder / "meanings.sqlite")
        process.stdin.close()  # type: ignore[union-attr]


@pytest.fixture(scope="module")
def calls(machine: Machine, tmp_path_factory: pytest.TempPathFactory) -> int:
    """How many calls of a whole session write, where most is known of what its texts mean."""
    home = tmp_path_factory.mktemp("whole")
    assert machine.begin(home / "first")["code"] == 0
    with contextlib.closing(sqlite3.connect(home / "first" / "meanings.sqlite")) as kept:
        kept.execute("DELETE FROM vectors WHERE rowid % 8 = 0")
        kept.commit()
        kept.execute("PRAGMA journal_mode = DELETE")  # the copy is one file
    shutil.copyfile(home / "first" / "meanings.sqlite", machine.meanings)
    whole = machine.begin(home / "home")
    assert whole["code"] == 0, whole["err"]
    assert whole["calls"] > 200
    return int(whole["calls"])


@pytest.mark.parametrize("named", ERRORS)
@pytest.mark.parametrize("place", range(PLACES))
def test_a_write_that_fails(named: str, place: int, machine: Machine, calls: int, tmp_path: Path) -> None:
    chance = random.Random(f"{named} {place}")
    first, many = chance.randrange(1, calls + 1), chance.choice([1, 3, FOR_EVER])
    home = tmp_path / "home"
    failed = machine.begin(home, first=first, many=many, error=ERRORS[named])
    where = f"{named} from call {first} of {calls}, {many} times: {failed}"
    assert failed["code"] in {0, 1, 2, 3}, where
    assert "unexpected error" not in failed["err"], where
    assert len(failed["err"].strip().splitlines()) == (failed["code"] != 0), where
    listed = machine.run(home, "list", "--json")
    assert listed["code"] == 0, where
    # The disk is well again.
    again = (
        machine.run(home, "resume", "last", "--plain")
        if json.loads(listed["out"])
        else machine.begin(home, "--force")
    )
    assert again["code"] == 0, f"{where}; then {again}"
    turns = [json.loads(line)["n"] for line in (home / "out" / "transcript.jsonl").read_text().splitlines()]
    assert turns == list(range(1, len(turns) + 1))
    assert (home / "out" / "report.md").exists()
