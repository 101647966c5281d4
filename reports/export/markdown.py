"""`report.md`: a report to read anywhere. What strangers wrote is escaped: it shows and does nothing."""

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from urllib.parse import quote as percent

import reports.export.document_blocks as doc
from library import Evidence, Passage
from library.passages import beginning
from library.text import code_span
from reports.cite.source_numbering import Entry, bibliography, fragment_link
from reports.document import Report
from reports.export.document_walker import blocks
from reports.export.pictures import chart_file
from reports.report_phrases import ReportPhrases, phrases_for
from reports.visible_text import plain

# Characters that CommonMark, GFM or renderers of mathematics may take for more than themselves.
_SPECIAL = re.compile(r"([\\`*_{}\[\]<>|~$^])")
_LINE_START = re.compile(r"^(\s*)([#+\-=]|\d+[.)])")
_ENTITY = re.compile(r"&(?=#?\w+;)")
_AUTOLINK = re.compile(
    r"\b(https?|ftp|mailto|javascript|data|vbscript|file)(?=:)|\b(www)(?=\.)", re.IGNORECASE
)


_ADDRESS = re.compile(
    r"\b([a-z][a-z0-9+.-]{1,20}://(?:[\w/~%?#=&+:@!$*;,.-]*[\w/~%#=&+$*-])?)", re.IGNORECASE | re.ASCII
)
_WIDE_STOPS = ("。", "！", "？")
"""Stops that bring their own blank."""
_FENCES = re.compile(r"`+")
SOURCE_LINK = re.compile(r"\[((?:\\.|[^\\\[\]]){0,200})\]\(#source-(\d{1,9})\)")
"""How a report's Markdown cites: the mark (`\\[2.7\\]`, escaped), and the number of its source."""


def escape(text: str) -> str:
    """Return text as Markdown that shows it, in one line, with no link, image, tag, emphasis or formula.

    An address stands as code: so it can be copied, and leads nowhere.
    """
    return _LINE_START.sub(lambda m: f"{m[1]}{_escaped_start(m[2])}", _in_line(text))


def _in_line(text: str) -> str:
    """Return text as `escape` does, for where no line begins."""
    parts = _ADDRESS.split(plain(text))
    return "".join(f"`{part}`" if n % 2 else _escaped(part) for n, part in enumerate(parts))


def _escaped(text: str) -> str:
    shown = _SPECIAL.sub(r"\\\1", _ENTITY.sub("&amp;", text))
    shown = _AUTOLINK.sub(lambda m: f"{m[0]}&#8203;" if m[2] else m[0], shown)
    return shown.replace("://", ":&#47;/").replace("@", "&#64;")


def _escaped_start(mark: str) -> str:
    return f"{mark[:-1]}\\{mark[-1]}"


def report_markdown(
    report: Report, evidence: Evidence, stem: str = "report", pictures: Collection[str] = ()
) -> str:
    """Return the report as Markdown: `[1]` leads to the bibliography, that to the words on the web.

    Args:
        report: What to print.
        evidence: What it cites.
        stem: The name of its file without ending; charts lie beside it under names of that (`chart_file`).
        pictures: Names of those files that are there; other charts stand as tables alone.
    """
    words = phrases_for(report.language)
    parts = [f"# {escape(report.title)}"]
    for block in blocks(report, bibliography(report, evidence), words):
        parts += _block(block, words, stem, pictures)
    return "\n\n".join(parts) + "\n"


