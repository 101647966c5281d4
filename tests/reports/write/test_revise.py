"""A report is brought up to date: what was answered since goes in, the rest stays to the byte."""

from typing import Any

import pytest

from library.evidence import Evidence
from library.text.similarity.tfidf import TextStatistics
from mindmap import AddNote, Note
from mindmap.tree import MindMap
from models.prompting.prompts import render
from reports import Brief, GivenAnswer, Report, StandingReport, report_markdown, revise_report
from reports.settings import ReportSettings
from tests.reports.extract.test_answer import BRIEF, SCRIPT, written

ASKED = GivenAnswer(question="What became of the birds?", answer="Shields cut the deaths by 70 percent [p6].")
LATER = BRIEF.model_copy(update={"answers": [*BRIEF.answers, ASKED]})
TOLD = "The masons could work only while the tide was out [p3]. Shields cut deaths by 70 percent [p6]."
BIRDS = {"sections": [{"n": 1, "paragraphs": [TOLD]}]}


async def revised(
    before: Report, tree: MindMap, evidence: Evidence, asker: Any, brief: Brief = LATER
) -> Report:
    standing = StandingReport(before, answers=len(BRIEF.answers))
    return await revise_report(standing, brief, tree, evidence, asker, TextStatistics(), ReportSettings())


def asked(asker: Any) -> list[str]:
    return [task.name for task in asker.model.asked]


async def test_only_the_section_whose_evidence_changed_is_written_and_judged_again(
    tree: MindMap, evidence: Evidence, scripted: Any
) -> None:
    before = await written(tree, evidence, scripted(SCRIPT))
    tree.apply(AddNote(node="n1", note=Note(turn=9, question=ASKED.question, answer=ASKED.answer)))
    plan = {"sections": [{"n": 2, "passages": ["p6", "p99"]}, {"n": 9, "passages": ["p6"]}], "answered": [1]}
    asker = scripted({**SCRIPT, "plan_revision": plan, "write_sections": BIRDS})
    after = await revised(before, tree, evidence, asker)
    assert asked(asker) == ["plan_revision", "write_sections", "judge_section"], "three requests, not twelve"
    assert after.sections[:2] == before.sections[:2]
    assert (after.title, after.answer) == (before.title, before.answer)
    changed = after.sections[2]
    assert changed.heading == before.sections[2].heading
    assert [s.citations for s in changed.sentences] == [["p3"], ["p6"]]
    (request,) = asker.model.tasks("write_sections")
    (part,) = request.parts
    assert "The masons could work only while the tide was out. [p3]" in part.before
    assert part.before in render(request).user
    assert "p6" in part.needed
    assert "The dangers of the reef" in part.elsewhere
    assert any("70 percent" in answer for m in part.materials for _q, answer in m.notes)
    assert before.back.open_questions
    assert after.back.open_questions == [], "it was answered"
    assert after.outline.splitlines()[:2] == before.outline.splitlines()[:2]
    assert "p6" in after.outline
    same = report_markdown(before, evidence).partition("## The builders")[0]
    assert report_markdown(after, evidence).startswith(same)


async def test_a_follow_up_that_changes_nothing_costs_one_request(
    tree: MindMap, evidence: Evidence, scripted: Any
) -> None:
    before = await written(tree, evidence, scripted(SCRIPT))
    asker = scripted({**SCRIPT, "plan_revision": {"unsaid": ["what the birds weighed"]}})
    after = await revised(before, tree, evidence, asker)
    assert asked(asker) == ["plan_revision"]
    assert after.sections == before.sections
    assert after.back.open_questions == ["What the birds weighed", *before.back.open_questions]
    reasons = {one.passage: one.reason for one in after.left_out}
    assert reasons.keys() == {"p1", "p4", "p6"}
    assert reasons["p1"] == "tells of money", "reasons that were given stay"


async def test_the_opening_is_written_again_where_the_answer_changed(
    tree: MindMap, evidence: Evidence, scripted: Any
) -> None:
    before = await written(tree, evidence, scripted(SCRIPT))
    new = {
        "found": True,
        "paragraph": "The reef wrecked ships [p2]. Shields cut the deaths by 70 percent [p6].",
    }
    asker = scripted({**SCRIPT, "plan_revision": {"opening": True}, "write_answer": new})
    after = await revised(before, tree, evidence, asker)
    assert asked(asker) == ["plan_revision", "write_answer", "judge_section"]
    assert [s.citations for s in after.sections[0].sentences] == [["p2"], ["p6"]]
    assert after.answer.sentences == 2
    assert after.sections[1:] == before.sections[1:]
    (task,) = asker.model.tasks("write_answer")
    assert "thirty ships. [p2]" in task.draft
    assert "What became of the birds?" in task.lacks[0]

    nothing = {"found": True, "paragraph": "Nobody knows."}
    asker = scripted({**SCRIPT, "plan_revision": {"opening": True}, "write_answer": nothing})
    after = await revised(before, tree, evidence, asker)
    assert after.sections == before.sections, "no better: the first one stands"


