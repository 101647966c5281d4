"""SVG: the map from left to right, every title whole, no script, no font or file from elsewhere."""

import unicodedata
from dataclasses import dataclass
from xml.sax.saxutils import escape, quoteattr

from mindmap.export.export_tree import ExportNode

_SIZE = 14.0
_LINE = 18.0
_PADDING = 10.0
_GAP = 46.0
_WIDEST = 230.0
_COLOURS = ("#0b6e99", "#9c4a1a", "#3d7a2f", "#7a3b8f", "#a1304f", "#5b6b00", "#355fa8", "#8a5a00", "#1f7a6d")
_SPARE = 1.14
"""Fonts that stand in for Helvetica may be wider."""
_FONTS = (
    "Helvetica, Arial, 'Liberation Sans', 'DejaVu Sans', 'Noto Sans', 'Noto Sans CJK SC', "
    "'WenQuanYi Zen Hei', sans-serif"
)
# Advance widths of Helvetica (and of the fonts made to fit it) for " " to "~", in thousandths of the size.
_WIDTHS = (
    278, 278, 355, 556, 556, 889, 667, 191, 333, 333, 389, 584, 278, 333, 278, 278, 556, 556, 556, 556,
    556, 556, 556, 556, 556, 556, 278, 278, 584, 584, 584, 556, 1015, 667, 667, 722, 722, 667, 611, 778,
    722, 278, 500, 667, 556, 833, 722, 778, 667, 778, 722, 667, 611, 722, 667, 944, 667, 667, 611, 278,
    278, 278, 469, 556, 333, 556, 556, 500, 556, 556, 278, 556, 556, 222, 222, 500, 222, 833, 556, 556,
    556, 556, 333, 500, 278, 556, 500, 722, 500, 500, 500, 334, 260, 334, 584,
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Sketch:
    """A drawing and its size in pixels."""

    svg: str
    width: float
    height: float


@dataclass(slots=True)
class _Box:
    node: ExportNode
    lines: list[str]
    width: float
    height: float
    children: list["_Box"]
    colour: str
    x: float = 0.0
    y: float = 0.0


def write(top: ExportNode) -> str:
    """Return the map as SVG."""
    return draw(top).svg


def draw(top: ExportNode) -> Sketch:
    """Return the drawing with its size."""
    root = _box(top, "#333333")
    bottom = _lay(root, 16.0, 16.0)
    boxes = _all(root)
    width = max(box.x + box.width for box in boxes) + 16.0
    height = bottom + 16.0
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width:.0f}" height="{height:.0f}" '
        f'viewBox="0 0 {width:.0f} {height:.0f}" role="img" aria-label={quoteattr(top.title)} '
        f'font-family="{_FONTS}" font-size="{_SIZE:.0f}">'
    )
    parts = [head, f'<rect width="{width:.0f}" height="{height:.0f}" fill="#ffffff"/>']
    parts += [_edge(box, child) for box in boxes for child in box.children]
    parts += [_drawn(box) for box in boxes]
    return Sketch("\n".join([*parts, "</svg>"]) + "\n", width, height)


def text_width(text: str) -> float:
    """Return about how wide a line of text is drawn, in pixels."""
    return sum(map(_advance, text)) * _SIZE / 1000.0 * _SPARE


def _advance(sign: str) -> int:
    code = ord(sign)
    if 32 <= code < 127:
        return _WIDTHS[code - 32]
    if unicodedata.combining(sign):
        return 0
    return 1000 if unicodedata.east_asian_width(sign) in "WF" else 620


def wrapped(text: str, widest: float) -> list[str]:
    """Return the text as lines no wider than so many pixels; words break only when they must."""
    lines: list[str] = []
    current = ""
    for word in _pieces(text, widest):
        joined = f"{current}{word}"
        if current and text_width(joined.rstrip()) > widest:
            lines.append(current.rstrip())
            current = word.lstrip()
        else:
            current = joined
    return [*lines, current.rstrip()] if current.strip() or not lines else lines


def _pieces(text: str, widest: float) -> list[str]:
    pieces: list[str] = []
    for number, word in enumerate(text.split(" ")):
        piece = word if number == 0 else f" {word}"
        while text_width(piece) > widest or any(unicodedata.east_asian_width(s) in "WF" for s in piece[1:]):
            fits = 1
            while fits < len(piece) and text_width(piece[: fits + 1]) <= widest and piece[fits].isascii():
                fits += 1
            pieces.append(piece[:fits])
            piece = piece[fits:]
            if not piece:
                break
        if piece:
            pieces.append(piece)
    return pieces


def _box(node: ExportNode, colour: str) -> _Box:
    marks = {"pinned": "📌", "gap": "?", "contradiction": "≠"}
    title = " ".join([node.title, *(marks[mark] for mark in node.marks)])
    lines = wrapped(title, _WIDEST)
    children = [
        _box(child, _COLOURS[place % len(_COLOURS)] if node.depth == 0 else colour)
        for place, child in enumerate(node.children)
    ]
    width = max(map(text_width, lines)) + 2 * _PADDING
    return _Box(node, lines, width, _LINE * len(lines) + _PADDING, children, colour)


def _lay(box: _Box, x: float, y: float) -> float:
    """Give a box and all under it their places; return where the next one may begin."""
    box.x = x
    if not box.children:
        box.y = y
        return y + box.height + 8.0
    bottom = y
    for child in box.children:
        bottom = _lay(child, x + box.width + _GAP, bottom)
    first, last = box.children[0], box.children[-1]
    middle = (first.y + first.height / 2 + last.y + last.height / 2) / 2
    box.y = max(y, middle - box.height / 2)
    return max(bottom, box.y + box.height + 8.0)


def _all(box: _Box) -> list[_Box]:
    boxes = [box]
    for child in box.children:
        boxes += _all(child)
    return boxes


def _edge(box: _Box, child: _Box) -> str:
    x1, y1 = box.x + box.width, box.y + box.height / 2
    x2, y2 = child.x, child.y + child.height / 2
    bend = (x1 + x2) / 2
    path = f"M{x1:.1f} {y1:.1f}C{bend:.1f} {y1:.1f} {bend:.1f} {y2:.1f} {x2:.1f} {y2:.1f}"
    return f'<path d="{path}" fill="none" stroke="{child.colour}" stroke-width="1.6"/>'


def _drawn(box: _Box) -> str:
    fill = "#333333" if box.node.depth == 0 else "#ffffff"
    ink = "#ffffff" if box.node.depth == 0 else "#1a1a1a"
    lines = "".join(
        f'<tspan x="{box.x + box.width / 2:.1f}" y="{box.y + _PADDING / 2 + _LINE * (number + 0.76):.1f}">'
        f"{escape(text)}</tspan>"
        for number, text in enumerate(box.lines)
    )
    return (
        f'<g><rect x="{box.x:.1f}" y="{box.y:.1f}" width="{box.width:.1f}" height="{box.height:.1f}" rx="7" '
        f'fill="{fill}" stroke="{box.colour}" stroke-width="1.4"/>'
        f'<text text-anchor="middle" fill="{ink}">{lines}</text></g>'
    )
