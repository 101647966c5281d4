"""What a session costs, as far as it does not depend on the machine: requests, tokens, imports.

The bounds are ceilings: lowered when something gets cheaper, raised on purpose only.
"""

import asyncio
import json
import subprocess
import sys
from pathlib import Path

import pytest

from benchmarks.inputs.loopback import NONE, Loopback
from benchmarks.speed.session import TURNS, WARM, Measured, play

ROOT = Path(__file__).resolve().parent.parent.parent
HEAVY = ("autogen_core", "openai", "scipy", "trafilatura", "networkx", "httpx2", "numpy")


@pytest.fixture(scope="module")
def measured(tmp_path_factory: pytest.TempPathFactory) -> Measured:
    """One session against the servers that the benchmark uses, without their delays."""
    with Loopback(NONE) as loopback:
        found = asyncio.run(play(loopback, TURNS, tmp_path_factory.mktemp("home")))
    found.counted = loopback.counted
    return found


@pytest.mark.loopback
@pytest.mark.slow
def test_a_session_takes_few_requests_and_no_more_than_the_server_counts(measured: Measured) -> None:
    assert measured.requests == measured.counted["requests"]
    assert measured.requests <= 45
    assert measured.tasks["plan_panel"].requests <= 2
    assert measured.tasks["place_notes"].requests <= 7, "one a step, judging included"
    assert measured.tasks["write_sections"].requests <= 3
    assert measured.tasks["judge_section"].requests <= 4
    assert measured.stages["report"].requests <= 13


@pytest.mark.loopback
@pytest.mark.slow
def test_a_session_takes_few_prompt_tokens_and_no_embeddings(measured: Measured) -> None:
    assert measured.prompt_tokens == measured.counted["prompt_tokens"]
    assert measured.prompt_tokens <= 90_000, "the depth that is standard"
    respond = measured.tasks["respond"]
    assert respond.prompt_tokens <= 3_600 * respond.requests, "an expert's prompt"
    assert measured.counted["other_requests"] == 0, "no embedding is asked for by default"


@pytest.mark.loopback
@pytest.mark.slow
def test_the_moderator_asks_and_every_answer_is_judged(measured: Measured) -> None:
    """What is counted is a whole session: cheap because it asks together, and leaves nothing out."""
    assert measured.tasks["respond"].requests == WARM + TURNS - 3
    assert measured.tasks["ask_question"].requests == 2
    assert measured.judged >= WARM + TURNS - 3, "two are questions; to what is answered whole nobody adds"


@pytest.mark.loopback
@pytest.mark.slow
def test_requests_of_one_stage_go_out_together(measured: Measured) -> None:
    assert measured.counted["most_in_flight"] >= 2  # of the experts of the warm start; how many more is luck


@pytest.mark.parametrize("command", [["--help"], ["run", "--help"], ["list", "--help"]])
def test_help_imports_nothing_heavy(command: list[str]) -> None:
    program = (
        "import sys, json\n"
        "from roundtable.__main__ import main\n"
        f"sys.argv = ['roundtable', *{command!r}]\n"
        "try:\n    main()\nexcept SystemExit:\n    pass\n"
        f"print(json.dumps([name for name in {HEAVY!r} if name in sys.modules]), file=sys.stderr)\n"
    )
    command_line = [sys.executable, "-c", program]
    ran = subprocess.run(command_line, cwd=ROOT, capture_output=True, text=True, check=True)
    assert json.loads(ran.stderr.splitlines()[-1]) == []
