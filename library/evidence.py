"""What is known and where it was read: sources, passages, and the one parser and printer of citations.

A source is a page as it was when read; a passage is a span of it. A session admits a passage when it first
shows it to a speaker and gives it an id (`p12`). From there only the id travels, written `[p12]`.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from hashlib import sha256
from itertools import pairwise
from pathlib import PurePosixPath
from typing import Literal, TypeVar
from urllib.parse import unquote, urlsplit

from models.client import address_host

Became = Literal["", "retracted", "corrected"]
"""What became of a work after it was published; empty for nothing that is known."""
COMPUTATION = "computation"
"""How the url of a computation's source begins."""
Trust = Literal["", "prefer", "doubt", "never"]
"""What a person thinks of a source; empty for nothing that was said."""


@dataclass(frozen=True, slots=True)
class Work:
    """What a catalogue says of a published work."""

    authors: tuple[str, ...] = ()
    """As the catalogue writes them: `Given Family`."""
    venue: str = ""
    """The journal, the proceedings, the book or the repository that it stands in."""
    doi: str = ""
    """Without `https://doi.org/`."""
    kind: str = ""
    """As CSL calls it: `article-journal`, `book`, `chapter`, `paper-conference`, `article` (a preprint), …"""
    retracted: bool = False
    """Whether it was withdrawn: what it claims is no longer held by those who published it."""
    corrected: bool = False
    """Whether a correction or a note of concern was published later."""
    title: str = ""
    """As a reference manager has it; empty where the source's own is the same, or better."""
    issued: str = ""
    """When it was published, ISO 8601, possibly shortened; empty where the source's own date stands."""

    @property
    def became(self) -> Became:
        """What became of it; a retraction tells more than a correction."""
        return "retracted" if self.retracted else "corrected" if self.corrected else ""


def fingerprint(text: str) -> str:
    """Return the sha256 of a text, in hexadecimal: the identity of its source."""
    return sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


@dataclass(frozen=True, slots=True)
class Source:
    """One page or document as it was when read."""

    sha256: str
    """Of the text, in hexadecimal: the source's identity."""
    url: str
    """Where it was read (what was fetched, not what the page says of itself).

    `file:` or a scheme of its own for documents.
    """
    title: str
    text: str
    author: str | None = None
    published: str | None = None
    """ISO 8601 date, possibly shortened to the month or year; None when nobody knows."""
    retrieved: str = ""
    """ISO 8601 date and time, UTC."""
    private: bool = False
    """From the user's own documents: its text stays out of web queries."""
    pages: tuple[int, ...] = ()
    """Offsets at which the pages of a paged document start; empty for others."""
    work: Work | None = None
    """What a catalogue says of it; None for what stands in none."""
    trust: Trust = ""
    """What the session's person thinks of it; no store keeps that."""

    @property
    def became(self) -> Became:
        """What became of the work that it is, as far as its catalogue knows."""
        return self.work.became if self.work is not None else ""

    @property
    def computed(self) -> bool:
        """Whether it is a computation of the session's own: it says nothing that its premises do not."""
        return self.url.startswith(f"{COMPUTATION}:")

    def page(self, offset: int) -> int | None:
        """Return the page number (from 1) on which an offset lies, None for a document without pages."""
        return sum(start <= offset for start in self.pages) or None

    @property
    def origin(self) -> str:
        """The host that it was read from; of a document without a web address, the document itself."""
        return _origin(self.url, self.sha256)

    def passage(self, start: int, end: int, passage_id: str = "") -> "Passage":
        """Return a span of this source as a passage. Raises ValueError for a span outside the text."""
        if not 0 <= start < end <= len(self.text):
            raise ValueError(f"no span {start}:{end} in {self.url} of {len(self.text)} characters")
        return Passage(
            self.sha256, start, end, self.text[start:end], self.url, self.title, self.published, self.private,
            self.page(start), passage_id, self.trust, self.retrieved, self.became,
        )  # fmt: skip


