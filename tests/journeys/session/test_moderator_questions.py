"""What the moderator asks from is shown to who answers; at the end all that was searched for counts."""

from pathlib import Path
from typing import Any

import pytest

from tests.journeys.research.research_world import World, acts, answers, document, search
from tests.journeys.session.test_discussion import HOLDS

pytestmark = pytest.mark.usefixtures("each_mode")
FOUR = {side: document(side) for side in ("ferry", "dyke", "market", "pilots")}


async def test_who_answers_the_moderator_is_shown_what_it_asked_from(tmp_path: Path) -> None:
    world = World(tmp_path, folders={"harbour": FOUR})
    offered: list[list[str]] = []

    def asks(task: Any) -> dict[str, Any]:
        offered.append([p.id for p in task.unused])
        told = [offered[-1][-1], "p999"]
        return {"question": f"What of it, {len(offered)}?", "search": "", "why": "", "passages": told}

    script = {"respond": lambda task: answers(f"So it was [{task.passages[0].id}]."), "ask_question": asks}
    await world.play({**script, "judge_answer": HOLDS}, turns=6, passage_tokens=250)
    asked = [event for event in world.of("question_raised") if event.by == "moderator" and event.passages]
    assert asked
    assert all(event.passages == ids[-1:] for event, ids in zip(asked, offered, strict=False))
    shown = {task.question: [p.id for p in task.passages] for task in world.asked}
    answered = [event for event in asked if event.text in shown]
    assert answered
    assert all(shown[event.text][:1] == event.passages for event in answered)


async def test_the_closing_answer_is_judged_by_all_that_was_searched(tmp_path: Path) -> None:
    world = World(tmp_path)
    moves = [acts(search("pilots fishery of Asterby"))]
    said = lambda task: moves.pop() if moves else answers(f"So it was [{task.passages[0].id}].")  # noqa: E731
    await world.play({"respond": said, "judge_answer": HOLDS}, turns=4)
    first, *others, last = world.model.tasks("judge_answer")
    assert last.question == "The harbour of Asterby"
    assert "pilots fishery of Asterby" in last.searched
    assert last.found >= max(len(last.cited), first.found) > 0
    asked = [task for task in (first, *others) if "pilots fishery of Asterby" in task.searched]
    assert len({task.question for task in asked}) == 1, "of another question only its own searches are told"


async def test_who_adds_to_an_answered_question_is_told_so(tmp_path: Path) -> None:
    world = World(tmp_path, folders={"harbour": FOUR})
    asks = {"question": "What did the dyke cost?", "search": "dyke cost", "why": ""}
    script = {"respond": lambda task: answers(f"So it was [{task.passages[0].id}]."), "ask_question": asks}
    part = HOLDS | {"complete": False, "missing": "who paid", "in_vain": True}
    await world.play({**script, "judge_answer": part}, turns=8, experts=2)
    first, *others = [task for task in world.asked if task.question == "What did the dyke cost?"]
    assert not first.answered
    assert others
    told = others[0].fields()["closing"]
    assert f"Turn {others[0].answered[0]} of the discussion has answered this" in told
