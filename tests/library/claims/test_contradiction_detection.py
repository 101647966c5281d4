"""Passages that disagree: what was planted is found, and what only looks like it is not."""

import hashlib

import pytest

from library.claims.disagreement.contradiction_detection import Contradiction, contradictions
from library.evidence import Passage, Source
from library.passages.chunking import cut
from library.text.similarity.tfidf import TextStatistics
from tests.library.claims.disagreeing import DOCUMENTS, PLANTED
from tests.library.claims.disagreeing_more import (
    CHINESE,
    ENGLISH,
    LATER_CHINESE,
    LATER_ENGLISH,
    PLANTED_CHINESE,
    PLANTED_ENGLISH,
    PLANTED_LATER_CHINESE,
    PLANTED_LATER_ENGLISH,
)
from tests.library.claims.disagreeing_reports import PLANTED_REPORTS, REPORTS


def passages(*texts: str, title: str = "The town of Tolvik") -> list[Passage]:
    return [passage for n, text in enumerate(texts) for passage in document(f"{title} {n}", text)]


def document(title: str, text: str) -> list[Passage]:
    sha256 = hashlib.sha256(f"{title}{text}".encode()).hexdigest()
    return cut(Source(sha256, f"file:{title}", title, text))


def found(*texts: str) -> list[Contradiction]:
    return contradictions(passages(*texts), [], TextStatistics())


WORLDS = {
    "reports": (REPORTS, PLANTED_REPORTS, ""),
    "town": (DOCUMENTS, PLANTED, "Tolvik"),
    "english": (ENGLISH, PLANTED_ENGLISH, ""),
    "chinese": (CHINESE, PLANTED_CHINESE, ""),
    "later english": (LATER_ENGLISH, PLANTED_LATER_ENGLISH, ""),
    "later chinese": (LATER_CHINESE, PLANTED_LATER_CHINESE, ""),
}
"""Documents, what is planted in them, and their topic: 58 documents, 104 contradictions, more near-misses."""


@pytest.mark.parametrize("world", WORLDS)
def test_of_what_is_planted_four_fifths_are_found_and_hardly_anything_else(world: str) -> None:
    documents, wanted, topic = WORLDS[world]
    everything = [p for title, text in documents.items() for p in document(title, text)]
    flagged = contradictions(everything, [], TextStatistics(), topic)
    told = [next((p for p in wanted if planted(c, p)), None) for c in flagged]
    assert len(set(told) - {None}) >= (0.7 if world == "reports" else 0.8) * len(wanted), set(wanted) - set(
        told
    )
    assert told.count(None) <= 0.1 * len(told), [c.values for c in flagged]


def planted(found: Contradiction, pair: tuple[str, str]) -> bool:
    return any(pair[0] in a and pair[1] in b for a, b in (found.values, found.values[::-1]))


