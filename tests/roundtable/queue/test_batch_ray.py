"""A batch on a real cluster of Ray, whose process is killed in the middle."""

import json
import os
import signal
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from roundtable.batch.ray_engine import RayCluster
from roundtable.config.errors import InputError
from roundtable.journal.clock import SystemClock
from roundtable.journal.storage.journal_store import Journal
from tests.command_process import run_command
from tests.faults.town import THINGS, write_documents
from tests.foreign_project import foreign_project

pytest.importorskip("ray", reason="Ray is not installed: pip install 'roundtable[ray]'")
pytestmark = [pytest.mark.loopback, pytest.mark.slow, pytest.mark.timeout(1500)]
TOPICS = [f"What happened to the {thing} of Asterby?" for thing in THINGS[:2]]
"""One ends, and at the other the process is killed."""
PATIENCE = 500
"""Seconds for two sessions, of which each takes a second where nothing else is at work."""


def words(place: Path, out: str, *more: str) -> list[str]:
    told = ["batch", place / "topics.txt", "--docs", place / "documents", "--offline", "--turns", "2"]
    told += ["--out", place / out, "--name", "asterby", "--json", "--processes", "1", *more]
    return list(map(str, told))


def program(*words: str) -> list[str]:
    return [sys.executable, "-P", "-m", "roundtable", *words]


def environment(home: Path) -> dict[str, str]:
    return {**os.environ, "ROUNDTABLE_HOME": str(home), "PYTHONPATH": str(Path.cwd())}


def actors(home: Path) -> list[int]:
    """Return the processes of Ray that hold sessions of a home folder."""
    found = []
    for each in Path("/proc").iterdir():
        try:
            ours = f"ROUNDTABLE_HOME={home}".encode() in (each / "environ").read_bytes().split(b"\0")
            if ours and (each / "cmdline").read_bytes().startswith(b"ray::RaySessions"):
                found.append(int(each.name))
        except (OSError, ValueError):
            continue
    return found


def test_sessions_whose_process_on_the_cluster_is_killed_go_on_and_end_once(tmp_path: Path):
    write_documents(tmp_path / "documents", THINGS[:3])
    (tmp_path / "topics.txt").write_text("\n".join(TOPICS))
    home = tmp_path / "home"
    killed: list[int] = []
    ended: list[str] = []
    command = program(*words(tmp_path, "spread", "--on", "ray", "--retries", "4"))
    project, modules = foreign_project(tmp_path, ["roundtable", "library", "models"])
    with subprocess.Popen(
        command, env=environment(home), stdout=subprocess.PIPE, text=True, cwd=project
    ) as process:
        assert process.stdout is not None
        for line in process.stdout:
            told = json.loads(line) if line.startswith("{") else {}
            ended += [told["session"]] if told.get("status") == "ended" else []
            if ended and told.get("status") == "running" and not killed:
                killed = actors(home)
                for each in killed:
                    os.kill(each, signal.SIGKILL)
    assert process.returncode == 0
    assert killed
    assert not modules.exists(), modules.read_text()
    assert len(ended) == len(set(ended)) == len(TOPICS)
    with Journal(home / "journal.db", SystemClock()) as journal:
        kinds = {row.id: [item.event.kind for item in journal.read(row.id)] for row in journal.sessions()}
    assert all(each.count("session_started") == each.count("session_ended") == 1 for each in kinds.values())

    local = run_command(
        *words(tmp_path, "local"), env=environment(tmp_path / "other"), cwd=tmp_path, timeout=PATIENCE
    )
    assert local.returncode == 0, local.stdout + local.stderr
    assert f"{len(TOPICS)} ended" in local.stderr + local.stdout, local.stdout + local.stderr
    for report in (tmp_path / "local").glob("*/report.json"):
        undisturbed = json.loads(report.read_text())
        spread = json.loads((tmp_path / "spread" / report.parent.name / "report.json").read_text())
        assert [each["sentences"] for each in spread["sections"]] == [
            each["sentences"] for each in undisturbed["sections"]
        ]


def test_a_cluster_that_is_not_there_is_told(tmp_path: Path):
    write_documents(tmp_path / "documents", THINGS[:1])
    (tmp_path / "topics.txt").write_text(TOPICS[0])
    command = words(tmp_path, "out", "--address", "127.0.0.1:1")
    told = run_command(*command, env=environment(tmp_path / "home"))
    assert told.returncode == 2
    assert "say --on ray, too" in told.stderr


def test_a_cluster_that_does_not_listen_is_told_at_once(tmp_path: Path):
    write_documents(tmp_path / "documents", THINGS[:1])
    (tmp_path / "topics.txt").write_text(TOPICS[0])
    command = words(tmp_path, "out", "--on", "ray", "--address", "127.0.0.1:1")
    told = run_command(*command, env=environment(tmp_path / "home"), timeout=60)
    assert told.returncode == 2
    assert "--address 127.0.0.1:1: no cluster of Ray can be had" in told.stderr
    assert len(told.stderr.strip().splitlines()) <= 2, "none of Ray's own lines"


def test_a_node_that_cannot_run_roundtable_is_named_with_its_reason(tmp_path: Path):
    from ray.exceptions import RayActorError

    class Nodes:
        """A cluster of this machine whose actor could not be made."""

        def nodes(self) -> list[dict[str, object]]:
            return [{"Alive": True, "NodeManagerHostname": socket.gethostname()}]

        def wait(self, asked: list[object], **_: object) -> tuple[list[object], list[object]]:
            return asked, []

        def get(self, _: object) -> list[str]:
            said = "The actor died\n  far\nModuleNotFoundError: No module named 'roundtable'"
            raise RayActorError(error_msg=said)

    cluster = RayCluster.__new__(RayCluster)
    vars(cluster).update(_ray=Nodes(), _actors=[], _patience=1.0)
    with pytest.raises(InputError, match=r"No module named 'roundtable'\): install it there"):
        cluster._agree()
