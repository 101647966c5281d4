"""The opening without a language model: one page is followed, and what a sentence needs comes along."""

from library import TextStatistics
from library.passages import holds_answer
from library.text import is_question
from reports.extract.opening import OpeningPassage, answering, best_fit, opening

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


def test_what_points_back_brings_what_it_points_to() -> None:
    page = "The lighthouse was lit with seal oil in 1871. It burned day and night until the war."
    found = told("When did it burn until the war?", passage(1, "Light", page))
    assert found == [
        "The lighthouse was lit with seal oil in 1871.",
        "It burned day and night until the war.",
    ]


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
    best = best_fit(question, [fits, beside], statistics)
    assert best > 0
    assert [each.words for each in answering(question, [fits], statistics, 90, least=0.45 * best)] == [
        fits.text
    ]
    assert answering(question, [beside], statistics, 90)
    assert answering(question, [beside], statistics, 90, least=0.45 * best) == []
    assert best_fit(question, [], statistics) == 0.0


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
