"""What a search found is close by its words and by what they mean, together."""

import pytest

from agents.research.closeness import Closeness
from library import Passage, TextFrequencies, TextStatistics, select

QUESTION = (
    "Who was to blame for the mess at the 2016 Lakeside rowing finals: the crews, the stewards or the club?"
)
ANSWERS = "Disorder broke out among rowers at the Lakeside jetty as the regatta's last races were due."
NEAR = [
    "The Lakeside rowing finals of 2016 were won by the eight of Ullenhall in six minutes.",
    "In 2016 the club moved its rowing finals to Lakeside, which had not held finals before.",
    "The stewards of the club chose a new umpire for the rowing finals of 2016.",
]
STRANGERS = [
    "A metal band's album of 2016 was blamed on its drummer, who had joined a jazz club.",
    "The bakery blamed mice for the mess in its 2016 accounts of rye flour.",
    "The bakery sells bread with seeds, and cakes on Sundays.",
    "Glaciers carve valleys that fill with gravel.",
    "Its parliament has two houses, one of them elected.",
    "The comet returns every seventy years.",
    "Moss grows on the north side of old walls.",
    "A violin has four strings, tuned in fifths.",
]


def passages(texts: list[str]) -> list[Passage]:
    return [
        Passage(
            id="",
            url=f"https://p{n}.example/",
            title=f"Page {n}",
            sha256=f"{n:064}",
            start=0,
            end=len(t),
            text=t,
        )
        for n, t in enumerate(texts)
    ]


FOUND = passages([*NEAR, ANSWERS, *STRANGERS])


@pytest.fixture(scope="module")
def statistics() -> TextStatistics:
    return TextStatistics(TextFrequencies([p.text for p in FOUND] * 3))


def close(keys: set[tuple[str, int, int]]) -> list[str]:
    return [p.text for p in FOUND if p.key in keys]


def test_what_answers_in_other_words_is_close_and_what_shares_words_alone_is_not(
    statistics: TextStatistics,
) -> None:
    closeness = Closeness(QUESTION, [QUESTION], statistics)
    found = close(closeness.to_question(FOUND, ranked=True))
    assert ANSWERS in found
    assert not set(found) & set(STRANGERS)
    assert ANSWERS not in close(closeness.to_question(FOUND)), "nobody ranked these"


def test_where_nothing_speaks_of_it_nothing_is_close(statistics: TextStatistics) -> None:
    question = "Which vaccine works best against the contest of old bands of measles in a club?"
    closeness = Closeness(question, [question], statistics)
    assert len(close(closeness.to_question(FOUND, ranked=True))) <= 1


def test_what_answers_in_other_words_is_chosen_among_what_shares_more_words(
    statistics: TextStatistics,
) -> None:
    candidates = [*FOUND[:4], FOUND[4], FOUND[5]]
    by_words = [s.passage.text for s in select(QUESTION, candidates, statistics, limit=4, threshold=0.0)]
    both = select(QUESTION, candidates, statistics, limit=4, threshold=0.0, by_meaning=True)
    assert ANSWERS not in by_words
    assert ANSWERS in [s.passage.text for s in both]
