"""The line below a document's title that says whose it is and when it was published: its byline.

It is told by its place and its form alone: right below the title, in one line, with a date, and either set
apart as a whole (`*The Courier, 16 March 1987*`) or of hardly any words that a sentence needs (`By Jane Doe,
16 March 1987`).
"""

import re
from dataclasses import dataclass

from library.text.multilingual.scripts import CJK, HANGUL
from library.text.quantities.date_parsing import dates

_BEGINNING = 1_000
"""Characters of a text in which its title and its byline stand."""
_LONGEST, _LONGEST_TITLE = 240, 160
_MOST_WORDS, _MOST_SMALL = 12, 2
"""Words of a byline that is not set apart, and those of them that are long and begin with a small letter."""
_MOST_CHARACTERS = 24
"""The same where words are not parted, beside the date."""
_UNDERLINE = re.compile(r"([=~*#^-])\1{2,}[ \t]*")
_SET_APART = re.compile(r"([*_]{1,3})(?=\S)(.+)(?<=\S)\1")
_NO_BYLINE = re.compile(r"[#>|`<\[]|[-+*] ")
_SENTENCE_END = re.compile(r"[.!?:;,。！？：；，]$")
_YEAR = re.compile(r"(?:[,;·|(©–—]|\d/)\s?(?:[^\W\d_]{1,12} )?(1[5-9]\d\d|20\d\d)(?=[.,;)]|$)")
"""A year that ends a part of the line, alone or behind one word: `summer 2022`."""
_SMALL = re.compile(r"\b(?=[^\W\d_]{4})[^\W\d_A-Z][^\W\d_]+")
_WORD = re.compile(r"[^\W\d_]+")
_UNPARTED = re.compile(f"[{CJK}{HANGUL}]")


@dataclass(frozen=True, slots=True)
class Byline:
    """What a document says of itself below its title."""

    words: str
    """The line, without the marks that set it apart."""
    published: str
    """ISO 8601 date, shortened to the month or the year where no more is said."""
    start: int
    end: int
    """Where the line stands in the text."""


def byline(text: str, latest: str = "") -> Byline | None:
    """Return the byline of a text, whose own title stands first; None where there is none.

    Args:
        text: From its beginning.
        latest: ISO 8601 date: what is dated later is no publication; empty: that is not looked at.
    """
    lines = [line.strip() for line in text[:_BEGINNING].splitlines() if line.strip()][:4]
    if len(lines) > 1 and _UNDERLINE.fullmatch(lines[1]):
        del lines[1]
    if len(lines) > 2 and _UNDERLINE.fullmatch(lines[2]):
        return None
    if len(lines) < 2 or len(lines[0]) > _LONGEST_TITLE or len(lines[1]) > _LONGEST:
        return None
    title, line = lines[:2]
    if _NO_BYLINE.match(line):
        return None
    apart = _SET_APART.fullmatch(line)
    words = line.replace("*", "") if apart is None or apart[1][0] == "*" else line.strip("_")
    published = _published(words, whole=apart is None)
    if not published or (latest and published > latest[: len(published)]):
        return None
    if not title.startswith("#") and dates(title)[0]:
        return None
    start = text.index(line, text.index(title) + len(title))
    end = start + len(line)
    alone = not text[end:_BEGINNING].partition("\n")[2].partition("\n")[0].strip()
    return Byline(words, published, start, end) if apart or (alone and _is_bare(words)) else None


def byline_span(text: str) -> range:
    """Return where the byline of a text stands, an empty range where there is none: nobody quotes that."""
    found = byline(text)
    return range(found.start, found.end) if found else range(0)


def _published(line: str, *, whole: bool) -> str:
    """Return the first of the most exact dates of a line (ISO 8601), or ""; `whole`: it has its day."""
    found = [one for one in dates(line)[0] if one.year is not None and one.other is None]
    if found:
        best = min(found, key=lambda one: (one.month is None, one.day is None, one.start))
        if whole and best.day is None:
            return ""
        parts = (f"{best.year:04}", best.month and f"{best.month:02}", best.day and f"{best.day:02}")
        return "-".join(part for part in parts if part)
    year = None if whole else _YEAR.search(line)
    return year[1] if year else ""


def _is_bare(line: str) -> bool:
    """Tell whether a line with a date is no sentence of the text."""
    rest = dates(line)[1]
    if _SENTENCE_END.search(line):
        return False
    if _UNPARTED.search(rest):
        return len("".join(rest.split())) <= _MOST_CHARACTERS
    return len(_WORD.findall(rest)) <= _MOST_WORDS and len(_SMALL.findall(rest)) <= _MOST_SMALL
