"""What a prompt may hold: each section has its share of the tokens, whatever there is to show.

Counted by an estimate that errs high, so that no tokenizer is needed. What does not fit is left out whole: a
line, a passage, a page; only a single thing that is too long on its own is cut.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import accumulate
from math import ceil

from agents.tasks import show_passages
from library import Passage
from models import estimate
from models.prompting import cut as shortened
from models.prompting import escape, is_wide

_IDS = re.compile(r"\bp\d+\b")
FRAME = 2_400
"""Tokens of the prompt's own words, the schema of a reply or its tools, and the tags around the sections."""
_LEAST = 400
_WIDE = 1.5
"""How much more room is given to a script whose signs are tokens by themselves."""


@dataclass(frozen=True, slots=True)
class Room:
    """Tokens for each section of a prompt."""

    passages: int
    listed: int
    """For a line of each passage that is not shown."""
    discussion: int
    memory: int
    rounds: int
    map: int
    pages: int
    notices: int
    question: int
    """For the topic, the question, who speaks, and the places: each has a quarter."""


def room_in(context: int) -> Room:
    """Share out a prompt's tokens; the shares and the prompt's own words stay under the whole."""
    left = max(_LEAST, context - FRAME)
    return Room(
        passages=int(left * 0.42),
        listed=int(left * 0.04),
        discussion=int(left * 0.16),
        memory=int(left * 0.08),
        rounds=int(left * 0.08),
        map=int(left * 0.06),
        pages=int(left * 0.05),
        notices=int(left * 0.04),
        question=int(left * 0.07),
    )


def room_for(tokens: int, text: str) -> int:
    """Return the room of what is told in the script of a text: signs of some are tokens by themselves.

    A sign of Chinese says as much as a few letters, and is counted as more than a token.
    """
    return int(tokens * _WIDE) if is_wide(text) else tokens


def size_of(text: str) -> int:
    """Return the tokens of a text as it stands in a prompt, where some of its signs are written longer."""
    return estimate(escape(text))


def cut(text: str, tokens: int) -> str:
    """Return the text, cut at its end when it has more tokens."""
    return text if size_of(text) <= tokens else shortened(text, tokens, size_of)


def fit_lines(lines: Sequence[str], tokens: int, *, newest: bool = False) -> list[str]:
    """Return as many lines as fit, in their order: the first ones, or with `newest` the last ones.

    A line may take a third of the room at most, so that one does not push out all others.
    """
    kept: list[str] = []
    left = tokens
    longest = ceil(tokens / 3)
    for line in reversed(lines) if newest else lines:
        shown = cut(line, longest)
        size = size_of(shown) + 1
        if size > left:
            break
        kept.append(shown)
        left -= size
    return kept[::-1] if newest else kept


def fit_listed(listed: Sequence[str], others: Iterable[str], context: int) -> tuple[str, ...]:
    """Return as many of the lines of a section, the first ones, as a prompt has room for; of others the ids.

    What stands in a prompt may be cited: it must not be less because a line has no room.

    Args:
        listed: Lines of a section that may take what the others leave of their shares.
        others: The texts of all the other sections, with their tags.
        context: Tokens of the whole prompt.
    """
    left = context - FRAME - sum(estimate(text) for text in others)
    sizes = list(accumulate((size_of(line) + 1 for line in listed), initial=0))
    if sizes[-1] <= left:
        return tuple(listed)
    for count in range(len(listed) - 1, -1, -1):
        ids = [i for line in listed[count:] for i in _IDS.findall(line)]
        rest = [f"also: {' '.join(ids)}"] if ids else []
        if sizes[count] + sum(map(size_of, rest)) <= left:
            return (*listed[:count], *rest)
    return tuple(line for line, size in zip(listed, sizes[1:], strict=True) if size <= left)


def fit_passages(
    passages: Sequence[Passage],
    tokens: int,
    most: int,
    first: Sequence[str] = (),
    worth: Sequence[float] = (),
) -> tuple[Passage, ...]:
    """Return the passages that fit, in their order.

    Args:
        passages: In the order in which they were admitted.
        tokens: For all, with their tags.
        most: Passages at most.
        first: Ids of those that go before all others, for instance because a note rests on them.
        worth: How well each fits what is asked: of the others the best win, among equals the newest.
    """
    wanted, worth = set(first), worth or [0.0] * len(passages)
    ranked = sorted(
        range(len(passages)), key=lambda n: (passages[n].id not in wanted, -round(worth[n], 6), -n)
    )
    order = [passages[n] for n in ranked]
    chosen: set[str] = set()
    left = tokens
    for passage in order:
        if len(chosen) == most:
            break
        size = estimate(show_passages([passage])) + 1
        if size <= left:
            chosen.add(passage.id)
            left -= size
    return tuple(p for p in passages if p.id in chosen)
