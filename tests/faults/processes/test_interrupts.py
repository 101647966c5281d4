"""Ctrl-C once, at every moment of a short session: it ends after the turn under way, with its report."""

import json
import os
import signal
import subprocess
import time
from itertools import pairwise
from operator import itemgetter
from pathlib import Path

import pytest

from roundtable.__main__ import main
from roundtable.cli.running.interrupts import Interrupts
from roundtable.session.factory import Runtime, start_session
from roundtable.session.session import Session
from tests.command_process import Command
from tests.faults.town import THINGS, TOPIC, settings_for, write_documents

TURNS = 3


@pytest.fixture
def things() -> tuple[str, ...]:
    return THINGS[:3]


async def opened(town: Runtime, tmp_path: Path, name: str) -> Session:
    return await start_session(
        TOPIC, settings_for(tmp_path / "documents", TURNS), around=town, session_id=name
    )


async def pressed_at(session: Session, place: int) -> tuple[list[str], int]:
    """Run a session, press once at the event of a number; return the kinds of events, and turns allowed."""
    said: list[str] = []
    interrupts = Interrupts(said.append)
    interrupts.opened(session)
    kinds, most = ["session_started"], TURNS
    try:
        async for recorded in session.run():
            kinds.append(recorded.event.kind)
            if recorded.n == place:
                most = session.state.taken + len(session.state.running())
                interrupts.press(signal.SIGINT)
    finally:
        await session.close()
    assert len(said) <= 1
    return kinds, most


@pytest.mark.slow
async def test_at_every_event_it_stops_after_the_turn_and_writes_one_report(
    town: Runtime, tmp_path: Path
) -> None:
    whole, _ = await pressed_at(await opened(town, tmp_path, "whole"), 0)
    # Of events of one kind behind one of another, the first tells what the others tell.
    pairs = [*pairwise(["", *whole])]
    first = {pair: n for n, pair in reversed([*enumerate(pairs, 1)])}
    places = [n for (before, kind), n in sorted(first.items(), key=itemgetter(1)) if before not in {"", kind}]
    named = {whole[n - 1]: n for n in places}
    assert {"searched", "speaker_called", "table_closed", "session_ended"} <= {*named}
    if os.environ.get("ROUNDTABLE_CRASH_EVERY") != "1":  # of each kind the last
        places = [*named.values()]
    for place in places:
        session = await opened(town, tmp_path, f"at-{place}")
        kinds, most = await pressed_at(session, place)
        where = f"pressed at event {place}, {whole[place - 1]}"
        assert session.state.status == "ended", where
        assert kinds.count("report_written") == 1, where
        assert session.state.taken <= most, where


async def test_while_it_is_being_opened_too(town: Runtime, tmp_path: Path) -> None:
    said: list[str] = []
    interrupts = Interrupts(said.append)
    interrupts.press(signal.SIGINT)
    session = await opened(town, tmp_path, "early")
    interrupts.opened(session)
    kinds = [recorded.event.kind async for recorded in session.run()]
    await session.close()
    assert (session.state.status, session.state.taken) == ("ended", 0)
    assert kinds.count("report_written") == 1
    assert "when all is open" in said[0]


@pytest.mark.slow
@pytest.mark.parametrize("moment", ["reading the documents", "panel_seated", "table_closed", "session_ended"])
def test_the_command_writes_the_report_whenever_it_is_pressed(moment: str, tmp_path: Path) -> None:
    # Many are read for as long as it takes to press.
    things = THINGS[: 12 if moment == "reading the documents" else 3]
    documents = write_documents(tmp_path / "documents", things)
    out, home = tmp_path / "out", tmp_path / "home"
    flags = ["--offline", "--model", "embedded", "--turns", TURNS, "--json", "--out", out]
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    environment = {**os.environ, "ROUNDTABLE_HOME": str(home)}
    with Command("run", TOPIC, "--docs", documents, *flags, env=environment, **pipes) as process:
        assert process.stdout is not None
        if moment == "reading the documents":
            locks = home / "locks"
            while not (locks.is_dir() and any(locks.iterdir())):
                assert process.poll() is None
                time.sleep(0.002)
        else:
            assert any(json.loads(line)["event"]["kind"] == moment for line in process.stdout)
        process.send_signal(signal.SIGINT)
        _, said = process.communicate(timeout=300)
    assert process.returncode == 0, said
    assert (out / "report.md").read_text(encoding="utf-8").startswith("# ")


def test_before_the_command_is_loaded_it_ends_in_a_line(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def loading(_arguments: object) -> int:
        raise KeyboardInterrupt

    monkeypatch.setattr("roundtable.__main__.run", loading)
    with pytest.raises(SystemExit) as left:
        main()
    assert left.value.code == 130
    assert capsys.readouterr().err == "roundtable: interrupted\n"
