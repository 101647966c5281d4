"""LaTeX source of a report; every text is escaped, no package beyond a usual installation is needed."""

from collections.abc import Collection, Sequence

from library import Evidence
from reports.cite.source_numbering import Bibliography, Entry, bibliography
from reports.document import Report, Section, Sentence, Table
from reports.export.pictures import chart_file
from reports.export.references import tex
from reports.plan.layout import paragraphs
from reports.report_phrases import ReportPhrases, phrases_for
from reports.tables.charts import chart_table
from reports.visible_text import web_address

_HEAD = r"""\documentclass[11pt]{article}
\usepackage[a4paper,margin=2.6cm]{geometry}
\usepackage{fontspec}
\usepackage{array}
\usepackage{graphicx}
"""
_LEVELS = ("section", "subsection", "subsubsection", "paragraph")


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
    sources = bibliography(report, evidence)
    chinese = "\\usepackage{xeCJK}\n" if words.stop == "。" else ""
    parts = [
        f"{_HEAD}{chinese}\\usepackage[hidelinks]{{hyperref}}\n\\setcounter{{secnumdepth}}{{0}}",
        f"\\title{{{tex(report.title)}}}\n\\date{{}}\n\\begin{{document}}\n\\maketitle",
    ]
    if report.front.note:
        parts.append(f"\\emph{{{tex(report.front.note)}}}")
    count = 0
    for section in report.sections:
        parts += _section(section, sources, words, listed=report.listed)
        for chart in section.charts:
            count += 1
            if (name := chart_file(stem, count, "png")) in pictures:
                parts.append(f"\\includegraphics[width=0.8\\linewidth]{{{_file(name)}}}")
            parts.append(_table(chart_table(chart), sources))
    for heading, lines in ((words.open, report.back.open_questions), (words.made, report.back.made)):
        if lines:
            items = "\n".join(f"\\item {{}}{tex(line)}" for line in lines)
            parts.append(f"\\section{{{heading}}}\n\\begin{{itemize}}\n{items}\n\\end{{itemize}}")
    if sources.entries:
        entries = "\n".join(_entry(entry, words) for entry in sources.entries)
        parts.append(f"\\renewcommand{{\\refname}}{{{words.bibliography}}}\n\\begin{{thebibliography}}{{99}}")
        parts.append(f"{entries}\n\\end{{thebibliography}}")
    return "\n\n".join([*parts, "\\end{document}"]) + "\n"


def _section(section: Section, sources: Bibliography, words: ReportPhrases, *, listed: bool) -> list[str]:
    parts = [f"\\{_LEVELS[min(section.level, len(_LEVELS)) - 1]}{{{tex(section.heading)}}}"]
    if section.opening:
        parts.append(tex(section.opening))
    told = [
        " ".join(_sentence(sentence, sources, words) for sentence in group)
        for group in paragraphs(section.sentences)
    ]
    if listed and told:
        points = "\n".join(f"\\item {{}}{point}" for point in told)
        told = [f"\\begin{{itemize}}\n{points}\n\\end{{itemize}}"]
    parts += told
    return [*parts, *(_table(table, sources) for table in section.tables)]


def _file(name: str) -> str:
    return f"\\detokenize{{{name}}}"


def _sentence(sentence: Sentence, sources: Bibliography, words: ReportPhrases) -> str:
    mark = f" \\emph{{({words.unsupported})}}" if sentence.support == "unsupported" else ""
    return f"{tex(sentence.text)}{_cites(sentence.citations, sources)}{mark}"


def _cites(ids: Sequence[str], sources: Bibliography) -> str:
    keys = ",".join(entry.anchor for entry, _passages in sources.grouped(ids))
    return f"~\\cite{{{keys}}}" if keys else ""


def _table(table: Table, sources: Bibliography) -> str:
    width = f"{0.94 / max(len(table.columns), 1):.3f}"
    columns = f">{{\\raggedright\\arraybackslash}}p{{{width}\\linewidth}}" * len(table.columns)
    rows = [" & ".join(f"\\textbf{{{tex(column)}}}" for column in table.columns)]
    rows += [
        " & ".join(f"{{}}{tex(c.text)}{_cites(c.citations, sources)}" for c in row) for row in table.rows
    ]
    body = " \\\\\n".join(rows)
    title = f"\\textbf{{{tex(table.title)}}}\n\n" if table.title else ""
    return f"{title}\\noindent\\begin{{tabular}}{{{columns}}}\n{body} \\\\\n\\end{{tabular}}"


def _entry(entry: Entry, words: ReportPhrases) -> str:
    source = entry.source
    details = [tex(part) for part in (source.author, source.published) if part]
    about = f" --- {words.comma.join(details)}" if details else ""
    address = web_address(source.url)
    where = tex(source.url)
    if address:
        # Percent signs and hashes are escaped for \href; the address holds no braces or backslashes.
        target = "".join(f"\\{c}" if c in "%#&_$" else "\\string~" if c == "~" else c for c in address)
        where = f"\\href{{{target}}}{{{tex(address)}}}"
    label = "" if entry.numbered else f"[{{{tex(entry.label[1:-1])}}}]"
    return f"\\bibitem{label}{{{entry.anchor}}} \\textbf{{{tex(source.title or source.url)}}}{about}. {where}"
