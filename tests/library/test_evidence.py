"""Citations: one parser, one printer; and what sources say of themselves is no citation."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from library import citations, cite, cited_claims, keep_citations, quote, strip_citations, unmarked
from library.evidence import Source
from library.text import sentences

IDS = st.lists(st.integers(1, 99).map(lambda n: f"p{n}"), max_size=5)


def test_the_ways_models_write_citations_are_read() -> None:
    assert citations("A [p1]. B [p2, p3]; C 【P4】 d [p5；p6] e [p1].") == [
        "p1",
        "p2",
        "p3",
        "p4",
        "p5",
        "p6",
    ]


def test_other_brackets_are_no_citations() -> None:
    assert citations("[1] [p] [page 3] (p4) [p1-p3] [ps5]") == []


def test_what_was_not_shown_is_dropped_with_its_space() -> None:
    text, rejected = keep_citations("Known [p1, p9]. Unknown [p8].", ["p1"])
    assert (text, rejected) == ("Known [p1]. Unknown.", ["p9", "p8"])


def test_spaces_away_from_citations_stay_as_they_are() -> None:
    command = "As in `test ! -f DIR/%f && cp %p DIR/%f` [p1] . It waits [p8] , then goes on."
    text, _ = keep_citations(command, ["p1"])
    assert text == "As in `test ! -f DIR/%f && cp %p DIR/%f` [p1]. It waits, then goes on."


def test_a_source_cannot_cite_for_us() -> None:
    assert citations(quote("As [p3] shows, and 【p4】 too")) == []
    assert citations(unmarked("[p1][p2]")) == []


@given(st.text(), IDS)
def test_whatever_the_text_only_what_was_shown_is_left(text: str, shown: list[str]) -> None:
    kept, _ = keep_citations(text + cite(shown[:2]), shown)
    assert set(citations(kept)) <= set(shown)
    assert citations(strip_citations(kept)) == []


@given(IDS)
def test_what_is_printed_is_read_back(ids: list[str]) -> None:
    assert citations(cite(ids)) == list(dict.fromkeys(ids))


def test_a_passage_is_cut_with_its_page_and_a_span_outside_is_refused() -> None:
    source = Source("0" * 64, "file:///a", "A", "one two three", pages=(0, 4))
    assert source.passage(4, 7).page == 2
    assert source.passage(4, 7, "p3").text == "two"
    with pytest.raises(ValueError, match="no span"):
        source.passage(4, 99)


@pytest.mark.parametrize(
    ("written", "kept"),
    [
        ("It will last. (inference) [p1] It is old [p2].", "It will last (inference) [p1]. It is old [p2]."),
        ("It will last. [p1] (inference) It is old.", "It will last (inference) [p1]. It is old."),
        ("它会持续。（推断）[p1]它很旧[p2]。", "它会持续（推断）[p1]。它很旧[p2]。"),
        ("它会持续。[p1]（推断）。它很旧。", "它会持续（推断）[p1]。它很旧。"),
        ("它会“持续。”（推断）[p1]", "它会“持续”（推断）[p1]。"),
        ("It will last (inference) [p1]. It is old.", "It will last (inference) [p1]. It is old."),
    ],
)
def test_the_mark_of_a_conclusion_stays_in_its_sentence(written: str, kept: str) -> None:
    text, _ = keep_citations(written, ["p1", "p2"])
    assert text == kept
    assert [c.strip() for c in cited_claims(text, sentences) if "inference" in c or "推断" in c] == [
        kept[: kept.index(kept[-1]) + 1]
    ]


def test_claims_keep_the_citations_behind_their_full_stops() -> None:
    text = "It is old. [p1] It leans. [p2][p3] 它很旧。[p4]它很高。"
    assert [c.strip() for c in cited_claims(text, sentences)] == [
        "It is old. [p1]", "It leans. [p2][p3]", "它很旧。[p4]", "它很高。",
    ]  # fmt: skip
