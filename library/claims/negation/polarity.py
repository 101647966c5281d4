"""What a sentence denies that its passages say, or says that they deny: told by the words beside a negation.

A sentence is set beside those of its passages that hold most of its words. What follows its `not` must then
be denied there too, and what they deny must be denied here. Words that deny by their meaning (`failed to`,
`unable`) count as a denial, opposites (`open`, `closed`) are not known; where nothing can be told, nothing is
said.
"""

import re
from collections.abc import Sequence

from library.claims.negation.aligned_denials import (
    ALIGNED_DENIED,
    beside_of,
    denied_anywhere,
    denied_whole,
    only_here,
    only_there,
    turns_alone,
)
from library.claims.negation.parsed_sentence import (
    SLACK,
    ParsedSentence,
    cues_of,
    denied_scope,
    ends_clause,
    parsed,
    shown,
    turns,
)
from library.claims.negation.word_by_word import word_by_word
from library.text.sentences import sentences

_WIDE_CLAUSE = re.compile(r"[，。；！？,;\n]")
_DONE = "了"
"""Stands behind a Chinese verb whose deed is done, and nowhere where it is denied."""
_LEAST_BARE = 3
"""Signs that are denied, at least, to be known again."""


def denied_otherwise(text: str, passages: Sequence[str], language: str) -> list[str]:
    """Return what a sentence denies and its passages say, or the reverse: each with the words that follow.

    Args:
        text: A sentence without citations.
        passages: What it rests on, in the same language.
        language: ISO 639-1 code; nothing is told of languages whose negations are not known.
    """
    if cues_of(language) is None:
        return []
    for start, end in sentences(text):
        said = parsed(text[start:end], language)
        if len(said.content) < 2:
            continue
        if found := _standing(word_by_word(said, passages, language), passages, language):
            return found[:1]
        beside = list(beside_of(said, passages, language))
        found = [
            shown(said, at)
            for at in said.denies
            if not ends_clause(said, at)
            and not turns_alone(said, at, beside)
            and only_here(said, at, beside)
            and not denied_anywhere(denied_scope(said, at)[:2], passages, language)
        ]
        if not found and not (said.denies or said.weakens or said.warns):
            found += only_there(said, [other for share, other in beside if share >= ALIGNED_DENIED])
            found += denied_whole(said, passages, language, beside)
        if found := _standing(found, passages, language):
            return found[:1]
    return []


def _standing(found: Sequence[str], passages: Sequence[str], language: str) -> list[str]:
    """Return the denials without those in Chinese that a clause of the passages makes in its own way.

    `不跳过主要版本` beside `跳过主要版本的升级不受支持`: the signs are the same, with no denial among them,
    but what they name is not to be done.
    """
    cues = cues_of(language)
    if cues is None or not cues.wide:
        return list(found)
    clauses = [clause for passage in passages for clause in _WIDE_CLAUSE.split(passage)]
    kept = []
    for words in found:
        bare = next((words[n:] for n in (2, 1) if words[:n] in cues.says_no), "")
        held = (clause for clause in clauses if len(bare) >= _LEAST_BARE and bare in clause)
        if not any(words not in clause and parsed(clause, language).denies for clause in held):
            kept.append(words)
    return kept


def denies_anything(text: str, language: str) -> bool:
    """Tell whether a sentence holds a negation, or a word that denies by its meaning."""
    if cues_of(language) is None:
        return False
    said = parsed(text, language)
    return bool(said.denies or said.weakens or said.warns)


def denies_what_is_said(text: str, sentence: str, language: str) -> bool:
    """Tell whether a sentence of a source denies, word for word, what a text says without a denial.

    However little else they share: `won't free disk space` says nothing of what frees it.
    A sentence that says what is so, too (`not by fire but by water`), is left out.
    """
    if (cues := cues_of(language)) is None:
        return False
    if cues.wide:  # `发现了鱼类` and `未发现鱼类`
        text, sentence = text.replace(_DONE, ""), sentence.replace(_DONE, "")
    if (said := parsed(text, language)).denies or said.weakens or said.warns:
        return False
    other = parsed(sentence, language)
    length, slack = (4, 0) if cues.wide else (2, SLACK)
    scopes = [denied_scope(other, at, length) for at in other.denies if not turns(other, at)]
    denied = [[root for _, root in scope] for scope in scopes if len(scope) == length]
    return any(_times(said, s, slack) and _times(other, s, slack) <= denied.count(s) for s in denied)


def _times(sentence: ParsedSentence, scope: list[str], slack: int) -> int:
    """Return how often content words stand in a sentence, in order and near to each other."""
    roots, (first, *rest) = [root for root in sentence.roots if root], scope
    after = [roots[n + 1 : n + len(scope) + slack] for n, root in enumerate(roots) if root == first]
    return sum([root for root in some if root in rest][: len(rest)] == rest for some in after)
