"""Whole sessions on real documents, in a home folder of their own."""

from datetime import UTC, datetime
from pathlib import Path

import pytest

from roundtable.clock import SteppingClock
from roundtable.open import Surroundings

HERE = Path(__file__).parent


@pytest.fixture
def around(tmp_path: Path) -> Surroundings:
    """An empty home, a clock that steps, and no keys."""
    return Surroundings(
        home=tmp_path / "home", clock=SteppingClock(datetime(2026, 1, 1, tzinfo=UTC)), environment={}
    )


@pytest.fixture
def chinese_documents() -> Path:
    """Eight Chinese documents about one flood."""
    return HERE / "documents_zh"
