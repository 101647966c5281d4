"""Which sentences can stand alone, which only behind another, and which not at all."""

import pytest

from library.text.similarity.tfidf import TextStatistics
from reports.extract.lead import leading
from reports.extract.quotations import quotes
from reports.extract.quote_selection import Wish, choose, focus_of
from reports.extract.sentence_context import looks_back, points_back, whole

statistics = TextStatistics()


@pytest.mark.parametrize(
    "text",
    [
        "He vowed to light the lamp again.",
        "Each faced the storm alone.",
        "Others were drowned near the reef.",
        "One of these towers is the lighthouse of Orrin.",
        "According to him, the lamp was lit at six.",
        "At that time, there were four keepers.",
        "“We lit the lamp,” he said.",
        "Like I said, the lamp was never out.",
        "Well, the keeper would still have to light it.",
        "OK, suppose now that the keeper wants to sleep.",
        "那么，灯塔何时点亮？",
        "随后灯塔被关闭。",
    ],
)
def test_what_means_nothing_alone_points_back(text: str) -> None:
    assert points_back(text)


@pytest.mark.parametrize(
    "text",
    [
        "In 1871 it was lit for the first time.",
        "Later, the keepers left the tower.",
        "The following year, Merrow won a prize.",
        "Seven ships were lost in the same district.",
        "On the day after the storm, he was named keeper.",
    ],
)
def test_what_hints_at_the_sentence_before_looks_back(text: str) -> None:
    assert looks_back(text)
    assert not points_back(text)


@pytest.mark.parametrize(
    "text",
    [
        "The lighthouse was built in 1871.",
        "During her career, Merrow built nine towers.",
        "In 1871 Merrow lit her first lamp.",
        "After his retirement, the keeper wrote a book.",
        "Police said they had found the lamp.",
        "Each year thousands of birds die at the lamp.",
        "In autumn, birds lose their way.",
        "World War I ended the works.",
        "奥林灯塔建于一八七一年。",
    ],
)
def test_what_stands_alone_does_neither(text: str) -> None:
    assert not points_back(text)
    assert not looks_back(text) or text.startswith(("After his", "In autumn"))


@pytest.mark.parametrize(
    ("before", "text", "stands"),
    [
        ("The lamp is old. ", "The tower is new.", True),
        ("He ran for the U.S. ", "House race was lost.", False),
        ("", "It was ruled in Keepers v.", False),
        ("At 8:24 a.m. ", "EDT on 12 April the lamp was lit.", False),
        ("", "The tower [citation needed] was lit.", False),
        ("", 'He said "light it" and left.', True),
        ("", 'We saw it" The keeper said "it is so".', False),
        ("", 'It was 5" wide "or so.', False),
    ],
)
def test_rests_of_sentences_are_told(before: str, text: str, stands: bool) -> None:
    assert whole(before, text) is stands


TEXT = (
    "The keeper Ada Merrow came to the lighthouse in the spring of 1871. She kept the lamp of the lighthouse "
    "for nearly thirty years without a break. Fog hides the lighthouse of Orrin on sixty days of the year."
)


def wish(texts: dict[str, str], titles: dict[str, str] | None = None) -> Wish:
    return Wish("lighthouse of Orrin", dict.fromkeys(texts, ""), {p: p for p in texts}, texts, titles or {})


def test_a_sentence_that_points_back_is_chosen_with_the_one_it_points_to() -> None:
    found = quotes([("p1", TEXT)], statistics)
    assert [q.leans for q in found] == [False, True, False]
    assert found[1].after == found[0].key
    for most in (1, 2, 3):
        chosen = choose(found, most, 1, wish({"p1": TEXT}), statistics)
        told = [q.text for q in chosen]
        if any(text.startswith("She") for text in told):
            assert told[told.index(found[1].text) - 1] == found[0].text
    assert len(choose(found, 3, 1, wish({"p1": TEXT}), statistics)) == 3


def test_one_whose_sentence_before_is_gone_comes_last() -> None:
    texts = {"p1": "She kept the lamp of the lighthouse of Orrin for thirty years without a break.",
             "p2": "The lighthouse of Orrin was built of granite by forty masons.",
             "p3": "A lamp of the lighthouse of Orrin burnt oil until the year 1911."}  # fmt: skip
    found = quotes(texts.items(), statistics)
    assert "She" not in " ".join(q.text for q in choose(found, 2, 2, wish(texts), statistics))


def test_what_is_about_something_else_is_told_by_what_the_rest_is_like() -> None:
    tower = "The lighthouse of Orrin has a lamp, a gallery and keepers who climb the tower"
    texts = {f"p{n}": f"{tower} {n} times a day." for n in range(1, 9)}
    texts |= {"p9": "The keepers of the gallery climb to the lamp when fog comes.",
              "p10": "The pageant chose a winner from thirty contestants in Jakarta."}  # fmt: skip
    near = focus_of(wish(texts), statistics)
    assert near["p10"] < 0.35 < near["p9"], "though p9 does not name the topic"


def test_a_lead_begins_with_what_its_topic_is() -> None:
    pool = [
        (0, "Despite the storm the lighthouse of Orrin shone on the reef of Orrin."),
        (0, "The lighthouse of Orrin is a granite tower on a reef, lit on 4 May 1871."),
        (1, "The engineer Ada Merrow drew the plans of the lighthouse."),
        (1, "She kept a diary of the lighthouse of Orrin."),
    ]
    chosen = leading(pool, "lighthouse of Orrin", 2, statistics)
    assert chosen[0] == 1
    assert 3 not in chosen, "it points back"
    assert 2 not in leading(pool, "lighthouse of Orrin", 2, statistics), "the next sentence needs it"
    assert leading([], "lighthouse", 3, statistics) == []
