"""What changes, and how fresh passages are."""

from datetime import date

import pytest

from library.claims.standing.recency import ages, changing, freshness, newest, stale_days
from library.evidence import Passage


def passage(published: str | None) -> Passage:
    return Passage("0" * 64, 0, 4, "text", "file:x", "x", published)


@pytest.mark.parametrize(
    "question",
    [
        "What is the latest version of the program?",
        "Who is the mayor of Tolvik?",
        "How much does a ticket cost?",
        "What is the price of a ticket?",
        "Which treatments are currently used?",
        "目前的门票价格是多少？",
        "现任镇长是谁？",
    ],
)
def test_questions_about_something_that_changes_are_recognised(question: str) -> None:
    assert changing(question)


@pytest.mark.parametrize(
    "question",
    [
        "Why did the dike break?",
        "Who was the mayor of Tolvik in 1990?",
        "What did the flood of 2011 cost?",
        "What do the sources say about the bridge?",
        "2016年的洪水损失是多少？",
    ],
)
def test_questions_about_what_is_over_are_not(question: str) -> None:
    assert not changing(question)


@pytest.mark.parametrize(
    ("question", "claim"),
    [
        ("What is the current price of the ferry?", "It is six crowns."),
        ("Who is the mayor of Tolvik now?", "Anna Berg is."),
        ("Which treatments are currently used?", "Currently 40 hospitals use light."),
        ("目前的门票价格是多少？", "目前的门票是40元。"),
    ],
)
def test_what_was_asked_for_or_is_said_to_be_so_today_ages(question: str, claim: str) -> None:
    assert ages(question, claim)


@pytest.mark.parametrize(
    ("question", "claim"),
    [
        ("Which timeline does recovery follow, the latest or another?", "It follows timeline 3."),
        ("How much does a short timeout add, and at what cost?", "It bloats the archive, by 16 MB a minute."),
        ("How is the current directory found?", "The current directory is printed by a command."),
        ("What did the latest ferry cost in 1990?", "It now cost 6 crowns."),
    ],
)
def test_words_of_today_and_of_cost_alone_make_nothing_age(question: str, claim: str) -> None:
    assert not ages(question, claim)


@pytest.mark.parametrize(
    ("dates", "expected"),
    [
        ([None, None], "undated"),
        ([None, "2025-11-02"], "fresh"),
        (["2019", "2020-05"], "stale"),
        (["1999-01-01", "2025"], "fresh"),
        (["no date"], "undated"),
    ],
)
def test_the_freshest_passage_counts(dates: list[str | None], expected: str) -> None:
    assert freshness([passage(d) for d in dates], date(2026, 1, 1)) == expected


def test_the_newest_date_is_told_as_its_source_says_it() -> None:
    assert newest([passage("2019"), passage("2020-05"), passage(None)]) == "2020-05"
    assert newest([passage(None)]) is None


@pytest.mark.parametrize(
    ("question", "published", "said"),
    [
        ("What is the price of a ticket?", "2026-06-01", "stale"),
        ("What is the price of a ticket?", "2026-11-01", "fresh"),
        ("Who is the mayor of Tolvik?", "2026-06-01", "fresh"),
        ("Which law is currently in force?", "2023-06-01", "fresh"),
        ("Which law is currently in force?", "2019-06-01", "stale"),
        ("目前的门票价格是多少？", "2026-06-01", "stale"),
        ("目前的相关法律是什么？", "2023-06-01", "fresh"),
        ("What is the population of Outlaw Bay?", "2023-06-01", "stale"),
    ],
)
def test_a_price_ages_in_weeks_and_a_law_in_years(question: str, published: str, said: str) -> None:
    assert freshness([passage(published)], date(2026, 11, 22), stale_days(question)) == said
