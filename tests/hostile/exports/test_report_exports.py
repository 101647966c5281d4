"""Reports on hostile sources come out inert in every form."""

import ctypes
import io
import json
import re
import zipfile
from typing import Any
from xml.etree import ElementTree as ET

import bibtexparser
import docx
import pypdfium2
import pytest
from markdown_it import MarkdownIt

from reports.export.docx import report_docx
from reports.export.json import report_json, sources_json
from reports.export.markdown import escape, report_markdown
from reports.export.pdf import report_pdf, report_typst
from reports.export.references import bibtex, ris
from reports.export.tex import report_tex
from reports.visible_text import plain

from .report_attacks import ATTACKS, hostile

HARMLESS = re.compile(r"#source-\d+$|https://(?:evil|good)\.example/", re.IGNORECASE)
HIDDEN = re.compile("[\u202a-\u202e\u2066-\u2069\u200b\x00\x1b]")


SHOWN = ("text", "text_special", "code_inline")
"""What shows its words and does nothing; an address stands as code."""


def tokens(text: str) -> list[Any]:
    found = MarkdownIt("gfm-like", {"linkify": False, "html": True}).parse(text)
    return [*found, *(child for token in found for child in token.children or [])]


def test_markdown_shows_and_does_nothing() -> None:
    text = report_markdown(*hostile())
    found = tokens(text)
    blocks = "heading paragraph em strong link ordered_list bullet_list list_item table thead tbody tr th td"
    allowed = {f"{block}_{end}" for block in blocks.split() for end in ("open", "close")}
    kinds = {t.type for t in found}
    assert kinds <= allowed | {"inline", "text", "text_special", "html_inline", "softbreak", "code_inline"}
    html = {t.content for t in found if t.type == "html_inline"}
    assert html <= {f'<a id="source-{n}">' for n in range(1, 11)} | {"</a>"}
    hrefs = {str(t.attrs["href"]) for t in found if t.type == "link_open"}
    assert all(HARMLESS.match(href) for href in hrefs), hrefs
    assert not any("password" in href or "pixel" in href for href in hrefs)
    assert not HIDDEN.search(text)
    assert sum(t.type == "heading_open" for t in found) == 1 + 1 + len(ATTACKS) + 3


@pytest.mark.parametrize("attack", ATTACKS)
def test_what_markdown_escapes_is_what_it_shows(attack: str) -> None:
    shown = "".join(t.content for t in tokens(escape(attack)) if t.type in SHOWN)
    assert shown == plain(attack)


def test_json_is_valid_and_whole() -> None:
    report, evidence = hostile()
    assert json.loads(report_json(report).encode())["title"] == report.title
    assert len(json.loads(sources_json(evidence).encode())["sources"]) == len(ATTACKS)


def test_pdf_shows_and_does_nothing() -> None:
    document = pypdfium2.PdfDocument(report_pdf(*hostile()).data)
    text = " ".join(page.get_textpage().get_text_range() for page in document)
    words = "".join(re.sub(r"[\s\u00ad\ufffe-]", "", text).split())
    for attack in ATTACKS:
        assert re.sub(r"[\s-]", "", plain(attack)) in words, attack
    links = [link for page in document for link in page_links(page)]
    assert links
    assert all(HARMLESS.match(link) for link in links), links


def page_links(page: pypdfium2.PdfPage) -> list[str]:
    """Return the addresses that a page's links lead to; links inside the document have none."""
    raw, found = pypdfium2.raw, []
    start, link = ctypes.c_int(0), raw.FPDF_LINK()
    while raw.FPDFLink_Enumerate(page.raw, ctypes.byref(start), ctypes.byref(link)):
        action = raw.FPDFLink_GetAction(link)
        if action and raw.FPDFAction_GetType(action) == raw.PDFACTION_URI:
            size = raw.FPDFAction_GetURIPath(page.pdf.raw, action, None, 0)
            buffer = ctypes.create_string_buffer(size)
            raw.FPDFAction_GetURIPath(page.pdf.raw, action, buffer, size)
            found.append(buffer.value.decode())
        elif action:
            assert raw.FPDFAction_GetType(action) == raw.PDFACTION_GOTO
    return found


def test_docx_shows_and_does_nothing() -> None:
    data = report_docx(*hostile())
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        for name in archive.namelist():
            if name.endswith((".xml", ".rels")):
                ET.fromstring(archive.read(name))
        links = re.findall(
            rb'Target="([^"]+)" TargetMode="External"', archive.read("word/_rels/document.xml.rels")
        )
        body = archive.read("word/document.xml").decode()
    assert links
    assert all(HARMLESS.match(link.decode()) for link in links)
    assert not re.search(r"w:fldSimple|w:instrText|w:object|w:pict|w:altChunk", body)
    shown = "\n".join(p.text for p in docx.Document(io.BytesIO(data)).paragraphs)
    for attack in ATTACKS:
        assert plain(attack) in shown


def test_references_are_read_as_they_were_meant() -> None:
    report, evidence = hostile()
    library = bibtexparser.parse_string(bibtex(report, evidence))
    assert not library.failed_blocks
    assert len(library.entries) == len(ATTACKS)
    fields = [field for entry in library.entries for field in entry.fields]
    assert {f.key for f in fields} <= {"title", "author", "date", "url", "urldate", "note"}
    # What is no address of the web is words in a note; a file of one's own is named.
    addresses = [f.value for f in fields if f.key == "url"]
    assert all(HARMLESS.match(a) or a == "file:///etc/passwd" for a in addresses)
    records = ris(report, evidence).split("ER  - \r\n\r\n")
    assert len(records) == len(ATTACKS) + 1
    assert all(
        re.fullmatch(r"[A-Z][A-Z0-9]  - .+", line) for r in records for line in r.split("\r\n") if line
    )


def test_tex_and_typst_hold_no_command_of_a_stranger() -> None:
    report, evidence = hostile()
    source = report_tex(report, evidence)
    assert not re.search(r"\\(?:input|write|csname)", source)
    bare = re.sub(r"\\[\\{}$&#%_]", "", source)
    assert bare.count("{") == bare.count("}")
    assert "$" not in bare
    typst = re.sub(r'"(?:[^"\\]|\\.)*"', '""', report_typst(report, evidence))
    assert not re.search(r"alert|evil|read\(|image\(|input", typst)
