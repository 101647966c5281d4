"""Which topics ask to set things side by side, and in which respects."""

import time

import pytest

from reports import asked_respects, things_to_compare


@pytest.mark.parametrize(
    ("topic", "things"),
    [
        ("Should a small village buy stone walls or willow hedges?", ["stone walls", "willow hedges"]),
        ("Which is quieter, a hand saw or a band saw?", ["hand saw", "band saw"]),
        ("Which one keeps longer: Elmware or Oakware?", ["Elmware", "Oakware"]),
        ("Elmware vs Oakware vs. Ashware", ["Elmware", "Oakware", "Ashware"]),
        ("Elmware versus Oakware for small shops", ["Elmware", "Oakware"]),
        ("What is the difference between hedges and fences?", ["hedges", "fences"]),
        ("Compare Elmware, Oakware and Ashware", ["Elmware", "Oakware", "Ashware"]),
        ("Compare Elmware with Oakware", ["Elmware", "Oakware"]),
        ("Compare Elmware to Oakware for small shops", ["Elmware", "Oakware"]),
        ("Comparison of Elmware with Oakware and Ashware", ["Elmware", "Oakware", "Ashware"]),
        ("Compare Elmware and Oakware with a focus on noise", ["Elmware", "Oakware"]),
        ("Compare hedges in Asterby with hedges in Orrin", ["hedges in Asterby", "hedges in Orrin"]),
        ("Should I go to Asterby or Orrin?", ["Asterby", "Orrin"]),
        (f"Elmware vs Oakware, {'which is a long story, ' * 40}", ["Elmware", "Oakware"]),
        ("Use a stone wall, a willow hedge or a fence?", ["stone wall", "willow hedge", "fence"]),
        ("应该选择石墙还是树篱？", ["石墙", "树篱"]),
        ("Elmware和Oakware哪个更好？", ["Elmware", "Oakware"]),
    ],
)
def test_things_are_read_from_a_topic(topic: str, things: list[str]) -> None:
    assert things_to_compare(topic) == things


@pytest.mark.parametrize(
    "topic",
    [
        "Should villages forbid fences?",
        "Is the old wall safe or not?",
        "Hedges or fences along roads",
        "Why do hedges and fences stand side by side?",
        "Should I use Elmware to copy or move files?",
        "Should I use Elmware to copy or move my own files?",
        "Is it better to rent or to buy?",
        "Compare the walls of Asterby with those of Orrin",
        "Compare Elmware to Oakware with examples",
        "石墙的历史",
        "石墙和树篱是什么时候建的？",
    ],
)
def test_other_topics_name_none(topic: str) -> None:
    assert things_to_compare(topic) == []


def test_of_a_long_text_the_beginning_is_read() -> None:
    began = time.process_time()
    assert things_to_compare("ab " * 6000 + "?") == []
    assert things_to_compare("x" * 20000 + "?") == []
    assert time.process_time() - began < 1


def test_the_respects_are_those_that_a_topic_says() -> None:
    topic = "Elmware vs Oakware in terms of price, size and noise?"
    assert asked_respects(topic) == ["price", "size", "noise"]
    assert things_to_compare(topic) == ["Elmware", "Oakware"]
    assert asked_respects("Elmware vs Oakware") == []
