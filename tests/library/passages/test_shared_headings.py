"""Headings that every page of a collection has, or that nothing below them takes up, are subjects of none."""

import pytest

from library import TextStatistics
from library.passages import repeated_headings, unsaid_headings

PAGES = [(f"Command {n}", f"Command {n}\n\n## Common options\n\nIt takes option {n}.") for n in range(6)]


def test_headings_inside_many_pages_are_found_by_where_they_stand() -> None:
    texts, titles = [text for _, text in PAGES], [title for title, _ in PAGES]
    assert repeated_headings(texts, titles) == ["Common options"]
    assert repeated_headings(texts[:2], titles[:2]) == [], "two pages may well speak of one matter"
    assert repeated_headings(texts, ["Command 1"] * 6) == [], "one page is not many"
    named = [*titles[:-1], "Common options"]
    assert repeated_headings(texts, named) == [], "it is what a page is about"


OFFER = (
    "# Offer\n\nWe offer two heat pumps.\n\n## Noise\n\nThe noise by night is 34 dB(A).\n\n"
    "## Additional notes\n\n## Other\n\nPrices are net of tax.\n\n## References\n\n- TA Lärm, 6.1"
)
HEATING = "# 供暖\n\n## 噪音\n\n居民担心热泵夜间的噪音。\n\n## 其他\n\n暂无。\n\n## 备注"


@pytest.mark.parametrize(
    ("text", "names_nothing"),
    [(OFFER, ["Additional notes", "Other", "References"]), (HEATING, ["供暖", "其他", "备注"])],
)
def test_headings_that_nothing_below_them_takes_up_are_found(text: str, names_nothing: list[str]) -> None:
    assert unsaid_headings([text], TextStatistics()) == names_nothing
    elsewhere = f"## {names_nothing[0]}\n\n{names_nothing[0]}: 42."
    left = unsaid_headings([text, elsewhere], TextStatistics())
    assert left == names_nothing[1:], "another text tells of it"
