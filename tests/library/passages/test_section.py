"""The section of a page that answers a question is known by its heading and first lines, and taken whole."""

from library import Passage, TextStatistics
from library.passages import answering_section, read_on, section_fits

PARTS = [
    "# The ferry\n\nThe ferry crosses the sound four times a day, also with cars.",
    "## Tickets and fares\n\nA single crossing costs four crowns. Children travel at half of that.",
    "Season cards are sold at the office on the quay, for a month or for a year.",
    "## When the crossing is cancelled\n\nIn a storm the boat stays in the harbour. A red lamp is lit then.",
    "Your money is paid back at the office on the quay, or the card is good for another day.",
    "## Bringing a dog\n\nDogs stay on deck, on a short lead.",
]
QUESTION = "What happens if the weather is too bad to sail?"


def page(parts: list[str]) -> list[Passage]:
    found, start = [], 0
    for part in parts:
        found.append(Passage("a" * 64, start, start + len(part), part, "file:///ferry.md", "The ferry", None))
        start += len(part) + 2
    return found


def test_the_section_that_answers_is_returned_from_its_heading_to_the_next_one() -> None:
    section = answering_section(QUESTION, page(PARTS), TextStatistics(), 500)
    assert [passage.text for passage in section] == PARTS[3:5]


def test_of_a_long_section_as_much_is_returned_as_there_is_room_for() -> None:
    assert [p.text for p in answering_section(QUESTION, page(PARTS), TextStatistics(), 20)] == PARTS[3:4]


def test_an_entry_of_a_reference_is_a_section() -> None:
    text = (
        "quiet_hours\n\n  No bell is rung between these hours.\n\n"
        "deck_lamps\n\n  Lamps burn from dusk to dawn unless this is off.\n\n"
        "allowed_passengers\n\n  Who may come aboard: a list of names. Others are turned away."
    )
    other = "## History\n\nThe program was written for a single boat."
    chosen = answering_section(
        "How do I let only some people on the boat?", page([other, text]), TextStatistics(), 500
    )
    assert [passage.text for passage in chosen] == [text]


def test_where_meaning_is_not_known_no_section_is_better_than_another() -> None:
    chinese = [
        "# 渡轮\n\n渡轮每天过海四次，也载汽车。",
        "## 取消航班\n\n暴风雨时渡轮停在港内，办公室退还票款。",
    ]
    assert answering_section("天气太坏怎么办？", page(chinese), TextStatistics(), 500) == []
    assert (
        section_fits("天气太坏怎么办？", [("取消航班", "暴风雨时渡轮停在港内。")], TextStatistics()) is None
    )
    assert answering_section(QUESTION, [], TextStatistics(), 500) == []


def test_a_heading_in_the_questions_meaning_makes_a_section_fit_better() -> None:
    begins = "It is lit at the mast."
    fits = section_fits(
        QUESTION, [("When the crossing is cancelled", begins), ("Lamps", begins)], TextStatistics()
    )
    assert fits is not None
    assert fits[0] > fits[1]


def test_of_a_long_list_of_entries_what_is_wanted_is_read_on_in_and_numbered_steps() -> None:
    entries = [f"lamp_{n}\n\n  Says how lamp {n} of the boat is lit, and who puts it out." for n in range(12)]
    steps = [f"{n}. Turn the wheel {n} times, then wait for the bell of the boat." for n in range(1, 13)]
    for parts, read in ((entries, [3, 4, 5, 9]), (steps, [2, 3, 4, 5, 6])):
        parted = page(["## All of it\n\nIt is this:", *parts])
        around = read_on(parted, parted[4], (), 80, {parted[9].key})
        assert [parted.index(each) for each in around] == read
    assert len(read_on(parted, parted[4], (), 2_000, set())) == len(parted), "where there is room"
