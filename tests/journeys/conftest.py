"""Whole sessions on real documents, in a home folder of their own."""

from datetime import UTC, datetime
from pathlib import Path

import pytest

from roundtable.journal.clock import SteppingClock
from roundtable.session.factory import Runtime
from tests.journeys.research import research_world
from tests.model_server import Mode

MODES: tuple[Mode, ...] = ("tools", "json", "text")
HERE = Path(__file__).parent


@pytest.fixture
def around(tmp_path: Path) -> Runtime:
    """An empty home, a clock that steps, and no keys."""
    return Runtime(
        home=tmp_path / "home", clock=SteppingClock(datetime(2026, 1, 1, tzinfo=UTC)), environment={}
    )


@pytest.fixture(
    params=[
        pytest.param(None, id="scripted"),
        *(pytest.param(mode, id=mode, marks=pytest.mark.loopback) for mode in MODES),
    ]
)
def each_mode(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Run a test with a script, then with a model on a server: with tools, JSON mode only, and neither."""
    monkeypatch.setattr(research_world, "SPEAKING", request.param)


@pytest.fixture
def chinese_documents() -> Path:
    """Eight Chinese documents about one flood."""
    return HERE / "documents_zh"
