"""What is told beside the best section: what fits nearly as well, or is about the same in other words."""

import pytest

from library import TextStatistics
from reports.extract.opening import opening
from reports.extract.page_units import OpeningPassage, PageUnit, page_units
from reports.extract.ranked_sections import (
    BestSection,
    RankedSection,
    best_section,
    one_answer,
    told_beside,
)

COPIES = """## Deleting old backups

Backups that are older than you want to keep are removed from the disk with the option for expiry.
"""
EXPIRY = """## Removing older files

Old backup files are deleted from the disk by their age, a week or a year, to make room on it.
"""
BLUNDER = """## Colours of the window

The colours of the window and of its frame are set in the menu, each by a name or by a number.
"""
HOUSE = [
    "## Heating\n\nThe boiler stands in the cellar. Turn it on with the red switch and wait ten minutes.",
    "## Rubbish\n\nThe bins are emptied on Tuesdays. Put them at the road the evening before.",
    "## Insurance\n\nThe house is insured with the Harbour Mutual. The folder is in the desk.",
]


class Wordless(TextStatistics):
    """Knows words and no meanings, as in most languages."""

    def meaning(self, query: str, texts: object) -> None:
        """Say that it is not known."""


def sections(fits: tuple[float, ...]) -> tuple[list[PageUnit], list[RankedSection]]:
    held = [
        OpeningPassage(f"p{n}", f"page {n}", 0, text, "Manual")
        for n, text in enumerate((COPIES, EXPIRY, BLUNDER))
    ]
    units = page_units(held, TextStatistics())
    ranked = [
        RankedSection(
            tuple(i for i, unit in enumerate(units) if unit.passage is each),
            each.sha256,
            frozenset([each.id]),
            fit,
        )
        for each, fit in zip(held, fits, strict=True)
    ]
    return units, ranked


def test_what_shares_words_and_is_about_something_else_is_no_further_answer() -> None:
    units, ranked = sections((2.0, 1.9, 1.9))
    asked = "How do I get rid of the old backups on my disk?"
    assert one_answer(asked, ranked, units, TextStatistics()) == ranked[:2]
    assert one_answer(asked, ranked, units, Wordless()) == ranked
    assert one_answer(asked, [], units, TextStatistics()) == []
    # Its heading has more of this question than the best one's: another answer, not a stranger.
    assert one_answer("Which colours has the window?", ranked, units, TextStatistics()) == ranked


@pytest.mark.parametrize(
    ("fits", "told"), [((2.0, 1.2, 1.2), [0, 1]), ((2.0, 0.9, 0.9), [0]), ((2.0, 1.2, 1.5), [0, 1, 2])]
)
def test_what_is_about_the_same_is_told_though_it_fits_less(
    fits: tuple[float, ...], told: list[int]
) -> None:
    units, ranked = sections(fits)
    best = best_section(ranked, units)
    assert told_beside(ranked, best, units, TextStatistics()) == [ranked[n] for n in told]
    without = [each for each in ranked if each.fit >= 0.7 * best.fit]
    assert told_beside(ranked, best, units, Wordless()) == without


def test_nothing_is_told_beside_nothing() -> None:
    units, ranked = sections((0.0, 0.0, 0.0))
    assert best_section([], units) == BestSection()
    assert told_beside(ranked, BestSection(), units, TextStatistics()) == []


def test_of_short_notes_under_one_heading_only_what_was_asked_is_told() -> None:
    notes = OpeningPassage("p1", "house", 0, "# The house\n\n" + "\n\n".join(HOUSE), "The house")
    found = [each.words for each in opening("When are the bins emptied?", [notes], TextStatistics())]
    assert found == ["The bins are emptied on Tuesdays.", "Put them at the road the evening before."]