async def test_sources_keep_the_numbers_that_readers_know(
    tree: MindMap, evidence: Evidence, scripted: Any
) -> None:
    before = await written(tree, evidence, scripted(SCRIPT))
    new = {"found": True, "paragraph": "Shields cut the deaths by 70 percent [p6]. Ships were wrecked [p2]."}
    asker = scripted({**SCRIPT, "plan_revision": {"opening": True}, "write_answer": new})
    after = await revised(before, tree, evidence, asker)
    told, again = (report_markdown(report, evidence) for report in (before, after))
    first, new = (again.index(f"](#source-{n})") for n in (1, 3))
    assert new < first, "the new source is the third"
    body = told[told.index("## The dangers of the reef") : told.index("## What the sources")]
    assert body in again


async def test_what_has_no_place_gets_a_section_of_its_own(
    tree: MindMap, evidence: Evidence, scripted: Any
) -> None:
    before = await written(tree, evidence, scripted(SCRIPT))
    added = {"heading": "Birds", "purpose": "What became of them.", "words": 60, "passages": ["p6", "p99"]}
    text = {"sections": [{"n": 1, "paragraphs": ["Shields cut the deaths by 70 percent [p6]."]}]}
    asker = scripted({**SCRIPT, "plan_revision": {"added": [added]}, "write_sections": text})
    after = await revised(before, tree, evidence, asker)
    assert after.sections[:-1] == before.sections
    assert (after.sections[-1].heading, after.sections[-1].sentences[0].citations) == ("Birds", ["p6"])
    assert "# Birds <!-- p6, 60 words -->" in after.outline


async def test_a_section_that_comes_back_empty_stays_as_it_was(
    tree: MindMap, evidence: Evidence, scripted: Any
) -> None:
    before = await written(tree, evidence, scripted(SCRIPT))
    plan = {"sections": [{"n": 2, "passages": ["p6"]}]}
    asker = scripted({**SCRIPT, "plan_revision": plan, "write_sections": {"sections": []}})
    after = await revised(before, tree, evidence, asker)
    assert after.sections == before.sections


async def test_what_rests_on_a_dropped_source_does_not_stay(
    tree: MindMap, evidence: Evidence, scripted: Any
) -> None:
    before = await written(tree, evidence, scripted(SCRIPT))
    left = {i: p for i, p in evidence.passages.items() if i != "p3"}
    usable = Evidence(left, evidence.sources)
    asker = scripted({**SCRIPT, "plan_revision": {"sections": []}, "write_sections": {"sections": []}})
    after = await revised(before, tree, usable, asker)
    cited = {i for section in after.sections for s in section.sentences for i in s.citations}
    assert cited == {"p2"}
    assert after.sections[:2] == before.sections[:2]


@pytest.mark.parametrize("given", [{"sections": []}, {"sections": [{"n": 2, "passages": ["p6"]}]}])
async def test_the_prompt_shows_the_report_by_numbers_and_what_was_asked(
    tree: MindMap, evidence: Evidence, scripted: Any, given: Any
) -> None:
    before = await written(tree, evidence, scripted(SCRIPT))
    asker = scripted({**SCRIPT, "plan_revision": given})
    await revised(before, tree, evidence, asker)
    shown = render(asker.model.tasks("plan_revision")[0]).user
    assert "## 0. In brief" in shown
    assert "## 2. The builders" in shown
    assert "1. Who pays for the helicopter" in shown
    assert "Question: What became of the birds?" in shown
    assert "Shielding the lantern" in shown, "the passages that the answer rests on"


async def test_without_a_usable_reply_the_likest_section_takes_what_is_new(
    tree: MindMap, evidence: Evidence, scripted: Any
) -> None:
    before = await written(tree, evidence, scripted(SCRIPT))
    script = {name: reply for name, reply in SCRIPT.items() if name != "plan_revision"}
    asker = scripted({**script, "write_sections": BIRDS})
    masons = GivenAnswer(question="How did the masons work?", answer="Only while the tide was out [p3][p6].")
    brief = BRIEF.model_copy(update={"answers": [*BRIEF.answers, masons]})
    after = await revised(before, tree, evidence, asker, brief)
    assert after.sections[:2] == before.sections[:2]
    assert [s.citations for s in after.sections[2].sentences] == [["p3"], ["p6"]]
