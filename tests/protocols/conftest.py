"""Servers as other programs meet them, with a collection that is called `floods`."""

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.web.conftest import Server, documents, run_command, serve

__all__ = ["documents", "serve"]


@pytest.fixture
def home(tmp_path: Path, documents: Path) -> Path:
    """A home folder with a named collection."""
    folder = tmp_path / "served"
    done = run_command(folder, "docs", "add", "floods", str(documents))
    assert done.returncode == 0, done.stderr
    return folder


@pytest.fixture
def server(home: Path, serve: Callable[..., Server]) -> Server:
    assert home.exists()
    return serve()
