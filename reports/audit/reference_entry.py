"""One entry of a list of references: what it names, and whether a work is the one that it names.

Entries are written in a hundred styles, so they are not taken apart and compared: what a catalogue says of a
work is looked for in the entry as it stands (as in search-based reference matching, Crossref 2018).
"""

import re
import tomllib
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from functools import cache, lru_cache
from importlib.resources import files

from library import Work
from library.text import is_cjk
from reports.audit.audit_findings import Difference
from reports.cite.people import people

_DOI = re.compile(r"\b10\.\d{4,9}/[^\s\"<>«»“”]+", re.IGNORECASE)
_URL = re.compile(r"https?://[^\s<>\"“”«»\[\]]+", re.IGNORECASE)
_ARXIV = re.compile(r"\barxiv\s*+(?::\s*+)?(\d{4}\.\d{4,5})", re.IGNORECASE)
_QUOTED = re.compile(r"[“\"«„‘]([^“”\"«»„]{3,300}?)[,.]?[”\"»“]|《([^《》]{2,120})》")
_YEAR = re.compile(r"(?<![\d./:–-])(1[5-9]\d\d|20\d\d)[a-z]?(?![\d–/:-]|\.\d)")
_BEHIND_YEAR = re.compile(
    r"\((?:[^()]{0,20}\b)?(?:1[5-9]|20)\d\d[a-z]?[^()]{0,20}\)[.,:]?\s*((?:[^.?!]|[.](?=\d)){8,300})"
)
_AUTHORS = re.compile(
    r"^\s*(?:[^\W\d_][\w'’-]{1,40}(?:\s[^\W\d_][\w'’-]{1,40})?\s[A-Z]{1,3}(?:,\s|\.\s+)){1,20}(?=\S)"
)
"""Who wrote it, as Vancouver's style begins an entry: `Merrow A, Holt BC. `."""
_TOKEN = re.compile(r"[^\W_]+")
_HELD, _HELD_SHORT = 0.85, 1.0
"""Share of a title's words that stand in an entry, in order, from which it is that title: of five and more
words, and of fewer."""
_SHORT = 5
_SHORT_TITLES = 3
"""Parts of an entry that are looked up as titles of one or two words."""
_SHORT_TITLE = 2
"""Words of a title that is known where it is all of a part of an entry."""
_LEAST_TITLE = 3
"""Words of a title, from which it alone tells a work apart."""


def heading_words(*languages: str) -> frozenset[str]:
    """Return how lists of references are headed in some languages, else in all, in small letters."""
    headings = _data()["headings"]
    return frozenset(word for language in languages or headings for word in headings.get(language, ()))


@cache
def _data() -> dict[str, dict[str, list[str]]]:
    text = files("reports.audit").joinpath("reference_words.toml").read_text(encoding="utf-8")
    return tomllib.loads(text)


