"""What a collection is said to hold where nobody says it: made of its titles and headings.

A model, or the program without one, chooses by it where to search, and a person sees it in lists.
"""

import re
from collections import Counter
from collections.abc import Iterable, Sequence

from library.store.store import Held, Store
from library.text import HAN
from library.text import tokenize as analysis
from library.text.headings import without_number

_FEW = 20
"""Documents up to which their headings count beside their titles."""
_LENGTH, _LONGEST = 240, 60
"""Characters of all that is named, and of one name."""
_BETWEEN = (" — ", " – ", " | ", " - ", " · ")
"""What parts a page's title from its site's."""
_CHINESE = re.compile(f"[{HAN}]")


def is_made(description: str, *made: str) -> bool:
    """Tell whether nobody wrote a description: it is empty, or one that is made, with what follows."""
    return not description or any(description == line or description.startswith(f"{line}: ") for line in made)


def describe_by_headings(store: Store, held: Held, made: str) -> Held:
    """Describe a collection by what its documents are about, unless somebody has; return it as it is now.

    Args:
        store: Where it is.
        held: The collection.
        made: What the description begins with: `Documents in …`, `Pages of …`.
    """
    if not is_made(held.description, made):
        return held
    names = telling_names(_names(store, held))
    about = ("；" if any(_CHINESE.search(name) for name in names) else "; ").join(names)
    line = f"{made}: {about}" if about else made
    return store.make_collection(held.name, line, held.paths, private=held.private)


def telling_names(names: Sequence[str]) -> list[str]:
    """Return a few of many names that tell what they are about together.

    One after the other that name is taken whose words occur in most names, as far as they are not told yet,
    for its length.
    """
    kept = list(dict.fromkeys(name for name in _bare(names) if 0 < len(name) <= _LONGEST))
    words = {name: frozenset(filter(str.isalpha, analysis.title_terms(name))) for name in kept}
    number = Counter(word for name in kept for word in words[name])
    told: set[str] = set()
    chosen: list[str] = []
    room = _LENGTH
    while kept:
        best = max(kept, key=lambda name: sum(number[w] for w in words[name] - told) / (len(name) + 10))
        if not words[best] - told or len(best) > room:
            break
        chosen.append(best)
        told |= words[best]
        room -= len(best) + 2
        kept.remove(best)
    return chosen


def _names(store: Store, held: Held) -> list[str]:
    """Return the titles of a collection's documents; of few documents their headings too."""
    with store.reading() as connection:
        rows = connection.execute(
            "SELECT DISTINCT s.sha256, s.title FROM files f JOIN sources s ON s.sha256 = f.sha256"
            " WHERE f.collection = ? ORDER BY f.path",
            (held.id,),
        ).fetchall()
    names = [title for _, title in rows]
    if len(rows) <= _FEW:
        for sha256, _ in rows:
            source = store.source(sha256)
            lines = source.text.splitlines() if source is not None else []
            names += (without_number(line.lstrip("# ").strip()) for line in lines if line.startswith("#"))
    return names


def _bare(names: Sequence[str]) -> Iterable[str]:
    """Yield names without what most of them begin or end with: the name of a site, of a book."""
    parted = [_parted(name) for name in names]
    shared = Counter(piece for pieces in parted if len(pieces) > 1 for piece in {pieces[0], pieces[-1]})
    often = {piece for piece, count in shared.items() if 2 * count > len(names) and count > 1}
    for name, pieces in zip(names, parted, strict=True):
        own = [piece for piece in pieces if piece not in often]
        yield " ".join((" ".join(own) if len(own) < len(pieces) else name).split())


def _parted(name: str) -> list[str]:
    mark = next((mark for mark in _BETWEEN if mark in name), None)
    return name.split(mark) if mark else [name]
