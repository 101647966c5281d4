"""Headings that every page of a collection has are subjects of none."""

from library.passages import repeated_headings

PAGES = [(f"Command {n}", f"Command {n}\n\n## Common options\n\nIt takes option {n}.") for n in range(6)]


def test_headings_inside_many_pages_are_found_by_where_they_stand() -> None:
    texts, titles = [text for _, text in PAGES], [title for title, _ in PAGES]
    assert repeated_headings(texts, titles) == ["Common options"]
    assert repeated_headings(texts[:2], titles[:2]) == [], "two pages may well speak of one matter"
    assert repeated_headings(texts, ["Command 1"] * 6) == [], "one page is not many"
    named = [*titles[:-1], "Common options"]
    assert repeated_headings(texts, named) == [], "it is what a page is about"
