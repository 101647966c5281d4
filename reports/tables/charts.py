"""Charts: declared specifications whose every datum names its passage. What cannot be traced is refused."""

from collections.abc import Mapping, Sequence

from library import Evidence
from library.claims import missing_figures, missing_names
from reports.document import Cell, Chart, Table
from reports.visible_text import plain

PASSAGE = "passage"
"""The field of each datum that names its passage."""
_KEYS = {"$schema", "data", "mark", "encoding", "width", "height"}
_MARKS = {"bar", "line", "point", "area", "rule", "tick"}
_CHANNELS = {"x", "y", "color", "order"}
_ENCODING = {"field", "type", "title", "sort", "axis"}


def refusal(chart: Chart, evidence: Evidence) -> str | None:
    """Return why a chart may not stand, None when it may: it is simple and all data are in passages."""
    spec = chart.spec
    if unknown := sorted(set(spec) - _KEYS):
        return f"the chart has parts that are not allowed: {', '.join(unknown)}"
    mark = spec.get("mark")
    if not isinstance(mark, str) or mark not in _MARKS:
        return f"the chart's mark must be one of {', '.join(sorted(_MARKS))}"
    encoding = spec.get("encoding")
    if not isinstance(encoding, Mapping) or not _plain_encoding(encoding):
        return "the chart's encoding may only name fields"
    rows = values(chart)
    if not rows:
        return "the chart has no data of its own"
    for row in rows:
        if reason := _untraced(row, evidence):
            return reason
    return None


def values(chart: Chart) -> Sequence[Mapping[str, object]]:
    """Return the chart's data, empty where it has none of its own."""
    data = chart.spec.get("data")
    found = data.get("values") if isinstance(data, Mapping) and set(data) == {"values"} else None
    if not isinstance(found, Sequence) or isinstance(found, str):
        return []
    return (
        [row for row in found if isinstance(row, Mapping)]
        if all(isinstance(r, Mapping) for r in found)
        else []
    )


def _plain_encoding(encoding: Mapping[object, object]) -> bool:
    return set(encoding) <= _CHANNELS and all(
        isinstance(channel, Mapping)
        and set(channel) <= _ENCODING
        and all(isinstance(value, str) or value is None for value in channel.values())
        for channel in encoding.values()
    )


def _untraced(row: Mapping[str, object], evidence: Evidence) -> str | None:
    passage = evidence.passages.get(str(row.get(PASSAGE)))
    if passage is None:
        return f"a datum names no passage that the session holds: {row.get(PASSAGE)}"
    for name, value in row.items():
        if name == PASSAGE:
            continue
        if isinstance(value, bool) or not isinstance(value, str | int | float):
            return f"a datum is neither a number nor text: {name}"
        said = f"{value:,}" if isinstance(value, int) and value >= 10_000 else str(value)
        if missing := missing_figures(said, [passage.text], [passage.title, passage.published or ""]):
            return f"not in {row[PASSAGE]}: {', '.join(missing)}"
        # The word before it keeps a capital letter from being read as the start of a sentence.
        if strange := missing_names(f"x {said}", [passage.text], [passage.title]):
            return f"not in {row[PASSAGE]}: {', '.join(strange)}"
    return None


def chart_table(chart: Chart) -> Table:
    """Return a chart's data as a table: what forms without pictures and readers who see none are shown."""
    rows = values(chart)
    columns = list(dict.fromkeys(name for row in rows for name in row if name != PASSAGE))
    cells = [
        [
            Cell(
                text=plain(str(row.get(name, ""))),
                citations=[str(row[PASSAGE])] if i == len(columns) - 1 and PASSAGE in row else [],
            )
            for i, name in enumerate(columns)
        ]
        for row in rows
    ]
    return Table(title=chart.title, columns=columns, rows=cells)
