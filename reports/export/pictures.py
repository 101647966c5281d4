"""Charts as pictures: declared Vega-Lite specifications set by `vl-convert`, which is allowed no address."""

import base64
import re
from typing import Any, Literal

from reports.document import Chart, Report
from reports.export.optional_packages import ExportUnavailable, optional
from reports.tables.charts import PASSAGE, values
from reports.visible_text import plain

_WIDTH, _HEIGHT = 480, 240
"""Pixels, where the specification says nothing."""
_CONFIG = {
    "font": "Noto Sans, DejaVu Sans, sans-serif",
    "background": "white",
    "mark": {"color": "#7a3b12"},
    "view": {"stroke": None},
    "axis": {"labelLimit": 220, "titleFontWeight": "normal"},
}
_REMOTE = re.compile(
    r"(?:https?:|javascript:|data:|file:|url\s*\(|<script|<foreignObject|<image)", re.IGNORECASE
)
_SPACES = re.compile(r'\sxmlns(?::\w+)?="[^"]*"')


def svg(chart: Chart) -> str | None:
    """Return a chart as SVG; None where what draws it is not installed, or cannot draw it."""
    made = _drawn(chart, "vegalite_to_svg")
    # The names of XML's own spaces are addresses that nobody asks.
    if not isinstance(made, str) or _REMOTE.search(_SPACES.sub("", made)):
        return None
    return made


def png(chart: Chart) -> bytes | None:
    """Return a chart as PNG, twice as fine as it is shown; None as `svg`."""
    made = _drawn(chart, "vegalite_to_png", scale=2)
    return made if isinstance(made, bytes) and svg(chart) is not None else None


def chart_files(report: Report, stem: str, kind: Literal["svg", "png"] = "svg") -> dict[str, bytes]:
    """Return the charts that can be drawn as files beside a report of that name, in reading order."""
    files = {}
    for n, chart in enumerate(charts_of(report), 1):
        drawn = svg(chart) if kind == "svg" else png(chart)
        if drawn is not None:
            files[chart_file(stem, n, kind)] = drawn.encode() if isinstance(drawn, str) else drawn
    return files


def charts_of(report: Report) -> list[Chart]:
    """Return a report's charts in reading order."""
    return [chart for section in report.sections for chart in section.charts]


def chart_file(stem: str, number: int, kind: str = "svg") -> str:
    """Return the name of the file that holds a report's chart of that number, from 1."""
    return f"{stem}-chart-{number}.{kind}"


def data_url(picture: str) -> str:
    """Return a picture as an address that holds it."""
    return f"data:image/svg+xml;base64,{base64.b64encode(picture.encode()).decode()}"


def _drawn(chart: Chart, function: str, **how: Any) -> object:
    try:
        convert = optional("vl_convert", "a chart")
    except ExportUnavailable:
        return None
    try:
        return getattr(convert, function)(_spec(chart), allowed_base_urls=[], **how)
    except (ValueError, TypeError, RuntimeError):
        return None  # its table stands in the text in any case


def _spec(chart: Chart) -> dict[str, Any]:
    """Return the specification as it is drawn: texts without what nobody sees, fields named by us."""
    names = [n for n in dict.fromkeys(name for row in values(chart) for name in row) if n != PASSAGE]
    fields = {name: f"f{n}" for n, name in enumerate(names)}
    rows = [{fields[name]: _value(row[name]) for name in names if name in row} for row in values(chart)]
    encoding: dict[str, Any] = {}
    for channel, given in dict(chart.spec.get("encoding") or {}).items():  # type: ignore[call-overload]
        if given.get("field") in fields:
            shown = {key: given[key] for key in ("type", "sort") if key in given}
            encoding[channel] = {
                **shown, "field": fields[given["field"]],
                "title": plain(str(given.get("title") or given["field"])),
            }  # fmt: skip
    return {
        "$schema": "https://vega.github.io/schema/vega-lite/v5.json",
        "width": _WIDTH, "height": _HEIGHT, "config": _CONFIG, "mark": chart.spec.get("mark"),
        "data": {"values": rows}, "encoding": encoding,
    }  # fmt: skip


def _value(value: object) -> object:
    return plain(value) if isinstance(value, str) else value
