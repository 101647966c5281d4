"""Whole sessions on real documents, in a home folder of their own."""

from datetime import UTC, datetime
from pathlib import Path
from zlib import crc32

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


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Run a test of `each_mode` with a script, and through a server in one mode: the next test's is another.

    A rule holds however replies are read, and a reply is read the same way whatever the rule. A kind of task
    that many tests ask is asked in every mode so; a test with one that few ask is marked `every_mode`.
    """
    if "each_mode" in metafunc.fixturenames:
        one = MODES[crc32(metafunc.function.__name__.encode()) % len(MODES)]
        modes = MODES if metafunc.definition.get_closest_marker("every_mode") else [one]
        spoken = [pytest.param(mode, id=mode, marks=pytest.mark.loopback) for mode in modes]
        metafunc.parametrize("each_mode", [pytest.param(None, id="scripted"), *spoken], indirect=True)


@pytest.fixture
def each_mode(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Ask with a script, or a model on a server: with tools, JSON mode only, or neither."""
    monkeypatch.setattr(research_world, "SPEAKING", request.param)


@pytest.fixture
def chinese_documents() -> Path:
    """Eight Chinese documents about one flood."""
    return HERE / "documents_zh"
