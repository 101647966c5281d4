import numpy as np
import pytest

from library.text.similarity.sentence_model import (
    DIRECTIONS,
    ONE_BLAS_THREAD,
    SentenceVectors,
    _blas,
    sentence_vectors,
)


def test_texts_that_say_the_same_in_other_words_are_near():
    question = "How do I keep a package from being upgraded?"
    same, other, far = sentence_vectors().likeness(
        question,
        [
            "A package that is put on hold stays at the version that is installed.",
            "The package was published under a free licence by its author.",
            "Bake the bread for an hour, and let it cool.",
        ],
    )
    assert same > other > far


def test_directions_are_those_of_the_published_model():
    """Cosines worked out once with the published weights in full precision."""
    likeness = sentence_vectors().likeness(
        "How do I back up my data?",
        ["Copy your files to a safe place regularly.", "The cat sat on the mat."],
    )
    assert likeness == pytest.approx([0.348, 0.075], abs=0.01)


def test_a_vector_has_length_one_and_depends_on_its_text_alone():
    vectors = sentence_vectors()
    alone = vectors.of(["The valve is open."])
    among = SentenceVectors(vectors._model).of(["Something else.", "The valve is open.", ""])
    assert alone.shape == (1, DIRECTIONS)
    assert np.allclose(np.linalg.norm(among, axis=1), 1, atol=1e-5)
    assert np.array_equal(alone[0], among[1])


@pytest.mark.parametrize("text", ["", "   ", "数据库恢复", "a" * 5000, "\x00\u202e", "(" * 5000, "é" * 300])
def test_any_text_has_a_vector(text):
    assert np.isfinite(sentence_vectors().of([text])).all()


def test_of_a_long_text_the_beginning_counts():
    start = "The pump is started with the green switch. " * 30
    vectors = sentence_vectors().of([start, start + "Bananas are yellow. " * 400])
    assert np.array_equal(vectors[0], vectors[1])


def test_nothing_is_asked_for_nothing():
    assert sentence_vectors().of([]).shape == (0, DIRECTIONS)
    assert sentence_vectors().likeness("bridge", []) == []


def test_accents_signs_and_capitals_are_read_as_the_model_was_taught_them():
    vectors = sentence_vectors().of(["Café “crème”, please!", "cafe “creme” , please !"])
    assert np.array_equal(vectors[0], vectors[1])


def test_blas_is_bounded_while_anybody_is_at_work_and_free_afterwards():
    def threads() -> set[int]:
        return {each.num_threads for each in _blas().select(user_api="blas").lib_controllers}

    with _blas().limit(limits=2, user_api="blas"):
        ONE_BLAS_THREAD.__enter__()
        ONE_BLAS_THREAD.__enter__()
        ONE_BLAS_THREAD.__exit__()
        assert threads() == {1}
        ONE_BLAS_THREAD.__exit__()
        assert threads() == {2}


def test_texts_worked_out_together_are_as_each_alone():
    texts = [f"The valve {'is open or closed ' * n}in room {n}." for n in range(1, 40)]
    alone = [SentenceVectors(sentence_vectors()._model).of([text])[0] for text in texts]
    assert np.array_equal(SentenceVectors(sentence_vectors()._model).of(texts), np.array(alone))
