from pathlib import Path

import pytest


@pytest.fixture(params=["file", "postgres"])
def place(request: pytest.FixtureRequest, tmp_path: Path) -> Path | str:
    """Every kind of place that a journal, its accounts and its quotas may be in."""
    if request.param == "file":
        return tmp_path / "journal.db"
    address: str = request.getfixturevalue("postgres").database()
    return address
