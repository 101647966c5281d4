"""The manner of a text: its times, numbers, voices and tenses. Parts of an article differ in these too.

What happened is told by the clock, what lies before by the year or the century; reactions quote; a life
says "she".
"""

import math
import re
from collections import Counter

import numpy as np
from numpy.typing import NDArray

from library.text import words

# Without a `\b` in front, which would have every place of a text tried.
_CLOCK = re.compile(r"\d(?<!\w\d)\d?[:.]\d\d\b|[ap](?<!\w[ap])\.?m\b|\d[时点]")
_CENTURY = re.compile(r"centur|世纪|王朝", re.IGNORECASE)
_YEAR = re.compile(r"(?<!\d)(1[0-9]{3}|20[0-4]\d)(?!\d)")
_NUMBER = re.compile(r"\d+")
_QUOTE = re.compile(r"[\"“”「」]")
_MONEY = re.compile(r"[$€£¥]|[mb](?<!\w[mb])illion\b|[万亿]元")
_SHARE = re.compile(r"%|\bper ?cent\b|百分之")
_CAPITAL = re.compile(r"[A-Z](?<!\w[A-Z])")
_POINT = re.compile(r"[,;:()，；：（）]")

_VOICES = frozenset({
    "said", "stated", "announced", "claimed", "told", "added", "called", "urged", "described", "expressed",
    "reported", "condemned", "criticized", "criticised", "praised", "wrote", "commented", "tweeted",
})  # fmt: skip
_COUNTED = (
    _VOICES,
    frozenset({"he", "his", "him"}),
    frozenset({"she", "her"}),
    frozenset({"they", "their"}),
    frozenset({"had"}),
    frozenset({"will", "would"}),
    frozenset({"is", "are", "has"}),
    frozenset({"was", "were"}),
)
_RECENT = 2010.0
_NEXT = 2035.0


def manner(text: str) -> NDArray[np.float64]:
    """Return the manner of a text as plain numbers; only differences within a collection mean anything."""
    tokens = words(text)
    times = Counter(tokens)
    length = len(tokens) + 3.0
    years = sorted(int(year) for year in _YEAR.findall(text))
    middle = float(years[len(years) // 2]) if years else _RECENT
    return np.array([
        bool(_CLOCK.search(text)),
        bool(_CENTURY.search(text)),
        bool(years) and years[0] < 1950,
        bool(years),
        -math.log(max(1.0, _NEXT - max(1500.0, middle))),
        len(_NUMBER.findall(text)) / length,
        bool(_QUOTE.search(text)),
        *(sum(times[word] for word in counted) / length for counted in _COUNTED),
        bool(_SHARE.search(text)),
        bool(_MONEY.search(text)),
        len(_CAPITAL.findall(text)) / length,
        math.log(length),
        len(_POINT.findall(text)) / length,
    ], dtype=np.float64)
