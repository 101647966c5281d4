"""Whether a phrase found in texts reads as a name: what a person would write over a section.

Phrases are found by statistics, which know no grammar. What gives a torn-off half of a clause away are its
edges: a participle or an adverb at one of them, a verb before an article, a month for a subject.
"""

import re

from library.text.quantities.months import ENGLISH_MONTHS, WEEKDAYS
from library.text.quantities.units import unit_at

_SHORTEST, _SHORTEST_NAME = 5, 3
"""Letters of a single word that can stand alone; of one with a capital (Iran, NTSB)."""
_ARTICLES = frozenset(("the", "a", "an", "his", "her", "its", "their"))
_JOINTS = frozenset((
    "of", "and", "for", "in", "on", "at", "with", "from", "to", "by", "de", "la", "del", "von", "van",
    "di", "der", "du", "des", "st", "mr", "mrs", "dr", "no",
))  # fmt: skip
_PARTICIPLES = frozenset((
    "united", "armed", "allied", "limited", "applied", "advanced", "combined", "hundred",
))  # fmt: skip
"""Words in -ed that begin names as often as clauses."""
_GERUNDS = frozenset((
    "building", "engineering", "training", "housing", "shipping", "mining", "banking", "spring",
    "string", "evening", "morning", "boeing", "beijing", "opening", "closing", "learning", "rolling",
    "writing", "recording", "testing", "programming", "scheduling", "meeting", "hearing", "funding",
))  # fmt: skip
"""Words in -ing that are things."""
_VERBS = frozenset((
    "passes", "dies", "takes", "makes", "gives", "says", "becomes", "gets", "keeps", "goes", "brings",
    "allows", "provides", "contains", "requires", "creates", "includes", "uses", "returns", "raises",
    "tells", "lets", "helps", "finds", "wins", "yields", "occurs", "corresponds", "happens", "exists",
    "depends", "consists", "means", "seems", "needs", "knows", "follows", "ensure", "ensures", "shop",
    "allow", "raise", "return", "look", "make", "take", "give", "get", "keep", "bring", "provide",
    "contain", "require", "create", "include", "tell", "help", "find", "win", "yield", "occur", "add",
    "note", "see", "avoid", "choose", "fled", "led", "won", "lost", "fell", "made", "held", "ran",
    "met", "gave", "took", "came", "went", "began", "became", "found", "said", "cannot", "generates",
    "acquire", "acquires", "obtain", "obtains", "receive", "receives", "invoke", "invokes", "retrieve",
    "retrieves", "await", "awaits", "terminate", "terminates", "guarantees",
    "generate", "delete", "deletes", "suppress", "suppresses", "define", "defines", "called", "version",
))  # fmt: skip
_LEFTOVERS = frozenset((
    "due", "equivalent", "according", "prior", "able", "likely", "similar", "such", "specific",
    "like", "forever", "twice", "once", "again", "always", "together",
    "longer", "forward", "away", "apart", "def", "false", "true", "none", "null",
))  # fmt: skip
"""What waits for a word that was cut off, or is a word of code."""
_ALONE = frozenset(
    ("relative", "absolute", "actual", "arbitrary", "current", "proper", "optional", "nonempty")
)
"""Adjectives that name nothing by themselves."""
_BEFORE_OF = frozenset((
    "favor", "favour", "terms", "order", "spite", "lieu", "behalf", "addition", "case", "regardless",
    "instead", "ahead",
))  # fmt: skip
"""Begin a preposition of several words: “in favour of”."""
_COUNTED = re.compile(r"第[一二三四五六七八九十\d]+[条个次座种项位场名]")
"""A count that waits for what is counted."""
_OF_CODE = re.compile(r"(?:^|\s)[a-z]\w*\.[A-Za-z]")
_NOT = re.compile(r"n['’]t\b")
_WHEN = re.compile(
    r"(?:early |late |mid-)?(?:\d{1,2}(?:st|nd|rd|th)? )?"
    rf"(?:{'|'.join(ENGLISH_MONTHS)}|spring|summer|autumn|winter|{'|'.join(WEEKDAYS)})?"
    r"[ ,]{0,9}(?:\d{1,2}(?:st|nd|rd|th)?)?[ ,]{0,9}(?:\d{4})?",
    re.IGNORECASE,
)


def reads_as_name(phrase: str) -> bool:
    """Return whether a phrase can be the name of something, as far as its words' shapes tell."""
    words = [word.casefold() for word in phrase.split()]
    if not words or _WHEN.fullmatch(phrase.strip()) or _NOT.search(phrase):
        return False
    if _COUNTED.fullmatch(phrase) or _OF_CODE.search(phrase) or _is_measure(words):
        return False
    first, last = words[0], words[-1]
    if len(words) == 1:
        letters = _SHORTEST_NAME if phrase[0].isupper() else _SHORTEST
        return (len(phrase) >= letters or not phrase.isascii()) and not (
            _torn(first)
            or first in _LEFTOVERS | _ALONE
            or first.endswith(("ical", "ous", "ful"))
            or (first.startswith(("in", "un", "im")) and first.endswith(("able", "ible")))
        )
    if _torn(first) or first in _LEFTOVERS or (first.endswith("ing") and _is_gerund(first)):
        return False
    if first in _BEFORE_OF and words[1] in _JOINTS:
        return False
    if last in _JOINTS or last in _LEFTOVERS or _torn(last):
        return False
    # "shop the music": no noun stands before an article, unless it is a name ("Alexander the Great").
    named = all(word[:1].isupper() for word in phrase.split() if word not in _ARTICLES | _JOINTS)
    joined = all(words[at - 1] in _JOINTS for at, word in enumerate(words) if at and word in _ARTICLES)
    return named or joined


def _is_measure(words: list[str]) -> bool:
    """Return whether words are a figure with its unit (“5.2 km”) or end with a version (“Python 3.10”)."""
    figure = re.fullmatch(r"\d[\d.,]*", words[0])
    if re.fullmatch(r"\d+\.[\d.]+", words[-1]):
        return True
    return bool(figure) and len(words) == 2 and unit_at(words[1], 0) is not None


def _torn(word: str) -> bool:
    """Return whether a word at an edge is a verb or an adverb."""
    if word in _VERBS:
        return True
    if len(word) > 4 and word.endswith("ed") and not word.endswith("eed"):
        return word not in _PARTICIPLES
    return len(word) > 6 and word.endswith("ly") and not word.endswith(("family", "assembly", "anomaly"))


def _is_gerund(word: str) -> bool:
    return len(word) > 5 and word not in _GERUNDS
