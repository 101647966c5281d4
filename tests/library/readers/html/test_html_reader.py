"""Pages of many kinds of markup: the text that is kept, and the words around it that are not."""

import asyncio
import json

import pytest
from lxml.html import document_fromstring

from library.errors import ReadError
from library.readers.html.html_reader import drop_hidden
from library.readers.read_settings import ReadSettings
from library.readers.reader import Reader
from library.web.fetch_settings import FetchSettings
from library.web.fetcher import Fetcher

WHEN = "2026-03-01T12:00:00+00:00"
NAMES = ("article", "blog", "chinese", "divs", "docs", "forum", "hidden", "news", "oldpage", "wiki")
KEPT_FLOOR = 0.9
"""Of a page's sentences. Raised on purpose, never lowered in silence."""


@pytest.fixture(scope="module")
def reader():
    with Reader() as reader:
        yield reader


@pytest.fixture(scope="module")
def expected(pages):
    return json.loads((pages / "expected.json").read_text("utf-8"))


@pytest.mark.parametrize("name", NAMES)
def test_the_main_text_is_kept_and_the_rest_is_not(reader, pages, expected, name):
    wanted = expected[f"{name}.html"]
    data = (pages / f"{name}.html").read_bytes()
    source = reader.read_bytes(data, f"https://example.org/{name}", "text/html", WHEN)
    kept = [sentence for sentence in wanted["kept"] if sentence in source.text]
    assert len(kept) >= KEPT_FLOOR * len(wanted["kept"])
    assert [words for words in wanted["dropped"] if words in source.text] == []
    assert source.title == wanted["title"]
    assert wanted["author"] in (None, source.author)
    assert wanted["published"] in (None, source.published)
    assert source.url == f"https://example.org/{name}"


@pytest.mark.loopback
async def test_pages_are_fetched_and_read_side_by_side(website, reader, pages, expected):
    for name in NAMES:
        website.add(f"/{name}", (pages / f"{name}.html").read_bytes(), Content_Type="text/html")
    async with Fetcher(FetchSettings(allow=(website.host,), pause=0)) as fetcher:
        fetched = await asyncio.gather(*(fetcher.fetch(f"{website.url}/{name}") for name in NAMES))
    sources = await asyncio.gather(*(reader.read_page(page) for page in fetched))
    for name, page, source in zip(NAMES, fetched, sources, strict=True):
        assert source.url == f"{website.url}/{name}"
        assert source.retrieved == page.retrieved
        assert source.title == expected[f"{name}.html"]["title"]
        assert not source.private
    assert website.paths.count("/robots.txt") == 1


def test_every_page_is_expected(pages, expected):
    assert (
        sorted(path.name for path in pages.glob("*.html"))
        == sorted(expected)
        == [f"{name}.html" for name in NAMES]
    )


def test_structure_is_written_as_in_markdown_and_emphasis_is_not(reader):
    page = """<html><body><article><h1>Title</h1><p>A <b>bold</b> word and a <a href="/x">link</a> in it.</p>
    <h2>Section</h2><ul><li>First <i>item</i> of the list</li><li>Second item</li></ul>
    <table><tr><th>Year</th><th>Sum</th></tr><tr><td>1990</td><td>12</td></tr></table>
    <p>Closing words that make the page long enough to be read.</p></article></body></html>"""
    assert reader.read_bytes(page.encode(), "https://example.org/", "text/html", WHEN).text == (
        "# Title\n\nA bold word and a link in it.\n\n"
        "## Section\n\n- First item of the list\n- Second item\n\n"
        "Year: 1990 | Sum: 12\n\nClosing words that make the page long enough to be read."
    )


def left(markup: str) -> str:
    tree = document_fromstring(f"<html><head></head><body><p>seen </p>{markup}</body></html>")
    drop_hidden(tree)
    return " ".join(tree.body.text_content().split())


@pytest.mark.parametrize(
    "style",
    [
        "display:none", "DISPLAY : none", "display:none !important", "visibility:hidden", "opacity:0",
        "opacity:.0;",
        "opacity: 0.00", "font-size:0", "font-size: 0px", "color:transparent", "text-indent:-9999px",
        "position:absolute;left:-10000px", "clip:rect(0,0,0,0)", "clip-path: inset(50%)",
        "height:0;overflow:hidden", "color:#FFF;background:white",
        "color: rgb(255, 255, 255); background-color:#ffffff",
        "content-visibility:hidden",
    ],
)  # fmt: skip
def test_styles_that_hide(style):
    assert left(f'<p style="{style}">hidden</p>') == "seen"


