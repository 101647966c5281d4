"""Without a model a section is told whole where it can be."""

from library import TextStatistics
from reports.extract.opening import opening
from reports.extract.page_units import OpeningPassage

ASKED = "How do I wind a torn tape?"
WIND = [
    f"To wind a torn tape, turn the {part} of the tape machine by hand until the {part} stops and the torn "
    f"tape lies flat, which takes the {part} about as long as the tape is wide and never longer than that."
    for part in ("left reel", "right reel", "capstan", "roller", "arm", "brake", "guide", "lever")
]


def told(question: str, *passages: OpeningPassage) -> list[str]:
    return [each.words for each in opening(question, passages, TextStatistics())]


def passage(n: int, title: str, paragraphs: list[str]) -> OpeningPassage:
    return OpeningPassage(f"p{n}", title, 0, f"## {title}\n\n" + "\n\n".join(paragraphs), title)


def test_a_section_of_less_than_twice_an_answer_s_length_is_told_whole() -> None:
    assert told(ASKED, passage(1, "Winding a torn tape", WIND)) == WIND


def test_an_item_that_begins_with_its_name_is_told_by_itself() -> None:
    said = "If set, the lamp beside the lid is lit as soon as somebody comes in from the rain. " * 4
    names = ("rewind", "eject", "clean", "record", "erase")
    items = [f"- {name} (boolean) — {said}" for name in names]
    kept = "torn tapes are thrown away after this number of days. Days without a tape count as well."
    items.append(f"- keep_days (integer) — {kept}")
    page = OpeningPassage("p1", "a", 0, "## Settings\n\n" + "\n".join(items), "Settings")
    [only] = told("After how many days are torn tapes thrown away?", page)
    assert only.startswith("keep_days")
