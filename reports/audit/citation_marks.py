"""Citations in a text, however they are written: numbers, notes, names with a year, links."""

import re
from bisect import bisect_left, insort
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from library.text import dates
from reports.audit.reference_entry import ReferenceEntry, address_key, tokens, trimmed

_NUMBERS = re.compile(r"[\[【](\d{1,3}(?:\s*[,;，、–—-]\s*\d{1,3})*)[\]】](?:\([^()\s]*\))?")
_NAMED = re.compile(r"\[\^?([\w+-]{1,40})\](?:\([^()\s]*\))?(?!:)")
_SUPERSCRIPT = re.compile(r"(?<=[^\s\d])[⁰¹²³⁴-⁹]{1,3}(?:[,‚–-][⁰¹²³⁴-⁹]{1,3})*(?![⁰¹²³⁴-⁹])")
_FROM_SUPERSCRIPT = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹‚", "0123456789,")
_ROUND = re.compile(r"\(([^()]{0,300}?\b(?:1[5-9]|20)\d\d[a-z]?[^()]{0,60})\)")
_LINK = re.compile(
    r"(?<!!)\[((?:[^\[\]\n]|\[[^\[\]\n]{0,40}\]){1,300})\]\(<?(https?://[^\s<>()]*(?:\([^\s()]*\)[^\s<>()]*)*)>?(?:\s+\"[^\"\n]{0,300}\")?\)"
)
_MARK_ALONE = re.compile(r"\[[^\[\]]{0,40}\]")
"""What a page makes of a citation that is a link: `[1]`; no word of the sentence."""
_BARE = re.compile(r"<?(https?://[^\s<>\"“”«»\[\]（），。]+)>?")
_NAME_YEAR = re.compile(
    r"(?P<names>[^\W\d_][^\d;()]{1,160}?)(?P<apart>[,\s]+)"
    r"(?P<year>(?:1[5-9]|20)\d\d)(?P<letter>[a-z]?)\b"
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


_SEVERAL = re.compile(r"\b(?:and|et al|und|y|et)\b|[&,、等]")
_NEXT_NAME = re.compile(r",| and | & | et al|等|、")
_BEFORE_NAME = 3
"""Words, as initials, that may stand in an entry before the name of its first author."""
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


@dataclass(frozen=True, slots=True)
class _Unlisted:
    """What is written as a citation, and stands in no list."""

    written: str
    names: str = ""
    """Of authors; empty for a number or a note."""
    comma: bool = False
    """A comma stands before its year."""


class CitationReader:
    """Reads the citations of one text, piece by piece."""

    def __init__(self, text: str, listed: Sequence[ReferenceEntry]) -> None:
        """Take a text and the references that it lists."""
        self._text = text
        self._keys = {reference.key for reference in listed}
        unlisted = not listed and len({match[0] for match in _NUMBERS.finditer(text)}) >= _WITHOUT_LIST
        self._numbered = unlisted or any(key.isdigit() for key in self._keys)
        self._dated = any(re.search(r"\((?:1[5-9]|20)\d\d[a-z]?\b", one.text) for one in listed)
        self._at = {address: one.key for one in reversed(listed) for address in one.addresses}
        self._opening: dict[str, list[tuple[ReferenceEntry, tuple[str, ...]]]] = {}
        """By each of the first words of an entry: the entry with all words that it begins with."""
        for one in listed:
            held = tokens(one.text[:80])
            for word in dict.fromkeys(held[: _BEFORE_NAME + 1]):
                self._opening.setdefault(word, []).append((one, held))
        self._unlisted: list[_Unlisted] = []
        self._commas = False
        """Whether a comma stands before the year in a bracket that leads to an entry."""
        self.links: dict[str, ReferenceEntry] = {}
        """Links to what is not listed, by their address."""

    def marks(self, start: int, end: int) -> list[CitationMark]:
        """Return the citations between two places of the text."""
        found: list[CitationMark] = []
        readers: tuple[Callable[[int, int], Iterator[CitationMark]], ...] = (
            self._linked, self._by_number, self._by_name, self._raised, self._by_year,
        )  # fmt: skip
        for read in readers:
            fresh = [mark for mark in read(start, end) if not _overlaps(mark, found)]
            for mark in fresh:
                insort(found, mark, key=lambda one: one.start)
        return found

    @property
    def dangling(self) -> list[str]:
        """Citations, of all that was read, of what is not listed, as written."""
        return [one.written for one in self._unlisted if self._is_citation(one)]

    @property
    def doubtful(self) -> list[str]:
        """What stands in brackets as citations do, and may be none: `(Berlin 1999)`."""
        return [one.written for one in self._unlisted if not self._is_citation(one)]

    def _is_citation(self, one: "_Unlisted") -> bool:
        """Tell whether a bracket cites: several authors, or one as the text's other citations are written.

        A name that the text speaks of otherwise may be that of a place.
        """
        if not one.names or _SEVERAL.search(one.names):
            return True
        if not (one.comma and self._commas):
            return False
        spoken_of = re.compile(rf"(?<![\w(]){re.escape(one.names)}(?!\w|,?\s*\(?(?:1[5-9]|20)\d\d)")
        return spoken_of.search(self._text) is None

    def _linked(self, start: int, end: int) -> Iterator[CitationMark]:
        until = start
        for match in sorted(
            (*_LINK.finditer(self._text, start, end), *_BARE.finditer(self._text, start, end)),
            key=lambda match: (match.start(), match.re is _BARE),
        ):
            if match.start() >= until:
                until = match.end()
                linked = match.re is _LINK
                words = match[1] if linked and not _MARK_ALONE.fullmatch(match[1]) else ""
                yield self._link(match[2 if linked else 1], words, match)

    def _link(self, url: str, words: str, match: re.Match[str]) -> CitationMark:
        url = trimmed(url)
        key = self._at.get(address_key(url)) or self._at.get(address_key(url.partition("#")[0]))
        if key is not None:
            return CitationMark(*match.span(), (key,), words)
        told = ReferenceEntry(url, f"{words} {url}".strip(), *match.span(), is_link=True)
        self.links.setdefault(url, told)
        return CitationMark(*match.span(), (url,), words)

    def _by_number(self, start: int, end: int) -> Iterator[CitationMark]:
        for match in _NUMBERS.finditer(self._text, start, end):
            found = _numbers(match[1])
            known = tuple(key for key in found if key in self._keys)
            if known or (found and self._numbered and int(found[0]) > 0):
                self._unlisted += [_Unlisted(f"[{key}]") for key in found if key not in self._keys]
                yield CitationMark(*match.span(), known)

    def _by_name(self, start: int, end: int) -> Iterator[CitationMark]:
        for match in _NAMED.finditer(self._text, start, end):
            if match[1].isdigit() and not match[0].startswith("[^"):
                continue
            if match[1] in self._keys:
                yield CitationMark(*match.span(), (match[1],))
            elif match[0].startswith("[^"):
                self._unlisted.append(_Unlisted(match[0]))
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
            for names, year, letter, comma in parts:
                key = self._listed_as(names, year, letter)
                if key:
                    found.append(key)
                    self._commas = self._commas or comma
                elif named and self._dated and _reads_as_names(names) and not _is_date(match[1]):
                    told = f"({names.strip()} {year}{letter})"
                    self._unlisted.append(_Unlisted(told, names.strip(), comma))
            if found:
                yield CitationMark(*match.span(), tuple(dict.fromkeys(found)))

    def _listed_as(self, names: str, year: str, letter: str) -> str:
        """Return the key of the entry of some authors and a year: else of the only one of these authors."""
        first = tokens(_NEXT_NAME.split(names.strip(), maxsplit=1)[0])
        of_them = [
            one
            for one, held in (self._opening.get(first[0], ()) if first else ())
            if any(held[n : n + len(first)] == first for n in range(_BEFORE_NAME + 1))
        ]
        dated = [one for one in of_them if re.search(rf"{year}{letter}(?!\d)", one.text)]
        if dated:
            return dated[0].key
        return of_them[0].key if len(of_them) == 1 else ""

    def _named(self, match: re.Match[str]) -> tuple[bool, list[tuple[str, str, str, bool]]]:
        """Return whether a bracket names authors itself; of each work authors, year, letter, and a comma."""
        if bare := _YEAR_ALONE.fullmatch(match[1]):
            before = _NARRATIVE.search(self._text[max(0, match.start() - 80) : match.start()])
            return False, [(before["names"], bare[1], bare[2], False)] if before else []
        told = [_LEAD_IN.sub("", _PAGES.sub("", part).strip()) for part in re.split(r"[;；]", match[1])]
        read = [found for part in told if (found := _NAME_YEAR.fullmatch(part))]
        return True, [
            (found["names"], found["year"], found["letter"], "," in found["apart"]) for found in read
        ]


def _overlaps(mark: CitationMark, found: Sequence[CitationMark]) -> bool:
    """Tell whether a citation overlaps one of others that are in order and apart."""
    place = bisect_left(found, mark.start, key=lambda one: one.start)
    beside = found[max(place - 1, 0) : place + 1]
    return any(mark.start < one.end and one.start < mark.end for one in beside)


def _is_date(words: str) -> bool:
    """Tell whether what stands in brackets is a day or a month."""
    return any(date.month is not None for date in dates(words)[0])


def _numbers(written: str) -> tuple[str, ...]:
    """Read `1, 3–5` as 1, 3, 4 and 5; a span of more than thirty is none."""
    found: list[str] = []
    for part in re.split(r"[,;，、]", written):
        ends = [int(number) for number in re.findall(r"\d+", part)]
        if len(ends) == 2 and not 0 < ends[1] - ends[0] <= 30:
            return ()
        found += map(str, range(ends[0], ends[-1] + 1)) if ends else []
    return tuple(dict.fromkeys(found))


def _reads_as_names(names: str) -> bool:
    words = re.sub(r"\b(?:and|et al|und|de|van|von|der|la|al)\b\.?|&", " ", names).split()
    return 0 < len(words) <= 6 and all(word[:1].isupper() for word in words)
