"""What a printed report consists of: its blocks, with citations resolved, and how their pieces are told.

An export says how a block looks in its format and nothing else. All texts are as they are in the report; each
export escapes them for its format.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from textwrap import dedent

from library import Passage
from library.passages import Form, beginning
from library.text import HIDDEN, code_spans
from reports.cite.source_names import moment
from reports.cite.source_numbering import Entry
from reports.document import Chart, Support
from reports.report_phrases import ReportPhrases
from reports.visible_text import plain

Cited = tuple[tuple[Entry, Sequence[Passage]], ...]
"""The sources that a text cites, each once and with the passages of it that are meant."""


@dataclass(frozen=True, slots=True)
class CitedText:
    """A sentence or a table's cell with what it cites."""

    text: str
    cited: Cited
    support: Support = "unchecked"

    @property
    def pieces(self) -> list[tuple[str, bool]]:
        """The text in pieces, each with whether it is code that stands between backticks in the report."""
        return code_spans(self.text)

    def doubt(self, words: ReportPhrases) -> str:
        """Return what the reader is warned of, in the report's language; empty for nothing."""
        doubt = {"unsupported": words.unsupported, "partial": words.partial}.get(self.support, "")
        return words.comma.join(part for part in (doubt, _fate(self.cited, words)) if part)


@dataclass(frozen=True, slots=True)
class NoteBlock:
    """How to read the report."""

    text: str


@dataclass(frozen=True, slots=True)
class HeadingBlock:
    """Opens a section of the report."""

    text: str
    """May be empty."""
    level: int
    """From 1."""
    section: int
    """Which section of the report, from 0."""


@dataclass(frozen=True, slots=True)
class ConnectingBlock:
    """Words of a section's own above or below its sentences, without any claim."""

    text: str


@dataclass(frozen=True, slots=True)
class ParagraphsBlock:
    """The sentences of a section, by paragraphs; there is one at least, and none is empty."""

    paragraphs: tuple[tuple[CitedText, ...], ...]
    listed: bool
    """Whether each is a point of a list."""
    first: int = 0
    """The number of the first, where the points are steps: points between steps do not begin them again.
    0: they are none."""


@dataclass(frozen=True, slots=True)
class QuotedItem:
    """An item of a list that is quoted."""

    text: str
    """Without its mark."""
    number: int
    """Of a step, from 1; 0 for a point."""
    below: tuple["QuotedItem", ...] = ()
    """The items of lists inside it."""


@dataclass(frozen=True, slots=True)
class QuotedPart:
    """A piece of a quotation, as what it stands in its source."""

    form: Form
    text: str = ""
    """Of a list nothing; of code with its lines."""
    items: tuple[QuotedItem, ...] = ()
    """Steps and points; () for all else."""
    table: "TableBlock | None" = None
    """Of rows: they cite nothing by themselves, and names of columns that nobody knows are empty."""


def lists_of(items: Sequence[QuotedItem]) -> Iterator[tuple[int, list[QuotedItem]]]:
    """Yield items in lists, each with the number of its first step, which the others follow; 0: of points."""
    run: list[QuotedItem] = []
    for item in items:
        if run and item.number != (run[-1].number and run[-1].number + 1):
            yield run[0].number, run
            run = []
        run.append(item)
    if run:
        yield run[0].number, run


@dataclass(frozen=True, slots=True)
class CodeBlock:
    """Commands, code or lines of a configuration that belong to what stands before them."""

    part: QuotedPart
    cited: Cited
    """Empty where the sentence before it cites it: that one leads to the code, and has its citations."""
    under: Form = "prose"
    """What it belongs to: a paragraph, or a point or a step, whose list goes on behind it."""
    number: int = 0
    """Of the step that it belongs to; 0 for others."""


@dataclass(frozen=True, slots=True)
class QuotationBlock:
    """What one source says under one heading: shown as it stands there, and whose it is said once below."""

    parts: tuple[QuotedPart, ...]
    title: str
    """The source's."""
    under: str
    """The source's heading that it stands under; empty where none is known, or the title says the same."""
    cited: Cited


