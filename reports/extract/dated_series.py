"""Documents that differ by their date, as minutes of each year: the newest tell how things stand."""

import re
from collections.abc import Mapping, Sequence

from library.text import dates
from reports.extract.page_units import OpeningPassage
from reports.extract.ranked_sections import RankedSection

_NOW = re.compile(
    r"\b(?:now|nowadays|today|current|currently|latest|newest|last|next|at present|at the moment|still|"
    r"ahora|actualmente|últim[oa]|próxim[oa]|maintenant|actuellement|derni[eè]re?|prochaine?|"
    r"jetzt|derzeit|aktuell|zuletzt|nächste[nrs]?|сейчас|теперь|последн\w{2,3}|следующ\w{2,3})\b|"
    r"现在|現在|目前|如今|当前|當前|最近|最新|上次|下次|下一次",
    re.IGNORECASE,
)
"""Asks how things stand, or for what was last or will be next."""
_NEAR = 0.5
"""How well a section must fit to be of the same matter, as a share of the best one's fit."""
_MOST = 3
"""Documents of a series that are told of."""


def asks_how_it_stands(question: str) -> bool:
    """Tell whether a question asks for the present, the last or the next (in en, zh, es, fr, de, ru)."""
    return bool(_NOW.search(question))


def in_its_series(
    section: RankedSection,
    ranked: Sequence[RankedSection],
    passages: Sequence[OpeningPassage],
    *,
    now: bool,
) -> list[RankedSection]:
    """Return a section with what documents of its series say of the same matter; alone where none does.

    Where it is asked how things stand `now`, the newest first; else it comes first, and behind it what newer
    ones say, which may have changed it.
    """
    found = newest_first(section, ranked, passages)
    if now or not found:
        return found or [section]
    newer = found[: next((n for n, each in enumerate(found) if each.page == section.page), len(found))]
    return [section, *newer]


def newest_first(
    section: RankedSection, ranked: Sequence[RankedSection], passages: Sequence[OpeningPassage]
) -> list[RankedSection]:
    """Return a section with those of the same matter in documents of its series, the newest first.

    Documents of a series are called the same but for the day, and each says of which day it is. [] where the
    section stands in none.

    Args:
        section: One that answers.
        ranked: All, the best first.
        passages: What they stand in.
    """
    series = _series(passages)
    called = series.get(section.page)
    if called is None:
        return []
    own: dict[str, RankedSection] = {section.page: section}
    for other in ranked:
        if other.fit >= _NEAR * section.fit and series.get(other.page, ("",))[0] == called[0]:
            own.setdefault(other.page, other)
    if len(own) < 2:
        return []
    return sorted(own.values(), key=lambda each: series[each.page][1], reverse=True)[:_MOST]


def _series(passages: Sequence[OpeningPassage]) -> Mapping[str, tuple[str, str]]:
    """Return what dated pages are called without their day, and the day."""
    return {p.sha256: (_undated(p.title), p.day) for p in passages if p.day}


def _undated(title: str) -> str:
    return " ".join(re.findall(r"[^\W\d_]+", dates(title)[1].casefold()))
