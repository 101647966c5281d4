"""Which sentences of a report answer its topic: what the embedded model makes the lead of."""

import re
from collections import Counter
from collections.abc import Sequence

from library.passages import word_count
from library.text import HAN
from models import Statistics
from reports.extract.sentence_context import looks_back, points_back

_TELLING = 14
"""Words from which on a sentence tells enough."""
_IS = re.compile(
    r"\b(?:is|was|are|were|occurred|took place|happened|began|refers to|consists of)\b|是|指|位于|发生|始于"
)
_WHAT = re.compile(
    r"\b(?:(?:is|was|are|were) (?:an?|the|one of)|founded|established|born|built|occurred|took place|began|"
    r"refers to)\b|是|指|位于|建于|成立|发生"
)
"""Tells what something is, or how it came to be."""
_NEAR = 70
"""Characters within which a sentence that tells what something is has said so."""
_DATED = re.compile(r"\b\d{1,2} [A-Z][a-z]+ \d{4}\b|\b[A-Z][a-z]+ \d{1,2}, \d{4}\b|\d{4}年")
_CONTRARY = re.compile(
    r"^(?:Despite|Although|Though|While|Unlike|Only|Not|Another|Other)\b|^(?:虽然|尽管|只有|另)"
)
_WORD = re.compile(r"[^\W\d_]{3,}")


def leading(
    pool: Sequence[tuple[int, str]],
    topic: str,
    count: int,
    statistics: Statistics,
    about: Sequence[float] | None = None,
) -> list[int]:
    """Return the places of up to `count` sentences, in the order in which a lead says them.

    The first tells what it is about; the others are near to the topic and to the whole, from different
    sections, in their order. A sentence that another one needs before it stays where it is.

    Args:
        pool: All sentences as (number of the section, words without citations), in reading order.
        topic: What the report is about.
        count: How many.
        statistics: What is known of the text.
        about: For each sentence how much its passages are about the topic, 0 to 1; by default all are.
    """
    texts = [text for _section, text in pool]
    if not texts or count < 1:
        return []
    relevance, alike = statistics.relevance(topic, texts), statistics.similarity(texts)
    central = alike.sum(axis=1) / max(float(alike.sum(axis=1).max()), 1e-9)
    stands = [i for i in range(len(pool)) if not _needed(pool, i) and not points_back(texts[i])]
    alone = [i for i in stands if not looks_back(texts[i])]
    free = alone if len(alone) >= count else stands or list(range(len(pool)))
    worth = {
        i: relevance[i] * min(word_count(texts[i]) / _TELLING, 1.0)
        + 0.5 * float(central[i])
        - 0.3 * looks_back(texts[i])
        - 0.6 * (0.0 if about is None else 1.0 - min(about[i], 1.0))
        - 0.2 * bool(_CONTRARY.match(texts[i]))
        for i in free
    }
    chosen = [max(free, key=lambda i: (worth[i] + _tells_what(texts[i], topic), -i))]
    while len(chosen) < min(count, len(free)):
        used = Counter(pool[i][0] for i in chosen)
        gains = {
            i: worth[i] - 0.6 * max(float(alike[i, j]) for j in chosen) - 0.3 * used[pool[i][0]]
            for i in free
            if i not in chosen
        }
        chosen.append(max(gains, key=lambda i: (gains[i], -i)))
    return [chosen[0], *sorted(chosen[1:])]


def _needed(pool: Sequence[tuple[int, str]], i: int) -> bool:
    """Tell whether the sentence after it means nothing without it."""
    if i + 1 >= len(pool) or pool[i + 1][0] != pool[i][0]:
        return False
    following = pool[i + 1][1]
    return points_back(following) or looks_back(following)


def _tells_what(text: str, topic: str) -> float:
    """Return how much a sentence looks like one that tells what the topic is, and when it was."""
    head = text[:_NEAR]
    if looks_back(text) or (told := _IS.search(head)) is None:
        return 0.0
    before = head[: told.start()].casefold()
    words = {word[:5] for word in _WORD.findall(topic.casefold())}
    named = sum(word in before for word in words) / max(len(words), 1)
    if not named and (cjk := re.findall(f"[{HAN}]{{2}}", topic)):
        named = sum(pair in before for pair in cjk) / len(cjk)
    opens = " ".join(before.split()[:3])
    return (
        0.5 * named
        + 0.2 * any(word in opens for word in words)
        + 0.15 * bool(_DATED.search(text))
        + (0.25 * bool(named and _WHAT.search(head)))
    )
