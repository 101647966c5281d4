"""What a person can do in a session, on real sessions with the embedded model."""

import asyncio
import time
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

import pytest

from agents import TurnFailed
from library.evidence import citations
from models import ExtractiveModel, Task
from roundtable.commands.resolve import source
from roundtable.config.config import load_settings
from roundtable.journal.clock import SteppingClock
from roundtable.journal.commands.command import CommandError
from roundtable.journal.events import Recorded
from roundtable.journal.fold.state import State
from roundtable.journal.replay import replayed
from roundtable.journal.storage.journal_store import Journal
from roundtable.session.factory import Runtime, resume_session, start_session
from roundtable.session.session import Session
from roundtable.terminal.plain_view import plain_lines

DOCUMENTS = Path(__file__).parents[2] / "journeys" / "documents_zh"
TOPIC = "青河镇的洪水与重建"
BRIDGE = "# 青河大桥的重建\n\n青河大桥的重建费用为三千二百万元，由市财政承担。大桥于次年十月通车。\n"
Act = Callable[[Session], None]


@pytest.fixture
def around(tmp_path: Path) -> Runtime:
    clock = SteppingClock(datetime(2026, 1, 1, tzinfo=UTC))
    return Runtime(home=tmp_path / "home", clock=clock, environment={})


def settings(turns: int = 8, **more: Any):
    flags = {"docs": [str(DOCUMENTS)], "offline": True, "models": {"model": "embedded"}, **more}
    return load_settings({"moderator": {"turns": turns, "dry_answers": 12}, **flags}, environment={})


class Watch:
    """Does something right after an event: before the session's next step, on every machine alike."""

    def __init__(self, session: Session, acts: list[tuple[Callable[[Recorded], bool], Act]]) -> None:
        self._session = session
        self._acts = acts
        session._contexts.record._listeners.append(self)  # type: ignore[arg-type]

    def put_nowait(self, recorded: Recorded | None) -> None:
        for item in list(self._acts):
            if recorded is not None and item[0](recorded):
                self._acts.remove(item)
                asyncio.get_running_loop().call_soon(item[1], self._session)


def turn(number: int) -> Callable[[Recorded], bool]:
    return lambda recorded: recorded.event.kind == "turn_taken" and recorded.event.turn.n == number


def kind(name: str) -> Callable[[Recorded], bool]:
    return lambda recorded: recorded.event.kind == name


async def play(around: Runtime, *acts: tuple[Callable[[Recorded], bool], Act], **how: Any) -> Session:
    session = await start_session(TOPIC, settings(**how), around=around)
    Watch(session, list(acts))
    async for _ in session.run():
        pass
    await session.close()
    return session


def events_of(around: Runtime, session: Session) -> list[Recorded]:
    with Journal(around.home / "journal.db", around.clock) as journal:
        return journal.read(session.id)


async def test_one_expert_is_asked_by_name(around: Runtime) -> None:
    asked: list[str] = []

    def ask(session: Session) -> None:
        asked.append(session.state.panel[-1].slug)
        session.do(f"/ask {session.state.panel[-1].slug} 湿地里有哪些鸟类？")

    session = await play(around, (turn(4), ask))
    question = next(t for t in session.state.turns if t.role == "person")
    answer = session.state.turns[question.n]
    assert (answer.speaker, answer.question) == (asked[0], question.question)
    assert answer.n == question.n + 1


async def test_of_several_people_the_journal_knows_who_spoke_and_models_do_not(
    around: Runtime, monkeypatch: pytest.MonkeyPatch
) -> None:
    shown: list[str] = []
    ask = ExtractiveModel.ask

    async def asked(self: ExtractiveModel, task: Task[Any]) -> Any:
        shown.append(repr(task))
        return await ask(self, task)

    monkeypatch.setattr(ExtractiveModel, "ask", asked)
    session = await play(
        around,
        (turn(2), lambda s: s.do("湿地里有哪些鸟类？", person="Bo Li")),
        (turn(4), lambda s: s.do("/steer 重建的费用", person="Ada")),
        (turn(6), lambda s: s.do("/steer 多谈湿地")),
    )
    said = [(t.person, t.name, t.act) for t in session.state.turns if t.role == "person"]
    assert said == [("Bo Li", "您", "question"), ("Ada", "您", "steer"), ("", "您", "steer")]
    events = [recorded.event for recorded in events_of(around, session)]
    assert [e.person for e in events if e.kind == "commanded"] == ["Bo Li", "Ada", ""]
    assert all(t.person == "" for t in session.state.turns if t.role != "person")
    assert shown
    assert not any("Bo Li" in text for text in shown), "what goes to models names nobody"
    assert session.state.report is not None
    kept = [session.state.report.model_dump_json(), *(e.model_dump_json() for e in events if "map" in e.kind)]
    assert not any("Bo Li" in text for text in kept), "nor do the map and the report"


