"""A page's elements as text: headings and lists as in Markdown, code fenced, rows of tables as `a | b`.

Rows have the heads of their columns before their cells, where the page says which cells are heads.
Emphasis, links, keys and labels of buttons and menus leave no marks, so that a sentence can be quoted as it
reads on the page.
"""

import re
from collections.abc import Callable, Iterator
from typing import Any

from library.readers.html.headed_rows import PageCell, columns_spanned, row_lines, rows_spanned

HEADINGS = ("h1", "h2", "h3", "h4", "h5", "h6")
_BLOCKS_TEXT = """
    address article aside blockquote body center dd details dir div dl dt fieldset figcaption
    figure footer form header hgroup hr html legend li main menu nav ol p pre section summary
    table tbody td tfoot th thead tr ul
"""
_BLOCKS = frozenset((*HEADINGS, *_BLOCKS_TEXT.split()))
_LISTS = ("ul", "ol", "menu", "dir")
_MOST_DIGITS = 10
_PICTURES = frozenset(("img", "svg", "picture", "canvas", "video", "audio", "object"))
_SKIPPED = frozenset(("head", "hr", "option", "select", "textarea", "math-annotation", *_PICTURES))
_LABEL_CLASS = re.compile(r"(?:^|\s)(?:gui|menu|key|button)", re.IGNORECASE)
_LABELS = ("kbd", "button")
_CODE, _LISTED = ("code", "tt", "samp"), ("li", "dd", "dt", "td", "th")
_ADMONITION = re.compile(
    r"(?:^|[\s_-])(?:admonition|note|tip|hint|warning|caution|important|danger|attention)(?:$|[\s_-])",
    re.IGNORECASE,
)
_FIGURE = re.compile(r"(?:^|\s)(?:figure|informalfigure|mediaobject)(?:$|\s)", re.IGNORECASE)
_ENDS_SENTENCE = re.compile(r"[.!?。！？…][\"'”’»)]*$")
_NUMBER = re.compile(
    r"^(?:[^\W\d_]{2,12}\s+)?(?:\d+|[A-Z](?=\.\d))(?:\.\d+)*\.\s+(?=\S)"
    r"|^(?:Chapter|Section|Part|Appendix)\s+[\dA-Z][\d.]{0,8}\s+[-–—]\s+(?=\S)"
)
_LINE_END, _EMPTY_LINE = "\u2028", re.compile(r"\u2028[^\S\u2028]*\u2028")
"""How the end of a line that a page asks for is held until its block is written, and two in a row."""
_FENCE = "```"
_LONGEST_LABEL = 30
"""Characters of the label of a box, such as "Warning"."""
_LONGEST_TERM, _SHORT_ENTRY = 160, 150
"""Characters of a term above its entry, at most, and of an entry that stands behind its term on one line."""
_TITLES = ("div", "p")
_ENTRY, _LONGEST_TITLE = "######", 80
"""How an entry is headed that has an anchor of its own; characters of its title, at most."""
_MARGIN, _STEP_IN = re.compile(r"margin-left:\s*(\d{1,2})%"), 11
"""How far in groff sets a paragraph of a manual page, and what all of its text has, in per cent."""
_PROSE_LINE, _LETTERS_OF_PROSE, _MOSTLY_PROSE = 6, 0.75, 0.5
"""Words of a line of prose at least, the share of letters in it, and the share of such lines in a text."""
_FEWEST_LINES = 3
_DEEPEST = 200
"""Elements within elements that are written one by one; what is deeper is taken as plain text."""


def without_number(heading: str) -> str:
    """Return a heading without its number: "9.9. Quotas" and "Chapter 9. Quotas" are "Quotas"."""
    return _NUMBER.sub("", heading)


def table_rows(table: Any) -> list[list[Any]]:
    """Return the cells of each row of a table, without the rows of tables within it."""
    rows = (row for row in table.iter("tr") if _table_above(row) is table)
    return [[cell for cell in row if cell.tag in ("td", "th")] for row in rows]


def is_block(element: Any) -> bool:
    """Whether an element stands on lines of its own."""
    return element.tag in _BLOCKS


def written(root: Any) -> str:
    """Return the text of an element, its blocks parted by blank lines."""
    return "\n\n".join(_blocks(root, 0))


def inline(element: Any) -> str:
    """Return the text of an element on one line; where a block inside it begins or ends, there is a space."""
    return one_line("".join(_pieces(element, 0)))


def one_line(text: str) -> str:
    """Return the text with each run of white space as one space."""
    return " ".join(text.split())


