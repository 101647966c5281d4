"""The opening without a language model: one page is followed, and what a sentence needs comes along."""

from dataclasses import replace

import pytest

from library import TextStatistics
from library.passages import holds_answer, tells_of
from library.text import is_question
from reports.extract.agenda_items import agenda_items
from reports.extract.opening import answering, opening
from reports.extract.page_units import OpeningPassage, opening_passages
from reports.extract.ranked_sections import best_section, sections_ranked
from reports.extract.written_day import written_day
from reports.plan.pages import answering_passages, plan_pages
from tests.library.passages.ship_terms import SHIP_TERMS
from tests.reports.conftest import make_evidence

BACKUP = """# Copies of your files

A copy of the ledger is made each time you save it. It lies beside the ledger.

To restore a copy of the ledger, do this:

1. Close the ledger.
2. Open the copy of the day you want
3. Save it under another name.

```
cp ledger.copy ledger
```
"""
OTHER = """# Mortgages

A mortgage is booked as a loan with the house behind it. Interest is booked each month as an expense.
"""


def passage(n: int, title: str, text: str, start: int = 0, page: str = "") -> OpeningPassage:
    return OpeningPassage(f"p{n}", page or title, start, text, title)


def told(question: str, *passages: OpeningPassage) -> list[str]:
    return [each.words for each in opening(question, passages, TextStatistics())]


def test_a_procedure_keeps_its_steps_their_order_and_its_first_line() -> None:
    found = told(
        "How do I restore a copy of the ledger?", passage(1, "Copies", BACKUP), passage(2, "Loans", OTHER)
    )
    at = found.index("To restore a copy of the ledger, do this:")
    assert found[at + 1 : at + 4] == [
        "Close the ledger.",
        "Open the copy of the day you want",
        "Save it under another name.",
    ]
    assert not any("mortgage" in words for words in found)


def test_each_thing_that_is_asked_is_answered_by_its_own_page() -> None:
    found = told(
        "How do I restore a copy of the ledger, and book a mortgage on my house?",
        passage(1, "Copies", BACKUP),
        passage(2, "Loans", OTHER),
    )
    assert found.index("Close the ledger.") < found.index(
        "A mortgage is booked as a loan with the house behind it."
    )


def test_what_points_back_brings_what_it_points_to() -> None:
    page = "The lighthouse was lit with seal oil in 1871. It burned day and night until the war."
    found = told("When did it burn until the war?", passage(1, "Light", page))
    assert found == [
        "The lighthouse was lit with seal oil in 1871.",
        "It burned day and night until the war.",
    ]


def test_what_is_done_to_do_so_brings_what_it_is_for() -> None:
    page = (
        "Lamps that go out at sea must be lit again. To do so, open the glass and hold a match to the wick."
    )
    found = told("How is a match held to the wick behind the glass?", passage(1, "Lamps", page))
    assert found[0].startswith("Lamps that go out")


def test_what_points_back_to_nothing_is_left_out() -> None:
    page = "He sold the lighthouse for less than it had cost him in 1871."
    assert told("Who sold the lighthouse?", passage(1, "Light", page)) == []


def test_passages_of_a_page_are_read_in_its_order() -> None:
    first = "The ledger is copied before each change of the ledger's accounts."
    second = "The copy of the ledger is kept for thirty days and then deleted."
    found = told(
        "How long is the copy of the ledger kept?",
        passage(1, "Copies", second, 100, "page"),
        passage(2, "Copies", first, 0, "page"),
    )
    assert found == [first, second]


FERRY = """The ferry links the island with the mainland. It leaves from the old pier below the church.

A crossing lasts about forty minutes in calm weather. A crossing costs nine crowns for adults. Bicycles
travel free of charge.
"""


def test_a_short_page_is_told_from_the_sentence_on_that_answers() -> None:
    page = passage(1, "The ferry", FERRY)
    found = told("What is the price of a ticket?", page)
    assert found[0] == "A crossing costs nine crowns for adults."
    assert found.index("The ferry links the island with the mainland.") < found.index(
        "It leaves from the old pier below the church."
    )
    assert told("What does the ferry link?", page)[0].startswith("The ferry links")


