"""The discussion in a prompt: the last turns in full, the earlier ones in a sentence each, within bounds."""

from collections.abc import Sequence

from agents.token_budget import cut, fit_lines, size_of
from agents.turn import Turn, TurnClaim
from library import cited_claims
from library.passages import beginning, whole_or_around
from models import Statistics

_FULL = 0.7
"""Share of the room that the last turns may take."""
_LEAST = 60
"""Tokens below which the beginning of a turn would tell nothing."""
_NAME = 20
"""Tokens of a speaker's name and the turn's number."""
_LONGEST = 300
"""Characters of an earlier turn's sentence."""


def retold(
    turns: Sequence[Turn],
    most: int,
    question: str,
    statistics: Statistics,
    tokens: int,
    claim: TurnClaim | None = None,
    *,
    closing: bool = False,
) -> str:
    """Print the discussion for a prompt.

    Args:
        turns: All turns, in order.
        most: Turns shown in full at most.
        question: What is asked: of the earlier turns those nearest to it are kept.
        statistics: Weighs nearness.
        tokens: For all of it.
        claim: What is at hand: its turn is told before any other, and the sentence that it stands in stays.
        closing: The topic itself is asked: answers to questions come before exchanges on a claim.
    """
    full: dict[int, str] = {}
    left = int(tokens * (1.0 if closing else _FULL))
    for turn in _by_worth(turns, most, claim, closing=closing):
        if left < _LEAST:
            break
        words = turn.text
        if claim is not None and turn.n == claim.turn:
            words = whole_or_around(words, [claim.text], left - _NAME)
        text = cut(f"{turn.n}. {turn.name}: {words}", left)
        full[turn.n] = text
        left -= size_of(text) + 2
    earlier = digest([turn for turn in turns if turn.n not in full], question, statistics)
    room = tokens - sum(size_of(text) + 2 for text in full.values())
    kept = set(fit_lines(earlier, room))
    told = [line for line in _in_order(turns, statistics) if line in kept]
    return "\n\n".join([*(["\n".join(told)] if told else []), *(full[n] for n in sorted(full))])


def _by_worth(
    turns: Sequence[Turn], most: int, claim: TurnClaim | None, *, closing: bool
) -> list[Turn]:
    """Return the turns that are told in full as long as there is room, those first that matter most."""
    last = list(reversed(turns[len(turns) - most :])) if most else []
    if closing:
        return [*(t for t in reversed(last) if not t.replies_to), *(t for t in last if t.replies_to)]
    at_hand = [turn for turn in turns if most and claim is not None and turn.n == claim.turn]
    return [*at_hand, *(turn for turn in last if turn not in at_hand)]


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
    """Return a turn's first sentence with its citations; more where that is a few words only."""
    told = ""
    for claim in cited_claims(text[: 4 * _LONGEST], statistics.sentences):
        told += claim
        if len(told) > _LONGEST // 10:
            break
    return beginning(told, _LONGEST)
