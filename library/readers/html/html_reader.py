"""A page's main text, without menus, banners and hidden words, and what the page says of itself.

Runs in a worker process: parsers of strangers' pages may crash or run away.
"""

import re
from collections.abc import Iterator
from typing import Any

from library.errors import ReadError
from library.readers.html.boilerplate import CLEAN, link_share, prune, text_length
from library.readers.html.data_tables import unlink_data_tables
from library.readers.html.headed_rows import PageCell, row_lines
from library.readers.html.html_text import inline, written
from library.readers.html.linked_headings import mark_linked_headings
from library.readers.html.page_metadata import metadata
from library.readers.text_files.plain_text import decode, html_charset, seen, tidy

_XML_DECLARATION = re.compile(r"^\s*<\?xml[^>]*\?>")
_HIDING = re.compile(
    r"display:none|visibility:(?:hidden|collapse)|opacity:(?:0|0?\.0+)(?![.\d])|font-size:(?:0|0?\.0+)(?![.\d])"
    r"|color:transparent|text-indent:-\d{3,}|(?:left|top|right|bottom):-\d{4,}|clip:rect\(0|clip-path:inset\((?:50|100)%"
    r"|(?:max-)?(?:height|width):0(?:px)?;(?:.*;)?overflow:hidden|content-visibility:hidden"
)
_COLOUR = re.compile(r"(?:^|;)(background(?:-color)?|color):([^;]+)")
_WHITE = {
    "#fff": "white",
    "#ffffff": "white",
    "rgb(255,255,255)": "white",
    "#000": "black",
    "#000000": "black",
}
_RULE = re.compile(r"(?<![^{}])([^{}]*)\{([^{}]*)\}")
_SIMPLE = re.compile(r"([a-z][a-z0-9]*)?([.#])([A-Za-z_][\w-]*)$")
_NEVER_SEEN = ("script", "style", "template", "noscript", "iframe", "object", "embed", "dialog")
_BLOCKS = ("lb", "p", "item", "cell", "row", "head", "list", "table", "quote", "code", "div")
_LEAST = 25
"""Characters of text below which a page counts as having none."""
_LEAST_SHARE = 0.25
"""Of a page's text that must be left when navigation is dropped; else it was no navigation."""


def read_html(
    data: bytes, charset: str | None, largest: int, latest: str, links: bool | None = None
) -> dict[str, Any]:
    """Read a page: its main text, and what it says of itself.

    A page that is hardly anything but its text, once navigation is dropped, is written down as it stands:
    documentation, a saved article. From others trafilatura picks what is text.

    Args:
        data: The page.
        charset: As the server named it; None when it did not.
        largest: Bytes a page may have.
        latest: ISO 8601 date after which the page cannot be from: the day it was retrieved.
        links: All of it is text, its lists of links too, and links to the web keep their addresses.

    Raises:
        ReadError: It is too large or holds no text.
    """
    if len(data) > largest:
        raise ReadError(f"the page is larger than {largest / 1_000_000:g} MB")
    markup = _XML_DECLARATION.sub("", decode(data, charset or html_charset(data)), count=1)
    tree = parsed(markup)
    drop_hidden(tree)
    mark_linked_headings(tree)
    if links:
        return _with_links(tree, latest)
    unlink_data_tables(tree)
    whole = text_length(tree.body) if tree.body is not None else 0
    body = _main(tree)
    prune(body)
    said = metadata(tree, body, latest)
    text = ""
    if link_share(body) <= CLEAN:
        text = tidy(seen(written(body)))
    if len(text) < _LEAST or text_length(body) < _LEAST_SHARE * whole:
        text = _extracted(parsed(markup)) or text
    if len(text) < _LEAST:
        raise ReadError("it holds no text (it may need JavaScript)")
    title = said["title"]
    return {"text": text, **said, "title": seen(title).strip() or None if title else None}


def _with_links(tree: Any, latest: str) -> dict[str, Any]:
    body = tree.body if tree.body is not None else tree
    said = metadata(tree, body, latest)
    for link in list(body.iter("a")):
        address, words = link.get("href", ""), inline(link)
        if address.startswith(("http://", "https://")) and words and "\n" not in address:
            for child in list(link):
                link.remove(child)
            link.text = f"[{words}]({address})"
    text = tidy(seen(written(body)))
    if len(text) < _LEAST:
        raise ReadError("it holds no text (it may need JavaScript)")
    return {"text": text, **said, "title": seen(said["title"]).strip() or None if said["title"] else None}


def _main(tree: Any) -> Any:
    """Return what a page names as its main part, else its body."""
    mains = [node for node in tree.iter("main", "article", "div") if _is_main(node)]
    if len(mains) == 1 and text_length(mains[0]) >= _LEAST:
        return mains[0]
    return tree.body if tree.body is not None else tree


def _is_main(node: Any) -> bool:
    return bool(node.tag == "main" or node.get("role", "").lower() == "main")


def _extracted(tree: Any) -> str:
    """Return what trafilatura takes for a page's text; all that can be seen on it when that is nothing."""
    from lxml import etree
    from trafilatura import bare_extraction, html2txt
    from trafilatura.settings import Document

    drop_hidden(tree)
    mark_linked_headings(tree)
    unlink_data_tables(tree)
    for label in list(tree.iter("span", "kbd")):
        label.drop_tag()  # it takes labels of menus for menus
    try:
        found = bare_extraction(tree, include_comments=False, with_metadata=False, as_dict=False)
    except etree.Error as error:
        raise ReadError(f"its markup cannot be read ({error})") from error
    text = tidy(seen(_written(found.body))) if isinstance(found, Document) and found.body is not None else ""
    return text if len(text) >= _LEAST else tidy(seen(html2txt(tree)))


