"""The section of a page that answers a question is known by its heading and first lines, and taken whole."""

from collections.abc import Sequence

import pytest

from library import Passage, TextStatistics
from library.passages import AskedSection, answering_sections, rank_sections, read_on, section_around

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


def best(question: str, parts: list[str], tokens: int = 500) -> list[str]:
    [section] = answering_sections(question, page(parts), TextStatistics(), 1, tokens)
    return [passage.text for passage in section]


def test_the_section_that_answers_is_returned_from_its_heading_to_the_next_one() -> None:
    assert best(QUESTION, PARTS) == PARTS[3:5]


def test_of_a_long_section_as_much_is_returned_as_there_is_room_for() -> None:
    assert best(QUESTION, PARTS, 20) == PARTS[3:4]


def test_an_entry_of_a_long_reference_is_a_section() -> None:
    entry = "{}_lamps\n\n  Lamps of this kind burn from dusk to dawn. " + "They are lit. " * 60
    allowed = "allowed_passengers\n\n  Who may come aboard: a list of names. Others are turned away."
    parts = ["## Settings", entry.format("deck"), allowed, entry.format("stern")]
    assert best("How do I let only some people on the boat?", parts) == [allowed]


def test_an_item_of_a_long_reference_that_begins_with_its_name_is_a_section() -> None:
    item = "- {}_lamps (boolean) — lamps of this kind burn from dusk to dawn. " + "They are lit. " * 40
    allowed = "- allowed (list) — who may come aboard: a list of names. Others are turned away."
    parts = ["## Settings", *(item.format(name) for name in ("deck", "mast", "bow")), allowed]
    parts.append(item.format("stern"))
    assert best("How do I let only some people on the boat?", parts) == [allowed]
    plain = [part.replace(" (boolean) —", " which").replace(" (list) —", " which") for part in parts]
    assert len(best("How do I let only some people on the boat?", plain, 2_000)) == len(plain) - 1


def test_the_section_around_some_passages_is_returned_as_far_as_there_is_room() -> None:
    pages = page([*PARTS[:5], "The office opens at nine.", *PARTS[5:]])
    held = {pages[4].key}
    assert section_around(pages, held, 500) == pages[3:6]
    assert section_around(pages, held, 8) == pages[4:6]
    assert section_around(pages, held, 0) == pages[4:5]
    assert section_around(pages, {pages[3].key, pages[5].key}, 500) == pages[3:6]
    assert section_around(pages, set(), 500) == []


def test_a_section_is_found_over_several_pages() -> None:
    text = "## Ropes\n\nRopes are made of hemp. A rope is kept dry."
    other = Passage("b" * 64, 0, len(text), text, "file:///ropes.md", "Ropes", None)
    sections = answering_sections(QUESTION, [other, *page(PARTS)], TextStatistics(), 2, 500)
    assert [passage.text for passage in sections[0]] == PARTS[3:5]
    assert sections[1][0].title == "The ferry"
    assert answering_sections(QUESTION, [], TextStatistics(), 2, 500) == []


def test_where_meanings_are_not_known_words_tell_which_section_answers() -> None:
    chinese = [
        "# 渡轮\n\n渡轮每天过海四次，也载汽车。",
        "## 取消航班\n\n暴风雨时渡轮停在港内，办公室退还票款。",
    ]
    assert best("暴风雨时怎么办？", chinese) == chinese[1:]


def test_a_heading_in_the_questions_meaning_makes_a_section_fit_better() -> None:
    begins = "It is lit at the mast."
    sections = [
        AskedSection(name, name, begins, [f"The ferry. {begins}"])
        for name in ("Lamps", "When the crossing is cancelled")
    ]
    (first, fit), (second, less) = rank_sections(QUESTION, sections, TextStatistics())
    assert (first, second) == (1, 0)
    assert fit > less


def test_a_bare_line_answers_less_than_what_goes_on_to_tell() -> None:
    line = "A chart was too large."
    more = (
        " Lay it down sheet by sheet, note the depths along the course, and put each one away before the next"
        " is laid down. The frame holds two sheets side by side, so that"
    )
    sections = [AskedSection("Notes", "Notes", words, [f"Charts. {words}"]) for words in (line, line + more)]
    asked = "What do I do when a chart is too large for the table?"
    assert [n for n, _fit in rank_sections(asked, sections, TextStatistics())] == [1, 0]


def test_of_very_many_sections_those_that_share_words_are_read_for_what_their_headings_mean() -> None:
    names = [f"Lamp {n}" for n in range(2_000)]
    sections = [AskedSection(name, name, "It is lit at the mast.", [f"{name}. It is lit."]) for name in names]
    storm = AskedSection("Storms", "Storms", "When the ferry is cancelled, fares are paid back.", ["Storms."])
    read: list[str] = []

    class Meanings(TextStatistics):
        def meaning(self, text: str, others: Sequence[str]) -> list[float] | None:
            read.extend(others)
            return super().meaning(text, others)

    ranked = rank_sections("When is the ferry cancelled?", [*sections, storm], Meanings())
    assert ranked[0][0] == len(sections)
    assert len(set(read)) < len(names) / 2


def test_who_asks_how_is_not_told_what_a_word_of_the_question_is(monkeypatch: pytest.MonkeyPatch) -> None:
    words = "Lamps are the lights at the mast; the ferry lights them at night."
    sections = [AskedSection(name, name, words, [f"Ferry. {words}"]) for name in ("Lamps", "Lamps of tin")]
    asked = ("How does the ferry light its lamps?", "What are the lamps of the ferry?")
    fits = [dict(rank_sections(question, sections, TextStatistics())) for question in asked]
    monkeypatch.setattr("library.passages.sections.section_ranking._TOLD", 0.0)
    alike = [dict(rank_sections(question, sections, TextStatistics())) for question in asked]
    assert fits[0][0] < alike[0][0]
    assert (fits[0][1], fits[1]) == (alike[0][1], alike[1])


def test_of_a_long_list_of_entries_what_is_wanted_is_read_on_in_and_numbered_steps() -> None:
    # An entry by itself says all that it says; one that leads on does not.
    entries = [f"lamp_{n}\n\n  Says how lamp {n} of the boat is lit, and who puts it out." for n in range(12)]
    steps = [f"{n}. Turn the wheel {n} times, then wait for the bell of the boat." for n in range(1, 13)]
    for parts, read in ((entries, [4, 9]), (steps, [2, 3, 4, 5, 6])):
        parted = page(["## All of it\n\nIt is this:", *parts])
        around = read_on(parted, parted[4], (), 80, {parted[9].key})
        assert [parted.index(each) for each in around] == read
    assert len(read_on(parted, parted[4], (), 2_000, set())) == len(parted), "where there is room"
    led = [*entries[:4], "lamp_x\n\n  It is lit by hand. For example,", "light --now x\nwait 5", *entries[4:]]
    around = read_on(led_page := page(["## All of it\n\nIt is this:", *led]), led_page[5], (), 80, set())
    assert [led_page.index(each) for each in around] == [5, 6, 7]
    assert [led_page.index(p) for p in read_on(led_page, led_page[5], fitting=())] == [5, 6, 7], (
        "nor a short one"
    )
    beyond = page(["## One\n\nThe lamp is lit at dusk, and put out at dawn. " * 9, "## Two\n\nOther."])
    assert read_on(beyond, beyond[0], (), 2_000, {beyond[1].key}) == beyond[:1], "another heading"
