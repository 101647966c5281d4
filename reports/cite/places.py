"""Where in a long source a passage stands: its page, or the heading that it stands under.

One number for a manual of forty sections leads nobody to the words; so the list of sources says where.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from library import Passage, Source
from library.passages import blocks, headings_above, short_title, word_count
from reports.report_phrases import ReportPhrases
from reports.visible_text import plain

LONG = 5000
"""Characters from which on a source without pages is long: some two printed pages."""
_NAME = 120
"""Characters of a heading that are shown."""


@dataclass(frozen=True, slots=True)
class CitedPlace:
    """A page or a section of a source, with what is cited of it."""

    mark: str
    """`p. 12`, which a citation adds; empty for a section."""
    heading: str
    """That it stands under, with the one above where two are called alike; may be empty for a page."""
    passages: tuple[Passage, ...]
    paged: bool = False

    @property
    def line(self) -> str:
        """What the list of sources says of it."""
        return ": ".join(part for part in (self.mark, self.heading) if part)


def section_of(passage: Passage, source: Source) -> list[str]:
    """Return the headings that a passage stands under, the outermost first; [] where there are none.

    One that begins with a heading stands under that; one that lies in two sections, in that which has most
    of its words.
    """
    words: dict[tuple[str, ...], float] = {}
    for block in blocks(passage.text):
        if block.form != "heading":
            path = tuple(headings_above(source.text, passage.start + block.start))
            words[path] = words.get(path, 0.0) + word_count(passage.text[block.start : block.end])
    # A heading alone, and a text that is no block, stand where they begin.
    path = max(words, key=lambda path: words[path], default=tuple(headings_above(source.text, passage.start)))
    return [name for heading in path if (name := plain(heading))]


def section_line(passage: Passage, source: Source) -> str:
    """Return the headings that a passage stands under in one line; empty where there are none."""
    return " › ".join(section_of(passage, source))


def places_of(passages: Sequence[Passage], source: Source, words: ReportPhrases) -> tuple[CitedPlace, ...]:
    """Return the places of a long source that are cited, in the source's order; () for a short one.

    A source without pages is told by its headings.
    """
    ordered = sorted(passages, key=lambda passage: passage.start)
    if len(source.pages) > 1:
        on: dict[str, list[Passage]] = {}
        for passage in ordered:
            on.setdefault(_pages(passage, source), []).append(passage)
        # What a reference manager knows of a work stands before the first page.
        return tuple(
            CitedPlace(
                words.page.format(n=n) if n else "",
                _heading(section_of(held[0], source)) or ("" if n else plain(source.title)[:_NAME]),
                tuple(held),
                paged=bool(n),
            )
            for n, held in on.items()
        )
    if len(source.text) < LONG:
        return ()
    under: dict[tuple[str, ...], list[Passage]] = {}
    for passage in ordered:
        under.setdefault(tuple(section_of(passage, source)), []).append(passage)
    if list(under) == [()]:
        return ()
    last = [path[-1] if path else "" for path in under]
    return tuple(
        CitedPlace(
            "",
            _heading(path[-2:] if last.count(last[n]) > 1 else path[-1:]) or plain(source.title)[:_NAME],
            tuple(held),
        )
        for n, (path, held) in enumerate(under.items())
    )


def _pages(passage: Passage, source: Source) -> str:
    """Return the pages that a passage lies on, `3` or `3–4`; empty for what stands before the first."""
    first, last = source.page(passage.start), source.page(passage.end - 1)
    return str(last or "") if first in (None, last) else f"{first}–{last}"


def _heading(names: Sequence[str]) -> str:
    return " › ".join(short_title(name, _NAME) for name in names[-2:] if name)
