"""How fresh an answer must be, and is: questions about what changes, and when passages were published.

A date in a text is not when the text was published: only what its source says of itself counts.
"""

import re
from collections.abc import Sequence
from datetime import date
from typing import Literal

from library.evidence import Passage
from library.text.quantities.quantity_data import alternatives

Freshness = Literal["fresh", "stale", "undated"]

STALE_DAYS = 730
"""Days after which what changes may no longer be so."""
_SOON, _LATE = 90, 1_825
"""The same for what ages in weeks (a price), and for what ages in years (a law)."""
_WEEKS = re.compile(alternatives("weeks", "ageing"), re.IGNORECASE)
_YEARS = re.compile(alternatives("years", "ageing"), re.IGNORECASE)

_OFFICES = (
    r"mayor|president|minister|chancellor|king|queen|pope|chair\w*|chief executive|ceo|director|governor|"
    r"head|leader|owner|champion|record"
)
_TODAY = re.compile(
    r"\b(?:current(?:ly)?|latest|newest|most recent|nowadays|today|tonight|so far|up to date|right now|"
    r"at present|as of now|this (?:week|month|year)|still in office|in force now)\b"
    r"|\bnow\b(?!\s*known)|目前|现在|如今|当前|最新|最近|现任|今天|今年|本月|截至",
    re.IGNORECASE,
)
_AGES = re.compile(
    r"\b(?:what|which) (?:is|are) the (?:current |latest |newest |present )?"
    r"(?:price|cost|fee|(?:exchange |interest )?rate|population|record|version)s?\b"
    r"|\bhow much (?:does|do|is|are)\b[^,;]{0,60}\b(?:cost|worth|paid)\b"
    rf"|\bwho (?:is|are|leads|runs|heads|owns|holds)\b.{{0,40}}\b(?:{_OFFICES})\b"
    r"|\bwho (?:leads|runs|heads|owns)\b|\bwhich version\b|\bversion (?:is|are)\b|\bstock price\b"
    r"|版本是|多少钱|价格是|售价|汇率|股价|谁是.{0,12}[长席统理]|现任.{0,12}是谁|票价.{0,4}是",
    re.IGNORECASE,
)
_HOW_MUCH = re.compile(r"\bhow much (?:does|do|is|are)\b", re.IGNORECASE)
_THEN = re.compile(r"\b(?:in|of|during|before|until|by|since|from) (?:1\d{3}|20\d\d)\b|(?:1\d{3}|20\d\d)年")
_FIGURE = re.compile(r"\d|[一二三四五六七八九十百千万亿][元美欧人%％]")
_ISO = re.compile(r"(\d{4})(?:-(\d{2}))?(?:-(\d{2}))?")


def changing(question: str) -> bool:
    """Tell whether a question asks for something that changes: prices, office holders, versions, the latest.

    A question that says for which year is not: that no longer changes.
    """
    asks = (_TODAY, _AGES, _HOW_MUCH)
    return any(words.search(question) for words in asks) and not _THEN.search(question)


def ages(question: str, claim: str) -> bool:
    """Tell whether a claim, said in answer to a question, may be so no longer.

    It is what was asked for where that ages by itself (a price, a version, who holds an office). Elsewhere it
    must be a figure and say that it is so today: the latest timeline of a manual does not age.

    Args:
        question: What was asked.
        claim: A sentence of the answer, without citations.
    """
    if _THEN.search(question):
        return False
    if _AGES.search(question):
        return True
    return bool(_TODAY.search(question) and _TODAY.search(claim) and _FIGURE.search(claim))


def published_on(passage: Passage) -> date | None:
    """Return the last day on which a passage may have been published, None when nobody knows."""
    found = _ISO.match(passage.published or "")
    if found is None:
        return None
    year, month, day = int(found[1]), int(found[2] or 12), int(found[3] or 28)
    try:
        return date(year, month, day)
    except ValueError:
        return None


def stale_days(question: str) -> int:
    """Return the days after which an answer to a question about something that changes may be over.

    By the words of the question (`library/text/data/ageing.toml`): prices age in weeks, laws in years.
    """
    if _WEEKS.search(question):
        return _SOON
    return _LATE if _YEARS.search(question) else STALE_DAYS


def ages_in_weeks(question: str) -> bool:
    """Tell whether what a question asks for ages in weeks."""
    return stale_days(question) == _SOON


def freshness(passages: Sequence[Passage], today: date, days: int = STALE_DAYS) -> Freshness:
    """Return how fresh the freshest of some passages is; `undated` when nobody knows of any.

    Args:
        passages: What an answer rests on.
        today: When it is asked.
        days: After how many days it is stale.
    """
    known = [day for passage in passages if (day := published_on(passage)) is not None]
    if not known:
        return "undated"
    return "stale" if (today - max(known)).days > days else "fresh"


def newest(passages: Sequence[Passage]) -> str | None:
    """Return when the freshest of some passages was published, as its source says it."""
    dated = [p for p in passages if published_on(p) is not None]
    return max(dated, key=lambda p: published_on(p) or date.min).published if dated else None
