"""Documents of offices, made as people make them, read by the real worker processes."""

import datetime as dt
import io
import json
import zipfile
from email.message import EmailMessage
from pathlib import Path

import pytest

from library.errors import ReadError
from library.passages.chunking import cut
from library.readers.file_kinds import READABLE
from library.readers.reader import Reader
from library.store.folder_walk import Unread, walk


@pytest.fixture(scope="module")
def reader():
    with Reader() as reader:
        yield reader


def read(reader: Reader, tmp_path: Path, name: str, data: bytes | str):
    path = tmp_path / name
    path.write_bytes(data.encode() if isinstance(data, str) else data)
    return reader.read_file(path)


def zipped(**parts: str) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        for name, text in parts.items():
            archive.writestr(name.replace("__", "/"), text)
    return out.getvalue()


def test_a_cell_keeps_the_heads_of_its_row_and_column(reader, tmp_path):
    source = read(
        reader, tmp_path, "floods.csv",
        'Town,Year,"Damage, million",Cause\nAsterby,1953,12.5,storm\n'
        'Asterby,1990,,"rain, snow"\nBeck,2007,3,\n',
    )  # fmt: skip
    assert source.text.splitlines() == [
        "Town: Asterby | Year: 1953 | Damage, million: 12.5 | Cause: storm",
        "Town: Asterby | Year: 1990 | Cause: rain, snow",
        "Town: Beck | Year: 2007 | Damage, million: 3",
    ]


def test_every_passage_of_a_long_table_names_its_columns(reader, tmp_path):
    rows = "\n".join(f"Town {n};{1900 + n};{n * 3}" for n in range(400))
    source = read(reader, tmp_path, "long.csv", f"Town;Year;Dead\n{rows}\n")
    passages = cut(source)
    assert len(passages) > 10
    for passage in passages:
        assert all("Town: Town" in line and "Dead: " in line for line in passage.text.splitlines() if line)


@pytest.mark.parametrize(
    ("name", "data", "line"),
    [
        ("tabs.tsv", "a\tb\n1\t2\n", "a: 1 | b: 2"),
        ("bars.csv", "a|b\n1|2\n", "a: 1 | b: 2"),
        ("years.csv", "Region,2019,2020\nNorth,1,2\n", "Region: North | 2019: 1 | 2020: 2"),
        ("noheads.csv", "1,2\n3,4\n", "column A: 1 | column B: 2"),
        ("titled.csv", "Sales of the year\nregion,sum\nNorth,7\n", "region: North | sum: 7"),
        ("excel.csv", "\ufeffname;größe\nÄpfel;3\n", "name: Äpfel | größe: 3"),
    ],
)
def test_tables_as_people_save_them(reader, tmp_path, name, data, line):
    assert line in read(reader, tmp_path, name, data).text.splitlines()


def test_a_workbook_by_xlsxwriter(reader, tmp_path):
    import xlsxwriter

    path = tmp_path / "budget.xlsx"
    with xlsxwriter.Workbook(path) as book:
        day = book.add_format({"num_format": "yyyy-mm-dd"})
        sheet = book.add_worksheet("Costs 2024")
        for column, head in enumerate(["Item", "Euro", "Due", "Paid"]):
            sheet.write(2, column, head)
        sheet.write(0, 0, "All sums without tax")
        sheet.write_row(3, 0, ["Pumps", 1250000.5])
        sheet.write_datetime(3, 2, dt.date(2024, 5, 17), day)
        sheet.write_boolean(3, 3, True)
        sheet.write_row(4, 0, ["Walls", "", "", "later"])
        hidden = book.add_worksheet("Secret")
        hidden.write(0, 0, "nobody sees this")
        hidden.hide()
    text = reader.read_file(path).text
    assert text.splitlines() == [
        "## Costs 2024",
        "",
        "All sums without tax",
        "Item: Pumps | Euro: 1250000.5 | Due: 2024-05-17 | Paid: yes",
        "Item: Walls | Paid: later",
    ]


