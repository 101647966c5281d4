"""The four styles, as the embedded model fills them."""

from dataclasses import replace
from typing import get_args

import pytest

from library.evidence import Evidence
from library.text.similarity.tfidf import TextStatistics
from mindmap.changes import AddNote, Note
from mindmap.tree import MindMap
from reports import Brief, Counts, Report, ReportSettings, report_markdown, write_report
from reports.plan.faq import asked, belongs
from reports.plan.outline import plan_report
from reports.report_phrases import phrases_for
from reports.settings import Style
from tests.reports.conftest import Asker, make_evidence, make_map

BRIEF = Brief(topic="The Orrin lighthouse", counts=Counts(models=["embedded"]))


async def written(style: Style, tree: MindMap, evidence: Evidence, asker: Asker) -> Report:
    settings = ReportSettings(style=style, max_sentences=16)
    return await write_report(BRIEF, tree, evidence, asker, TextStatistics(), settings=settings)


async def test_a_brief_is_half_as_long(tree: MindMap, evidence: Evidence, embedded: Asker) -> None:
    long, short = [await written(style, tree, evidence, embedded) for style in ("article", "brief")]  # type: ignore[arg-type]
    assert short.summary.sentences == 8
    assert long.summary.sentences > 12
    assert len(short.sections) <= len(long.sections)


async def test_a_brief_that_answers_a_question_is_half_as_long(embedded: Asker) -> None:
    parts = ("reel", "roller", "capstan", "brake", "lever", "guide", "motor", "lamp", "latch", "counter")
    said = {
        "Paper": "To wind a torn paper tape, turn the {0} by hand until it is flat and the {0} clicks. ",
        "Steel": "A torn steel tape must be oiled behind the {0} before it is wound past the {0} again. ",
        "Cotton": "Wind torn cotton slowly, since the {0} pulls threads of the tape into gaps near the {0}. ",
    }
    pages = {
        f"https://tapes.example/{kind}": (f"{kind} tapes", None, [2 * told.format(part) for part in parts])
        for kind, told in said.items()
    }
    evidence = make_evidence(pages)
    ids = list(evidence.passages)
    topic = "How do I wind a torn tape?"
    tree = make_map(topic, [(pages[url][0], ids[10 * n : 10 * n + 10]) for n, url in enumerate(pages)])
    asked = BRIEF.model_copy(update={"topic": topic})
    words = []
    for style in get_args(Style)[:2]:
        settings = ReportSettings(style=style)
        report = await write_report(asked, tree, evidence, embedded, TextStatistics(), settings=settings)
        told = [sentence.text for section in report.sections for sentence in section.sentences]
        words.append(sum(len(text.split()) for text in told))
    article, brief = words[:2]
    assert 0 < brief < 0.6 * article


async def test_an_outline_is_points_of_one_sentence(
    tree: MindMap, evidence: Evidence, embedded: Asker
) -> None:
    report = await written("outline", tree, evidence, embedded)
    text = report_markdown(report, evidence).split("## Sources")[0]
    points = [line for line in text.splitlines() if line.startswith("- “")]
    assert len(points) == report.summary.sentences
    assert all(line.count("“") == 1 for line in points), "the lead too"


async def test_questions_are_the_headings_of_a_faq(
    tree: MindMap, evidence: Evidence, embedded: Asker
) -> None:
    more = Note(turn=2, question="What else is said of the birds?", answer="Fog [p5].")
    tree.apply_all([AddNote(node="n1", note=more)])
    report = await written("faq", tree, evidence, embedded)
    headings = [section.heading for section in report.sections if section.node]
    assert "Why was a lighthouse needed?" in headings, "asked at the table"
    assert "What do the sources say about “Birds”?" in headings, "a question that goes on is no heading"
    assert len(set(headings)) == len(headings)
    assert all(heading.endswith("?") for heading in headings)
    phrases = phrases_for("en")
    outline = [
        replace(plan, heading="What it cost")
        for plan in plan_report(tree, evidence, TextStatistics(), phrases, 9)
        if [found.heading for found in asked([plan], phrases)] == ["Why was a lighthouse needed?"]
    ]
    own = [plan.heading for plan in asked(outline, phrases, given=True)]
    assert own == ["What do the sources say about “What it cost”?"], "a person's heading is not given away"


@pytest.mark.parametrize("style", ["article", "brief", "outline", "faq"])
async def test_every_style_quotes_each_sentence_once_and_cites_it(
    style: Style, tree: MindMap, evidence: Evidence, embedded: Asker
) -> None:
    report = await written(style, tree, evidence, embedded)
    every = [s for section in report.sections for s in section.sentences]
    assert {s.support for s in every} == {"quoted"}
    assert all(s.citations for s in every)
    assert len({s.text for s in every}) == len(every)


@pytest.mark.parametrize(
    ("question", "mine"),
    [
        ("What do the sources say about “Costs”?", True),
        ("What do the sources say about “Safety”?", False),
        ("How was it paid for?", True),
    ],
)
def test_a_question_that_names_another_branch_is_no_heading_of_this_one(question: str, mine: bool) -> None:
    assert belongs(question, "Costs") is mine
