"""Processes of a batch that need not import the program again."""

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.warm_python import warm_python


@pytest.fixture(scope="module")
def python(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    with warm_python(tmp_path_factory.mktemp("python")) as program:
        yield program


@pytest.fixture
def warm(python: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The processes of a batch, whoever begins them, have the program at work already."""
    monkeypatch.setattr(sys, "executable", str(python))
    monkeypatch.setenv("WARM_PYTHON", str(python))
