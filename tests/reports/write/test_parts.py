"""Each part of a question has its share; what is to be done keeps its steps; the report speaks for itself."""

from importlib.resources import files
from typing import Any

import pytest

from library.evidence import Evidence, Source
from library.text.similarity.tfidf import TextStatistics
from mindmap.tree import MindMap
from reports import GivenAnswer, ReportSettings, report_markdown
from reports.plan.outline_task import SectionOutline
from reports.plan.section_plan import planned
from reports.report_phrases import phrases_for
from reports.write.drafting.section_drafting import SectionDrafting
from tests.reports.extract.test_answer import BRIEF, SCRIPT, written

PARTS = ["Why was the Orrin lighthouse built?", "Who built it?"]
RESTING = ["p2", "p3", "p4"]


def outlined(tree: MindMap, evidence: Evidence, *sections: dict[str, Any], **more: Any) -> dict[str, Any]:
    outline = SectionOutline.model_validate({"outline": list(sections), **more})
    brief = BRIEF.model_copy(update={"parts": PARTS})
    found = planned(outline, tree, evidence, RESTING, TextStatistics(), brief)
    assert found is not None
    return {plan.heading: plan for plan in found.plans}


def test_a_part_that_the_outline_forgot_is_asked_of_the_section_most_like_it(
    tree: MindMap, evidence: Evidence
) -> None:
    reef = {"heading": "The reef", "purpose": "Why.", "parts": [1], "words": 100, "passages": ["p2"]}
    masons = {"heading": "Masons", "purpose": "How they worked.", "words": 100, "passages": ["p3", "p4"]}
    assert outlined(tree, evidence, reef, masons)["Masons"].purpose == "How they worked. Who built it?"
    told = outlined(tree, evidence, reef, masons, unsaid=[2])
    assert told["Masons"].purpose == "How they worked.", "no passage bears on it"
    served = outlined(tree, evidence, reef, {**masons, "parts": [2]})
    assert served["Masons"].purpose == "How they worked."


def test_sections_of_a_part_are_as_long_as_its_evidence(tree: MindMap, evidence: Evidence) -> None:
    reef = {"heading": "The reef", "purpose": "Why.", "parts": [1], "words": 400, "passages": ["p2"]}
    masons = {"heading": "Masons", "purpose": "Who.", "parts": [2], "words": 50, "passages": ["p3", "p4"]}
    plans = outlined(tree, evidence, reef, masons)
    assert plans["The reef"].words == 400
    assert plans["Masons"].words == pytest.approx(0.7 * 450 * 2 / 3, abs=1)
    even = outlined(tree, evidence, {**reef, "words": 100}, {**masons, "words": 200})
    assert even["Masons"].words == 200, "a share that is fair stays"


def test_background_is_short_and_a_passage_serves_every_part_that_rests_on_it(
    tree: MindMap, evidence: Evidence
) -> None:
    reef = {"heading": "The reef", "parts": [1], "words": 200, "passages": ["p2"]}
    masons = {"heading": "Masons", "parts": [2], "words": 200, "passages": ["p3", "p2", "p4"]}
    dispute = {"heading": "Whose work", "parts": [2], "words": 100, "passages": ["p2", "p4"]}
    birds = {"heading": "Birds", "words": 300, "passages": ["p5", "p6"]}
    plans = outlined(tree, evidence, reef, masons, dispute, birds)
    assert plans["Birds"].words == 100, "a fifth of what answers"
    assert plans["Whose work"].chosen == ("p2", "p4")
    alone = outlined(tree, evidence, {**reef, "parts": []}, birds)
    assert alone["Birds"].words == 300, "where nothing answers a part nobody can tell background"


async def test_an_answer_that_tells_of_the_discussion_is_written_once_more(
    tree: MindMap, evidence: Evidence, scripted: Any
) -> None:
    framed = {
        "found": True,
        "paragraph": "Those who discussed it conclude that the reef was the reason (inference) [p2].",
        "unsaid": [],
    }
    plain = {**framed, "paragraph": "The reef was the reason (inference) [p2]."}
    asker = scripted({**SCRIPT, "write_answer": [framed, plain], "review_answer": {"framed": [1, 9]}})
    report = await written(tree, evidence, asker)
    assert [s.text for s in report.sections[0].sentences] == ["The reef was the reason (inference)."]
    _first, second = asker.model.tasks("write_answer")
    (lack,) = second.lacks
    assert "say the matter itself: Those who discussed it" in lack


