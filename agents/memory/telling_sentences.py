"""The sentences of an answer that cannot be said otherwise: what is typed, figures, and what they cite."""

import re
from collections import Counter
from collections.abc import Iterable, Sequence

from library import citations, cited_claims, strip_citations
from library.text import sentences

_WORD = re.compile(r"`[^`]{1,120}`|[^\s,;()`]+")
_TYPED = re.compile(r"`|--?[A-Za-z]|.*[/=_0-9]", re.DOTALL)
"""What code, options, settings, paths and figures begin with."""
_MOST = 2
"""Sentences of one answer that are its most telling."""


def telling(answer: str) -> list[str]:
    """Return the sentences of an answer to be told in any case, what matters most first.

    That which holds most of what is typed and of figures, the first sentence, then more of the former kind:
    each of those holds two such things at least. Nothing where no sentence does.
    """
    said = [claim.strip() for claim in cited_claims(answer, sentences)]
    held = [len(_typed(strip_citations(c))) if citations(c) else 0 for c in said]
    order = sorted(range(len(said)), key=lambda n: (-held[n], n))
    best = [said[n] for n in order[:_MOST] if held[n] > 1]
    return list(dict.fromkeys([*best[:1], said[0], *best[1:]])) if best else []


def _typed(text: str) -> set[str]:
    return {word for word in _WORD.findall(text) if _TYPED.match(word)}


def most_told(answers: Sequence[str], notes: Iterable[Sequence[str]]) -> list[str]:
    """Return the ids of what answers and notes rest on: what most of them do first.

    Of what as many rest on, that comes first which an answer's most telling sentences cite: it cannot be said
    from memory.

    Args:
        answers: With citations.
        notes: The ids that each note names.
    """
    count: Counter[str] = Counter()
    place: dict[str, int] = {}
    for answer in answers:
        ids = list(dict.fromkeys(i for part in (*telling(answer), answer) for i in citations(part)))
        count.update(dict.fromkeys(ids, 2))
        for n, i in enumerate(ids):
            place[i] = min(n, place.get(i, n))
    count.update({i for ids in notes for i in ids})
    return sorted(count, key=lambda i: (-count[i], place.get(i, len(place))))
