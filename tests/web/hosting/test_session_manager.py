"""Sessions in the session manager, without a browser."""

import asyncio
from pathlib import Path

import pytest

from roundtable.config.errors import InputError, SessionLocked
from roundtable.journal.commands.command import CommandError
from roundtable.journal.events import Recorded
from roundtable.journal.storage.journal_store import Journal
from roundtable.session.factory import Runtime, resume_session
from roundtable.web.hosting import session_manager
from roundtable.web.hosting.session_commands import Conflict, perform
from roundtable.web.schemas import NewSession
from roundtable.web.stream import stream
from roundtable.web.works.audits_page import AuditsPage
from tests.web.hosting.watched import WatchedManager


@pytest.fixture
def around(tmp_path: Path) -> Runtime:
    return Runtime(home=tmp_path / "hall", environment={})


def order(documents: Path, **more: object) -> NewSession:
    return NewSession.model_validate(
        {"topic": "Why do cities flood?", "docs": [str(documents)], "offline": True, "turns": 5, **more}
    )


async def ended(manager: WatchedManager, identity: str) -> list[Recorded]:
    events: list[Recorded] = []
    async with asyncio.timeout(300):
        while manager.row(identity).state != "ended" or identity in manager.running_here():
            assert not manager.standing(identity)["trouble"]
            await manager.news(identity, 0.2)
    while batch := manager.events(identity, events[-1].n if events else 0):
        events += batch
    return events


def numbers(events: list[Recorded]) -> list[int]:
    return [recorded.n for recorded in events]


async def test_two_sessions_at_once_with_a_person_in_each(around: Runtime, documents: Path) -> None:
    manager = WatchedManager(around)
    first, second = await manager.begin(order(documents)), await manager.begin(order(documents, turns=4))
    for identity in (first, second):
        await perform(manager, identity, "say", {"text": f"What do trees do in {identity}?"})
    for identity in (first, second):
        events = await ended(manager, identity)
        assert numbers(events) == list(range(1, len(events) + 1))
        state = await manager.state(identity)
        mine = [turn for turn in state.turns if turn.role == "person"]
        assert [turn.text for turn in mine] == [f"What do trees do in {identity}?"]
        answer = next(turn for turn in state.turns if turn.n > mine[0].n)
        assert answer.role == "expert"
        assert state.report is not None
    await manager.close()


