"""A model that fails at an audit or a comparison: it is told, and words alone judge what is left."""

import json
from pathlib import Path

import pytest

import models.client.reply_transport
from roundtable.__main__ import run
from tests.faults.models.test_model_faults import FAULTS, STOPS, said_of
from tests.model_server import ModelServer

pytestmark = pytest.mark.loopback
PAPER = """# Floods

The flood of 2016 reached 18.6 metres at the old bridge of Asterby [1]. Nobody had warned the lower town [1].

## References

1. Chronicle of the flood. 2016.
"""
SOURCE = """# Chronicle of the flood

The flood of 2016 reached 18.6 metres at the old bridge of Asterby. The lower town was warned at two o'clock.
The mill at Asterby stood under water for nine days.
"""


@pytest.fixture
def asked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> dict[str, list[str]]:
    """What is run, by its command."""
    monkeypatch.setenv("ROUNDTABLE_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("OPENAI_API_KEY", "sk-planted")
    monkeypatch.setattr(models.client.reply_transport, "LARGEST_REPLY", 300_000)
    (tmp_path / "paper.md").write_text(PAPER)
    (tmp_path / "documents").mkdir()
    (tmp_path / "documents" / "chronicle.md").write_text(SOURCE)
    given = ["--docs", str(tmp_path / "documents"), "--offline", "--model", "openai:test-model"]
    return {
        "audit": ["audit", str(tmp_path / "paper.md"), *given],
        "compare": ["compare", "--of", "the old bridge, the mill", "--by", "flood of 2016, warned", *given],
    }


@pytest.mark.slow
@pytest.mark.parametrize("command", ["audit", "compare"])
def test_every_fault_of_a_model(
    command: str,
    asked: dict[str, list[str]],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setenv("ROUNDTABLE_MODELS__TIMEOUT", "5")
    monkeypatch.setenv("ROUNDTABLE_MODELS__TOTAL_TIMEOUT", "20")
    monkeypatch.setenv("ROUNDTABLE_MODELS__RETRIES", "1")
    for number, (fault, (trouble, end, words)) in enumerate(FAULTS.items()):
        if number % 6 != len(command) % 6:
            continue
        out = tmp_path / f"{command}-{number}"
        with ModelServer(troubles=lambda *_, trouble=trouble: trouble) as server:
            code = run([*asked[command], "--base-url", server.url, "--out", str(out)])
            assert server.requests, fault
        told = capsys.readouterr()
        assert "Traceback" not in told.err, fault
        assert code in (0, 1), (fault, told.err)
        notices = [line for line in told.err.splitlines() if line.startswith("roundtable: ")]
        if end == STOPS:
            assert any(said_of(notice, words) for notice in notices), (fault, told.err)
        files = {path.name: path.read_bytes() for path in out.iterdir()}
        assert b"sk-planted" not in b"".join([told.out.encode(), told.err.encode(), *files.values()])
        done = json.loads(files["audit.json" if command == "audit" else "comparison.json"])
        assert done["claims" if command == "audit" else "rows"], fault
