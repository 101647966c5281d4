"""A person's directions reach everybody with a part in the session, and are no words to search by."""

from pathlib import Path
from typing import Any

import pytest

from library import TextStatistics
from models.prompting.prompts import render
from roundtable.session.factory import Runtime, start_session
from tests.journeys.research import research_world
from tests.journeys.research.research_world import SIDES, answers, document
from tests.journeys.session.test_discussion import HOLDS, PANEL
from tests.journeys.session.test_embedded import play, settings_for
from tests.roundtable.session.test_session_commands import Watch, turn

pytestmark = pytest.mark.usefixtures("each_mode")
TOPIC = "Why does the harbour of Asterby draw more people?"
STEER = "stay on what it cost, not on lighthouses"
TOLD = ("ask_question", "review_discussion", "respond", "judge_answer", "plan_sections", "write_sections",
        "write_answer", "review_answer")  # fmt: skip
"""Everybody who decides on what is asked, answered or written."""


def outline(task: Any) -> dict[str, Any]:
    ids = [i for i, _ in task.passages]
    return {"outline": [{"heading": "What it cost", "purpose": "Tell it.", "words": 80, "passages": ids}]}


def sections(task: Any) -> dict[str, Any]:
    told = [min(part.shown) for part in task.parts]
    return {
        "sections": [{"n": n, "paragraphs": [f"It cost more [{i}]."]} for n, i in enumerate(told, 1)],
    }


@pytest.mark.every_mode
async def test_a_direction_reaches_experts_moderator_judges_planner_and_writers(
    tmp_path: Path, around: Runtime
) -> None:
    folder = tmp_path / "harbour"
    folder.mkdir()
    for side in SIDES:
        (folder / f"{side}.md").write_text(document(side), encoding="utf-8")
    model = research_world.scripted(
        {
            "plan_panel": PANEL, "judge_answer": HOLDS, "plan_sections": outline, "write_sections": sections,
            "respond": lambda task: answers(f"It grew [{task.passages[0].id}]."),
            "ask_question": {"question": "What did the dyke cost?", "search": "dyke cost", "why": "So."},
            "write_answer": lambda task: {"paragraph": f"It cost more [{task.evidence[0].id}]."},
        },
        otherwise=TextStatistics(),
    )  # fmt: skip
    settings = settings_for(folder, moderator={"turns": 9, "dry_answers": 50}, agents={"experts": 2})
    session = await start_session(TOPIC, settings, around=Runtime(around.home, around.clock, {}, model=model))
    Watch(session, [(turn(2), lambda s: s.do(f"/steer {STEER}"))])
    recorded = await play(session)
    taken = [(n, r.event.turn) for n, r in enumerate(recorded) if r.event.kind == "turn_taken"]
    steered = next(n for n, said in taken if said.act == "steer")
    for name in TOLD:
        tasks = [task for task in model.tasks(name) if STEER in render(task).user]
        assert tasks, name
        assert all(f"“{STEER}”" in render(task).user for task in tasks)
    assert all(STEER in render(model.tasks(name)[-1]).user for name in TOLD)
    assert STEER not in render(model.tasks("respond")[0]).user
    later = [r.event for r in recorded[steered:]]
    assert all("lighthouses" not in e.query for e in later if e.kind == "searched")
    assert all("lighthouses" not in task.question for task in model.tasks("respond"))