def test_who_asks_for_a_way_is_told_it_in_the_order_of_the_page() -> None:
    page = "Close the valve on the left. Open the drain below it. To drain the boiler fully, wait an hour."
    assert told("How do I drain the boiler?", passage(1, "Boiler", page))[0] == "Close the valve on the left."


def test_nothing_is_said_where_nothing_fits() -> None:
    assert told("How are bees kept over winter?", passage(1, "Loans", OTHER)) == []


def test_what_the_passages_do_not_say_is_told_apart() -> None:
    pages = [passage(1, "Copies", BACKUP), passage(2, "Loans", OTHER)]
    assert holds_answer("How do I restore a copy of the ledger?", pages, TextStatistics())
    assert not holds_answer("How do I keep bees alive through a cold winter?", pages, TextStatistics())


def test_a_question_is_told_from_a_subject() -> None:
    assert is_question("How do I restore a backup")
    assert is_question("如何恢复备份")
    assert is_question("¿Cómo se restaura una copia?")
    assert is_question("A colleague is away. I want to block his account.")
    assert is_question("我想恢复备份。")
    assert not is_question("Hurricane Katrina")
    assert not is_question("I, Robot")
    assert not is_question("硅谷银行倒闭")


@pytest.mark.parametrize(
    "name",
    [
        "May Fourth Movement",
        "Can (band)",
        "When Harry Met Sally",
        "Who Framed Roger Rabbit",
        "吗啡的药理作用",
        "哪吒之魔童降世",
    ],
)
def test_a_name_that_begins_as_questions_do_asks_nothing(name: str) -> None:
    assert not is_question(name)
    assert is_question(f"{name}?")


@pytest.mark.parametrize(
    "text",
    [
        "Why did Silicon Valley Bank collapse",
        "who made it",
        "Can Postgres restore a backup",
        "May I copy it",
        "能恢复备份吗",
        "能恢复吗，谢谢",
        "哪个更好",
    ],
)
def test_a_question_needs_no_mark(text: str) -> None:
    assert is_question(text)


def test_a_subject_is_told_of_by_pages_that_share_no_word_with_it() -> None:
    statistics = TextStatistics()
    for subject, text in (
        ("Climate change adaptation in agriculture", "Farmers in the delta now sow rice two weeks earlier."),
        ("The history of our company", "The brothers Lee opened a workshop in 1921 and sold it in 1988."),
        ("Medicinal plants of the Alps", "Arnika wächst auf mageren Wiesen und hilft bei Prellungen."),
        ("Heilpflanzen der Alpen", "Arnika wächst auf mageren Wiesen und hilft bei Prellungen."),
    ):
        assert tells_of(subject, [passage(1, "Page", text)], statistics)
    assert not tells_of("Volcanic eruptions in Iceland", [passage(1, "Loans", OTHER)], statistics)


def test_of_a_long_page_the_part_that_answers_comes_first() -> None:
    early = "The copy of each letter is numbered by the clerk before it leaves the house for good."
    late = "The copy of the ledger is kept for thirty days. A copy of the ledger older than that is deleted."
    found = told(
        "How long is a copy of the ledger kept?",
        passage(1, "Office", early, 0, "page"),
        passage(2, "Office", late, 90_000, "page"),
    )
    assert found[0] == "The copy of the ledger is kept for thirty days."


def test_what_fits_too_little_is_not_told_beside_the_opening() -> None:
    question = "How long is a copy of the ledger kept?"
    fits = passage(1, "Copies", "The copy of the ledger is kept for thirty days and then deleted.")
    beside = passage(
        2, "Letters", "A clerk who is ill is replaced by one of the clerks who are kept at hand."
    )
    statistics = TextStatistics()
    best = best_section(*sections_ranked(question, [fits, beside], statistics))
    assert best.fit > 0
    assert [each.words for each in answering(question, [fits], statistics, 90, best=best)] == [
        fits.text
    ]
    assert answering(question, [beside], statistics, 90)
    assert answering(question, [beside], statistics, 90, best=best) == []
    assert best_section(*sections_ranked(question, [], statistics)).fit == 0.0


def test_a_sentence_without_its_subject_brings_it() -> None:
    named = "The lamp's oil is named in the setting lamp.oil of the harbour."
    page = f"{named} Can be replaced by the variable LAMP_OIL where no oil is named."
    question = "Which variable replaces the lamp's oil?"
    assert told(question, passage(1, "Lamps", page))[0] == named
    alone = "Can be replaced by the variable LAMP_OIL where no lamp's oil is named."
    assert told(question, passage(1, "Lamps", alone)) == []


