"""The rules of the agenda in whole sessions with a scripted model: one rule a test, by its name."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from agents.research.moves.respond import Move
from library import TextStatistics
from models import ScriptedModel, Usage
from roundtable.session.factory import Runtime, resume_session, start_session
from roundtable.session.session import Session
from tests.journeys.research import research_world
from tests.journeys.session.test_embedded import play, settings_for
from tests.library.claims.disagreeing import DOCUMENTS

pytestmark = pytest.mark.usefixtures("each_mode")
TOPIC = "Tolvik"
HOLDS = {
    "answers": True, "definite": True, "complete": True, "fresh": True, "sourced": True, "missing": "",
}  # fmt: skip


@pytest.fixture
def town(tmp_path: Path) -> Path:
    """A folder with one document for each text about the made-up town."""
    folder = tmp_path / "town"
    folder.mkdir()
    for number, (title, text) in enumerate(DOCUMENTS.items()):
        (folder / f"{number:02}.md").write_text(f'---\ntitle: "{title}"\n---\n\n{text}\n', encoding="utf-8")
    return folder


def scripted(usage: Usage | None = None, **scripts: Any) -> ScriptedModel:
    said = {"judge_answer": HOLDS, **scripts}
    if usage is not None:
        return ScriptedModel(said, otherwise=TextStatistics(), usage=usage)
    return research_world.scripted(said, otherwise=TextStatistics())


async def session_on(
    town: Path, around: Runtime, model: ScriptedModel, topic: str = TOPIC, **moderator: Any
) -> Session:
    settings = settings_for(town, moderator={"turns": 8, **moderator})
    surroundings = Runtime(around.home, around.clock, {}, model=model)
    return await start_session(topic, settings, around=surroundings, session_id="s1")


def answering(text: str, **more: Any) -> Callable[[Any], Move]:
    """Answer with the first passage shown."""

    def move(task: Any) -> Move:
        said = f"{text} [{task.passages[0].id}]." if task.passages else text
        return Move(thought="", actions=[], answer=said, **more)

    return move


async def test_the_topic_itself_is_asked_last_and_once(town: Path, around: Runtime) -> None:
    session = await session_on(town, around, scripted())
    await play(session)
    answered = [t.question for t in session.state.turns if t.act == "answer"]
    topic = next(q for q in session.state.agenda.questions.values() if q.text == TOPIC)
    assert answered[-1] == topic.id
    assert answered.count(topic.id) == 1


async def test_a_gap_goes_to_the_head_and_is_not_asked_again(town: Path, around: Runtime) -> None:
    gap = "Who paid for the Maren Bridge?"
    model = scripted(respond=answering("The bridge was opened", ask=[gap, "who paid for the  Maren bridge"]))
    session = await session_on(town, around, model, disputes=0)
    await play(session)
    state = session.state
    asked = [q for q in state.agenda.questions.values() if "paid" in q.text]
    assert [q.text for q in asked] == [gap]
    answered = [t.question for t in state.turns if t.act == "answer"]
    assert answered[3] == asked[0].id


async def test_an_answer_is_judged_while_the_next_turn_reads(town: Path, around: Runtime) -> None:
    session = await session_on(town, around, scripted())
    events = [r.event for r in await play(session)]
    kinds = [(e.kind, getattr(e, "turn", None)) for e in events]
    judged = kinds.index(("answer_judged", 1))
    assert kinds.index(("speaker_called", 4)) < judged
    assert not [e for e in events[:judged] if e.kind == "question_closed"]


def wanting_lamps(task: Any) -> dict[str, Any]:
    wanting = {**HOLDS, "complete": False, "missing": "the price of the lamps"}
    return wanting if "Maren" in task.question else HOLDS


def panel_of(*names: str) -> dict[str, Any]:
    """Experts, the first of whom asks what a bridge cost."""
    return {
        "experts": [
            {"name": name, "role": "builds", "focus": "bridges", "terms": ["bridge"],
             "question": "What did the Maren Bridge cost?" if name == names[0] else f"Who is {name}?"}
            for name in names
        ]
    }  # fmt: skip


def nothing_of_lamps(task: Any) -> dict[str, Any]:
    return {**wanting_lamps(task), "answers": "Maren" not in task.question, "in_vain": bool(task.searched)}


async def played(
    town: Path,
    around: Runtime,
    names: tuple[str, ...],
    judge: Callable[..., Any] = wanting_lamps,
    **agents: Any,
) -> tuple[Any, list[Any]]:
    """Play a session whose judge wants the price of the lamps; return the question, and the events."""
    model = scripted(judge_answer=judge, plan_panel=panel_of(*names))
    settings = settings_for(
        town, moderator={"turns": 9, "disputes": 0}, agents={"experts": len(names), **agents}
    )
    session = await start_session(TOPIC, settings, around=Runtime(around.home, around.clock, {}, model=model))
    events = [r.event for r in await play(session)]
    return next(q for q in session.state.agenda.questions.values() if "Maren" in q.text), events


async def test_a_part_of_what_was_asked_that_no_expert_begins_is_asked_before_all_else(
    town: Path, around: Runtime
) -> None:
    parts = ["Why was the Maren Bridge built?", "Who answers for what it cost?"]
    panel = panel_of("Builder", "Mason")
    for expert in panel["experts"]:
        expert["part"] = 1
    model = scripted(
        plan_panel={**panel, "parts": parts},
        respond=answering("It was opened", ask=["Which lamps stand on it?"]),
    )
    topic = "Why was the Maren Bridge built, and who answers for what it cost?"
    session = await session_on(town, around, model, topic, disputes=0)
    await play(session)
    state = session.state
    assert state.parts == parts
    asked = [q for q in state.agenda.questions.values() if q.part]
    assert [q.text for q in asked] == [parts[1]]
    answered = [t.question for t in state.turns if t.act == "answer"]
    assert asked[0].id in answered[:3], "in the first round"
    [written] = model.tasks("write_answer")
    assert written.parts == parts


async def test_what_is_answered_in_part_is_not_asked_again_and_the_rest_is_a_gap(
    town: Path, around: Runtime
) -> None:
    question, events = await played(town, around, ("Builder",))
    assert not [e for e in events if e.kind == "question_returned"]
    assert (question.state, question.wanting) == ("answered", "the price of the lamps")
    report = next(e.report for e in events if e.kind == "report_written")
    assert "The price of the lamps" in report.back.open_questions
    assert question.text not in report.back.open_questions
    answered = [e.turn.question for e in events if e.kind == "turn_taken" and e.turn.act == "answer"]
    assert answered.count(question.id) == 1


@pytest.mark.every_mode
async def test_a_question_comes_back_where_there_is_something_new_and_to_two_experts_at_most(
    town: Path, around: Runtime
) -> None:
    for number in range(4):
        text = f"In Tolvik the price of the lamps on the Maren Bridge was {number + 40} crowns a lamp."
        (town / f"lamps-{number}.md").write_text(text, encoding="utf-8")
    question, events = await played(town, around, ("Builder", "Mason", "Clerk"), passages=1, background=1)
    returned = [e for e in events if e.kind == "question_returned"]
    assert [e.reason for e in returned] == ["the price of the lamps"]
    turns = [e.turn for e in events if e.kind == "turn_taken" and e.turn.act == "answer"]
    assert len({t.speaker for t in turns if t.question == question.id}) == 2
    assert (question.state, question.wanting) == ("answered", "the price of the lamps")
    asked = [e for e in events if e.kind == "searched" and "price of the lamps" in e.query]
    assert asked, "whoever answers the rest looks for the rest"


async def test_a_table_that_finds_nothing_asks_the_topic_and_closes(town: Path, around: Runtime) -> None:
    nothing = {**HOLDS, "answers": False, "in_vain": True, "missing": "what it is about"}
    names = ("Builder", "Mason", "Clerk")
    model = scripted(judge_answer=nothing, plan_panel=panel_of(*names))
    session = await session_on(town, around, model, turns=12, disputes=0)
    await play(session)
    state = session.state
    assert state.reason.startswith("nothing found answers it: ")
    assert state.turns[-1].question == next(q.id for q in state.agenda.questions.values() if q.text == TOPIC)
    assert len(state.turns) <= 6
    assert state.report is not None


async def test_what_was_searched_for_in_vain_is_not_asked_again(town: Path, around: Runtime) -> None:
    for number in range(4):
        text = f"In Tolvik the price of the lamps on the Maren Bridge was {number + 40} crowns a lamp."
        (town / f"lamps-{number}.md").write_text(text, encoding="utf-8")
    names = ("Builder", "Mason", "Clerk")
    question, events = await played(town, around, names, nothing_of_lamps, passages=1, background=1)
    assert not [e for e in events if e.kind == "question_returned"]
    assert (question.state, question.wanting) == ("not_found", "the price of the lamps")


async def test_what_sources_disagree_on_is_asked_once_marked_and_told_with_both_sides(
    town: Path, around: Runtime
) -> None:
    def all_of_them(task: Any) -> dict[str, Any]:
        return {"differ": [*range(1, len(task.points) + 1), 99]}

    session = await session_on(town, around, scripted(review_discussion=all_of_them), disputes=2)
    events = [r.event for r in await play(session)]
    state = session.state
    found = [e for e in events if e.kind == "contradiction_found"]
    assert len(found) >= 8
    pairs = [(tuple(e.passages), e.about) for e in found]
    assert len(pairs) == len(set(pairs))
    asked = [q for q in state.agenda.questions.values() if q.why == "sources disagree"]
    assert len(asked) == 2
    marked = [n for n in state.map.walk() if "contradiction" in state.map.node(n).marks]
    assert marked
    report = state.report
    assert report is not None
    told = report.model_dump_json()
    assert "84 million" in told
    assert "97 million" in told
    assert "90.5 million" not in told


async def test_what_sources_disagree_on_and_was_asked_already_is_told_and_not_asked_again(
    town: Path, around: Runtime
) -> None:
    def asked_already(task: Any) -> dict[str, Any]:
        return {"differ_asked": [*range(1, len(task.points) + 1), 99]}

    session = await session_on(town, around, scripted(review_discussion=asked_already), disputes=2)
    await play(session)
    state = session.state
    assert not [q for q in state.agenda.questions.values() if q.why == "sources disagree"]
    assert [n for n in state.map.walk() if "contradiction" in state.map.node(n).marks]
    assert state.report is not None
    assert "97 million" in state.report.model_dump_json()


async def test_what_only_seems_to_disagree_is_neither_asked_nor_marked_nor_told(
    town: Path, around: Runtime
) -> None:
    model = scripted(review_discussion={"differ": []})
    session = await session_on(town, around, model, disputes=2)
    await play(session)
    state = session.state
    shown = [point for task in model.tasks("review_discussion") for point in task.points]
    assert len(shown) == len(set(shown)) == state.talk.weighed > 0
    assert not [q for q in state.agenda.questions.values() if q.why == "sources disagree"]
    assert not [n for n in state.map.walk() if state.map.node(n).marks]
    assert len(state.talk.disagreements(confirmed=False)) == len(state.talk.contradictions) - len(shown)


async def test_what_changes_is_not_answered_from_undated_passages_without_saying_so(
    town: Path, around: Runtime
) -> None:
    session = await session_on(town, around, scripted(), turns=6)
    session.say("Who is the mayor of Tolvik now?")
    await play(session)
    answers = [t for t in session.state.turns if t.act == "answer" and "may have changed" in t.age]
    assert answers
    report = session.state.report
    assert report is not None
    assert "undated or old sources alone: Who is the mayor" in report.model_dump_json()


async def test_near_the_end_of_a_budget_experts_hurry_and_at_its_end_the_report_is_written(
    town: Path, around: Runtime
) -> None:
    usage = Usage(model="scripted", requests=1, prompt_tokens=90, completion_tokens=10)
    model = scripted(usage, respond=answering("The bridge was opened"))
    session = await session_on(town, around, model, turns=90, dry_answers=90, budget={"tokens": 5000})
    events = [r.event for r in await play(session)]
    state = session.state
    hurried = [e.hurry for e in events if e.kind == "speaker_called"]
    assert hurried[0] is False
    assert hurried[-1] is True
    assert hurried == sorted(hurried)
    assert state.status == "ended"
    assert state.reason == "budget spent: tokens"
    assert state.report is not None


async def test_a_talk_in_which_nothing_new_is_said_closes(town: Path, around: Runtime) -> None:
    model = scripted(
        respond=answering("The bridge was opened"),
        ask_question=lambda task: {
            "question": f"What of number {len(task.asked)}, {'abcdefghijklmnop'[len(task.asked)] * 5}?",
            "search": "bridge", "why": "",
        },
    )  # fmt: skip
    session = await session_on(town, around, model, turns=60, disputes=0)
    events = [r.event for r in await play(session)]
    measured = [e for e in events if e.kind == "novelty_measured"]
    assert measured[-1].passages == 0.0
    assert session.state.reason.endswith(("brought and used no new passage", "of the last answers was new"))
    assert len(session.state.turns) < 30


async def test_a_plan_spends_one_request_and_the_session_goes_on_from_it_as_changed(
    town: Path, around: Runtime
) -> None:
    model = scripted()
    session = await session_on(town, around, model)
    plan = await session.plan()
    assert [task.name for task in model.asked] == ["plan_panel"]
    assert session.state.turns == []
    kept = [(p.model_copy(update={"name": "Harbour master"}), "Which ships came?") for p, _ in plan.panel[:1]]
    session.adopt(plan, kept)
    session.leave_planned()
    await session.close()
    resumed = await resume_session("s1", around=Runtime(around.home, around.clock, {}, model=model))
    await play(resumed)
    state = resumed.state
    assert state.status == "ended"
    first = state.turns[0]
    assert (first.name, state.agenda.questions[first.question or ""].text) == (
        "Harbour master",
        "Which ships came?",
    )
    assert {t.name for t in state.turns if t.role == "expert"} >= {"Harbour master"}
    dropped = [q for q in state.agenda.questions.values() if q.state == "dropped"]
    assert len(dropped) == len(plan.panel) - 1
    assert not set(dropped) & set(state.agenda.unanswered())
