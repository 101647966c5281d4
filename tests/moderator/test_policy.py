"""The policy: one rule a test."""

from dataclasses import replace

import pytest

from moderator import (
    AnswerStep,
    AskStep,
    CloseCause,
    CloseStep,
    ModeratorSettings,
    Question,
    RenewStep,
    Standing,
    next_step,
)

SETTINGS = ModeratorSettings(turns=12, after_answers=2, renew_after=6, renew_below=0.1, dry_answers=4)
COSTS = Question("q1", "What does it cost?", by="moderator")

NOW = Standing(
    turns=3,
    limit=12,
    waiting=[],
    panel=["history", "costs", "law"],
    spoken=[1, 1, 1],
    nearness=[0.2, 0.7, 0.1],
    last_question=None,
    answered_by=[],
    answers=0,
    unused=5,
    dry=0,
    seated=3,
)


def test_an_open_question_goes_to_the_nearest_expert() -> None:
    assert next_step(replace(NOW, waiting=[COSTS]), SETTINGS) == AnswerStep(COSTS, "costs")


def test_of_equally_near_experts_the_one_who_spoke_least_answers() -> None:
    now = replace(NOW, waiting=[COSTS], nearness=[0.5, 0.5, 0.5], spoken=[2, 1, 0])
    assert next_step(now, SETTINGS) == AnswerStep(COSTS, "law")


def test_of_nearly_as_near_experts_the_one_who_spoke_least_answers() -> None:
    now = replace(NOW, waiting=[COSTS], nearness=[0.85, 1.0, 0.5], spoken=[1, 2, 1])
    assert next_step(now, SETTINGS) == AnswerStep(COSTS, "history")


def test_whoever_is_two_turns_ahead_of_another_waits_unless_asked_by_name() -> None:
    now = replace(NOW, waiting=[COSTS], spoken=[1, 3, 1])
    assert next_step(now, SETTINGS) == AnswerStep(COSTS, "history")
    assert next_step(replace(now, spoken=[2, 3, 2]), SETTINGS) == AnswerStep(COSTS, "costs")
    assert next_step(replace(now, waiting=[replace(COSTS, to="costs")]), SETTINGS).speaker == "costs"


def test_a_person_s_question_goes_to_whose_focus_fits_best_however_often_they_spoke() -> None:
    asked = replace(COSTS, by="person")
    now = replace(NOW, waiting=[asked], nearness=[0.85, 1.0, 0.5], spoken=[1, 3, 1])
    assert next_step(now, SETTINGS) == AnswerStep(asked, "costs")


def test_a_question_put_to_an_expert_goes_to_that_expert() -> None:
    question = replace(COSTS, to="law")
    assert next_step(replace(NOW, waiting=[question]), SETTINGS) == AnswerStep(question, "law")


def test_a_question_put_to_an_expert_who_has_left_goes_to_the_nearest() -> None:
    question = replace(COSTS, to="gone")
    assert next_step(replace(NOW, waiting=[question]), SETTINGS) == AnswerStep(question, "costs")


def test_another_expert_adds_to_the_last_question_until_enough_have_answered() -> None:
    now = replace(NOW, last_question=COSTS, answered_by=["costs"], answers=1)
    assert next_step(now, SETTINGS) == AnswerStep(COSTS, "history")


def test_nobody_adds_to_a_question_that_a_judge_found_answered_whole() -> None:
    now = replace(NOW, last_question=COSTS, answered_by=["costs"], answers=1, settled=True)
    assert next_step(now, SETTINGS) == AskStep()
    topic = Question("q0", "How does it pay?", by="moderator", place="tail")
    assert next_step(replace(now, unused=0, tail=topic), SETTINGS) == AnswerStep(topic, "costs")


def test_the_moderator_asks_after_enough_answers() -> None:
    now = replace(NOW, last_question=COSTS, answered_by=["costs", "history"], answers=2)
    assert next_step(now, SETTINGS) == AskStep()


