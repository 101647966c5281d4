"""Citations in a text, however they are written: numbers, notes, names with a year, links."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from reports.audit.reference_entry import ReferenceEntry, tokens, trimmed

_NUMBERS = re.compile(r"[\[【](\d{1,3}(?:\s*[,;，、–—-]\s*\d{1,3})*)[\]】](?:\([^()\s]*\))?")
_NAMED = re.compile(r"\[\^?([\w+-]{1,40})\](?:\([^()\s]*\))?(?!:)")
_SUPERSCRIPT = re.compile(r"(?<=[^\s\d])[⁰¹²³⁴-⁹]+(?:[,‚–-][⁰¹²³⁴-⁹]+)*")
_FROM_SUPERSCRIPT = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹‚", "0123456789,")
_ROUND = re.compile(r"\(([^()]{0,300}?\b(?:1[5-9]|20)\d\d[a-z]?[^()]{0,60})\)")
_LINK = re.compile(
    r"(?<!!)\[([^\[\]\n]{1,300})\]\(<?(https?://[^\s<>()]*(?:\([^\s()]*\)[^\s<>()]*)*)>?(?:\s+\"[^\"]*\")?\)"
)
_BARE = re.compile(r"<?(https?://[^\s<>\"“”«»\[\]（），。]+)>?")
_NAME_YEAR = re.compile(
    r"(?P<names>[^\W\d_][^\d;()]{1,160}?)[,\s]+(?P<year>(?:1[5-9]|20)\d\d)(?P<letter>[a-z]?)\b", re.UNICODE
)
_NARRATIVE = re.compile(
    r"(?<![\w’'-])"
    r"(?P<names>[A-Z][\w’'-]+(?:(?:,| and| &| et al\.?|,? and others|等)\s?(?:[A-Z][\w’'-]+)?){0,4})\s*$"
)
_LEAD_IN = re.compile(
    r"^(?:see(?: also)?|cf\.?|e\.g\.,?|i\.e\.,?|for example,?|as in|siehe|vgl\.?|voir)\s+", re.IGNORECASE
)
_YEAR_ALONE = re.compile(r"\s*((?:1[5-9]|20)\d\d)([a-z]?)(?:[,:]\s*(?:pp?\.\s*)?[\d–-]+)?\s*")
_PAGES = re.compile(r"(?:,|(?<!\s))\s*(?:pp?\.|S\.)\s*[\d–-]+\s*$")


_WITHOUT_LIST = 3
"""Different numbers in brackets from which a text without a list cites by number all the same."""


@dataclass(frozen=True, slots=True)
class CitationMark:
    """A citation in the text."""

    start: int
    end: int
    keys: tuple[str, ...]
    """Of the references that it leads to; empty for one that leads to none."""
    words: str = ""
    """What stays of it in the sentence."""


class CitationReader:
    """Reads the citations of one text, piece by piece."""

    def __init__(self, text: str, listed: Sequence[ReferenceEntry]) -> None:
        """Take a text and the references that it lists."""
        self._text = text
        self._listed = listed
        self._keys = {reference.key for reference in listed}
        unlisted = not listed and len({match[0] for match in _NUMBERS.finditer(text)}) >= _WITHOUT_LIST
        self._numbered = unlisted or any(key.isdigit() for key in self._keys)
        self._dated = any(re.search(r"\((?:1[5-9]|20)\d\d[a-z]?\b", one.text) for one in listed)
        self.links: dict[str, ReferenceEntry] = {}
        """Links to what is not listed, by their address."""
        self.dangling: list[str] = []
        """Citations of what is not listed, as written."""

    def marks(self, start: int, end: int) -> list[CitationMark]:
        """Return the citations between two places of the text."""
        found: list[CitationMark] = []
        for read in (self._linked, self._by_number, self._by_name, self._raised, self._by_year):
            fresh = [mark for mark in read(start, end) if not any(_overlap(mark, one) for one in found)]
            found += fresh
        return sorted(found, key=lambda mark: mark.start)

    def _linked(self, start: int, end: int) -> Iterator[CitationMark]:
        taken: list[tuple[int, int]] = []
        for match in _LINK.finditer(self._text, start, end):
            taken.append(match.span())
            yield self._link(match[2], match[1], match)
        for match in _BARE.finditer(self._text, start, end):
            if not any(a <= match.start() < b for a, b in taken):
                yield self._link(match[1], "", match)

    def _link(self, url: str, words: str, match: re.Match[str]) -> CitationMark:
        url = trimmed(url)
        entry = next((one for one in self._listed if url in one.text), None)
        if entry is not None:
            return CitationMark(*match.span(), (entry.key,), words)
        told = ReferenceEntry(url, f"{words} {url}".strip(), *match.span(), is_link=True)
        self.links.setdefault(url, told)
        return CitationMark(*match.span(), (url,), words)

    def _by_number(self, start: int, end: int) -> Iterator[CitationMark]:
        for match in _NUMBERS.finditer(self._text, start, end):
            found = _numbers(match[1])
            known = tuple(key for key in found if key in self._keys)
            if known or (found and self._numbered and int(found[0]) > 0):
                self.dangling += [f"[{key}]" for key in found if key not in self._keys]
                yield CitationMark(*match.span(), known)

    def _by_name(self, start: int, end: int) -> Iterator[CitationMark]:
        for match in _NAMED.finditer(self._text, start, end):
            if match[1].isdigit() and not match[0].startswith("[^"):
                continue
            if match[1] in self._keys:
                yield CitationMark(*match.span(), (match[1],))
            elif match[0].startswith("[^"):
                self.dangling.append(match[0])
                yield CitationMark(*match.span(), ())

    def _raised(self, start: int, end: int) -> Iterator[CitationMark]:
        for match in _SUPERSCRIPT.finditer(self._text, start, end):
            found = _numbers(match[0].translate(_FROM_SUPERSCRIPT))
            if found and self._keys.issuperset(found):
                yield CitationMark(*match.span(), found)

    def _by_year(self, start: int, end: int) -> Iterator[CitationMark]:
        """Yield what brackets with a year cite, by authors: `(Merrow 2021; Hale & Orr, 2019a)`."""
        for match in _ROUND.finditer(self._text, start, end):
            found: list[str] = []
            named, parts = self._named(match)
            for names, year, letter in parts:
                key = _listed_as(names, year, letter, self._listed)
                if key:
                    found.append(key)
                elif named and self._dated and _reads_as_names(names):
                    self.dangling.append(f"({names.strip()} {year}{letter})")
            if found:
                yield CitationMark(*match.span(), tuple(dict.fromkeys(found)))

    def _named(self, match: re.Match[str]) -> tuple[bool, list[tuple[str, str, str]]]:
        """Return whether a bracket names authors itself, and of each work its authors, year and letter."""
        if bare := _YEAR_ALONE.fullmatch(match[1]):
            before = _NARRATIVE.search(self._text[max(0, match.start() - 80) : match.start()])
            return False, [(before["names"], bare[1], bare[2])] if before else []
        told = [_LEAD_IN.sub("", _PAGES.sub("", part).strip()) for part in re.split(r"[;；]", match[1])]
        read = [found for part in told if (found := _NAME_YEAR.fullmatch(part))]
        return True, [(found["names"], found["year"], found["letter"]) for found in read]


def _overlap(one: CitationMark, other: CitationMark) -> bool:
    return one.start < other.end and other.start < one.end


def _numbers(written: str) -> tuple[str, ...]:
    """Read `1, 3–5` as 1, 3, 4 and 5; a span of more than thirty is none."""
    found: list[str] = []
    for part in re.split(r"[,;，、]", written):
        ends = [int(number) for number in re.findall(r"\d+", part)]
        if len(ends) == 2 and not 0 < ends[1] - ends[0] <= 30:
            return ()
        found += map(str, range(ends[0], ends[-1] + 1)) if ends else []
    return tuple(dict.fromkeys(found))


def _listed_as(names: str, year: str, letter: str, listed: Sequence[ReferenceEntry]) -> str:
    """Return the key of the entry of some authors and a year: else of the only one of these authors."""
    first = tokens(re.split(r",| and | & | et al|等|、", names.strip())[0])
    of_them = [one for one in listed if first and _opens_with(one, first)]
    dated = [one for one in of_them if re.search(rf"{year}{letter}(?!\d)", one.text)]
    if dated:
        return dated[0].key
    return of_them[0].key if len(of_them) == 1 else ""


def _opens_with(reference: ReferenceEntry, family: Sequence[str]) -> bool:
    held = tokens(reference.text[:80])[: len(family) + 3]
    return any(held[n : n + len(family)] == tuple(family) for n in range(len(held)))


def _reads_as_names(names: str) -> bool:
    words = re.sub(r"\b(?:and|et al|und|de|van|von|der|la|al)\b\.?|&", " ", names).split()
    return 0 < len(words) <= 6 and all(word[:1].isupper() for word in words)
