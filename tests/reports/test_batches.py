"""Many small requests go out as a few, and each part finds its own answer."""

from typing import Any

import pytest

from reports.tasks import WriteSection
from reports.verify.review import RepairSentence
from reports.write.batch_tasks import (
    REPAIRING,
    WRITING,
    RepairSentences,
    SectionTexts,
    WriteSections,
    dealt,
    repairing,
    repairs_of,
    sections_of,
    writing,
)


def section(number: int) -> WriteSection:
    return WriteSection(
        topic="towers", heading=f"Part {number}", language="en", style="article", audience="readers",
        words=90, materials=[],
    )  # fmt: skip


@pytest.mark.parametrize(("count", "most", "sizes"), [(0, 4, []), (3, 4, [1, 1, 1]), (10, 4, [2, 3, 2, 3])])
def test_items_are_dealt_in_order_and_evenly(count: int, most: int, sizes: list[int]) -> None:
    groups = dealt(range(count), most)
    assert [len(group) for group in groups] == sizes
    assert [item for group in groups for item in group] == list(range(count))


def test_few_sections_have_a_request_each_and_many_share_some() -> None:
    few, many = ([section(n) for n in range(count)] for count in (WRITING, 4 * WRITING))
    assert writing(few) == few
    requests = writing(many)
    assert len(requests) == WRITING
    assert [part for request in requests for part in request.parts] == many


def test_each_section_gets_the_text_of_its_number_and_one_left_out_is_empty() -> None:
    task = WriteSections(parts=[section(n) for n in range(3)])
    reply = SectionTexts.model_validate(
        {"sections": [{"n": 3, "paragraphs": ["third"]}, {"n": 1, "paragraphs": ["first"]}, {"n": 9}]}
    )
    assert [text.paragraphs for text in sections_of(task, reply)] == [["first"], [], ["third"]]


def test_sentences_share_requests_and_one_left_out_is_given_up() -> None:
    parts = [
        RepairSentence(sentence=f"S{n}.", reason="why", language="en", passages=[])
        for n in range(2 * REPAIRING)
    ]
    tasks: list[Any] = repairing(parts)
    assert [len(task.parts) for task in tasks] == [2] * REPAIRING
    assert isinstance(tasks[0], RepairSentences)
    reply = tasks[0].output.model_validate({"sentences": [{"n": 2, "text": "Better. [p1]"}]})
    assert [repaired.text for repaired in repairs_of(tasks[0], reply)] == ["", "Better. [p1]"]
