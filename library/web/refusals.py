"""Why a service does not answer: its limit is used up, its key is refused, its credit is spent; in one line.

What a service says of its limits stands in headers of many spellings: `Retry-After`, or how much is left
(`X-RateLimit-Remaining`) and when it is filled up again (`X-RateLimit-Reset`), for one or several limits.
"""

import re
from collections.abc import Mapping

from library.text.hidden_characters import UNSEEN
from models import mask_secrets
from models.client import retry_after

_NO_CREDIT = (402, 432, 433)
"""432 and 433 are Tavily's: the plan's limit, and that of what is paid as it is used."""
_SPENT = re.compile(r"credit|top[ -]?up|billing|payment", re.IGNORECASE)
_NO_KEY = re.compile(
    r"(?:key|token)\b.{0,40}\b(?:invalid|missing|not)\b|invalid.{0,30}(?:key|token)", re.IGNORECASE
)
"""How a service says with another status that it does not take a key: 400 or 422."""
_TWO_MINUTES = 120
_AN_HOUR, _A_DAY = 3600, 86_400
_EPOCH = 1_000_000_000
"""A reset from which on the figure is a time since 1970, not seconds from now."""
_LONGEST_WORDS = 120
_SAYS = re.compile(
    r'"(?:message|detail|error|error_description)"\s*:\s*(?:\{\s*"error"\s*:\s*)?"((?:[^"\\]|\\.){1,400})"'
)
"""Where services say in JSON what is wrong: `{"detail": {"error": "…"}}`, `{"error": {"message": "…"}}`, …"""


def is_limited(status: int, headers: Mapping[str, str]) -> bool:
    """Tell whether a service refuses because of too many requests."""
    return status == 429 or (status == 403 and "0" in _listed(headers, "remaining"))


def wait_asked(headers: Mapping[str, str], now: float) -> float | None:
    """Return the seconds after which a service may be asked again; None where it does not say.

    Args:
        headers: Of its answer, their names in small letters.
        now: Seconds since 1970.
    """
    said = retry_after(headers.get("retry-after", ""), now)
    if said is not None:
        return said
    left, resets = _listed(headers, "remaining"), _listed(headers, "reset")
    waits = [
        float(reset) - (now if float(reset) >= _EPOCH else 0.0)
        for reset, remains in zip(resets, left, strict=False)
        if remains == "0" and reset.isdecimal() and len(reset) < 12
    ]
    return max((*waits, 0.0)) if waits else None


def refusal(
    who: str, status: int, *, limited: bool = False, wait: float | None = None, key: str = "", words: str = ""
) -> str:
    """Return in one line why a service does not answer, and what to do; empty for other troubles than these.

    Args:
        who: The service.
        status: Of its answer.
        limited: It refuses because of too many requests.
        wait: Seconds after which it may be asked again; None where it does not say.
        key: The variable that holds its key; empty where it wants none.
        words: What it says itself.
    """
    said = f" ({words})" if words else ""
    if status in _NO_CREDIT or (status in {400, 403, 429} and wait is None and _SPENT.search(words)):
        if key:
            return f"{who} has no credit left ({status}): add some, or set {key} to another key{said}"
        return f"{who} wants to be paid ({status}){said}"
    if limited or status == 429:
        when = "it does not say when it may be asked again" if wait is None else f"ask again in {span(wait)}"
        return f"the limit of requests to {who} is used up ({status}); {when}{said}"
    if status in {401, 403} or (status in {400, 422} and _NO_KEY.search(words)):
        if key:
            return f"{who} refuses the key ({status}): set {key} to one that it takes{said}"
        return f"{who} refuses to answer ({status}){said}"
    return ""


def span(seconds: float) -> str:
    """Return a span of time in the unit that fits: `40 s`, `5 min`, `3 h`, `12 d`."""
    whole = max(1, round(seconds))
    if whole < _TWO_MINUTES:
        return f"{whole} s"
    if whole < 2 * _AN_HOUR:
        return f"{-(-whole // 60)} min"
    return f"{-(-whole // _AN_HOUR)} h" if whole < 2 * _A_DAY else f"{-(-whole // _A_DAY)} d"


def own_words(body: bytes) -> str:
    """Return what a refusal says of itself, on one line, without markup, hidden characters and keys."""
    text = body[:4000].decode("utf-8", "replace")
    found = _SAYS.search(text)
    line = " ".join(UNSEEN.sub("", re.sub(r"<[^<>]*>", " ", mask_secrets(found[1] if found else ""))).split())
    return line if len(line) <= _LONGEST_WORDS else line[: _LONGEST_WORDS - 1] + "…"


def _listed(headers: Mapping[str, str], what: str) -> list[str]:
    """Return the figures of a header of limits, of which a service may have several at once."""
    value = headers.get(f"x-ratelimit-{what}") or headers.get(f"ratelimit-{what}") or ""
    return [part.strip() for part in value.split(",") if part.strip()]
