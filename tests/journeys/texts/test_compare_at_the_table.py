"""`/compare` at the table: searched there, told in a turn, and put into the report with its citations."""

from datetime import UTC, datetime
from pathlib import Path

import pytest

from models import ScriptedModel
from reports import report_markdown
from roundtable.config.config import load_settings
from roundtable.journal.clock import SteppingClock
from roundtable.journal.commands.command import CommandError
from roundtable.journal.commands.command_reading import read_line
from roundtable.journal.comparisons import ThingsCompared
from roundtable.journal.storage.journal_store import Journal
from roundtable.session.factory import Runtime, resume_session, start_session
from roundtable.session.planning.session_plan import plan_text
from roundtable.session.session import Session

TRACKERS = {
    "alderboard": "Alderboard is a tracker for small teams. It costs 4 euros a month for each person. "
    "Alderboard is published under the MIT licence. Data is kept in Ireland by its maker.",
    "birchlist": "Birchlist is free for up to five people; larger teams pay 9 dollars per user and month. "
    "Birchlist was sold to a Swedish company. Teams track their tasks in lists and on boards.",
    "choosing": "A team that chooses a task tracker should look at what it costs and who keeps the data. "
    "Many teams change their tracker after two years, because tasks are lost between lists.",
}  # fmt: skip


@pytest.fixture
def around(tmp_path: Path) -> Runtime:
    (tmp_path / "docs").mkdir()
    for name, text in TRACKERS.items():
        (tmp_path / "docs" / f"{name}.md").write_text(f"# {name.title()}\n\n{text}\n")
    clock = SteppingClock(datetime(2026, 1, 1, tzinfo=UTC))
    return Runtime(home=tmp_path / "home", clock=clock, environment={})


async def played(around: Runtime) -> Session:
    flags = {"docs": [str(around.home.parent / "docs")], "offline": True, "models": {"model": "embedded"}}
    settings = load_settings({"moderator": {"turns": 3}, **flags}, environment={})
    session = await start_session("Task trackers for teams", settings, around=around)
    async for _ in session.run():
        pass
    await session.close()
    return session


def event_of(session: Session) -> ThingsCompared:
    [event] = session.state.compared
    return event


async def test_a_table_asked_for_after_the_end_stands_in_the_report(around: Runtime) -> None:
    first = await played(around)
    session = await resume_session(first.id, around=around)
    session.do("/compare Alderboard, Birchlist: price, licence")
    async for _ in session.run():
        pass
    await session.close()
    cells = [[cell.text for cell in row] for row in event_of(session).rows]
    assert cells == [
        ["It costs 4 euros a month for each person.", "Alderboard is published under the MIT licence."],
        ["Birchlist is free for up to five people; larger teams pay 9 dollars per user and month.", ""],
    ]
    turn = next(t for t in session.state.turns if t.text.startswith("Please compare"))
    assert turn.role == "person"
    assert set(turn.citations) == {c.passage for row in event_of(session).rows for c in row if c.passage}
    assert "Nothing was found on: Birchlist/licence." in turn.text
    report = session.state.report
    assert report is not None
    section = next(s for s in report.sections if s.compared)
    assert section.heading == "Side by side: Alderboard, Birchlist"
    assert section.tables[0].rows[0][1].citations == [event_of(session).rows[0][0].passage]
    told = report_markdown(report, session.state.evidence)
    assert "It costs 4 euros a month for each person." in told
    assert session.state.status == "ended"
    with Journal(around.home / "journal.db", around.clock) as journal:
        kinds = [recorded.event.kind for recorded in journal.read(session.id)]
    assert kinds.count("things_compared") == 1
    assert kinds[-1] == "session_ended"
    again = await resume_session(first.id, around=around)
    assert again.state.compared == session.state.compared
    await again.close()


async def test_what_rests_on_a_dropped_source_leaves_the_table(around: Runtime) -> None:
    first = await played(around)
    session = await resume_session(first.id, around=around)
    session.do("/compare Alderboard, Birchlist by price")
    async for _ in session.run():
        pass
    session.do("/drop alderboard.md")
    session.stop()
    async for _ in session.run():
        pass
    await session.close()
    assert session.state.report is not None
    section = next(s for s in session.state.report.sections if s.compared)
    assert [bool(row[1].text) for row in section.tables[0].rows] == [False, True]


async def test_a_model_fills_the_cells_and_its_requests_are_journalled(around: Runtime) -> None:
    first = await played(around)
    session = await resume_session(first.id, around=around)
    model = ScriptedModel({"fill_comparison": lambda task: {
        "cells": [{"n": 1, "value": "€4 a month", "passage": task.questions[0].passages[0],
                   "quote": "costs 4 euros a month"}]
    }}, otherwise=session._contexts.library.statistics, name="filler")  # fmt: skip
    models = session._contexts.models
    session._contexts.models = {**models, "judge": model}
    session.do("/compare Alderboard: price")
    async for _ in session.run():
        pass
    await session.close()
    assert event_of(session).rows[0][0].text == "€4 a month"
    assert [cost.task for cost in session.state.usage].count("fill_comparison") == 1


@pytest.mark.parametrize(
    ("line", "things", "questions"),
    [
        ("/compare A, B: price, licence", "A, B", "price, licence"),
        ("/compare 甲、乙：价格", "甲、乙", "价格"),
        ("/compare A; B by price", "A; B", "price"),
    ],
)
def test_a_line_is_read(line: str, things: str, questions: str) -> None:
    command = read_line(line)
    assert (command.things, command.questions) == (things, questions)  # type: ignore[union-attr]


@pytest.mark.parametrize("line", ["/compare A, B", "/compare : price", "/compare A:"])
def test_a_line_without_things_or_questions_is_refused(line: str) -> None:
    with pytest.raises(CommandError, match="write: /compare A, B: PRICE, LICENCE"):
        read_line(line)


async def test_a_table_that_is_too_large_is_refused(around: Runtime) -> None:
    session = await resume_session((await played(around)).id, around=around)
    many = ", ".join(f"thing{n}" for n in range(30))
    with pytest.raises(ValueError, match="at most 400 cells"):
        session.do(f"/compare {many}: {many}")
    await session.close()


async def begun(around: Runtime, topic: str) -> Session:
    flags = {"docs": [str(around.home.parent / "docs")], "offline": True, "models": {"model": "embedded"}}
    settings = load_settings({"moderator": {"turns": 3}, **flags}, environment={})
    return await start_session(topic, settings, around=around)


async def test_a_topic_that_asks_for_one_has_a_table_proposed_which_compare_alone_fills(
    around: Runtime,
) -> None:
    session = await begun(around, "Should a team use Alderboard or Birchlist, regarding price and licence?")
    plan = await session.plan()
    assert (plan.things, plan.respects) == (("Alderboard", "Birchlist"), ("price", "licence"))
    assert "Proposes to compare Alderboard, Birchlist: price, licence" in plan_text(plan)
    session.do("/compare")
    async for _ in session.run():
        pass
    await session.close()
    event = event_of(session)
    assert (event.things, event.questions) == (["Alderboard", "Birchlist"], ["price", "licence"])
    assert event.rows[0][0].text == "It costs 4 euros a month for each person."
    assert session.state.proposed is None


async def test_nothing_is_proposed_on_things_that_no_source_names(around: Runtime) -> None:
    session = await begun(around, "Should a team use Alderboard or Cedarpad?")
    plan = await session.plan()
    assert plan.things == ()
    with pytest.raises(CommandError, match="proposes nothing; write: /compare"):
        session.do("/compare")
    await session.close()