@pytest.mark.parametrize(
    "style",
    ["display:block", "opacity:0.5", "opacity:.05", "font-size:0.9em", "left:-5px", "height:0.5em",
     "color:white;background:black",
     "opacity:1", "color:#fff", "margin-left:-20px", "font-size:08pt"],
)  # fmt: skip
def test_styles_that_do_not(style):
    assert left(f'<p style="{style}">shown</p>') == "seen shown"


@pytest.mark.parametrize(
    ("sheet", "shown"),
    [
        (".x{display:none}", ""),
        ("a, p.x , b{color:red;display:none}", ""),
        ("#i { visibility: hidden }", ""),
        ("/* .x{} */ .x/* */{display:none}", ""),
        ("@media print{.x{display:none}}", "words"),
        ("@media print{.y{color:red} .x{display:none}} .z{display:none}", "words"),
        ("@import url(x.css); .x{display:none}", ""),
        ("div.x{display:none}", "words"),
        (".menu .x{display:none}", "words"),
        (".x:hover{display:none}", "words"),
        (".x{display:none", "words"),
    ],
)
def test_rules_of_a_style_sheet(sheet, shown):
    assert left(f'<style>{sheet}</style><p class="x" id="i">words</p>') == f"seen {shown}".strip()


@pytest.mark.parametrize(
    "markup", ["<script>x</script>", "<template>x</template>", "<noscript>x</noscript>", "<p hidden>x</p>",
               "<iframe srcdoc='x'>x</iframe>", "<dialog open>x</dialog>"]
)  # fmt: skip
def test_elements_that_are_not_text(markup):
    assert left(markup) == "seen"


def nested(depth: int) -> bytes:
    return (
        b"<html><body><p>Words before the abyss, enough of them.</p>"
        + b"<div>" * depth
        + b"deep"
        + b"</div>" * depth
    )


@pytest.mark.parametrize("depth", [300, 20_000])
def test_deep_nesting_is_read_as_far_as_it_goes(reader, depth):
    source = reader.read_bytes(nested(depth), "https://example.org/", "text/html", WHEN)
    assert "Words before the abyss" in source.text


def test_a_page_that_is_too_large_is_refused():
    with (
        Reader(ReadSettings(html_megabytes=0.001)) as reader,
        pytest.raises(ReadError, match="larger than 0.001 MB"),
    ):
        reader.read_bytes(b"<html>" + b"x" * 2000, "https://example.org/", "text/html")


@pytest.mark.parametrize(
    "data",
    [
        b"<html></html>",
        b"<html><script>document.write('x')</script></html>",
        b"<html><body><img src=x></body></html>",
    ],
)
def test_a_page_without_text_says_so(reader, data):
    with pytest.raises(ReadError, match="https://example.org/: it holds no text"):
        reader.read_bytes(data, "https://example.org/", "text/html")


@pytest.mark.parametrize(
    ("head", "encoding", "media_type"),
    [
        ('<meta charset="gbk">', "gbk", "text/html"),
        ("", "gbk", "text/html; charset=GBK"),
        ('<meta http-equiv=Content-Type content="text/html; charset=big5">', "big5", "text/html"),
        ("", "utf-8", "text/html; charset=iso-8859-1"),
        ("", "utf-16", "text/html"),
    ],
)
def test_encodings_of_pages(reader, head, encoding, media_type):
    sentence = (
        "河水在春天上漲，村民把木船拉到岸上。"
        if encoding == "big5"
        else "河水在春天上涨，村民把木船拉到岸上。"
    )
    data = f"<html><head>{head}<title>t</title></head><body><p>{sentence * 3}</p></body></html>".encode(
        encoding
    )
    assert sentence in reader.read_bytes(data, "https://example.org/", media_type, WHEN).text


def test_xhtml_with_a_declaration_is_read(reader):
    page = """<?xml version="1.0" encoding="utf-8"?><!DOCTYPE html><html xmlns="http://www.w3.org/1999/xhtml">
    <body><p>A sentence in a strict old page, long enough.</p></body></html>"""
    source = reader.read_bytes(page.encode(), "https://example.org/", "application/xhtml+xml", WHEN)
    assert source.text == "A sentence in a strict old page, long enough."
