"""What numbers count: magnitudes (`million`, `Mio.`, `万`) and units, with what they are worth."""

import re
from dataclasses import dataclass
from decimal import Decimal

_END = r"(?![^\W\d_])"
"""A Latin word ends here; Chinese ones need no end."""


@dataclass(frozen=True, slots=True)
class Unit:
    """A unit: what it measures, and how much of that dimension's own unit it is."""

    dimension: str
    worth: Decimal = Decimal(1)


_MAGNITUDES: tuple[tuple[str, int], ...] = (
    (rf"(?:hundreds?){_END}|百(?![万萬])", 100),
    (rf"(?:dozens?){_END}", 12),
    (rf"(?:thousands?|tausend|mille|mil|k){_END}|千(?![万萬])", 10**3),
    (r"[万萬](?![亿億])", 10**4),
    (rf"(?:lakhs?){_END}", 10**5),
    (rf"(?:millions?|millionen|mi(?:ll?)?o?nes|mio\.?|mill\.|mln\.?|mn|m){_END}|百[万萬]", 10**6),
    (rf"(?:crores?){_END}|千[万萬]", 10**7),
    (r"[亿億]", 10**8),
    (rf"(?:billions?|bn|mrd\.?|milliarden?|milliards?|b){_END}|十[亿億]", 10**9),
    (rf"(?:trillions?|tn|billionen){_END}|[万萬][亿億]", 10**12),
)
_UNITS: tuple[tuple[str, Unit], ...] = (
    (rf"[%％]|(?:per ?cent|percentage points?|prozent|pour cent|por ciento|pct){_END}", Unit("share")),
    (rf"(?:km|kilomet(?:er|re)s?){_END}|公里|千米", Unit("length", Decimal(1000))),
    (rf"(?:met(?:er|re)s?|m){_END}|米", Unit("length")),
    (rf"(?:cm|centimet(?:er|re)s?){_END}|厘米", Unit("length", Decimal("0.01"))),
    (rf"(?:mm|millimet(?:er|re)s?){_END}|毫米", Unit("length", Decimal("0.001"))),
    (rf"(?:mi|miles?){_END}|英里", Unit("length", Decimal("1609.344"))),
    (rf"(?:ft|feet|foot){_END}|英尺", Unit("length", Decimal("0.3048"))),
    (rf"(?:yards?|yd){_END}", Unit("length", Decimal("0.9144"))),
    (rf"(?:kg|kilograms?|kilos?){_END}|公斤|千克", Unit("mass")),
    (rf"(?:g|gram(?:me)?s?){_END}|克", Unit("mass", Decimal("0.001"))),
    (rf"(?:t|tonnes?|tons?){_END}|吨", Unit("mass", Decimal(1000))),
    (rf"(?:lbs?){_END}", Unit("mass", Decimal("0.45359237"))),
    (rf"(?:°\s?c|degrees celsius){_END}|摄氏度|℃", Unit("celsius")),
    (rf"(?:°\s?f|degrees fahrenheit){_END}|℉", Unit("fahrenheit")),
    (rf"(?:seconds?|secs?){_END}|秒", Unit("time")),
    (rf"(?:minutes?|mins?){_END}|分钟", Unit("time", Decimal(60))),
    (rf"(?:hours?|hrs?){_END}|小时", Unit("time", Decimal(3600))),
    (rf"(?:days?){_END}|天", Unit("time", Decimal(86400))),
    (rf"(?:weeks?){_END}|周|星期", Unit("time", Decimal(604800))),
    (rf"(?:months?){_END}|个月", Unit("months")),
    (rf"(?:years?|yrs?){_END}|岁", Unit("months", Decimal(12))),
    (rf"(?:us )?dollars?{_END}|美元", Unit("usd")),
    (rf"(?:euros?){_END}|欧元|€", Unit("eur")),
    (rf"(?:yuan|renminbi|rmb){_END}|人民币|元", Unit("cny")),
)
CURRENCIES = {"$": Unit("usd"), "€": Unit("eur"), "£": Unit("gbp"), "₹": Unit("inr")}
"""Signs that stand before a number; `¥` is left out, for it is two currencies."""

_MAGNITUDE_PATTERNS = [(re.compile(p, re.IGNORECASE), Decimal(worth)) for p, worth in _MAGNITUDES]
_UNIT_PATTERNS = [(re.compile(p, re.IGNORECASE), unit) for p, unit in _UNITS]
_ANY_MAGNITUDE = re.compile("|".join(p for p, _ in _MAGNITUDES), re.IGNORECASE)
_ANY_UNIT = re.compile("|".join(p for p, _ in _UNITS), re.IGNORECASE)
_GAP = re.compile(r"[ \u00a0\u202f-]?")


def magnitude_at(text: str, at: int) -> tuple[Decimal, int]:
    """Return the magnitude written at a place, 1 for none, and where it ends."""
    start = _gap(text, at)
    if not _ANY_MAGNITUDE.match(text, start):
        return Decimal(1), at
    end, worth = max(
        (m.end(), worth) for pattern, worth in _MAGNITUDE_PATTERNS if (m := pattern.match(text, start))
    )
    return worth, end


def unit_at(text: str, at: int) -> Unit | None:
    """Return the unit written at a place, None for none that is known."""
    start = _gap(text, at)
    if not _ANY_UNIT.match(text, start):
        return None
    _, best = max(
        (m.end(), n) for n, (pattern, _unit) in enumerate(_UNIT_PATTERNS) if (m := pattern.match(text, start))
    )
    return _UNIT_PATTERNS[best][1]


def _gap(text: str, at: int) -> int:
    found = _GAP.match(text, at)
    return found.end() if found else at
