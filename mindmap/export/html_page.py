"""One HTML file that needs nothing else, with a content security policy, made for keyboard and screen reader.

The map is a WAI-ARIA tree of plain list items, so it can be read without the script too. The script
(`page.js`) adds the keys of a tree, search, collapsing and zoom; it gets no data but the page itself, so
nothing in a title or a passage is ever run.
"""

import base64
import hashlib
from html import escape
from importlib.resources import files

from mindmap.export.export_tree import ExportNode, ShownPassage

_MARKS = {"pinned": "pinned", "gap": "open question", "contradiction": "sources disagree"}
_OPEN_LEVELS = 2


def write(top: ExportNode) -> str:
    """Return the map as a page."""
    style, script = _asset("page.css"), _asset("page.js")
    policy = (
        f"default-src 'none'; style-src '{_digest(style)}'; script-src '{_digest(script)}'; "
        "base-uri 'none'; form-action 'none'"
    )
    return f"""<!doctype html>
<html lang="und"><head><meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="{policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<title>{escape(top.title)}</title>
<style>{style}</style></head><body>
<header><h1 dir="auto">{escape(top.title)}</h1>
<div role="search"><input id="search" type="search" aria-label="Search the map" placeholder="Search">
<span id="found" role="status"></span></div>
<div role="group" aria-label="View"><button id="open" type="button">Open all</button>
<button id="close" type="button">Close all</button>
<button id="smaller" type="button" aria-label="Smaller">−</button>
<button id="larger" type="button" aria-label="Larger">+</button></div></header>
<main><p class="count">{len(top.walk())} nodes, {top.facts.passages} passages, {top.facts.sources} sources.
Arrow keys move, Enter shows what a node holds.</p>
<ul role="tree" id="map" aria-label="{escape(top.title)}">{_item(top, 1, 1, 1)}</ul></main>
<script>{script}</script></body></html>
"""


def _asset(name: str) -> str:
    return (files("mindmap.export") / "assets" / name).read_text(encoding="utf-8").strip()


def _digest(text: str) -> str:
    return "sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()


def _item(node: ExportNode, level: int, place: int, siblings: int) -> str:
    expanded = f' aria-expanded="{str(level <= _OPEN_LEVELS).lower()}"' if node.children else ""
    marks = "".join(f' <span class="mark {mark}">{_MARKS[mark]}</span>' for mark in node.marks)
    inner = "".join(
        _item(child, level + 1, number, len(node.children)) for number, child in enumerate(node.children, 1)
    )
    group = f'<ul role="group">{inner}</ul>' if inner else ""
    return (
        f'<li role="treeitem" id="{node.id}" aria-level="{level}" aria-posinset="{place}" '
        f'aria-setsize="{siblings}" aria-labelledby="{node.id}-title" tabindex="{0 if level == 1 else -1}"'
        f'{expanded}><div class="row"><span class="title" id="{node.id}-title" dir="auto">'
        f"{escape(node.title)}{marks}</span>{_facts(node)}</div>{_held(node)}{group}</li>"
    )


def _facts(node: ExportNode) -> str:
    facts = node.facts
    if not facts.passages:
        return ""
    dates = f", {facts.earliest} to {facts.latest}" if facts.earliest and facts.latest else ""
    if facts.earliest == facts.latest and facts.earliest:
        dates = f", {facts.earliest}"
    noun = "source" if facts.sources == 1 else "sources"
    return f'<span class="facts">{facts.sources} {noun}{escape(dates)}, {facts.sure}</span>'


def _held(node: ExportNode) -> str:
    if not node.notes and not node.passages:
        return ""
    notes = "".join(
        f'<div class="note"><p class="question" dir="auto">{escape(note.question)}</p>'
        f'<p dir="auto">{escape(note.answer) or "<em>still open</em>"}</p></div>'
        for note in node.notes
    )
    passages = "".join(map(_passage, node.passages))
    return f'<div class="held" hidden>{notes}{passages}</div>'


def _passage(passage: ShownPassage) -> str:
    page = escape(passage.title)
    if passage.url:
        page = f'<a href="{escape(passage.url)}" rel="noreferrer noopener" target="_blank">{page}</a>'
    date = f", {escape(passage.published)}" if passage.published else ""
    return (
        f'<figure><blockquote dir="auto">{escape(passage.text)}</blockquote>'
        f'<figcaption dir="auto">{passage.name} · {page}{date}</figcaption></figure>'
    )
