"""Lines that name passages which a prompt has no room to show: each can be opened by its id."""

from collections.abc import Collection, Sequence

from agents.token_budget import size_of
from library import Passage
from library.passages import beginning, resting_line, short_title
from models import estimate
from models.prompting import is_wide

TITLE = 90
"""Characters of a source's title: it often tells more than the words that a passage begins with."""
_WORDS = (22, 15, 10)
"""Tokens of the words of a line, as there is room for all that have to be named."""
_SHORTEST, _SHORTEST_WIDE = 52, 26
"""Characters of those words at least, and in a script whose signs are words: less tells nobody what it is."""
_FIRST_WORDS, _FIRST_WORDS_WIDE = 36, 14
"""Characters of the words of what was found, fits less and was not seen yet, and in such a script."""
_RESTED_ON = 1.5
"""How much longer the words are where something rests on the passage."""

Listed = tuple[Sequence[Passage], Sequence[str]]
"""Passages of one text, and what notes and answers say of them."""


def listed_lines(
    due: Sequence[Listed],
    others: Sequence[Listed],
    found: Sequence[Passage],
    room: int,
    asked: Sequence[str] = (),
    *,
    seen: Collection[str] = (),
) -> list[str]:
    """Return a line for each text that is named: id, title, the sentence nearest to what is asked.

    Args:
        due: Each has a line, however little room there is: the lines are shorter then.
        others: Named where there is room, the best first.
        found: Named at the end in few words, those that have no line of their own.
        room: Tokens; 0 lists nothing.
        asked: The question, then what was searched for; with none a text is named by how it begins.
        seen: Ids of which whoever is told has seen the text: their ids alone are named.
    """
    if not room:
        return []
    due = _by_source(due)
    shortest, *longer = [_lines(due, words, asked) for words in reversed(_WORDS)]
    fitting = [lines for lines in longer if _size(lines) <= room]
    lines = fitting[-1] if fitting else shortest
    left = room - _size(lines)
    more = _lines(others, _WORDS[0], asked)
    while more and _size(more) > left:
        more.pop()
    named = {p.id for group, _ in [*due, *others[: len(more)]] for p in group}
    rest = [p for p in found if p.id not in named]
    unseen = [f"{p.id} {_first_words(p)}" for p in rest if p.id not in seen]
    before = [p.id for p in rest if p.id in seen]
    ends = [("also found", "; ".join(unseen)), ("shown before", " ".join(before))]
    return [*lines, *more, *(f"{said}: {told}" for said, told in ends if told)]


def _first_words(passage: Passage) -> str:
    """Return the first words of a passage, as few as tell what it is on."""
    return beginning(passage.text, _FIRST_WORDS_WIDE if is_wide(passage.text) else _FIRST_WORDS)


def _size(lines: Sequence[str]) -> int:
    return sum(size_of(line) + 1 for line in lines)


def _by_source(groups: Sequence[Listed]) -> list[Listed]:
    """Return groups in order, those of one source together: its title is said once."""
    first: dict[str, int] = {}
    for group, _ in groups:
        first.setdefault(group[0].sha256, len(first))
    return sorted(groups, key=lambda each: first[each[0][0].sha256])


def _lines(groups: Sequence[Listed], words: int, asked: Sequence[str]) -> list[str]:
    """Return a line for each group; a title is said once for those of one source that follow each other."""
    lines, before = list[str](), ""
    for group, told in groups:
        head = group[0]
        title = "" if head.sha256 == before else f" {short_title(head.title, TITLE)}:"
        tokens = words * _RESTED_ON if told else words
        least = _SHORTEST_WIDE if is_wide(head.text) else _SHORTEST
        most = max(least, int(len(head.text) * tokens / max(1, estimate(head.text))))
        claims = [*told, *reversed(asked)]
        said = resting_line(head.text, claims, most) if claims else beginning(head.text, most)
        if said.startswith(f"{head.title}: "):  # a heading that is the page's title
            said = said.removeprefix(f"{head.title}: ")
        lines.append(f"{' '.join(p.id for p in group)}{title} {said}")
        before = head.sha256
    return lines
