"""A citation of a long source says where in it: the page, or the section it stands in, in every form."""

import io
import json

import docx
import pypdfium2
import pytest

from library.evidence import Evidence, Passage, Source
from reports import Report, Section, Sentence, report_markdown, section_line, sources_json
from reports.cite.people import letter
from reports.cite.source_numbering import fragment_link
from reports.export.forms import export_report

SECTIONS = {
    "Archiving": "The archive command must return zero only if it succeeds.",
    "Restoring": "Stop the server before anything is restored.",
    "Timelines": "Each completed recovery begins a new timeline.",
}
BODY = "A line that nobody cites stands between the sections and makes the manual long. " * 40
MANUAL = "# Backup\n\n" + "\n\n".join(f"## {name}\n\n{said}\n\n{BODY}" for name, said in SECTIONS.items())


def passages(source: Source, **texts: str) -> list[Passage]:
    return [source.passage(source.text.index(t), source.text.index(t) + len(t), i) for i, t in texts.items()]


def evidence_of(*sources: tuple[Source, dict[str, str]]) -> Evidence:
    evidence = Evidence()
    for source, texts in sources:
        evidence.sources[source.sha256] = source
        evidence.passages |= {p.id: p for p in passages(source, **texts)}
    return evidence


@pytest.fixture
def manual() -> Evidence:
    said = dict(zip(("p1", "p2", "p3"), SECTIONS.values(), strict=True))
    said["p3"] = f"## Timelines\n\n{said['p3']}"
    book = "One page tells of masons.\fAnother page tells of tides.\fThe last page tells of birds."
    pages = tuple(n + 1 if n else 0 for n in (0, *(n for n, c in enumerate(book) if c == "\f")))
    return evidence_of(
        (Source("m", "file:///manual.html", "Backup", MANUAL), said),
        (
            Source("b", "file:///book.pdf", "A book", book, pages=pages),
            {"p4": "Another page tells of tides."},
        ),
        (Source("s", "file:///note.md", "A note", "# Note\n\nIt is short."), {"p5": "It is short."}),
    )


def reported(style: str = "numeric") -> Report:
    cited = [["p3"], ["p1", "p2"], ["p4"], ["p5"]]
    said = [
        Sentence(text=f"Sentence {n}.", citations=ids, support="supported") for n, ids in enumerate(cited)
    ]
    return Report.model_validate({
        "title": "T", "topic": "T", "citation_style": style,
        "sections": [Section(heading="S", level=1, node=None, sentences=said)],
    })  # fmt: skip


def test_a_sentence_leads_to_its_section_or_page_and_short_sources_need_neither(manual: Evidence) -> None:
    text = report_markdown(reported(), manual)
    assert r"Sentence 0. [\[1.3\]](#source-1)" in text
    assert r"Sentence 1. [\[1.1, 1.2\]](#source-1)" in text
    assert r"Sentence 2. [\[2.1, p. 2\]](#source-2)" in text
    assert r"Sentence 3. [\[3.1\]](#source-3)" in text
    listed = text.partition("## Sources")[2]
    assert "  - Archiving: 1.1 “The archive command" in listed
    assert "  - Timelines: 1.3" in listed, "what begins with a heading stands under that"
    assert "  - p. 2: 2.1" in listed
    assert "Passages: 3.1 “It is short.”" in listed


def test_citations_by_author_and_year_name_the_section(manual: Evidence) -> None:
    text = report_markdown(reported("author-year"), manual)
    assert "(Backup n.d., “Archiving”, “Restoring”)" in text
    assert "(A book n.d., p. 2)" in text


@pytest.mark.parametrize("form", ["html", "docx", "pdf", "tex"])
def test_every_form_says_where(form: str, manual: Evidence) -> None:
    data = export_report(form, reported(), manual).data
    match form:
        case "docx":
            document = docx.Document(io.BytesIO(data))
            text = "\n".join("".join(node.itertext()) for node in document.element.body)
        case "pdf":
            pages = pypdfium2.PdfDocument(data)
            text = "\n".join(page.get_textpage().get_text_range() for page in pages)
        case _:
            text = data.decode()
    if form != "html":
        told = " ".join(text.split())
        assert "Archiving: 1.1 “The archive" in told
        assert "Restoring: 1.2 “Stop" in told
    else:
        assert '<p class="place" dir="auto">Archiving</p><details><summary>1.1: ' in text
        assert "<b>Backup</b> <i>Archiving, Restoring</i>" in text, "also where the pointer rests"
    marks = (
        [r"\passage{source-1}{[1.1, 1.2]}", r"\passage{source-2}{[2.1, p. 2]}"]
        if form == "tex"
        else ["[1.1, 1.2]", "[2.1, p. 2]"]
    )
    for mark in marks:
        assert mark in text


def test_json_says_page_and_section_of_each_passage(manual: Evidence) -> None:
    told = {p["id"]: p for s in json.loads(sources_json(manual))["sources"] for p in s["passages"]}
    assert told["p2"]["section"] == "Backup › Restoring"
    assert (told["p4"]["page"], told["p4"]["section"]) == (2, "")
    assert told["p2"]["page"] is None


def test_one_section_alone_is_named_and_needs_no_letter(manual: Evidence) -> None:
    said = [Sentence(text="It succeeds.", citations=["p1"], support="supported")]
    report = reported().model_copy(
        update={"sections": [Section(heading="S", level=1, node=None, sentences=said)]}
    )
    text = report_markdown(report, manual)
    assert r"It succeeds. [\[1.1\]](#source-1)" in text
    assert "  - Archiving: 1.1" in text


def test_sections_of_one_name_are_told_apart_by_what_is_above_them() -> None:
    text = "".join(
        f"# {part}\n\n## Options\n\nOf {part} nothing.\n\n{BODY}\n\n" for part in ("Dump", "Restore")
    )
    evidence = evidence_of(
        (Source("m", "file:///m", "Tools", text), {"p1": "Of Dump nothing.", "p2": "Of Restore nothing."})
    )
    said = [Sentence(text="Nothing.", citations=["p1", "p2"], support="supported")]
    report = reported().model_copy(
        update={"sections": [Section(heading="S", level=1, node=None, sentences=said)]}
    )
    listed = report_markdown(report, evidence)
    assert "  - Dump › Options" in listed
    assert "  - Restore › Options" in listed


def test_a_passage_across_two_sections_stands_in_the_one_that_has_most_of_it() -> None:
    tail, said = "No more of it.", "The view has a single row with counts of what was archived or failed."
    text = f"# Statistics\n\n## Encryption\n\n{BODY}\n\n{tail}\n\n## Archiver\n\n{said}\n\n{BODY}"
    source = Source("m", "file:///m", "Statistics", text)
    start = text.index(tail)
    passage = source.passage(start, text.index(said) + len(said), "p1")
    assert section_line(passage, source) == "Statistics › Archiver"


def test_letters_go_on_after_z() -> None:
    assert [letter(n) for n in (0, 25, 26, 27, 52)] == ["a", "z", "aa", "ab", "ba"]


def test_a_link_to_a_paged_document_opens_the_page() -> None:
    paper = Source("w", "https://a.example/paper.pdf", "Paper", "First page.\fSecond page.", pages=(0, 12))
    assert fragment_link(paper.passage(12, 24, "p1")) == "https://a.example/paper.pdf#page=2"