async def test_what_a_person_says_is_answered_also_when_the_turns_are_used_up(around: Runtime) -> None:
    session = await play(around, (turn(4), lambda s: s.say("湿地里有哪些鸟类？")), turns=4)
    assert [t.role for t in session.state.turns[4:]] == ["person", "expert"]


async def test_words_stand_in_the_map(around: Runtime) -> None:
    session = await play(
        around, (turn(3), lambda s: s.say("湿地里有哪些鸟类？")), (turn(4), lambda s: s.do("/steer 多谈费用"))
    )
    tree = session.state.map
    notes = [note.question for node in tree.walk() for note in tree.node(node).notes]
    assert notes.count("湿地里有哪些鸟类？") == 2  # asked, and answered
    assert "多谈费用" in notes


async def test_a_steer_leads_the_searches_and_the_prompts(around: Runtime) -> None:
    session = await play(around, (turn(3), lambda s: s.do("/steer 重建的费用")))
    steer = next(t for t in session.state.turns if t.act == "steer")
    assert (steer.role, steer.text) == ("person", "重建的费用")
    events = [r.event for r in events_of(around, session)]
    began = next(n for n, e in enumerate(events) if e.kind == "turn_taken" and e.turn.act == "steer")
    later = [event for event in events[began:] if event.kind == "searched"]
    assert later
    assert all("重建的费用" in searched.query for searched in later)


async def test_a_subject_set_aside_is_not_asked_about(around: Runtime) -> None:
    def answered(session: Session) -> list[str]:
        turns = [t.question for t in session.state.turns if t.act == "answer"]
        asked = [session.state.agenda.questions[i].text for i in turns if i]
        return [text for text in asked if "直接损失" in text]

    assert answered(await play(around, turns=10)), "the sources disagree on it, so it is asked about"
    aside = (kind("panel_seated"), lambda s: s.do("/aside 直接损失"))
    assert not answered(await play(around, aside, turns=10))


async def test_a_dropped_source_is_used_by_neither_turns_nor_report(around: Runtime) -> None:
    dropped: dict[str, Any] = {}

    def drop(session: Session) -> None:
        state = session.state
        passage = state.turns[-1].citations[0]
        dropped["url"] = state.evidence.passages[passage].url
        session.do(f"/drop {passage}")

    session = await play(around, (turn(4), drop))
    state = session.state
    gone = {i for i, p in state.evidence.passages.items() if p.url == dropped["url"]}
    assert gone
    assert all(state.map.where(i) is None for i in gone)
    assert all(gone.isdisjoint(t.citations) for t in state.turns if t.n > 4)
    assert state.report is not None
    cited = {c for section in state.report.sections for s in section.sentences for c in s.citations}
    assert cited
    assert gone.isdisjoint(cited)
    notes = [note.answer for node in state.map.walk() for note in state.map.node(node).notes]
    assert gone.isdisjoint(c for answer in notes for c in citations(answer))
    assert dropped["url"] in [getattr(r.event, "command", None) and r.event.command.source
                              for r in events_of(around, session) if r.event.kind == "commanded"]  # fmt: skip


