"""A process that stands still for longer than anything may take: Ctrl-Z, a frozen container."""

import asyncio
import json
import signal
import subprocess
import time
from pathlib import Path
from typing import Any

import pytest

from roundtable.session import steady_loop
from roundtable.session.steady_loop import run_steadily
from tests.command_process import Command
from tests.faults.machine.test_machine import surrounded
from tests.faults.town import TOPIC, write_documents
from tests.model_server import ModelServer

TURNS, STILL = 4, 18.0
"""Seconds that the process stands still: longer than any of its patience below."""
SETTINGS = {
    "ROUNDTABLE_AGENTS__TIMEOUT": "14", "ROUNDTABLE_MODELS__TIMEOUT": "10", "ROUNDTABLE_MODELS__RETRIES": "0",
    "ROUNDTABLE_MODELS__TOTAL_TIMEOUT": "14", "ROUNDTABLE_MODELS__CACHE": "off", "OPENAI_API_KEY": "test",
}  # fmt: skip


@pytest.mark.slow
@pytest.mark.loopback
def test_a_process_that_stood_still_goes_on_as_if_nothing_had_been(tmp_path: Path) -> None:
    documents, home = write_documents(tmp_path / "documents"), tmp_path / "rt"
    with ModelServer(latency=0.4) as server:
        flags = ["--docs", documents, "--model", "openai:test-model", "--base-url", server.url, "--offline"]
        words = ["run", TOPIC, *flags, "--turns", TURNS, "--json", "--out", tmp_path / "out"]
        pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
        with Command(*words, env={**surrounded(home), **SETTINGS}, **pipes) as process:
            assert process.stdout is not None
            events: list[dict[str, Any]] = []
            called = False
            for line in process.stdout:
                events.append(json.loads(line)["event"])
                if events[-1]["kind"] == "speaker_called" and not called:
                    called = True
                    time.sleep(0.2)  # the experts have begun
                    process.send_signal(signal.SIGSTOP)
                    time.sleep(STILL)
                    process.send_signal(signal.SIGCONT)
            assert process.stderr is not None
            assert process.wait() == 0, process.stderr.read()
    kinds = [event["kind"] for event in events]
    assert not [event for event in events if event["kind"] == "turn_failed"]
    assert [e["turn"]["n"] for e in events if e["kind"] == "turn_taken"] == list(range(1, TURNS + 1))
    assert kinds[-1] == "session_ended"


def test_what_keeps_the_thread_from_running_is_no_time_of_its_loop(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(steady_loop, "_LONGEST_DELAY", 0.3)

    async def main() -> None:
        clock = asyncio.get_running_loop().time
        began = clock()
        async with asyncio.timeout(0.5):
            time.sleep(0.9)  # noqa: ASYNC251 - it stands still
            await asyncio.sleep(0.01)
        assert clock() - began < 0.5
        with pytest.raises(TimeoutError):
            async with asyncio.timeout(0.2):
                await asyncio.sleep(5)
        until, before = time.thread_time() + 0.6, clock()
        while time.thread_time() < until:  # at work
            clock()
        assert clock() - before > 0.5

    run_steadily(main())
