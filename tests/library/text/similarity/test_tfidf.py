import sys
import threading

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from library.text.similarity import tfidf as statistics
from library.text.similarity.tfidf import NoFrequencies, TextStatistics

STATISTICS = TextStatistics()
BRIDGE = [
    "Engineer Ada Storm built the Harbour Bridge in 1931.",
    "The Harbour Bridge was painted by Ada Storm's brother.",
    "Critics of Ada Storm called the Harbour Bridge too green.",
]
BEES = [
    "Wild bees nest in clay walls.",
    "Clay walls are warm, so wild bees like them.",
    "Most wild bees live alone.",
]


def test_everyday_words_weigh_little_and_unknown_ones_most():
    assert STATISTICS.weight("year") < STATISTICS.weight("harbour")
    assert STATISTICS.weight("harbour") == STATISTICS.weight("zyzzyva")


def test_weights_follow_the_collection():
    class Counted(NoFrequencies):
        def count(self):
            return 1000

        def document_frequency(self, terms):
            return {term: 900 for term in terms if term == "harbour"}

    statistics = TextStatistics(Counted())
    assert 0 <= statistics.weight("harbour") < 0.5 < statistics.weight("rose")


def test_weights_are_those_asked_for_and_nobody_adds_to_them():
    statistics = TextStatistics()
    weights = statistics.weights(["harbour", "tide", "harbour"])
    statistics.weights(["bees", "clay"])
    assert list(weights) == ["harbour", "tide"]


def test_relevance_and_similarity_agree():
    relevance = STATISTICS.relevance("harbour bridge", BRIDGE + BEES)
    assert min(relevance[:3]) > max(relevance[3:]) == 0
    similarity = STATISTICS.similarity(BRIDGE + BEES)
    assert similarity.shape == (6, 6)
    assert np.allclose(np.diag(similarity), 1)
    assert np.allclose(similarity, similarity.T)
    assert STATISTICS.similarity([]).shape == (0, 0)
    assert STATISTICS.similarity([""]).shape == (1, 1)


def test_feedback_adds_words_as_they_are_written():
    words = STATISTICS.feedback("harbour bridge", BRIDGE, 3)
    assert {"Ada", "Storm"} <= set(words)
    assert "Harbour" not in words


def test_feedback_adds_whole_chinese_words():
    """Of "介质启动", met often, "质启" is no word."""
    texts = [
        "用救援介质启动电脑。然后挂载磁盘映像，检查它。",
        "紧急介质启动以后，磁盘映像可以挂载，引导介质启动失败也不要紧。",
        "安装光盘是一种救援介质。未挂载的硬盘先做磁盘映像。",
        "启动系统要用紧急介质，启动之后写回磁盘映像。",
    ]
    words = STATISTICS.feedback("坏硬盘该怎样复制", texts, 4)
    assert "磁盘映像" in words
    assert not {"质启", "盘映", "像文"} & set(words)
    text = " ".join(texts)
    assert all(text.count(word) > 1 for word in words), "a run of a sentence is no word either"
    assert not any(word != other and word in other for word in words for other in words)


def test_phrases_keep_capitals_and_do_not_overlap():
    phrases = STATISTICS.phrases(BRIDGE, 4)
    assert set(phrases[:2]) == {"Ada Storm", "Harbour Bridge"}
    assert not any("storm" in phrase.lower() for phrase in phrases[2:])


def test_phrases_tell_texts_from_others():
    mixed = STATISTICS.phrases([*BEES, "Ada Storm kept wild bees."], 2, against=BRIDGE)
    assert "Ada Storm" not in mixed
    assert "wild bees" in mixed


def test_phrases_hold_no_numbers_or_addresses_alone():
    phrases = STATISTICS.phrases(
        ["1931 1932. See https://example.com/page and www.example.org now [p1]."] * 3, 5
    )
    assert not any(word in " ".join(phrases) for word in ("1931", "example", "http", "p1"))


def test_chinese_phrases_are_whole_words():
    texts = [
        "人工智能正在改变医疗。深度学习帮助医生。",
        "医院使用深度学习，也使用人工智能。",
        "专家认为，人工智能不会取代医生；深度学习需要数据。",
    ]
    phrases = STATISTICS.phrases(texts, 3)
    assert {"人工智能", "深度学习"} <= set(phrases)
    assert "工智" not in phrases


def test_groups():
    texts = [BEES[0], *BRIDGE, *BEES[1:]]
    assert STATISTICS.groups(texts, 2) in ([0, 1, 1, 1, 0, 0], [1, 0, 0, 0, 1, 1])
    assert STATISTICS.groups([], 3) == []
    assert STATISTICS.groups(["one"], 3) == [0]
    assert STATISTICS.groups(["", "", ""], 2) == STATISTICS.groups(["", "", ""], 2)


@given(st.lists(st.sampled_from([*BRIDGE, *BEES, "", "x"]), max_size=9), st.integers(1, 5))
def test_groups_are_numbered_by_size_and_never_too_many(texts, count):
    labels = STATISTICS.groups(texts, count)
    assert len(labels) == len(texts)
    sizes = [labels.count(number) for number in range(max(labels, default=-1) + 1)]
    assert len(sizes) <= count
    assert sizes == sorted(sizes, reverse=True)
    assert all(sizes)


@pytest.mark.parametrize("texts", [[], [""], ["。。。", "的了"], ["!!!"]])
def test_texts_without_words_have_no_phrases(texts):
    assert STATISTICS.phrases(texts, 3) == []


def test_threads_may_ask_at_the_same_time_while_vectors_are_let_go(monkeypatch):
    monkeypatch.setattr(statistics, "_KEPT", 40)
    shared, alone, failures = TextStatistics(), TextStatistics(), []

    def ask(offset: int) -> None:
        try:
            for n in range(1_500):
                text = f"word{n * 7 % 97} text{(n + offset) % 131}"
                assert shared.vector(text).keys() == set(shared.terms(text))
        except Exception as failure:
            failures.append(failure)

    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-5)
    try:
        threads = [threading.Thread(target=ask, args=(offset,)) for offset in range(3)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    finally:
        sys.setswitchinterval(before)
    assert not failures
    assert shared.vector("word1 text2") == alone.vector("word1 text2")
