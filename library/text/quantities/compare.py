"""Whether two numbers say the same: units converted, rounding, bounds and signs understood."""

from collections.abc import Collection, Iterable
from decimal import Decimal

from library.text.quantities.number_parsing import Number
from library.text.quantities.units import Unit

_LOOSE = Decimal("1.5")
"""How many times the bound that it gives a value may be: `more than a million` may be 1.4 million."""


def supported(number: Number, known: Iterable[Number], dimensions: Collection[str] | None = None) -> bool:
    """Tell whether some known number says the same, or what this one is rounded from.

    Args:
        number: What is claimed. It may leave a unit out; what it adds must be known.
        known: What is known.
        dimensions: What the known text measures anywhere: a known number without a unit may be of these (a
            column's head says it). None: of any.
    """
    return any(same(number, other, dimensions) for other in known)


def same(number: Number, other: Number, dimensions: Collection[str] | None = None) -> bool:
    """Tell whether a known number says what another claims; see `supported`."""
    pairs = _readings(number, other, dimensions)
    if {number.bound, other.bound} == {"least", "most"}:
        return False
    return any(_alike(number, other, mine, theirs) for mine, theirs in pairs)


def _readings(
    number: Number, other: Number, dimensions: Collection[str] | None
) -> list[tuple[Unit | None, Unit | None]]:
    """Return the pairs of units by which two numbers can be compared."""
    if not number.units or not other.units:
        measures = {unit.dimension.partition("/")[0] for unit in number.units}
        if measures and dimensions is not None and measures.isdisjoint(dimensions):
            return []
        return [(None, None)]
    return [(a, b) for a in number.units for b in other.units if a.dimension == b.dimension]


def _alike(number: Number, other: Number, mine: Unit | None, theirs: Unit | None) -> bool:
    if mine is None or theirs is None or mine == theirs:
        values = [*other.values]
    else:
        values = [(v * theirs.worth + theirs.offset - mine.offset) / mine.worth for v in other.values]
    for value in number.values:
        for known, written in zip(values, other.values, strict=True):
            if _said(number, other, value, known, mine, theirs, written):
                return True
    return False


def _said(
    number: Number, other: Number, value: Decimal, known: Decimal, mine: Unit | None, theirs: Unit | None,
    written: Decimal,
) -> bool:  # fmt: skip
    if value == known:
        return True
    if (value < 0) != (known < 0):
        # A sign and a word say the same: `-5 %`, `fell by 5 %`.
        told = number.falls if known < 0 else other.falls
        return told and abs(value) == abs(known)
    if number.bound in ("least", "most") and other.bound != number.bound:
        low, high = (abs(known), abs(value)) if number.bound == "most" else (abs(value), abs(known))
        if low <= high <= low * _LOOSE:
            return True
        if other.bound == "exact":
            return False
    if mine != theirs and mine is not None and theirs is not None:
        # Converted figures are as exact as the rougher of the two: 6 miles are 10 km.
        factor = abs(theirs.worth / mine.worth)
        near = abs(known - value) <= max(step(value), step(written) * factor) / 2
        return near or (number.bound == "about" and _rounded(known, value))
    if other.rounded and other.spelled and _is_endless(known):
        return abs(known - value) <= step(value) / 2 if value else False
    return number.about and _rounded(known, value)


def _is_endless(value: Decimal) -> bool:
    return -int(value.as_tuple().exponent) > 10


def step(value: Decimal) -> Decimal:
    """Return what the last digit of a value that is not zero counts: 10 for 640, 0.1 for 6.8."""
    exponent = value.normalize().as_tuple().exponent
    return Decimal(1).scaleb(exponent) if isinstance(exponent, int) else Decimal(0)


def _rounded(exact: Decimal, value: Decimal) -> bool:
    """Tell whether a value is the exact one with fewer digits, rounded to either side."""
    if not value or not exact or exact == value:
        return exact == value
    return abs(exact - value) < step(value) and abs(exact - value) <= abs(value) / 10
