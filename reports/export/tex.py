"""LaTeX source of a report; every text is escaped, no package beyond a usual installation is needed."""

from collections.abc import Collection, Iterable, Iterator, Sequence

import reports.export.document_blocks as doc
from library import Evidence
from reports.cite.source_numbering import bibliography
from reports.document import Report
from reports.export.document_walker import blocks
from reports.export.pictures import chart_file
from reports.export.references import tex
from reports.report_phrases import ReportPhrases, phrases_for

_HEAD = r"""\documentclass[11pt]{article}
\usepackage[a4paper,margin=2.6cm]{geometry}
\usepackage{fontspec}
\usepackage{array}
\usepackage{graphicx}
"""
_PASSAGE = r"""% A citation names its passages; who wants sources alone: \renewcommand{\passage}[2]{\cite{#1}}
\newcommand{\passage}[2]{\hyperlink{cite.#1}{#2}}"""
_LEVELS = ("section", "subsection", "subsubsection", "paragraph")

_DEEPEST = 4
"""Lists within lists that LaTeX sets."""


def report_tex(
    report: Report, evidence: Evidence, stem: str = "report", pictures: Collection[str] = ()
) -> str:
    """Return the report as LaTeX (for XeLaTeX or LuaLaTeX, which read UTF-8 and system fonts).

    Args:
        report: What to print.
        evidence: What it cites.
        stem: The name of its file without ending; charts lie beside it under names of that (`chart_file`).
        pictures: Names of those files that are there; other charts stand as tables alone.
    """
    words = phrases_for(report.language)
    chinese = "\\usepackage{xeCJK}\n" if words.stop == "。" else ""
    parts = [
        f"{_HEAD}{chinese}\\usepackage[hidelinks]{{hyperref}}\n\\setcounter{{secnumdepth}}{{0}}\n{_PASSAGE}",
        f"\\title{{{tex(report.title)}}}\n\\date{{}}\n\\begin{{document}}\n\\maketitle",
    ]
    for block in blocks(report, bibliography(report, evidence), words):
        parts += _block(block, words, stem, pictures)
    return "\n\n".join([*parts, "\\end{document}"]) + "\n"


def _block(block: doc.Block, words: ReportPhrases, stem: str, pictures: Collection[str]) -> Iterator[str]:
    match block:
        case doc.NoteBlock(text):
            yield f"\\emph{{{tex(text)}}}"
        case doc.HeadingBlock(text, level):
            yield f"\\{_LEVELS[min(level, len(_LEVELS)) - 1]}{{{tex(text)}}}"
        case doc.ConnectingBlock(text):
            yield tex(text)
        case doc.ParagraphsBlock(paragraphs, listed, first):
            told = [" ".join(_sentence(said, words) for said in each) for each in paragraphs]
            yield from [_itemized(told, "enumerate" if first else "itemize", first)] if listed else told
        case doc.CodeBlock(part, cited):
            yield f"\\begin{{quote}}\n{_quoted(part)}{_citations(cited)}\n\\end{{quote}}"
        case doc.QuotationBlock(parts, _, _, cited):
            quoted = "\n\n".join(map(_quoted, parts))
            below = f"{{\\small --- {tex(doc.whose(block, words))}{_citations(cited)}}}"
            yield f"\\begin{{quote}}\n{quoted}\n\n{below}\n\\end{{quote}}"
        case doc.TableBlock():
            yield _table(block)
        case doc.ChartBlock(_, number, table):
            if (name := chart_file(stem, number, "png")) in pictures:
                yield f"\\includegraphics[width=0.8\\linewidth]{{{_file(name)}}}"
            yield _table(table)
        case doc.ListBlock(heading, items):
            yield f"\\section{{{heading}}}\n{_itemized(_sentence(item, words) for item in items)}"
        case doc.BibliographyBlock(heading, references):
            yield f"\\renewcommand{{\\refname}}{{{heading}}}\n\\begin{{thebibliography}}{{99}}"
            entries = "\n".join(_reference(reference, words) for reference in references)
            yield f"{entries}\n\\end{{thebibliography}}"


