"""The examples run as they stand, from the command line, on the documentation of Python."""

import os
import re
import runpy
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.model_server import Asked, ModelServer

EXAMPLES = Path(__file__).parents[3] / "examples"
TOPIC = "How are exceptions handled?"


@pytest.fixture
def home_with_python(tmp_path: Path, python_indexed: Callable[[Path], Path]) -> Path:
    return python_indexed(tmp_path)


def test_every_example_is_short_and_run_here():
    files = sorted(file.name for file in EXAMPLES.glob("*.py"))
    assert files == ["agent_as_expert.py", "table_as_team.py"]
    for name in files:
        lines = (EXAMPLES / name).read_text().split('"""', 2)[2].strip().splitlines()
        assert sum(bool(line.strip()) for line in lines) <= 20


def test_the_table_as_a_team(
    home_with_python: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    monkeypatch.setenv("ROUNDTABLE_HOME", str(home_with_python))
    monkeypatch.setenv("ROUNDTABLE_MODERATOR__TURNS", "3")
    monkeypatch.setattr(sys, "argv", ["table_as_team.py", TOPIC])
    runpy.run_path(str(EXAMPLES / "table_as_team.py"), run_name="__main__")
    shown = capsys.readouterr().out
    assert shown.count("---------- TextMessage (") == 5  # the task, three turns, the report
    assert re.search(r"^\[\d+\.\d+\] .* — python:", shown, re.MULTILINE)
    assert f"# {TOPIC}" in shown


@pytest.mark.loopback
def test_an_agent_as_an_expert(home_with_python: Path):
    """In a process of its own, as the agent's client is left open to its end."""

    def reply(asked: Asked) -> str | None:
        if "one of its experts, and answer one question" not in asked.prompt:
            return None
        return f"It costs a traceback [{re.findall(r'id=.(p[0-9]+)', asked.material)[0]}]. TERMINATE"

    with ModelServer(reply=reply) as server:
        given = {
            **os.environ, "ROUNDTABLE_HOME": str(home_with_python), "ROUNDTABLE_MODERATOR__TURNS": "4",
            "OPENAI_API_KEY": "test", "OPENAI_BASE_URL": server.url,
        }  # fmt: skip
        done = subprocess.run(
            [sys.executable, EXAMPLES / "agent_as_expert.py", TOPIC], env=given, capture_output=True,
            text=True, check=False, timeout=300,
        )  # fmt: skip
    assert done.returncode == 0, done.stderr
    shown = done.stdout
    assert re.search(r"^Skeptic: It costs a traceback \[p\d+\]\.$", shown, re.MULTILINE)
    assert len(re.findall(r"^\S.*: .*\[p\d+\]", shown, re.MULTILINE)) >= 3
    assert "roundtable show " in shown
