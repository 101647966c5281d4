"""Rows of a page's table keep the heads that the page says, whatever cells span."""

import pytest
from lxml.html import fromstring

from library.readers.html.headed_rows import PageCell, row_lines
from library.readers.html.html_text import written

ELM = "<tr><td>Elm</td><td>12</td><td>13</td></tr><tr><td>Ash</td><td></td><td>9</td></tr>"
YEARS = "<tr><th>2001</th><th>2011</th></tr>"
STOPS = "<tr><td rowspan=2>4</td><td>Quay</td><td>8:10</td></tr><tr><td>Mill</td><td>8:20</td></tr>"
LINES = "<tr><th>Line</th><th>Stop</th><th>Time</th></tr>"


@pytest.mark.parametrize(
    ("table", "told"),
    [
        (
            "<thead><tr><td>Stop</td><td>Leaves</td></tr></thead><tr><td>Quay</td><td>8:10</td></tr>",
            "Stop: Quay | Leaves: 8:10",
        ),
        (
            f"<tr><th rowspan=2>Town</th><th colspan=2>People</th></tr>{YEARS}{ELM}",
            "Town: Elm | People 2001: 12 | People 2011: 13\nTown: Ash | People 2011: 9",
        ),
        (
            f"{LINES}{STOPS}",
            "Line: 4 | Stop: Quay | Time: 8:10\nLine: 4 | Stop: Mill | Time: 8:20",
        ),
        (
            "<tr><th></th><th>North</th><th>South</th></tr><tr><th>Rain</th><td>3</td><td>4</td></tr>",
            "Rain | North: 3 | South: 4",
        ),
        (
            "<tr><th>Day</th><th>From</th><th>To</th></tr><tr><td>Monday</td><td colspan=2>closed</td></tr>",
            "Day: Monday | From: closed",
        ),
        (
            "<tr><th>Built</th><td>1911</td></tr><tr><th>By</th><td>guild</td></tr>",
            "Built | 1911\nBy | guild",
        ),
        ("<tr><td>a</td><td>b</td></tr><tr><td>c</td><td>d</td></tr>", "a | b\nc | d"),
        (
            (
                "<tr><th colspan=2>Ferries</th></tr><tr><th>Stop</th><th>Leaves</th></tr>"
                "<tr><th colspan=2>Summer</th></tr><tr><td>Quay</td><td>8:10</td></tr>"
                "<tr><th>Winter</th><th></th></tr><tr><td>Mill</td><td>9:20</td></tr>"
                "<tr><td colspan=2>None on feast days.</td></tr>"
            ),
            (
                "Ferries\nSummer\nStop: Quay | Leaves: 8:10\nWinter\nStop: Mill | Leaves: 9:20\n"
                "None on feast days."
            ),
        ),
        (
            (
                "<thead><tr><th rowspan=2>Cup</th><th>Won</th></tr></thead>"
                "<tbody><tr><td>Elm</td><td rowspan=0>Ida</td></tr><tr><td>Ash</td></tr></tbody>"
                "<tbody><tr><td>Oak</td><td>Bo</td></tr></tbody>"
            ),
            "Cup: Elm | Won: Ida\nCup: Ash | Won: Ida\nCup: Oak | Won: Bo",
        ),
        (
            (
                "<thead><tr><th>Town</th><th>People</th></tr></thead>"
                "<tbody><tr><th>Both</th><th>25</th></tr><tr><td>Elm</td><td>12</td></tr></tbody>"
            ),
            "Town: Both | People: 25\nTown: Elm | People: 12",
        ),
        (
            (
                f"{LINES}<tr><td rowspan=2>4</td><td rowspan=2>Quay</td><td rowspan=2>8:10</td></tr><tr></tr>"
                "<tr><td>5</td><td>Mill</td><td>8:20</td></tr>"
            ),
            (
                "Line: 4 | Stop: Quay | Time: 8:10\nLine: 4 | Stop: Quay | Time: 8:10\n"
                "Line: 5 | Stop: Mill | Time: 8:20"
            ),
        ),
    ],
)
def test_heads_are_told_where_the_page_says_them(table: str, told: str):
    assert written(fromstring(f"<div><table>{table}</table></div>")) == told


def test_heads_above_nothing_but_notes_are_told():
    heads = [PageCell("Stop", head=True), PageCell("Leaves", head=True)]
    note = [PageCell("None on feast days.", head=False, wide=2)]
    assert row_lines([heads, note]) == ["Stop | Leaves", "None on feast days."]


def test_a_cell_of_very_many_rows_stands_in_each():
    towns = "".join(f"<tr><td>Town {n}</td><td>{n}</td></tr>" for n in range(2, 251))
    first = "<tr><td rowspan=250>North</td><td>Town 1</td><td>1</td></tr>"
    heads = "<tr><th>Region</th><th>Town</th><th>People</th></tr>"
    told = written(fromstring(f"<div><table>{heads}{first}{towns}</table></div>")).split("\n")
    assert told == [f"Region: North | Town: Town {n} | People: {n}" for n in range(1, 251)]


def test_without_spans_heads_are_told_only_where_rows_have_as_many_cells():
    heads, row = (
        [PageCell("Line", head=True), PageCell("Stop", head=True)],
        [PageCell("4", head=False), PageCell("Quay", head=False)],
    )
    assert row_lines([heads, row], spread=False) == ["Line: 4 | Stop: Quay"]
    assert row_lines([heads, row, row[1:]], spread=False) == ["Line | Stop", "4 | Quay", "Quay"]


def test_heads_that_would_fill_the_memory_are_none():
    text = "Leaves " * 500
    wide = [PageCell("Stop", head=True), PageCell(text, head=True, wide=150)]
    row = [PageCell("Quay", head=False), PageCell("8:10", head=False)]
    assert row_lines([wide, wide, row]) == [f"Stop | {text}"] * 2 + ["Quay | 8:10"]


def test_spans_that_would_fill_the_memory_leave_the_rows_as_they_are():
    head = [PageCell("A", head=True, wide=100), PageCell("B", head=True, wide=100)]
    rows = [head, *[[PageCell("x", head=False, wide=200, high=200)] for _ in range(3000)]]
    assert row_lines(rows)[:2] == ["A | B", "x"]
