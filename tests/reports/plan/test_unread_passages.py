"""What stands behind what a search found is read before the section is told."""

from dataclasses import replace

from library import Evidence, Passage, TextStatistics
from library.passages import cut
from reports.plan.unread_passages import unread_passages
from tests.reports.conftest import make_evidence

ASKED = "How do I build the boat twice, once for racing and once for cargo?"
FOUND = (
    "You build the boat twice for racing and for cargo with two yards, one for the racing boat and one for "
    "the cargo boat. If both yards saw the same planks, they stop, as neither knows whose those planks are, "
    "and "
    "nothing is built before somebody has told them so in so many words. Who has built boats for long knows "
    "that well and asks first which planks are meant for the race, and which of them for the barrels and "
    "the sacks that go to the island in autumn, when all boats are wanted at once and nobody has time."
)
BEHIND = (
    "To get around this, paint the planks first: red ones go to the first yard and blue ones to the second. "
    "Each then takes what has its colour, saws it, and leaves all else where it lies on the quay. That is "
    "all that has to be done, and it has to be done once for as long as the paint holds."
)
NEXT = "Sails are sewn in winter, when nobody sails and the loft is warm. " * 8
PAGE = f"# Yards\n\n## Building twice\n\n{FOUND}\n\n{BEHIND}\n\n## Sails\n\n{NEXT}"


def evidence() -> tuple[Evidence, list[Passage]]:
    """Return evidence that holds of a page the passage with `FOUND` alone, and all passages of that page."""
    whole = make_evidence({"file:///yards.md": ("Yards", None, [PAGE])})
    [source] = whole.sources.values()
    parts = cut(source)
    [found] = [part for part in parts if FOUND in part.text]
    return Evidence(sources=whole.sources, passages={"p1": replace(found, id="p1")}), parts


def test_the_rest_of_the_section_that_answers_is_read_and_nothing_of_the_next() -> None:
    held, parts = evidence()
    unread = unread_passages(ASKED, held, TextStatistics())
    assert [part.text for part in unread] == [part.text for part in parts if BEHIND in part.text]
    assert all(NEXT[:40] not in part.text for part in unread)


def test_what_is_known_whole_leaves_nothing_to_read() -> None:
    held, parts = evidence()
    held.passages.update({f"p{n}": replace(part, id=f"p{n}") for n, part in enumerate(parts, 1)})
    assert unread_passages(ASKED, held, TextStatistics()) == []
    assert unread_passages(ASKED, Evidence(), TextStatistics()) == []
