"""The sentences of an answer that cannot be said otherwise: what is typed, figures, and what they cite."""

import re
from collections import Counter
from collections.abc import Iterable, Sequence

from library import citations, cited_claims, claimed, is_inference, strip_citations
from library.text import sentences
from models import Statistics

_WORD = re.compile(r"`[^`]{1,120}`|[^\s,;()`]+")
_TYPED = re.compile(r"`|--?[A-Za-z]|.*[/=_0-9]", re.DOTALL)
"""What code, options, settings, paths and figures begin with."""
_COMMAND = re.compile(r"`[^`\s]+ [^`]+`")
"""Code of several words."""
_A_COMMAND = 4
"""Typed words that a command counts as."""
_CODE = re.compile(r"`[^`]+`")
_MOST = 2
"""Sentences of one answer that are its most telling."""
_NEAR, _AS_NEAR, _MOST_NEAR = 0.15, 0.6, 4
"""Likeness (0 to 1) to a question of a claim that bears on it, alone and as a share of the nearest one's; how
many ids at most."""


def telling(answer: str) -> list[str]:
    """Return the sentences of an answer to be told in any case, what matters most first.

    That which holds most of what is typed and of figures, the first that carries something, then more of the
    former: each of those holds two such things at least. Nothing where no sentence does.
    """
    said = [claim.strip() for claim in cited_claims(answer, sentences)]
    held = [_told_exactly(strip_citations(c)) if citations(c) else 0 for c in said]
    order = sorted(range(len(said)), key=lambda n: (-held[n], n))
    best = [said[n] for n in order[:_MOST] if held[n] > 1]
    first = next((claim for claim in said if carries(claim)), said[0]) if said else ""
    return list(dict.fromkeys([*best[:1], first, *best[1:]])) if best else []


def carries(claim: str) -> bool:
    """Tell whether a sentence says something by itself: it cites a passage, or is marked as a conclusion.

    `I support the check and add three things.` says nothing without what follows.
    """
    return bool(citations(claim)) or is_inference(claim)


def _told_exactly(text: str) -> int:
    """Return how much of a sentence must be told to the letter: a whole command counts as several words."""
    return len(_typed(text)) + _A_COMMAND * len(_COMMAND.findall(text))


def _typed(text: str) -> set[str]:
    return {word for word in _WORD.findall(text) if _TYPED.match(word)}


def most_told(answers: Sequence[str], notes: Iterable[Sequence[str]]) -> list[str]:
    """Return the ids of what answers and notes rest on: what most of them do first.

    Of what as many rest on, that comes first which an answer cites for what is typed, commands and settings,
    then what its most telling sentences cite: neither can be said from memory.

    Args:
        answers: With citations.
        notes: The ids that each note names.
    """
    count: Counter[str] = Counter()
    place: dict[str, int] = {}
    typed = {
        i
        for answer in answers
        for claim in cited_claims(answer, sentences)
        if _CODE.search(claim)
        for i in citations(claim)
    }
    for answer in answers:
        ids = list(dict.fromkeys(i for part in (*telling(answer), answer) for i in citations(part)))
        count.update(dict.fromkeys(ids, 2))
        for n, i in enumerate(ids):
            place[i] = min(n, place.get(i, n))
    count.update({i for ids in notes for i in ids})
    return sorted(count, key=lambda i: (-count[i], i not in typed, place.get(i, len(place))))


def near_claims(question: str, claims: Sequence[str], statistics: Statistics) -> list[str]:
    """Return the ids that the claims nearest to a question cite, whichever question they answered."""
    told = [claim for claim in claims if citations(claim)]
    worth = statistics.relevance(question, [claimed(claim) for claim in told])
    least = max(_NEAR, _AS_NEAR * max(worth, default=0.0))
    order = sorted(range(len(told)), key=lambda n: (-round(worth[n], 6), n))
    near = [i for n in order if worth[n] >= least for i in citations(told[n])]
    return list(dict.fromkeys(near))[:_MOST_NEAR]
