"""Which phrases read as a name, and which are halves of clauses."""

import pytest

from library.text.phrases.phrase_quality import reads_as_name


@pytest.mark.parametrize(
    "phrase",
    [
        "Rescue Agency", "flight recorders", "rock climbing", "United States",
        "search warrant", "recording of songs", "Iran", "NTSB",
        "Alexander the Great", "Course of events", "The Book of Boba Fett", "family", "地震",
        "training camps", "damage to the roof", "Node.js", "2016 election", "relative imports", "第二条线路",
    ],
)  # fmt: skip
def test_names(phrase: str) -> None:
    assert reads_as_name(phrase)


@pytest.mark.parametrize(
    "phrase",
    [
        "Exited due", "Semantically equivalent", "Passes control", "Fled the scene", "shop the music",
        "Col du", "Framed Fetterman", "causing residents", "Basilica of St", "December 2021", "5 May", "2016",
        "Ft", "Module couldn't", "Raise ImportError", "Timeout occurs", "Favor of finder", "Manner specific",
        "dies", "prior", "Historical", "longer moving forward", "moved rapidly", "",
        "5.2 km", "120 grams", "inspect.classify", "contextlib.AbstractManager", "Python 3.10",
        "coroutine twice", "Inaccessible", "Relative", "acquire behaviors", "第二条",
    ],
)  # fmt: skip
def test_halves_of_clauses(phrase: str) -> None:
    assert not reads_as_name(phrase)
