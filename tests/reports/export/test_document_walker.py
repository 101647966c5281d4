"""The one walk over a report that every export makes."""

from dataclasses import replace

from library.evidence import Evidence
from reports.cite.source_numbering import bibliography
from reports.document import Back, Chart, Front, Report, Section, Sentence, Table
from reports.export import document_blocks as doc
from reports.export.document_walker import blocks
from reports.report_phrases import phrases_for
from tests.reports.export.test_markdown import REPORT


def walked(report: Report, evidence: Evidence) -> list[doc.Block]:
    return list(blocks(report, bibliography(report, evidence), phrases_for(report.language)))


def test_blocks_come_in_reading_order_and_charts_are_counted_through_the_report(evidence: Evidence) -> None:
    said = Sentence(text="It shines.", citations=["p1"])
    chart = Chart(title="Heights", spec={"data": {"values": [{"a": 1, "passage": "p2"}]}}, citations=["p2"])
    table = Table(title="", columns=["a"], rows=[])
    section = Section(
        heading="Light", level=1, node=None, opening="So:", sentences=[said], tables=[table], charts=[chart]
    )
    report = REPORT.model_copy(
        update={
            "sections": [section, section],
            "front": Front(note="Read so."),
            "back": Back(open_questions=["Why?"], made=["By hand."]),
        }
    )
    inside = [doc.HeadingBlock, doc.ConnectingBlock, doc.ParagraphsBlock, doc.TableBlock, doc.ChartBlock]
    found = walked(report, evidence)
    end = [doc.ListBlock, doc.ListBlock, doc.BibliographyBlock]
    assert [type(block) for block in found] == [doc.NoteBlock, *inside, *inside, *end]
    assert [block.number for block in found if isinstance(block, doc.ChartBlock)] == [1, 2]
    assert [block.section for block in found if isinstance(block, doc.HeadingBlock)] == [0, 1]


def test_what_is_not_there_gives_no_block(evidence: Evidence) -> None:
    report = Report(title="T", topic="t", sections=[Section(heading="", level=1, node=None, sentences=[])])
    assert walked(report, evidence) == [doc.HeadingBlock("", 1, 0)]


def test_citations_lead_to_sources_and_one_that_nothing_holds_to_none(evidence: Evidence) -> None:
    said = Sentence(text="It shines.", citations=["p1", "p2", "p999"], support="unsupported")
    report = Report(
        title="T", topic="t", sections=[Section(heading="A", level=1, node=None, sentences=[said])]
    )
    paragraphs = next(b for b in walked(report, evidence) if isinstance(b, doc.ParagraphsBlock)).paragraphs
    assert [[p.id for p in passages] for _entry, passages in paragraphs[0][0].cited] == [["p1", "p2"]]
    assert paragraphs[0][0].doubt(phrases_for("en")) == "not supported by the passages cited"


def test_a_quotation_whose_citation_nothing_holds_stands_without_one(evidence: Evidence) -> None:
    said = Sentence(text="“It shines.”", citations=["p999"], support="quoted")
    section = Section(heading="A", level=1, node=None, sentences=[said])
    found = walked(Report(title="T", topic="t", sections=[section]), evidence)
    assert [type(block) for block in found] == [doc.HeadingBlock, doc.ParagraphsBlock]


def test_what_only_an_older_version_of_a_page_says_tells_so(evidence: Evidence) -> None:
    older = evidence.source("p1")
    text = f"{older.text} It was painted red."
    newer = replace(older, sha256="f" * 64, text=text, retrieved="2026-02-03T03:04:05Z")
    report = REPORT.model_copy(
        update={
            "sections": [
                Section(
                    heading="A",
                    level=1,
                    node=None,
                    sentences=[
                        Sentence(text="It shines.", citations=["p1"]),
                        Sentence(text="It is red.", citations=["p1", "p900"]),
                    ],
                )
            ]
        }
    )

    def doubts() -> list[str]:
        paragraphs = next(
            b for b in walked(report, evidence) if isinstance(b, doc.ParagraphsBlock)
        ).paragraphs
        return [said.doubt(phrases_for("en")) for said in paragraphs[0]]

    assert doubts() == ["", ""]
    evidence.sources[newer.sha256] = newer
    evidence.passages["p900"] = replace(newer.passage(0, len(text)), id="p900")
    assert doubts() == ["as it stood on 2026-01-02; a version of 2026-02-03 is there too", ""]
    evidence.sources[newer.sha256] = replace(newer, retrieved="2026-01-02T08:04:05Z")
    assert doubts()[0] == "as it stood on 2026-01-02 03:04; a version of 2026-01-02 08:04 is there too"