@dataclass(frozen=True, slots=True)
class ReferenceEntry:
    """An entry, or a link in the text."""

    key: str
    text: str
    """Without its label."""
    start: int
    """Where it stands in the text."""
    end: int
    is_link: bool = False
    """A link in the text with its words, and no entry of a list."""

    @property
    def doi(self) -> str:
        """Its DOI; empty where it has none."""
        return doi_of(self.text)

    @property
    def url(self) -> str:
        """Its web address that is no DOI; empty where it has none."""
        found = (trimmed(match[0]) for match in _URL.finditer(self.text))
        return next((url for url in found if not _is_resolver(url)), "")

    @property
    def addresses(self) -> set[str]:
        """All web addresses in it and its DOI, each as `address_key` writes it, also without its fragment."""
        urls = [trimmed(match[0]) for match in _URL.finditer(self.text)]
        keys = {address_key(part) for url in urls for part in (url, url.partition("#")[0])}
        return keys | {f"doi:{self.doi}"} if self.doi else keys

    @property
    def arxiv(self) -> str:
        """Its number at arXiv; empty where it has none."""
        match = _ARXIV.search(self.text)
        return match[1] if match else ""

    @property
    def title(self) -> str:
        """What is probably its title, for searching; empty where nothing tells."""
        bare = _URL.sub(" ", self.text)
        if self.is_link:
            return " ".join(bare.split())
        if match := _QUOTED.search(bare):
            return (match[1] or match[2]).strip()
        if match := _BEHIND_YEAR.search(bare):
            return match[1].strip(" ,")
        bare = _AUTHORS.sub("", bare)
        told = [part for part in _parts(bare) if len(part.split()) >= _LEAST_TITLE and not _is_names(part)]
        return told[0] if told else ""

    @property
    def short_titles(self) -> list[str]:
        """Its parts of one or two words that may be its title: a page of a manual may be called `Power`."""
        parts = [part.strip() for part in re.split(r"[.?!]\s+", _URL.sub(" ", self.text))]
        short = [part for part in parts if len(part) >= _LEAST_TITLE and len(part.split()) < _LEAST_TITLE]
        return [part for part in short if not re.search(r"[,\d]", part)][:_SHORT_TITLES]

    def has_part(self, title: str) -> bool:
        """Tell whether one of its parts is a title of two words and no more: `Storage backends`."""
        wanted = tokens(title)
        return len(wanted) >= _SHORT_TITLE and any(tokens(part) == wanted for part in _parts(self.text))


def _parts(entry: str) -> list[str]:
    return [part.strip() for part in re.split(r"(?<=[^\W\d_]{2})[.?!]\s+", entry)]


def doi_of(text: str) -> str:
    """Return the first DOI in a text, in small letters; empty where there is none."""
    match = _DOI.search(text)
    return trimmed(match[0]).lower() if match else ""


def trimmed(address: str) -> str:
    """Return an address without what the sentence puts behind it."""
    address = address.rstrip(".,;:'’”\"*>»，。；、")
    closed = address.count(")") + address.count("]") - address.count("(")
    while closed > 0 and address.endswith((")", "]")):
        address, closed = address[:-1].rstrip(".,;:"), closed - 1
    return address


def address_key(url: str) -> str:
    """Return a web address without what may differ where the same is meant: scheme, `www.`, slash at its end.

    One of a resolver is its DOI.
    """
    if _is_resolver(url) and (doi := doi_of(url)):
        return f"doi:{doi}"
    host, slash, path = url.partition("://")[2].partition("/")
    return f"{host.casefold().removeprefix('www.')}{slash}{path}".rstrip("/")


def _is_resolver(url: str) -> bool:
    return bool(re.match(r"https?://(?:dx\.)?doi\.org/", url, re.IGNORECASE))


def _is_names(part: str) -> bool:
    """Tell whether a part of an entry is a row of names: mostly capitals, commas and initials."""
    words = part.split()
    short = sum(
        bool(re.fullmatch(r"(?:[A-Z]\.?-?){1,3},?", word)) or word in ("&", "and", "et", "al")
        for word in words
    )
    return short * 3 >= len(words) or part.count(",") * 2 >= len(words)


@lru_cache(maxsize=4_096)
def tokens(text: str) -> tuple[str, ...]:
    """Return a text's words, small and without accents; of Chinese and Japanese each character."""
    bare = "".join(c for c in unicodedata.normalize("NFKD", text) if not unicodedata.combining(c))
    found: list[str] = []
    for word in _TOKEN.findall(bare.casefold()):
        found += list(word) if any(map(is_cjk, word)) else [word]
    return tuple(found)


def holds_title(entry: str, title: str) -> bool:
    """Tell whether an entry names a title: its words stand in it in order, a subtitle may be left out."""
    main, colon, _ = re.sub(r"(?<!\s)\s*\((?:abstract|full text)\)$", "", title).partition(": ")
    if colon and len(tokens(main)) >= _LEAST_TITLE and _in_order(entry, main):
        # Pages of one manual differ in nothing but the subtitle: one that is given must be the same.
        given = main.split()[-1].casefold() + ":" in entry.casefold()
        return not given or _in_order(entry, title)
    return _in_order(entry, title)