async def test_a_source_is_dropped_by_its_file_name_path_or_title(around: Runtime, tmp_path: Path) -> None:
    folder = tmp_path / "docs"
    folder.mkdir()
    for n, paragraph in enumerate(BRIDGE.split("\n\n")[1:] * 2):
        (folder / f"桥 {n}.md").write_text(f"# 青河大桥 {n}\n\n{paragraph}", "utf-8")
    named: list[tuple[str, str]] = []

    def drop(session: Session) -> None:
        state = session.state
        cited = next(p for p in state.evidence.passages.values() if p.url.startswith("file:"))
        path = Path(unquote(urlsplit(cited.url).path))
        named.extend((name, cited.url) for name in (path.name, str(path), f"{cited.title} "))
        for name, _ in named:
            assert source(state, name).url == cited.url
        for wrong in ("no-such.html", "no-such.md"):
            with pytest.raises(CommandError, match=f"no source '{wrong}'"):
                session.do(f"/drop {wrong}")
        session.do(f"/drop {path.name}")
        session.do("/drop no-such.example")

    session = await play(around, (turn(3), drop), docs=[str(folder)])
    assert named
    assert session.state.controls.barred(named[0][1])
    assert session.state.controls.barred("https://no-such.example/page"), "a bare host is dropped as one"


async def test_a_file_is_read_and_put_on_the_table(around: Runtime, tmp_path: Path) -> None:
    page = tmp_path / "桥 1.md"
    page.write_text(BRIDGE)
    question = "青河大桥的重建费用是多少？"

    def ask(session: Session) -> None:
        session.say(question)

    session = await play(around, (turn(3), lambda s: s.do(f'/read "{page}"')), (turn(4), ask))
    state = session.state
    put = next(t for t in state.turns if t.act == "note")
    assert state.admitted[put.n]
    answer = next(t for t in state.turns if t.role == "expert" and t.n > put.n and "三千二百万元" in t.text)
    assert set(answer.citations) & set(state.admitted[put.n])


async def test_a_question_after_a_reading_is_answered_from_what_was_read(
    around: Runtime, tmp_path: Path
) -> None:
    topic = "How does the warden decide which hosts are banned, and for how long?"
    folder = tmp_path / "papers"
    folder.mkdir()
    for n in range(16):
        (folder / f"page{n}.md").write_text(
            f"# Gate {n}\n\nThe warden decides at gate {n} which hosts are banned, and for how long.\n\n"
            f"A host that fails {n + 3} times within an hour is banned for {n + 10} minutes by the warden.\n"
        )
    page = tmp_path / "warden.md"
    page.write_text(
        "# Settings\n\n"
        + "".join(f"Setting rank{n} names list {n}, which is read at the start.\n\n" for n in range(9))
        + "With ban.increment on, the time of a ban is doubled for an address that was banned before.\n"
    )
    session = await start_session(topic, settings(4, docs=[str(folder)]), around=around)
    ask = "What does ban.increment do?"
    Watch(session, [(turn(2), lambda s: s.do(f"/read {page}")), (turn(3), lambda s: s.say(ask))])
    async for _ in session.run():
        pass
    await session.close()
    number = next(q.id for q in session.state.agenda.questions.values() if q.text == ask)
    answer = next(t for t in session.state.answers() if t.question == number)
    assert answer.text.startswith("“With ban.increment on, the time of a ban is doubled")


async def test_a_page_of_the_web_is_refused_offline(around: Runtime) -> None:
    session = await start_session(TOPIC, settings(), around=around)
    with pytest.raises(CommandError, match="offline"):
        session.do("/read https://example.org/")
    with pytest.raises(CommandError, match="no file"):
        session.do("/read /nowhere/at-all.md")
    await session.close()


async def test_an_address_loses_its_user_and_password_before_anything_is_kept(around: Runtime) -> None:
    wanted = settings().model_copy(update={"offline": False})
    session = await start_session(TOPIC, wanted, around=around)
    session.do("/read http://someone:their-password@127.0.0.1:9/page")
    session.do("/drop https://someone:their-password@example.org/page")
    await session.close()
    with Journal(around.home / "journal.db", around.clock) as journal:
        kept = [recorded.model_dump_json() for recorded in journal.read(session.id)]
    assert any("http://127.0.0.1:9/page" in event for event in kept)
    assert any("https://example.org/page" in event for event in kept)
    assert not any("their-password" in event for event in kept)


async def test_pause_stands_still_and_resume_goes_on(around: Runtime) -> None:
    session = await start_session(TOPIC, settings(), around=around)
    Watch(session, [(turn(3), lambda s: s.do("/pause"))])
    seen: list[Recorded] = []
    stood: list[int] = []

    async def resume_when_it_stands() -> None:
        state = session.state  # the map grows after a turn, and is no part of it
        while not (state.controls.paused and not state.running() and state.map_course.changed_nodes is None):  # noqa: ASYNC110
            await asyncio.sleep(0)
        last = session.state.last
        for _ in range(2000):
            await asyncio.sleep(0)
        stood.append(session.state.last - last)
        session.do("/go")

    resuming = asyncio.create_task(resume_when_it_stands())
    seen = [recorded async for recorded in session.run()]
    await resuming
    await session.close()
    assert stood == [0]
    assert seen[-1].event.kind == "session_ended"


