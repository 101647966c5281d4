"""What a search finds, ranked by what it means as well as by its words.

Of 100 questions 95 are answered on one of the sixty pages that words put first; which of
them it is, they tell in half. So of the best pages by words those are taken whose title, or title and first
lines, mean what is asked; and of what all readings found, the passages that mean it come first. Only for
texts in English, which the sentence model knows: others keep the order that words give them.

However many passages there are, a search reads 24 of them for their meaning at most, and for a question the
titles and the first lines of 60 pages.
"""

import re
from collections.abc import Sequence

from library.evidence import Passage
from library.search.interface import Hit
from library.text.similarity.tfidf import TextStatistics

CANDIDATE_PAGES, BEST_PAGES, OF_A_PAGE = 60, 15, 2
"""Pages that words bring forward; those of them that mean most; and the passages that are taken of each."""
_CANDIDATES, _FIRST = 24, 10
"""Passages that are ranked by meaning too, and what is added to a rank there."""
_MEANING = 2.0
"""What the order by meaning counts, beside 1 for the order in which they came."""
_LEAD = 300
"""Characters of a page's first lines."""
_HEADING = re.compile(r"^#{1,6} .*$", re.MULTILINE)


def likeliest_pages(query: str, firsts: Sequence[Passage], statistics: TextStatistics) -> list[int]:
    """Return which pages mean most of what is asked, best first; [] where that is not known.

    Args:
        query: What is asked.
        firsts: The first passage of each page.
        statistics: Knows what texts mean.
    """
    leads = [f"{p.title}. {' '.join(_HEADING.sub('', p.text)[:_LEAD].split())}" for p in firsts]
    by_lead = statistics.meaning(query, leads)
    by_title = statistics.meaning(query, [p.title for p in firsts])
    if by_lead is None or by_title is None:
        return []
    fits = [max(pair) for pair in zip(by_lead, by_title, strict=True)]
    return sorted(range(len(firsts)), key=lambda n: (-fits[n], n))[:BEST_PAGES]


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
