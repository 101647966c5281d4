"""The order of a printed report, once for all exports: its blocks from top to bottom, citations resolved.

An export says how a block looks in its format and nothing else: it goes through `blocks` with one `match`.
All texts are as they are in the report; each export escapes them for its format.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from textwrap import dedent

from library import Passage, Source, shown_address
from library.passages import Form, beginning
from library.text import HIDDEN, code_spans, is_cjk, reported
from reports.cite.lead_ins import without_repeated
from reports.cite.source_names import kept_on, moment, source_name
from reports.cite.source_numbering import Bibliography, Entry
from reports.document import Cell, Chart, Report, Section, Sentence, Support, Table
from reports.plan.layout import paragraphs
from reports.report_phrases import ReportPhrases
from reports.tables.charts import chart_table
from reports.visible_text import dated, plain, web_address

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


_WIDE_STOPS = ("。", "！", "？")
_QUOTATION = re.compile(r"“[^“”]*”")
_LISTED: frozenset[Form] = frozenset({"point", "step"})

BEGINNING = 40
"""Characters of a passage by which the list of sources tells it."""

Block = (
    NoteBlock | HeadingBlock | ConnectingBlock | ParagraphsBlock | CodeBlock | QuotationBlock | TableBlock
    | ChartBlock | ListBlock | BibliographyBlock
)  # fmt: skip


def blocks(report: Report, sources: Bibliography, words: ReportPhrases) -> Iterator[Block]:
    """Yield what stands below a report's title, in order.

    Args:
        report: What to print.
        sources: Of the same report: `bibliography`.
        words: Headings and fixed phrases, in the report's language.
    """
    if report.front.note:
        yield NoteBlock(report.front.note)
    charts = 0
    for n, section in enumerate(report.sections):
        yield HeadingBlock(section.heading, section.level, n)
        yield from _inside(section, sources, listed=report.listed)
        for chart in section.charts:
            charts += 1
            yield ChartBlock(chart, charts, _table(chart_table(chart), sources))
    for heading, items in ((words.open, report.back.open_questions), (words.made, report.back.made)):
        if items:
            yield ListBlock(heading, tuple(CitedText(item, ()) for item in items))
    if sources.entries:
        references = tuple(_reference(entry, words) for entry in sources.entries)
        yield BibliographyBlock(words.bibliography, references)


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


def _inside(section: Section, sources: Bibliography, *, listed: bool) -> Iterator[Block]:
    if section.opening:
        yield ConnectingBlock(section.opening)
    groups = paragraphs(without_repeated(section.sentences))
    for whose, some in groupby(groups, key=lambda group: None if listed else _quoted_from(group, sources)):
        if whose is not None:
            yield _quotation(list(some), sources)
            continue
        pieces = _with_codes([piece for group in some for piece in _pieces(group)])
        before: Sequence[Sentence] = ()
        number = 0
        for form, run in groupby(pieces, key=lambda piece: piece[0].form):
            alike = list(run)
            if form == "code":
                for said in (said for piece in alike for said in piece):
                    cited = () if before else tuple(sources.grouped(said.citations))
                    under = before[0].form if before and not listed else "prose"
                    yield CodeBlock(QuotedPart(form, said.text), cited, under, number)
                continue
            before = alike[-1]
            told = tuple(tuple(_cited(s, sources) for s in piece) for piece in alike)
            first = alike[0][0].step or 1 if form == "step" and not listed else 0
            number = first + len(alike) - 1 if first else 0
            yield ParagraphsBlock(told, listed or form in _LISTED, first)
    if section.closing:
        yield ConnectingBlock(section.closing)
    for table in section.tables:
        yield _table(table, sources)


def _with_codes(pieces: Sequence[Sequence[Sentence]]) -> list[Sequence[Sentence]]:
    """Return pieces in which the last sentence before some code has the citations of that, too.

    A mark in a line of its own belongs to nothing that one can read.
    """
    found: list[Sequence[Sentence]] = []
    last = -1
    for n, piece in enumerate(pieces):
        found.append(piece)
        if piece[0].form != "code":
            last = n
        elif last >= 0:
            *others, end = found[last]
            ids = dict.fromkeys([*end.citations, *(i for code in piece for i in code.citations)])
            found[last] = [*others, end.model_copy(update={"citations": list(ids)})]
    return found


def _pieces(group: Sequence[Sentence]) -> Iterator[list[Sentence]]:
    """Yield a paragraph's sentences with the code among them apart."""
    for _is_code, run in groupby(group, key=lambda said: said.form == "code"):
        yield list(run)


_Whence = tuple[int, tuple[int, ...], str]
"""The block of a quotation, or the sources and the heading that it is from where nobody numbered blocks."""


def _quoted_from(group: Sequence[Sentence], sources: Bibliography) -> _Whence | None:
    """Return whence a paragraph is quoted; None where it is not only quoted, or not from one place."""
    whose: set[_Whence] = set()
    for said in group:
        if said.support != "quoted" or not (said.form == "code" or _QUOTATION.fullmatch(said.text)):
            return None
        numbers = tuple(entry.number for entry, _passages in sources.grouped(said.citations))
        whose.add((said.block, () if said.block else numbers, said.under))
    return whose.pop() if len(whose) == 1 else None


