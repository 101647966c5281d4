"""What the moderator asks from."""

from types import SimpleNamespace
from typing import Any

import pytest

from library import Evidence, Passage, TextStatistics
from moderator.agenda import Agenda
from moderator.moderator import Moderator
from moderator.tasks import QuestionDraft

TEXTS = (
    "The dam of Asterby broke because its spillway was blocked with driftwood.",
    "The inquiry said that the dam of Asterby broke after nobody had cleared the spillway.",
    "A cycling club rode through another valley and sang.",
)


@pytest.mark.parametrize(
    ("topic", "last"), [("Why did the dam of Asterby break?", "p2"), ("The dam of Asterby", "p3")]
)
async def test_of_what_was_found_for_a_question_the_model_is_shown_what_is_near_the_topic(
    topic: str, last: str
) -> None:
    passages = {
        f"p{n}": Passage(
            id=f"p{n}", sha256=f"{n:064d}", url=f"file:///{n}.md", title="", text=text, start=0, end=len(text)
        )
        for n, text in enumerate(TEXTS, 1)
    }  # fmt: skip
    asked: list[Any] = []

    async def ask(task: Any) -> QuestionDraft:
        asked.append(task)
        return QuestionDraft(question="", search="", why="")

    view: Any = SimpleNamespace(
        topic=topic, language="en", turns=(), directions=(), evidence=Evidence(passages)
    )
    context: Any = SimpleNamespace(chooses=True, statistics=TextStatistics(), ask=ask, memory=tuple)
    await Moderator(view, Agenda(), context).speak(SimpleNamespace())  # type: ignore[arg-type]
    assert asked[0].unused[-1].id == last, "the last ones are shown"
