"""Quotations in an order that reads well."""

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from library.passages.quote_filter import leans, usable
from library.text.similarity.tfidf import TextStatistics
from reports.extract.arrange import QuotePosition, paragraphs
from reports.extract.quotations import Quote, key, quotes

statistics = TextStatistics()
PLACES = {f"p{n}": QuotePosition(f"s{n % 4}", 100 - n) for n in range(1, 9)}


def quotation(text: str, passage: str, order: int) -> Quote:
    return Quote(text, key(text), (passage,), False, leans(text), (passage, 0), order)


@given(
    st.lists(
        st.tuples(st.integers(1, 5), st.sampled_from(["It", "The tower", "In 1999 it", "Birds"])), max_size=14
    )
)
def test_every_quotation_stands_once_in_paragraphs_of_one_source(found: list[tuple[int, str]]) -> None:
    chosen = [quotation(f"{start} fell {n} times.", f"p{p}", n) for n, (p, start) in enumerate(found)]
    cut = paragraphs(chosen, "towers", PLACES, statistics)
    assert sorted(q.order for p in cut for q in p) == list(range(len(chosen)))
    assert all(p and len({PLACES[q.passages[0]].source for q in p}) == 1 for p in cut)


def test_old_comes_before_new() -> None:
    chosen = [
        quotation("In 2010 the lamp changed again.", "p1", 0),
        quotation("The tower was built in 1871.", "p2", 1),
        quotation("In 1994 the keepers left.", "p3", 2),
    ]
    told = paragraphs(chosen, "history", PLACES, statistics)
    assert [q.order for p in told for q in p] == [1, 2, 0]


def test_sentences_of_a_source_follow_each_other_as_they_do_there() -> None:
    chosen = [quotation(f"The keeper number {n} left.", f"p{p}", n) for n, p in enumerate((5, 2, 1, 5))]
    told = [
        q.passages[0] for paragraph in paragraphs(chosen, "keepers", PLACES, statistics) for q in paragraph
    ]
    assert told in (["p5", "p5", "p1", "p2"], ["p2", "p5", "p5", "p1"])


def test_a_section_does_not_open_with_a_word_that_points_back() -> None:
    chosen = [quotation("It shone far.", "p1", 0), quotation("The lamp was lit.", "p2", 1)]
    assert paragraphs(chosen, "It shone far", PLACES, statistics)[0][0].order == 1


def test_a_paragraph_ends_where_something_is_left_out_but_not_before_what_points_back() -> None:
    texts = ["The lamp was lit.", "Oil fed it.", "It smoked.", "Keepers slept."]
    chosen = [quotation(text, "p1", n) for n, text in enumerate(texts)]
    chosen[1] = replace(chosen[1], after=chosen[0].key)
    cut = paragraphs(chosen, "lamps", PLACES, statistics)
    assert [[q.order for q in p] for p in cut] == [[0, 1, 2], [3]]


def test_fragments_are_no_quotations() -> None:
    good = "The tower was built of granite in four summers."
    assert usable(good)
    for bad in (
        "was built of granite in four summers.",
        "The tower was built of granite in",
        "Was the tower built of granite then?",
        "Too short to stand.",
        "See also the section on towers and their keepers.",
        "Read more about the tower and its many keepers here.",
        "HOME NEWS SPORT WEATHER SHOP TRAVEL MORE.",
        'The tower said: "We stand here in the sea.',
        "See https://tower.example for more about the tower and its keepers.",
        "The tow\u202eer was built of granite in four summers.",
        f"{'The tower ' * 40}stood.",
    ):
        assert not usable(bad), bad


def test_marks_of_plain_text_markup_are_not_quoted() -> None:
    text = "The *keeper* of the ``lamp_room`` turns a*b*c times in **every** night."
    (found,) = quotes([("p1", text)], statistics)
    assert found.text == "The keeper of the lamp_room turns a*b*c times in every night."
    assert found.key == key(text)


def test_a_sentence_inside_a_longer_one_is_left_out() -> None:
    long = "As everybody knows, the tower was built of granite in four summers."
    found = quotes([("p1", "The tower was built of granite in four summers."), ("p2", long)], statistics)
    assert [q.text for q in found] == [long]
