"""A section shorter than an answer, or a step of what is asked about, is told with what stands around it."""

from library import TextStatistics
from reports.extract.opening import opening
from reports.extract.page_units import entry_of, opening_passages, page_units, path_of
from tests.reports.conftest import make_evidence

CURVED = [
    "# Curved edges",
    "## What it does\n\nThe filter bends the edges of a picture back where a wide lens has curved them.",
    "## Where it is\n\nCurved edges are taken out of a picture by the filter in the menu Mend, third line.",
    (
        "## Settings\n\nThe first slider bends the middle and the second one the corners.\n\n"
        "A preview shows both before anything is changed."
    ),
]
FRAMES = ["# Frames\n\nA frame is put around a print by the tool Frame, in wood or in metal."]

LENDING = [
    "# Lending money to a friend",
    (
        "## The terms\n\nWrite down what you lend, for how long, and what interest your friend pays "
        "each month. Say whether the money comes back at once or bit by bit, and what happens if a part of "
        "it comes late. Keep a copy that both of you have signed, for friends forget, too. Reckon beforehand "
        "what each part comes to, with a table of interest from a library or with the calculator that the "
        "ledger brings along."
    ),
    "## Handing it over\n\nBook the sum from the account Cash to an account of its own, called Owed to me.",
    "## A first instalment\n\nPart the sum: what was lent goes to Owed to me, the rest to Interest earned.",
    "## Tax on interest\n\n" + "What the office wants to know of such sums differs from year to year. " * 20,
]


def pages(held: dict[str, list[str]], question: str) -> list[str]:
    evidence = make_evidence({
        f"https://a.example/{n}": (parts[0].split("\n")[0].lstrip("# "), None, parts)
        for n, parts in held.items()
    })  # fmt: skip
    found = opening_passages(evidence.passages, evidence)
    return [each.words for each in opening(question, found, TextStatistics())]


def test_a_line_that_is_no_answer_by_itself_is_told_with_its_overview_and_what_follows() -> None:
    found = pages({"curved": CURVED, "frames": FRAMES}, "How are curved edges taken out of a picture?")
    assert found[:3] == [
        "The filter bends the edges of a picture back where a wide lens has curved them.",
        "Curved edges are taken out of a picture by the filter in the menu Mend, third line.",
        "The first slider bends the middle and the second one the corners.",
    ]
    assert not any("frame" in words for words in found)


def test_a_way_to_do_something_is_told_over_its_short_sections_in_order_and_no_further() -> None:
    found = pages({"lending": LENDING}, "How do I book lending money to a friend who pays each month?")
    at = found.index("Book the sum from the account Cash to an account of its own, called Owed to me.")
    assert found[at + 1].startswith("Part the sum")
    assert found[at - 1].startswith("Reckon beforehand")
    assert not any("office" in words for words in found)


def test_an_entry_of_a_reference_is_told_without_those_beside_it() -> None:
    kinds = ["volume", "pitch", "tempo", "reverb", "swell", "echo", "bellows", "stops", "pedal", "tremor"]
    entry = (
        "{0}\n\n    The {0} of the organ is set here, from one to nine. Five is taken where nothing is said, "
        "and nine in a large hall with an audience, which takes much of the {0} away.\n\n"
    )
    text = "".join(entry.format(kind) for kind in kinds)
    held = ["# Organ", "## Options\n\n" + text, "## Files\n\nThe organ keeps its pipes in one folder a rank."]
    found = pages({"organ": held}, "What sets the tempo of the organ?")
    assert any("tempo" in words for words in found)
    assert not any("one folder" in words for words in found)


def test_a_unit_knows_the_headings_above_it_of_its_source() -> None:
    evidence = make_evidence({"https://a.example/x": ("Lending money to a friend", None, LENDING[:2])})
    inside = page_units(opening_passages(["p2"], evidence), TextStatistics())
    assert path_of(inside[0]) == ("Lending money to a friend", "The terms")


def test_a_short_section_is_told_with_the_sections_below_it_and_not_with_the_next_one() -> None:
    held = [
        "# Sea gauge",
        "## Cleaning the pipe\n\nThe pipe of the gauge is cleaned in two ways, by hand or with the pump.",
        "### By hand\n\nPush the long brush through it twice and rinse with fresh water.",
        "### With the pump\n\nOpen the lower valve and let it run until what comes out is clear.",
        "## Paint\n\nThe hut of the station is painted in white every third year, and its door in red.",
    ]
    found = pages({"gauge": held, "frames": FRAMES}, "How do I clean the pipe of the gauge?")
    assert found[:3] == [
        "The pipe of the gauge is cleaned in two ways, by hand or with the pump.",
        "Push the long brush through it twice and rinse with fresh water.",
        "Open the lower valve and let it run until what comes out is clear.",
    ]
    assert not any("painted" in words for words in found)


def test_of_a_long_section_of_examples_each_is_one_and_brings_its_code() -> None:
    things = ["boats", "ropes", "lamps", "nets", "buoys", "flags", "oars", "sails", "anchors"]
    example = (
        "Put all letters about {0} into the box {0}, which has to be there, and leave every other letter "
        "where it is for the keeper, who looks at what is left over in the evening and has a box, too.\n\n"
        "```\nmove --about {0} --to box/{0}\n```\n\n"
    )
    text = "## Examples\n\n" + "".join(example.format(thing) for thing in things)
    found = pages({"letters": ["# Letters", text]}, "Where do letters about nets go?")
    assert found[1] == "move --about nets --to box/nets"
    assert not any("anchors" in words for words in found)


def test_a_passage_in_the_midst_of_an_entry_knows_what_it_tells_of() -> None:
    parts = [
        "# Options\n\nsilence\n\n    Takes the pauses out of a recording, at both of its ends.",
        "    A pause is shorter than said.\n\nspeed\n\n    The recording is played faster than taken.",
    ]
    evidence = make_evidence({"https://a.example/x": ("Options", None, parts)})
    inside = page_units(opening_passages(["p2"], evidence), TextStatistics())
    assert [entry_of(unit) for unit in inside] == ["silence", "speed"]