@dataclass(frozen=True, slots=True)
class Passage:
    """A span of a source: `source.text[start:end] == text`."""

    sha256: str
    """Of the source."""
    start: int
    end: int
    text: str
    url: str
    title: str
    published: str | None = None
    private: bool = False
    page: int | None = None
    id: str = ""
    """`p12` in a session that admitted it, else empty."""
    trust: Trust = ""
    """What the session's person thinks of its source."""
    retrieved: str = ""
    """When its source was read; ISO 8601."""
    became: Became = ""
    """What became of the work that it is of, as far as its catalogue knows."""

    @property
    def key(self) -> tuple[str, int, int]:
        """What the store knows it by."""
        return (self.sha256, self.start, self.end)

    @property
    def computed(self) -> bool:
        """Whether it is of a computation of the session's own."""
        return self.url.startswith(f"{COMPUTATION}:")

    @property
    def origin(self) -> str:
        """The host that its page was read from; of a document without a web address, the document itself."""
        return _origin(self.url, self.sha256)


_Read = TypeVar("_Read", Source, Passage)


def as_read_at(held: _Read, url: str) -> _Read:
    """Return a source or passage of a file under the file where it was read now.

    A store knows each text once, from where it was read first; a folder may have been copied or moved since.
    What was called by its file's name is called by the new one. A page of the web stays what it is.
    """
    if held.url == url or not (held.url.startswith("file:") and url.startswith("file:")):
        return held
    named = held.title == _stem(held.url)
    return replace(held, url=url, title=_stem(url) if named else held.title)


def as_told(passage: Passage, source: Source) -> Passage:
    """Return a passage with what is told of its source; its id and what a person thinks of it stay."""
    told = source.passage(passage.start, passage.end, passage.id)
    return replace(told, trust=passage.trust)


def _stem(url: str) -> str:
    return PurePosixPath(unquote(urlsplit(url).path)).stem


# Where the program keeps what a person gave it: a session's uploads, a collection brought along.
_KEPT = re.compile(
    r"file:.*/(?:uploads/[^/]+/[0-9a-f]{12}|(?:roundtable|data)/collections/[^/]+)/(?P<given>[^/].*)",
    re.DOTALL,
)


def shown_address(url: str) -> str:
    """Return an address as a person is shown it: of a file that they gave the name that they gave it.

    Of any other file the name with that of its folder, which is what a person knows it by: where a machine
    keeps its files is no word of a prompt or a report. Any other address is as it is.
    """
    if found := _KEPT.fullmatch(url):
        return unquote(found["given"])
    if not url.startswith("file:"):
        return url
    return PurePosixPath(*PurePosixPath(unquote(urlsplit(url).path)).parts[1:][-2:]).as_posix()


def host_of(url: str) -> str:
    """Return a url's host in small letters, without `www.`; an empty text where there is none."""
    return address_host(url).removeprefix("www.")


def on_the_web(url: str) -> bool:
    """Tell whether a url is an address of the web."""
    return url.lower().startswith(("http://", "https://"))


def _origin(url: str, sha256: str) -> str:
    return (on_the_web(url) and host_of(url)) or sha256


@dataclass(slots=True)
class Evidence:
    """What a session has admitted: its passages by id, and the sources they stand in."""

    passages: dict[str, Passage] = field(default_factory=dict)
    sources: dict[str, Source] = field(default_factory=dict)
    """By sha256."""
    reported: list[str] = field(default_factory=list)
    """Sources (sha256) whose numbers a report gives, in their order; empty as long as there is none."""

    def source(self, passage_id: str) -> Source:
        """Return the source of an admitted passage. Raises KeyError for an unknown id."""
        return self.sources[self.passages[passage_id].sha256]

    def became(self, ids: Iterable[str]) -> Became:
        """Return what became of the works that passages stand in: a retraction of any counts first."""
        found = {self.source(i).became for i in ids if i in self.passages}
        return "retracted" if "retracted" in found else "corrected" if "corrected" in found else ""

    def numbers(self) -> dict[str, int]:
        """Return the number of each source by its sha256, from 1; it changes only with a report.

        First come those of the report, as it numbers them; the others follow in the order of their admission.
        """
        order = dict.fromkeys([*self.reported, *self.sources])
        return {sha256: number for number, sha256 in enumerate(order, 1)}

    def named(self, text: str) -> str:
        """Return a text with its citations as a person sees them everywhere: `[9.2]` for `[p12]`."""
        labels = self.labels()
        return rewrite_citations(text, lambda ids: "".join(f"[{labels.get(i, i)}]" for i in ids))

    def labels(self) -> dict[str, str]:
        """Return for each passage's id how it is named: `9.2` is the second of source 9 that was admitted.

        Every screen, file and export takes the names of passages from here.
        """
        numbers, held = self.numbers(), Counter[str]()
        labels = {}
        for passage_id, passage in self.passages.items():
            held[passage.sha256] += 1
            number = numbers.setdefault(passage.sha256, len(numbers) + 1)
            labels[passage_id] = f"{number}.{held[passage.sha256]}"
        return labels


