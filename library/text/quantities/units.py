"""What numbers count: magnitudes (`million`, `万`), units and currencies, with what they are worth."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal
from functools import cache

from library.text.quantities.quantity_data import table

_END = r"(?![^\W\d_])"
"""A Latin word ends here; Chinese ones need no end."""


@dataclass(frozen=True, slots=True)
class Unit:
    """A unit: what it measures, and how much of that dimension's own unit it is."""

    dimension: str
    """`length`, `length^2`, `length/time`, `share`, …; of money the currency's code in small letters."""
    worth: Decimal = Decimal(1)
    offset: Decimal = Decimal(0)
    """What a value of 0 is in the dimension's own unit: degrees Fahrenheit and kelvins alone have one."""

    def per(self, other: "Unit") -> "Unit":
        """Return the unit of so much of this for one of the other."""
        return Unit(f"{self.dimension}/{other.dimension}", self.worth / other.worth)


SHARE = Unit("share")
"""A share of a whole, 0 to 1."""
PERCENT = Unit("share", Decimal("0.01"))
_MAGNITUDES: tuple[tuple[str, int], ...] = (
    (rf"(?:hundreds?){_END}|百(?![万萬])", 100),
    (rf"(?:dozens?){_END}", 12),
    (rf"(?:thousands?|tausend|mille|mil|k){_END}|千(?![万萬米克瓦])", 10**3),
    (r"[万萬](?![亿億])", 10**4),
    (rf"(?:lakhs?){_END}", 10**5),
    (rf"(?:millions?|millionen|mi(?:ll?)?o?nes|mio\.?|mill\.|mln\.?|mn|m){_END}|百[万萬]", 10**6),
    (rf"(?:crores?){_END}|千[万萬]", 10**7),
    (r"[亿億]", 10**8),
    (rf"(?:billions?|bn|mrd\.?|milliarden?|milliards?|b){_END}|十[亿億]", 10**9),
    (rf"(?:trillions?|tn|billionen){_END}|[万萬][亿億]", 10**12),
)
_MAGNITUDE_PATTERNS = [(re.compile(p, re.IGNORECASE), Decimal(worth)) for p, worth in _MAGNITUDES]
_ANY_MAGNITUDE = re.compile("|".join(p for p, _ in _MAGNITUDES), re.IGNORECASE)
_GAP = re.compile(r"[ \u00a0\u202f\u2009\n-]?")
_PER = re.compile(r"\s?(?:/|per\b|pro\b|par\b|an?\b|every\b|each\b|每)\s?", re.IGNORECASE)
_PER_BEFORE = re.compile(
    r"每(?P<unit>小时|秒|分钟|天|日|周|月|年|公斤|千克|吨|平方米|升)[^，。；\d]{0,6}$|时速[^，。；\d]{0,4}$"
)


_MAY_NAME = re.compile(r"[^\W\d_]{2,}|(?<=\()[^\W\d_]|[%€£¥₹]|(?:[A-Z]{1,3})?\$|°[CF]")


@dataclass(frozen=True, slots=True)
class _Forms:
    signs: dict[str, tuple[Unit, ...]]
    """As written: `MW` and `mW` are not the same."""
    words: dict[str, tuple[Unit, ...]]
    """Folded."""
    before: tuple[str, ...]
    """Signs and codes of currencies, which also stand before an amount, the longest first."""
    longest: int


@cache
def _forms() -> _Forms:
    signs: dict[str, list[Unit]] = {}
    words: dict[str, list[Unit]] = {}
    for unit in table("units").values():
        value = Unit(unit["dimension"], Decimal(unit["worth"]), Decimal(unit.get("offset", 0)))
        for form in unit.get("signs", ()):
            signs.setdefault(form, []).append(value)
        for form in unit.get("words", ()):
            words.setdefault(form, []).append(value)
    before: list[str] = []
    for code, currency in table("currencies").items():
        value = Unit(code.casefold())
        own = [code, *currency.get("signs", ())]
        before += own
        for form in own:
            signs.setdefault(form, []).append(value)
        for form in (*currency.get("words", ()), *currency.get("names", ())):
            words.setdefault(form, []).append(value)
    longest = max(map(len, (*signs, *words)))
    return _Forms(
        {form: tuple(dict.fromkeys(found)) for form, found in signs.items()},
        {form: tuple(dict.fromkeys(found)) for form, found in words.items()},
        tuple(sorted(set(before), key=lambda form: (-len(form), form))),
        longest,
    )


@cache
def currency_before() -> str:
    """Return a pattern of what may stand before an amount of money: `A$`, `EUR`, `£`."""
    signs = "|".join(map(re.escape, _forms().before))
    return rf"(?<![^\W\d_])(?:{signs})"


def currencies(sign: str) -> tuple[Unit, ...]:
    """Return the currencies that a sign or code may mean, none for one that is not known."""
    return _forms().signs.get(sign, ())


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
    """Return the unit written at a place, None for none that is known; of several readings the first."""
    found = units_at(text, at)
    return found[0] if found else None


def units_at(text: str, at: int, money: tuple[Unit, ...] = ()) -> tuple[Unit, ...]:
    """Return the readings of the unit written at a place, compound ones (`km/h`, `dollars per tonne`) too.

    Args:
        text: What holds it.
        at: Where the number ends.
        money: What a sign before the number says: only what it is divided by is looked for then.
    """
    found, end = (money, at) if money else _simple(text, _gap(text, at))
    if not found:
        return ()
    per = _PER.match(text, end)
    below, _ = _simple(text, per.end()) if per else ((), 0)
    if below:
        return tuple(unit.per(other) for unit in found for other in below)
    return found


def per_before(text: str, at: int, units: tuple[Unit, ...]) -> tuple[Unit, ...]:
    """Return units divided by what a Chinese text says before the number: `每小时50公里`."""
    match = _PER_BEFORE.search(text, max(0, at - 14), at)
    if not match or not units:
        return units
    if match["unit"] is None:  # 时速: an hour's way
        return tuple(u.per(Unit("time", Decimal(3600))) if u.dimension == "length" else u for u in units)
    below = _forms().words[match["unit"]][0]
    return tuple(unit if "/" in unit.dimension else unit.per(below) for unit in units)


def dimensions(text: str) -> frozenset[str]:
    """Return the dimensions that a text's words name anywhere, as the head of a table's column does."""
    return frozenset(_named(text))


def _named(text: str) -> Iterator[str]:
    for match in _MAY_NAME.finditer(text):
        if found := _simple(text, match.start())[0]:
            yield from (unit.dimension for unit in found)


def _simple(text: str, at: int) -> tuple[tuple[Unit, ...], int]:
    """Return the units whose form stands at a place, that of most letters, and where it ends."""
    forms = _forms()
    for end in range(min(len(text), at + forms.longest), at, -1):
        last = text[end - 1]
        if last.isspace():
            continue
        goes_on = end < len(text) and _is_latin(text[end]) and _is_latin(last)
        piece = text[at:end]
        if not goes_on and (found := forms.signs.get(piece) or forms.words.get(piece.casefold())):
            return found, end
    return (), at


def _is_latin(sign: str) -> bool:
    return sign.isalpha() and sign < "\u2e80"


def _gap(text: str, at: int) -> int:
    found = _GAP.match(text, at)
    return found.end() if found else at
