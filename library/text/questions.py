"""Does a text ask something?"""

import re

_ASKS = re.compile(
    r"[?？؟]|^(?:how|what|why|when|where|who|whose|whom|which|can|could|do|does|did|is|are|was|were|should|may)\b|"
    r"如何|怎么|怎麼|怎样|怎樣|为什么|為什麼|为何|為何|什么|什麼|是否|谁|誰|哪|吗|嗎",
    re.IGNORECASE,
)
"""A mark or a word that asks; in languages other than English and Chinese the mark alone tells."""
_REQUEST = re.compile(
    r"\b(?:i|we) (?:want|need|would like|have to|must|am trying|are trying|wish)\b|"
    r"^(?:(?:please )?(?:tell|show|explain|help) (?:me|us)\b|请|我想|我要|我们想|我们要)",
    re.IGNORECASE,
)
"""Says what somebody wants, without a question mark."""
_HOW = re.compile(
    r"\bi (?:want|need|would like) to\b|"
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
_OFTEN = re.compile(r"\b(?:an?|per|each|every) year\b", re.IGNORECASE)
_CONDITION = re.compile(
    r"\bwhen (?:not )?to\b|\bwhen (?:should|must|may|can|do|does) (?:one|i|you|we)\b|何时使用|何时用"
    r"|\bcuándo (?:usar|conviene)\b|\bwann (?:soll|sollte|muss|kann) (?:man|ich)\b",
    re.IGNORECASE,
)
_IF = re.compile(r"\b(?:if|when|unless|only|si|cuando|quand|wenn)\b|如果|当|若", re.IGNORECASE)


def asks_when(text: str) -> bool:
    """Tell whether a text asks for a date (in en, zh, es, fr, de, ru).

    `a year` says how often, and `when to use` asks for conditions.
    """
    return bool(_WHEN.search(_CONDITION.sub(" ", _OFTEN.sub(" ", text))))


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


def is_question(text: str) -> bool:
    """Tell whether a text asks something, or says what somebody wants, rather than naming a subject."""
    return bool(_ASKS.search(text.strip()) or _REQUEST.search(text.strip()))
