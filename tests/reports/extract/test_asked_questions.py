"""What a person asked has its place in a report without a language model, found or not."""

import pytest

from library.evidence import Evidence
from library.text.similarity.tfidf import TextStatistics
from mindmap.tree import MindMap
from reports import AskedQuestion, Brief, Counts, report_markdown, write_report
from tests.reports.conftest import Asker

ASKED = [
    AskedQuestion(
        question="How many thrushes died?",
        answer="“Keepers counted 1,140 dead thrushes under the lantern in October 1911.” [p5]",
    ),
    AskedQuestion(question="Who paints the tower?"),
    AskedQuestion(
        question="Which birds nest there?",
        answer="“The society asked for green light in 2008, which birds find less attractive.” [p6]",
        holds=False,
    ),
]


@pytest.mark.parametrize("topic", ["The Orrin lighthouse", "When was the Orrin lighthouse built?"])
async def test_each_question_has_a_section_with_its_answer_or_that_none_was_found(
    topic: str, tree: MindMap, evidence: Evidence, embedded: Asker, statistics: TextStatistics
) -> None:
    brief = Brief(topic=topic, asked=ASKED, counts=Counts(models=["embedded"], asked=3))
    report = await write_report(brief, tree, evidence, embedded, statistics)
    sections = {section.heading: section for section in report.sections}
    found, nothing, near = (sections[each.question] for each in ASKED)
    told = [(s.text, s.citations, s.support) for s in found.sentences]
    counted = "“Keepers counted 1,140 dead thrushes under the lantern in October 1911.”"
    assert (counted, ["p5"], "quoted") in told
    assert not found.opening
    assert not nothing.sentences
    assert nothing.opening == "Nothing was found in the sources that answers this."
    assert {i for s in near.sentences for i in s.citations} == {"p6"}
    assert near.opening == "The sources do not seem to answer this; what is nearest:"
    assert report.summary.sentences == sum(len(section.sentences) for section in report.sections)
    printed = report_markdown(report, evidence)
    assert f"## Who paints the tower?\n\n{nothing.opening}" in printed


async def test_a_long_question_heads_its_section_by_its_beginning(
    tree: MindMap, evidence: Evidence, embedded: Asker, statistics: TextStatistics
) -> None:
    long = f"Who paints the tower, {'and with what, ' * 20}and when?"
    asked = [AskedQuestion(question=long)]
    brief = Brief(topic="The lighthouse", asked=asked, counts=Counts(models=["embedded"]))
    report = await write_report(brief, tree, evidence, embedded, statistics)
    section = next(s for s in report.sections if s.heading.startswith("Who paints"))
    assert len(section.heading) <= 160
    assert long in section.opening
