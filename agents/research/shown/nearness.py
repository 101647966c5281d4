"""Whether what a prompt may show comes near to what is asked: else it shows few texts, and says so."""

from collections.abc import Sequence

from library import Passage
from library.passages import holds_answer
from models import Statistics

FEW = 4
"""Texts that are shown where none comes near, beside what was opened and what is rested on: the nearest."""


def come_near(wordings: Sequence[str], passages: Sequence[Passage], statistics: Statistics) -> bool:
    """Tell whether any of some passages may answer what is asked or looked for, in one of its wordings."""
    asked = dict.fromkeys(" ".join(wording.split()) for wording in wordings if wording.strip())
    return any(holds_answer(wording, passages, statistics) for wording in asked)
