"""Each form of a report, read back by something that is not ours."""

import io
import json
import re
import sys
from dataclasses import replace
from typing import Any

import bibtexparser
import docx
import pypdfium2
import pytest

from library.evidence import Evidence, Work
from library.text.similarity.tfidf import TextStatistics
from models import install_command
from reports.cite.source_numbering import keeping_numbers, source_order
from reports.document import Chart, Report, Section, Sentence
from reports.export.docx import report_docx
from reports.export.forms import FORMS, export_report
from reports.export.optional_packages import ExportUnavailable
from reports.export.pdf import report_pdf
from reports.export.references import bibtex, csl, ris
from reports.export.tex import report_tex
from reports.write.drafting.written_text import as_written, written
from tests.reports.conftest import make_evidence
from tests.reports.export.test_markdown import REPORT


def pdf_text(data: bytes) -> str:
    document = pypdfium2.PdfDocument(data)
    text = "\n".join(page.get_textpage().get_text_range() for page in document)
    return re.sub(r"[\u00ad\ufffe]\s*|-\r?\n", "", text)


def text_of(form: str, data: bytes) -> str:
    """Return what a reader of an export sees; of a text format its source."""
    if form == "pdf":
        return pdf_text(data)
    if form == "docx":
        return "\n".join(p.text for p in docx.Document(io.BytesIO(data)).paragraphs)
    return data.decode()


@pytest.mark.parametrize("form", sorted(FORMS))
def test_every_form_gives_the_same_bytes_twice(form: str, evidence: Evidence) -> None:
    first, again = export_report(form, REPORT, evidence), export_report(form, REPORT, evidence)
    assert first.data == again.data
    assert len(first.data) > 100
    assert first.suffix.startswith(".")


def test_pdf_is_read_by_pdfium(evidence: Evidence) -> None:
    made = report_pdf(REPORT, evidence)
    text = pdf_text(made.data)
    assert "The Orrin lighthouse" in text
    assert "“The worst wreck drowned 112 emigrants.”[1.2]" in text
    assert "(not supported by the passages cited)" in text
    assert "44 m" in text
    assert made.warnings == ()
    document = pypdfium2.PdfDocument(made.data)
    assert document.get_metadata_value("Title") == "The Orrin lighthouse"
    assert [b.get_title() for b in document.get_toc()][:3] == [
        "History", "Light", "What the sources do not say"
    ]  # fmt: skip


def test_pdf_warns_of_writing_that_no_font_shows(evidence: Evidence, monkeypatch: pytest.MonkeyPatch) -> None:
    from reports.export import pdf

    monkeypatch.setattr(pdf, "_SCRIPTS", {"Elvish": (r"lighthouse", "tengwar")})
    warnings = report_pdf(REPORT, evidence).warnings
    assert warnings == ("no font for Elvish is installed: some text of the PDF cannot be seen",)


def test_docx_is_read_by_python_docx(evidence: Evidence) -> None:
    document = docx.Document(io.BytesIO(report_docx(REPORT, evidence)))
    headings = [
        (p.style.name, p.text) for p in document.paragraphs if p.style.name.startswith(("Heading", "Title"))
    ]
    assert headings == [
        ("Title", "The Orrin lighthouse"), ("Heading 1", "History"), ("Heading 2", "Light"),
        ("Heading 1", "What the sources do not say"), ("Heading 1", "How this was made"),
        ("Heading 1", "Sources"),
    ]  # fmt: skip
    assert [[c.text for c in row.cells] for row in document.tables[0].rows] == [
        ["Year", "Height"],
        ["1871", "44 m[1.1]"],
    ]
    links = [link for p in document.paragraphs for link in p.hyperlinks]
    names = set(re.findall(r'w:bookmarkStart[^>]*w:name="([^"]+)"', document.element.xml))
    assert {link.fragment for link in links if link.fragment} == names == {f"source-{n}" for n in range(1, 5)}
    assert {link.address for link in links if link.address} == {s.url for s in evidence.sources.values()} - {
        "https://survey.example/height"
    }
    assert document.core_properties.title == "The Orrin lighthouse"


