"""What a text shares with a question says something only beyond what texts share by chance."""

from library import Passage, TextStatistics
from library.passages import beyond_chance, read_on
from models import estimate

DAM = "The dam of Asterby broke because its spillway was blocked with driftwood."
BAND = "The mayor opened a new market hall with a brass band in May."
QUESTION = "Why was the spillway of the dam blocked?"


class Valley:
    """Two thousand passages, of which few tell of a dam."""

    def count(self) -> int:
        return 2_000

    def document_frequency(self, terms):
        known = {"dam": 12, "spillway": 4, "block": 90, "driftwood": 2, "asterbi": 1_500, "mayor": 120}
        return {term: known.get(term, 0) for term in terms}


STATISTICS = TextStatistics(Valley())


def close(question, *texts, **how):
    return beyond_chance(question, texts, STATISTICS, 2_000, **how)


def test_several_rare_words_are_more_than_chance_and_a_common_one_is_not():
    assert close(QUESTION, DAM, BAND, "Roads were blocked by snow.") == [True, False, False]


def test_all_that_is_asked_is_enough_however_common():
    assert close("mayor", BAND, DAM) == [True, False]
    assert close("?", BAND) == [True], "no word that counts: nothing can be told"


def test_the_topics_words_alone_are_not_enough():
    topic = STATISTICS.terms("The dam of Asterby")
    assert close(QUESTION, "The dam of Asterby, the dam.", beside=topic) == [False]
    assert close(QUESTION, DAM, beside=topic) == [True]
    assert close("the dam", DAM, beside=topic) == [True], "where nothing else is asked, they are"


def test_so_little_is_not_enough_beside_much_more():
    alone, beside = "A spillway.", "The spillway of the dam was blocked with driftwood, said the inquiry."
    question = "spillway dam blocked driftwood"
    assert close(question, alone, most=10) == [True]
    assert close(question, alone, beside, most=10) == [False, True]


def test_pairs_of_one_chinese_word_do_not_count_as_words_each():
    class Manual(Valley):
        def document_frequency(self, terms):
            return dict.fromkeys(terms, 30)

    statistics = TextStatistics(Manual())
    asked = "引导加载程序 损坏 修复 内核 参数 日志 网络 磁盘 备份"
    assert beyond_chance(asked, ["加载程序"], statistics, 2_000) == [False]
    assert beyond_chance(asked, ["引导加载程序损坏，修复内核"], statistics, 2_000) == [True]


def passage(start: int, text: str) -> Passage:
    return Passage("a" * 64, start, start + len(text), text, "file:///a.md", "A")


def test_what_is_wanted_is_read_on_in_under_its_own_heading_alone():
    long = "It tells much of how keys are kept, and of who keeps them where and for how long. " * 5
    texts = [f"# One\n\n{long}", long, "# Two\n\nOther.", "# Three\n\nMore.", "Last."]
    whole = [passage(1000 * n, text) for n, text in enumerate(texts)]
    assert read_on(whole, whole[1], wanted={whole[3].key}) == whole[:2], "a search of its own brings the rest"
    assert read_on(whole, whole[1], wanted=()) == whole[:2]
    assert read_on(whole, whole[3], wanted=()) == whole[3:], "it says little by itself, and announces more"
    ends = [*whole[:1], passage(1000, f"{long} The steps:"), *whole[2:]]
    assert read_on(ends, ends[1], wanted=()) == ends


def test_a_page_is_read_on_in_from_its_heading_and_past_the_next():
    texts = ["# One\n\nFirst.", "Second.", "Third.", "Fourth.", "Fifth.", "Sixth.", "# Two\n\nNew.", "Last."]
    whole = [passage(100 * n, text) for n, text in enumerate(texts)]

    def read(n: int, known: slice = slice(0)) -> list[str]:
        return [p.text for p in read_on(whole, whole[n], {p.key for p in whole[known]})]

    assert read(1) == texts[:6], "its whole section"
    assert read(5) == texts, "a section that it announces opens with a heading"
    assert read(6) == texts[6:], "nothing of the section before"
    some = [p.text for p in read_on(whole, whole[3], tokens=estimate("".join(texts[2:6])))]
    assert some == texts[2:6], "of a long section what is nearest, without a gap"
    assert read(1, slice(0, 5)) == [texts[1], *texts[5:]], "read again, it goes on"
    assert read_on(whole, passage(9_999, "Elsewhere.")) == [passage(9_999, "Elsewhere.")]
