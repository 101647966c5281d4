"""The command killed in a session: nothing that was committed is lost, and nothing is done twice.

`tests/faults/processes/test_killed.py` kills all over a session; here it is `run` and `resume` as people type
them.
"""

import json
import os
import signal
import subprocess
from pathlib import Path

import pytest

from tests.command_process import Command, run_command

TOPIC = "青河镇的洪水与重建"


def run_flags(documents: Path, out: Path) -> list[str]:
    flags = ["--docs", str(documents), "--offline", "--model", "embedded", "--turns", "6", "--out", str(out)]
    return ["run", TOPIC, *flags, "--json"]


@pytest.mark.slow
@pytest.mark.parametrize("after", [12])
def test_a_session_killed_with_sigkill_resumes_and_has_each_turn_once(
    after: int, tmp_path: Path, chinese_documents: Path
) -> None:
    environment = {**os.environ, "ROUNDTABLE_HOME": str(tmp_path / "home"), "PYTHONUNBUFFERED": "1"}
    whole, cut = tmp_path / "whole", tmp_path / "cut"
    ended = run_command(*run_flags(chinese_documents, whole), env=environment)
    assert ended.returncode == 0, ended.stderr

    begun = run_flags(chinese_documents, cut)
    with Command(*begun, env=environment, stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        for line in process.stdout:
            if json.loads(line)["n"] >= after:
                os.kill(process.pid, signal.SIGKILL)
                break
        process.wait(30)
    assert process.returncode == -signal.SIGKILL
    assert not (cut / "report.md").exists()

    resumed = run_command("resume", "last", env=environment)
    assert resumed.returncode == 0, resumed.stderr
    turns = [json.loads(line) for line in (cut / "transcript.jsonl").read_text().splitlines()]
    expected = [json.loads(line) for line in (whole / "transcript.jsonl").read_text().splitlines()]
    assert [turn["n"] for turn in turns] == list(range(1, len(expected) + 1))
    assert [(t["speaker"], t["text"]) for t in turns] == [(t["speaker"], t["text"]) for t in expected]
    for name in ("mindmap.json", "report.md"):
        assert (cut / name).read_text() == (whole / name).read_text()
