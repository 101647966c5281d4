"""What a search finds, ranked by what it means as well as by its words.

Of 100 questions 95 are answered on one of the sixty pages that words put first; which of
them it is, they tell in half. So of the best pages by words those are taken whose title, or title and first
lines, mean what is asked; and of what all readings found, the passages that mean it come first. Only for
texts in English, which the sentence model knows: others keep the order that words give them. The sixty
best sections of those pages are looked at in the same way, and taken where they mean as much as the best page
does: of a page on many things no title tells enough. Where fewer pages share a word with the question, their
best sections make up the number, as if they were pages: so it is of a manual in twelve chapters.

However many passages there are, a search reads 24 of them for their meaning at most, and for a question the
titles and the first lines of 120 pages and sections.
"""

import re
from collections.abc import Sequence

from library.evidence import Passage
from library.search.interface import Hit
from library.text.headings import without_number
from library.text.similarity.tfidf import TextStatistics

CANDIDATE_PAGES, CANDIDATE_SECTIONS, BEST_PAGES, OF_A_PAGE = 60, 60, 15, 2
"""Pages, and sections of them, that words bring forward; those of all that mean most; and the passages that
are taken of each."""
_CANDIDATES, _FIRST = 24, 10
"""Passages that are ranked by meaning too, and what is added to a rank there."""
_MEANING = 2.0
"""What the order by meaning counts, beside 1 for the order in which they came."""
_LEAD = 300
"""Characters of a page's first lines."""
_HEADING = re.compile(r"^#{1,6} .*$", re.MULTILINE)


def likeliest(
    query: str, beginnings: Sequence[Passage], statistics: TextStatistics, beside: int = 0
) -> list[int]:
    """Return which pages and sections mean most of what is asked, best first; [] where that is not known.

    Args:
        query: What is asked.
        beginnings: The passage that each begins with. A section's begins with its heading.
        statistics: Knows what texts mean.
        beside: How many of them, the last, are only taken where they mean as much as the best of the others.
    """
    titles = [_title(passage) for passage in beginnings]
    leads = [
        f"{title}. {' '.join(_HEADING.sub('', p.text)[:_LEAD].split())}"
        for title, p in zip(titles, beginnings, strict=True)
    ]
    # Asked for together: names alone ("I2P", "Samba") may be taken for another language than the lines.
    near = statistics.meaning(query, [*leads, *titles])
    if near is None:
        return []
    fits = [max(pair) for pair in zip(near[: len(leads)], near[len(leads) :], strict=True)]
    # A manual may lie there page by page and as a whole.
    once = {lead: n for n, lead in reversed(list(enumerate(leads)))}
    others = len(leads) - beside
    best = max(fits[:others], default=0.0)
    taken = [n for n in once.values() if n < others or fits[n] >= best]
    return sorted(taken, key=lambda n: (-fits[n], n))[:BEST_PAGES]


def opens_section(passage: Passage) -> bool:
    """Tell whether a passage opens a section of its page: it begins with a heading, and not with the page."""
    return passage.start > 0 and bool(_HEADING.match(passage.text))


def _title(passage: Passage) -> str:
    """Return the title of what a passage begins: its section's heading, else its page's title."""
    if not opens_section(passage):
        return passage.title
    return without_number(passage.text.split("\n", maxsplit=1)[0].strip("# "))


def by_meaning(query: str, hits: Sequence[Hit], statistics: TextStatistics) -> list[Hit]:
    """Return hits in an order in which what they mean counts too; as they are where that is not known."""
    texts = [f"{hit.title}. {hit.passage.text}" for hit in hits[:_CANDIDATES] if hit.passage]
    likeness = statistics.meaning(query, texts)
    if likeness is None:
        return list(hits)
    places = sorted(range(len(texts)), key=lambda place: (-likeness[place], place))
    ranks = {place: rank for rank, place in enumerate(places, 1)}
    worth = [1 / (_FIRST + place + 1) + _MEANING / (_FIRST + ranks[place]) for place in range(len(texts))]
    order = sorted(range(len(texts)), key=lambda place: (-round(worth[place], 12), place))
    return [*(hits[place] for place in order), *hits[len(texts) :]]