# Models write [p1], [p1, p2], [P1; p2], 【p1】 and [p1][p2]: all are read, only [p1][p2] is written.
_CITATION = re.compile(r"[\[［【]\s*(p\d+(?:\s*[,;，；、]\s*p\d+)*)\s*[\]］】]", re.IGNORECASE)
_ID = re.compile(r"p(\d+)", re.IGNORECASE)
_LONGEST_ID = 18
_SPACE_BEFORE_STOP = re.compile(r"(?<![ \t])[ \t]+(?=[.,;:!?](?![\w.])|[。，；：！？])")


# How a conclusion is marked, that a speaker draws from what the cited passages say: `… (inference) [p1][p2]`.
_INFERENCE = re.compile(r"[(（]\s*(?:inference|推断|推论)\s*[)）]", re.IGNORECASE)
_MARK = re.compile(rf"(?<!\s)\s*{_INFERENCE.pattern}", re.IGNORECASE)
# The mark behind its sentence's full stop (and citations), where it would be cut off or begin the next one.
_MARK_BEHIND = re.compile(
    rf"(?P<stop>(?<![.!?。！？…])[.!?。！？…]+)(?P<closed>[\"”’」』]*)(?P<cited>(?:\s*{_CITATION.pattern})*)"
    rf"\s*(?P<mark>{_INFERENCE.pattern})(?P<more>(?:\s*{_CITATION.pattern})*)[.。]?",
    re.IGNORECASE,
)


def inference_mark(language: str) -> str:
    """Return how a conclusion is marked in a language, as speakers and writers are told."""
    return "（推断）" if language.lower().startswith("zh") else "(inference)"


def is_inference(sentence: str) -> bool:
    """Tell whether a sentence is marked as a conclusion from the passages that it cites."""
    return _INFERENCE.search(sentence) is not None


def claimed(sentence: str) -> str:
    """Return what a sentence says, without its citations and without the mark of a conclusion."""
    return " ".join(_MARK.sub("", strip_citations(sentence)).split())


def without_mark(text: str) -> str:
    """Return a text without the first mark of a conclusion in it."""
    return _MARK.sub("", text, count=1)


def marks_within(text: str) -> str:
    """Return a text with each mark of a conclusion inside the sentence that it stands behind."""
    return _MARK_BEHIND.sub(_within, text)


def _within(match: re.Match[str]) -> str:
    gap = " " if match["mark"].startswith("(") else ""
    cited = cite([*citations(match["cited"]), *citations(match["more"])])
    return f"{match['closed']}{gap}{match['mark']}{gap if cited else ''}{cited}{match['stop']}"


def _ids(group: str) -> list[str]:
    # A number that is longer than Python reads is nobody's, nor is its beginning.
    return [f"p{int(number[:_LONGEST_ID])}" for number in _ID.findall(group)]


def citations(text: str) -> list[str]:
    """Return the ids that a text cites, each once, in order of appearance."""
    return list(dict.fromkeys(i for match in _CITATION.finditer(text) for i in _ids(match[1])))


def cite(ids: Iterable[str]) -> str:
    """Print citations: `[p1][p2]`, each id once; an empty string for none."""
    return "".join(f"[{i}]" for i in dict.fromkeys(ids))