def title_share(entry: str, title: str) -> float:
    """Return the share (0 to 1) of a title's words that an entry has in their order, its subtitle's too."""
    wanted, held = tokens(title), tokens(_URL.sub(" ", entry))
    blocks = SequenceMatcher(None, held, wanted, autojunk=False).get_matching_blocks()
    return sum(block.size for block in blocks) / max(len(wanted), 1)


def _in_order(entry: str, title: str) -> bool:
    wanted, held = tokens(title), tokens(_URL.sub(" ", entry))
    if not wanted or not held:
        return False
    blocks = SequenceMatcher(None, held, wanted, autojunk=False).get_matching_blocks()
    # Words that stand far from the others are found in any long entry.
    runs = [block for block in blocks if block.size > (len(wanted) > 2)]
    span = max((b.a + b.size for b in runs), default=0) - min((b.a for b in runs), default=0)
    share = sum(block.size for block in runs) / len(wanted)
    least = _HELD if len(wanted) >= _SHORT else _HELD_SHORT
    return share >= least and span <= (2 * len(wanted) + 2 if len(wanted) > _SHORT else len(wanted))


def tells_apart(title: str) -> bool:
    """Tell whether a title is long enough to tell a work apart by itself."""
    return len(tokens(title)) >= _LEAST_TITLE


def years_of(entry: str, title: str = "") -> set[int]:
    """Return the years that an entry may give as that of publication.

    None of its addresses, its title, or the day on which somebody looked at it.
    """
    bare = _ARXIV.sub(" ", _DOI.sub(" ", _URL.sub(" ", entry)))
    words = "|".join(sorted(map(re.escape, _data()["looked_at"]["words"]), key=len, reverse=True))
    bare = re.sub(
        rf"(?:{words})\b[^;()\[\]]{{0,40}}?(?:1[5-9]|20)\d\d(?:-\d\d-\d\d)?", " ", bare, flags=re.IGNORECASE
    )
    said = [int(year) for year in _YEAR.findall(bare)]
    for year in _YEAR.findall(title):
        if int(year) in said:
            said.remove(int(year))
    return set(said)


def differences(
    entry: str, work: Work, title: str, years: Iterable[int], *, known_title: str = ""
) -> list[tuple[Difference, str]]:
    """Return what an entry says otherwise than who registered the work, each with a line that tells it.

    Args:
        entry: As it stands in the text.
        work: As it is registered.
        title: Of the work.
        years: In which it was published; empty where nobody knows.
        known_title: The work's, where the entry's title is compared elsewhere: years in it are not given.
    """
    found: list[tuple[Difference, str]] = []
    if title and not holds_title(entry, title):
        found.append(("title", f"the work is called “{title}”"))
    given, known = years_of(entry, title or known_title), sorted(set(years))
    if given and known and given.isdisjoint(known):
        said = " or ".join(map(str, sorted(given)))
        found.append(("year", f"it was published in {' and '.join(map(str, known))}, not {said}"))
    if who := _other_authors(entry, work.authors, title):
        found.append(("authors", f"it is by {who}"))
    return found


def _other_authors(entry: str, authors: Sequence[str], title: str) -> str:
    """Return who wrote a work, where an entry names somebody and none of them; else an empty text."""
    families = [name.get("family") or name["literal"] for author in authors for name in people(author)]
    held = tokens(entry)
    if not families or any(set(tokens(family)) <= set(held) for family in families):
        return ""
    first = tokens(title)[:3]
    opens = next((n for n in range(len(held)) if held[n : n + len(first)] == first), 0) if first else 0
    names = [word for word in held[:opens] if not word.isdigit()]
    more = f" and {len(families) - 3} more" if len(families) > 3 else ""
    return f"{', '.join(families[:3])}{more}" if names else ""
