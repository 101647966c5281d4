"""Ways to say a true claim in other words: clauses turned round; figures, dates, units written otherwise."""

import random
import re

from benchmarks.inputs.falsify import MONTHS, Claim, Edit, put
from library.text import STOP_WORDS

_MONTH = "|".join(MONTHS)
_SMALL = "two three four five six seven eight nine ten eleven twelve".split()  # noqa: SIM905
_WRITTEN = {
    "kilometres": "km",
    "kilometers": "km",
    "metres": "m",
    "miles": "mi",
    "percent": "%",
    "per cent": "%",
    "kilograms": "kg",
    "hours": "h",
    "km": "kilometres",
    "km/h": "kilometres per hour",
    "mph": "miles per hour",
    "ft": "feet",
    "kg": "kilograms",
    "%": " percent",
    "GB": "gigabytes",
    "MB": "megabytes",
}
_UNIT = re.compile(
    rf"(?<=\d)( ?)({'|'.join(sorted(map(re.escape, _WRITTEN), key=len, reverse=True))})(?![\w²³/-])"
)
_LEADING = re.compile(
    r"(?P<first>(?:In|On|At|After|Before|During|By|For|When|While|If|Since|As|Although)\b"
    r"[^,;:()’\"“”]{4,70}), "
    r"(?P<rest>[^;:’\"“”]+)(?P<stop>\.)"
)
_TRAILING = re.compile(
    r"(?P<first>[A-Z][^,;:’\"“”]+?) "
    r"(?P<rest>(?:in|on|during|since) (?:the )?[^,;:’\"“”]{0,20}(?:\d{4}|[A-Z][a-z]+))\."
)
_LARGE = re.compile(r"(?<![\w.,$€£–/-])(\d{1,3}(?:,\d{3})+|\d{4,})(?![\w/–%-]|[.,]\d)")
_COMMON = frozenset((*STOP_WORDS, "although", "while", "since", "if"))
_BOUNDED = re.compile(r"(?:about|over|than|nearly|almost|least|to|and|some|around) $")
_VERBS = {
    "is able to": "can", "are able to": "can", "cannot": "can not", "does not": "doesn’t", "is not": "isn’t",
    "do not": "don’t", "it is": "it’s", "however, ": "", "such as": "like", "in order to": "to", "also ": "",
}  # fmt: skip


def turned(claim: Claim, dice: random.Random) -> Claim | None:
    """Put the first clause last, or the last first."""
    del dice
    if match := _LEADING.fullmatch(claim.text):
        text = f"{_capital(match['rest'])} {_small(match['first'])}."
    elif match := _TRAILING.fullmatch(claim.text):
        text = f"{_capital(match['rest'])}, {_small(match['first'])}."
    else:
        return None
    return Claim(text, claim.passage, claim.topic)


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def _small(text: str) -> str:
    """Return a clause as it stands inside a sentence; what may be a name stays."""
    first = text.split(maxsplit=1)[0]
    return text[:1].lower() + text[1:] if first.casefold() in _COMMON else text


def figures(claim: Claim, dice: random.Random) -> Claim | None:
    """Write figures otherwise: digits for words, words for digits, no commas, millions."""
    del dice
    text = re.sub(r"(?<=\d),(?=\d{3}\b)", "", claim.text)
    text = re.sub(r"(?<![\w,.$€£])(\d)\.(\d)(?= million\b)", r"\g<1>.\g<2>", text)
    text = re.sub(rf"(?<=[a-z]) ({'|'.join(_SMALL)})(?= [a-z])", lambda m: f" {_SMALL.index(m[1]) + 2}", text)
    if text == claim.text:
        text = re.sub(r"(?<=[a-z] )([2-9])(?= [a-z])", lambda m: _SMALL[int(m[1]) - 2], text)
    text = re.sub(r"(?<![\w.,$€£–-])(\d{1,3})000000\b", r"\1 million", text)
    return Claim(text, claim.passage, claim.topic) if text != claim.text else None


def dated(claim: Claim, dice: random.Random) -> Claim | None:
    """Write dates otherwise."""
    ways = [
        lambda t: re.sub(rf"(?<![\w–-] )(?<![\w–-])\b(\d{{1,2}}) ({_MONTH}) (\d{{4}})\b", r"\2 \1, \3", t),
        lambda t: re.sub(rf"\b({_MONTH}) (\d{{1,2}}), (\d{{4}})\b", r"\2 \1 \3", t),
        lambda t: re.sub(rf"\b({_MONTH}) (\d{{1,2}})(?=[ .])(?! \d|,? \d| and \d| to \d)", r"\2 of \1", t),
        lambda t: re.sub(rf"\bin ({_MONTH}) (\d{{4}})", r"in \1 of \2", t),
    ]
    changed = [text for way in ways if (text := way(claim.text)) != claim.text]
    return Claim(dice.choice(changed), claim.passage, claim.topic) if changed else None


def units(claim: Claim, dice: random.Random) -> Claim | None:
    """Write a unit out, or short."""
    spots = list(_UNIT.finditer(claim.text))
    spot = dice.choice(spots) if spots else None
    if spot is None:
        return None
    return put(claim, *spot.span(), (" " if _WRITTEN[spot[2]][0].isalpha() else "") + _WRITTEN[spot[2]])


def rounded(claim: Claim, dice: random.Random) -> Claim | None:
    """Say a large number with two digits that count, as `about`."""
    spots = [m for m in _LARGE.finditer(claim.text) if "," in m[1] or int(m[1]) > 2100]
    spots = [m for m in spots if len(m[1].replace(",", "").rstrip("0")) > 2]
    spots = [m for m in spots if not _BOUNDED.search(claim.text[: m.start()])]
    if not spots:
        return None
    spot = dice.choice(spots)
    value = int(spot[1].replace(",", ""))
    digits = len(str(value))
    return put(claim, *spot.span(), f"about {round(value, 2 - digits):,}")


def worded(claim: Claim, dice: random.Random) -> Claim | None:
    """Say small words otherwise."""
    spots = [old for old in _VERBS if re.search(rf"\b{old}", claim.text)]
    if not spots:
        return None
    old = dice.choice(spots)
    return Claim(re.sub(rf"\b{old}", _VERBS[old], claim.text, count=1), claim.passage, claim.topic)


TRUE: dict[str, Edit] = {
    "turned": turned,
    "figures": figures,
    "dated": dated,
    "units": units,
    "rounded": rounded,
    "worded": worded,
}
