"""Denials word by word: the same words around a negation in one text, and without it in the other."""

from collections.abc import Iterator, Sequence

from library.claims.negation.parsed_sentence import (
    CLAUSE_ENDS,
    ParsedSentence,
    cues_of,
    denies_before,
    parsed,
    shown,
    word_root,
)
from library.text.sentences import sentences

_BEFORE, _BEHIND, _FURTHEST = 2, 3, 6
"""Words before and behind a negation that are compared word by word, and behind it at most, where the first
ones carry no meaning; of Chinese signs twice as many."""


def word_by_word(said: ParsedSentence, passages: Sequence[str], language: str) -> list[str]:
    """Return what a sentence denies where a passage has the same words without a negation, or the reverse.

    However many denials the sentence holds. Nothing where a passage has those words as the sentence has them,
    or denies what stands before (`If not, …`).
    """
    others = [
        parsed(passage[start:end], language) for passage in passages for start, end in sentences(passage)
    ]
    held = [(_row(other.words), other) for other in others]
    if any(denies_before(other, language) for other in others):
        return []
    added = [
        shown(said, at)
        for at, denied, bare in _around(said, language)
        if any(bare in row and _weakened(other) <= _weakened(said) for row, other in held)
        and not any(denied in row for row, _ in held)
    ]
    if added:
        return added
    row = _row(said.words)
    return [
        shown(other, at)
        for other in others
        if _weakened(said) <= _weakened(other)
        for at, _denied, bare in _around(other, language)
        if bare in row and not any(bare in theirs for theirs, _ in held)
    ]


def _weakened(sentence: ParsedSentence) -> frozenset[str]:
    """Return the words of a sentence that deny by their meaning."""
    return frozenset(sentence.words[at].casefold() for at in sentence.weakens)


def _around(sentence: ParsedSentence, language: str) -> Iterator[tuple[int, str, str]]:
    """Yield each negation's place, with the words around it as rows: with the negation, and without."""
    cues = cues_of(language)
    wide = cues is not None and cues.wide
    many = 2 if wide else 1
    words = sentence.words
    for at in sentence.denies:
        first = at - 1 if wide and cues and "".join(words[at - 1 : at + 1]) in cues.says_no else at
        ahead = [word for word in words[:first] if word not in CLAUSE_ENDS]
        before, behind = ahead[-_BEFORE * many :], list[str]()
        for word in (word for word in words[at + 1 :] if word not in CLAUSE_ENDS):
            enough = len(behind) >= _BEHIND * many and _meaning([*before, *behind], wide=wide) >= 2 * many
            if enough or len(behind) == _FURTHEST * many:
                break
            behind.append(word)
        # Where hardly anything stands behind it, more of what stands before.
        before = ahead[-(_BEFORE * many + max(0, _BEHIND * many - len(behind))) :]
        around = (*before, *behind)
        if before and behind and len(around) > _BEHIND * many and _meaning(around, wide=wide) >= 2 * many:
            bare = ("can",) if words[at].casefold() == "cannot" else ()
            yield at, _row((*before, *words[first : at + 1], *behind)), _row((*before, *bare, *behind))


def _meaning(words: Sequence[str], *, wide: bool) -> int:
    """Return how many words carry a meaning of their own; each sign in Chinese."""
    return len(words) if wide else sum(1 for word in words if word_root(word.casefold()))


def _row(words: Sequence[str]) -> str:
    """Return words in small letters, a blank on each side of each, without marks; denials in full."""
    plain = (word.casefold().replace("’", "'") for word in words if word not in CLAUSE_ENDS)
    full = ({"n't": "not", "cannot": "can not"}.get(word, word) for word in plain)
    return f" {' '.join(full)} "