def names_itself(element: Any) -> bool:
    """Whether an element is the title of an entry: a few words that are a link, at an anchor of their own."""
    links = [link for link in element.iter("a") if link.get("href")]
    anchors = [part for part in element.iter() if part.get("id") or (part.tag == "a" and part.get("name"))]
    if len(links) != 1 or not anchors or not links[0].get("href", "").startswith("#"):
        return False
    words = one_line("".join(element.itertext()))
    return words == one_line("".join(links[0].itertext())) and 0 < len(words) <= _LONGEST_TITLE


def _blocks(element: Any, depth: int) -> Iterator[str]:
    """Yield the blocks of an element that holds some, in order: loose text between them is a block too."""
    loose: list[str] = [element.text or ""]
    for child in element:
        if not isinstance(child.tag, str) or child.tag in _SKIPPED:
            loose.append(child.tail or "")
            continue
        if child.tag == "br" or not (is_block(child) or _holds_block(child)):
            loose += _joined(loose, child, depth)
        else:
            yield from _parted("".join(loose))
            yield from _block(child, depth + 1)
            loose = []
        loose.append(child.tail or "")
    yield from _parted("".join(loose))


def _parted(text: str) -> Iterator[str]:
    """Yield loose text as blocks: two ends of lines in a row part them, as in pages without paragraphs."""
    for block in _EMPTY_LINE.split(text):
        if words := one_line(block):
            yield words


def _block(element: Any, depth: int) -> Iterator[str]:
    if depth > _DEEPEST:
        yield one_line("".join(element.itertext()))
    elif element.tag in _TITLES and names_itself(element):
        yield f"{_ENTRY} {inline(element)}"
    elif element.tag in _WRITERS:
        yield from _WRITERS[element.tag](element, depth)
    elif _FIGURE.search(names := element.get("class", "")):
        yield from _figure(element, depth)
    elif _ADMONITION.search(names):
        yield from _labelled(list(_blocks(element, depth)))
    elif any(is_block(child) or _holds_block(child) for child in element if isinstance(child.tag, str)):
        yield from _blocks(element, depth)
    elif element.tag in _TITLES and _only_code(element):
        yield f"{_FENCE}\n{_line_by_line(element)}\n{_FENCE}"
    else:
        further = _MARGIN.search(element.get("style", "")) if element.tag == "p" else None
        indent = "  " * (round(int(further[1]) / _STEP_IN) - 1 if further else 0)
        yield from (indent + text for text in _parted("".join(_pieces(element, 0))))


def _heading(element: Any, _depth: int) -> Iterator[str]:
    if text := without_number(inline(element)):
        yield f"{'#' * int(element.tag[1])} {text}"


def _code(element: Any, _depth: int) -> Iterator[str]:
    if code := "".join(element.itertext()).strip("\n").rstrip():
        yield code if _set_like_code(code) else f"{_FENCE}\n{code}\n{_FENCE}"


def _only_code(element: Any) -> bool:
    """Whether a paragraph is a listing without `pre`: nothing but code, of several lines or at least words.

    A name alone is none, and in a list or a table code is what is listed.
    """
    held = [child for child in element if isinstance(child.tag, str)]
    if len(held) != 1 or held[0].tag not in _CODE or element.getparent().tag in _LISTED:
        return False
    if "".join(element.itertext()).strip() != "".join(held[0].itertext()).strip():
        return False
    return next(held[0].iter("br"), None) is not None or " " in inline(element)


def _line_by_line(element: Any) -> str:
    """Return a listing without `pre`, in which `br` ends a line."""
    lines: list[list[str]] = [[]]
    for part in element.xpath("descendant::text() | descendant::br"):
        if isinstance(part, str):
            lines[-1].append(part)
        else:
            lines.append([])
    return "\n".join(one_line("".join(line)) for line in lines).strip("\n")


def _set_like_code(text: str) -> bool:
    """Whether what keeps its lines and blanks is a text: a manual page, or paragraphs with ends of lines."""
    lines = [line.strip() for line in text.split("\n") if line.strip()]
    if any(line.startswith("#") for line in lines):
        return False  # comments, which would read as headings
    told = [
        line for line in lines if len(line.split()) >= _PROSE_LINE and _letters(line) >= _LETTERS_OF_PROSE
    ]
    return len(told) >= _FEWEST_LINES and sum(map(len, told)) >= _MOSTLY_PROSE * sum(map(len, lines))


def _letters(line: str) -> float:
    return sum(map(str.isalpha, line)) / max(len(line.replace(" ", "")), 1)


def _list(element: Any, depth: int) -> Iterator[str]:
    if items := list(_items(element, depth)):
        yield "\n".join(items).strip("\n")


