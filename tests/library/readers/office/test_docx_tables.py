"""Tables of a DOCX that python-docx wrote: each row with the heads of its columns, where it has heads."""

import io
from collections.abc import Sequence

import docx
import pytest
from docx.oxml import OxmlElement
from docx.oxml.ns import qn

from library.readers.office.docx_reader import read_docx


def written(
    rows: Sequence[Sequence[str]], *, bold: bool = False, marked: bool = False
) -> "docx.document.Document":
    document = docx.Document()
    table = document.add_table(rows=len(rows), cols=len(rows[0]))
    for row, cells in zip(table.rows, rows, strict=True):
        for cell, text in zip(row.cells, cells, strict=True):
            cell.text = text
    if bold:
        for cell in table.rows[0].cells:
            cell.paragraphs[0].runs[0].bold = True
    if marked:
        table.rows[0]._tr.get_or_add_trPr().append(OxmlElement("w:tblHeader"))
    return document


def read(document: "docx.document.Document") -> str:
    kept = io.BytesIO()
    document.save(kept)
    return str(read_docx(kept.getvalue(), 10_000_000)["text"])


NAMES = (("Keeper", "Ida"), ("Island", "Skerry"), ("Since", "May"))


@pytest.mark.parametrize(
    ("rows", "how", "told"),
    [
        (
            (("Part", "Material", "Price"), ("Attic", "Wood fibre", "7,300"), ("Doors", "", "1,150")),
            {},
            "Part: Attic | Material: Wood fibre | Price: 7,300\nPart: Doors | Price: 1,150",
        ),
        (
            (("Year", "Depth"), ("1990", "12"), ("1991", "14")),
            {},
            "Year: 1990 | Depth: 12\nYear: 1991 | Depth: 14",
        ),
        (NAMES, {"bold": True}, "Keeper: Island | Ida: Skerry\nKeeper: Since | Ida: May"),
        (NAMES, {"marked": True}, "Keeper: Island | Ida: Skerry\nKeeper: Since | Ida: May"),
        (
            (("Ida", "Skerry", "mends nets"), ("Bo", "Holm", "keeps bees"), ("Una", "Quay", "bakes")),
            {},
            "Ida | Skerry | mends nets\nBo | Holm | keeps bees\nUna | Quay | bakes",
        ),
        (NAMES, {}, "Keeper | Ida\nIsland | Skerry\nSince | May"),
    ],
)
def test_rows_have_their_heads(rows: Sequence[Sequence[str]], how: dict[str, bool], told: str):
    assert read(written(rows, **how)) == told


def test_merged_cells_move_no_figure_and_leave_no_row_without_its_name():
    document = written(
        (
            ("Hall", "Room", "Seats", "Lamps"),
            ("North", "Blue", "12", "3"),
            ("", "Red", "", "4"),
            ("South", "All", "9", "1"),
        )
    )
    table = document.tables[0]
    table.cell(1, 0).merge(table.cell(2, 0))
    table.cell(2, 1).merge(table.cell(2, 2))
    assert read(document).split("\n") == [
        "Hall: North | Room: Blue | Seats: 12 | Lamps: 3",
        "Hall: North | Room: Red | Lamps: 4",
        "Hall: South | Room: All | Seats: 9 | Lamps: 1",
    ]


TWO_HEADS = (
    ("Town", "Cases", ""),
    ("", "Spring", "Autumn"),
    ("Islands", "", ""),
    ("Holm", "few", "none"),
    ("Quay", "many", "few"),
)


@pytest.mark.parametrize("mark", ["marked", "bold"])
def test_two_rows_of_heads_are_told_together_and_a_heading_below_stands_alone(mark: str):
    document = written(TWO_HEADS)
    table = document.tables[0]
    table.cell(0, 1).merge(table.cell(0, 2))
    table.cell(0, 0).merge(table.cell(1, 0))
    table.cell(2, 0).merge(table.cell(2, 2))
    for row in list(table.rows)[:2]:
        if mark == "marked":
            row._tr.get_or_add_trPr().append(OxmlElement("w:tblHeader"))
        for cell in row.cells if mark == "bold" else ():
            for run in (run for paragraph in cell.paragraphs for run in paragraph.runs):
                run.bold = True
    assert read(document).split("\n") == [
        "Islands",
        "Town: Holm | Cases Spring: few | Cases Autumn: none",
        "Town: Quay | Cases Spring: many | Cases Autumn: few",
    ]


def test_a_row_that_begins_further_on_keeps_its_columns():
    document = written((("Town", "Spring", "Autumn"), ("Holm", "3", "4"), ("", "5", "6")), marked=True)
    row = document.tables[0].rows[2]._tr
    row.remove(row.tc_lst[0])
    before = OxmlElement("w:gridBefore")
    before.set(qn("w:val"), "1")
    row.get_or_add_trPr().append(before)
    assert read(document).split("\n")[1] == "Spring: 5 | Autumn: 6"


def test_a_table_in_a_cell_stays_in_it():
    document = written((("Ship", "Crew", "Port"), ("Tern", "", "Elm")), bold=True)
    inner = document.tables[0].cell(1, 1).add_table(rows=1, cols=2)
    inner.cell(0, 0).text, inner.cell(0, 1).text = "Mate", "Bo"
    assert read(document) == "Ship: Tern | Crew: Mate | Bo | Port: Elm"