def test_bibtex_is_read_by_bibtexparser(evidence: Evidence) -> None:
    library = bibtexparser.parse_string(bibtex(REPORT, evidence))
    assert not library.failed_blocks
    assert len(library.entries) == 4
    first = library.entries[0].fields_dict
    assert first["title"].value == "{A history of the Orrin lighthouse}"
    assert first["author"].value == "{Writer}, {A.}"
    assert first["date"].value == "2019-05-04"
    assert first["url"].value == "https://harbour.example/history"
    keys = [entry.key for entry in library.entries]
    assert keys == ["writer2019", "writer2021", "writer", "writer2003"]


@pytest.mark.parametrize(
    ("author", "names"),
    [
        ("Ada Merrow", [{"family": "Merrow", "given": "Ada"}]),
        ("Merrow, Ada", [{"family": "Merrow", "given": "Ada"}]),
        ("Ada Merrow and Vincent van Gogh",
         [{"family": "Merrow", "given": "Ada"}, {"family": "van Gogh", "given": "Vincent"}]),
        ("Reuters Staff", [{"literal": "Reuters Staff"}]),
        ("NASA", [{"literal": "NASA"}]),
        ("王小明", [{"family": "王", "given": "小明"}]),
        ("欧阳修", [{"family": "欧阳", "given": "修"}]),
        ("王小明、李华", [{"family": "王", "given": "小明"}, {"family": "李", "given": "华"}]),
        ("村上 春樹", [{"family": "村上", "given": "春樹"}]),
        ("김민수", [{"family": "김", "given": "민수"}]),
        ("よしもと ばなな", [{"family": "よしもと", "given": "ばなな"}]),
        ("新华通讯社编辑部", [{"literal": "新华通讯社编辑部"}]),
    ],
)  # fmt: skip
def test_names_are_taken_apart_as_their_language_does(author: str, names: list[dict[str, str]]) -> None:
    evidence = make_evidence({"https://a.example/": ("t", "2020-05", ["One passage."])})
    sha, source = next(iter(evidence.sources.items()))
    evidence.sources[sha] = type(source)(
        sha, source.url, source.title, source.text, author, "2020-05", "2026-01-02"
    )
    section = Section(heading="h", level=1, node=None, sentences=[Sentence(text="One.", citations=["p1"])])
    item = csl(Report(title="t", topic="t", sections=[section]), evidence)[0]
    assert item["author"] == names
    assert item["issued"] == {"date-parts": [[2020, 5]]}


def test_a_file_of_ones_own_is_found_again_by_its_entry() -> None:
    pages = {
        "file:///papers/faq.html": ("Repairing a damaged repository, step by step", None, ["One passage."]),
        "file:///papers/n%C3%B6te%20two.txt": ("恢复", None, ["Another passage."]),
        "python:topic/import": ("The import system", None, ["A third one."]),
    }
    evidence = make_evidence(pages)
    evidence.sources = {sha: replace(s, private=True, author=None) for sha, s in evidence.sources.items()}
    sentences = [Sentence(text=str(n), citations=[f"p{n}"]) for n in (1, 2, 3)]
    section = Section(heading="h", level=1, node=None, sentences=sentences)
    library = bibtexparser.parse_string(bibtex(Report(title="t", topic="t", sections=[section]), evidence))
    assert not library.failed_blocks
    keys = [entry.key for entry in library.entries]
    assert keys == ["repairing-a-damaged-repository", "note-two", "the-import-system"]
    told = [{name: field.value for name, field in e.fields_dict.items()} for e in library.entries]
    assert [entry.get("url") for entry in told] == [*list(pages)[:2], None]
    assert told[2]["note"] == "python:topic/import"
    assert {entry["date"] for entry in told} == {"2026-01-02"}, "the file's"
    assert not any("urldate" in entry for entry in told), "nobody looked at it that day"


