"""What is quoted is shown as what it is in every export: steps as steps, code as code, whose it is once."""

import io
import zipfile

import pytest

from library.evidence import Evidence, Source
from reports import Report, Section, Sentence, check_report
from reports.cite.source_numbering import bibliography
from reports.export import document_blocks as doc
from reports.export.document_walker import blocks
from reports.export.docx import report_docx
from reports.export.html import report_html
from reports.export.markdown import report_markdown
from reports.export.tex import report_tex
from reports.report_phrases import phrases_for

PAGE = """# Copies

## Getting one back

Do this, in this order:

1. Close the ledger.
2. Open the copy you want

```
cp -r `copies` <here>
    --all
```

The lamp was lit in 1871.

## Prices

| Copy | Price |
| --- | --- |
| on paper | 2.50 € |
| on film | 4 € |
| on glass | 9 € |
"""
CODE = "cp -r `copies` <here>\n    --all"


@pytest.fixture
def held() -> Evidence:
    source = Source("a" * 64, "file:///ledger.html", "Copies of the ledger", PAGE)
    return Evidence({"p1": source.passage(0, len(PAGE), "p1")}, {source.sha256: source})


@pytest.fixture
def report(held: Evidence) -> Report:
    under = {"citations": ["p1"], "under": "Getting one back"}
    told = [
        Sentence(text="“Do this, in this order:”", paragraph=True, **under),
        Sentence(text="“Close the ledger.”", form="step", **under),
        Sentence(text="“Open the copy you want”", form="step", paragraph=True, **under),
        Sentence(text=CODE, form="code", **under),
    ]
    said = Sentence(text="The lamp is old: “The lamp was lit in 1871.”", citations=["p1"], paragraph=True)
    section = Section(heading="In brief", level=1, node=None, sentences=[*told, said])
    return check_report(Report(title="T", topic="How?", sections=[section]), held)


def test_a_quotation_is_one_block_and_what_is_more_than_one_is_none(report: Report, held: Evidence) -> None:
    found = list(blocks(report, bibliography(report, held), phrases_for("en")))
    assert [type(block) for block in found[1:3]] == [doc.QuotationBlock, doc.ParagraphsBlock]
    assert isinstance(found[1], doc.QuotationBlock)
    assert [part.form for part in found[1].parts] == ["prose", "step", "code"]
    assert (found[1].title, found[1].under) == ("Copies of the ledger", "Getting one back")


def test_code_that_stands_nowhere_is_not_quoted(report: Report, held: Evidence) -> None:
    made_up = report.sections[0].sentences[3].model_copy(update={"text": "rm -r copies"})
    section = report.sections[0].model_copy(update={"sentences": [made_up]})
    [checked] = check_report(report.model_copy(update={"sections": [section]}), held).sections
    assert checked.sentences[0].support == "unsupported"


def test_markdown_shows_it_as_it_is(report: Report, held: Evidence) -> None:
    shown = report_markdown(report, held)
    assert "> 1. Close the ledger.\n> 2. Open the copy you want\n>\n" in shown
    assert "> ```\n> cp -r `copies` <here>\n>     --all\n> ```" in shown
    assert "> — Copies of the ledger, under “Getting one back” [\\[1.1\\]](#source-1)" in shown


def test_html_shows_it_as_it_is(report: Report, held: Evidence) -> None:
    shown = report_html(report, held)
    assert '<ol><li dir="auto">Close the ledger.</li>' in shown
    assert "<pre>cp -r `copies` &lt;here&gt;\n    --all</pre>" in shown
    assert "<figcaption>— Copies of the ledger, under “Getting one back”" in shown


def test_tex_shows_it_as_it_is(report: Report, held: Evidence) -> None:
    shown = report_tex(report, held)
    assert "\\begin{enumerate}\n\\item {}Close the ledger." in shown
    assert "~~~~{}-{}-all" in shown or "~~~~{}--all" in shown
    assert "\\end{quote}" in shown


def test_word_shows_it_as_it_is(report: Report, held: Evidence) -> None:
    pytest.importorskip("docx")
    with zipfile.ZipFile(io.BytesIO(report_docx(report, held))) as file:
        shown = file.read("word/document.xml").decode()
    assert "<w:t>1.</w:t><w:tab/><w:t>Close the ledger.</w:t>" in shown
    assert "Courier New" in shown


