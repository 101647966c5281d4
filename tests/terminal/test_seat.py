"""A seat at the table without a terminal, and what typed lines come to."""

import io
import re
import sys
from pathlib import Path

import pytest
from rich.cells import cell_len

from library.text import catalogue
from roundtable.config.config import load_settings
from roundtable.journal.clock import SystemClock
from roundtable.journal.commands.command import CommandError
from roundtable.journal.commands.command_reading import COMMANDS
from roundtable.journal.storage.journal_store import Journal
from roundtable.session.factory import Runtime, start_session
from roundtable.session.session import Session
from roundtable.terminal.repl import LOOKS, Typed, completions, helped
from roundtable.terminal.seat import PipeSeat, TerminalSeat, choose_seat, fitting

DOCUMENTS = Path(__file__).parents[1] / "journeys" / "documents_zh"
TOPIC = "青河镇的洪水与重建"


async def opened(home: Path) -> Session:
    flags = {
        "docs": [str(DOCUMENTS)], "offline": True, "models": {"model": "embedded"}, "moderator": {"turns": 5},
    }  # fmt: skip
    around = Runtime(home=home, environment={})
    return await start_session(TOPIC, load_settings(flags, environment={}), around=around)


async def piped(home: Path, *lines: str) -> tuple[Session, str]:
    session = await opened(home)
    out = io.StringIO()
    seat = PipeSeat(io.StringIO("".join(f"{line}\n" for line in lines)), out)
    await seat.sit(session, Typed(session, lambda turn: f"fork{turn}"), lambda: None, lambda: None)
    await session.close()
    return session, out.getvalue()


async def test_lines_on_a_pipe_are_heard_one_after_another(home: Path) -> None:
    looks = ("/map", "/sources", "/source 1", "/source p1", "/agenda")
    session, text = await piped(home, "/steer 费用", "湿地里有哪些鸟类？", *looks)
    people = [(t.act, t.text) for t in session.state.turns if t.role == "person"]
    assert people == [("steer", "费用"), ("question", "湿地里有哪些鸟类？")]
    assert session.state.status == "ended"
    assert "n0  青河镇的洪水与重建" in text
    assert "  1  " in text
    listed = [line for line in text.splitlines() if line.startswith("  [1.")]
    assert listed
    assert not any("# " in line for line in listed), "headings stand without their marks"
    assert "\x1b" not in text


async def test_leaving_on_a_pipe_leaves_a_session_that_can_be_taken_up(home: Path) -> None:
    session, _ = await piped(home, "/quit")
    assert session.state.status == "running"


async def test_a_wrong_line_is_told_on_stderr_and_the_session_goes_on(
    home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    session, text = await piped(home, "/drop 99", "/nope", "/surces", "/fork x")
    assert session.state.status == "ended"
    told = capsys.readouterr().err
    assert "no source '99'" in told
    assert "no command /nope" in told
    assert "no command /surces; did you mean /sources?" in told
    assert "after which turn" in told
    assert "99" not in text


async def test_the_map_counts_what_its_nodes_hold_in_the_session_s_language(home: Path) -> None:
    _, text = await piped(home, "/steer 费用", "湿地里有哪些鸟类？", "/map")
    assert re.search(r"  \[\d+ 个段落, \d+ 条笔记\]$", text, re.MULTILINE)
    english = catalogue("en", "terminal")
    assert [english.say("passages", n=1), english.say("note_count", n=1)] == ["1 passage", "1 note"]


async def test_a_pause_on_a_pipe_does_not_hold_for_ever(home: Path) -> None:
    session, _ = await piped(home, "/pause", "/mode wait")
    assert session.state.status == "ended"


async def test_what_is_typed_after_the_end_is_a_follow_up(home: Path) -> None:
    session = await opened(home)
    async for recorded in session.run(stay=True):
        if recorded.event.kind == "session_ended":
            if any(turn.role == "person" for turn in session.state.turns):
                break
            typed = Typed(session)
            assert typed.do("/report").lines[0].startswith("# ")
            assert typed.do("/experts").lines
            typed.do("湿地里有哪些鸟类？")
    await session.close()
    assert session.state.turns[-1].role == "expert"


async def test_a_branch_that_is_looked_at_tells_those_below_it(home: Path) -> None:
    _, text = await piped(home, "湿地里有哪些鸟类？", "/map n0")
    lines = text.splitlines()
    at = lines.index(f"n0  {TOPIC}")
    assert re.fullmatch(r"  n1  \S.*  \[\d+ 个段落, \d+ 条笔记\]", lines[at + 1])


async def test_completion_knows_commands_experts_and_nodes(home: Path) -> None:
    session = await opened(home)
    async for recorded in session.run():
        if recorded.event.kind == "map_grown":
            break
    state = session.state
    assert [text for text, *_ in completions("/ste", state)] == ["/steer"]
    assert [text for text, *_ in completions("/ask @", state)] == [f"@{p.slug}" for p in state.panel]
    assert ("n1", state.map.title("n1"), 2) in completions("/rename n1", state)
    assert completions("plain words", state) == []
    await session.close()


async def test_the_status_bar_of_a_session_that_is_taken_up_goes_on_where_it_was_and_fits(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "120")
    session = await opened(home)
    assert "%" not in TerminalSeat(colours=False).status(session), "nothing was measured yet"
    async for recorded in session.run():
        if recorded.event.kind == "map_grown":
            break
    seat = TerminalSeat(colours=False)
    with Journal(home / "journal.db", SystemClock()) as journal:
        for recorded in journal.read(session.id):  # what came before is shown to who sits down
            seat.show(recorded)
    bar = seat.status(session)
    assert session.state.turns
    assert bar.startswith(f" {session.state.counted} / 5 轮 · "), "in the session's language"
    assert "新内容" in bar
    session.state.status = "ended"
    for width in (60, 40, 12):
        monkeypatch.setenv("COLUMNS", str(width))
        bar = seat.status(session)
        assert cell_len(bar) <= width
        assert "/quit" in bar or width == 12
    await session.close()


def test_help_names_every_command_once() -> None:
    names = [line.split()[0] for line in helped(width=100) if line.startswith("  /")]
    assert sorted(names) == sorted(f"/{name}" for name in [*LOOKS, *COMMANDS])
    assert helped("/steer") == helped("steer")
    with pytest.raises(CommandError, match="no command"):
        helped("nope")


def test_a_pipe_gets_the_plain_seat(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO())
    assert isinstance(choose_seat(plain=False, language="en"), PipeSeat)


@pytest.mark.parametrize("width", [24, 60])
def test_what_is_looked_at_breaks_between_words(width: int) -> None:
    line = "  [1.2] bzip2recover takes a single argument, the name of the damaged file, 然后写出若干文件。"
    parts = fitting(line, width)
    assert "".join("".join(parts).split()) == "".join(line.split())
    assert all(any(word in part.split() for part in parts) for word in line.split()[:-1]), "words are whole"
    assert all(part.startswith("  ") and cell_len(part) <= width for part in parts)
    assert fitting("", width) == [""]
    assert fitting("\x1b[31mred", width) == ["red"]
