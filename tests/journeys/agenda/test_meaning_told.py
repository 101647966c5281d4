"""How far reading for meaning is, while a session is at work: told where it takes long, not elsewhere."""

import threading
from pathlib import Path

import pytest

from library.text import sentence_vectors
from library.text.similarity import sentence_model
from roundtable.cli.lines import indexing_lines
from roundtable.session.factory import Runtime, start_session
from tests.journeys.commands.test_source_update import KEEPER, TOWER, VISITS
from tests.journeys.session.test_embedded import play, settings_for


@pytest.mark.parametrize("slow", [True, False])
async def test_reading_for_meaning_is_told_while_a_session_is_at_work(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, slow: bool
) -> None:
    monkeypatch.setattr(sentence_model, "_UNTOLD", 0.0 if slow else 60.0)
    monkeypatch.setattr(indexing_lines, "_FIRST", -1.0)
    monkeypatch.setattr(indexing_lines, "_PAUSE", 0.0)
    monkeypatch.delenv("ROUNDTABLE_MEANINGS")
    sentence_vectors().forget()
    documents = tmp_path / "docs"
    documents.mkdir()
    for number, text in enumerate((TOWER, VISITS, KEEPER) * 8):
        (documents / f"{number}.txt").write_text(f"Of room {number} of the lighthouse this is told. {text}")
    lines: list[str] = []
    threads: set[str] = set()

    def say(line: str) -> None:
        if "for meaning" in line:
            lines.append(line)
            threads.add(threading.current_thread().name)

    around = Runtime(home=tmp_path / "hall", environment={}, indexing=indexing_lines.indexing_lines(say))
    session = await start_session(
        "The lighthouse of Orrin", settings_for(documents, moderator={"turns": 1}), around=around
    )
    await play(session)
    assert bool(lines) == slow
    assert all(line.endswith(" passages") for line in lines)
    assert threads <= {threading.main_thread().name}, "on the loop, where terminals are written to"