@pytest.mark.parametrize(
    ("one", "other", "kind"),
    [
        ("The Maren Bridge cost 84 million euros.", "The Maren Bridge cost 97 million euros.", "number"),
        ("The Maren Bridge was opened in 1887.", "The Maren Bridge was opened in 1893.", "date"),
        ("The mayor of Tolvik is Anna Berg.", "The mayor of Tolvik is Karl Lund.", "name"),
        (
            "The flood warning was sent to the northern districts.",
            "The flood warning was not sent to the northern districts.",
            "negation",
        ),
        (
            "In 2015 the Tolvik museum had 81,000 visitors.",
            "The Tolvik museum has 118,000 visitors.",
            "values",
        ),
    ],
)
def test_each_kind_of_disagreement_is_told(one: str, other: str, kind: str) -> None:
    assert [c.kind for c in found(one, other)] == [kind]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("In 2015 the Tolvik museum had 81,000 visitors.", "In 2019 the Tolvik museum had 118,000 visitors."),
        ("The Maren Bridge cost 84 million euros.", "The Harg Bridge cost 97 million euros."),
        ("The Maren Bridge is 640 metres long.", "The Maren Bridge is 22 metres wide."),
        ("The Maren Bridge is 640 metres long.", "The Maren Bridge is about 650 metres long."),
        ("The flood in Tolvik killed 23 people.", "The flood in Tolvik killed at least 19 people."),
        ("The Maren Bridge is 5 kilometres long.", "The Maren Bridge is 5,000 metres long."),
        ("Section 3.2 describes the bridge in Tolvik.", "Section 4.1 describes the bridge in Tolvik."),
        ("The Maren Bridge was opened in May 1998.", "The Maren Bridge was opened on 12 May 1998."),
        (
            "The price of a ticket in Tolvik rose from 3 to 5 euros in 2015.",
            "The price of a ticket in Tolvik rose to 5 euros in 2015.",
        ),
        ("The final in Tolvik drew 31,000 people.", "The semi-final in Tolvik drew 12,400 people."),
        ("In Tolvik 960 people fell ill.", "In the north of Tolvik 40 people fell ill."),
        (
            "A fire destroyed the west wing in Tolvik in 1689.",
            "A fire destroyed the east wing in Tolvik in 1702.",
        ),
        (
            "The first case in Tolvik was found on 7 May 2014.",
            "The last case in Tolvik was found on 3 June 2014.",
        ),
        ("The Maren Bridge is to open in 2030.", "The Maren Bridge is planned to open in 2032."),
        (
            "The final was the best of 17 frames.",
            "The quarter-finals were played as the best of nine frames.",
        ),
        ("Tram line 2 in Tolvik is 9 kilometres long.", "Tram line 3 in Tolvik is 11 kilometres long."),
        ("The plant in Tolvik makes 1,200 pumps a week.", "The plant in Harg makes 700 pumps a week."),
        (
            (
                "It took $8.1 million in its second week, $5 million in its third, $3 million in its fourth, "
                "$2 million in its fifth, and $1 million in its sixth."
            ),
            (
                "It took $2.7 million in its second week, $2 million in its third, $1.7 million in its "
                "fourth, $767,000 in its fifth, and $585,000 in its sixth."
            ),
        ),
    ],
    ids=[
        "time",
        "subject",
        "measure",
        "rounded",
        "bound",
        "unit",
        "section",
        "finer",
        "change",
        "stage",
        "part",
        "side",
        "first and last",
        "plan",
        "rounds",
        "number",
        "place",
        "list",
    ],
)
def test_what_only_looks_like_it_is_no_contradiction(one: str, other: str) -> None:
    assert found(one, other) == []


@pytest.mark.parametrize(
    ("one", "other"),
    [
        # One of a row: numbered in one title, named without a number in the other, or in its sentence.
        (("Sails trailer 2 secrets | film.example", "The trailer of Sails was released on 28 February."),
         ("Sails full trailer coming | news.example", "The trailer of Sails was released on 13 December.")),
        (("Guests on Maren Harbour 2 and others", "It became a Tolvik List number 1, selling 199,000 units."),
         ("Tolvik List awards", "Maren Harbour was a Tolvik List number 1, selling 131,000 units.")),
        # A pronoun that leads back to a name of its own page.
        (("Long box office forecast Sails of Tolvik",
          ("Sails made $95 million in Orrin. "
          "The film made $20 million, including $6 million on Thursday night.")),
         ("Weekend box office forecast the Anchor and the Keel",
          ("The Keel made $34 million in Orrin. "
          "It made $5 million, including $1.4 million on Thursday night."))),
        # A pronoun that leads back to nothing.
        (("Tolvik List of the year", "It became a number 1 of the Tolvik List, selling 199,000."),
         ("Tolvik List awards", "The album Harbour was a number 1 of the Tolvik List, selling 131,000.")),
    ],
)  # fmt: skip
def test_two_things_of_one_row_or_page_are_two_subjects(one: tuple[str, str], other: tuple[str, str]) -> None:
    both = [*document(*one), *document(*other)]
    assert contradictions(both, [], TextStatistics()) == []


def test_a_source_does_not_contradict_itself_or_its_own_copy() -> None:
    text = "The Maren Bridge cost 84 million euros. The Maren Bridge cost 97 million euros."
    assert found(text) == []


def test_chinese_losses_that_differ_are_found() -> None:
    first = document("洪灾损失统计报告", "统计显示，洪水淹没了耕地。直接经济损失合计三亿四千万元。")
    second = document("洪灾损失统计的教训", "县里公布的直接损失是三亿一千万元。学校已经重建。")
    assert [c.values for c in contradictions([*first, *second], [], TextStatistics())] == [
        ("三亿四千万", "三亿一千万")
    ]


