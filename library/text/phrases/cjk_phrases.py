"""Words and phrases of Chinese and Japanese text, without a dictionary.

A run of characters is a phrase when it recurs, when its parts stand together more often than chance
(pointwise mutual information), and when what stands before and after it varies (boundary entropy): half a
word always has the same neighbour.
"""

import math
import re
from collections import Counter
from collections.abc import Sequence

from library.text.multilingual.scripts import CJK

SHORTEST, LONGEST = 2, 8
_RUN = re.compile(f"[{CJK}]+")
_EDGES = frozenset(
    "的了是在和与及或对将把被从到为以等也都就而之其这那有不很更最又再还并但因所如若则且于由向给让使得着过们吗呢吧啊"
    "我你他她它个中上下一二两三四五六七八九十几多每各某该此已未曾会能可要应须只才却仍后前时内外间里年月日"
    "はがをにでとのもへやかねよらりるれたてしすまいう"
)
_NEVER_INSIDE = frozenset("的了是和与及")
_NEVER_FIRST = _EDGES - frozenset("中上下一二三四五六七八九十多外内前后可应有不年月日会能")
_NEVER_LAST = _EDGES - frozenset("上下中外内前后间里时会能年月日多")
_NUMERALS = frozenset("〇零一二三四五六七八九十百千万亿两几多0123456789")
_MEASURES = frozenset("百千万亿元米吨亩户次场人名年月日时分秒小钟公里厘斤岁倍只条座所间家位个種台件回度")


def _only_counts(gram: str, before: Counter[str]) -> bool:
    """Tell whether a run is a measure, or begins with the measure word of the number before it."""
    if (_MEASURES | _NUMERALS).issuperset(gram):
        return True
    numbers = sum(count for sign, count in before.items() if sign in _NUMERALS)
    return gram[0] in _MEASURES and numbers >= 0.5 * before.total()


def character_phrases(texts: Sequence[str], against: Sequence[str] = ()) -> dict[str, float]:
    """Return phrases of the texts with a score; none for texts without Chinese or Japanese characters."""
    runs = [(number, run) for number, text in enumerate(texts) for run in _RUN.findall(text)]
    if not runs:
        return {}
    counts, before, after, spread = _count(runs)
    total = sum(len(run) for _, run in runs)
    least = 2 if total < 20_000 else 3
    others: Counter[str] = Counter()
    for text in against:
        others.update({gram for run in _RUN.findall(text) for gram in _grams(run)})
    scores: dict[str, float] = {}
    for gram, count in counts.items():
        if len(gram) < SHORTEST or count < least or gram[0] in _NEVER_FIRST or gram[-1] in _NEVER_LAST:
            continue
        freedom = min(_entropy(before[gram]), _entropy(after[gram]))
        cohesion = _cohesion(gram, counts, total)
        if freedom < 0.5 or cohesion < 1.0 or not _NEVER_INSIDE.isdisjoint(gram):
            continue
        if _only_counts(gram, before[gram]):
            continue
        contrast = 1.0
        if against:
            contrast = (
                math.log2(1 + (len(spread[gram]) / len(texts)) / ((others[gram] + 0.5) / (len(against) + 1)))
                / 2
            )
        length = {2: 0.8, 3: 1.1, 4: 1.4, 5: 1.3, 6: 1.2}.get(len(gram), 0.9)
        worth = math.log2(1 + count) + math.log2(1 + len(spread[gram]))
        scores[gram] = worth * min(cohesion, 6.0) * min(freedom, 2.0) ** 0.5 * length * contrast
    return _drop_parts(scores, counts)


def _grams(run: str) -> list[str]:
    return [run[i : i + n] for n in range(SHORTEST, LONGEST + 1) for i in range(len(run) - n + 1)]


def _count(
    runs: Sequence[tuple[int, str]],
) -> tuple[Counter[str], dict[str, Counter[str]], dict[str, Counter[str]], dict[str, set[int]]]:
    counts: Counter[str] = Counter()
    for _, run in runs:
        counts.update(run)
        counts.update(_grams(run))
    before: dict[str, Counter[str]] = {}
    after: dict[str, Counter[str]] = {}
    spread: dict[str, set[int]] = {}
    for serial, (number, run) in enumerate(runs):
        for size in range(SHORTEST, LONGEST + 1):
            for start in range(len(run) - size + 1):
                gram = run[start : start + size]
                if counts[gram] < 2:
                    continue
                # The end of a run is a neighbour of its own each time: punctuation closes a word for sure.
                left = run[start - 1] if start else f"<{serial}"
                right = run[start + size] if start + size < len(run) else f">{serial}"
                before.setdefault(gram, Counter())[left] += 1
                after.setdefault(gram, Counter())[right] += 1
                spread.setdefault(gram, set()).add(number)
    return counts, before, after, spread


def _entropy(neighbours: Counter[str]) -> float:
    total = neighbours.total()
    return -sum(n / total * math.log2(n / total) for n in neighbours.values())


def _cohesion(gram: str, counts: Counter[str], total: int) -> float:
    """Return the weakest joint of the run: the least mutual information over its splits into two."""
    whole = counts[gram] / total
    return min(
        math.log2(whole / ((counts[gram[:i]] / total) * (counts[gram[i:]] / total)))
        for i in range(1, len(gram))
    )


def _drop_parts(scores: dict[str, float], counts: Counter[str]) -> dict[str, float]:
    """Drop runs that mostly stand inside a longer phrase."""
    parts: set[str] = set()
    for gram in sorted(scores, key=len, reverse=True):
        for part in _grams(gram):
            if part != gram and part in scores and counts[gram] >= 0.6 * counts[part]:
                parts.add(part)
    return {gram: score for gram, score in scores.items() if gram not in parts}