def test_what_only_sends_elsewhere_is_not_told() -> None:
    page = "See lamp-oil(1) or lamp-wick(1) for the oil of a lamp. The oil of a lamp is pressed from seals."
    assert told("Where does the oil of a lamp come from?", passage(1, "Lamps", page)) == [
        "The oil of a lamp is pressed from seals."
    ]


def test_the_page_that_says_it_comes_before_the_one_that_is_called_so() -> None:
    name = "Cracked porcelain cups"
    called = "# Porcelain cups that are washed hot\n\n"
    asked = "Which glue holds a cracked porcelain cup that is washed hot?"
    found = told(
        asked,
        passage(1, name, f"{called}They dry upside down on a wooden rack overnight."),
        passage(2, name, f"{called}Nobody minds a stain, and most buyers never look inside.", 200),
        passage(3, "Mending", "Epoxy is the glue that holds a cracked porcelain cup. It bears a wash."),
        passage(4, "Mending", "Wood is planed before it is joined, and clamped for a night.", 200),
    )
    assert found[0] == "Epoxy is the glue that holds a cracked porcelain cup."


def test_a_page_beside_the_matter_is_heard_for_a_sentence_that_tells_as_much() -> None:
    asked = "Which glue holds a cracked porcelain cup that is washed hot?"
    cups = [
        "A cracked porcelain cup is no longer washed hot by anybody who wants to keep it.",
        "A hot porcelain cup that is cracked leaks where it is held.",
    ]

    def headings(other: str) -> list[str]:
        held = make_evidence({
            "https://a.example/cups": ("Porcelain cups that are washed hot", None, cups),
            "https://a.example/wood": ("The workshop", None, [other]),
        })  # fmt: skip
        return [plan.heading for plan in plan_pages(asked, held, TextStatistics())]

    assert headings("Epoxy is a glue that holds a cracked porcelain cup.")[1:] == ["The workshop"]
    assert headings("The door of the shop is shut at noon.")[1:] == []


def test_a_further_section_adds_what_it_says_and_nothing_of_what_stands_beside_it() -> None:
    asked = "Which glue holds a cracked porcelain cup?"
    says = [
        "Epoxy is the glue that holds a cracked porcelain cup.",
        "A cracked porcelain cup is held by casein glue, too.",
        "Hide glue holds a cracked cup of porcelain for a year.",
        "Fish glue holds a cracked porcelain cup that stays dry.",
    ]
    beside = [
        "Which cracked porcelain cup was sold first nobody knows.",
        "Who held the cracked porcelain cup last is not told.",
        "Where a cracked porcelain cup is thrown away depends on the town.",
        "Why a porcelain cup is cracked is seldom asked.",
    ]
    pages = [
        f"## Glue {n}\n\n{text}\n\n## Cracked cups {n}\n\n{other}"
        for n, (text, other) in enumerate(zip(says, beside, strict=True))
    ]
    found = told(asked, *(passage(n, f"Notes {n}", text) for n, text in enumerate(pages)))
    assert len(set(found) & set(says)) == 2
    # The page that fits best is told as long as there is room; of the others the section alone.
    assert not set(found) & set(beside[1:])


def test_who_asks_how_is_not_told_what_words_mean() -> None:
    entries = [f"{term}\n\n  What the {term.lower()} of a ship is." for term in SHIP_TERMS]
    glossary = [*entries, "Secure mooring\n\n  To moor a ship so that the ship stays moored at the mooring."]
    moor = "Redirect each line to the bollard on the quay and pull it tight until nothing moves."
    held = make_evidence({
        "https://a.example/words": ("Words", None, glossary),
        "https://a.example/quay": ("At the quay", None, [moor]),
    })  # fmt: skip
    asked = answering_passages("How do I moor a ship at a secure mooring?", held)
    assert [passage.title for passage in asked.values()] == ["At the quay"]
    assert len(answering_passages("What is a keel?", held)) == 14
    alone = make_evidence({"https://a.example/words": ("Words", None, glossary)})
    assert len(answering_passages("How do I moor a ship?", alone)) == 13


