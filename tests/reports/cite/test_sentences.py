"""Paragraphs with citations, cut into sentences."""

from hypothesis import given
from hypothesis import strategies as st

from library.evidence import cite
from library.passages.quotes import quote
from library.text.similarity.tfidf import TextStatistics
from reports.cite.cited_sentences import CitedSentence, cited_sentences

split = TextStatistics().sentences


def test_citations_before_and_after_the_stop_belong_to_their_sentence() -> None:
    assert cited_sentences(
        "One stands here [p1]. Two stands there. [p2][p3] Three is bare. Four [p4, p5].", split
    ) == [
        CitedSentence("One stands here.", ("p1",)),
        CitedSentence("Two stands there.", ("p2", "p3")),
        CitedSentence("Three is bare.", ()),
        CitedSentence("Four.", ("p4", "p5")),
    ]


def test_a_quotation_is_never_cut() -> None:
    text = "“He came. He saw? He went!” [p1] “So it ended.” [p2]"
    assert cited_sentences(text, split) == [
        CitedSentence("“He came. He saw? He went!”", ("p1",)),
        CitedSentence("“So it ended.”", ("p2",)),
    ]


def test_chinese_sentences_are_cut_without_spaces() -> None:
    assert cited_sentences("灯塔很高。[p1]候鸟很多[p2]。人很少。", split) == [
        CitedSentence("灯塔很高。", ("p1",)),
        CitedSentence("候鸟很多。", ("p2",)),
        CitedSentence("人很少。", ()),
    ]


WORDS = st.text("abcdef ,;'“”\".!?1p[]", min_size=3, max_size=40).filter(
    lambda text: any(c.isalpha() for c in text)
)


@given(
    st.lists(st.tuples(WORDS, st.lists(st.integers(1, 99), min_size=1, max_size=3, unique=True)), max_size=6)
)
def test_quotations_printed_with_their_citations_are_read_back(found: list[tuple[str, list[int]]]) -> None:
    pairs = [(quote(words), tuple(f"p{n}" for n in ids)) for words, ids in found]
    pairs = [(text, ids) for text, ids in pairs if "[p" not in text]
    text = " ".join(f"{words} {cite(ids)}" for words, ids in pairs)
    read = cited_sentences(text, split)
    assert [c.citations for c in read] == [ids for _words, ids in pairs]
    # Printing citations takes white space before a stop away, in a quotation too: its words stay.
    assert [c.text.replace(" ", "") for c in read] == [words.replace(" ", "") for words, _ids in pairs]


def test_a_quotation_behind_a_sentence_is_one_of_its_own() -> None:
    found = cited_sentences("The tower is high [p1]. “Ships sank. Many.” [p2] It is old [p3].", split)
    assert [(c.text, c.citations) for c in found] == [
        ("The tower is high.", ("p1",)), ("“Ships sank. Many.”", ("p2",)), ("It is old.", ("p3",)),
    ]  # fmt: skip
