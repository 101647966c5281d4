"""One self-contained HTML file: no script, nothing remote, its style allowed by hash alone.

Every text is escaped where it is printed and every link goes through `web_address`; a content security
policy in the page forbids all else. Hovering over or focusing a citation shows the passage; the
bibliography holds all.
"""

import base64
import hashlib
from collections.abc import Sequence
from html import escape as escape_html
from importlib.resources import files

from library import Evidence, Passage
from reports.cite.source_numbering import Bibliography, Entry, bibliography, fragment_link
from reports.document import Chart, Report, Section, Sentence, Table
from reports.export.pictures import data_url, svg
from reports.plan.layout import paragraphs
from reports.plan.map_reader import Map
from reports.report_phrases import ReportPhrases, phrases_for
from reports.tables.charts import chart_table
from reports.visible_text import plain, web_address

_OPENING = 60
"""Characters of a passage by which it is known in the bibliography."""


def report_html(report: Report, evidence: Evidence, tree: Map | None = None) -> str:
    """Return the report as one HTML file; with a map, its outline stands beside the text."""
    style = files("reports.export").joinpath("report.css").read_text(encoding="utf-8")
    allowed = base64.b64encode(hashlib.sha256(style.encode()).digest()).decode()
    policy = f"default-src 'none'; style-src 'sha256-{allowed}'; base-uri 'none'; form-action 'none'"
    if any(section.charts for section in report.sections):
        policy += "; img-src data:"  # pictures that the page itself holds: no script runs in them
    page = _Page(bibliography(report, evidence), phrases_for(report.language), listed=report.listed)
    title = text(report.title)
    return "\n".join(
        [
            "<!DOCTYPE html>",
            f'<html lang="{text(report.language)}">',
            "<head>",
            '<meta charset="utf-8">',
            f'<meta http-equiv="Content-Security-Policy" content="{policy}">',
            '<meta name="viewport" content="width=device-width, initial-scale=1">',
            '<meta name="referrer" content="no-referrer">',
            f"<title>{title}</title>",
            f"<style>{style}</style>",
            "</head>",
            "<body>",
            page.aside(report, tree),
            "<main>",
            f'<h1 dir="auto">{title}</h1>',
            *page.body(report),
            "</main>",
            "</body>",
            "</html>",
            "",
        ]
    )


def text(words: str) -> str:
    """Return words as HTML text or attribute: no markup, nothing hidden."""
    return escape_html(plain(words), quote=True)