@dataclass(frozen=True, slots=True)
class TableBlock:
    """Figures side by side."""

    title: str
    """May be empty."""
    columns: tuple[str, ...]
    rows: tuple[tuple[CitedText, ...], ...]


@dataclass(frozen=True, slots=True)
class ChartBlock:
    """A chart, and the table of its data, which stands below it or alone where it cannot be drawn."""

    chart: Chart
    number: int
    """In reading order, from 1."""
    table: TableBlock


@dataclass(frozen=True, slots=True)
class ListBlock:
    """A list under a heading of level 1, at the end: open questions, how the report was made."""

    heading: str
    items: tuple[CitedText, ...]
    """They cite nothing; what stands in backticks is code in them too."""


@dataclass(frozen=True, slots=True)
class Reference:
    """What the bibliography says of one source."""

    entry: Entry
    title: str
    """Its address where it has no title."""
    details: tuple[str, ...]
    """Author and date, of which either may be missing."""
    address: str | None
    """Where a link may lead; None: `url` is shown and not linked."""
    url: str
    retrieved: str
    """When it was read, in the report's language; empty where that is not known."""


@dataclass(frozen=True, slots=True)
class BibliographyBlock:
    """The sources that the report cites; there is one at least."""

    heading: str
    references: tuple[Reference, ...]


BEGINNING = 40
"""Characters of a passage by which the list of sources tells it."""

Block = (
    NoteBlock | HeadingBlock | ConnectingBlock | ParagraphsBlock | CodeBlock | QuotationBlock | TableBlock
    | ChartBlock | ListBlock | BibliographyBlock
)  # fmt: skip


def between(piece: str, printed: str) -> str:
    """Return a piece of a sentence as printed, with the blanks that part it from the code beside it."""
    before, after = piece[:1].isspace(), piece[-1:].isspace()
    return f"{' ' * before}{printed}{' ' * after}"


def after_place(place: str, words: ReportPhrases) -> str:
    """Return what a line of passages begins with: their place, or what they are."""
    asks = place.endswith(("?", "!", "？", "！"))
    return f"{place} " if asks else f"{place or words.passages}{words.colon}"


def passage_lines(entry: Entry, words: ReportPhrases) -> list[str]:
    """Return what stands below a source: each cited passage by its name and how it begins, with its place."""
    return [
        after_place(plain(place), words)
        + words.comma.join(f"{entry.name_of(p)} “{plain(beginning(p.text, BEGINNING))}”" for p in held)
        for place, held in entry.listed()
    ]


def whose(block: QuotationBlock, words: ReportPhrases) -> str:
    """Return what stands below a quotation: the source's title, the heading in it, what became of it."""
    title = words.quoted_under.format(title=block.title, heading=block.under) if block.under else block.title
    fate = _fate(block.cited, words)
    return f"{title} ({fate})" if fate else title


def _fate(cited: Cited, words: ReportPhrases) -> str:
    """Say what became of the sources of a claim, a retraction of any first, and who doubts all of them."""
    found = {entry.source.became for entry, _passages in cited}
    if "retracted" in found:
        return words.rests_retracted
    if "corrected" in found:
        return words.rests_corrected
    doubted = cited and all(entry.source.trust == "doubt" for entry, _passages in cited)
    if doubted:
        return words.rests_doubted
    if cited and all(entry.renewed for entry, _passages in cited):
        read, later = cited[0][0].source.retrieved, cited[0][0].renewed
        return words.rests_older.format(read=moment(read, later), later=moment(later, read))
    return ""


def code_lines(part: QuotedPart) -> list[str]:
    """Return the lines of code, without signs that nobody sees and without the indent that all have."""
    lines = [HIDDEN.sub("", line).replace("\t", "    ").rstrip() for line in part.text.split("\n")]
    return dedent("\n".join(lines)).split("\n")
