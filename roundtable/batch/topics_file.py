"""Topics from a file: JSON lines, CSV with a first line of names, or a text with a topic a line.

In the first two a row may hold settings of its own: by the names of `run`'s flags (`docs`, `turns`, `model`),
or by a setting's whole name (`moderator.turns`). `id` is whatever the row is called where it comes from.
"""

import csv
import io
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from difflib import get_close_matches
from pathlib import Path
from typing import Any

from roundtable.config.config import Settings, joined
from roundtable.config.errors import InputError
from roundtable.config.flags import FLAGS

_LISTS = frozenset({"docs", "search", "site", "not_site", "kind", "allow_provider"})
"""Flags that are given several times: a cell of a table holds their values with `;` between."""


@dataclass(frozen=True, slots=True)
class TopicRow:
    """One topic of a file."""

    n: int
    """Its number among the topics, from 1."""
    topic: str
    name: str = ""
    """What it is called where it comes from, its `id`; empty: nothing."""
    settings: Mapping[str, Any] = field(default_factory=dict)
    """Its own, nested as the settings are; they win over those of all."""
    place: str = ""
    """File and line, for errors."""


def read_topics(file: Path) -> list[TopicRow]:
    """Return the topics of a file, in order; what its name ends with says how it is read.

    Raises:
        InputError: it cannot be read, holds no topic, or a row is wrong; the message names the line.
    """
    try:
        text = file.read_text(encoding="utf-8-sig")
    except OSError as failure:
        raise InputError(f"cannot read {file}: {failure.strerror}") from failure
    except UnicodeDecodeError as failure:
        raise InputError(f"{file} is not UTF-8 text: {failure.reason} at byte {failure.start}") from failure
    readers = {".jsonl": _json_lines, ".ndjson": _json_lines, ".csv": _table}
    rows: list[TopicRow] = []
    named: dict[str, str] = {}
    for line, values in readers.get(file.suffix.lower(), _lines)(text, file):
        row = _row(len(rows) + 1, values, f"{file}, line {line}")
        if row.name and (before := named.setdefault(row.name, row.place)) != row.place:
            raise InputError(f"{row.place}: the id {row.name!r} stands in {before} too")
        rows.append(row)
    if not rows:
        raise InputError(f"{file}: there is no topic in it")
    return rows


def _lines(text: str, _file: Path) -> Iterator[tuple[int, Mapping[str, Any]]]:
    for number, line in enumerate(text.split("\n"), 1):
        if line.strip():
            yield number, {"topic": line}


def _json_lines(text: str, file: Path) -> Iterator[tuple[int, Mapping[str, Any]]]:
    for number, line in enumerate(text.split("\n"), 1):
        if not line.strip():
            continue
        try:
            values = json.loads(line)
            json.dumps(values, ensure_ascii=False).encode()  # half a sign (`\ud800`) is no text of anybody
        except (ValueError, RecursionError) as failure:
            raise InputError(f"{file}, line {number}: this is not JSON: {failure}") from failure
        if not isinstance(values, dict):
            raise InputError(
                f'{file}, line {number}: give an object, as in {{"topic": "Why do cities flood?"}}'
            )
        yield number, values


def _table(text: str, file: Path) -> Iterator[tuple[int, Mapping[str, Any]]]:
    reader = csv.DictReader(io.StringIO(text, newline=""), strict=True)
    try:
        if "topic" not in (reader.fieldnames or ()):
            raise InputError(f"{file}: its first line names no column `topic`")
        for cells in reader:
            if None in cells:
                raise InputError(f"{file}, line {reader.line_num}: there are more cells than names")
            given = {name: _cell(name, cell) for name, cell in cells.items() if cell and cell.strip()}
            if given:
                yield reader.line_num, given
    except csv.Error as failure:
        raise InputError(f"{file}, line {reader.reader.line_num}: this is not CSV: {failure}") from failure


def _cell(name: str, cell: str) -> Any:
    """Return what a cell stands for; numbers stay text, which the settings read."""
    if name.replace("-", "_") in _LISTS:
        return [part.strip() for part in cell.split(";") if part.strip()]
    if name == "budget":
        return dict(part.strip().partition("=")[::2] for part in cell.split(",") if part.strip())
    return cell.strip()


def _row(n: int, values: Mapping[str, Any], place: str) -> TopicRow:
    topic = values.get("topic")
    if not isinstance(topic, str) or not topic.strip():
        raise InputError(f"{place}: the topic is missing")
    own: dict[str, Any] = {}
    for key, value in values.items():
        if key not in {"topic", "id"} and value is not None:
            own = joined(own, _setting(key, value, place))
    name = values.get("id")
    return TopicRow(n, " ".join(topic.split()), "" if name is None else str(name).strip(), own, place)


def _setting(key: str, value: Any, place: str) -> dict[str, Any]:
    """Return what one key of a row sets. Raises InputError for one that sets nothing."""
    path = FLAGS.get(key.replace("-", "_")) or tuple(key.split("."))
    if path[0] not in Settings.model_fields:
        near = get_close_matches(key, ["topic", "id", *FLAGS, *Settings.model_fields], n=1, cutoff=0.6)
        hint = f"did you mean {near[0]}? " if near else ""
        raise InputError(
            f"{place}: no setting {key!r}; {hint}a row has topic, id, and flags or settings of run"
        )
    for part in reversed(path):
        value = {part: value}
    assert isinstance(value, dict)
    return value
