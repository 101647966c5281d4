"""Reports read by other people's programs: LibreOffice, poppler, tidy, a reader of RIS."""

import json
import re
import shutil
import subprocess
from dataclasses import replace
from pathlib import Path

import bibtexparser
import pytest
import rispy

from library.evidence import Evidence
from reports import export_report
from reports.document import Report, Section, Sentence
from tests.hostile.exports.report_attacks import hostile
from tests.reports.conftest import make_evidence
from tests.reports.export.test_exports import chart
from tests.reports.export.test_markdown import REPORT

SOFFICE, PDFTOTEXT, PDFTOPPM, TIDY = map(shutil.which, ("soffice", "pdftotext", "pdftoppm", "tidy"))


def whole() -> Report:
    """Return a report with everything in it that a form may have to show."""
    first, *rest = REPORT.sections
    return REPORT.model_copy(update={"sections": [first.model_copy(update={"charts": [chart()]}), *rest]})


def converted(data: bytes, to: str, folder: Path) -> bytes:
    """Let LibreOffice read a Word document and write it in another form."""
    file = folder / "report.docx"
    file.write_bytes(data)
    home = f"-env:UserInstallation={(folder / 'home').as_uri()}"
    assert SOFFICE is not None
    subprocess.run(
        [SOFFICE, home, "--headless", "--convert-to", to, "--outdir", str(folder), str(file)],
        check=True, capture_output=True, timeout=300,
    )  # fmt: skip
    return (folder / f"report.{to.partition(':')[0]}").read_bytes()


@pytest.mark.slow
@pytest.mark.skipif(SOFFICE is None, reason="LibreOffice is not installed (258 MB: not on every machine)")
def test_libreoffice_opens_the_word_document(evidence: Evidence, tmp_path: Path) -> None:
    data = export_report("docx", whole(), evidence).data
    page = converted(data, "html:HTML", tmp_path).decode()
    text = " ".join(re.sub(r"<[^>]+>", " ", page).split())
    for heading in ("History", "What the sources do not say", "How this was made", "Sources"):
        assert re.search(rf"<h1\b[^>]*>(?:\s|<[^>]*>)*{heading}", page), heading
    assert re.search(r"<h2\b[^>]*>(?:\s|<[^>]*>)*Light", page)
    assert page.count("<table") == 2, "the table and the chart's data"
    assert page.count("<img") == 1, "the chart"
    assert "It was built in 1871." in text
    assert re.search(r"44 m", text)
    names = set(re.findall(r'<a name="(source-\d+)"', page))
    assert names == {f"source-{n}" for n in range(1, 5)}
    assert set(re.findall(r'href="#(source-\d+)"', page)) == names, "each citation leads to its source"
    assert 'href="https://engineers.example/orrin"' in page


@pytest.mark.slow
@pytest.mark.skipif(SOFFICE is None, reason="LibreOffice is not installed (258 MB: not on every machine)")
def test_libreoffice_finds_nothing_that_acts_in_a_hostile_document(tmp_path: Path) -> None:
    page = converted(export_report("docx", *hostile()).data, "html:HTML", tmp_path).decode()
    assert not re.search(r"<(?:script|img|iframe|object|embed)\b", page, re.IGNORECASE)
    links = re.findall(r'href="([^"]*)"', page)
    assert links
    assert all(
        re.match(r"#source-\d+$|https://(?:evil|good)\.example/", link, re.IGNORECASE) for link in links
    ), links


@pytest.mark.skipif(PDFTOTEXT is None or PDFTOPPM is None, reason="poppler is not installed")
def test_poppler_reads_and_draws_the_pdf(evidence: Evidence, tmp_path: Path) -> None:
    file = tmp_path / "report.pdf"
    file.write_bytes(export_report("pdf", whole(), evidence).data)
    assert PDFTOTEXT is not None
    assert PDFTOPPM is not None
    text = subprocess.run(
        [PDFTOTEXT, "-layout", file, "-"], check=True, capture_output=True, text=True
    ).stdout
    told = ("It was built in 1871.", "44 m", "What the sources do not say", "Sources")
    for words in ("The Orrin lighthouse", *told):
        assert words in text, words
    drawn = subprocess.run([PDFTOPPM, "-r", "30", file], check=True, capture_output=True)
    assert drawn.stderr == b"", "no font and no object is missing"
    assert drawn.stdout.startswith(b"P6")
    assert len(set(drawn.stdout)) > 20, "there is ink on the page"


@pytest.mark.skipif(TIDY is None, reason="tidy is not installed")
@pytest.mark.parametrize("kind", ["ordinary", "hostile"])
def test_tidy_finds_no_fault_in_the_page(kind: str, evidence: Evidence) -> None:
    made = (
        export_report("html", whole(), evidence) if kind == "ordinary" else export_report("html", *hostile())
    )
    assert TIDY is not None
    said = subprocess.run([TIDY, "-q", "-e", "-utf8"], input=made.data, capture_output=True, check=False)
    assert said.returncode == 0, said.stderr.decode()


def test_rispy_reads_the_ris(evidence: Evidence) -> None:
    first, second, third, fourth = rispy.loads(export_report("ris", REPORT, evidence).data.decode())
    assert second["type_of_reference"] == "ELEC"
    assert second["title"] == "Building on a reef"
    assert second["authors"] == ["Writer, A."]
    assert second["year"] == "2021"
    assert second["urls"] == ["https://engineers.example/orrin"]
    assert (first["id"], third["id"], fourth["id"]) == ("writer2019", "writer", "writer2003")
    assert rispy.loads(export_report("ris", *hostile()).data.decode())


@pytest.mark.parametrize(
    ("author", "written", "label"),
    [
        ("王小明", "王, 小明", "(王 2021)"),
        ("王小明、李华", "王, 小明", "(王、李 2021)"),
        ("村上 春樹", "村上, 春樹", "(村上 2021)"),
        ("김민수", "김, 민수", "(김 2021)"),
        ("Vincent van Gogh", "van Gogh, Vincent", "(van Gogh 2021)"),
        ("Reuters Staff", "Reuters Staff", "(Reuters Staff 2021)"),
    ],
)
def test_names_of_many_languages_are_read_as_they_were_meant(author: str, written: str, label: str) -> None:
    evidence = make_evidence({"https://a.example/": ("塔", "2021", ["One passage."])})
    [(sha, source)] = evidence.sources.items()
    evidence.sources[sha] = replace(source, author=author)
    section = Section(heading="h", level=1, node=None, sentences=[Sentence(text="One.", citations=["p1"])])
    report = Report(title="t", topic="t", sections=[section], citation_style="author-year")
    [record] = rispy.loads(export_report("ris", report, evidence).data.decode())
    assert record["authors"][0] == written
    assert record["title"] == "塔"
    library = bibtexparser.parse_string(export_report("bib", report, evidence).data.decode())
    assert not library.failed_blocks
    names = library.entries[0].fields_dict["author"].value.split(" and ")
    assert names[0].replace("{", "").replace("}", "") == written
    assert f"[{label}](#source-1)" in export_report("md", report, evidence).data.decode().replace("\\", "")
    [item] = json.loads(export_report("csl", report, evidence).data)
    assert {"family", "given"} <= item["author"][0].keys() or "literal" in item["author"][0]
