"""Watching the talk: how much is new, and whether it has run dry. Pure functions of what was said."""

from collections.abc import Sequence

NOVELTY_ANSWERS = 3
"""Answers over which it is measured how much is new."""


def dry_answers(brought: Sequence[int]) -> int:
    """Return how many of the last answers in a row brought nothing, from the number each one brought."""
    return next((n for n, count in enumerate(reversed(brought)) if count), len(brought))


def first_cited(citations: Sequence[Sequence[str]]) -> list[int]:
    """Return how many passages each answer cites that none before it cites."""
    seen, counts = set[str](), []
    for cited in citations:
        counts.append(len(set(cited) - seen))
        seen.update(cited)
    return counts


def novelty(admitted: Sequence[int], shown: Sequence[int], last: int = NOVELTY_ANSWERS) -> float:
    """Return the share (0 to 1) of new passages among those shown in the last answers.

    1.0 before the first.
    """
    new, seen = sum(admitted[-last:]), sum(shown[-last:])
    return new / seen if seen else float(not admitted)
