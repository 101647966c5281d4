"""The discussion in a prompt: the last turns in full, the earlier ones in a sentence each, within bounds."""

from collections.abc import Sequence

from agents.token_budget import cut, fit_lines, size_of
from agents.turn import Turn
from models import Statistics

_FULL = 0.7
"""Share of the room that the last turns may take."""
_LEAST = 60
"""Tokens below which the beginning of a turn would tell nothing."""
_LONGEST = 300
"""Characters of an earlier turn's sentence."""


def retold(
    turns: Sequence[Turn],
    most: int,
    question: str,
    statistics: Statistics,
    tokens: int,
    claimed: int | None = None,
) -> str:
    """Print the discussion for a prompt.

    Args:
        turns: All turns, in order.
        most: Turns shown in full at most.
        question: What is asked: of the earlier turns those nearest to it are kept.
        statistics: Weighs nearness.
        tokens: For all of it.
        claimed: Number of the turn whose claim is at hand: it is told before any other.
    """
    last = list(turns[len(turns) - most :]) if most else []
    if most and (at_hand := [turn for turn in turns if turn.n == claimed]):
        last = [*(turn for turn in last if turn.n != claimed), *at_hand]
    full: dict[int, str] = {}
    left = int(tokens * _FULL)
    for turn in reversed(last):
        if left < _LEAST:
            break
        text = cut(f"{turn.n}. {turn.name}: {turn.text}", left)
        full[turn.n] = text
        left -= size_of(text) + 2
    earlier = digest([turn for turn in turns if turn.n not in full], question, statistics)
    room = tokens - sum(size_of(text) + 2 for text in full.values())
    kept = set(fit_lines(earlier, room))
    told = [line for line in _in_order(turns, statistics) if line in kept]
    return "\n\n".join([*(["\n".join(told)] if told else []), *(full[n] for n in sorted(full))])


def digest(turns: Sequence[Turn], question: str, statistics: Statistics) -> list[str]:
    """Return a line for each turn, the one nearest to the question first."""
    lines = _in_order(turns, statistics)
    if not lines:
        return []
    near = statistics.relevance(question, lines)
    return [lines[n] for n in sorted(range(len(lines)), key=lambda n: (-round(near[n], 6), -n))]


def _in_order(turns: Sequence[Turn], statistics: Statistics) -> list[str]:
    return list(dict.fromkeys(f"{turn.n}. {turn.name}: {_first(turn.text, statistics)}" for turn in turns))


def _first(text: str, statistics: Statistics) -> str:
    """Return a turn's first sentence with the citation behind it."""
    spans = statistics.sentences(text[: 4 * _LONGEST])
    end = next((stop for _, stop in spans if stop > _LONGEST // 10), len(text))
    following = text[end : end + 40]
    mark = following[: following.find("]") + 1] if following.lstrip().startswith("[p") else ""
    return " ".join((text[:end][:_LONGEST] + mark).split())
