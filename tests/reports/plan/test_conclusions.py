"""A conclusion whose premises stand in several sections is told in the one that it belongs to."""

from library.text.similarity.tfidf import TextStatistics
from reports.plan.conclusions import across_sections
from reports.plan.map_reader import Branch
from reports.plan.outline import ReportPlan
from reports.tasks.prompt_texts import PromptPassage
from reports.tasks.section_task import Material, WriteSection
from reports.write.drafting.batch_tasks import WriteSections, seen_by_writers

KNOWN = [f"p{n}" for n in range(1, 8)]
SHARED = "The drivers of the carts share in it, though the watch was the keepers' (inference) [p1][p2][p3]."


def _plan(heading: str, *passages: str) -> ReportPlan:
    return ReportPlan(heading, (Branch("n1", heading, (), passages),), None, purpose="", words=90)


CARTS = _plan("The drivers of the carts", "p2", "p3")
PLANS = [_plan("The wall", "p1", "p4"), CARTS, _plan("The keepers", "p5")]


def test_it_goes_to_the_section_that_has_most_of_its_premises_and_is_told_once() -> None:
    earlier = SHARED.replace("The drivers", "So the drivers").replace("[p3]", "[p4]")
    [wall, carts, keepers] = across_sections(PLANS, [earlier, SHARED], KNOWN, TextStatistics())
    assert (wall, keepers) == ([], [])
    assert carts == [SHARED.replace(" [p1]", ". [p1]").removesuffix(".")]


def test_it_waits_until_all_is_told_that_it_rests_on() -> None:
    drawn = "The wall was weak before the carts came (inference) [p1][p2][p4]."
    assert [len(each) for each in across_sections(PLANS, [drawn], KNOWN, TextStatistics())] == [0, 1, 0]
    untold = drawn.replace("[p4]", "[p4][p7]")
    assert [len(each) for each in across_sections(PLANS, [untold], KNOWN, TextStatistics())] == [1, 0, 0]


def test_between_sections_with_as_much_of_it_words_decide() -> None:
    found = across_sections(
        PLANS, ["The keepers saw it too late (inference) [p1][p5]."], KNOWN, TextStatistics()
    )
    assert [len(each) for each in found] == [0, 0, 1]


def test_what_a_section_has_whole_or_rests_on_nothing_known_is_left_to_its_notes() -> None:
    answers = ["The wall was old (inference) [p1][p4].", "Rain fell (inference) [p1][p9].", "It fell [p1]."]
    assert across_sections(PLANS, answers, KNOWN, TextStatistics()) == [[], [], []]


def test_its_writer_is_told_it_and_may_cite_its_premises() -> None:
    passage = PromptPassage(id="p2", text="Carts were heavy.", title="Carts", source="")
    part = WriteSection(
        topic="Why did the wall fall?", heading="Carts", language="en", style="article", audience="all",
        words=90, materials=[Material(title="Carts", notes=[], passages=[passage])], concluded=[SHARED],
    )  # fmt: skip
    held = [passage.model_copy(update={"id": i, "text": f"{i} tells of the watch."}) for i in ("p1", "p3")]
    part = part.model_copy(update={"premises": held})
    task = WriteSections(parts=[part])
    told = task.fields()["sections"]
    assert SHARED in told
    assert "p1 tells of the watch." in told
    assert "p3 tells of the watch." in told
    other = Material(title="Watch", notes=[], passages=held[:1])
    beside = part.model_copy(update={"materials": [other], "concluded": [], "premises": []})
    both = WriteSections(parts=[part, beside]).fields()["sections"]
    assert both.count("p1 tells of the watch.") == 1, "another section of the request shows it"
    assert seen_by_writers([task]) == [{"p1", "p2", "p3"}]
