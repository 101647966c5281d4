"""Where a text names a thing that is compared, and which questions want a figure or a name."""

import pytest

from library import Source
from library.text import asked_measures, asks_measure_alone, asks_who, gives_measure, tells_who, terms
from library.text.similarity.tfidf import TextStatistics
from reports.compare.cell_choice import CellChooser
from reports.compare.named_things import NamedThings


@pytest.mark.parametrize(
    ("thing", "text", "named"),
    [
        ("2023 Odisha train collision", "At least 290 dead in the Odisha train crash", True),
        ("2023 Odisha train collision", "The collision of two trains near Howrah", False),
        ("2023 Odisha train collision", "The 1999 Odisha train collision", False),
        ("2023 Emilia-Romagna floods", "After the floods in the Emilia-Romagna nobody slept.", True),
        ("2023 Emilia-Romagna floods", "floods in the emilia romagna after a drought 1208a01c", True),
        ("2022 West Java earthquake", "Earthquakes below the far coast of Java are deeper.", False),
        ("Killing of Amir Locke", "Amir Locke was shot in February.", True),
        ("Miss Grand International 2022", "At Miss Grand International 2021 he announced it.", False),
        ("Museum of Ropes", "The museum has no rope.", False),
        ("borg check", "This will check the repository.", False),
    ],
)
def test_a_long_name_may_be_said_in_part_and_a_short_one_whole(thing: str, text: str, named: bool) -> None:
    statistics = TextStatistics()
    assert NamedThings([thing], statistics).names(thing, text) is named


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("The timeout of Google Cloud Functions is nine minutes.", "Google Cloud Functions"),
        ("The timeout of Google Cloud Run is sixty minutes.", "Google Cloud Run"),
        ("The Intel Core i5 processor has six cores.", "Intel Core i5 processor"),
        ("The World Cup final was played in Moscow in July 2018.", "2018 World Cup final"),
        ("The World Cup final was played in a full house.", ""),
    ],
)
def test_what_is_said_of_one_thing_is_not_said_of_a_similar_one(text: str, named: str) -> None:
    things = ["Google Cloud Run", "Google Cloud Functions", "Intel Core i7 processor"]
    things += ["Intel Core i5 processor", "2022 World Cup final", "2018 World Cup final"]
    known = NamedThings(things, TextStatistics())
    assert [thing for thing in things if known.names(thing, text)] == [named] * bool(named)


@pytest.mark.parametrize(
    ("thing", "question", "text"),
    [
        ("Llama", "context length", "Llama supports a context length of 128,000 tokens."),
        ("Snapdragon", "clock speed", "Snapdragon reaches a clock speed of 3.2 GHz."),
        ("Bolt", "How many hours does it take to charge?", "Bolt takes 12 hours to charge."),
        ("Tramway", "How many kilometres of track are there?", "Tramway has 400 kilometres of track."),
        ("Fitbit", "Who is it for?", "Fitbit is for runners and people who want to sleep well."),
        ("Watchfab", "Who is the founder?", "Watchfab was founded by Edith Sarn in 1961."),
        ("星云", "是否支持深度学习", "星云支持深度学习模型的训练。"),
        ("赵州桥", "谁建造的？", "赵州桥由李春建造。"),
    ],
)
def test_words_for_a_kind_of_figure_in_another_question_leave_no_cell_empty(
    thing: str, question: str, text: str
) -> None:
    source = Source(sha256="0" * 64, url="file:///page", title=thing, text=text, retrieved="")
    found = [(source.passage(0, len(text), "p"), source)]
    chosen = CellChooser([thing, "Other"], TextStatistics()).choose(thing, question, found)
    assert [one.words for one in chosen] == [text]


@pytest.mark.parametrize(
    ("question", "right", "wrong"),
    [
        ("altitude", "It stands at 1,985 m above the sea.", "It sleeps forty-two in six rooms."),
        ("How many people were killed?", "Six people died.", "It was opened on 3 May 1964, the first."),
        ("How many employees does it have?", "It has 1850 employees.", "In 1978 workers put it up."),
        ("How many hours does it take?", "It takes 12 hours.", "It takes its time."),
        ("year of construction", "It was put up in 1978.", "It is closed from November."),
        ("海拔", "海拔为1200米。", "共有1200人。"),
    ],
)
def test_a_question_for_a_figure_is_answered_by_its_kind(question: str, right: str, wrong: str) -> None:
    measures = asked_measures(question)
    assert gives_measure(right, measures)
    assert not gives_measure(wrong, measures)


@pytest.mark.parametrize(
    ("question", "alone"),
    [("height", True), ("How tall is it?", True), ("海拔", True), ("key length", False), ("处理速度", False)],
)
def test_only_a_question_that_is_nothing_but_a_measure_must_have_a_figure(question: str, alone: bool) -> None:
    assert asks_measure_alone(question) is alone


@pytest.mark.parametrize(
    ("question", "text", "told"),
    [
        ("Who directed it?", "The director and producer Jeff Vass was asked.", True),
        ("Who founded it?", "It was founded in 1961 by the watchmaker Edith Sarn.", True),
        ("Who directed it?", "The film was released in March by its studio.", False),
        ("Who produced it?", "Its vocals are over-produced, she said.", False),
        ("Who acquired it?", "Google acquired the startup for 1,200,000 dollars.", True),
        ("Who acquired it?", "Fitbit was acquired for 1,200,000 dollars.", False),
        ("Who is the founder?", "It was founded by Edith Sarn in 1961.", True),
        ("Who is it for?", "It is for beginners.", None),
        ("谁建造的？", "李春于605年建造。", None),
        ("谁建造的？", "由李春建造。", True),
    ],
)
def test_who_did_it_is_told_by_a_name_close_to_the_deed(question: str, text: str, told: bool | None) -> None:
    assert tells_who(text, frozenset(terms(question)), frozenset({"fitbit"})) is told


def test_who_may_do_something_asks_for_no_doer() -> None:
    assert asks_who("Who wrote it?")
    assert not asks_who("Who can use it?")


def test_a_deed_that_is_only_named_tells_nobody_who_did_it() -> None:
    deed = frozenset(terms("Who directed it?"))
    assert not tells_who("In 2015 Leo Brandt praised the direction.", deed)
    assert not tells_who("The critics liked Eggers's visionary direction.", deed)
    assert tells_who("It was shot under the direction of Amara Quist.", deed)


def test_a_date_of_something_else_fills_no_cell() -> None:
    def told(question: str, text: str) -> list[str]:
        source = Source("0" * 64, "https://corrin.example", "Corrin Playhouse", text)
        passage = source.passage(0, len(text))
        chooser = CellChooser(["Corrin Playhouse"], TextStatistics())
        return [one.words for one in chooser.choose("Corrin Playhouse", question, [(passage, source)])]

    other = "The report released by Corrin Playhouse told of the organ, which had been bought in April 2021."
    assert told("When was it released?", other) == []
    assert (
        told("When was it renovated?", "A poet founded Corrin Playhouse in 1994 and left it in 2003.") == []
    )
    opened = "Corrin Playhouse opened its doors on 9 October 1912 with a comedy."
    bar = "The bar, opened in 1998, is open to everybody."
    assert told("When did it open?", f"{opened} {bar}")[0] == opened
