import math
import random

import numpy as np
import pytest

from library.text.similarity.vectors import SparseVectors

TEXTS = {
    "a": ["storm", "flood", "rain", "flood"],
    "b": ["storm", "wind", "coast"],
    "c": ["opera", "singer", "stage"],
    "d": [],
    "e": ["storm", "opera"],
}


@pytest.fixture
def vectors():
    made = SparseVectors()
    for key, terms in TEXTS.items():
        made.add(key, terms)
    return made


def test_counting(vectors):
    assert len(vectors) == 5
    assert "d" in vectors
    assert "z" not in vectors
    assert (vectors.frequency("storm"), vectors.frequency("nothing")) == (3, 0)
    assert vectors.weight("nothing") > vectors.weight("flood") > vectors.weight("storm") > 0


def test_a_key_is_added_once(vectors):
    vectors.add("a", ["other"])
    assert (len(vectors), vectors.frequency("other")) == (5, 0)


def test_rows_have_length_one_and_tf_idf_cosines(vectors):
    dense = vectors.rows(list(TEXTS)).dense()
    assert np.linalg.norm(dense, axis=1) == pytest.approx([1, 1, 1, 0, 1])
    cosines = dense @ dense.T
    flood, rain = (1 + math.log(2)) * vectors.weight("flood"), vectors.weight("rain")
    storm, wind, coast = (vectors.weight(term) for term in ("storm", "wind", "coast"))
    wanted = storm * storm / (math.hypot(flood, rain, storm) * math.hypot(storm, wind, coast))
    assert cosines[0, 1] == pytest.approx(wanted)
    assert cosines[0, 2] == 0


def test_an_unknown_key_is_an_error(vectors):
    with pytest.raises(KeyError):
        vectors.rows(["z"])


def test_the_nearest_come_first(vectors):
    found = vectors.near(["flood", "rain"], 5)
    assert [key for key, _ in found] == ["a"]
    assert [key for key, _ in vectors.near(["opera"], 5)] == ["e", "c"]
    assert vectors.near(["opera"], 1) == vectors.near(["opera"], 5)[:1]
    assert vectors.near([], 5) == vectors.near(["nothing"], 5) == []
    assert all(0 < cosine <= 1 for _, cosine in vectors.near(TEXTS["a"], 5))


def test_near_agrees_with_rows_when_nothing_is_left_out():
    chance = random.Random(3)
    texts = {n: [f"w{int(chance.expovariate(0.1))}" for _ in range(12)] for n in range(40)}
    vectors = SparseVectors()
    for key, terms in texts.items():
        vectors.add(key, terms)
    dense = vectors.rows(list(texts)).dense()
    exact = dense @ dense[7]
    found = dict(vectors.near(texts[7], 40))
    assert max(found, key=found.get) == 7
    # Lengths are measured when a text comes, so they lag a little behind today's weights.
    assert all(found[key] == pytest.approx(exact[key], abs=0.08) for key in found)


def test_the_work_for_a_search_is_bounded():
    vectors = SparseVectors()
    for number in range(500):
        vectors.add(number, ["common", f"own{number}"])
    found = vectors.near(["common", "own7"], 10, budget=100)
    assert [key for key, _ in found] == [7]


def test_built_again_it_answers_the_same():
    chance = random.Random(5)
    texts = [[f"w{int(chance.expovariate(0.05))}" for _ in range(20)] for _ in range(60)]
    lived, again = SparseVectors(), SparseVectors()
    for number, terms in enumerate(texts):
        lived.add(number, terms)
        lived.near(terms, 3)
        lived.rows([number])
    for number, terms in enumerate(texts):
        again.add(number, terms)
    assert all(lived.near(terms, 10) == again.near(terms, 10) for terms in texts)
