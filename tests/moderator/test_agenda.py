"""The agenda: a fold of its events."""

from models import Event
from moderator import (
    Agenda,
    QuestionClosed,
    QuestionRaised,
    dry_answers,
    first_cited,
    holds_part,
    novelty,
    raise_all,
)
from roundtable.session.judging.discussion_review import claims_to_put


def agenda(*events: Event) -> Agenda:
    made = Agenda()
    for event in events:
        made.fold(event)
    return made


FIRST = QuestionRaised(id="q1", text="Why do cities flood?", by="moderator")
SECOND = QuestionRaised(id="q2", text="What does it cost?", by="person", to="costs")


def test_a_persons_question_waits_before_the_others() -> None:
    assert [q.id for q in agenda(FIRST, SECOND).waiting()] == ["q2", "q1"]


def test_a_closed_question_no_longer_waits_and_an_open_one_is_unanswered() -> None:
    closed = agenda(
        FIRST, SECOND, QuestionClosed(id="q1", state="answered"), QuestionClosed(id="q2", state="open")
    )
    assert closed.waiting() == []
    assert [q.id for q in closed.unanswered()] == ["q2"]


def test_a_question_asked_before_in_other_spacing_and_case_is_known() -> None:
    assert agenda(FIRST).asked("why do  CITIES flood")
    assert not agenda(FIRST).asked("why do rivers flood?")


def test_raising_passes_over_what_was_asked_and_numbers_the_rest() -> None:
    events = raise_all(
        agenda(FIRST),
        [("Why do cities flood?", "", "a", None), ("New?", "", "b", "b"), ("new", "", "c", None)],
    )
    assert [(e.id, e.text, e.to) for e in events] == [("q2", "New?", "b")]


def test_dry_answers_counts_back_to_the_last_new_passage() -> None:
    assert dry_answers([]) == 0
    assert dry_answers([3, 0, 0]) == 2


def test_a_passage_counts_as_cited_first_once() -> None:
    assert first_cited([]) == []
    assert first_cited([["p1", "p2"], ["p2"], ["p3", "p1", "p3"]]) == [2, 0, 1]
    assert dry_answers([0, 0, 1]) == 0


def test_novelty_is_the_share_of_new_passages_in_the_last_answers() -> None:
    assert novelty([], []) == 1.0
    assert novelty([9, 2, 1, 0], [9, 4, 4, 4]) == 0.25
    assert novelty([0], [0]) == 0.0


def test_a_part_is_asked_by_a_question_that_holds_its_words_beside_others() -> None:
    asked = "Debian 电脑上哪些目录和数据必须备份，备份又该存放在哪里？"
    assert holds_part("备份放在哪里？", asked)
    assert not holds_part("用哪种工具备份？", asked)
    assert holds_part("Where are old copies kept?", "Which files are old copies, where are they kept?")
    assert not holds_part("What can go wrong?", "What can go wrong with the gate of the sluice?")


def test_claims_leave_turns_to_the_questions_that_experts_raised() -> None:
    waiting = agenda(FIRST, QuestionRaised(id="q2", text="And the mill?", by="costs", why="a gap"))
    assert [claims_to_put(waiting, {"costs"}, left) for left in (1, 2, 3, 4, 9)] == [0, 1, 1, 2, 2]
    assert [claims_to_put(agenda(FIRST), {"costs"}, left) for left in (1, 2, 3, 4)] == [1, 1, 2, 2]