OPTIONS = """Some options tell what becomes of the log.

KEEP_LOG

  Lines are added to the file at once. It is trimmed now and then, at night or when it is full.

SHARE_LOG

  Windows read each other's lines. Each line is written when its command ends, with the hour and the minute.
  Lines that were shared stay on the disk for a day, and for a week where the disk has room for them.
"""


KEYS = """# Commands

Key: i | What it does: The machine plays the tape from where it stands, until the reel is at its end.
Key: h | What it does: The tape is held at its place, and nothing plays until the key is pressed again.
"""
LONG = (
    """# Winding

Winding is done before a tape is played. Before that the desk is switched off.

A tape is held by two reels. """
    + "The left one is of tin and the right one is of brass. " * 16
    + """

To wind a tape that is torn, turn the reel by hand. A torn tape that is wound by the motor tears further.

## Oiling

The motor is oiled in spring.
"""
)


def test_a_row_of_a_table_that_says_something_is_told_by_itself() -> None:
    found = told("Which key holds the tape at its place?", passage(1, "Keys", KEYS))
    assert any(words.startswith("Key: h | What it does: The tape is held at its place") for words in found)


def test_a_long_section_is_told_from_its_beginning_and_by_what_answers() -> None:
    found = told("How do I wind a torn tape?", passage(1, "The tape machine", LONG))
    assert found[:2] == ["Winding is done before a tape is played.", "Before that the desk is switched off."]
    assert "To wind a tape that is torn, turn the reel by hand." in found
    assert "The motor is oiled in spring." not in found


def test_of_a_long_section_what_answers_is_read_straight_on() -> None:
    kept = "Number {} of the tapes is kept in a box of wood at the wall beside the big window of the house."
    lines = [kept.format(n) for n in range(60)]
    for n in (40, 44, 48):
        lines[n] = f"A torn tape is wound by hand, as number {n} was on the day when it came to the house."
    found = told("How do I wind a torn tape?", passage(1, "Tapes", "# Tapes\n\n" + "\n\n".join(lines)))
    places = [lines.index(words) for words in found if words in lines]
    begun = places.index(40)
    assert places[begun:] == list(range(40, 40 + len(places) - begun))
    assert len(places) - begun >= 9


WHICH = """# Frequent questions

## Which tape should I take?

This is a matter of taste. There is no answer that fits everybody. Here is what others say:

- Brown tape is the cheaper one. It is the right one for speech.
- Black tape is the better one for songs, which need all its width.

## May I keep a tape in the sun?

No tape may be kept in the sun.
"""


def test_a_sentence_at_once_below_a_heading_needs_nothing_before_it() -> None:
    found = told("Which tape is for songs, the brown or the black one?", passage(1, "Tapes", WHICH))
    assert found[:3] == [
        "This is a matter of taste.",
        "There is no answer that fits everybody.",
        "Here is what others say:",
    ]
    assert "Black tape is the better one for songs, which need all its width." in found


def test_an_option_is_told_from_what_it_does() -> None:
    asked = "How many days or weeks do shared lines stay on a disk that has room?"
    found = answering(asked, [passage(1, "Options", OPTIONS)], TextStatistics(), 15)
    assert [each.words.split()[0] for each in found] == ["SHARE_LOG", "Windows", "Lines"]


ANSWERS = """# Frequent questions

## How do I take recordings out of a tape that exists?

A recording is only gone from a tape once every take that holds the recording is erased. There are two ways to
take recordings out of a tape: erase the takes, or dub the tape without them.

## Does a single recording cost more room than a reel?

A recording takes the room of its minutes, as on a reel.
"""
FIRST_STEPS = """# First steps

## Making a tape

Put a reel in the machine and press the red key.

## Restoring a lost recording

There are two ways:

- Wind to the take and play it into a new reel, if you know which one you want.
- Listen through the desk, if you do not know it.
"""


def test_the_page_whose_section_means_what_is_asked_opens_though_another_shares_more_words() -> None:
    question = "How do I restore a single lost recording?"
    found = told(question, passage(1, "Frequent questions", ANSWERS), passage(2, "First steps", FIRST_STEPS))
    at = found.index("There are two ways:")
    assert found[at + 1].startswith("Wind to the take")
    assert not any("erased" in words for words in found[: at + 1])


