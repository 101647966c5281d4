"""Many small requests go out as a few, and each part finds its own answer."""

import pytest

from reports.tasks.section_task import WriteSection
from reports.verify.review import Repairs
from reports.write.drafting.batch_tasks import WRITING, SectionTexts, dealt, writing


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


@pytest.mark.parametrize("count", [1, WRITING, 4 * WRITING])
def test_sections_share_a_few_requests_in_order(count: int) -> None:
    parts = [section(n) for n in range(count)]
    requests = writing(parts)
    assert len(requests) == min(count, WRITING)
    assert [part for request in requests for part in request.parts] == parts


def test_sections_that_have_no_room_together_are_written_apart() -> None:
    long = " ".join(["stone"] * 6_000)
    parts = [section(n).model_copy(update={"before": long}) for n in range(2 * WRITING)]
    requests = writing(parts)
    assert [request.parts for request in requests] == [[part] for part in parts]


def test_each_section_gets_the_text_of_its_number_and_one_left_out_is_empty() -> None:
    reply = SectionTexts.model_validate(
        {"sections": [{"n": 3, "paragraphs": ["third"]}, {"n": 1, "paragraphs": ["first"]}, {"n": 9}]}
    )
    assert [text.paragraphs for text in reply.of(3)] == [["first"], [], ["third"]]


def test_a_repair_belongs_to_its_number_and_one_left_out_is_given_up() -> None:
    reply = Repairs.model_validate({"sentences": [{"n": 2, "text": "Better. [p1]"}, {"n": 2, "text": "No."}]})
    assert [repaired.text for repaired in reply.of(2)] == ["", "Better. [p1]"]


@pytest.mark.parametrize(
    ("needed", "said"), [(3, "Needed: "), (9, "Needed, a clause each, several to a sentence: ")]
)
def test_where_much_is_to_be_told_in_few_words_each_has_a_clause(needed: int, said: str) -> None:
    part = section(1).model_copy(update={"needed": [f"p{n}" for n in range(needed)]})
    [request] = writing([part])
    assert f"{said}p0, p1" in request.fields()["sections"]
