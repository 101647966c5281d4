"""What a person's question asks, clause by clause."""

import pytest

from library.text import asked_clauses, question_parts


@pytest.mark.parametrize(
    ("question", "clauses"),
    [
        ("How do I back it up, and how do I restore it?", ["How do I back it up", "how do I restore it?"]),
        (
            "How do I mend only the hull, and later paint that red?",
            ["How do I mend only the hull", "How do I paint that red?"],
        ),
        (
            "I want the lamp to light itself each night, and to have its bill paid. How?",
            ["I want the lamp to light itself each night", "I want to have its bill paid."],
        ),
        (
            "Our ferry has two engines: when does one suffice, when are both better, and can one rust?",
            ["when does one suffice", "when are both better", "can one rust?"],
        ),
        ("I want a ferry of my own. Where do I buy one?", ["Where do I buy one?"]),
        ("怎样备份数据，以及如何恢复？", ["怎样备份数据", "如何恢复？"]),
        ("When I sail, what I left ashore gets wet as well. How do I keep it?", ["How do I keep it?"]),
        ("Who had the boat before me broke the mast. How do I mend it?", ["How do I mend it?"]),
        ("When the engine sleeps, how do I wake it?", ["how do I wake it?"]),
    ],
)
def test_each_thing_that_is_asked_is_a_clause(question: str, clauses: list[str]) -> None:
    assert asked_clauses(question) == clauses


@pytest.mark.parametrize(
    "question",
    [
        "How do I draw two curves, one axis on the left, and one on the right?",
        "How do I stop people from filling the hold, while still letting them go a bit over?",
        "The hold is full, but nobody has loaded a thing. Why, and what gives the room back?",
        "What do I take along so that my books, reports and charts are there as before?",
        "For sums of money, which type should I use so that no cent gets lost: float, money or numeric?",
    ],
)
def test_what_belongs_to_one_question_stays_in_it(question: str) -> None:
    [asked] = asked_clauses(question)
    assert asked.endswith("?")


def test_a_subject_asks_nothing() -> None:
    assert asked_clauses("The lighthouse of Orrin, its keepers, and their boats") == []


def test_each_part_of_a_question_keeps_what_it_tells_of_the_matter() -> None:
    assert question_parts("Our ferry leaks. How do I find the hole, and who mends it?") == [
        "Our ferry leaks. How do I find the hole",
        "Our ferry leaks. who mends it?",
    ]
    assert question_parts("Our ferry leaks. Who mends it?") == []
