"""What a person's question asks, clause by clause.

"How do I see X, and save Y?" asks two things, which stand on two pages: each is looked for and answered by
itself. In English and Chinese; elsewhere a text is one clause.
"""

import re

from library.text.multilingual.stop_words import STOP_WORDS
from library.text.questions import is_question, is_wish
from library.text.tokenize import SURFACE, fold, terms

_SENTENCE = re.compile(r"(?<=[?？؟;；。！!.])\s+|(?<=[？；。！])")
_COMMA = re.compile(r"(?<=[,:])(?=\s)|(?<=[，：])")
_AND = re.compile(r"^(?:and|or) |^(?:并且|并|以及|还有|又)", re.IGNORECASE)
_THEN = re.compile(r"^(?:(?:then|also|later|afterwards|still|at the same time) )+", re.IGNORECASE)
_BEGINS = re.compile(
    r"^(?:how (?:do|can|could|should|would|to)(?: (?:i|we|you|one|they))?|"
    r"(?:can|could|should|may) (?:i|we|you|one)|(?:i|we) (?:want|need|would like))\b",
    re.IGNORECASE,
)
"""What a clause begins with that asks for a deed; what goes on with another deed begins so, too."""
_STATED = re.compile(r"^[^?？]*[.!。！]$")
"""A sentence that says something: where another one has the mark of a question, it tells of the matter."""
_CONDITION = re.compile(
    r"^when(?:ever)? (?!(?:do|does|did|is|are|was|were|has|have|had|will|would|can|could|should|shall|must|"
    r"may|might|to|not)\b)",
    re.IGNORECASE,
)
"""A `when` behind which no verb stands says when something happens, and does not ask it."""
_DEEDS = frozenset("be do get give go have keep let make put see show take to use".split())  # noqa: SIM905
"""Verbs among the words that are never looked for, and the `to` before one."""


def asked_clauses(text: str) -> list[str]:
    """Return the clauses of a text that ask something on their own, each with words to look for.

    What only says what somebody wants is left out where something is asked, too.
    """
    marked = any(mark in text for mark in "?？")
    clauses = [
        clause
        for sentence in _SENTENCE.split(text)
        for clause in _clauses_of(sentence)
        if is_wish(clause) or not (marked and _STATED.match(sentence.strip()))
    ]
    telling = [clause for clause in clauses if not set(terms(clause)) <= STOP_WORDS]
    return [clause for clause in telling if not is_wish(clause)] or telling


def question_parts(text: str) -> list[str]:
    """Return the things that a text asks, each behind what it tells of the matter; [] for one alone.

    "Our ferry leaks. How do I find the hole, and who mends it?" asks who mends it of a ferry that leaks.
    """
    clauses = asked_clauses(text)
    if len(clauses) < 2:
        return []
    told = [s.strip() for s in _SENTENCE.split(text) if s.strip() and not set(_clauses_of(s)) & set(clauses)]
    return [" ".join([*told, clause]) for clause in clauses]


def _clauses_of(sentence: str) -> list[str]:
    """Return the clauses of one sentence that ask or wish, each with what goes on with it."""
    found: list[str] = []
    begins = ""
    for part in _COMMA.split(sentence.strip()):
        clause = _AND.sub("", part.strip(" ,，;；:："))
        deed = _THEN.sub("", clause)
        if is_question(clause.rstrip("?？؟")) and not _CONDITION.match(clause):
            found.append(clause)
            begun = _BEGINS.match(clause)
            begins = begun[0] if begun else ""
        elif begins and clause != part.strip(" ,，;；:：") and _begins_deed(deed):
            found.append(f"{begins} {deed}")
        elif found:
            found[-1] = f"{found[-1]}, {clause}"
    return found


def _begins_deed(clause: str) -> bool:
    """Tell whether what follows `and` may begin with a verb: no article, number or preposition does."""
    first = fold(next(iter(SURFACE.findall(clause)), ""))
    return bool(first) and not first.isdigit() and (first in _DEEDS or first not in STOP_WORDS)
