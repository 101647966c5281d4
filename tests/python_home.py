"""The collection of Python's own documentation, indexed once for all tests that talk about it."""

import fcntl
import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from library.store.python_docs import sync_python
from library.store.store import Store

FILE = "library.sqlite"


def _made(folder: Path) -> Path:
    """Return a library that holds the collection; of the processes of a run the first one makes it."""
    folder.mkdir(exist_ok=True)
    with (folder / "lock").open("w") as lock:
        fcntl.lockf(lock, fcntl.LOCK_EX)
        if not (made := folder / FILE).exists():
            making = folder / "making.sqlite"
            store = Store(making)
            sync_python(store)
            store.close()
            making.rename(made)
    return made


@pytest.fixture(scope="session")
def python_indexed(tmp_path_factory: pytest.TempPathFactory) -> Callable[[Path], Path]:
    """Put the collection into a home folder, which is returned; sessions there find it indexed."""
    base = tmp_path_factory.getbasetemp()
    shared = base.parent if "PYTEST_XDIST_WORKER" in os.environ else base
    made = _made(shared / "python-indexed")

    def put(home: Path) -> Path:
        home.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(made, home / FILE)
        return home

    return put
