"""One self-contained HTML file: no script, nothing remote, its style allowed by hash alone.

Every text is escaped where it is printed and every link goes through `web_address`; a content security
policy in the page forbids all else. Hovering over or focusing a citation shows the passage; the
bibliography holds all.
"""

import base64
import hashlib
from collections.abc import Iterator, Sequence
from html import escape as escape_html
from importlib.resources import files

import reports.export.document_blocks as doc
from library import Evidence, Passage
from reports.cite.source_numbering import Entry, bibliography, fragment_link
from reports.document import Report
from reports.export.document_walker import blocks
from reports.export.pictures import data_url, svg
from reports.plan.map_reader import Map
from reports.report_phrases import ReportPhrases, phrases_for
from reports.visible_text import plain

_OPENING = 60
"""Characters of a passage by which it is known in the bibliography."""


def report_html(report: Report, evidence: Evidence, tree: Map | None = None) -> str:
    """Return the report as one HTML file; with a map, its outline stands beside the text."""
    style = files("reports.export").joinpath("report.css").read_text(encoding="utf-8")
    allowed = base64.b64encode(hashlib.sha256(style.encode()).digest()).decode()
    policy = f"default-src 'none'; style-src 'sha256-{allowed}'; base-uri 'none'; form-action 'none'"
    if any(section.charts for section in report.sections):
        policy += "; img-src data:"  # pictures that the page itself holds: no script runs in them
    words = phrases_for(report.language)
    page = _Page(words)
    below = [
        part
        for block in blocks(report, bibliography(report, evidence), words)
        for part in page.block(block)
    ]
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
            *below,
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
    def __init__(self, words: ReportPhrases) -> None:
        self._words = words
        self._between = words.between
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

    def block(self, block: doc.Block) -> Iterator[str]:
        match block:
            case doc.NoteBlock(words):
                yield f'<p class="note" dir="auto">{text(words)}</p>'
            case doc.HeadingBlock(words, level, section):
                rank = min(level + 1, 6)
                yield f'<h{rank} id="section-{section}" dir="auto">{text(words)}</h{rank}>'
            case doc.ConnectingBlock(words):
                yield f'<p dir="auto">{text(words)}</p>'
            case doc.ParagraphsBlock():
                yield from self._paragraphs(block)
            case doc.CodeBlock(part, cited, under):
                kind = "code under" if under in ("point", "step") else "code"
                yield f'<div class="{kind}">{_quoted(part)}{self._citations(cited)}</div>'
            case doc.QuotationBlock(parts, _, _, cited):
                told = (self._table(part.table) if part.table else _quoted(part) for part in parts)
                said = f"<blockquote>{''.join(told)}</blockquote>"
                below = f"— {text(doc.whose(block, self._words))}{self._citations(cited)}"
                yield f'<figure class="quotation" dir="auto">{said}<figcaption>{below}</figcaption></figure>'
            case doc.TableBlock():
                yield self._table(block)
            case doc.ChartBlock(chart, _, table):  # the picture is held by the page itself
                if (picture := svg(chart)) is not None:
                    yield f'<img class="chart" alt="{text(chart.title)}" src="{data_url(picture)}">'
                yield self._table(table)
            case doc.ListBlock(heading, items):
                listed = "".join(f'<li dir="auto">{self._sentence(item)}</li>' for item in items)
                yield f'<h2 dir="auto">{text(heading)}</h2><ul>{listed}</ul>'
            case doc.BibliographyBlock(heading, references):
                entries = "".join(map(self._reference, references))
                kind = "sources" if references[0].entry.numbered else "sources named"
                yield f'<h2>{text(heading)}</h2><ol class="{kind}">{entries}</ol>'

    def _paragraphs(self, block: doc.ParagraphsBlock) -> Iterator[str]:
        tag, list_tag = "li" if block.listed else "p", "ol" if block.first else "ul"
        if block.listed:
            start = f' start="{block.first}"' if block.first > 1 else ""
            yield f'<{list_tag} class="points"{start}>'
        for paragraph in block.paragraphs:
            yield f'<{tag} dir="auto">{self._between.join(map(self._sentence, paragraph))}</{tag}>'
        if block.listed:
            yield f"</{list_tag}>"

    def _sentence(self, said: doc.CitedText) -> str:
        mark = f' <em class="mark">({text(doubt)})</em>' if (doubt := said.doubt(self._words)) else ""
        pieces = ((doc.between(part, text(part)), code) for part, code in said.pieces)
        told = "".join(f"<code>{part}</code>" if code else part for part, code in pieces)
        return f'<span class="{said.support}">{told}</span>{self._citations(said.cited)}{mark}'

    def _citations(self, cited: doc.Cited) -> str:
        return "".join(self._citation(entry, passages) for entry, passages in cited)

    def _citation(self, entry: Entry, passages: Sequence[Passage]) -> str:
        self._cited += 1
        shown = f"shown-{self._cited}"
        quoted = " … ".join(text(passage.text) for passage in passages)
        kind = "cite" if entry.numbered else "cite named"
        places = self._words.comma.join(place.line for place in entry.places_of(passages))
        whence = f"<b>{text(entry.source.title)}</b>" + (f" <i>{text(places)}</i>" if places else "")
        return (
            f'<span class="{kind}">'
            f'<a href="#{entry.anchor}" aria-describedby="{shown}">{text(entry.label_at(passages))}</a>'
            f'<span class="passage" role="tooltip" id="{shown}" dir="auto">'
            f"{whence} {quoted}</span></span>"
        )

    def _table(self, table: doc.TableBlock) -> str:
        head = "".join(f'<th scope="col" dir="auto">{text(column)}</th>' for column in table.columns)
        rows = "".join(
            "<tr>"
            + "".join(f'<td dir="auto">{text(cell.text)}{self._citations(cell.cited)}</td>' for cell in row)
            + "</tr>"
            for row in table.rows
        )
        title = f'<caption dir="auto">{text(table.title)}</caption>' if table.title else ""
        return f"<table>{title}<thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table>"

    def _reference(self, reference: doc.Reference) -> str:
        words, entry = self._words, reference.entry
        details = [text(part) for part in reference.details]
        about = f" — {words.comma.join(details)}" if details else ""
        where = text(reference.url)
        if address := reference.address:
            where = f'<a href="{text(address)}" rel="noreferrer noopener">{text(address)}</a>'
        if reference.retrieved:
            where += f"{text(words.comma)} {text(reference.retrieved)}"
        passages = ""
        for place, held in entry.listed():
            passages += f'<p class="place" dir="auto">{text(place)}</p>' if place else ""
            passages += "".join(self._passage(entry, p) for p in held)
        number = f' value="{entry.number}"' if entry.numbered else ""
        return (
            f'<li id="{entry.anchor}"{number}><b dir="auto">{text(reference.title)}</b>{about}'
            f'<br><span class="where">{where}</span>{passages}</li>'
        )

    def _passage(self, entry: Entry, passage: Passage) -> str:
        live = fragment_link(passage)
        link = (
            f'<a href="{text(live)}" rel="noreferrer noopener">{text(self._words.live)}</a>' if live else ""
        )
        quoted = f'<blockquote dir="auto">{text(passage.text)}</blockquote>'
        said = f'{text(entry.name_of(passage))}: <span dir="auto">{text(_opening(passage.text))}</span>'
        return f"<details><summary>{said}</summary>{quoted}{link}</details>"


def _quoted(part: doc.QuotedPart) -> str:
    if part.form == "code":
        return f"<pre>{escape_html(chr(10).join(doc.code_lines(part)), quote=True)}</pre>"
    if part.form in ("step", "point"):
        return _listed(part.items)
    return f'<p dir="auto">{text(part.text)}</p>'


def _listed(items: Sequence[doc.QuotedItem]) -> str:
    shown = ""
    for first, run in doc.lists_of(items):
        told = "".join(f'<li dir="auto">{text(item.text)}{_listed(item.below)}</li>' for item in run)
        start = f' start="{first}"' if first > 1 else ""
        shown += f"<ol{start}>{told}</ol>" if first else f"<ul>{told}</ul>"
    return shown


def _opening(words: str) -> str:
    """Return the first words of a passage, for a line of a list."""
    shown = plain(words)
    if len(shown) <= _OPENING:
        return shown
    return f"{shown[:_OPENING].rsplit(' ', 1)[0] if ' ' in shown[:_OPENING] else shown[:_OPENING]} …"