async def test_it_goes_on_for_so_many_turns(around: Runtime) -> None:
    session = await play(around, (turn(3), lambda s: s.do("/go 2")), turns=12)
    assert len(session.state.turns) == 5


async def test_turns_asked_for_while_the_report_is_written_follow_it(around: Runtime) -> None:
    session = await play(around, (kind("table_closed"), lambda s: s.do("/go 2")), turns=4)
    assert (len(session.state.turns), session.state.status) == (6, "ended")
    assert session.state.report is not None


async def test_a_table_that_waits_goes_on_for_so_many_turns_and_waits_again(around: Runtime) -> None:
    waits: list[int] = []
    session = await start_session(TOPIC, settings(10), around=around)
    session.do("/mode wait")
    async for recorded in session.run():
        if recorded.event.kind == "table_waits":
            waits.append(session.state.counted)
            session.do("/go 4" if len(waits) == 2 else "/write" if len(waits) == 3 else "/go")
            assert session.state.limit == 10, "what was planned stays"
    await session.close()
    assert waits[2] == waits[1] + 4


def test_a_word_of_the_moderator_of_which_nothing_came_is_none_of_the_turns_asked_for() -> None:
    state = State(lambda _sha256: pytest.fail("no source is asked for"))
    for number, (speaker, counted) in enumerate([("moderator", 0), ("engineer", 1), ("moderator", 1)], 1):
        event = TurnFailed(turn=number, speaker=speaker, question=None, reason="nothing left to ask")
        state.fold(Recorded(n=number, at="2026-01-01T00:00:00.000Z", event=event))
        assert (state.taken, state.counted) == (number, counted)


async def test_the_first_round_of_a_table_that_waits_has_the_turns_asked_for(around: Runtime) -> None:
    waits: list[int] = []
    session = await start_session(TOPIC, settings(10), around=around)
    session.do("/mode wait")
    async for recorded in session.run():
        if recorded.event.kind == "panel_seated":
            assert len(recorded.event.panel) > 1, "they would answer together"
        if recorded.event.kind == "table_waits":
            waits.append(session.state.counted)
            session.do("/go 1" if len(waits) == 1 else "/write")
    await session.close()
    assert waits[:2] == [0, 1]


async def test_experts_come_change_their_names_and_go(around: Runtime) -> None:
    first: list[str] = []

    def change(session: Session) -> None:
        first[:] = [p.slug for p in session.state.panel]
        session.do("/invite 桥梁工程师: 桥梁与费用")
        session.do(f"/name {first[0]} 老学者")
        session.do(f"/dismiss {first[1]}")

    session = await play(around, (turn(3), change))
    panel = session.state.panel
    assert [p.name for p in panel][0] == "老学者"
    assert first[1] not in [p.slug for p in panel]
    assert panel[-1].name == "桥梁工程师"
    assert not [t for t in session.state.turns if t.n > 4 and t.speaker == first[1]]
    assert {t.name for t in session.state.turns if t.n > 4 and t.speaker == first[0]} <= {"老学者"}