@pytest.mark.parametrize(("language", "told"), [("en", "no address given"), ("zh", "未注明地址")])
def test_an_address_that_a_program_did_not_find_is_said_to_be_none(language: str, told: str) -> None:
    evidence = make_evidence({"[ERROR retrieving ref link]": ("The tower on the reef", None, ["It stands."])})
    section = Section(heading="h", level=1, node=None, sentences=[Sentence(text="It.", citations=["p1"])])
    report = Report(title="t", topic="t", language=language, sections=[section])
    text = export_report("md", report, evidence).data.decode()
    assert told in text
    assert "ERROR" not in text


def test_keys_are_unique(evidence: Evidence) -> None:
    same = make_evidence({f"https://a.example/{n}": ("Same", "2020", [f"Passage {n}."]) for n in range(5)})
    sentences = [Sentence(text=str(n), citations=[f"p{n}"]) for n in range(1, 6)]
    section = Section(heading="h", level=1, node=None, sentences=sentences)
    keys = [item["id"] for item in csl(Report(title="t", topic="t", sections=[section]), same)]
    assert len(set(keys)) == 5


def test_ris_has_a_record_for_each_source(evidence: Evidence) -> None:
    records = ris(REPORT, evidence).split("ER  - \r\n\r\n")
    assert len(records) == 5
    assert "TI  - Building on a reef\r\nAU  - Writer, A.\r\nPY  - 2021\r\n" in records[1]
    assert all(
        re.fullmatch(r"[A-Z][A-Z0-9]  - .+", line) for r in records for line in r.split("\r\n") if line
    )


def test_no_field_of_ris_begins_within_what_a_catalogue_says(evidence: Evidence) -> None:
    begins = "\r\nL1  - file:///etc/passwd"
    work = Work(authors=(f"Ada{begins}",), venue=f"The Sea{begins}", doi=f"10.1/x{begins}")
    sources = {sha: replace(one, title=f"Reefs{begins}", work=work) for sha, one in evidence.sources.items()}
    written = ris(REPORT, Evidence(evidence.passages, sources))
    assert "10.1/x" in written
    assert not [line for line in written.splitlines() if line.startswith("L1")]


def test_drb_is_one_json_line(evidence: Evidence) -> None:
    line = export_report("drb", REPORT, evidence).data.decode()
    assert line.count("\n") == 1
    read = json.loads(line)
    assert read.keys() == {"id", "prompt", "article"}
    assert read["prompt"] == "lighthouses"
    assert "It was built in 1871.[2][1]" in read["article"]
    assert "[2] Building on a reef. https://engineers.example/orrin" in read["article"]


def test_tex_is_balanced(evidence: Evidence) -> None:
    text = report_tex(REPORT, evidence)
    assert text.count("\\begin{") == text.count("\\end{")
    assert text.count("{") == text.count("}")
    assert "\\passage{source-2}{[2.2]}\\passage{source-1}{[1.1]}" in text


def test_without_the_extra_a_line_says_what_to_install(
    evidence: Evidence, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "typst", None)
    with pytest.raises(ExportUnavailable, match=re.escape(install_command("export"))):
        export_report("pdf", REPORT, evidence)


def chart(**changes: Any) -> Chart:
    spec: dict[str, Any] = {
        "mark": "bar",
        "data": {"values": [{"year": 1871, "height": "44 m", "passage": "p1"}]},
        "encoding": {
            "x": {"field": "year", "type": "ordinal"},
            "y": {"field": "height", "type": "quantitative"},
        },
    }
    return Chart(title="Heights", spec={**spec, **changes}, citations=["p1"])


@pytest.mark.parametrize(
    ("made", "reason"),
    [
        (chart(), None),
        (chart(data={"values": [{"year": 1872, "height": "44 m", "passage": "p1"}]}), "not in p1: 1872"),
        (chart(data={"values": [{"year": 1871, "passage": "p99"}]}), "p99"),
        (chart(data={"url": "https://evil.example/data.json"}), "no data of its own"),
        (chart(transform=[{"calculate": "1+1"}]), "transform"),
        (chart(mark={"type": "image", "url": "x"}), "mark"),
        (chart(encoding={"x": {"field": "year", "condition": {"test": "true"}}}), "encoding"),
        (chart(encoding={"href": {"field": "year"}}), "encoding"),
    ],
)
def test_a_chart_that_cannot_be_traced_is_refused(
    made: Chart, reason: str | None, evidence: Evidence
) -> None:
    from reports.tables.charts import refusal

    found = refusal(made, evidence)
    assert (found is None) if reason is None else (found is not None and reason in found)


