"""What people call what some texts tell: the headings and page titles that fit all of them best.

A name that an author gave is better than any phrase put together from frequent words, so nothing is made up:
where no heading fits, there is none.
"""

from collections import Counter
from collections.abc import Sequence

from library.passages.blocks import blocks, sections
from library.text.headings import heading
from models import Statistics

_OWN, _SHARE, _APART = 1.0, 0.5, 0.5
"""What it counts that a heading fits the texts, that it is theirs, and that it does not fit the others."""
_EVERYWHERE = 0.5
"""The share of the others' pages that have a heading from which on it names nothing: "Note", "See also"."""
_MANY, _OFTEN = 3, 0.2
"""Pages that have a heading inside, and their share of all, from which on it names none: "Description"."""


def repeated_headings(texts: Sequence[str], titles: Sequence[str]) -> list[str]:
    """Return the headings that stand inside so many pages that none of them is about what they say.

    Args:
        texts: Passages.
        titles: The page's title for each.
    """
    pages: dict[str, set[str]] = {}
    for text, title in zip(texts, titles, strict=True):
        for name in _names(text, ""):
            pages.setdefault(name, set()).add(title)
    least = max(_MANY, _OFTEN * len(set(titles)))
    called = {heading(title) for title in titles}
    return [name for name, where in pages.items() if len(where) >= least and name not in called]


def unsaid_headings(texts: Sequence[str], statistics: Statistics) -> list[str]:
    """Return the headings of which no text says a word below them: they tell what kind of part it is.

    “Notes”, “Other”, “See also” and “References” are such in any language, and all with nothing below them.

    Args:
        texts: Passages.
        statistics: Knows the words in all their forms.
    """
    said: dict[str, bool] = {}
    for text in texts:
        for title, below in sections(text):
            if (name := heading(title)) and not said.get(name):
                said[name] = bool(set(statistics.terms(name)) & set(statistics.terms(below)))
    return [name for name, told in said.items() if not told]


def shared_headings(
    texts: Sequence[str],
    titles: Sequence[str],
    statistics: Statistics,
    *,
    others: Sequence[str] = (),
    other_titles: Sequence[str] = (),
    taken: Sequence[str] = (),
) -> list[str]:
    """Return the headings of some texts, the best name for them all first.

    Each is weighed by three features: how well it fits the texts (mean cosine), for how many it is the title
    of the page or a heading in them (share), and how well it fits the others (mean cosine, against it).

    Args:
        texts: What wants a name.
        titles: The page's title for each.
        statistics: Weighs the words.
        others: Texts that it should be told apart from.
        other_titles: The page's title for each of those.
        taken: Texts whose words a heading must not merely repeat: the topic, other headings.
    """
    own = Counter(name for text, title in zip(texts, titles, strict=True) for name in _names(text, title))
    beside = zip(others, other_titles, strict=True)
    there = Counter(name for text, title in beside for name in _names(text, title))
    known = [set(statistics.terms(text)) for text in taken]
    found: dict[str, float] = {}
    for name, count in own.items():
        words = set(statistics.terms(name))
        if not words or any(words <= old for old in known):
            continue
        if others and there[name] > _EVERYWHERE * len(others):
            continue
        found[name] = (
            _OWN * _mean(statistics.relevance(name, texts))
            + _SHARE * count / len(texts)
            - _APART * _mean(statistics.relevance(name, others))
        )
    return sorted(found, key=lambda name: (-round(found[name], 9), name))


def _names(text: str, title: str) -> set[str]:
    """Return what may name a text: its page's title, and the headings that stand in it."""
    inside = (text[block.start : block.end] for block in blocks(text) if block.form == "heading")
    return {name for line in (title, *inside) if (name := heading(line))}


def _mean(values: Sequence[float]) -> float:
    return sum(values) / len(values) if values else 0.0
