"""Words of a passage that a verdict rests on: the sentences that say most of a claim, and their heading."""

from collections.abc import Iterator
from itertools import pairwise

from library import Passage, Source
from library.passages import Form, blocks, headings_above
from library.text import sentences, terms
from models import Statistics
from reports.audit.claim_evidence import weights_of

_MOST = 3
"""Sentences that are quoted of one passage."""
_WORTH = 0.15
"""Share of a claim's words, by weight, that a sentence must add to be quoted beside others."""
_GAP = " … "


def text_parts(text: str) -> Iterator[tuple[Form, int, int]]:
    """Yield the sentences, points, rows and headings of a text, each with its form and where it stands."""
    for block in blocks(text):
        if block.form == "code":
            continue
        body = text[block.start : block.end]
        parts = sentences(body) if block.form in ("prose", "point", "step") else [(0, len(body))]
        for start, end in parts:
            yield block.form, block.start + start, block.start + end


def quoted_words(
    claim: str, passage: Passage, source: Source, statistics: Statistics, known: str = ""
) -> tuple[str, str]:
    """Return the sentences of a passage that say most of a claim, in their order, and what they stand under.

    Args:
        claim: What is looked for.
        passage: Where it is looked for.
        source: Its source.
        statistics: Weighs words.
        known: A sentence that is quoted whatever the others say; empty: there is none.

    Returns:
        The sentences in one line, `…` where something between them is left out; and the innermost heading
        above the first, empty where there is none.
    """
    text = passage.text
    parts = [(a, b, frozenset(terms(text[a:b]))) for form, a, b in text_parts(text) if form != "heading"]
    left = weights_of(claim, statistics)
    whole = sum(left.values()) or 1.0
    chosen = {n for n, (a, b, _) in enumerate(parts) if known and " ".join(text[a:b].split()) == known}
    for n in chosen:
        left = {term: weight for term, weight in left.items() if term not in parts[n][2]}
    while parts and len(chosen) < _MOST:
        gains = [sum(left.get(term, 0.0) for term in held) for _, _, held in parts]
        best = max(range(len(parts)), key=lambda n: (round(gains[n], 9), -n))
        if gains[best] < _WORTH * whole and chosen:
            break
        chosen.add(best)
        left = {term: weight for term, weight in left.items() if term not in parts[best][2]}
    if not chosen:
        return " ".join(text.split()), ""
    order = sorted(chosen)
    told = [" ".join(text[parts[n][0] : parts[n][1]].split()) for n in order]
    joints = [" " if after == before + 1 else _GAP for before, after in pairwise(order)]
    words = "".join(part for pair in zip(told, [*joints, ""], strict=True) for part in pair)
    above = headings_above(source.text, passage.start + parts[order[0]][0])
    return words, above[-1] if above else ""