def test_a_passage_stands_under_the_heading_that_its_source_has_above_it() -> None:
    begins = "## Getting back what was lost\n\n"
    way = "Wind the reel to the take and play it into a new one."
    held = make_evidence({"https://a.example/steps": ("First steps", None, [begins + way])})
    passages = held.passages
    inside = replace(next(iter(passages.values())), id="p9", start=len(begins), text=way)
    passages["p9"] = inside
    [made] = opening_passages(["p9"], held)
    assert made.under == "Getting back what was lost"


def test_the_page_that_the_opening_is_from_is_told_first() -> None:
    held = make_evidence({
        "https://a.example/answers": ("Frequent questions", None, [ANSWERS]),
        "https://a.example/steps": ("First steps", None, [FIRST_STEPS]),
    })  # fmt: skip
    plans = plan_pages("How do I restore a single lost recording?", held, TextStatistics())
    assert plans[0].heading == "First steps"


def test_a_table_of_contents_in_running_text_is_no_answer() -> None:
    entries = (
        "- 7. Sending letters 1. Letters by the post boat 2. Letters by hand 3. Letters back 4. Weights\n"
        "- 8. Bells and letters 1. The bell at noon 2. Letters at the bell 3. Who rings 4. Fines"
    )
    way = "Letters are sent by the post boat, which calls at noon. Put them into the red box on the quay."
    found = told(
        "How do I send letters by the post boat?",
        passage(1, "Contents", f"# All about letters\n\n{entries}"),
        passage(2, "The quay", f"# The quay\n\n{way}"),
    )
    assert found == way.replace(". Put", ".|Put").split("|")


def test_a_table_of_contents_with_numbers_of_sections_is_no_answer() -> None:
    entries = """7. Letters
    7.1. How are letters sent by the post boat?
        7.1.1. Stamps
        7.1.2. Weights and the letters that weigh
    more than the post boat takes
    7.2. Who rings when letters come?
8. Bells"""
    way = "Letters are sent by the post boat, which calls at noon. Put them into the red box on the quay."
    found = told(
        "How are letters sent by the post boat?",
        passage(1, "Contents", f"Contents\n\n{entries}"),
        passage(2, "The quay", f"# The quay\n\n{way}"),
    )
    assert found == way.replace(". Put", ".|Put").split("|")


def test_clauses_with_numbers_of_sections_are_told() -> None:
    clauses = (
        "2.1. The tenant pays the rent on the first of the month.\n2.2. The tenant sweeps the stairs.\n"
        "2.3. The landlord mends the roof of the barn.\n2.4. Nobody keeps geese."
    )
    assert "The landlord mends the roof of the barn." in " ".join(
        told("Who mends the roof of the barn?", passage(1, "Lease", clauses))
    )


@pytest.mark.parametrize(
    "lines",
    [
        ["4.1 The lodger feeds the stove on the first day of each month",
         "4.2 The lodger keeps no geese in the loft", "4.3 The landlord mends the stove in the loft",
         "4.4 The lodger sweeps the stairs"],
        ["1.10 Mended the stove that went out on an empty store", "1.11 Added a bell to the stove",
         "1.12 Stopped the stove from smoking", "1.13 Needs a stove with a bell"],
        ["0.5 litres of milk for the stove", "1.5 kg of flour from the mill", "2.5 kg of plums for the stove",
         "3.5 litres of water for the stove"],
    ],
)  # fmt: skip
def test_numbered_lines_without_stops_are_no_table_of_contents(lines: list[str]) -> None:
    own = replace(passage(1, "Stove", "\n".join(lines)), private=True)
    found = " ".join(told("What is said of the stove?", own))
    assert lines[2].partition(" ")[2] in found


def test_lines_under_a_heading_of_contents_are_no_answer() -> None:
    lines = ["4.1 The stove in the loft and its long history", "4.2 How the stove is lit on cold days",
             "4.3 Who mends the stove in the loft", "4.4 The stove and the geese of the lodger"]  # fmt: skip
    own = replace(passage(1, "Stove", "Contents\n\n" + "\n".join(lines)), private=True)
    assert not any("stove" in words for words in told("What is said of the stove?", own))


