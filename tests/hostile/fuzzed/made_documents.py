"""A document of each kind that is read, as other programs write it."""

import io
import json
import zipfile
from functools import cache

PAGE = (
    "<!doctype html><html><head><title>Dikes</title><meta name='author' content='B. Hale'></head><body><main>"
    "<h1>Dikes</h1><p>Water seeps below a dike long before it breaks, says <a href='/x'>Hale</a>.</p>"
    "<table><tr><th>Year</th><th>Breaches</th></tr><tr><td>1953</td><td>67</td></tr></table>"
    "<ol start='3'><li>Look at the dike.</li><li>Call.</li></ol><pre>x = 1</pre></main></body></html>"
)


@cache
def documents() -> dict[str, bytes]:
    """Return a document of each kind, by its ending."""
    import xlsxwriter
    from docx import Document
    from pptx import Presentation

    word, deck, sheet = io.BytesIO(), io.BytesIO(), io.BytesIO()
    document = Document()
    document.add_heading("Dikes", 1)
    document.add_paragraph("Water seeps below a dike long before it breaks.")
    document.add_table(2, 2).cell(0, 0).text = "Year"
    document.save(word)
    slides = Presentation()
    slides.slides.add_slide(slides.slide_layouts[1]).shapes.title.text = "Why dikes break"
    slides.save(deck)
    with xlsxwriter.Workbook(sheet) as book:
        rows = book.add_worksheet("Costs")
        rows.write_row(0, 0, ["Item", "Euro"])
        rows.write_row(1, 0, ["Pumps", 12.5])
    notebook = {
        "cells": [
            {"cell_type": "markdown", "source": ["# Dikes\n", "They break."]},
            {"cell_type": "code", "source": "x = 1", "outputs": [{"text": ["1"]}]},
        ]
    }
    packed = _archive(
        {
            "mimetype": "application/epub+zip",
            "META-INF/container.xml": '<c><rootfiles><rootfile full-path="b.opf"/></rootfiles></c>',
            "b.opf": "<package><metadata><title>Dikes</title></metadata>"
            '<manifest><item id="a" href="a.xhtml" media-type="application/xhtml+xml"/></manifest>'
            '<spine><itemref idref="a"/></spine></package>',
            "a.xhtml": PAGE,
        }
    )
    odt = _archive(
        {
            "mimetype": "application/vnd.oasis.opendocument.text",
            "content.xml": '<d xmlns:text="urn:oasis:names:tc:opendocument:xmlns:text:1.0">'
            '<text:h text:outline-level="1">'
            "Dikes</text:h><text:p>They <text:s text:c='3'/>break.</text:p></d>",
        }
    )
    return {
        ".html": PAGE.encode(),
        ".docx": word.getvalue(),
        ".pptx": deck.getvalue(),
        ".xlsx": sheet.getvalue(),
        ".epub": packed,
        ".odt": odt,
        ".ipynb": json.dumps(notebook).encode(),
        ".pdf": _pdf(),
        ".csv": b"Town,Year,Dead\nAsterby,1953,12\nBeck,1990,3\n",
        ".eml": b"From: a@b.example\nSubject: Dikes\nContent-Type: text/html\n\n" + PAGE.encode(),
        ".md": b"---\ntitle: Dikes\ndate: 2020-01-02\n---\n# Dikes\n\nWater seeps [[a dike|below]].\n",
        ".py": b'"""Dikes."""\n\n\ndef leak(x):\n    """Say how much."""\n    return x\n',
    }


def _archive(members: dict[str, str]) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        for name, text in members.items():
            archive.writestr(name, text)
    return out.getvalue()


def _pdf() -> bytes:
    from tests.library.readers.pdf.test_pdf_reader import FIRST, SECOND, pdf

    return pdf([FIRST, SECOND], "/Title (Dikes)")
