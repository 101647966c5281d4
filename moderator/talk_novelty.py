"""Watching the talk: how much is new, and whether it has run dry. Pure functions of what was said."""

from collections.abc import Sequence


def dry_answers(admitted: Sequence[int]) -> int:
    """Return how many of the last answers in a row brought nothing, from the number each one brought."""
    return next((n for n, count in enumerate(reversed(admitted)) if count), len(admitted))


def novelty(admitted: Sequence[int], shown: Sequence[int], last: int = 3) -> float:
    """Return the share (0 to 1) of new passages among those shown in the last answers.

    1.0 before the first.
    """
    new, seen = sum(admitted[-last:]), sum(shown[-last:])
    return new / seen if seen else float(not admitted)