def test_a_person_s_notes_are_quoted_though_they_say_i() -> None:
    notes = (
        "I sold the old boat because it took in water at the stern. My brother wanted it, and I said no.\n\n"
        "The new one lies at the second pier."
    )
    own = replace(passage(1, "Boat", notes), private=True)
    question = "Why did I sell the old boat?"
    assert told(question, own)[0] == "I sold the old boat because it took in water at the stern."
    # On anybody's page nobody tells who it is that speaks.
    strange = passage(1, "Boat", notes)
    assert not any("I sold" in words for words in told(question, strange))


OFFERS = """# The roof

Three firms were asked for an offer.

They offered as follows:

| Firm | Price | Time |
| --- | --- | --- |
| Øster | 84,200 € | 6 weeks |
| Hansen | 91,500 € | 5 weeks |

The work is to be done before October.
"""


def test_a_table_is_told_with_its_heads_behind_what_introduces_it() -> None:
    found = opening("What did the firms offer?", [passage(1, "Roof", OFFERS)], TextStatistics())
    at = [each.words for each in found].index("They offered as follows:")
    assert [each.words for each in found[at + 1 : at + 3]] == [
        "Øster | 84,200 € | 6 weeks", "Hansen | 91,500 € | 5 weeks",
    ]  # fmt: skip
    assert {each.heads for each in found if each.form == "row"} == {("Firm", "Price", "Time")}


def _nursery(kinds: int) -> OpeningPassage:
    rows = "\n".join(f"Tree: tree{n} | Height: {n} m" for n in range(kinds))
    text = f"# Trees\n\nThe nursery sells trees of many kinds.\n\n{rows}"
    return replace(passage(1, "Trees", text), rows=kinds)


def test_of_a_long_table_the_rows_are_told_that_are_asked_for() -> None:
    rows = [
        each.words
        for each in opening("What is the height of tree7?", [_nursery(30)], TextStatistics())
        if each.form == "row"
    ]
    assert rows == ["Tree: tree7 | Height: 7 m"]
    short = opening("What is the height of tree7?", [_nursery(9)], TextStatistics())
    assert sum(each.form == "row" for each in short) == 9


def test_a_passage_in_the_midst_of_a_table_knows_its_heads() -> None:
    rows = "\n".join(f"| tree{n} | {n} m |" for n in range(4))
    table = f"| Tree | Height |\n| --- | --- |\n{rows}"
    evidence = make_evidence({"trees": ("Trees", None, [table])})
    [(name, whole)] = evidence.passages.items()
    source = evidence.sources[whole.sha256]
    later = source.passage(source.text.index("| tree2"), len(source.text), name)
    [held] = opening_passages([name], replace(evidence, passages={name: later}))
    assert (held.heads, held.rows) == (("Tree", "Height"), 4)


def test_code_at_once_below_a_heading_is_told_by_that() -> None:
    page = (
        "# Cookbook\n\nPages are straightened and read.\n\n## Straighten a crooked scan\n\n"
        "```\nread --deskew in out\n```\n\n## Read some pages\n\n```\nread --pages 1-3 in out\n```"
    )
    found = opening("How do I straighten a crooked scan?", [passage(1, "Cookbook", page)], TextStatistics())
    assert (found[0].words, found[0].form) == ("read --deskew in out", "code")


COMMANDS = """# Commands of the gauge

## {name}

Parks the gauge off the wall, so that winter ice does not break it.

## How ice forms

Ice forms in winter.
"""


@pytest.mark.parametrize(
    "name", ["gauge park", "park FILE [-yes|-all]", "--park", "gauge_park(Wall *wall)", "park.winter=yes"]
)
def test_what_is_to_be_typed_stands_above_what_it_does(name: str) -> None:
    page = passage(1, "Commands of the gauge", COMMANDS.format(name=name))
    found = opening("How do I park the gauge so that winter ice does not break it?", [page], TextStatistics())
    assert [(each.words, each.form) for each in found[:2]] == [
        (name, "prose"),
        ("Parks the gauge off the wall, so that winter ice does not break it.", "prose"),
    ]


@pytest.mark.parametrize(
    "name", ["Parking the gauge", "Parking (in winter)", "how to park the gauge", "\u505c\u653e"]
)
def test_a_title_is_nothing_to_type(name: str) -> None:
    page = passage(1, "Commands of the gauge", COMMANDS.format(name=name))
    found = opening("How do I park the gauge so that winter ice does not break it?", [page], TextStatistics())
    assert found[0].words.startswith("Parks the gauge")


