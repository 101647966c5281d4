"""Rows of tables with the heads of their columns, in each form that readers leave tables in."""

import pytest

from library import TextStatistics
from library.passages import aligned, statements, table_rows

MARKDOWN = (
    "Offers:\n\n| Firm | Price |\n|:-----|------:|\n| Øster | 84 € |\n|Nord|78 €|\n\nAll with scaffold."
)


def test_a_table_of_markdown_has_the_heads_above_its_dashes():
    rows = table_rows(MARKDOWN)
    assert [(row.words, row.heads) for row in rows] == [
        ("Øster | 84 €", ("Firm", "Price")),
        ("Nord|78 €", ("Firm", "Price")),
    ]
    assert rows[0].told == "Firm: Øster. Price: 84 €"
    assert {MARKDOWN[row.table :].partition("\n")[0] for row in rows} == {"| Firm | Price |"}


def test_rows_that_name_their_columns_keep_their_own_names():
    first, second = table_rows("Tree: Acer | Height: 14 m\nTree: Ilex | Light: shade")
    assert aligned(first.words, first.heads) == [("Tree", "Acer"), ("Height", "14 m")]
    assert second.heads == ("Tree", "Light")


def test_a_first_row_without_figures_names_the_columns_of_rows_that_have_some():
    assert [row.heads for row in table_rows("Tree | Height\nAcer | 14 m\nIlex | 15 m")] == [
        ("Tree", "Height")
    ] * 2
    assert [row.heads for row in table_rows("Home | Prices\nNews | Contact\nMap | Search")] == [()] * 3


def test_a_table_that_began_before_has_the_heads_that_are_told():
    assert table_rows("| Acer | 14 m |\n| Ilex | 15 m |", ("Tree", "Height"))[1].heads == ("Tree", "Height")


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (MARKDOWN, ["Øster | 84 €", "Nord|78 €"]),
        ("Home | Prices\nNews | Contact\nMap | Search", []),  # a menu
        ("Site: https://example.org | Year: 2021\nSite: https://example.com | Year: 2022", []),
    ],
)
def test_a_row_is_a_statement_where_its_columns_have_names(text, told):
    found = statements(text, TextStatistics().sentences)
    assert [each.words for each in found if each.form == "row"] == told


def test_a_bar_inside_a_cell_parts_nothing():
    [row] = table_rows("| Key | What |\n| --- | --- |\n| `a \\| b` | 2 |")
    assert aligned(row.words, row.heads) == [("Key", "`a | b`"), ("What", "2")]