def _itemized(points: Iterable[str], kind: str = "itemize", first: int = 0, depth: int = 1) -> str:
    items = "\n".join(f"\\item {{}}{point}" for point in points)
    begins = f"\n\\setcounter{{enum{'i' * depth}}}{{{first - 1}}}" if first > 1 else ""
    return f"\\begin{{{kind}}}{begins}\n{items}\n\\end{{{kind}}}"


def _quoted(part: doc.QuotedPart) -> str:
    if part.form == "code":
        lines = [tex(line.lstrip(" ")) for line in doc.code_lines(part)]
        indents = [len(line) - len(line.lstrip(" ")) for line in doc.code_lines(part)]
        told = "\\\\\n".join("~" * n + "{}" + line for n, line in zip(indents, lines, strict=True))
        return f"{{\\ttfamily\\small\\raggedright {told}\\par}}"
    if part.form in ("step", "point"):
        return _listed(part.items)
    if part.table:
        return _table(part.table)
    return tex(part.text)


def _listed(items: Sequence[doc.QuotedItem], depth: int = 1) -> str:
    shown = []
    for first, run in doc.lists_of(items):
        told = [f"{tex(item.text)}{_below(item, depth)}" for item in run]
        shown.append(_itemized(told, "enumerate" if first else "itemize", first, depth))
    return "\n".join(shown)


def _below(item: doc.QuotedItem, depth: int) -> str:
    if depth < _DEEPEST:
        return f"\n{_listed(item.below, depth + 1)}" if item.below else ""
    return "".join(f"\n{tex(each.text)}{_below(each, depth)}" for each in item.below)


def _file(name: str) -> str:
    return f"\\detokenize{{{name}}}"


def _sentence(said: doc.CitedText, words: ReportPhrases) -> str:
    mark = f" \\emph{{({doubt})}}" if (doubt := said.doubt(words)) else ""
    told = "".join(
        f"\\texttt{{{tex(part)}}}" if code else doc.between(part, tex(part)) for part, code in said.pieces
    )
    return f"{told}{_citations(said.cited)}{mark}"


def _citations(cited: doc.Cited) -> str:
    told = [f"\\passage{{{entry.anchor}}}{{{tex(entry.label_at(ps))}}}" for entry, ps in cited]
    return "~" + "".join(told) if told else ""


def _table(table: doc.TableBlock) -> str:
    width = f"{0.94 / max(len(table.columns), 1):.3f}"
    columns = f">{{\\raggedright\\arraybackslash}}p{{{width}\\linewidth}}" * len(table.columns)
    rows = [" & ".join(f"\\textbf{{{tex(column)}}}" for column in table.columns)]
    rows += [" & ".join(f"{{}}{tex(c.text)}{_citations(c.cited)}" for c in row) for row in table.rows]
    body = " \\\\\n".join(rows)
    title = f"\\textbf{{{tex(table.title)}}}\n\n" if table.title else ""
    return f"{title}\\noindent\\begin{{tabular}}{{{columns}}}\n{body} \\\\\n\\end{{tabular}}"


def _reference(reference: doc.Reference, words: ReportPhrases) -> str:
    entry, details = reference.entry, [tex(part) for part in reference.details]
    about = f" --- {words.comma.join(details)}" if details else ""
    where = tex(reference.url)
    if address := reference.address:
        # Percent signs and hashes are escaped for \href; the address holds no braces or backslashes.
        target = "".join(f"\\{c}" if c in "%#&_$" else "\\string~" if c == "~" else c for c in address)
        where = f"\\href{{{target}}}{{{tex(address)}}}"
    label = f"[{entry.number}]" if entry.numbered else f"[{{{tex(entry.label[1:-1])}}}]"
    places = "".join(f"\\\\\n{{\\small {tex(line)}}}" for line in doc.passage_lines(entry, words))
    return f"\\bibitem{label}{{{entry.anchor}}} \\textbf{{{tex(reference.title)}}}{about}. {where}{places}"
