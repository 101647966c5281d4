"""Small drawings of figures, as SVG: one or two lines over steps. The same figures, the same bytes."""

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from pathlib import Path

_WIDTH, _HEIGHT = 520, 300
_LEFT, _RIGHT, _TOP, _BOTTOM = 70, 30, 34, 50
_COLOURS = ("#0b6e99", "#b3541e", "#4a7c2c")


@dataclass(frozen=True, slots=True)
class Line:
    """One line of a plot."""

    name: str
    values: Sequence[float]
    written: str = "{:.0f}"
    """How a value is written beside its point."""


def plot(path: Path, title: str, steps: Sequence[str], across: str, lines: Sequence[Line]) -> None:
    """Draw lines over named steps; each line fills the height by itself when there are two of them.

    Args:
        path: The file.
        title: What the values are.
        steps: Names of the steps, one for each value.
        across: What the steps are.
        lines: One to three.
    """
    ground = _HEIGHT - _BOTTOM
    wide = (_WIDTH - _LEFT - _RIGHT) / max(1, len(steps) - 1)
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{_WIDTH}" height="{_HEIGHT}" role="img"'
        f' aria-label="{escape(title)}" font-family="sans-serif" font-size="12">'
    )
    parts = [
        head + '<rect width="100%" height="100%" fill="#fff"/>',
        _text(_WIDTH / 2, 16, title),
        f'<path d="M{_LEFT - 20} {_TOP}V{ground}H{_WIDTH - 10}" stroke="#444" fill="none"/>',
    ]
    most = max((max(line.values) for line in lines), default=1.0) * 1.2 or 1.0
    for number, line in enumerate(lines):
        colour = _COLOURS[number % len(_COLOURS)]
        points = [
            (_LEFT + step * wide, ground - value / most * (ground - _TOP))
            for step, value in enumerate(line.values)
        ]
        drawn = " ".join(f"{x:.0f},{y:.0f}" for x, y in points)
        parts.append(f'<polyline points="{drawn}" fill="none" stroke="{colour}" stroke-width="2"/>')
        for (x, y), value in zip(points, line.values, strict=True):
            parts.append(f'<circle cx="{x:.0f}" cy="{y:.0f}" r="3.5" fill="{colour}"/>')
            parts.append(_text(x, y + (18 if number else -9), line.written.format(value), colour))
        if len(lines) > 1:
            parts.append(_text(_LEFT + 20, _TOP + 12 + number * 16, line.name, colour))
    parts += [_text(_LEFT + step * wide, ground + 18, name) for step, name in enumerate(steps)]
    parts.append(_text(_WIDTH / 2, _HEIGHT - 10, across) + "</svg>")
    path.write_text("\n".join(parts) + "\n", encoding="utf-8")


def _text(x: float, y: float, words: str, colour: str = "#222") -> str:
    return f'<text x="{x:.0f}" y="{y:.0f}" text-anchor="middle" fill="{colour}">{escape(words)}</text>'