def test_a_chart_is_drawn_in_every_form_that_has_pictures(evidence: Evidence) -> None:
    from reports.export.pictures import png, svg

    drawn = svg(chart())
    assert drawn is not None
    assert "height" in drawn
    assert png(chart()) == png(chart())
    section = Section(heading="Heights", level=1, node=None, sentences=[], charts=[chart()])
    report = Report(title="Towers", topic="towers", sections=[section])
    page = export_report("html", report, evidence).data.decode()
    assert 'src="data:image/svg+xml;base64,' in page
    assert "img-src data:" in page
    assert "img-src" not in export_report("html", REPORT, evidence).data.decode()
    document = docx.Document(io.BytesIO(report_docx(report, evidence)))
    assert len(document.inline_shapes) == 1
    with_picture = report_pdf(report, evidence).data
    assert pdf_text(with_picture).count("year") >= 2, "in the picture and in its table"
    for form in ("html", "pdf", "docx"):
        assert export_report(form, report, evidence).data == export_report(form, report, evidence).data


def test_charts_lie_beside_markdown_and_latex_as_files(evidence: Evidence) -> None:
    section = Section(heading="Heights", level=1, node=None, sentences=[], charts=[chart(), chart()])
    report = Report(title="Towers", topic="towers", sections=[section])
    made = export_report("md", report, evidence, stem="paper")
    assert list(made.beside) == ["paper-chart-1.svg", "paper-chart-2.svg"]
    assert all(picture.startswith(b"<svg") for picture in made.beside.values())
    assert made.data.decode().count("![Heights](paper-chart-") == 2
    assert "| 1871 | 44 m [\\[1.1\\]](#source-1) |" in made.data.decode(), "and its data as a table"
    set_in = export_report("tex", report, evidence, stem="paper")
    assert list(set_in.beside) == ["paper-chart-1.png", "paper-chart-2.png"]
    assert "\\includegraphics[width=0.8\\linewidth]{\\detokenize{paper-chart-2.png}}" in set_in.data.decode()
    for form in ("md", "tex"):
        alone = export_report(form, report, evidence)
        assert not alone.beside
        assert b"paper-chart" not in alone.data, "nothing points to a file that is not there"


def test_without_what_draws_charts_their_data_stand_as_a_table(
    evidence: Evidence, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "vl_convert", None)
    section = Section(heading="Heights", level=1, node=None, sentences=[], charts=[chart()])
    report = Report(title="Towers", topic="towers", sections=[section])
    page = export_report("html", report, evidence).data.decode()
    assert "<img" not in page
    assert '<td dir="auto">44 m' in page


def test_citations_by_author_and_year(evidence: Evidence) -> None:
    named = REPORT.model_copy(update={"citation_style": "author-year", "listed": True})
    page = export_report("html", named, evidence).data.decode()
    assert ">(Writer 2021)</a>" in page
    assert '<ul class="points"><li' in page.replace("\n", "")
    text = export_report("md", named, evidence).data.decode()
    assert "[(Writer 2019)](#source-" in text
    assert pdf_text(report_pdf(named, evidence).data).count("(Writer 2021)") >= 1
    assert "\\bibitem[{Writer 2021}]{source-" in report_tex(named, evidence)
    for form in sorted(FORMS):
        assert export_report(form, named, evidence).data