def test_no_prompt_gives_words_for_telling_of_the_discussion() -> None:
    for prompt in (files("reports") / "prompts").iterdir():
        assert "Those who discussed" not in prompt.read_text(encoding="utf-8"), prompt.name


def test_steps_and_code_that_answers_rest_on_find_room_in_their_section(tree: MindMap) -> None:
    steps = "\n".join(
        f"{n}. Do the thing that stands in this line with all of these words." for n in range(1, 8)
    )
    prose = " ".join(["The tower stands on a reef that is known for its birds and its fog."] * 8)
    evidence = Evidence()
    for name, text in (("p1", steps), ("p2", prose)):
        evidence.sources[name] = source = Source(name, f"file:///{name}", name, text)
        evidence.passages[name] = source.passage(0, len(text), name)
    outline = SectionOutline.model_validate(
        {
            "outline": [
                {"heading": "Doing it", "words": 40, "passages": ["p1"]},
                {"heading": "Birds", "words": 40, "passages": ["p2"]},
            ]
        }
    )
    found = planned(outline, tree, evidence, ["p1", "p2"], TextStatistics(), BRIEF)
    assert found is not None
    brief = BRIEF.model_copy(
        update={"answers": [GivenAnswer(question="How?", answer="So [p1]. Birds [p2].")]}
    )
    lengths = {}
    for asked in (2000, 100):
        drafting = SectionDrafting(
            brief, evidence, TextStatistics(), ReportSettings(words=asked), phrases_for("en"), ["p1", "p2"],
            chosen=["p1", "p2"],
        )  # fmt: skip
        lengths[asked] = {task.heading: task.words for task in drafting.tasks(found.plans)}
    assert lengths[2000]["Birds"] == 40, "prose is told as briefly as planned"
    assert lengths[2000]["Doing it"] == 7 * 13
    assert lengths[100]["Doing it"] <= 40 + 50, "half of what was asked for beyond that, at most"


async def test_what_is_supported_in_part_may_be_mended_from_a_passage_beside_it(
    tree: MindMap, evidence: Evidence, scripted: Any
) -> None:
    told = {
        "sections": [{"n": 1, "paragraphs": ["The reef wrecked ships [p2]. Ada Merrow kept a diary [p4]."]}]
    }

    def judge(task: Any) -> Any:
        support = {"p2": "partial"}
        verdicts = [{"n": c.n, "support": support.get(c.citations[0], "supported")} for c in task.claims]
        return {"verdicts": verdicts}

    asker = scripted({**SCRIPT, "write_sections": told, "judge_section": judge})
    await written(tree, evidence, asker)
    refused = [one for task in asker.model.tasks("repair_sentences") for one in task.refused]
    (reef,) = [one for one in refused if one.sentence.startswith("The reef wrecked ships")]
    assert [passage.id for passage in reef.passages] == ["p2", "p4"]


async def test_a_list_of_steps_says_that_one_had_to_be_left_out(
    tree: MindMap, evidence: Evidence, scripted: Any
) -> None:
    told = {
        "The builders": ["1. Masons work at low tide [p3].", "2. Then they rest in 99 huts [p3]."],
        "The dangers of the reef": ["1. Ships pass the reef [p2].", "It took 99 of them [p2]."],
    }

    def steps(task: Any) -> Any:
        return {"sections": [{"n": n, "paragraphs": told[p.heading]} for n, p in enumerate(task.parts, 1)]}

    asker = scripted({**SCRIPT, "write_sections": steps})
    report = await written(tree, evidence, asker)
    builders = next(s for s in report.sections if s.heading == "The builders")
    assert [s.text for s in builders.sentences] == ["Masons work at low tide."]
    assert builders.closing == "A step was left out here, because no passage supported it."
    assert "A step was left out here" in report_markdown(report, evidence)
    reef = next(s for s in report.sections if s.heading == "The dangers of the reef")
    assert [s.text for s in reef.sentences] == ["Ships pass the reef."]
    assert reef.closing == "", "what was left out there is no step"
