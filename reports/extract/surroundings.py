"""What stands around a section on its page: what its part of the page is about, and what goes on from it.

A section that is shorter than an answer, or one of several that together are what is asked about, is read
with its neighbours: the overview of a filter beside the line that tells its menu, a loan's first payment
behind its terms.
"""

import re
from collections.abc import Iterator, Sequence
from itertools import zip_longest

from library.passages import headings_above, terms_above, word_count
from models import Statistics
from reports.extract.page_units import PageUnit, entry_of, heading_of, path_of
from reports.extract.ranked_sections import RankedSection

_SHORT = 60
"""Words of a section from which on it is an answer by itself."""
_INSIDE = 2
"""Headings, the page's title included, of a section that leads to some: under the title alone stand all."""
_NAME_WORDS = 3
"""Words of a command's or setting's bare name, at most."""
_BEGINS_SMALL = re.compile(r"[a-z$./<-]")
_SIGNS = re.compile(r"[<>{}\[\]|=]|(?:^|\s)--?\w")
_NAMED_AS_CODE = re.compile(r"\w\(|\w_\w|\w=\w")


def is_short(places: Sequence[int], units: Sequence[PageUnit]) -> bool:
    """Tell whether units say less than an answer does."""
    return sum(word_count(units[i].told.words) for i in places) < _SHORT


def is_part(question: str, section: RankedSection, units: Sequence[PageUnit], statistics: Statistics) -> bool:
    """Tell whether what a section stands under is nearer to what is asked than what it is called itself."""
    path = path_of(units[section.places[0]])
    if len(path) < 2 or path[-1] == path[-2]:
        return False
    near = statistics.meaning(question, path[-2:])
    above, own = near if near is not None else statistics.relevance(question, path[-2:])
    return above > 0 and above >= own


def beside(
    section: RankedSection, sections: Sequence[RankedSection], units: Sequence[PageUnit]
) -> Iterator[RankedSection]:
    """Yield the other sections under the heading that one's stands under, the nearest first.

    Those before it and behind it in turns. Entries of a reference have none: each is about something else.

    Args:
        section: One of a page's.
        sections: All of its page, in any order.
        units: That their places are of.
    """
    first = units[section.places[0]]
    own = path_of(first)
    if entry_of(first) != heading_of(first):
        return
    paths = {s.places: path_of(units[s.places[0]]) for s in sections if s.page == section.page}
    under = {s for s, path in paths.items() if path[: len(own) - 1] == own[:-1] and path != own}
    near = sorted((s for s in sections if s.places in under), key=lambda s: s.places)
    before = [s for s in reversed(near) if s.places < section.places]
    behind = [s for s in near if s.places > section.places]
    for pair in zip_longest(before, behind):
        yield from (each for each in pair if each is not None)


def below(
    section: RankedSection, sections: Sequence[RankedSection], units: Sequence[PageUnit]
) -> list[RankedSection]:
    """Return the sections that stand under the heading of one, in the page's order: what it leads to.

    Args:
        section: One of a page's.
        sections: All of its page, in any order.
        units: That their places are of.
    """
    first = units[section.places[0]]
    own = path_of(first)
    if len(own) < _INSIDE or entry_of(first) != heading_of(first):
        return []
    under = [s for s in sections if s.page == section.page and s.places > section.places]
    paths = {s.places: path_of(units[s.places[0]]) for s in under}
    return sorted(
        (s for s in under if len(paths[s.places]) > len(own) and paths[s.places][: len(own)] == own),
        key=lambda s: s.places,
    )


def typed_name(unit: PageUnit) -> str:
    """Return what a unit stands under in its passage where that is to be typed; empty for all else.

    A command, an option, a setting, told by its form: written small, with signs or in a few words, or as
    names in programs are.
    """
    text, start = unit.passage.text, unit.told.start
    above = [*headings_above(text, start), *(term for term in terms_above(text, start) if term in text)]
    name = above[-1] if above else ""
    small = bool(_BEGINS_SMALL.match(name)) and not name.endswith(("?", "."))
    bare = small and (len(name.split()) <= _NAME_WORDS or bool(_SIGNS.search(name)))
    return name if bare or _NAMED_AS_CODE.search(name) else ""
