"""Strangers among what was admitted are offered to no writer."""

from library import TextStatistics
from mindmap.tree import MindMap
from reports.brief import Brief, GivenAnswer
from reports.plan.bearing import bearing
from tests.reports.conftest import PAGES, make_evidence

BAKERY = "The bakery sold rye bread on Sundays, and its cakes won a prize at the fair."
STRANGERS = {"https://bakery.example/": ("A bakery", None, [BAKERY])}


def test_what_bears_on_nothing_asked_is_left_out_unless_something_rests_on_it() -> None:
    evidence = make_evidence({**PAGES, **STRANGERS})
    [stranger] = [i for i, p in evidence.passages.items() if p.text == BAKERY]
    topic = "Why was the Orrin lighthouse built on the reef, and who built it?"
    tree, statistics = MindMap(topic), TextStatistics()
    left = bearing(Brief(topic=topic, language="en"), tree, evidence, statistics).passages
    assert stranger not in left
    assert {"p1", "p2", "p4"} <= set(left), "what tells of it stays, cited or not"
    answer = GivenAnswer(question=topic, answer=f"Nobody knows [{stranger}].")
    rested = Brief(topic=topic, language="en", answers=[answer])
    assert stranger in bearing(rested, tree, evidence, statistics).passages
    german = Brief(topic="Warum wurde der Leuchtturm von Orrin gebaut?", language="de")
    assert stranger in bearing(german, tree, evidence, statistics).passages, "no meaning is known"
