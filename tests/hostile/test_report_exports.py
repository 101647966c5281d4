"""Reports on hostile sources come out inert in every form."""

import json
import re
from typing import Any

import pytest
from markdown_it import MarkdownIt

from reports.export.json import report_json, sources_json
from reports.export.markdown import escape, report_markdown
from reports.plain import plain

from .report_attacks import ATTACKS, hostile

HARMLESS = re.compile(r"#source-\d+$|https://(?:evil|good)\.example/", re.IGNORECASE)
HIDDEN = re.compile("[\u202a-\u202e\u2066-\u2069\u200b\x00\x1b]")


def tokens(text: str) -> list[Any]:
    found = MarkdownIt("gfm-like", {"linkify": False, "html": True}).parse(text)
    return [*found, *(child for token in found for child in token.children or [])]


def test_markdown_shows_and_does_nothing() -> None:
    text = report_markdown(*hostile())
    found = tokens(text)
    blocks = "heading paragraph em strong link ordered_list bullet_list list_item table thead tbody tr th td"
    allowed = {f"{block}_{end}" for block in blocks.split() for end in ("open", "close")}
    kinds = {t.type for t in found}
    assert kinds <= allowed | {"inline", "text", "text_special", "html_inline", "softbreak"}
    html = {t.content for t in found if t.type == "html_inline"}
    assert html <= {f'<a id="source-{n}">' for n in range(1, 11)} | {"</a>"}
    hrefs = {str(t.attrs["href"]) for t in found if t.type == "link_open"}
    assert all(HARMLESS.match(href) for href in hrefs), hrefs
    assert not any("password" in href or "pixel" in href for href in hrefs)
    assert not HIDDEN.search(text)
    assert sum(t.type == "heading_open" for t in found) == 1 + 1 + len(ATTACKS) + 3


@pytest.mark.parametrize("attack", ATTACKS)
def test_what_markdown_escapes_is_what_it_shows(attack: str) -> None:
    shown = "".join(t.content for t in tokens(escape(attack)) if t.type in ("text", "text_special"))
    assert shown == plain(attack)


def test_json_is_valid_and_whole() -> None:
    report, evidence = hostile()
    assert json.loads(report_json(report).encode())["title"] == report.title
    assert len(json.loads(sources_json(evidence).encode())["sources"]) == len(ATTACKS)
