"""Does a text ask something?"""

import re

from library.text.multilingual.stop_words import STOP_WORDS
from library.text.sentences import sentences
from library.text.tokenize import SURFACE, fold, is_cjk, stem, terms

_ASKS = re.compile(
    r"[?？؟]|^(?:how|what|why|where|whose|whom|which)\b|"
    r"如何|怎么|怎麼|怎样|怎樣|为什么|為什麼|为何|為何|什么|什麼|是否|谁|誰|哪(?!吒)|[吗嗎](?!\w)",
    re.IGNORECASE,
)
"""A mark or a word that asks; in languages other than English and Chinese the mark alone tells."""
_VERBS = frozenset(("can", "could", "do", "does", "did", "is", "are", "was", "were", "should"))
_NAMES_TOO = _VERBS | {"who", "when", "may"}
"""Words that begin names, too: `May Fourth Movement`, `When Harry Met Sally`."""
_REQUEST = re.compile(
    r"\b(?:i|we) (?:want|need|would like|have to|must|am trying|are trying|wish)\b|"
    r"^(?:(?:please )?(?:tell|show|explain|help) (?:me|us)\b|请|我想|我要|我们想|我们要)",
    re.IGNORECASE,
)
"""Says what somebody wants, without a question mark."""
_HOW = re.compile(
    r"\bi (?:want|need|would like) to\b|"
    r"\bwhat (?:must|should|shall|can|do) (?:i|we|you|one) (?:(?:have|need) to )?do to\b|"
    r"\b(?:what are the|which) steps\b|"
    r"\bhow (?:do|does|did|can|could|should|to|would|might)\b|怎么|怎麼|怎样|怎樣|如何|"
    r"\bcómo\b|\bcomment\b|\bwie\b|\bкак\b",
    re.IGNORECASE,
)
"""Asks for a way to do something."""
_WHEN = re.compile(
    r"\b(?:when|date|year|since)\b|何时|何時|什么时候|什麼時候|时间|時間|日期|年份|哪年|哪一年|"
    r"\bcuándo\b|\bfecha\b|\bquand\b|\bwann\b|\bDatum\b|\bкогда\b|\bдата\b",
    re.IGNORECASE,
)
"""Asks for a date."""
_VERSIONS = re.compile(
    r"\b(?:versions?|releases?|changelogs?|chang(?:e|es|ed)|upgrad\w{1,6}|updat\w{1,5}|deprecated|"
    r"versión|versiones|cambios?|actualiz\w{1,8}|nouveautés?|modifications?|mettre à jour|mise à jour|"
    r"Versionen|Änderung\w{0,3}|geändert|Neuerung\w{0,3}|aktualisier\w{1,5}|"
    r"верси\w{1,3}|обнов\w{1,8}|изменен\w{1,4})\b|"
    r"版本|更新|升级|升級|变更|變更|变化|變化|发行|發行",
    re.IGNORECASE,
)
"""Asks for versions, or for what changed."""
_OFTEN = re.compile(r"\b(?:an?|per|each|every) year\b", re.IGNORECASE)
_CONDITION = re.compile(
    r"\bwhen (?:not )?to\b|\bwhen (?:should|must|may|can|do|does) (?:one|i|you|we)\b|何时使用|何时用"
    r"|\bcuándo (?:usar|conviene)\b|\bwann (?:soll|sollte|muss|kann) (?:man|ich)\b",
    re.IGNORECASE,
)
_IF = re.compile(r"\b(?:if|when|unless|only|si|cuando|quand|wenn)\b|如果|当|若", re.IGNORECASE)

_NAMED_DEED = ("ion", "ions", "ment", "ments")
_WHO = re.compile(
    r"^who(?:m|se)?\b(?! (?:can|could|may|might|must|should)\b)|\bby whom\b|^(?:谁|由谁)", re.IGNORECASE
)
"""Asks who did something (in en, zh), not who may."""
_CLOSE = 5
"""Words between what was done and who did it."""
_STEM = 5
"""Letters that words for a deed and its doer share: `direct`, `director`."""


def asks_when(text: str) -> bool:
    """Tell whether a text asks for a date (in en, zh, es, fr, de, ru).

    `a year` says how often, and `when to use` asks for conditions.
    """
    return bool(_WHEN.search(_CONDITION.sub(" ", _OFTEN.sub(" ", text))))


def asks_who(text: str) -> bool:
    """Tell whether a text asks who did something (in en, zh)."""
    return bool(_WHO.search(text.strip()))