def test_nothing_is_asked_that_no_turn_is_left_to_answer() -> None:
    topic = Question("q0", "How does it pay?", by="moderator", place="tail")
    now = replace(NOW, turns=10, tail=topic, last_question=COSTS, answered_by=["costs", "history"], answers=2)
    assert next_step(now, SETTINGS) == AnswerStep(COSTS, "law"), "who has not spoken on it adds"
    assert next_step(replace(now, turns=9), SETTINGS) == AskStep()
    every = replace(now, answered_by=now.panel, answers=3)
    assert next_step(every, SETTINGS) == AnswerStep(topic, "costs")
    last = next_step(replace(every, turns=11, tail=None), SETTINGS)
    assert isinstance(last, CloseStep)
    assert last.cause is CloseCause.TURNS


def test_the_moderator_asks_when_nobody_is_left_to_add() -> None:
    now = replace(
        NOW,
        panel=["costs"],
        spoken=[1],
        nearness=[0.5],
        last_question=COSTS,
        answered_by=["costs"],
        answers=1,
    )
    assert next_step(now, SETTINGS) == AskStep()


def test_the_table_closes_when_everything_read_is_used() -> None:
    step = next_step(replace(NOW, unused=0), SETTINGS)
    assert isinstance(step, CloseStep)
    assert step.reason == "nothing that was read leads to another question"


def test_the_panel_is_renewed_when_nobody_is_near() -> None:
    now = replace(NOW, waiting=[COSTS], nearness=[0.9, 0.2, 0.5], reach=0.05, seated=6)
    assert next_step(now, SETTINGS) == RenewStep("costs", COSTS)


def test_whom_a_person_wrote_is_not_replaced() -> None:
    now = replace(NOW, waiting=[COSTS], nearness=[0.9, 0.2, 0.5], reach=0.05, seated=6, staying=["costs"])
    assert next_step(now, SETTINGS) == RenewStep("law", COSTS)
    everybody = replace(now, staying=["history", "costs", "law"])
    assert next_step(everybody, SETTINGS) == AnswerStep(COSTS, "history")


def test_a_fresh_panel_is_not_renewed() -> None:
    now = replace(NOW, waiting=[COSTS], nearness=[0.9, 0.2, 0.5], reach=0.05, seated=5)
    assert next_step(now, SETTINGS) == AnswerStep(COSTS, "history")


@pytest.mark.parametrize(
    ("change", "cause", "words"),
    [
        ({"turns": 12}, CloseCause.TURNS, "12 turns"),
        ({"turns": 1, "limit": 1}, CloseCause.TURNS, "1 turn taken"),
        ({"turns": 12, "besides": 1}, CloseCause.TURNS, "12 turns taken, and 1 more"),
        ({"spent": "tokens"}, CloseCause.BUDGET, "budget spent: tokens"),
        ({"dry": 4}, CloseCause.NOTHING_NEW, "no new passage"),
        ({"stopped": True}, CloseCause.STOPPED, "the report was asked for"),
    ],
)
def test_limits_close_the_table_though_a_question_waits(
    change: dict[str, object], cause: CloseCause, words: str
) -> None:
    step = next_step(replace(NOW, waiting=[COSTS], **change), SETTINGS)
    assert isinstance(step, CloseStep)
    assert step.cause is cause
    assert words in step.reason


def test_a_person_is_heard_though_the_talk_is_dry() -> None:
    question = replace(COSTS, by="person")
    assert next_step(replace(NOW, waiting=[question], dry=9), SETTINGS) == AnswerStep(question, "costs")


def test_turns_that_a_person_asked_for_are_taken_however_little_new_there_is() -> None:
    dry = replace(NOW, unused=0, dry=9, novelty=0.0, last_question=COSTS, answered_by=["costs"], answers=2)
    assert isinstance(next_step(dry, SETTINGS), CloseStep)
    wanted = replace(dry, wanted=True, unheard=(COSTS, ["costs"]))
    assert next_step(wanted, SETTINGS) == AnswerStep(COSTS, "history")
    assert next_step(replace(wanted, limit=3), SETTINGS).cause is CloseCause.TURNS
    assert next_step(replace(wanted, waiting=[COSTS]), SETTINGS).speaker == "costs"
    assert next_step(replace(wanted, unheard=None), SETTINGS).cause is CloseCause.NOTHING_NEW