def _items(element: Any, depth: int, indent: str = "") -> Iterator[str]:
    """Yield the lines of a list: its items with a dash or their number, lists in them further in.

    Text and blocks that stand in no item, as where a list is there to set text in, keep their place, with a
    blank line on both sides.
    """
    first = element.get("start", "1")
    number = begin = int(first) if first.isdecimal() and len(first) < _MOST_DIGITS else 1
    yield from _set_in([element.text or ""], indent)
    beside: list[str] = []
    for item in element:
        if item.tag == "li" or is_block(item):
            yield from _set_in(beside, indent)
            beside = [item.tail or ""]
        else:
            skipped = not isinstance(item.tag, str) or item.tag in _SKIPPED
            beside += [*([] if skipped else _joined(beside, item, depth)), item.tail or ""]
            continue
        if item.tag in _LISTS:
            yield from _items(item, depth + 1, indent if number == begin else indent + "  ")
            continue
        if item.tag != "li":
            yield from (f"\n{block}\n" for block in _block(item, depth + 1))
            continue
        inner = [child for child in item.iter(*_LISTS) if _list_above(child, item) is item]
        parts = [part for part in _blocks(item, depth + 1) if part] if not inner else _before(item, depth)
        mark = f"{number}." if element.tag == "ol" else "-"
        number += 1
        if text := " ".join(part for part in parts if not part.startswith(_FENCE)):
            yield f"{indent}{mark} {text}"
        yield from (part for part in parts if part.startswith(_FENCE))
        for nested in inner:
            if depth < _DEEPEST:
                yield from _items(nested, depth + 1, indent + "  ")
    yield from _set_in(beside, indent)


def _set_in(pieces: list[str], indent: str) -> Iterator[str]:
    if text := one_line("".join(pieces)):
        yield f"\n{indent}{text}\n"


def _list_above(element: Any, item: Any) -> Any:
    above = element.getparent()
    while above is not None and above is not item and above.tag not in _LISTS:
        above = above.getparent()
    return above


def _before(item: Any, depth: int) -> list[str]:
    """Return what an item says itself, without the lists in it."""
    parts: list[str] = []
    loose = [item.text or ""]
    for child in item:
        if not isinstance(child.tag, str) or child.tag in _SKIPPED:
            pass
        elif child.tag in _LISTS or any(True for _ in child.iter(*_LISTS)):
            if child.tag not in _LISTS:
                parts += [one_line("".join(loose)), *_before(child, depth + 1)]
                loose = []
        elif is_block(child):
            parts += [one_line("".join(loose)), *_block(child, depth + 1)]
            loose = []
        else:
            loose += _joined(loose, child, depth)
        loose.append(child.tail or "")
    return [part for part in [*parts, one_line("".join(loose))] if part]


def _definitions(element: Any, depth: int) -> Iterator[str]:
    """Yield a list of terms: each with what is said of it behind it, or below it and further in.

    So a text tells without any marks where the entry of a term ends (`library.passages.text_structure`).
    """
    terms: list[str] = []
    for child in element.iter("dt", "dd"):
        if child.getparent() is not element and child.getparent().getparent() is not element:
            continue
        if child.tag == "dt":
            terms.append(inline(child))
            continue
        blocks = list(_blocks(child, depth + 1))
        term = ", ".join(filter(None, terms))
        terms = []
        short = len(blocks) == 1 and len(blocks[0]) <= _SHORT_ENTRY
        if term and blocks and not short and len(term) <= _LONGEST_TERM:
            blocks = [term, *map(_further_in, blocks)]
        elif term and blocks and not blocks[0].startswith((_FENCE, "#", "- ", "1. ")):
            colon = "" if term[-1:] in ":?!" else ":"
            blocks[0] = f"{term}{colon} {blocks[0]}"
        elif term:
            blocks.insert(0, term)
        yield from blocks
    yield from filter(None, terms)


def _further_in(block: str) -> str:
    return block if block.startswith("#") else "\n".join(f"  {line}" for line in block.split("\n"))


def _table(element: Any, depth: int) -> Iterator[str]:
    """Yield a table: rows of figures and words as lines, one that only arranges a page as its cells."""
    cells = table_rows(element)
    wide = sum(len(row) > 1 for row in cells)
    arranges = any(
        child.tag in (*HEADINGS, "ul", "ol", "table", "pre", "blockquote")
        for row in cells
        for cell in row
        for child in cell.iter()
        if child is not cell
    )
    caption = next((inline(child) for child in element if child.tag == "caption"), "")
    if caption:
        yield caption
    if options := _options(cells, depth):
        yield from options
        return
    if arranges or wide < 2:
        for row in cells:
            for cell in row:
                yield from _blocks(cell, depth + 1)
        return
    rows = _page_cells(cells)
    if text := "\n".join(row_lines(rows)):
        yield text


