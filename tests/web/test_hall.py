"""Sessions in the hall, without a browser."""

import asyncio
from pathlib import Path

import pytest

from roundtable.config.errors import InputError, SessionLocked
from roundtable.journal.commands import CommandError
from roundtable.journal.events import Recorded
from roundtable.session.factory import Runtime, resume_session
from roundtable.web.schemas import Order
from roundtable.web.session_commands import Conflict, perform
from roundtable.web.session_manager import SessionManager
from roundtable.web.stream import stream


@pytest.fixture
def around(tmp_path: Path) -> Runtime:
    return Runtime(home=tmp_path / "hall", environment={})


def order(documents: Path, **more: object) -> Order:
    return Order.model_validate(
        {"topic": "Why do cities flood?", "docs": [str(documents)], "offline": True, "turns": 5, **more}
    )


async def ended(hall: SessionManager, identity: str) -> list[Recorded]:
    events: list[Recorded] = []
    async with asyncio.timeout(60):
        while hall.row(identity).state != "ended" or identity in hall.running_here():
            assert not hall.standing(identity)["trouble"]
            await hall.news(identity, 0.2)
    while batch := hall.events(identity, events[-1].n if events else 0):
        events += batch
    return events


def numbers(events: list[Recorded]) -> list[int]:
    return [recorded.n for recorded in events]


async def test_two_sessions_at_once_with_a_person_in_each(around: Runtime, documents: Path) -> None:
    hall = SessionManager(around)
    first, second = await hall.begin(order(documents)), await hall.begin(order(documents, turns=4))
    for identity in (first, second):
        await perform(hall, identity, "say", {"text": f"What do trees do in {identity}?"})
    for identity in (first, second):
        events = await ended(hall, identity)
        assert numbers(events) == list(range(1, len(events) + 1))
        state = await hall.state(identity)
        mine = [turn for turn in state.turns if turn.role == "person"]
        assert [turn.text for turn in mine] == [f"What do trees do in {identity}?"]
        answer = next(turn for turn in state.turns if turn.n > mine[0].n)
        assert answer.role == "expert"
        assert state.report is not None
    await hall.close()


async def test_a_server_that_ends_in_the_middle_loses_nothing(around: Runtime, documents: Path) -> None:
    hall = SessionManager(around)
    identity = await hall.begin(order(documents, turns=8))
    while not any(recorded.event.kind == "turn_taken" for recorded in hall.events(identity, 0)):
        await hall.news(identity, 1.0)
    await hall.close()
    again = SessionManager(around)
    assert again.row(identity).state == "stopped"
    before = again.events(identity, 0)
    await perform(again, identity, "go_on", {})
    events = await ended(again, identity)
    assert numbers(events) == list(range(1, len(events) + 1))
    assert events[: len(before)] == before
    await again.close()


async def test_a_stream_taken_up_again_has_everything_once(around: Runtime, documents: Path) -> None:
    hall = SessionManager(around)
    identity = await hall.begin(order(documents))
    last, seen = 0, []
    for _ in range(400):
        if hall.row(identity).state == "ended" and not hall.events(identity, last):
            break
        async for frame in stream(hall, identity, last):  # each time a new connection, for a frame or two
            if frame.startswith(b"id: "):
                last = int(frame.split(b"\n")[0][4:])
                seen += [int(n) for n in _numbers(frame)]
                break
            if b"standing" in frame and hall.row(identity).state == "ended":
                break
    assert seen == list(range(1, last + 1))
    assert len(seen) == len(await ended(hall, identity))
    await hall.close()


def _numbers(frame: bytes) -> list[int]:
    import json

    return [one["n"] for one in json.loads(frame.split(b"data: ", 1)[1])]


async def test_what_is_asked_after_the_end_is_answered_and_the_report_written_again(
    around: Runtime, documents: Path
) -> None:
    hall = SessionManager(around)
    identity = await hall.begin(order(documents))
    before = await ended(hall, identity)
    await perform(hall, identity, "say", {"text": "What did Copenhagen build?"})
    after = await ended(hall, identity)
    new = [recorded.event.kind for recorded in after[len(before) :]]
    assert new.count("turn_taken") >= 2
    assert new.count("report_written") == 1
    assert new[-1] == "session_ended"
    await perform(hall, identity, "go_on", {"turns": 2})
    assert len(await ended(hall, identity)) > len(after)
    with pytest.raises(CommandError, match="how many turns"):
        await perform(hall, identity, "go_on", {})
    await hall.close()


async def test_the_last_writer_is_told_of_a_conflict(around: Runtime, documents: Path) -> None:
    hall = SessionManager(around)
    identity = await hall.begin(order(documents))
    await ended(hall, identity)
    await perform(hall, identity, "map_add", {"parent": "n0", "title": "Water"})
    state = await hall.state(identity)
    node = state.map.children(state.map.root)[-1]
    was = state.map.title(node)
    await perform(hall, identity, "map_rename", {"node": node, "title": "Rain", "was": was})
    with pytest.raises(Conflict, match="Rain"):
        await perform(hall, identity, "map_rename", {"node": node, "title": "Snow", "was": was})
    assert (await hall.state(identity)).map.title(node) == "Rain"
    with pytest.raises(CommandError):
        await perform(hall, identity, "map_rename", {"node": "n999", "title": "Snow"})
    with pytest.raises(CommandError, match="no command"):
        await perform(hall, identity, "dance", {})
    await hall.close()


async def test_what_another_process_runs_is_left_to_it(around: Runtime, documents: Path) -> None:
    hall = SessionManager(around)
    identity = await hall.begin(order(documents))
    await ended(hall, identity)
    other = await resume_session(identity, around=around)
    with pytest.raises(SessionLocked):
        await perform(hall, identity, "steer", {"text": "stay on costs"})
    assert hall.events(identity, 0)
    await other.close()
    await hall.close()


async def test_a_server_open_to_others_reads_named_collections_only(
    around: Runtime, documents: Path
) -> None:
    hall = SessionManager(around, named_documents_only=True)
    with pytest.raises(InputError, match="named collections only"):
        await hall.begin(order(documents))
    assert hall.rows() == []
    await hall.close()


async def test_a_server_open_to_others_reads_no_file_of_its_machine_by_any_name(
    around: Runtime, documents: Path
) -> None:
    hall = SessionManager(around)
    identity = await hall.begin(order(documents))
    open_to_others = SessionManager(around, named_documents_only=True)
    diary = documents / "diary.md"
    diary.write_text("Nobody is to read this.", encoding="utf-8")
    for name in (str(diary), f"x://..{diary}", f"http:{diary}", f"https://{diary}", diary.as_uri()):
        with pytest.raises(InputError, match="not read on demand"):
            await perform(open_to_others, identity, "read", {"place": name})
    await open_to_others.close()
    await hall.close()
