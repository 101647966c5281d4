"""The claim that a person speaks of, where the words say whose it is: it is answered for, or taken back."""

import re
from collections.abc import Sequence

from agents import Perspective, Turn, TurnClaim, claims_made
from library import claimed
from models import Statistics

_MEANT = 0.2
"""Likeness (0 to 1) of a person's words to a claim from which on they may mean it."""
_NUMBER = re.compile(r"(?<![A-Za-z0-9_.,])\d{1,4}(?![A-Za-z0-9_]|[.,]\d)")


def claim_named(
    words: str, turns: Sequence[Turn], panel: Sequence[Perspective], statistics: Statistics
) -> TurnClaim | None:
    """Return what an expert at the table claimed that a person speaks of; None where the words name none.

    Words name a claim where the number of its turn or the name of its speaker stands in them, and they are
    like it. Of several the most like counts, of equals the last.

    Args:
        words: What the person says.
        turns: All that were taken.
        panel: Who sits at the table.
        statistics: Compares texts.
    """
    seated = {perspective.slug for perspective in panel}
    numbers = {int(found[0]) for found in _NUMBER.finditer(words)}
    said = [
        claim
        for turn in turns
        if turn.role == "expert" and turn.speaker in seated
        if turn.n in numbers or turn.name.casefold() in words.casefold()
        for claim in claims_made(turn)
    ]
    near = statistics.relevance(words, [claimed(claim.text) for claim in said]) if said else []
    best = max(range(len(said)), key=lambda n: (round(near[n], 6), n), default=None)
    return said[best] if best is not None and near[best] >= _MEANT else None