def tells_who(text: str, deed: frozenset[str], thing: frozenset[str] = frozenset()) -> bool | None:
    """Tell whether a text says who did something: close to the deed stands a name, or `by`.

    Args:
        text: A sentence.
        deed: The terms of what was done, and of what it was done to.
        thing: Words of what it was done to, folded: no doer.

    Returns:
        None where nothing can be told: a Chinese text without `由`, a question without a deed.
    """
    written = SURFACE.findall(text)
    if any(map(is_cjk, written)):
        return True if "由" in text else None
    if deed <= STOP_WORDS:
        return None
    said = [fold(word) for word in written]
    places = [
        n
        for n, word in enumerate(said)
        if any(_is_deed(word, term) for term in deed) and not _only_named(said, n)
    ]
    return any(
        said[n] == "by" or (written[n][:1].isupper() and said[n] not in STOP_WORDS and said[n] not in thing)
        for place in places
        for n in range(max(0, place - _CLOSE), min(len(said), place + _CLOSE + 1))
        if n not in places
    )


def _only_named(said: list[str], n: int) -> bool:
    """Tell whether a word names a deed and not who did it: `visionary direction`, not `the direction by`."""
    if not said[n].endswith(_NAMED_DEED):
        return False
    return "under" not in said[max(0, n - 2) : n] and said[n + 1 : n + 2] != ["by"]


def _is_deed(word: str, term: str) -> bool:
    root = stem(word)
    return (
        term in terms(word)
        or (len(term) >= _STEM and word.startswith(term))
        or (len(root) >= _STEM and term.startswith(root))
    )


def asks_condition(text: str) -> bool:
    """Tell whether a text asks under which conditions something is done (in en, zh, es, de)."""
    return bool(_CONDITION.search(text))


def tells_condition(text: str) -> bool:
    """Tell whether a text names a condition (in en, zh, es, fr, de)."""
    return bool(_IF.search(text))


def without_when(text: str) -> str:
    """Return what a text asks the date of, without the words that ask."""
    return _WHEN.sub(" ", text)


def asks_how(text: str) -> bool:
    """Tell whether a text asks for a way to do something (in en, zh, es, fr, de, ru)."""
    return bool(_HOW.search(text))


def asks_of_versions(text: str) -> bool:
    """Tell whether a text asks for versions, or for what changed (in en, zh, es, fr, de, ru)."""
    return bool(_VERSIONS.search(text))


def is_question(text: str) -> bool:
    """Tell whether a text asks something, or says what somebody wants, rather than naming a subject."""
    text = text.strip()
    return bool(_ASKS.search(text) or _REQUEST.search(text)) or _begins_asking(text)


def is_wish(text: str) -> bool:
    """Tell whether a text says what somebody wants without asking anything."""
    return bool(_REQUEST.search(text)) and not (_ASKS.search(text) or _begins_asking(text.strip()))


def _begins_asking(text: str) -> bool:
    """Tell whether a text without a mark begins as a question, rather than being a name that begins so.

    Written small goes on what asks; after a verb a name may stand before that: `Can Postgres restore it`.
    """
    first, *rest = text.split() or [""]
    asks = first.lower().partition("'")[0]
    if asks not in _NAMES_TOO or not rest:
        return False
    later = rest[0][0].isalnum() and any(w[0].islower() and w.lower() not in STOP_WORDS for w in rest)
    return rest[0][0].islower() or rest[0] == "I" or (asks in _VERBS and later)


_LEADS_IN = re.compile(
    r"^(?:[^?.;]*?\b(?:please|(?:could|can|would|will) you|"
    r"(?:i|we)(?:['’]d| would)? (?:like|want|wish|need))\b[ ,]*(?:(?:also|just|now|then|you|to|please) )*"
    r"(?:look|check|find|see|tell|say|search|explain|know)\b|"
    r"(?:look (?=into|at|for|up|whether)|find (?=out)|tell (?=me|us)|check (?=whether|if)))"
    r"(?: ?\b(?:me|us|at|into|for|out|up|again|once|more|about|whether|if)\b)*[ ,:]*"
    r"(?:(?:one|this|the following)(?: \w+)?: *)?|"
    r"^(?:请|麻烦|能否|可否)?(?:你们?|您|大家)?(?:再|也)?(?:帮我|帮忙)?"
    r"(?:看看|看一下|查一下|查查|了解一下|告诉我们?|请问)(?:是否)?[：:，, ]*",
    re.IGNORECASE,
)
"""How a request begins (in en, zh), up to what it is about."""
_LEFT = 2
"""Words that count of a request's matter, without which the request is searched for as it stands."""


def asked_words(text: str) -> str:
    """Return a person's question or wish without the words that only ask for it (in en, zh).

    `Could you please look whether the hull was tested?` becomes `the hull was tested?`.
    """
    told = [_LEADS_IN.sub("", text[start:end].strip(), count=1).strip() for start, end in sentences(text)]
    kept = " ".join(filter(None, told))
    return kept if len(terms(kept)) >= _LEFT else text