def test_a_pdf_shows_it_as_it_is(report: Report, held: Evidence) -> None:
    pytest.importorskip("typst")
    pdfium = pytest.importorskip("pypdfium2")
    from reports.export.pdf import report_pdf

    document = pdfium.PdfDocument(report_pdf(report, held).data)
    shown = " ".join(page.get_textpage().get_text_range() for page in document)
    for words in ("Close the ledger.", "cp", "--all", "Getting one back"):
        assert words in shown.replace("\u00a0", " ")


def test_word_lets_items_of_lists_hang_and_no_quotation_lose_its_source(held: Evidence) -> None:
    docx = pytest.importorskip("docx")
    told = [
        Sentence(text=f"“{n}”", citations=["p1"], support="quoted", form="point", level=n, block=1)
        for n in range(2)
    ]
    section = Section(heading="In brief", level=1, node=None, sentences=told)
    made = report_docx(Report(title="T", topic="t", sections=[section]), held)
    document = docx.Document(io.BytesIO(made))
    items = [p for p in document.paragraphs if p.text.startswith("•\t")]
    shapes = [(p.paragraph_format.left_indent, p.paragraph_format.first_line_indent) for p in items]
    assert [left + first for left, first in shapes] == [0, -shapes[0][1]], "each mark where its level begins"
    assert items[-1].paragraph_format.keep_with_next


@pytest.fixture
def priced(held: Evidence) -> Report:
    under = {"citations": ["p1"], "under": "Prices", "form": "row", "heads": ("Copy", "Price"), "block": 1}
    told = [
        Sentence(text="“on paper | 2.50 €”", paragraph=True, **under),
        Sentence(text="“on glass | 9 €”", paragraph=True, gap=True, **under),
    ]
    section = Section(heading="In brief", level=1, node=None, sentences=told)
    return check_report(Report(title="T", topic="How much?", sections=[section]), held)


def test_rows_are_one_table_below_the_names_of_their_columns(priced: Report, held: Evidence) -> None:
    shown = report_markdown(priced, held)
    rows = "> | Copy | Price |\n> | --- | --- |\n> | on paper | 2.50 € |\n> | … |  |\n> | on glass | 9 € |\n"
    assert rows in shown
    assert '<blockquote><table><thead><tr><th scope="col" dir="auto">Copy</th>' in report_html(priced, held)
    assert "\\textbf{Copy} & \\textbf{Price} \\\\\n{}on paper & {}2.50 €" in report_tex(priced, held)


def test_docx_has_rows_as_a_table(priced: Report, held: Evidence) -> None:
    with zipfile.ZipFile(io.BytesIO(report_docx(priced, held))) as packed:
        body = packed.read("word/document.xml").decode()
    assert body.count("<w:tr>") == 4
    assert body.index("<w:tbl>") < body.index("on glass") < body.index("</w:tbl>")


_ENDS = {
    "text": [("“" + "The keeper wrote each evening what wind there was, how long oil lasts. " * 4 + "”", {})],
    "line": [("“The lamp was lit in 1871.”", {})],
    "list": [("“Close the ledger.”", {"form": "step"}), ("“Open the copy you want”", {"form": "step"})],
    "code": [("“Do this, in this order:”", {}), (CODE, {"form": "code"})],
    "table": [(f"“{row} | 4 €”", {"form": "row", "paragraph": True}) for row in ("on film", "on glass")],
}  # fmt: skip


@pytest.mark.parametrize("ends", _ENDS)
def test_whose_a_quotation_is_never_begins_a_page_of_pdf(held: Evidence, ends: str) -> None:
    pytest.importorskip("typst")
    pdfium = pytest.importorskip("pypdfium2")
    from reports.export.pdf import report_pdf

    cited = {"citations": ["p1"], "support": "quoted", "block": 1, "heads": ("Copy", "Price")}
    quoted = [Sentence(text=text, **cited, **form) for text, form in _ENDS[ends]]
    last = Section(heading="In brief", level=1, node=None, sentences=quoted)
    filling = Sentence(text="Said.", citations=["p1"], support="supported", paragraph=True)
    begins = []
    for lines in range(20, 29):
        first = Section(heading="First", level=1, node=None, sentences=[filling] * lines)
        made = report_pdf(Report(title="T", topic="t", sections=[first, last]), held).data
        begins += [page.get_textpage().get_text_range()[:20] for page in pdfium.PdfDocument(made)]
    assert any("In brief" not in begin and "Said" not in begin for begin in begins), "the quotation is parted"
    assert not [begin for begin in begins if begin.lstrip().startswith("—")]
