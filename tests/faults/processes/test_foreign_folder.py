"""The program started in a folder of somebody else's: nothing in it is taken for one of its modules."""

import asyncio
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from library.readers.reader import Reader
from roundtable.batch.local_processes import LocalProcesses, ProcessLost
from roundtable.batch.session_job import SessionJob
from roundtable.protocols import stdio_host
from tests.foreign_project import foreign_project

NAMES = ("roundtable", "library", "json", "asyncio", "sitecustomize")
"""What Python would look for first in the folder that it is started in."""


def go_on_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """As when an assistant leaves that was started in its user's project."""
    begun: list[subprocess.Popen[bytes]] = []
    start: Any = subprocess.Popen

    def waited(*arguments: Any, **options: Any) -> subprocess.Popen[bytes]:
        begun.append(start(*arguments, **options))
        return begun[-1]

    monkeypatch.setattr(stdio_host.subprocess, "Popen", waited)
    stdio_host.go_on_alone("no-such-session")
    begun[0].wait(60)


def in_a_batch(monkeypatch: pytest.MonkeyPatch) -> None:  # noqa: ARG001 - as the others
    async def run() -> None:
        processes = LocalProcesses(1, 1)
        job = SessionJob(session="none", topic="none", folder="none", settings={})
        try:
            await processes.run(job, lambda _spent: None)
        except ProcessLost:
            return
        finally:
            await processes.close()

    asyncio.run(run())


def reading(monkeypatch: pytest.MonkeyPatch) -> None:  # noqa: ARG001 - as the others
    with Reader() as reader:
        page = b"<!doctype html><h1>Bins</h1><p>The blue bin is emptied on the first Monday of a month.</p>"
        reader.read_bytes(page, "https://example.org/", "text/html")


@pytest.mark.parametrize("start", [go_on_alone, in_a_batch, reading])
def test_modules_of_the_folder_are_not_loaded(
    start: Callable[[pytest.MonkeyPatch], None], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder, told = foreign_project(tmp_path, NAMES)
    monkeypatch.setenv("ROUNDTABLE_HOME", str(tmp_path / "home"))
    monkeypatch.chdir(folder)
    start(monkeypatch)
    assert not told.exists(), told.read_text()
