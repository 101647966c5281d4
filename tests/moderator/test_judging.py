"""Judging an answer by rules: one reason a test."""

from dataclasses import replace

import pytest

from library import Passage, TextStatistics
from moderator import AnswerVerdict, JudgeAnswer

FERRY_TEXT = "The ferry of Tolvik costs 3 euros and takes cars."
TRAIN_TEXT = "The ferry timetable of Tolvik is printed in May."
FERRY = Passage("a" * 64, 0, 49, FERRY_TEXT, "file:a", "Ferry", "2025-06-01", id="p1")
TRAIN = Passage("b" * 64, 0, 48, TRAIN_TEXT, "file:b", "Ferry times", "2025-06-01", id="p2")


def judged(question: str, answer: str, *cited: Passage, others: tuple[Passage, ...] = ()) -> AnswerVerdict:
    task = JudgeAnswer(
        topic="Tolvik", language="en", question=question, answer=answer, cited=cited, others=others,
        today="2026-01-01",
    )  # fmt: skip
    return task.extract(TextStatistics())


def test_an_answer_that_rests_on_passages_and_takes_up_the_question_holds() -> None:
    assert judged("What does the ferry cost?", "The ferry costs 3 euros [p1].", FERRY).holds


def test_an_answer_without_passages_does_not() -> None:
    verdict = judged("What does the ferry cost?", "The ferry is cheap.")
    assert not verdict.answers
    assert "nothing was found" in verdict.missing


def test_an_answer_to_something_else_does_not() -> None:
    assert not judged("Who built the lighthouse?", "The ferry costs 3 euros [p1].", FERRY).answers


def test_an_answer_that_commits_itself_to_nothing_is_not_definite() -> None:
    assert not judged("What does the ferry cost?", "It is unclear what the ferry costs [p1].", FERRY).definite


def test_a_part_that_nobody_took_up_is_named() -> None:
    verdict = judged("What does the ferry cost? Who built the lighthouse?", "It costs 3 euros [p1].", FERRY)
    assert not verdict.complete
    assert "Who built the lighthouse" in verdict.missing


@pytest.mark.parametrize(
    ("published", "fresh"), [(None, False), ("2019", False), ("2025-06-01", False), ("2025-11-20", True)]
)
def test_what_changes_needs_passages_of_known_and_recent_date(published: str | None, fresh: bool) -> None:
    cited = replace(FERRY, published=published)
    assert judged("How much does the ferry cost now?", "The ferry costs 3 euros [p1].", cited).fresh is fresh


def test_a_single_source_does_not_suffice_where_another_fits_better() -> None:
    question = "When is the ferry timetable printed?"
    assert not judged(question, "The ferry runs [p1].", FERRY, others=(TRAIN,)).sourced
    assert judged(question, "It is printed in May [p2].", TRAIN, others=(FERRY,)).sourced


def test_the_prompt_can_be_filled() -> None:
    task = JudgeAnswer(
        topic="T", language="en", question="Q?", answer="A [p1]", cited=(FERRY,), today="2026-01-01"
    )
    from models.prompting.prompts import render

    assert "2025-06-01" in str(render(task))


def test_other_sources_count_where_they_are_about_as_near_to_the_question() -> None:
    noise = replace(FERRY, text="A band played.", title="Band", url="https://b.example/", id="p3")
    near = replace(FERRY, title="Prices", url="https://c.example/", id="p4")
    task = JudgeAnswer(
        topic="Tolvik", language="en", question="What does the ferry cost?", answer="3 euros [p1].",
        cited=(FERRY,), others=(noise, near), today="2026-01-01",
    )  # fmt: skip
    assert task.fields()["others"] == "1"


def test_a_reason_shows_words_as_the_question_has_them_and_what_is_wanted_is_searched_in_its_words() -> None:
    verdict = judged("Which bantams, and whose lighthouses?", "The ferry costs 3 euros [p1].", FERRY)
    assert verdict.missing.endswith("bantams, lighthouses")
    assert verdict.wanted == "Which bantams, and whose lighthouses?"
    parts = judged("What does the ferry cost? Who built the lighthouse?", "It costs 3 euros [p1].", FERRY)
    assert parts.wanted == "Who built the lighthouse"


def test_what_is_far_from_the_question_is_no_source_that_was_not_cited() -> None:
    other = replace(TRAIN, url="https://rails.example/tolvik")
    task = JudgeAnswer(
        topic="Tolvik", language="en", question="When does the ferry of Tolvik sail?", answer="In May [p1].",
        cited=(FERRY,), others=(other,), today="2026-01-01",
    )  # fmt: skip
    assert task.fields()["others"] == "1"
    assert task.model_copy(update={"far": ("p2",)}).fields()["others"] == "0"