async def test_the_map_is_edited_and_an_edit_is_taken_back(around: Runtime) -> None:
    session = await play(around)
    again = await resume_session(session.id, around=around)
    tree = again.state.map
    node = tree.children(tree.root)[0]
    before = tree.snapshot()
    held = [(n, tree.title(n), sorted(tree.passages(n))) for n in tree.walk()]
    again.do(f"/rename {node} 新的标题")
    assert tree.title(node) == "新的标题"
    again.do("/undo")
    assert tree.title(node) == before["nodes"][1].title  # type: ignore[index]
    again.do(f"/add {node} 成本")
    added = tree.children(node)[-1]
    again.do(f"/put {tree.placed()[0]} {added}")
    again.do(f"/pin {added}")
    again.do(f"/move {added} {tree.root}")
    again.do("/rename 成本 费用")
    assert (tree.title(added), tree.parent(added)) == ("费用", tree.root)
    assert tree.passages(added) == tree.placed()[:1]
    again.do(f"/split {added} 大桥: {tree.placed()[0]}")
    again.do(f"/delete {tree.children(added)[0]}")
    again.do(f"/merge {added} {node}")
    with pytest.raises(CommandError, match="no node"):
        again.do("/rename n999 x")
    with pytest.raises(CommandError, match="root"):
        again.do(f"/delete {tree.root}")
    shot = tree.snapshot()
    await again.close()
    third = await resume_session(session.id, around=around)
    assert third.state.map.snapshot() == shot
    for _ in range(8):  # the rename that was taken back at first is not among them
        third.do("/undo")
    after = third.state.map
    assert [(n, after.title(n), sorted(after.passages(n))) for n in after.walk()] == held
    with pytest.raises(CommandError, match="nothing to undo"):
        third.do("/undo")
    journal = around.journal()
    kept = journal.read(session.id)
    journal.close()
    await third.close()
    lines = [line.strip() for line in plain_lines(kept)]
    assert "已撤销：改名为“新的标题”" in lines
    assert "已撤销：将“费用”并入另一节点" in lines
    assert "已撤销：删除“大桥”" in lines


async def test_edits_while_the_map_grows_hold(around: Runtime) -> None:
    def rename(session: Session) -> None:
        tree = session.state.map
        session.do(f"/rename {tree.children(tree.root)[0]} 我的标题")

    def merge(session: Session) -> None:
        tree = session.state.map
        kept, gone, *_ = tree.children(tree.root)
        session.do(f"/merge {gone} {kept}")

    acts = [(turn(n), merge if n == 6 else rename) for n in (4, 6, 7)]
    session = await play(around, *acts, (kind("map_placed"), rename), turns=10)
    tree = session.state.map
    assert "我的标题" in [tree.title(n) for n in tree.walk()]
    assert set(tree.placed()) == set(session.state.evidence.passages)


async def test_asking_about_a_node(around: Runtime) -> None:
    def ask(session: Session) -> None:
        tree = session.state.map
        session.do(f"/about {tree.children(tree.root)[0]}")

    session = await play(around, (turn(5), ask))
    question = next(t for t in session.state.turns if t.role == "person")
    assert session.state.turns[question.n].question == question.question


async def test_a_follow_up_is_answered_and_the_report_takes_it_in(around: Runtime, tmp_path: Path) -> None:
    page = tmp_path / "桥.md"
    page.write_text(BRIDGE)
    session = await start_session(TOPIC, settings(turns=4), around=around)
    reports = []
    async for recorded in session.run(stay=True):
        if recorded.event.kind == "report_written":
            reports.append(recorded.event.report)
        if recorded.event.kind == "session_ended":
            if len(reports) == 2:
                break
            session.do(f"/read {page}")
            session.do("/follow 青河大桥的重建费用是多少？")
    await session.close()
    assert [t.role for t in session.state.turns[-2:]] == ["person", "expert"]
    assert session.state.status == "ended"
    before, after = ([s.text for section in report.sections for s in section.sentences] for report in reports)
    assert not any("三千二百万元" in text for text in before)
    assert any("三千二百万元" in text for text in after)


async def test_wait_mode_waits_after_each_round_and_before_the_first(around: Runtime) -> None:
    session = await start_session(TOPIC, settings(turns=5), around=around)
    session.do("/mode wait")
    waits = []
    async for recorded in session.run():
        if recorded.event.kind == "table_waits":
            waits.append(recorded.event.turn)
            if len(waits) == 1:
                session.do("/invite 桥梁工程师: 桥梁")  # the plan is edited before the start
            session.do("/go")
    await session.close()
    assert waits[0] == 0
    assert len(waits) >= 3
    assert [p.name for p in session.state.panel][-1] == "桥梁工程师"


class SlowModel:
    """Answers as the embedded model does; the expert's third answer never comes."""

    name = "slow"

    def __init__(self) -> None:
        self.asked = 0
        self.waiting = asyncio.Event()

    def bind(self, statistics: Any) -> None:
        self._model = ExtractiveModel(statistics)

    async def ask(self, task: Task[Any]) -> Any:
        if task.name == "respond":
            self.asked += 1
            if self.asked == 5:
                self.waiting.set()
                await asyncio.sleep(3600)
        return await self._model.ask(task)

    async def warm_up(self) -> None:
        pass

    async def close(self) -> None:
        pass