def test_the_same_pair_of_sentences_is_told_once_however_many_pages_repeat_it() -> None:
    one, other = "The Maren Bridge cost 84 million euros.", "The Maren Bridge cost 97 million euros."
    assert len(found(one, f"{one} It is grey.", other, f"{other} It is old.")) == 1


def test_fresh_passages_are_set_against_those_known_before_and_these_not_again() -> None:
    known = passages("The Maren Bridge cost 84 million euros.", "The Maren Bridge cost 97 million euros.")
    fresh = document("Another", "The Maren Bridge of Tolvik cost 91 million euros.")
    flagged = contradictions(fresh, known, TextStatistics())
    assert [c.b.title for c in flagged] == ["Another", "Another"]


def test_what_holds_in_different_cases_is_no_contradiction() -> None:
    binding = "If binding to a class, the attribute is transformed into the call get(None, A)."
    assert not found(binding, "If binding to an instance, the attribute is transformed into the call get(a).")
    closed = "If the bridge is closed, the ferry of Tolvik carries 900 passengers."
    assert not found(closed, "If the bridge is open, the ferry of Tolvik carries 300 passengers.")
    assert found(closed, "If the bridge is closed, the ferry of Tolvik carries 300 passengers.")


def test_versions_and_none_of_a_program_are_no_figures_and_no_denials() -> None:
    first = "This finder of Tolvik is deprecated since Python 3.10 and will be removed."
    assert not found(first, "This finder of Tolvik is deprecated since Python 3.3 and will be removed.")
    first = "The function of Tolvik returns the value None for a missing module name."
    assert not found(first, "The function of Tolvik returns the value for a missing module name.")


def test_references_from_one_page_to_another_are_no_figures() -> None:
    first = "关于数据的备份和保存，参见 第 9.11 节 中的工具。"
    assert not found(first, "关于数据的备份和保存，参见 第 9.6.2 节 中的工具。")
    assert not found("备份工具的列表参见 表 2.12。", "备份工具的列表参见 表 9.24。")
    first = "For backup tools of the Tolvik system see 9.11 and its tables."
    assert not found(first, "For backup tools of the Tolvik system see 7.6 and its tables.")


def test_what_two_pages_are_each_about_is_told_apart() -> None:
    told = "The {} of Asterby was flooded after the great storm, and water stood in its cellars for {} days."
    things = ("mill", 35), ("school", 49)
    pages = [document(f"The {one} of Asterby", told.format(one, n)) for one, n in things]
    assert contradictions(pages[0], pages[1], TextStatistics()) == []
    other = document("The mill of Asterby in the storm", told.format("mill", 42))
    assert [c.values for c in contradictions(other, pages[0], TextStatistics())] == [("35", "42")]


def test_pages_of_one_site_on_two_films_do_not_contradict_each_other() -> None:
    told = "{} was shown in Skarn by Orr Films. Metacritic assigned the film a score of {} out of 100."
    films = ("The glass ferry", 47), ("Nine winters", 74)
    pages = [document(f"{film} | metacritic.com", told.format(film, score)) for film, score in films]
    assert contradictions(pages[0], pages[1], TextStatistics()) == []


MANUAL = [
    # Settings have no names: what few pages say tells what a sentence is on, however long the other one is.
    (
        "Include files may be nested to a depth of eight.",
        "Include files may be nested to a depth of five; at the end of any, the one before it goes on.",
    ),
    (
        "A nonce becomes invalid 60 seconds after it was requested.",
        "Each nonce becomes invalid 16 seconds after the request for it was received by the daemon.",
    ),
    # A number of a name is a part of it.
    ("RFC 2783 was published in 2001.", "RFC 2783 was published in 1999, when many had such clocks."),
    # What one figure holds for does not narrow another one of the sentence.
    (
        "A day pass for adults costs 62 francs, for children 34 francs.",
        "We paid 68 francs for an adult day pass and 34 francs for a child's.",
    ),
    # What a sentence begins with is not what it is on.
    ("The Harrow Line was electrified in 1958.", "Opened in 1871, the Harrow Line was electrified in 1961."),
    # The figure of a sentence that is denied counts with its words.
    (
        "In Isker trout longer than 40 centimetres were not found.",
        "In Isker trout longer than 40 centimetres were found at three places, all of them deep.",
    ),
    # Who did it may stand before what was done.
    ("Edwin Pell designed the bridges of Isker.", "The bridges of Isker were designed by Josef Amery."),
    # Kilograms are measured, and no count of a few.
    ("The Orion P3 weighs 187 grams and has a bright screen.", "At 203 grams the Orion P3 weighs too much."),
]