async def test_what_its_owner_may_use_is_asked_about_before_each_request(
    around: Runtime, documents: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    manager, asked = WatchedManager(around), list[str]()

    def used_up(_: Journal, session: str) -> str:
        asked.append(session)
        return "tokens"

    monkeypatch.setattr(session_manager, "used_up", used_up)
    identity = await manager.begin(order(documents, turns=1))
    events = await ended(manager, identity)
    told = [recorded.event.fallback for recorded in events if recorded.event.kind == "model_replied"]
    assert set(asked) == {identity}
    assert set(told) == {"the budget is spent: tokens"}
    await manager.close()


async def test_a_server_that_ends_in_the_middle_loses_nothing(around: Runtime, documents: Path) -> None:
    manager = WatchedManager(around)
    identity = await manager.begin(order(documents, turns=8))
    while not any(recorded.event.kind == "turn_taken" for recorded in manager.events(identity, 0)):
        await manager.news(identity, 1.0)
    await manager.close()
    again = WatchedManager(around)
    assert again.row(identity).state == "stopped"
    before = again.events(identity, 0)
    await perform(again, identity, "go_on", {})
    events = await ended(again, identity)
    assert numbers(events) == list(range(1, len(events) + 1))
    assert events[: len(before)] == before
    await again.close()


async def test_a_stream_taken_up_again_has_everything_once(around: Runtime, documents: Path) -> None:
    manager = WatchedManager(around)
    identity = await manager.begin(order(documents))
    last, seen = 0, []
    for _ in range(400):
        if manager.row(identity).state == "ended" and not manager.events(identity, last):
            break
        async for frame in stream(manager, identity, last):  # each time a new connection, for a frame or two
            if frame.startswith(b"id: "):
                last = int(frame.split(b"\n")[0][4:])
                seen += [int(n) for n in _numbers(frame)]
                break
            if b"standing" in frame and manager.row(identity).state == "ended":
                break
    assert seen == list(range(1, last + 1))
    assert len(seen) == len(await ended(manager, identity))
    await manager.close()


def _numbers(frame: bytes) -> list[int]:
    import json

    return [one["n"] for one in json.loads(frame.split(b"data: ", 1)[1])]


async def test_what_is_asked_after_the_end_is_answered_and_the_report_written_again(
    around: Runtime, documents: Path
) -> None:
    manager = WatchedManager(around)
    identity = await manager.begin(order(documents))
    before = await ended(manager, identity)
    await perform(manager, identity, "say", {"text": "What did Copenhagen build?"})
    after = await ended(manager, identity)
    new = [recorded.event.kind for recorded in after[len(before) :]]
    assert new.count("turn_taken") >= 2
    assert new.count("report_written") == 1
    assert new[-1] == "session_ended"
    told = {"things": "Copenhagen, Rotterdam", "questions": "what was built"}
    await perform(manager, identity, "compare", told)
    compared = await ended(manager, identity)
    assert {"turn_taken", "report_written"} <= {recorded.event.kind for recorded in compared[len(after) :]}
    after = compared
    await perform(manager, identity, "go_on", {"turns": 2})
    assert len(await ended(manager, identity)) > len(after)
    with pytest.raises(CommandError, match="how many turns"):
        await perform(manager, identity, "go_on", {})
    await manager.close()


async def test_so_many_turns_as_are_asked_for_are_taken_after_a_talk_that_ran_dry(
    around: Runtime, documents: Path
) -> None:
    manager = WatchedManager(around)
    identity = await manager.begin(order(documents, turns=60))
    await ended(manager, identity)
    before = (await manager.state(identity)).counted
    assert before < 60, "it did not run dry"
    with pytest.raises(CommandError, match="/write"):
        await perform(manager, identity, "typed", {"text": "/report"})
    with pytest.raises(CommandError, match=r"no command /steeer; did you mean /steer\?$"):
        await perform(manager, identity, "typed", {"text": "/steeer costs"})
    await perform(manager, identity, "typed", {"text": "/go 4"})  # as it is typed in the terminal
    await ended(manager, identity)
    state = await manager.state(identity)
    assert state.counted == before + 4
    assert not any(turn.role == "person" for turn in state.turns)
    await manager.close()


async def test_the_last_writer_is_told_of_a_conflict(around: Runtime, documents: Path) -> None:
    manager = WatchedManager(around)
    identity = await manager.begin(order(documents))
    await ended(manager, identity)
    await perform(manager, identity, "map_add", {"parent": "n0", "title": "Water"})
    state = await manager.state(identity)
    node = state.map.children(state.map.root)[-1]
    was = state.map.title(node)
    await perform(manager, identity, "map_rename", {"node": node, "title": "Rain", "was": was})
    with pytest.raises(Conflict, match="Rain"):
        await perform(manager, identity, "map_rename", {"node": node, "title": "Snow", "was": was})
    assert (await manager.state(identity)).map.title(node) == "Rain"
    with pytest.raises(CommandError):
        await perform(manager, identity, "map_rename", {"node": "n999", "title": "Snow"})
    with pytest.raises(CommandError, match="no command"):
        await perform(manager, identity, "dance", {})
    await manager.close()


async def test_what_another_process_runs_is_left_to_it(around: Runtime, documents: Path) -> None:
    manager = WatchedManager(around)
    identity = await manager.begin(order(documents))
    await ended(manager, identity)
    other = await resume_session(identity, around=around)
    with pytest.raises(SessionLocked):
        await perform(manager, identity, "steer", {"text": "stay on costs"})
    assert manager.events(identity, 0)
    await other.close()
    await manager.close()


async def test_a_server_open_to_others_reads_named_collections_only(
    around: Runtime, documents: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    manager = WatchedManager(around, named_documents_only=True)
    audits = AuditsPage(around.home, named_only=True)
    monkeypatch.chdir(documents.parent)
    here = documents.name
    for name in (str(documents), here, f"./{here}", f"{here}/../{here}", "/nowhere", "nowhere", "~"):
        with pytest.raises(InputError, match="named collections only"):  # whether it is there or not
            await manager.begin(order(documents).model_copy(update={"docs": [name]}))
        with pytest.raises(InputError, match="named collections only"):
            audits.settings(docs=[name], offline=True, web=False, model=None)
    assert audits.settings(docs=["python"], offline=True, web=False, model=None).docs == ["python"]
    assert manager.rows() == []
    await manager.close()


async def test_a_server_open_to_others_sends_its_keys_to_no_server_that_they_name(
    around: Runtime, documents: Path
) -> None:
    manager = WatchedManager(around, named_documents_only=True)
    named = order(documents).model_copy(update={"docs": ["python"], "base_url": "http://127.0.0.1:9/v1"})
    with pytest.raises(InputError, match="whoever runs this server alone names"):
        await manager.begin(named)
    with pytest.raises(InputError, match="whoever runs this server alone names"):
        await manager.outgoing(named)
    assert manager.rows() == []
    await manager.close()


async def test_a_server_open_to_others_reads_no_file_of_its_machine_by_any_name(
    around: Runtime, documents: Path
) -> None:
    manager = WatchedManager(around)
    identity = await manager.begin(order(documents))
    open_to_others = WatchedManager(around, named_documents_only=True)
    diary = documents / "diary.md"
    diary.write_text("Nobody is to read this.", encoding="utf-8")
    for name in (str(diary), f"x://..{diary}", f"http:{diary}", f"https://{diary}", diary.as_uri()):
        with pytest.raises(InputError, match="not read on demand"):
            await perform(open_to_others, identity, "read", {"place": name})
    await open_to_others.close()
    await manager.close()


async def test_reading_for_meaning_is_told_until_it_is_done(around: Runtime, documents: Path) -> None:
    manager = WatchedManager(around)
    identity = await manager.begin(order(documents, wait=True))
    hear = manager._heard(identity).indexing
    assert hear is not None
    hear("", 12, 60)
    assert manager.standing(identity)["indexing"] == {"name": "", "done": 12, "of": 60, "seconds": 0.0}
    hear("", 60, 60)
    assert manager.standing(identity)["indexing"] == {}
    await manager.close()