def _quotation(groups: Sequence[Sequence[Sentence]], sources: Bibliography) -> QuotationBlock:
    everything = [said for group in groups for said in group]
    parts = tuple(part for group in _alike(groups) for part in _quoted_parts(group))
    cited = tuple(sources.grouped(list(dict.fromkeys(i for said in everything for i in said.citations))))
    whole = cited[0][0].source
    title = source_name(whole.title, whole.url, whole.text)
    under = everything[0].under
    return QuotationBlock(parts, title, "" if under.casefold() in title.casefold() else under, cited)


def _alike(groups: Sequence[Sequence[Sentence]]) -> Iterator[list[Sentence]]:
    """Yield a quotation's sentences in runs of one kind: a paragraph's prose, a list's items, or code."""
    run: list[Sentence] = []
    for group in groups:
        for n, said in enumerate(group):
            listed = said.form in _LISTED and run and run[-1].form in _LISTED
            # A list goes on over paragraphs; one that another list follows at once ends where that begins.
            goes_on = not (n == 0 and said.block) if listed else n > 0 and run and run[-1].form == said.form
            if run and not goes_on:
                yield run
                run = []
            run.append(said)
    if run:
        yield run


def _quoted_parts(run: Sequence[Sentence]) -> Iterator[QuotedPart]:
    form = run[0].form
    if form == "prose":
        yield QuotedPart(form, _joined(run))
        return
    if form == "code":
        for said in run:
            if said.gap:
                yield QuotedPart("prose", _left_out(run))
            yield QuotedPart(form, said.text)
        return
    at = 0
    for n, said in enumerate(run):
        if said.gap and not said.level:
            if n > at:
                yield _list(run[at:n])
            yield QuotedPart("prose", _left_out(run))
            at = n
    yield _list(run[at:])
    if run[-1].goes_on:
        yield QuotedPart("prose", _left_out(run))


def _list(run: Sequence[Sentence], number: int = 0) -> QuotedPart:
    return QuotedPart(run[0].form, items=tuple(_items(run, min(said.level for said in run), number)))


def _items(run: Sequence[Sentence], level: int, number: int = 0) -> Iterator[QuotedItem]:
    """Yield the items of a level, each with those that stand further in below it."""
    at = 0
    while at < len(run):
        said = run[at]
        end = next((n for n in range(at + 1, len(run)) if run[n].level <= level), len(run))
        if said.gap and level:
            yield QuotedItem(_left_out(run), 0)
        number = (said.step or number + 1) if said.form == "step" else 0
        more = f" {_left_out(run)}" if said.goes_on and said is not run[-1] else ""
        below = _items(run[at + 1 : end], level + 1) if said.level == level else ()
        yield QuotedItem(said.text[1:-1] + more, number, tuple(below))
        at = end if said.level == level else at + 1


def _left_out(run: Sequence[Sentence]) -> str:
    """Return what stands for words that are left out, as the script of what is quoted has it."""
    return "……" if any(map(is_cjk, run[0].text)) else "…"


def _joined(run: Sequence[Sentence]) -> str:
    """Put sentences together, with a blank where the script has blanks and a mark where some are left out."""
    whole = ""
    for said in run:
        words = said.text[1:-1]
        if said.gap:
            mark = _left_out(run)
            whole += mark if mark == "……" else f"{mark} "
        whole += words if words.endswith(_WIDE_STOPS) else f"{words} "
    return whole.rstrip()


def _cited(said: Sentence | Cell, sources: Bibliography) -> CitedText:
    cited = tuple(sources.grouped(said.citations))
    return CitedText(said.text, cited, said.support if isinstance(said, Sentence) else "unchecked")


def _table(table: Table, sources: Bibliography) -> TableBlock:
    rows = (tuple(_cited(cell, sources) for cell in row) for row in table.rows)
    return TableBlock(table.title, tuple(table.columns), tuple(rows))


def _details(source: Source, words: ReportPhrases) -> tuple[str | None, ...]:
    """Return what is said of a source beside its title: what became of it, authors, where and when."""
    work = source.work
    if work is None:
        return source.author, source.published or dated(source.url)
    authors = ", ".join(work.authors[:3]) + (" et al." if len(work.authors) > 3 else "")
    doi = f"doi:{work.doi}" if work.doi else ""
    became = {"retracted": words.retracted, "corrected": words.corrected}.get(work.became)
    return became, authors or source.author, work.venue, source.published, doi


def _reference(entry: Entry, words: ReportPhrases) -> Reference:
    source = entry.source
    return Reference(
        entry,
        title=source_name(source.title, source.url, source.text),
        details=tuple(part for part in _details(source, words) if part),
        address=web_address(source.url),
        url=words.unaddressed if reported(source.url) else shown_address(source.url),
        retrieved=kept_on(source, words, entry.renewed),
    )
