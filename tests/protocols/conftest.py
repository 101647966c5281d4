"""Servers as other programs meet them, with a collection that is called `floods`."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.web.conftest import Server, documents, put_away, run_command, serve, start, write_floods

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


@pytest.fixture(scope="module")
def standing(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server with the same collection, for all tests of a file that change nothing there."""
    folder = tmp_path_factory.mktemp("standing")
    done = run_command(folder / "home", "docs", "add", "floods", str(write_floods(folder / "floods")))
    assert done.returncode == 0, done.stderr
    server = start(folder / "home")
    yield server
    put_away(server)
