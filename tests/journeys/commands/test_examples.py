"""The examples run as they stand, from the command line, on the documentation of Python."""

import re
import runpy
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.model_server import Asked, ModelServer

EXAMPLES = Path(__file__).parents[3] / "examples"
TOPIC = "How are exceptions handled?"


@pytest.fixture
def run(
    tmp_path: Path,
    python_indexed: Callable[[Path], Path],
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> Callable[..., str]:
    """Run an example as the program that it is, and return what it wrote."""

    def running(name: str, **environment: str) -> str:
        given = {"ROUNDTABLE_HOME": str(python_indexed(tmp_path)), "ROUNDTABLE_MODERATOR__TURNS": "3"}
        for variable, value in {**given, **environment}.items():
            monkeypatch.setenv(variable, value)
        monkeypatch.setattr(sys, "argv", [name, TOPIC])
        runpy.run_path(str(EXAMPLES / name), run_name="__main__")
        return capsys.readouterr().out

    return running


def test_every_example_is_short_and_run_here():
    files = sorted(file.name for file in EXAMPLES.glob("*.py"))
    assert files == ["agent_as_expert.py", "table_as_team.py"]
    for name in files:
        lines = (EXAMPLES / name).read_text().split('"""', 2)[2].strip().splitlines()
        assert sum(bool(line.strip()) for line in lines) <= 20


def test_the_table_as_a_team(run: Callable[..., str]):
    shown = run("table_as_team.py")
    assert shown.count("---------- TextMessage (") == 5  # the task, three turns, the report
    assert re.search(r"^\[\d+\.\d+\] .* — python:", shown, re.MULTILINE)
    assert f"# {TOPIC}" in shown


@pytest.mark.loopback
def test_an_agent_as_an_expert(run: Callable[..., str]):
    def reply(asked: Asked) -> str | None:
        if "one of its experts, and answer one question" not in asked.prompt:
            return None
        return f"It costs a traceback [{re.findall(r'id=.(p[0-9]+)', asked.material)[0]}]. TERMINATE"

    with ModelServer(reply=reply) as server:
        keys = {"OPENAI_API_KEY": "test", "OPENAI_BASE_URL": server.url}
        shown = run("agent_as_expert.py", **keys)
    assert re.search(r"^Skeptic: It costs a traceback \[p\d+\]\.$", shown, re.MULTILINE)
    assert len(re.findall(r"^\S.*: .*\[p\d+\]", shown, re.MULTILINE)) >= 3
    assert "roundtable show " in shown
