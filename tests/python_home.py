"""Some of Python's own documentation, indexed once for all tests that talk about it.

Of the whole (435 texts, two megabytes) each session would read far more than what is tried there needs;
`test_installing` reads and discusses all of it.
"""

import fcntl
import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from library.store import python_docs
from library.store.store import Store

FILE = "library.sqlite"
TOPICS = (
    "attribute-access", "attribute-references", "class", "context-managers", "dynamic-features", "exceptions",
    "execmodel", "id-classes", "import", "lists", "naming", "objects", "raise", "specialattrs", "try", "with",
    "yield",
)  # fmt: skip
MODULES = (
    "abc", "contextlib", "functools", "importlib", "importlib.abc", "importlib.util", "traceback", "types",
    "warnings", "zipimport",
)  # fmt: skip
BUILTINS = ("BaseException", "getattr", "hasattr", "list", "object", "property", "setattr", "sorted", "type")


def _made(folder: Path) -> Path:
    """Return a library that holds the collection; of the processes of a run the first one makes it."""
    folder.mkdir(exist_ok=True)
    with (folder / "lock").open("w") as lock:
        fcntl.lockf(lock, fcntl.LOCK_EX)
        if not (made := folder / FILE).exists():
            making = folder / "making.sqlite"
            with pytest.MonkeyPatch.context() as patch, Store(making) as store:
                _look_at_some(patch)
                python_docs.sync_python(store)
            making.rename(made)
    return made


def _look_at_some(patch: pytest.MonkeyPatch) -> None:
    """Have the collection hold what is named above, and no module be parsed beyond."""
    every, modules = python_docs.python_sources, python_docs._modules
    names = {f"topic/{name}" for name in TOPICS} | {*MODULES, *(f"builtins.{name}" for name in BUILTINS)}
    patch.setattr(
        python_docs, "_modules", lambda: ((path, name) for path, name in modules() if name in MODULES)
    )
    patch.setattr(
        python_docs,
        "python_sources",
        lambda: (source for source in every() if source.url.removeprefix("python:") in names),
    )


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
