"""The order of a printed report, once for all exports: its blocks from top to bottom, citations resolved.

An export goes through `blocks` with one `match`.
"""

import re
from collections.abc import Iterator, Sequence
from itertools import groupby

from library import Source, shown_address
from library.passages import Form, aligned
from library.text import is_cjk, reported
from reports.cite.lead_ins import without_repeated
from reports.cite.source_names import kept_on, source_name
from reports.cite.source_numbering import Bibliography, Entry
from reports.document import Cell, Report, Section, Sentence, Table
from reports.export.document_blocks import (
    BibliographyBlock,
    Block,
    ChartBlock,
    CitedText,
    CodeBlock,
    ConnectingBlock,
    HeadingBlock,
    ListBlock,
    NoteBlock,
    ParagraphsBlock,
    QuotationBlock,
    QuotedItem,
    QuotedPart,
    Reference,
    TableBlock,
)
from reports.plan.layout import paragraphs
from reports.report_phrases import ReportPhrases
from reports.tables.charts import chart_table
from reports.visible_text import dated, web_address

_WIDE_STOPS = ("。", "！", "？")
_QUOTATION = re.compile(r"“[^“”]*”")
_LISTED: frozenset[Form] = frozenset({"point", "step"})

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
        if not numbers:  # a stranger's report may cite what is not there
            return None
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
            tabled = said.form == "row" and run and run[-1].form == "row"
            # A list goes on over paragraphs; one that another list follows at once ends where that begins.
            goes_on = not (n == 0 and said.block) if listed else n > 0 and run and run[-1].form == said.form
            goes_on = goes_on or (tabled and _one_table(run[-1], said))
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
    if form == "row":
        yield _quoted_table(run)
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


def _one_table(before: Sentence, said: Sentence) -> bool:
    """Tell whether two rows are of one table: the names of columns that one lacks are empty cells of it."""
    return said.heads[:1] == before.heads[:1] and before.block == said.block


def _quoted_table(run: Sequence[Sentence]) -> QuotedPart:
    """Put rows below the names of their columns; where some are left out, a row says so."""
    told = [aligned(said.text[1:-1], said.heads) for said in run]
    named = list(dict.fromkeys(head for row in told for head, _ in row if head))
    width = len(named) or max(map(len, told))
    rows: list[tuple[str, ...]] = []
    for said, row in zip(run, told, strict=True):
        if said.gap and rows:
            rows.append((_left_out(run), *[""] * (width - 1)))
        held = dict(row) if named else {}
        values = [held.get(head, "") for head in named] if named else [cell for _, cell in row]
        rows.append((*values, *[""] * (width - len(values))))
    shown = tuple(tuple(CitedText(cell, ()) for cell in row) for row in rows)
    return QuotedPart("row", table=TableBlock("", tuple(named) or ("",) * width, shown))


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
    where = words.unaddressed if reported(source.url) else shown_address(source.url)
    return Reference(
        entry,
        title=source_name(source.title, source.url, source.text),
        details=tuple(part for part in _details(source, words) if part),
        address=web_address(source.url),
        url=words.computed if source.computed else where,
        retrieved=kept_on(source, words, entry.renewed),
    )
