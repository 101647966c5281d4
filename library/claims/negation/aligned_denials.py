"""Denials by what stands beside them: sentences of the passages that hold most of a sentence's words."""

from collections.abc import Iterator, Sequence

from library.claims.negation.parsed_sentence import (
    REACH,
    SLACK,
    TURNS,
    ParsedSentence,
    denied_scope,
    denies_before,
    parsed,
    shown,
    turns,
)
from library.text.sentences import sentences

ALIGNED = 0.6
"""Share (0 to 1) of a sentence's words that a passage's sentence must hold to be set beside it."""
ALIGNED_DENIED = 0.8
"""The same where the passage denies and the sentence does not: it may rest on the other half."""
_NEARLY_BEST = 0.15
"""How much less than the best another sentence may hold."""
_GOVERNED = 10
"""Words that may stand between where a word denies a whole list, `avoid`; no further than its clause."""


def beside_of(
    said: ParsedSentence, passages: Sequence[str], language: str
) -> Iterator[tuple[float, ParsedSentence]]:
    """Return the sentences of passages that hold nearly as much of a sentence as the best does."""
    whole = said.content
    held: list[tuple[float, ParsedSentence]] = []
    for passage in passages:
        for start, end in sentences(passage):
            other = parsed(passage[start:end], language)
            if (share := len(whole & other.content) / len(whole)) >= ALIGNED:
                held.append((share, other))
    best = max((share for share, _ in held), default=0.0)
    yield from ((share, other) for share, other in held if share >= best - _NEARLY_BEST)


def denied_anywhere(scope: Sequence[tuple[int, str]], passages: Sequence[str], language: str) -> bool:
    """Tell whether some sentence of the passages denies a scope's first word, whatever it is about.

    As the first thing that it denies, or from behind (`the option was not used`); further behind the negation
    (`not necessary to set a timeout`) the second word too.
    Where it denies what stands before it (`If not, …`), nothing can be told.
    """
    wanted = [root for _distance, root in scope]
    for passage in passages:
        for start, end in sentences(passage):
            other = parsed(passage[start:end], language)
            if denies_before(other, language):
                return True
            for cue in other.denies:
                if wanted and wanted[0] in other.roots[max(0, cue - SLACK - 1) : cue]:
                    return True
                denied = [root for _distance, root in denied_scope(other, cue, REACH + 1)]
                if wanted[:1] == denied[:1] or (len(wanted) > 1 and {*wanted} <= {*denied}):
                    return True
    return False


def turns_alone(said: ParsedSentence, at: int, beside: Sequence[tuple[float, ParsedSentence]]) -> bool:
    """Tell whether a sentence turns behind a negation, and what says nearly all of it does not turn so.

    `not started before this` is no turn where the source has `started before this`.
    """
    held = [{word.casefold() for word in other.words} for share, other in beside if share >= ALIGNED_DENIED]
    turns = [said.words[turn].casefold() for turn in said.turned if 0 < turn - at <= TURNS]
    return any(not held or any(word not in words for words in held) for word in turns)


def only_here(said: ParsedSentence, at: int, beside: Sequence[tuple[float, ParsedSentence]]) -> bool:
    """Tell whether what a sentence denies stands in its passages, and is denied in none of them."""
    scope = denied_scope(said, at)
    known = False
    for _share, other in beside:
        if other.usual and not said.usual:
            return False
        if any(turns(other, cue) for cue in other.denies):
            return False
        for distance, root in scope:
            for place in (i for i, theirs in enumerate(other.roots) if theirs == root):
                known = True
                if any(0 < place - cue <= distance + SLACK + 1 for cue in other.denies):
                    return False
                if any(abs(place - cue) <= distance + SLACK for cue in other.weakens):
                    return False
                if any(
                    cue < place < end and place - cue <= distance + _GOVERNED for cue, end in other.governs
                ):
                    return False
    # The first word must be there: an opposite may stand in its place. It may be denied from behind (“without
    # a lamp”: “if the lamp is not lit”).
    first = scope[0][1] if scope else ""
    held = [other for _share, other in beside if first in other.content]
    behind = any(
        0 < cue - place <= SLACK + 1
        for other in held
        for cue in other.denies
        for place, root in enumerate(other.roots)
        if root == first
    )
    return known and bool(held) and not behind


def only_there(said: ParsedSentence, beside: Sequence[ParsedSentence]) -> list[str]:
    """Return what every passage's sentence denies and the sentence says without a denial."""
    found: list[str] = []
    for other in beside:
        denied = [
            shown(other, at)
            for at in other.denies
            if not turns(other, at) and _stands_in(denied_scope(other, at)[:2], said)
        ]
        if not denied:
            return []
        found += denied
    return found


def denied_whole(
    said: ParsedSentence,
    passages: Sequence[str],
    language: str,
    beside: Sequence[tuple[float, ParsedSentence]],
) -> list[str]:
    """Return what a short sentence of the passages denies of which a sentence has all words.

    `It does not run in winter` denies `The ferry runs in winter every day`, though it holds but half of it.
    Nothing where a sentence of the passages says most of it without a denial, or what they say beside the
    denial does; nor where one tells what is so as a rule, in one case, or from some time on.
    """
    if said.turned or said.cased or any(not other.denies for _share, other in beside):
        return []
    every = [
        parsed(passage[start:end], language) for passage in passages for start, end in sentences(passage)
    ]
    told = frozenset[str]().union(*(other.content for other in every if not other.denies))
    if len(told & said.content) >= ALIGNED * len(said.content):
        return []
    found: list[str] = []
    for other in every:
        if len(other.denies) != 1 or other.weakens or other.warns:
            continue
        if other.usual or other.turned or other.cased:
            continue
        [at] = other.denies
        behind = {root for root in other.roots[at:] if root}
        held = other.content <= said.content and 2 * len(other.content) >= len(said.content)
        if len(other.content) >= 2 and held and len(behind) >= 2:
            found.append(shown(other, at))
    return found


def _stands_in(scope: Sequence[tuple[int, str]], said: ParsedSentence) -> bool:
    """Tell whether the words of a scope stand in a sentence as near to each other."""
    if len(scope) < 2:
        return bool(scope) and scope[0][1] in said.content
    (near, one), (far, other) = scope
    places = [i for i, root in enumerate(said.roots) if root == one]
    return any(other in said.roots[i + 1 : i + far - near + SLACK + 1] for i in places)