class _Page:
    def __init__(self, sources: Bibliography, words: ReportPhrases, *, listed: bool) -> None:
        self._listed = listed
        self._sources = sources
        self._words = words
        self._cited = 0

    def aside(self, report: Report, tree: Map | None) -> str:
        anchors = {section.node: f"section-{n}" for n, section in enumerate(report.sections) if section.node}
        if tree is not None:
            listed = self._branch(tree, tree.root, anchors)
        else:
            listed = "".join(
                f'<li class="level-{min(section.level, 3)}">'
                f'<a href="#section-{n}" dir="auto">{text(section.heading)}</a></li>'
                for n, section in enumerate(report.sections)
            )
        return f'<nav aria-label="{text(self._words.contents)}"><ul>{listed}</ul></nav>'

    def _branch(self, tree: Map, node_id: str, anchors: dict[str, str]) -> str:
        node = tree.node(node_id)
        name = f'<span dir="auto">{text(node.title)}</span>'
        if node_id in anchors:
            name = f'<a href="#{anchors[node_id]}" dir="auto">{text(node.title)}</a>'
        below = "".join(self._branch(tree, child, anchors) for child in tree.children(node_id))
        return f"<li>{name}{f'<ul>{below}</ul>' if below else ''}</li>"

    def body(self, report: Report) -> list[str]:
        words, parts = self._words, []
        if report.front.note:
            parts.append(f'<p class="note" dir="auto">{text(report.front.note)}</p>')
        for n, section in enumerate(report.sections):
            parts += self._section(section, n)
        for heading, lines in ((words.open, report.back.open_questions), (words.made, report.back.made)):
            if lines:
                items = "".join(f'<li dir="auto">{text(line)}</li>' for line in lines)
                parts.append(f'<h2 dir="auto">{text(heading)}</h2><ul>{items}</ul>')
        if self._sources.entries:
            entries = "".join(map(self._entry, self._sources.entries))
            kind = "sources" if self._sources.entries[0].numbered else "sources named"
            parts.append(f'<h2>{text(words.bibliography)}</h2><ol class="{kind}">{entries}</ol>')
        return parts

    def _section(self, section: Section, n: int) -> list[str]:
        tag = "li" if self._listed else "p"
        rank = min(section.level + 1, 6)
        parts = [f'<h{rank} id="section-{n}" dir="auto">{text(section.heading)}</h{rank}>']
        if section.opening:
            parts.append(f'<p dir="auto">{text(section.opening)}</p>')
        if self._listed and section.sentences:
            parts.append('<ul class="points">')
        parts += [
            f'<{tag} dir="auto">{" ".join(map(self._sentence, group))}</{tag}>'
            for group in paragraphs(section.sentences)
        ]
        if self._listed and section.sentences:
            parts += ["</ul>"]
        parts += [self._table(table) for table in section.tables]
        parts += [part for chart in section.charts for part in self._chart(chart)]
        return parts

    def _sentence(self, sentence: Sentence) -> str:
        mark = (
            f' <em class="mark">({text(self._words.unsupported)})</em>'
            if sentence.support == "unsupported"
            else ""
        )
        said = f'<span class="{sentence.support}">{text(sentence.text)}</span>'
        return f"{said}{self._cites(sentence.citations)}{mark}"

    def _cites(self, ids: Sequence[str]) -> str:
        return "".join(self._cite(entry, passages) for entry, passages in self._sources.grouped(ids))

    def _cite(self, entry: Entry, passages: Sequence[Passage]) -> str:
        self._cited += 1
        shown = f"shown-{self._cited}"
        quoted = " … ".join(text(passage.text) for passage in passages)
        kind = "cite" if entry.numbered else "cite named"
        return (
            f'<span class="{kind}">'
            f'<a href="#{entry.anchor}" aria-describedby="{shown}">{text(entry.label)}</a>'
            f'<span class="passage" role="tooltip" id="{shown}" dir="auto">'
            f"<b>{text(entry.source.title)}</b> {quoted}</span></span>"
        )

    def _chart(self, chart: Chart) -> list[str]:
        """Return a chart's picture, held by the page itself, and its data with their citations."""
        table = self._table(chart_table(chart))
        if (picture := svg(chart)) is None:
            return [table]
        return [f'<img class="chart" alt="{text(chart.title)}" src="{data_url(picture)}">', table]

    def _table(self, table: Table) -> str:
        head = "".join(f'<th scope="col" dir="auto">{text(column)}</th>' for column in table.columns)
        rows = "".join(
            "<tr>"
            + "".join(f'<td dir="auto">{text(cell.text)}{self._cites(cell.citations)}</td>' for cell in row)
            + "</tr>"
            for row in table.rows
        )
        title = f'<caption dir="auto">{text(table.title)}</caption>' if table.title else ""
        return f"<table>{title}<thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table>"

    def _entry(self, entry: Entry) -> str:
        source, words = entry.source, self._words
        details = [text(part) for part in (source.author, source.published) if part]
        about = f" — {words.comma.join(details)}" if details else ""
        address = web_address(source.url)
        where = text(source.url)
        if address:
            where = f'<a href="{text(address)}" rel="noreferrer noopener">{text(address)}</a>'
        if source.retrieved:
            where += f"{text(words.comma)} {text(words.retrieved.format(date=source.retrieved[:10]))}"
        passages = "".join(map(self._passage, entry.passages))
        return (
            f'<li id="{entry.anchor}"><b dir="auto">{text(source.title or source.url)}</b>{about}'
            f'<br><span class="where">{where}</span>{passages}</li>'
        )

    def _passage(self, passage: Passage) -> str:
        live = fragment_link(passage)
        link = (
            f'<a href="{text(live)}" rel="noreferrer noopener">{text(self._words.live)}</a>' if live else ""
        )
        quoted = f'<blockquote dir="auto">{text(passage.text)}</blockquote>'
        said = f'{text(passage.id)}: <span dir="auto">{text(_opening(passage.text))}</span>'
        return f"<details><summary>{said}</summary>{quoted}{link}</details>"


def _opening(words: str) -> str:
    """Return the first words of a passage, for a line of a list."""
    shown = plain(words)
    if len(shown) <= _OPENING:
        return shown
    return f"{shown[:_OPENING].rsplit(' ', 1)[0] if ' ' in shown[:_OPENING] else shown[:_OPENING]} …"
