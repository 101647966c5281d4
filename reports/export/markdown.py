"""`report.md`: a report to read anywhere. What strangers wrote is escaped: it shows and does nothing."""

import re
from collections.abc import Collection, Sequence
from urllib.parse import quote as percent

from library import Evidence
from reports.cite.source_numbering import Bibliography, Entry, bibliography, fragment_link
from reports.document import Report, Section, Sentence, Table
from reports.export.pictures import chart_file
from reports.plan.layout import paragraphs
from reports.report_phrases import ReportPhrases, phrases_for
from reports.tables.charts import chart_table
from reports.visible_text import plain, web_address

# Characters that CommonMark, GFM or renderers of mathematics may take for more than themselves.
_SPECIAL = re.compile(r"([\\`*_{}\[\]<>|~$^])")
_LINE_START = re.compile(r"^(\s*)([#+\-=]|\d+[.)])")
_ENTITY = re.compile(r"&(?=#?\w+;)")
_AUTOLINK = re.compile(
    r"\b(https?|ftp|mailto|javascript|data|vbscript|file)(?=:)|\b(www)(?=\.)", re.IGNORECASE
)


def escape(text: str) -> str:
    """Return text as Markdown that shows it, in one line, with no link, image, tag, emphasis or formula."""
    shown = _SPECIAL.sub(r"\\\1", _ENTITY.sub("&amp;", plain(text)))
    shown = _AUTOLINK.sub(lambda m: f"{m[0]}&#8203;" if m[2] else m[0], shown)
    shown = shown.replace("://", ":&#47;/").replace("@", "&#64;")
    return _LINE_START.sub(lambda m: f"{m[1]}{_escaped_start(m[2])}", shown)


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
    sources = bibliography(report, evidence)
    parts = [f"# {escape(report.title)}"]
    if report.front.note:
        parts.append(f"*{escape(report.front.note)}*")
    count = 0
    for section in report.sections:
        parts += _section(section, sources, words, listed=report.listed)
        for chart in section.charts:
            count += 1
            if (name := chart_file(stem, count)) in pictures:
                parts.append(f"![{escape(chart.title)}]({percent(name)})")
            parts.append(_table(chart_table(chart), sources))
    if report.back.open_questions:
        parts.append(f"## {words.open}")
        parts.append("\n".join(f"- {escape(question)}" for question in report.back.open_questions))
    if report.back.made:
        parts.append(f"## {words.made}")
        parts.append("\n".join(f"- {escape(line)}" for line in report.back.made))
    if sources.entries:
        parts.append(f"## {words.bibliography}")
        parts.append("\n".join(_entry(entry, words) for entry in sources.entries))
    return "\n\n".join(parts) + "\n"


def _section(section: Section, sources: Bibliography, words: ReportPhrases, *, listed: bool) -> list[str]:
    parts = [f"{'#' * min(section.level + 1, 6)} {escape(section.heading)}"] if section.heading else []
    if section.opening:
        parts.append(escape(section.opening))
    told = [" ".join(_sentence(s, sources, words) for s in group) for group in paragraphs(section.sentences)]
    if listed and told:
        told = ["\n".join(f"- {point}" for point in told)]
    parts += told
    parts += [_table(table, sources) for table in section.tables]
    return parts


def _sentence(sentence: Sentence, sources: Bibliography, words: ReportPhrases) -> str:
    mark = f" *({words.unsupported})*" if sentence.support == "unsupported" else ""
    return f"{escape(sentence.text)}{_citations(sentence.citations, sources)}{mark}"


def _citations(ids: Sequence[str], sources: Bibliography) -> str:
    entries = [entry for entry, _passages in sources.grouped(ids)]
    links = "".join(f"[{escape(entry.label)}](#{entry.anchor})" for entry in entries)
    return f" {links}" if links else ""


def _table(table: Table, sources: Bibliography) -> str:
    lines = [f"**{escape(table.title)}**", ""] if table.title else []
    lines.append(f"| {' | '.join(map(escape, table.columns))} |")
    lines.append(f"|{' --- |' * len(table.columns)}")
    lines += [
        f"| {' | '.join(escape(c.text) + _citations(c.citations, sources) for c in row)} |"
        for row in table.rows
    ]
    return "\n".join(lines)


def _entry(entry: Entry, words: ReportPhrases) -> str:
    source = entry.source
    details = [escape(part) for part in (source.author, source.published) if part]
    mark = f"{entry.number}." if entry.numbered else "-"
    lines = f'{mark} <a id="{entry.anchor}"></a>**{escape(source.title or source.url)}**'
    lines += f" — {words.comma.join(details)}" if details else ""
    address = web_address(source.url)
    lines += f". <{address}>" if address else f". {escape(source.url)}"
    if source.retrieved:
        lines += f"{words.comma}{escape(words.retrieved.format(date=source.retrieved[:10]))}"
    links = [f"[{p.id}]({link})" if (link := fragment_link(p)) else p.id for p in entry.passages]
    return f"{lines}. {words.passages}{words.colon}{words.comma.join(links)}"