def test_slides_by_python_pptx(reader, tmp_path):
    from pptx import Presentation
    from pptx.util import Inches

    deck = Presentation()
    deck.core_properties.title = "On dikes"
    deck.core_properties.author = "B. Writer"
    first = deck.slides.add_slide(deck.slide_layouts[1])
    first.shapes.title.text = "Why dikes break"
    first.placeholders[1].text = "Water seeps below them."
    first.notes_slide.notes_text_frame.text = "Tell of 1953."
    second = deck.slides.add_slide(deck.slide_layouts[5])
    second.shapes.title.text = "Figures"
    table = second.shapes.add_table(2, 2, Inches(1), Inches(1), Inches(4), Inches(1)).table
    for place, text in enumerate(["Year", "Breaches", "1953", "67"]):
        table.cell(place // 2, place % 2).text = text
    path = tmp_path / "dikes.pptx"
    deck.save(path)
    source = reader.read_file(path)
    assert source.title == "On dikes"
    assert source.author == "B. Writer"
    assert source.published is None, "that is the day of the library's template"
    deck.core_properties.author = "python-pptx"
    deck.save(path)
    assert reader.read_file(path).author is None
    assert source.text == (
        "## Why dikes break\n\nWater seeps below them.\n\nTell of 1953.\n\n"
        "## Figures\n\nYear: 1953 | Breaches: 67"
    )
    assert source.page(source.text.index("Breaches")) == 2


ODF = (
    'xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0" '
    'xmlns:text="urn:oasis:names:tc:opendocument:xmlns:text:1.0" '
    'xmlns:table="urn:oasis:names:tc:opendocument:xmlns:table:1.0" xmlns:dc="http://purl.org/dc/elements/1.1/"'
)


def odt(body: str) -> bytes:
    return zipped(
        mimetype="application/vnd.oasis.opendocument.text",
        **{
            "content.xml": f"<office:document-content {ODF}>{body}</office:document-content>",
            "meta.xml": f"<office:document-meta {ODF}><dc:title>On wells</dc:title></office:document-meta>",
        },
    )


def test_an_opendocument_text(reader, tmp_path):
    cell = "<table:table-cell><text:p>{}</text:p></table:table-cell>"
    rows = [["Depth", "Water"], ["12 m", "sweet"]]
    table = "".join(f"<table:table-row>{''.join(map(cell.format, row))}</table:table-row>" for row in rows)
    source = read(
        reader, tmp_path, "wells.odt",
        odt(
            '<text:tracked-changes><text:p>what was deleted</text:p></text:tracked-changes>'
            '<text:h text:outline-level="2">How they are dug</text:h>'
            "<text:p>By hand,<text:s/>and <text:span>slowly</text:span>.</text:p>"
            "<text:list><text:list-item><text:p>Mark the place.</text:p></text:list-item></text:list>"
            f"<table:table>{table}</table:table>"
        ),
    )  # fmt: skip
    assert source.title == "On wells"
    assert source.text == (
        "## How they are dug\n\nBy hand, and slowly.\n\n- Mark the place.\n\nDepth: 12 m | Water: sweet"
    )


def test_a_cell_repeated_a_thousand_million_times_ends_at_its_bound(reader, tmp_path):
    cell = '<table:table-cell table:number-columns-repeated="999999999"><text:p>x</text:p></table:table-cell>'
    text = read(
        reader,
        tmp_path,
        "x.odt",
        odt(f"<table:table><table:table-row>{cell}</table:table-row></table:table>"),
    ).text
    assert len(text) < 2000


def test_a_book(reader, tmp_path):
    container = '<container><rootfiles><rootfile full-path="OPS/book.opf"/></rootfiles></container>'
    package = (
        '<package xmlns:dc="http://purl.org/dc/elements/1.1/"><metadata><dc:title>The Sea Wall</dc:title>'
        "<dc:creator>A. Author</dc:creator><dc:date>2019-04-01</dc:date></metadata><manifest>"
        '<item id="b" href="second%20one.xhtml" media-type="application/xhtml+xml"/>'
        '<item id="a" href="first.xhtml" media-type="application/xhtml+xml"/></manifest>'
        '<spine><itemref idref="a"/><itemref idref="b"/></spine></package>'
    )

    def chapter(title: str, text: str) -> str:
        return f"<html><head><title>x</title></head><body><h1>{title}</h1><p>{text * 5}</p></body></html>"

    parts = {
        "META-INF__container.xml": container,
        "OPS__book.opf": package,
        "OPS__first.xhtml": chapter("The storm", "The wall held for a night and a day. "),
        "OPS__second one.xhtml": chapter("The morning", "Then the sea came in. "),
    }
    source = read(reader, tmp_path, "wall.epub", zipped(mimetype="application/epub+zip", **parts))
    assert (source.title, source.author, source.published) == ("The Sea Wall", "A. Author", "2019-04-01")
    assert (
        source.text.index("The storm") < source.text.index("held for a night") < source.text.index("came in")
    )
    with pytest.raises(ReadError, match="protected against copying"):
        read(reader, tmp_path, "locked.epub", zipped(
            mimetype="application/epub+zip", **parts, **{"META-INF__rights.xml": "<rights/>"}
        ))  # fmt: skip


def test_a_letter(reader, tmp_path):
    letter = EmailMessage()
    letter["From"], letter["To"] = "Bürgermeister <mayor@asterby.example>", "all@asterby.example"
    letter["Subject"], letter["Date"] = "Über die Deiche", "Fri, 17 May 2024 09:00:00 +0200"
    letter.set_content("The dikes hold.\n\nFor now.")
    letter.add_alternative("<p>The dikes hold.</p>", subtype="html")
    letter.add_attachment(b"%PDF-", maintype="application", subtype="pdf", filename="plan.pdf")
    source = read(reader, tmp_path, "letter.eml", letter.as_bytes())
    assert (source.title, source.published) == ("Über die Deiche", "2024-05-17")
    assert "Bürgermeister" in (source.author or "")
    assert source.text.endswith("Attached: plan.pdf\n\nThe dikes hold.\n\nFor now.")


def test_a_notebook_and_a_program(reader, tmp_path):
    cells = [
        {"cell_type": "markdown", "source": ["# Tides\n", "We fit a sine."]},
        {"cell_type": "code", "source": "print(1)\n# no heading", "outputs": [
            {"output_type": "stream", "text": ["\x1b[31m1\x1b[0m\n"]}]},
    ]  # fmt: skip
    book = {"nbformat": 4, "metadata": {"kernelspec": {"language": "python"}}, "cells": cells}
    source = read(reader, tmp_path, "tides.ipynb", json.dumps(book))
    assert source.title == "Tides"
    assert source.text == ("# Tides\nWe fit a sine.\n\n```python\nprint(1)\n```\n\nno heading\n\n```\n1\n```")
    program = read(reader, tmp_path, "tide.py", "# how high\ndef tide(t):\n\treturn 2 * t\n")
    assert program.title == "tide.py"
    assert program.text == "## tide\n\nhow high\n\n```py\ndef tide(t):\n    return 2 * t\n```"


@pytest.mark.parametrize(
    ("name", "data", "said"),
    [
        ("x.xlsx", b"no archive", "it is no spreadsheet"),
        ("x.xlsx", zipped(**{"xl/workbook.xml": "<broken"}), "damaged spreadsheet"),
        ("x.xls", b"\xd0\xcf\x11\xe0" + b"\0" * 600, "damaged spreadsheet"),
        ("x.pptx", zipped(**{"ppt/presentation.xml": "<!DOCTYPE a><a/>"}), "declares a document type"),
        ("x.pptx", zipped(**{"ppt/presentation.xml": "<a/>"}), "its slides hold no text"),
        ("x.odt", zipped(mimetype="application/vnd.oasis.opendocument.text"), "no OpenDocument text"),
        ("x.odt", odt("<a>" * 600 + "</a>" * 600), "nested deeper than 500"),
        ("x.epub", zipped(mimetype="application/epub+zip"), "no EPUB book"),
        ("x.csv", b"\0\1\2\3", "it is a binary file"),
        ("x.csv", b"a,b\n" + b'"' + b"x" * 1_100_000, "no table of values"),
        ("x.eml", b"nothing of a letter", "it is no letter"),
        ("x.ipynb", b"{}", "it is no notebook"),
        ("x.ipynb", b"[" * 200_000, "nested too deeply"),
        ("x.js", b"var a=1;" * 1000, "packed by a program"),
    ],
)
def test_what_cannot_be_read_is_told_in_one_line(reader, tmp_path, name, data, said):
    with pytest.raises(ReadError, match=said) as caught:
        read(reader, tmp_path, name, data)
    assert "\n" not in str(caught.value)


def test_a_bomb_ends_at_its_bound(tmp_path):
    from library.readers.read_settings import ReadSettings

    with Reader(ReadSettings(unpacked_megabytes=1)) as reader:
        bomb = odt(f"<text:p>{'x ' * 1_000_000}</text:p>")
        with pytest.raises(ReadError, match="unpacks to more than 1 MB"):
            read(reader, tmp_path, "bomb.odt", bomb)
        head = "a very long head of a column,another head of a column"
        with pytest.raises(ReadError, match="more than 1 million characters"):
            read(reader, tmp_path, "wide.csv", head + "\n" + "1,2\n" * 30_000)


def test_what_a_folder_holds_and_is_not_read_is_counted_and_named(tmp_path):
    for name in ("a.png", "b.png", "c.PNG", "d.png", "e.mp4", "Makefile", "notes.md", ".hidden.png"):
        (tmp_path / name).write_text("x" if name != "Makefile" else "\0x")
    found = list(walk(tmp_path))
    assert [each.name for each in found if isinstance(each, Path)] == ["notes.md"]
    [unread] = [each for each in found if isinstance(each, Unread)]
    assert unread.reason == (
        f"{tmp_path}: 6 files of kinds that are not read: 4 .png (a.png, b.png, c.PNG, …), "
        "1 without an ending (Makefile), 1 .mp4 (e.mp4)"
    )


def test_what_belongs_to_web_pages_is_one_kind_and_each_file_is_named_where_that_is_wanted(tmp_path):
    names = ["a.woff", "b.woff", "c.woff", "d.ttf", "e.css", "f.svg", "app.js", "tape.mp4", "index.html"]
    for name in names:
        (tmp_path / name).write_text("<p>x</p>")
    [unread] = [each for each in walk(tmp_path) if isinstance(each, Unread)]
    assert unread.reason == (
        f"{tmp_path}: 8 files of kinds that are not read: 7 of web pages (.woff, .ttf, .css, …), "
        "1 .mp4 (tape.mp4)"
    )
    named = [each.reason for each in walk(tmp_path, names_unread=True) if isinstance(each, Unread)]
    assert len(named) == 6
    assert f"{tmp_path}: kind not read: .woff (3): a.woff, b.woff, c.woff" in named
    (tmp_path / "index.html").unlink()
    [unread] = [each for each in walk(tmp_path) if isinstance(each, Unread)]
    assert "3 .woff (a.woff, b.woff, c.woff)" in unread.reason, "without pages each kind stands for itself"


def test_scripts_beside_web_pages_are_a_part_of_those(tmp_path):
    (tmp_path / "app.js").write_text("let a = 1;")
    assert [each.name for each in walk(tmp_path) if isinstance(each, Path)] == ["app.js"]
    (tmp_path / "index.html").write_text("<p>x</p>")
    assert [each.name for each in walk(tmp_path) if isinstance(each, Path)] == ["index.html"]
    assert READABLE[".js"] == "code"
