"""Ways to make a true claim false: another figure, unit, sign, date or name, the contrary."""

import random
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from library import Passage
from library.claims import names
from library.text import dates

MONTHS = (
    "January February March April May June July August September October November December".split()  # noqa: SIM905
)
_MONTH = "|".join(MONTHS)
_DATE = re.compile(rf"\b(\d{{1,2}}) ({_MONTH})\b|\b({_MONTH}) (\d{{1,2}})\b")
_YEAR = re.compile(r"(?<![\d.,–-])(1[89]\d\d|20[0-2]\d)(?![\d.,]?\d|s)")
_NUMBER = re.compile(r"(?<![\w.,–/-])\d{1,3}(?:,\d{3})*(?:\.\d+)?(?![\w/–-]|[.,]\d)")
_NAME = re.compile(r"(?<=[a-z,] )[A-Z][a-z]{2,}(?: [A-Z][a-z]{2,})*(?=[ ,.;])")
_VERB = r"\b(?:was|were|is|are|has|have|had|will|would|could|can|should|must|does|do|did)\b"
_AUXILIARY, _DENIED = re.compile(rf"{_VERB}(?! not)"), re.compile(rf"{_VERB} (not )")
_SCALE = {
    "thousand": "million",
    "million": "billion",
    "billion": "million",
    "hundred": "thousand",
    "half a million": "a million",
}
_UNITS = {
    "km": "miles",
    "kilometres": "miles",
    "kilometers": "miles",
    "miles": "kilometres",
    "mi": "km",
    "km/h": "mph",
    "mph": "km/h",
    "m": "ft",
    "metres": "feet",
    "meters": "feet",
    "feet": "metres",
    "ft": "m",
    "kg": "lb",
    "lb": "kg",
    "pounds": "tonnes",
    "tons": "pounds",
    "tonnes": "kilograms",
    "hours": "minutes",
    "minutes": "hours",
    "seconds": "minutes",
    "days": "weeks",
    "weeks": "days",
    "months": "years",
    "years": "months",
    "percent": "per mille",
    "%": "‰",
    "MB": "GB",
    "GB": "MB",
    "KB": "MB",
    "kB": "MB",
    "bytes": "bits",
    "bits": "bytes",
    "mm": "cm",
    "cm": "mm",
    "inches": "feet",
    "acres": "hectares",
    "hectares": "acres",
    "MW": "kW",
    "kW": "MW",
    "MHz": "GHz",
    "milliseconds": "seconds",
    "pixels": "inches",
}
_UNIT = re.compile(
    rf"(?<=\d)([ -]?)({'|'.join(sorted(map(re.escape, _UNITS), key=len, reverse=True))})(?![\w²³/])(?!-)"
)
_MONEY = re.compile(r"(?<![\w$])(US\$|A\$|\$|€|£)(?=\d)")
_PERCENT = re.compile(r"(?<![\w.,–-])(?=\d+(?:\.\d+)?(?:%| percent| per cent| °C))")
_BOUND = {
    "more than": "fewer than",
    "at least": "at most",
    "over": "under",
    "less than": "more than",
    "up to": "at least",
}
_BOUNDED = re.compile(rf"\b({'|'.join(_BOUND)}) (?=[$€£]?\d)")
_DETAILS = (
    "after a long dispute with the authorities", "in front of a large crowd", "despite several warnings",
    "because of bad weather", "which surprised most observers", "with the help of local volunteers",
)  # fmt: skip


@dataclass(frozen=True)
class Claim:
    """A sentence with the passage that it was taken from."""

    text: str
    passage: Passage
    topic: str


Edit = Callable[[Claim, random.Random], Claim | None]


def put(claim: Claim, start: int, end: int, new: str) -> Claim:
    """Return a claim with other words in a place."""
    return replace(claim, text=claim.text[:start] + new + claim.text[end:])


def number(claim: Claim, dice: random.Random) -> Claim | None:
    """Change one number that is no date."""
    blanked = dates(claim.text)[1]
    spots = [
        m for m in _NUMBER.finditer(claim.text)
        if blanked[m.start() : m.end()] == m[0] and not _YEAR.match(m[0])
    ]  # fmt: skip
    if not spots:
        return None
    spot = dice.choice(spots)
    digits = [i for i, c in enumerate(spot[0]) if c.isdigit()]
    at = dice.choice(digits)
    new = dice.choice([c for c in "123456789" if c != spot[0][at]])
    return put(claim, spot.start() + at, spot.start() + at + 1, new)


def scale(claim: Claim, dice: random.Random) -> Claim | None:
    """Say millions for billions."""
    spots = list(re.finditer(rf"(?<=\d )(?:{'|'.join(_SCALE)})\b|\bhalf a million\b", claim.text))
    spot = dice.choice(spots) if spots else None
    return put(claim, *spot.span(), _SCALE[spot[0]]) if spot else None


