"""The table of word vectors: what it says of words, and what it says when it knows none."""

import numpy as np

from library.text.similarity.pretrained_vectors import WordVectors, word_vectors


def cosine(one: str, other: str) -> float:
    table = word_vectors()
    return float(table.word(one) @ table.word(other))


def test_words_of_one_subject_are_nearer_than_words_of_two():
    assert cosine("bomb", "explosion") > 0.6
    assert cosine("bomb", "explosion") > cosine("bomb", "music") + 0.3
    assert cosine("earthquake", "tsunami") > cosine("earthquake", "violin") + 0.3


def test_a_vector_has_length_one_and_unknown_words_have_none():
    table = word_vectors()
    assert np.isclose(np.linalg.norm(table.word("river")), 1)
    assert table.word("qqqzzz") is None
    assert not table.text(["qqqzzz", "洪水"]).any()
    assert np.isclose(np.linalg.norm(table.text(["the", "river", "qqqzzz"])), 1)


def test_rare_words_weigh_more_than_frequent_ones():
    between = [f"word{number}" for number in range(5000)]
    matrix = np.array([[1, 0], *[[0, 0]] * 5000, [0, 1]], dtype=np.float32)
    frequent, rare = WordVectors(["the", *between, "river"], matrix).text(["the", "river"])
    assert rare > 10 * frequent


def test_beginnings_give_their_most_frequent_words_first():
    assert word_vectors().starting("condemn", 2) == ["condemned", "condemn"]
    assert word_vectors().starting("qqq", 2) == []


def test_the_table_is_as_its_readme_says():
    assert len(word_vectors()) == 30_000
    assert word_vectors().dimensions == 64