def rewrite_citations(text: str, write: Callable[[list[str]], str]) -> str:
    """Replace each bracket of citations by what `write` makes of its ids.

    '' removes it and the space before it.
    """
    pieces: list[str] = []
    at = 0
    for match in _CITATION.finditer(text):
        before, new = text[at : match.start()], write(list(dict.fromkeys(_ids(match[1]))))
        pieces += [before if new else before.rstrip(" \t"), new]
        at = match.end()
        # Only beside a citation: in `test ! -f` the space is part of the command.
        if space := _SPACE_BEFORE_STOP.match(text, at):
            at = space.end()
    return "".join([*pieces, text[at:]])


def origin(url: str) -> str:
    """Return where a source is from: the host of a page; of a document the folder that it lies in.

    Chapters of one manual are of one origin.
    """
    return host_of(url) or url.rpartition("/")[0]


def unmarked(text: str) -> str:
    """Return a source's own words with our citations' look written otherwise: `(p3)`, not `[p3]`."""
    return _CITATION.sub(lambda match: f"({match[1]})", text)


def strip_citations(text: str) -> str:
    """Return the text without its citations."""
    return rewrite_citations(text, lambda _ids: "").strip()


def keep_citations(text: str, shown: Iterable[str]) -> tuple[str, list[str]]:
    """Drop citations of passages that were not shown, and put marks of conclusions inside their sentences.

    Return the text, citations normalised, and the dropped ids.
    """
    allowed, text = set(shown), marks_within(text)
    rejected = [i for i in citations(text) if i not in allowed]
    return rewrite_citations(text, lambda ids: cite(i for i in ids if i in allowed)), rejected


def without_citations(
    text: str, dropped: Iterable[str], sentences: Callable[[str], list[tuple[int, int]]]
) -> str:
    """Return a text without what rests on dropped passages alone; other sentences only lose their ids.

    Args:
        text: With citations.
        dropped: Ids of the passages that are used no longer.
        sentences: Finds the spans of a text's sentences (`library.text.sentences.sentences`).
    """
    gone = set(dropped)
    if gone.isdisjoint(citations(text)):
        return text
    kept: list[str] = []
    for claim in cited_claims(text, sentences):
        cited = citations(claim)
        if not cited or not gone.issuperset(cited):
            kept.append(rewrite_citations(claim, lambda ids: cite(i for i in ids if i not in gone)))
    return "".join(kept).strip()


_ITEM = re.compile(r"\s*\(?\d{1,3}[.)]\s*")


def cited_claims(text: str, sentences: Callable[[str], list[tuple[int, int]]]) -> list[str]:
    """Cut a text into its sentences, each with its citations, also those that follow its full stop.

    Args:
        text: With citations.
        sentences: Finds the spans of a text's sentences (`library.text.sentences.sentences`).

    Returns:
        All of the text, white space between sentences included.
    """
    plain = ""
    at = 0
    places: list[tuple[int, int]] = []
    """Where each bracket stood in the plain text, and where it ends in the whole."""
    for match in _CITATION.finditer(text):
        plain += text[at : match.start()]
        at = match.end()
        places.append((len(plain), at))
    starts = [start for start, _ in sentences(plain + text[at:])]
    cuts = [_whole(start, places, text) for start in starts[1:]]
    pieces = [(start, end) for start, end in pairwise([0, *cuts, len(text)])]
    # The number of an item (`2. Stop the server.`) is no sentence of its own.
    numbers = {end for start, end in pieces if _ITEM.fullmatch(text[start:end]) and end < len(text)}
    cuts = [cut for cut in cuts if cut not in numbers]
    return [text[start:end] for start, end in pairwise([0, *cuts, len(text)])]


def _whole(offset: int, places: list[tuple[int, int]], text: str) -> int:
    """Return where an offset of the plain text lies in the whole: behind the brackets that stand there."""
    before = [(plain, end) for plain, end in places if plain <= offset]
    if not before:
        return offset
    plain, end = before[-1]
    return min(end + offset - plain, len(text))