def test_sources_of_one_author_and_year_are_told_apart() -> None:
    same = make_evidence({f"https://a.example/{n}": ("Same", "2020", [f"Passage {n}."]) for n in range(3)})
    sentences = [Sentence(text=str(n), citations=[f"p{n}"]) for n in range(1, 4)]
    section = Section(heading="h", level=1, node=None, sentences=sentences)
    from reports.cite.source_numbering import bibliography

    report = Report(title="t", topic="t", citation_style="author-year", sections=[section])
    labels = [entry.label for entry in bibliography(report, same).entries]
    assert labels == ["(Writer 2020a)", "(Writer 2020b)", "(Writer 2020c)"]


@pytest.mark.parametrize("form", ["md", "html", "tex", "docx", "pdf"])
def test_what_the_sources_do_not_say_stands_below_the_answer_in_every_form(
    form: str, evidence: Evidence
) -> None:
    said = Sentence(text="It was built in 1871.", citations=["p1"])
    section = Section(
        heading="In brief", level=1, node=None, sentences=[said], closing="The sources do not say who paid."
    )
    after = Section(heading="Birds", level=1, node=None, sentences=[said])
    made = export_report(form, REPORT.model_copy(update={"sections": [section, after]}), evidence)
    text = text_of(form, made.data)
    text = " ".join(text.split())
    assert "The sources do not say who paid." in text
    assert text.index("built in 1871") < text.index("who paid.") < text.rindex("built in 1871")


@pytest.mark.parametrize("form", ["docx", "pdf"])
def test_a_sources_author_and_address_are_apart(form: str, evidence: Evidence) -> None:
    text = text_of(form, export_report(form, REPORT, evidence).data)
    assert re.search(r"[.] https?://", text)
    assert not re.search(r"[.]https?://", text)


@pytest.mark.parametrize("form", ["md", "html", "tex", "docx", "pdf"])
def test_steps_go_on_behind_the_points_that_stand_between_them(form: str, evidence: Evidence) -> None:
    lines = ["1. Light it [p1].\n2. Choose one [p1].\n- On land [p1].\n- At sea [p1].\n3. Turn it [p1]."]
    told = written(lines, ["p1"], TextStatistics(), points=False)
    section = Section(heading="The lamp", level=1, node=None, sentences=told)
    made = export_report(form, REPORT.model_copy(update={"sections": [section]}), evidence)
    text = text_of(form, made.data)
    begins = {
        "docx": "3.\t",
        "html": '<ol class="points" start="3">\n<li dir="auto"><span class="unchecked">',
        "tex": "{enumi}{2}\n\\item {}",
    }
    assert f"{begins.get(form, '3. ')}Turn it." in text
    assert as_written(told).splitlines()[-1].startswith("3. ")


@pytest.mark.parametrize(
    ("before", "now", "kept"),
    [
        ("abc", "cdab", "abcd"),  # what is new comes behind
        ("abc", "dac", "abcd"),  # also where something is cited no longer
        ("abcde", "eca", "abcde"),  # a shorter report moves none
        ("abcde", "eA", "Abcde"),  # another version of a page takes the number of the one it replaces
        ("abcde", "CeA", "AbCde"),
        ("abcde", "eAa", "abcdeA"),  # unless both are cited
        ("ab", "", "ab"),
        ("", "ba", "ba"),
        ("ab", "ab", "ab"),
    ],
)
def test_sources_of_a_report_that_is_carried_on_keep_their_numbers(before: str, now: str, kept: str) -> None:
    def report(sources: str) -> Report:
        said = [Sentence(text=f"{s}.", citations=[s], support="quoted") for s in sources]
        section = Section(heading="H", level=1, node=None, sentences=said)
        return Report(title="T", topic="t", sections=[section])

    source_of = {letter: letter for letter in "abcdeAC"}
    address_of = {letter: letter.lower() for letter in source_of}
    carried_on = keeping_numbers(report(now), report(before), source_of, address_of)
    assert "".join(source_order(carried_on, source_of)) == kept
    # Who is handed the report alone is told why it lists no 2.
    gaps = not set(kept) <= set(now)
    assert [line.split(":")[0] for line in carried_on.back.made] == [
        "Sources keep the numbers of an earlier version of this report"
    ] * gaps
    assert carried_on.numbered == ([] if kept == now else list(kept))
