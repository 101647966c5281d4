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
    ],
)
def test_heads_are_told_where_the_page_says_them(table: str, told: str):
    assert written(fromstring(f"<div><table>{table}</table></div>")) == told


def test_without_spans_heads_are_told_only_where_rows_have_as_many_cells():
    heads, row = (
        [PageCell("Line", head=True), PageCell("Stop", head=True)],
        [PageCell("4", head=False), PageCell("Quay", head=False)],
    )
    assert row_lines([heads, row], spread=False) == ["Line: 4 | Stop: Quay"]
    assert row_lines([heads, row, row[1:]], spread=False) == ["Line | Stop", "4 | Quay", "Quay"]


def test_spans_that_would_fill_the_memory_leave_the_rows_as_they_are():
    head = [PageCell("A", head=True, wide=100), PageCell("B", head=True, wide=100)]
    rows = [head, *[[PageCell("x", head=False, wide=200, high=200)] for _ in range(3000)]]
    assert row_lines(rows)[:2] == ["A | B", "x"]