async def test_breaking_in_cancels_the_turn_within_100_ms(around: Runtime) -> None:
    from dataclasses import replace

    model = SlowModel()
    session = await start_session(TOPIC, settings(), around=replace(around, model=model))
    model.bind(session._contexts.library.statistics)
    broke: dict[str, float] = {}

    async def break_in() -> None:
        await model.waiting.wait()
        broke["admitted"] = len(session.state.evidence.passages)
        session._discussion._calling.add_done_callback(  # type: ignore[union-attr]
            lambda _: broke.setdefault("after", time.perf_counter())
        )
        broke["at"] = time.perf_counter()
        session.do("/break 湿地里有哪些鸟类？")

    breaking = asyncio.create_task(break_in())
    async for _ in session.run():
        pass
    await breaking
    await session.close()
    assert broke["after"] - broke["at"] < 0.1
    state = session.state
    assert [f.reason for f in state.failed] == ["a person broke in"]
    question = next(t for t in state.turns if t.role == "person")
    assert question.n == state.failed[0].turn + 1
    answer = next(t for t in state.turns if t.n > question.n)
    assert answer.question == question.question
    assert len(state.evidence.passages) >= broke["admitted"]
    assert all(state.map.where(i) for i in state.evidence.passages)
    assert state.report is not None


async def test_replay_gives_the_state_of_a_session_with_commands(around: Runtime) -> None:
    def much(session: Session) -> None:
        session.do("/steer 重建的费用")
        session.do("/aside 鸟类")
        session.do("/drop 1")
        session.do("/invite 桥梁工程师: 桥梁")

    session = await play(around, (turn(4), much))
    with replayed(events_of(around, session), around.home) as state:
        assert state.turns == session.state.turns
        assert state.controls == session.state.controls
        assert state.map.snapshot() == session.state.map.snapshot()
        assert state.panel == session.state.panel


async def test_what_cannot_be_done_is_one_clear_line_and_leaves_no_event(around: Runtime) -> None:
    session = await start_session(TOPIC, settings(), around=around)
    before = session.state.last
    for act, problem in [
        (lambda: session.say("  "), "give some words"),
        (lambda: session.do("/ask nobody x"), "nobody named 'nobody'"),
        (lambda: session.do("/follow x"), "no report yet"),
        (lambda: session.do("/drop 99"), "no source '99'"),
        (lambda: session.do("/drop-host not a host"), "no host"),
        (lambda: session.do("/dismiss x"), "nobody named"),
        (lambda: session.do("/undo"), "nothing to undo"),
        (lambda: session.do("/go 0"), "greater than or equal to 1"),
    ]:
        with pytest.raises(CommandError, match=problem) as raised:
            act()
        assert "\n" not in str(raised.value)
    assert session.state.last == before
    await session.close()


async def test_a_question_after_the_report_is_answered_in_it_and_sources_keep_their_numbers(
    around: Runtime,
) -> None:
    session = await start_session(TOPIC, settings(8), around=around)
    session.do("/mode wait")
    waits, numbers = [], []
    async for recorded in session.run(stay=True):
        if recorded.event.kind == "table_waits":
            waits.append(len(numbers))
            session.do("/go 8")
        if recorded.event.kind == "session_ended":
            evidence, report = session.state.evidence, session.state.report
            assert report is not None
            cited = {i for s in report.sections for one in s.sentences for i in one.citations}
            numbers.append({evidence.passages[i].sha256: evidence.labels()[i].split(".")[0] for i in cited})
            if len(numbers) == 2:
                break
            session.do("湿地里有哪些鸟类？")
    await session.close()
    before, after = numbers
    assert sorted(map(int, after.values())) == list(range(1, len(after) + 1))
    kept = [sha for sha in before if sha in after and int(before[sha]) <= len(after)]
    assert len(kept) > 2
    assert {sha: after[sha] for sha in kept} == {sha: before[sha] for sha in kept}
    assert 1 not in waits, "the report takes the answer in without another word"
    with Journal(around.home / "journal.db", around.clock) as journal:
        assert journal.session(session.id).turns == session.state.counted
    assert session.state.counted < len(session.state.turns) - 1, "what a person asks is free"
