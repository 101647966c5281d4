"""Numbers written in words: English (`twenty-one thousand`) and Chinese characters (`三百二十`)."""

import re
from decimal import Decimal

from library.text.multilingual.scripts import HAN

_UNITS = [
    "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve",
    "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen",
]  # fmt: skip
_TENS = ["twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"]
SMALL = {word: n for n, word in enumerate(_UNITS)} | {word: 20 + 10 * n for n, word in enumerate(_TENS)}
SCALES = {"hundred": 100, "thousand": 1000, "million": 10**6, "billion": 10**9, "trillion": 10**12}
_ORDINAL_WORDS = [
    "first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth", "eleventh",
    "twelfth", "thirteenth", "fourteenth", "fifteenth", "sixteenth", "seventeenth", "eighteenth",
    "nineteenth",
]  # fmt: skip
ORDINALS = (
    {word: n for n, word in enumerate(_ORDINAL_WORDS, 1)}
    | {word.replace("y", "ieth"): value for word, value in SMALL.items() if value >= 20}
    | {"hundredth": 100}
)

WORDS = frozenset((*SMALL, *SCALES, *ORDINALS, "dozen"))
"""The words of which English numbers are made."""
_WORD = "|".join(sorted((*SMALL, *SCALES, "dozen"), key=len, reverse=True))
ENGLISH = re.compile(
    rf"\b(?:{_WORD})(?:(?:[\s-]+(?:and\s+)?)(?:{_WORD}|{'|'.join(ORDINALS)}))*\b|\b(?:{'|'.join(ORDINALS)})\b",
    re.IGNORECASE,
)
"""A run of number words, cardinal or ordinal."""

_CHINESE_DIGITS = {c: n for n, c in enumerate("〇一二三四五六七八九")} | {"零": 0, "两": 2, "兩": 2}
_CHINESE_STEPS = {"十": 10, "百": 100, "千": 1000}
_CHINESE_SCALES = {"万": 10**4, "萬": 10**4, "亿": 10**8, "億": 10**8}
CHINESE_CHARACTERS = "".join((*_CHINESE_DIGITS, *_CHINESE_STEPS, *_CHINESE_SCALES))
_MEASURES = "年月日号號人名个個次岁歲元米公里吨件家种項项位倍亩只座艘架辆所届场天周小秒点"
CHINESE = re.compile(
    rf"(?<![{CHINESE_CHARACTERS}])[{CHINESE_CHARACTERS}]+(?=\s*(?:多|余|餘)?[{_MEASURES}])"
    rf"|(?<=百分之)[{CHINESE_CHARACTERS}]+"
    rf"|(?!百分之)[二三四五六七八九]?[百千][{CHINESE_CHARACTERS}]*[一二三四五六七八九十百千万萬亿億]"
)
"""A number in Chinese characters, where what follows or its form shows that it is one."""
CHINESE_RUN = re.compile(f"[{CHINESE_CHARACTERS}]+")
"""Characters of numbers that follow each other, whatever stands around them."""
HAS_HAN = re.compile(f"[{HAN}]")
"""Stands in whatever `CHINESE` finds: quickly looked for where there is none."""


def english(words: str) -> list[tuple[int, bool]]:
    """Return the numbers of a run of English number words, each with whether it is an ordinal.

    A run may hold several: `two four` is 2 and 4; `nineteen eighty` is 1980, as years are said.
    """
    found: list[tuple[int, bool]] = []
    total = current = 0
    open_number = False
    last = 0
    for word in re.findall(r"[a-z]+", words.lower()):
        if word == "and":
            continue
        if word == "dozen":
            current, open_number, last = max(current, 1) * 12, True, 100
        elif word in SCALES:
            scale = SCALES[word]
            if scale == 100:
                current = max(current, 1) * 100
            else:
                total, current = total + max(current, 1) * scale, 0
            open_number, last = True, scale
        else:
            value = SMALL.get(word, ORDINALS.get(word, 0))
            joins = not open_number or last >= 100 or (last in range(20, 100, 10) and value < 10)
            if not joins:
                found.append((total + current, False))
                total = current = 0
            current, open_number, last = current + value, True, value
            if word in ORDINALS:
                found.append((total + current, True))
                total = current = 0
                open_number = False
    if open_number:
        found.append((total + current, False))
    if len(found) == 2 and 10 <= found[0][0] <= 20 <= found[1][0] < 100:
        return [(found[0][0] * 100 + found[1][0], False)]
    return found


def chinese(text: str) -> Decimal:
    """Return the value of a number in Chinese characters; without steps (`二〇二三`) they are digits."""
    if not any(c in _CHINESE_STEPS or c in _CHINESE_SCALES for c in text):
        return Decimal("".join(str(_CHINESE_DIGITS[c]) for c in text))
    total = section = digit = 0
    for c in text:
        if c in _CHINESE_DIGITS:
            digit = _CHINESE_DIGITS[c]
        elif c in _CHINESE_STEPS:
            section += (digit or 1) * _CHINESE_STEPS[c]
            digit = 0
        else:
            total = (total + section + digit or 1) * _CHINESE_SCALES[c]
            section = digit = 0
    return Decimal(total + section + digit)