def _page_cells(cells: list[list[Any]]) -> list[list[PageCell]]:
    """Return the rows of a table, with what each cell spans within its group of rows."""
    groups: list[Any] = []
    for row in cells:  # one without cells belongs to the group above
        groups.append(row[0].getparent().getparent() if row else groups[-1] if groups else None)
    told = any(group.tag == "thead" and len(row) > 1 for group, row in zip(groups, cells, strict=True) if row)
    rows: list[list[PageCell]] = []
    left = 0
    for at in range(len(cells) - 1, -1, -1):
        left = left + 1 if at + 1 < len(cells) and groups[at + 1] is groups[at] else 1
        rows.append([_cell(cell, left, told=told) for cell in cells[at]])
    return rows[::-1]


def _cell(element: Any, left: int, *, told: bool) -> PageCell:
    wide, high = columns_spanned(element.get("colspan")), rows_spanned(element.get("rowspan"), left)
    in_head = element.getparent().getparent().tag == "thead"
    return PageCell(inline(element), in_head or element.tag == "th", wide, high, below=told and not in_head)


def _options(cells: list[list[Any]], depth: int) -> list[str]:
    """Return the rows of a table as terms with their entries, as groff sets short options; [] for others."""
    told = [[cell for cell in row if inline(cell)] for row in cells]
    if any(len(row) != 2 or not inline(row[0]).startswith("-") for row in told):
        return []
    found: list[str] = []
    for term, entry in told:
        found += [inline(term), *map(_further_in, _blocks(entry, depth + 1))]
    return found


def _table_above(row: Any) -> Any:
    above = row.getparent()
    while above is not None and above.tag != "table":
        above = above.getparent()
    return above


def _figure(element: Any, depth: int) -> Iterator[str]:
    """Yield what a figure holds of text: the caption of a picture that is not here only as a sentence."""
    pictured = any(child.tag in _PICTURES for child in element.iter())
    for block in _blocks(element, depth):
        if not pictured or (_ENDS_SENTENCE.search(block) and len(block.split()) > 5):
            yield block


def _labelled(blocks: list[str]) -> Iterator[str]:
    """Yield the blocks of a box, its label in front of the first: "Warning: This cannot be undone."."""
    label = re.sub(r"^#+\s+", "", blocks[0]) if blocks else ""
    if len(blocks) > 1 and len(label) <= _LONGEST_LABEL and not _ENDS_SENTENCE.search(label):
        first = blocks[1]
        lead = [first] if first.startswith((_FENCE, "#", "- ", "1. ")) else [f"{label.rstrip(':')}: {first}"]
        blocks = [*lead, *blocks[2:]]
    yield from blocks


def _holds_block(element: Any) -> bool:
    return any(child.tag in _BLOCKS for child in element.iter() if child is not element)


def _pieces(element: Any, depth: int) -> Iterator[str]:
    yield element.text or ""
    before: list[str] = [element.text or ""]
    for child in element:
        if isinstance(child.tag, str) and child.tag not in _SKIPPED:
            for piece in _joined(before, child, depth):
                before.append(piece)
                yield piece
        before.append(child.tail or "")
        yield child.tail or ""


def _joined(before: list[str], child: Any, depth: int) -> list[str]:
    """Return an element's text with the spaces that part it from what stands around it.

    Generated pages write `the<span class="guimenu">File</span>menu` and leave the gap to a style sheet.
    """
    if depth > _DEEPEST:
        return ["".join(child.itertext())]
    if child.tag == "br":
        return [_LINE_END]
    text = "".join(_pieces(child, depth + 1))
    if is_block(child):
        return [" ", text, " "]
    if child.tag in _LABELS or _LABEL_CLASS.search(child.get("class", "")):
        last = next((piece[-1] for piece in reversed(before) if piece), " ")
        left = " " if last.isalnum() and text[:1].isalnum() else ""
        right = " " if text[-1:].isalnum() and (child.tail or " ")[0].isalpha() else ""
        return [left, text, right]
    return [text]


_WRITERS: dict[str, Callable[[Any, int], Iterator[str]]] = {
    **dict.fromkeys(HEADINGS, _heading),
    **dict.fromkeys(_LISTS, _list),
    "pre": _code,
    "dl": _definitions,
    "table": _table,
    "figure": _figure,
}
