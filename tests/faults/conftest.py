"""The small invented world that sessions are broken in."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from roundtable.session.factory import Runtime
from tests.faults.town import DOCUMENTED, open_town, surroundings, write_documents


@pytest.fixture
def things() -> tuple[str, ...]:
    """What there are documents about; a file of tests may have fewer."""
    return DOCUMENTED


@pytest.fixture
def town(tmp_path: Path, things: tuple[str, ...]) -> Iterator[Runtime]:
    """Yield a home and its library, with the documents in the folder `documents`."""
    home = tmp_path / "town"
    home.mkdir()
    library = open_town(home, write_documents(tmp_path / "documents", things))
    yield surroundings(home, library)
    library.store.close()