@pytest.mark.parametrize(("one", "other"), MANUAL)
def test_sentences_of_manuals_and_notes_contradict_each_other(one: str, other: str) -> None:
    both = [*document("A cheat sheet", one), *document("The reference", other)]
    found = contradictions(both, [], TextStatistics())
    assert {(c.a.title, c.b.title) for c in found} == {("A cheat sheet", "The reference")}


def test_what_a_pronoun_stands_for_tells_what_is_counted() -> None:
    text = "The line was electrified in 1958. In 2023 it carried 8.6 million people."
    first = document("The Harrow Line", text)
    other = document("Railways of a county", "In 2023 the Harrow Line carried 7.9 million people.")
    assert [c.values for c in contradictions([*first, *other], [], TextStatistics())] == [
        ("8.6 million", "7.9 million")
    ]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        # Two numbers, two things.
        (("Old names", "RFC 8915 was published in 2020."), ("New names", "RFC 2783 was published in 1999.")),
        (("A phone", "The Orion P3 weighs 187 grams."), ("A test", "The Orion P2 weighed 176 grams.")),
        # A page names what it is named for, and the other knows nothing of that.
        (
            ("Sund Ferries: fares", "A single ticket for the crossing costs 18 euros."),
            ("Line Nord: a ferry company", "A single ticket of Line Nord costs 15 euros."),
        ),
        # Who tells of two things is not what these are.
        (
            ("The glass ferry", "According to the Whistle survey, 70% of 184 reviews are positive."),
            ("Nine winters", "According to the Whistle survey, 85% of 168 reviews are positive."),
        ),
    ],
)
def test_sentences_of_one_form_on_two_things_do_not_contradict_each_other(
    one: tuple[str, str], other: tuple[str, str]
) -> None:
    both = [*document(*one), *document(*other)]
    assert contradictions(both, [], TextStatistics()) == []


def test_a_paragraph_does_not_go_on_about_the_year_of_the_one_before() -> None:
    text = "In 2003 the bridge of Tolvik was closed.\n\nOlav Tveit died at the age of 71."
    first = document("People of Tolvik", text)
    other = document("Olav Tveit of Tolvik", "In 2001 Olav Tveit died at the age of 69.")
    assert [c.values for c in contradictions([*first, *other], [], TextStatistics())] == [("71", "69")]


MORE_KINDS = {
    "a past that is another word": (
        "The Maren canal sold 300 boat passes in all.",
        "The Maren canal sells 400 boat passes in all.",
    ),
    "a figure before what it is on": (
        "The Maren quarry is 142 metres deep and lies behind the mill.",
        "With a depth of 118 metres, the Maren quarry is deep and cold.",
    ),
    "a date before what it is on": (
        "The Maren tower was built in 1926 and burnt down in 1951.",
        "Built in 1924, the Maren tower has seen many winters.",
    ),
    "a model's number beside a date": (
        "The Maren P3 came out on 14 February 2024.",
        "Maren released the P3 on 28 February 2024.",
    ),
    "a figure beside a clause with a date": (
        "The Maren silo holds 14,000 tonnes and was mended by its keepers in May 2021.",
        "The Maren silo holds 11,000 tonnes.",
    ),
}


@pytest.mark.parametrize("kind", MORE_KINDS)
def test_what_two_sources_say_in_other_forms_is_set_against_each_other(kind: str) -> None:
    assert len(found(*MORE_KINDS[kind])) == 1


def test_a_pronoun_stands_for_what_it_denies() -> None:
    """Two words beside it are enough then."""
    one = "The Maren terminal is to cost 240 million crowns. It will not be served by trains."
    assert [c.kind for c in found(one, "The Maren terminal will be served by trains.")] == ["negation"]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("With a depth of 118 metres, the Maren quarry is deep.", "The Maren quarry is 900 metres long."),
        ("Built in 1924, the Maren tower has seen winters.", "The Maren tower burnt down in 1951."),
        ("The Maren P3 came out on 14 February 2024.", "The Maren P4 came out on 28 February 2025."),
    ],
)
def test_what_only_looks_like_these_is_not(one: str, other: str) -> None:
    assert not found(one, other)
