"""The examples run as they stand, from the command line, on the documentation of Python."""

import os
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.model_server import Asked, ModelServer

EXAMPLES = Path(__file__).parents[3] / "examples"
TOPIC = "How are exceptions handled?"


def run(name: str, home: Path, **environment: str) -> str:
    given = {**os.environ, "ROUNDTABLE_HOME": str(home), "ROUNDTABLE_MODERATOR__TURNS": "4", **environment}
    done = subprocess.run(
        [sys.executable, EXAMPLES / name, TOPIC], env=given, capture_output=True, text=True, check=False,
        timeout=240,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_every_example_is_short_and_run_here():
    files = sorted(file.name for file in EXAMPLES.glob("*.py"))
    assert files == ["agent_as_expert.py", "table_as_team.py"]
    for name in files:
        lines = (EXAMPLES / name).read_text().split('"""', 2)[2].strip().splitlines()
        assert sum(bool(line.strip()) for line in lines) <= 20


def test_the_table_as_a_team(tmp_path: Path, python_indexed: Callable[[Path], Path]):
    shown = run("table_as_team.py", python_indexed(tmp_path))
    assert shown.count("---------- TextMessage (") == 6  # the task, four turns, the report
    assert re.search(r"^\[\d+\.\d+\] .* — python:", shown, re.MULTILINE)
    assert f"# {TOPIC}" in shown


@pytest.mark.loopback
def test_an_agent_as_an_expert(tmp_path: Path, python_indexed: Callable[[Path], Path]):
    def reply(asked: Asked) -> str | None:
        if "one of its experts, and answer one question" not in asked.prompt:
            return None
        return f"It costs a traceback [{re.findall(r'id=.(p[0-9]+)', asked.material)[0]}]. TERMINATE"

    with ModelServer(reply=reply) as server:
        keys = {"OPENAI_API_KEY": "test", "OPENAI_BASE_URL": server.url}
        shown = run("agent_as_expert.py", python_indexed(tmp_path), **keys)
    assert re.search(r"^Skeptic: It costs a traceback \[p\d+\]\.$", shown, re.MULTILINE)
    assert len(re.findall(r"^\S.*: .*\[p\d+\]", shown, re.MULTILINE)) >= 3
    assert "roundtable show " in shown
