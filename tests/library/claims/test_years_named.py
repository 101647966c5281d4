"""Which numbers of a topic are years that it names what it is about by."""

import pytest

from library.claims.figures.stated_figures import years_named


@pytest.mark.parametrize(
    ("topic", "years"),
    [
        ("Who won the 2022 Lantern Cup?", ["2022"]),
        ("Was the 2010 Bar exam harder?", ["2010"]),
        ("What was built in 1934", ["1934"]),
        ("Did 1500 people die?", []),
        ("Is 2048 MB enough for the index?", []),
        ("What does the 2048 GB limit mean?", []),
        ("Do 1900 W heat a room?", []),
    ],
)
def test_what_is_measured_is_no_year(topic: str, years: list[str]) -> None:
    assert years_named(topic) == years
