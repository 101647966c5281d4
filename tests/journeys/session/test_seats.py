"""Experts of a person's own choice, each with a model and a server of its own."""

import json
from pathlib import Path

import pytest

from roundtable.__main__ import run as main
from roundtable.config.errors import InputError
from roundtable.config.flags import given_settings, seat_of
from tests.journeys.research.research_world import document
from tests.model_server import ModelServer

TOPIC = "The harbour of Asterby"


@pytest.fixture
def harbour(tmp_path: Path) -> Path:
    folder = tmp_path / "harbour"
    folder.mkdir()
    for side in ("ferry", "dyke", "market"):
        (folder / f"{side}.md").write_text(document(side), encoding="utf-8")
    return folder


def test_an_expert_is_read_from_its_name_focus_model_and_server() -> None:
    assert seat_of("Warden: dykes: old and new @ openai:big at http://127.0.0.1:9/v1") == {
        "name": "Warden", "focus": "dykes: old and new", "model": "openai:big",
        "base_url": "http://127.0.0.1:9/v1",
    }  # fmt: skip
    assert seat_of("Warden @ ollama:qwen3:8b") == {"name": "Warden", "model": "ollama:qwen3:8b"}
    assert seat_of("守堤人: 堤坝") == {"name": "守堤人", "focus": "堤坝"}
    for wrong in ("agent.jsn", ": dykes", " @ openai:big"):
        with pytest.raises(InputError, match="give a FILE.json"):
            seat_of(wrong)
    assert "agents" not in given_settings({"invited": ("agent.json",)})


@pytest.mark.loopback
def test_each_expert_speaks_by_the_model_of_its_seat_and_usage_tells_it(
    harbour: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ROUNDTABLE_HOME", str(tmp_path / "home"))
    out = tmp_path / "out"
    with ModelServer() as common, ModelServer() as other:
        line = ["run", TOPIC, "--offline", "--docs", str(harbour), "--turns", "5", "--out", str(out)]
        line += ["--plain", "--model", "openai:common", "--base-url", common.url]
        own = f"Dyke Warden: dykes @ openai:own at {other.url}"
        line += ["--expert", own, "--expert", "Captain: the ferry"]
        assert main(line) == 0
        asked = [request.body["model"] for request in other.asked]
        assert asked
        assert set(asked) == {"own"}
        assert all("Dyke Warden" in request.prompt for request in other.asked)
        assert {request.body["model"] for request in common.asked} == {"common"}
    usage = json.loads((out / "usage.json").read_text(encoding="utf-8"))
    assert usage["by_speaker"]["dyke-warden"]["models"] == ["openai:own"]
    assert usage["by_speaker"]["captain"]["models"] == ["openai:common"]
    transcript = (out / "transcript.md").read_text(encoding="utf-8")
    assert transcript.index("**Dyke Warden** — dykes (openai:own)") < transcript.index("**Captain**")


def test_a_seat_whose_model_cannot_be_had_is_told_of_before_anything_begins(
    harbour: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("ROUNDTABLE_HOME", str(tmp_path / "home"))
    line = ["run", TOPIC, "--offline", "--docs", str(harbour), "--model", "embedded"]
    assert main([*line, "--expert", "Warden: dykes @ openai:own"]) == 3
    assert "expert 'Warden': openai:own is asked at" in capsys.readouterr().err