def parsed(markup: str) -> Any:
    """Return a page as a tree. Raises ReadError."""
    from lxml import etree
    from lxml.html import HTMLParser, document_fromstring

    # libxml2 takes no NUL and no lone surrogates; without huge_tree it stops at 256 nested elements.
    markup = markup.replace("\0", "").encode("utf-8", "replace").decode("utf-8")
    try:
        return document_fromstring(
            markup, parser=HTMLParser(remove_comments=True, remove_pis=True, huge_tree=False)
        )
    except (etree.ParserError, etree.XMLSyntaxError, ValueError) as error:
        raise ReadError(f"its markup cannot be read ({' '.join(str(error).split())})") from error


def drop_hidden(tree: Any) -> None:
    """Drop what a browser would not show: by attribute, inline style, or a simple rule of a style sheet."""
    hidden_names = _hidden_names("\n".join(style.text or "" for style in tree.iter("style")))
    doomed = [element for element in tree.iter() if _is_hidden(element, hidden_names)]
    for element in doomed:
        if element.getparent() is not None and element.tag not in ("html", "body"):
            element.drop_tree()


def _is_hidden(element: Any, hidden_names: set[tuple[str, str]]) -> bool:
    if not isinstance(element.tag, str):
        return False
    if element.tag in _NEVER_SEEN and element.get("type") != "application/ld+json":
        return True
    attributes = element.attrib
    if "hidden" in attributes or (element.tag == "input" and attributes.get("type") == "hidden"):
        return True
    style = attributes.get("style")
    if style and _hides(style):
        return True
    if not hidden_names:
        return False
    names = [("." + name) for name in attributes.get("class", "").split()] + ["#" + attributes.get("id", "")]
    return any((tag, name) in hidden_names for name in names for tag in ("", element.tag))


def _hides(style: str) -> bool:
    style = re.sub(r"\s+|!important", "", style.lower())
    if _HIDING.search(style):
        return True
    colours = {
        name.removesuffix("-color"): _WHITE.get(value, value) for name, value in _COLOUR.findall(style)
    }
    return "color" in colours and colours["color"] == colours.get("background")


def _hidden_names(sheet: str) -> set[tuple[str, str]]:
    """Find `.class`, `#id` and `tag.class` that a style sheet hides everywhere.

    Rules inside @media and the like are skipped: what is hidden on a telephone can be seen elsewhere.
    """
    hidden: set[tuple[str, str]] = set()
    sheet = re.sub(r"/\*.*?(?:\*/|$)", "", sheet, flags=re.DOTALL)
    for selectors, declarations in _RULE.findall(_without_at_rules(sheet)):
        if not _hides(declarations):
            continue
        for selector in selectors.split(","):
            if found := _SIMPLE.match(selector.strip()):
                hidden.add((found[1] or "", found[2] + found[3]))
    return hidden


def _without_at_rules(sheet: str) -> str:
    kept, at, depth, skipping = [], 0, 0, False
    for mark in re.finditer(r"@|[{};]", sheet):
        if mark[0] == "@" and depth == 0 and not skipping:
            kept.append(sheet[at : mark.start()])
            skipping = True
        elif mark[0] == "{":
            depth += 1
        elif mark[0] == "}":
            depth = max(depth - 1, 0)
        if skipping and depth == 0 and mark[0] in "};":
            at, skipping = mark.end(), False
    if not skipping:
        kept.append(sheet[at:])
    return "".join(kept)


def _written(body: Any) -> str:
    """Write down trafilatura's tree of a text."""
    return "\n\n".join(block for block in (_block(element) for element in body) if block)


def _block(element: Any) -> str:
    match element.tag:
        case "head":
            text = _inline(element)
            level = str(element.get("rend", "h2"))[-1:]
            return f"{'#' * int(level)} {text}" if text and level in "123456" else text
        case "list":
            return "\n".join(f"- {item}" for item in map(_inline, element) if item)
        case "table":
            rows = [[_cell(cell) for cell in row] for row in element.iter("row")]
            return "\n".join(row_lines(rows, spread=False))
        case "code":
            return "".join(element.itertext()).strip("\n")
        case "quote" | "div" | "body" | "main" if any(
            child.tag in ("p", "head", "list") for child in element
        ):
            return "\n\n".join(part for part in [_line(element.text or ""), _written(element)] if part)
        case _:
            return _inline(element)


def _cell(element: Any) -> PageCell:
    return PageCell(_inline(element), element.get("role") == "head")


def _inline(element: Any) -> str:
    """Write the text of an element on one line; where a block inside it begins or ends, there is a space."""
    return _line("".join(_pieces(element)))


def _pieces(element: Any) -> Iterator[str]:
    yield element.text or ""
    for child in element:
        space = " " if child.tag in _BLOCKS else ""
        yield space
        yield from _pieces(child)
        yield space
        yield child.tail or ""


def _line(text: str) -> str:
    return re.sub(r"\s+", " ", text).strip()
