"""What stands on page after page of a folder and is no page's own: a motto, a menu, a line on rights.

Learnt from the pages themselves, whatever the words say and whatever the markup calls them. The text that is
kept, and cited, stays whole; only passages are cut without it, so that none begins with it. One page keeps
each such block as a passage of its own, so that what stands everywhere is still found, once.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from library.evidence import Source
from library.passages.blocks import paragraphs
from library.readers.file_kinds import READABLE, ending_of

FEWEST_PAGES = 5
"""Pages that a block stands on, at least; smaller folders have no furniture."""
SHARE = 0.75
"""Of the pages looked at, on more than which it stands; what most say and some deny is theirs to say."""
_EDGE = 8
"""Blocks at the head and at the foot of a page among which there may be furniture."""
_SAMPLE = 24
"""Pages of a folder that are looked at, spread over it."""

Span = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Furniture:
    """Blocks of text, word for word, that stand on most pages; to each the page that keeps it (sha256)."""

    head: Mapping[str, str]
    foot: Mapping[str, str]


def furniture(pages: Mapping[str, str], cut: Mapping[str, Sequence[Span]] | None = None) -> Furniture:
    """Return the furniture of some pages; of fewer than FEWEST_PAGES texts there is none.

    What no page can keep, since those that have it were cut without it, is none: it would be found nowhere.

    Args:
        pages: Texts by their sha256, so that one that stands twice counts once.
        cut: Of those that are kept already and are not cut again, the spans of their passages; None: of none.
    """
    heads: dict[str, dict[str, Span]] = {}
    feet: dict[str, dict[str, Span]] = {}
    for sha256, text in pages.items():
        spans = list(paragraphs(text))
        for found, edge in ((heads, spans[:_EDGE]), (feet, spans[-_EDGE:])):
            for start, end in edge:
                found.setdefault(text[start:end], {}).setdefault(sha256, (start, end))
    least = max(FEWEST_PAGES, int(SHARE * len(pages)) + 1)
    head, foot = (
        {
            block: keeper
            for block, on in found.items()
            if len(on) >= least and (keeper := _keeper(on, cut or {}))
        }
        for found in (heads, feet)
    )
    return Furniture(head, foot)


def _keeper(on: Mapping[str, Span], cut: Mapping[str, Sequence[Span]]) -> str:
    """Return the first page that is still to be cut or has a passage with the block; '' where none is so."""
    for sha256, (start, end) in on.items():
        held = cut.get(sha256)
        if not held or any(begin < end and start < until for begin, until in held):
            return sha256
    return ""


def own_parts(source: Source, known: Furniture) -> list[Span]:
    """Return the spans of a page that are cut into passages, each by itself; [] where it is cut whole.

    Furniture goes only before the first and after the last block that is the page's own. A heading stays with
    the text below it, and a line that ends with a colon with what follows. A page of nothing else is left.
    """
    if not (known.head or known.foot):
        return []
    text = source.text
    blocks = list(paragraphs(text))
    words = [text[start:end] for start, end in blocks]
    first = _leading(words, known.head)
    last = len(words) - _leading(words[::-1], known.foot)
    while 0 < first < len(words) and _leads_on(words[first - 1], words[first]):
        first -= 1
    while 0 < last < len(words) and _leads_on(words[last - 1], words[last]):
        last += 1
    if first >= last or (first, last) == (0, len(words)):
        return []
    begin, end = blocks[first][0], blocks[last - 1][1]
    keeps_head = any(known.head[block] == source.sha256 for block in words[:first])
    keeps_foot = any(known.foot[block] == source.sha256 for block in words[last:])
    parts = [(0, begin)] if keeps_head else []
    return [*parts, (begin, end), *([(end, len(text))] if keeps_foot else [])]


def _leading(blocks: Sequence[str], known: Mapping[str, str]) -> int:
    """Return how many blocks are furniture before the first that is not."""
    return next((n for n, block in enumerate(blocks[:_EDGE]) if block not in known), min(_EDGE, len(blocks)))


def _leads_on(block: str, following: str) -> bool:
    if block.startswith("#"):
        return not following.startswith("#")
    return block.endswith((":", "："))


class FolderFurniture:
    """The furniture of each folder of web pages, learnt when the first page that wants it is taken in."""

    def __init__(self, files: Iterable[Path]) -> None:
        """Set up with all files that there are; those that are no web pages are passed over."""
        self._pages: dict[Path, list[Path]] = {}
        self._learnt: dict[Path, Furniture] = {}
        self._above: dict[Path, list[Path]] = {}
        for path in files:
            if _is_page(path):
                self._pages.setdefault(path.parent, []).append(path)

    def unlearnt(self, path: Path) -> list[Path]:
        """Return the folders, a file's own and those above, whose furniture is to be learnt before it is cut.

        [] for what is no web page. A folder without pages enough has no furniture to learn.
        """
        return [folder for folder in self._folders(path) if folder not in self._learnt]

    def sample(self, folder: Path, asking: Path) -> list[Path]:
        """Return the pages of a folder to learn its furniture from, spread over it, and the one that asks.

        That one is cut now, and can keep what pages that were cut before have no passage of.
        """
        pages = self._pages[folder]
        count = min(_SAMPLE, len(pages))
        spread = [pages[n * len(pages) // count] for n in range(count)]
        return [*spread, asking] if asking.parent == folder and asking not in spread else spread

    def learn(self, folder: Path, pages: Mapping[str, str], cut: Mapping[str, Sequence[Span]]) -> None:
        """Learn a folder's furniture from the texts of its sample; `cut` as in `furniture`."""
        self._learnt[folder] = furniture(pages, cut)

    def own_parts(self, path: Path, source: Source) -> list[Span]:
        """Return the spans of a file's text that are cut into passages; [] where it is cut whole."""
        head: dict[str, str] = {}
        foot: dict[str, str] = {}
        for folder in reversed(self._folders(path)):  # its own folder says last which page keeps a block
            if (known := self._learnt.get(folder)) is not None:
                head |= known.head
                foot |= known.foot
        return own_parts(source, Furniture(head, foot))

    def _folders(self, path: Path) -> list[Path]:
        """Return a page's folder and those above it, of these the ones that have pages enough."""
        if not _is_page(path):
            return []
        if (found := self._above.get(path.parent)) is None:
            found = [above for above in path.parents if len(self._pages.get(above, ())) >= FEWEST_PAGES]
            self._above[path.parent] = found
        return found


def _is_page(path: Path) -> bool:
    return READABLE.get(ending_of(path)) == "html"