def _block(  # noqa: C901 - one case for each kind of block
    block: doc.Block, words: ReportPhrases, stem: str, pictures: Collection[str]
) -> Iterator[str]:
    match block:
        case doc.NoteBlock(text):
            yield f"*{escape(text)}*"
        case doc.HeadingBlock(text, level):
            if text:
                yield f"{'#' * min(level + 1, 6)} {escape(text)}"
        case doc.ConnectingBlock(text):
            yield escape(text)
        case doc.ParagraphsBlock(paragraphs, listed, first):
            told = [words.between.join(_sentence(said, words) for said in each) for each in paragraphs]
            points = [f"{n}. {point}" if first else f"- {point}" for n, point in enumerate(told, first)]
            yield from ["\n".join(points)] if listed else told
        case doc.CodeBlock(part, cited, under, number):
            # Under its point, or the list would end there.
            width = {"point": 2, "step": len(f"{number}. ")}.get(under, 0)
            yield "\n".join(f"{' ' * width}{line}".rstrip() for line in _quoted(part))
            yield from filter(None, [_citations(cited).strip()])
        case doc.QuotationBlock(parts, _, _, cited):
            told = [line for part in parts for line in [*_quoted(part), ""]]
            told.append(f"— {escape(doc.whose(block, words))}{_citations(cited)}")
            yield "\n".join(f"> {line}".rstrip() for line in told)
        case doc.TableBlock():
            yield _table(block)
        case doc.ChartBlock(chart, number, table):
            if (name := chart_file(stem, number)) in pictures:
                yield f"![{escape(chart.title)}]({percent(name)})"
            yield _table(table)
        case doc.ListBlock(heading, items):
            yield f"## {heading}"
            yield "\n".join(f"- {_sentence(item, words)}" for item in items)
        case doc.BibliographyBlock(heading, references):
            yield f"## {heading}"
            yield "\n".join(_reference(reference, words) for reference in references)


def _quoted(part: doc.QuotedPart) -> list[str]:
    """Return the lines of a piece of a quotation."""
    match part.form:
        case "step" | "point":
            return _items(part.items)
        case "row" if part.table:
            return _table(part.table).split("\n")
        case "code":
            lines = doc.code_lines(part)
            fence = "`" * max(3, 1 + max((len(run) for run in _FENCES.findall("\n".join(lines))), default=0))
            return [fence, *lines, fence]
        case _:
            return [escape(part.text)]


def _items(items: Sequence[doc.QuotedItem], indent: str = "") -> list[str]:
    lines: list[str] = []
    for item in items:
        lines.append(f"{indent}{f'{item.number}.' if item.number else '-'} {escape(item.text)}")
        lines += _items(item.below, indent + "   ")
    return lines


def _sentence(said: doc.CitedText, words: ReportPhrases) -> str:
    mark = f" *({doubt})*" if (doubt := said.doubt(words)) else ""
    pieces = said.pieces
    told = "".join(
        code_span(plain(part)) if code else doc.between(part, escape(part)) for part, code in pieces
    )
    cited = _citations(said.cited)
    return f"{told}{cited.lstrip() if told.endswith(_WIDE_STOPS) else cited}{mark}"


def _citations(cited: doc.Cited) -> str:
    links = "".join(f"[{escape(entry.label_at(ps))}](#{entry.anchor})" for entry, ps in cited)
    return f" {links}" if links else ""


def _table(table: doc.TableBlock) -> str:
    lines = [f"**{escape(table.title)}**", ""] if table.title else []
    lines.append(f"| {' | '.join(map(_in_line, table.columns))} |")
    lines.append(f"|{' --- |' * len(table.columns)}")
    lines += [f"| {' | '.join(_in_line(c.text) + _citations(c.cited) for c in row)} |" for row in table.rows]
    return "\n".join(lines)


def _begins(passage: Passage) -> str:
    return beginning(passage.text, doc.BEGINNING)


def _reference(reference: doc.Reference, words: ReportPhrases) -> str:
    entry, details = reference.entry, [escape(part) for part in reference.details]
    # Not an ordered list: Markdown would count its items, whatever number each is given.
    mark = f"- {escape(entry.label)}" if entry.numbered else "-"
    lines = f'{mark} <a id="{entry.anchor}"></a>**{escape(reference.title)}**'
    lines += f" — {words.comma.join(details)}" if details else ""
    lines += words.ended + (f"<{reference.address}>" if reference.address else escape(reference.url))
    if reference.retrieved:
        lines += f"{words.comma}{escape(reference.retrieved)}"
    told = [
        f"{doc.after_place(escape(place), words)}{_passages(entry, held, words)}"
        for place, held in entry.listed()
    ]
    return "\n  - ".join([lines, *told]) if entry.places else f"{lines}{words.ended}{told[0]}"


def _passages(entry: Entry, passages: Iterable[Passage], words: ReportPhrases) -> str:
    return words.comma.join(_passage(entry.name_of(passage), passage) for passage in passages)


def _passage(name: str, passage: Passage) -> str:
    """Return a link to the words, or where none leads to them, how they begin: so they can be looked for."""
    link = fragment_link(passage)
    return f"[{name}]({link})" if link else f"{name} “{escape(_begins(passage))}”"