SETTINGS = """# Settings of the calendar

## The place

zone
    The time zone that is used for new events. Where none is set, that of the machine is used.

first_day
    The day that a week begins on, where 0 is Monday and 6 is Sunday.

signs
    Whether signs that are not ASCII stand beside events. Switch it off where your font lacks them.

date_form
    How dates are written and understood; it should hold a year.
"""


def test_of_a_reference_s_entries_those_are_told_that_are_asked_for() -> None:
    asked = "My calendar's weeks begin on Sunday. How do I make them begin on Monday?"
    found = told(asked, passage(1, "Settings", SETTINGS))
    assert found == ["first_day", "The day that a week begins on, where 0 is Monday and 6 is Sunday."]


KINDS = """# Copies

## Kinds of copies

full
    A full copy holds all files of the folder.

partial
    A partial copy holds the files that changed since the last copy of any kind.

thin
    A thin copy holds only the names of files, so that it is quick.
"""


def test_kinds_of_one_thing_are_told_together() -> None:
    found = told("What kinds of copies are there?", passage(1, "Copies", KINDS))
    assert len(found) == 3


MINUTES = """# Minutes

1. Minutes of the last meeting were agreed.

2. Treasurer's report. Income £4,310, spent £3,985. The largest cost was water.

3. Rent. The committee proposed to raise the rent of a plot from £38 to £42. Agreed with 26 votes to 3.
"""


def test_an_item_is_quoted_without_a_hole() -> None:
    found = told("How much is the rent of a plot?", passage(1, "Minutes", MINUTES))
    assert any("proposed to raise the rent" in words for words in found)
    assert any("Treasurer" in words for words in found)
    assert all(words in MINUTES for words in found)


MEETINGS = {
    "2022": "1. Minutes were agreed.\n\n2. Hall. The roof leaks in the west corner.\n\n"
    "3. Berth fee. Raised to £42 a year from January.\n\n4. Tea. Ann.",
    "2024": "1. **Hall.** The roof was mended by Cy.\n2. **Berth fee.** Is £48 a year from 2025.\n"
    "3. **Tea.** Bo brings biscuits and the large urn to each meeting.",
    "2025": "1. Ropes. Ten new ones were bought.\n2. Berth fee. Stays as it is for 2026.\n3. Tea. Cy.",
}


def meetings() -> list[OpeningPassage]:
    named = {year: f"Meeting of 9 November {year}" for year in MEETINGS}
    return [
        replace(passage(n, named[year], f"# {named[year]}\n\n{text}"), day=written_day(named[year], ""))
        for n, (year, text) in enumerate(MEETINGS.items())
    ]


def test_of_minutes_the_item_is_told_that_is_asked_for_and_of_the_newest_first_where_it_is_of_now() -> None:
    assert told("How much is the berth fee a year now?", *meetings()) == [
        "Berth fee. Stays as it is for 2026.",
        "Berth fee. Is £48 a year from 2025.",
        "Berth fee. Raised to £42 a year from January.",
    ]
    raised = told("Which berth fee was raised to £42 from January?", *meetings())
    assert raised[0] == "Berth fee. Raised to £42 a year from January."
    assert "Berth fee. Is £48 a year from 2025." in raised[1:]


@pytest.mark.parametrize(
    ("title", "text", "day"),
    [
        ("Minutes of 9 November 2024", "", "2024-11-09"),
        ("The agents", "The agents\n9 February 2026\n\nTo all residents", "2026-02-09"),
        ("Ghent, May 2025", "", "2025-05"),
        ("Rules", "Rules\n\nThey were agreed upon by all members on 9 February 2026.", ""),
        ("From 1 May 2024 to 3 May 2025", "", ""),
        ("Letter of 3/4/2025", "", ""),
    ],
)
def test_the_day_of_a_document_stands_in_its_title_or_on_a_line_of_its_own(
    title: str, text: str, day: str
) -> None:
    assert written_day(title, text) == day


def test_numbered_steps_without_labels_are_no_agenda() -> None:
    assert not agenda_items("1. Close the ledger.\n2. Open the copy.\n3. Save it: under another name.")
    assert not agenda_items("1. Note: close it.\n2. Note: open it.\n3. Note: save it.")