def sign(claim: Claim, dice: random.Random) -> Claim | None:
    """Put a minus before a share or a temperature."""
    spots = [m for m in _PERCENT.finditer(claim.text) if claim.text[m.start() - 1 : m.start()] not in "-−"]
    spot = dice.choice(spots) if spots else None
    return put(claim, *spot.span(), dice.choice(["-", "−", "minus "])) if spot else None


def unit(claim: Claim, dice: random.Random) -> Claim | None:
    """Put another unit in the place of one."""
    spots = list(_UNIT.finditer(claim.text))
    spot = dice.choice(spots) if spots else None
    return put(claim, *spot.span(2), _UNITS[spot[2]]) if spot else None


def currency(claim: Claim, dice: random.Random) -> Claim | None:
    """Put another currency in the place of one."""
    spots = list(_MONEY.finditer(claim.text))
    if not spots:
        return None
    spot = dice.choice(spots)
    return put(claim, *spot.span(), dice.choice([c for c in ("$", "A$", "€", "£") if c not in spot[1]]))


def date(claim: Claim, dice: random.Random) -> Claim | None:
    """Change a day, a month or a year."""
    spots: list[tuple[int, int, str]] = []
    for m in _DATE.finditer(claim.text):
        day, month = (1, 2) if m[1] else (4, 3)
        spots.append((*m.span(day), str(dice.choice([d for d in range(1, 29) if str(d) != m[day]]))))
        spots.append((*m.span(month), dice.choice([name for name in MONTHS if name != m[month]])))
    shifts = [-9, -4, -3, -2, -1, 1, 2, 3]
    spots += [(*m.span(), str(int(m[0]) + dice.choice(shifts))) for m in _YEAR.finditer(claim.text)]
    return put(claim, *dice.choice(spots)) if spots else None


def bound(claim: Claim, dice: random.Random) -> Claim | None:
    """Say less for more."""
    spots = list(_BOUNDED.finditer(claim.text))
    spot = dice.choice(spots) if spots else None
    return put(claim, *spot.span(1), _BOUND[spot[1]]) if spot else None


def named(claims: Sequence[Claim]) -> dict[str, list[str]]:
    """Return the names in the claims of each topic, sorted; of documents by source."""
    pool: dict[str, list[str]] = {}
    for claim in claims:
        pool.setdefault(claim.passage.sha256, []).extend(m[0] for m in _names(claim.text))
    return {key: sorted(set(found)) for key, found in sorted(pool.items()) if found}


def _names(text: str) -> list[re.Match[str]]:
    return [m for m in _NAME.finditer(text) if m[0] not in MONTHS and names(f"x {m[0]}")]


def swapped_for(pool: Mapping[str, Sequence[str]]) -> Edit:
    """Return the edit that puts a name from another source in the place of a name."""

    def name(claim: Claim, dice: random.Random) -> Claim | None:
        spots = _names(claim.text)
        if not spots:
            return None
        other = dice.choice(pool[dice.choice(sorted(pool))])
        spot = dice.choice(spots)
        return put(claim, *spot.span(), other) if other not in claim.passage.text else None

    return name


def denied(claim: Claim, dice: random.Random) -> Claim | None:
    """Say the contrary: put in a `not`, or take one out."""
    if found := list(_DENIED.finditer(claim.text)):
        return put(claim, *dice.choice(found).span(1), "")
    spots = list(_AUXILIARY.finditer(claim.text))
    spot = dice.choice(spots) if spots else None
    return put(claim, spot.end(), spot.end(), " not") if spot else None


def roles(claim: Claim, dice: random.Random) -> Claim | None:
    """Exchange two names between which something is said."""
    spots = _names(claim.text)
    pairs = [
        (a, b) for a, b in pairwise(spots)
        if a[0] != b[0] and re.search(r"\b(?!and\b|or\b)[a-z]{2,}\b", claim.text[a.end() : b.start()])
    ]  # fmt: skip
    if not pairs:
        return None
    a, b = dice.choice(pairs)
    return put(put(claim, *b.span(), a[0]), *a.span(), b[0])


def detail(claim: Claim, dice: random.Random) -> Claim | None:
    """Add a detail without a name or number."""
    end = len(claim.text.rstrip('.!”"'))
    return put(claim, end, end, f", {dice.choice(_DETAILS)}")


FALSE: dict[str, Edit] = {
    "number": number, "scale": scale, "sign": sign, "unit": unit, "currency": currency, "date": date,
    "bound": bound, "denied": denied, "roles": roles, "detail": detail,
}  # fmt: skip
