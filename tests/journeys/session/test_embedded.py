"""A whole session with no key and no network: the embedded model on a folder of documents."""

import re
from collections import Counter
from pathlib import Path

from library.evidence import citations
from roundtable.config.config import load_settings
from roundtable.journal.events import Recorded
from roundtable.journal.storage.journal_store import Journal
from roundtable.session.closing.report_brief import counts_of
from roundtable.session.factory import Runtime, start_session
from roundtable.session.session import Session


def settings_for(documents: Path, **more: object):
    flags = {"docs": [str(documents)], "offline": True, "models": {"model": "embedded"}, **more}
    return load_settings(flags, environment={})


async def play(session: Session) -> list[Recorded]:
    try:
        return [recorded async for recorded in session.run()]
    finally:
        await session.close()


async def test_eight_chinese_documents_give_a_chinese_report(
    around: Runtime, chinese_documents: Path
) -> None:
    session = await start_session("青河镇的洪水与重建", settings_for(chinese_documents), around=around)
    await play(session)
    state = session.state
    assert state.status == "ended"
    assert state.language == "zh"
    report = state.report
    assert report is not None
    sentences = [s for section in report.sections for s in section.sentences]
    assert len(sentences) >= 12
    for heading in [
        report.title,
        *(section.heading for section in report.sections),
        *(p.name for p in state.panel),
    ]:
        assert re.search(r"[\u4e00-\u9fff]", heading), heading
    assert all(s.citations for s in sentences)
    hosts = {state.evidence.passages[c].sha256 for s in sentences for c in s.citations}
    assert len(hosts) >= 6


async def test_every_event_is_in_the_journal_before_it_is_seen(
    around: Runtime, chinese_documents: Path
) -> None:
    session = await start_session("青河镇的洪水", settings_for(chinese_documents), around=around)
    reader = Journal(around.home / "journal.db", around.clock)
    async for recorded in session.run():
        assert reader.read(session.id, after=recorded.n - 1)[0] == recorded
    await session.close()


async def test_turns_cite_only_what_was_admitted_and_each_passage_stands_in_one_node(
    around: Runtime, chinese_documents: Path
) -> None:
    session = await start_session("青河镇的洪水", settings_for(chinese_documents), around=around)
    await play(session)
    state = session.state
    # A moderator who finds nothing left to ask takes a number all the same.
    numbers = sorted([*(turn.n for turn in state.turns), *(failed.turn for failed in state.failed)])
    assert numbers == list(range(1, len(numbers) + 1))
    assert {failed.speaker for failed in state.failed} <= {"moderator"}
    assert "answer" in {turn.act for turn in state.turns}
    for turn in state.turns:
        assert citations(turn.text) == turn.citations
        assert set(turn.citations) <= set(state.evidence.passages)
    held = Counter(p for node in state.map.walk() for p in state.map.node(node).passages)
    assert set(held) == set(state.evidence.passages)
    assert set(held.values()) == {1}


async def test_a_person_is_heard_at_the_next_turn_and_answered(
    around: Runtime, chinese_documents: Path
) -> None:
    session = await start_session("青河镇的洪水与重建", settings_for(chinese_documents), around=around)
    said = False
    async for recorded in session.run():
        if recorded.event.kind == "turn_taken" and not said:
            session.say("湿地里有哪些鸟类？")
            said = True
    await session.close()
    turns = session.state.turns
    asked = next(turn for turn in turns if turn.role == "person")
    answer = turns[asked.n]
    assert answer.question == asked.question
    assert answer.role == "expert"
    assert "鸟" in answer.text
    assert session.state.report is not None
    section = next(s for s in session.state.report.sections if s.heading == "湿地里有哪些鸟类？")
    assert any("鸟" in sentence.text for sentence in section.sentences)
    notes = [note for node in session.state.map.walk() for note in session.state.map.node(node).notes]
    assert "湿地里有哪些鸟类？" in [note.question for note in notes]
    counts = counts_of(session.state)
    assert counts.asked >= 1
    with Journal(around.home / "journal.db", around.clock) as journal:
        assert counts.turns == journal.session(session.id).turns, "lists and reports agree"


async def test_a_stop_ends_with_a_report_from_what_there_is(around: Runtime, chinese_documents: Path) -> None:
    session = await start_session("青河镇的洪水与重建", settings_for(chinese_documents), around=around)
    async for recorded in session.run():
        if recorded.event.kind == "turn_taken":
            session.stop()
    await session.close()
    state = session.state
    assert len(state.turns) < 12
    assert state.reason == "the report was asked for"
    assert state.report is not None
    assert state.report.sections
