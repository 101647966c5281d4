"""Series of figures found in passages without a model: rows of tables, and sentences that say when or where.

Four shapes are read, each only where nothing is left to guess: a table of the page itself; one sentence that
gives a figure for each of several years; several sentences alike but for year and figure; and names with a
figure each in brackets. Every figure keeps the passage that it stands in.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from library import cite
from library.text import HAN, Number, dates, numbers
from models import Statistics
from reports.report_phrases import ReportPhrases
from reports.tables.series import ProposedTable

_LEAST, _MOST = 3, 12
"""Rows of a series."""
_LONGEST, _READ = 600, 600
"""Characters of a sentence that is read, and sentences with figures that are read for a section."""
_CELL = 80
"""Characters of a cell."""
_DIGITS = re.compile(r"\d+")
_COMPARED = 200
"""Sentences with figures of one kind that are compared with each other."""
_TABLES = 2
"""The most tables that are found for one section."""
_ALIKE = 0.5
"""Share of their words that sentences of one series have in common."""
_WORD = re.compile(rf"[^\W\d_]{{4,}}|[{HAN}]")
_SIGN = re.compile(r"\s?(%|°C|°F|km²|m²|km/h|km|cm|mm|kg|kW|MW|GW|TWh|GWh|kWh|ha|m|t|g|s)(?![\w²])")
_PERCENT = re.compile(r"\s?(?:percent|per cent|Prozent)\b")
_NOUN = re.compile(rf"[\s-]([a-zß-ÿ]{{3,}}(?: [a-zß-ÿ]{{3,}})?)|(?!年|月|日)([{HAN}]{{1,2}})")
_STOPS = re.compile(
    r"\b(?:in|of|by|and|to|for|from|was|were|had|have|has|been|are|as|at|on|with|near|across|around|along|against|within|off|away|that|who|which|when|while|the|"
    r"more|less|during|after|before|since|until|than|but|or|per|a|an|each|out|into|over|under|then|followed)\b.*"
)
_CAPITALISED = r"[A-Z][\w’'.-]{0,60}"
_BRACKETS = re.compile(rf"({_CAPITALISED}(?: (?:of |de |and )?{_CAPITALISED}){{0,3}}) \(([^()]{{1,24}})\)")
_ADJECTIVE = re.compile(r"(?:ed|ing|al|ic|ive|ous|ary|ern|ish|ean|ian|new|old|dead|young|other)$")
_TIME = re.compile(
    r"(?:\b(?:in|by|of|since|until|till|to|from|and|during|around|the year)\s+|[(,]\s*)$", re.IGNORECASE
)
"""What stands before a year."""
_COUNTS = re.compile(rf"[{HAN}]|\s?[%°]")
_CURRENCY = re.compile(r"^[$€£¥₹]|^(?:US|A|C)\$")
_FIGURE = re.compile(r"^[~≈]?[$€£]?\d[\d.,\s]*(?:%|[a-zA-Z²]{0,8}|万|亿|million|billion)?$")


@dataclass(frozen=True, slots=True)
class _Datum:
    label: str
    at: tuple[int, int, int]
    """Year, month, day; zeros where they are not said."""
    value: str
    measure: str
    passage: str
    frame: frozenset[str]


def found_series(
    passages: Mapping[str, str], heading: str, words: ReportPhrases, statistics: Statistics
) -> list[ProposedTable]:
    """Return tables of the series that passages hold, those of most rows first."""
    found: list[ProposedTable] = []
    loose: list[_Datum] = []
    read = 0
    for passage, text in passages.items():
        found += _printed(passage, text, heading)
        for sentence in _countable(text, statistics):
            read += 1
            if read > _READ:
                break
            told = _told(sentence, passage)
            if len(told) >= _LEAST:
                found += _table(told, heading, words)
            elif len(told) == 1:
                loose += told
            found += _bracketed(sentence, passage, heading, words)
    for group in _groups(loose):
        found += _table(group, heading, words)
    unique: dict[str, ProposedTable] = {}
    for table in sorted(found, key=lambda table: -len(table.rows)):
        unique.setdefault(repr(table.rows), table)
    return list(unique.values())[:_TABLES]


def _countable(text: str, statistics: Statistics) -> Iterator[str]:
    """Yield the sentences that may hold a series, each in one line."""
    for start, end in statistics.sentences(text):
        sentence = " ".join(text[start:end].split())
        if "|" not in sentence and len(sentence) <= _LONGEST and len(_DIGITS.findall(sentence)) >= 2:
            yield sentence


def _told(sentence: str, passage: str) -> list[_Datum]:
    """Return the figures of a sentence with the time of each; none unless times and figures alternate."""
    times, rest = dates(sentence)
    figures = [n for n in numbers(rest) if not n.ordinal and not n.spelled and n.start >= 0]
    years = [
        n for n in figures if _year(n) and _TIME.search(rest[: n.start]) and not _COUNTS.match(rest[n.end :])
    ]
    found: list[tuple[int, str, tuple[int, int, int] | None, Number | None]] = []
    for date in times:
        if date.year is None or date.start < 0:
            return []
        found.append((date.start, date.text, (date.year, date.month or 0, date.day or 0), None))
    found += [(n.start, n.text, (int(n.text), 0, 0), None) for n in years]
    found += [(n.start, n.text, None, n) for n in figures if n not in years]
    found.sort(key=lambda each: each[0])
    if not found or len(found) % 2 or any((a[2] is None) == (b[2] is None) for a, b in pairwise(found)):
        return []
    pairs = list(zip(found[::2], found[1::2], strict=True))
    frame = frozenset(word.casefold() for word in _WORD.findall(sentence))
    data: list[_Datum] = []
    measure = ""
    for one, other in pairs:
        time, figure = (one, other) if one[2] is not None else (other, one)
        assert time[2] is not None
        assert figure[3] is not None
        value, said = _measured(figure[3], rest)
        measure = measure or said
        if said not in ("", measure) or (said and not data and measure != said):
            return []
        data.append(_Datum(time[1], time[2], value, measure, passage, frame - set(said.split())))
    if len({datum.at for datum in data}) < len(data):
        return []
    return data if len(data) > 1 or measure else []


def _year(number: Number) -> bool:
    value = max(number.values)
    return (
        bool(re.fullmatch(r"1[5-9]\d\d|20\d\d", number.text)) and number.unit is None and value == int(value)
    )


def _measured(number: Number, text: str) -> tuple[str, str]:
    """Return a figure as it is written, with its sign, and the word for what it counts."""
    after = text[number.end :]
    if sign := _SIGN.match(after):
        return f"{number.text} {sign[1]}", sign[1]
    if _PERCENT.match(after):
        return f"{number.text} %", "%"
    if _CURRENCY.match(number.text):
        return number.text, _CURRENCY.match(number.text)[0]  # type: ignore[index]
    noun = _NOUN.match(after)
    said = _STOPS.sub("", (noun[1] or noun[2])).strip() if noun else ""
    first, _, second = said.partition(" ")
    return number.text, said if second and _ADJECTIVE.search(first) else first


def _groups(loose: Sequence[_Datum]) -> Iterator[list[_Datum]]:
    """Yield the data of sentences that are alike, each group from old to new; none that contradict."""
    kinds: dict[tuple[str, bool], list[_Datum]] = {}
    for datum in loose:
        kinds.setdefault((datum.measure, datum.at[1] > 0), []).append(datum)
    for found in kinds.values():
        left = found[:_COMPARED]
        while len(left) >= _LEAST:
            group = [datum for datum in left if _same(left[0], datum)]
            left = [datum for datum in left if not _same(left[0], datum)]
            values: dict[tuple[int, int, int], _Datum] = {}
            for datum in group:
                values.setdefault(datum.at, datum)
            if len(values) >= _LEAST and all(values[d.at].value == d.value for d in group):
                yield list(values.values())


def _same(one: _Datum, other: _Datum) -> bool:
    shared = len(one.frame & other.frame) / max(len(one.frame | other.frame), 1)
    return one is other or shared >= _ALIKE


def _table(data: Iterable[_Datum], heading: str, words: ReportPhrases) -> list[ProposedTable]:
    ordered = sorted(data, key=lambda datum: datum.at)[:_MOST]
    measure = ordered[0].measure
    dated = any(datum.at[1] for datum in ordered)
    title = _title(heading, measure, words)
    return [
        ProposedTable(
            title=title,
            columns=[words.date if dated else words.year, _column(measure, words)],
            rows=[[datum.label, f"{datum.value} {cite([datum.passage])}"] for datum in ordered],
            chart="line" if len(ordered) > _LEAST else "bar",
        )
    ]


def _column(measure: str, words: ReportPhrases) -> str:
    if measure == "%":
        return words.share
    return measure[:1].upper() + measure[1:] if len(measure) > len("km²") else measure or words.value


def _title(heading: str, measure: str, words: ReportPhrases) -> str:
    said = measure in ("", "%") or measure.casefold() in heading.casefold()
    return heading if said else f"{heading}{words.colon}{measure}"


def _bracketed(sentence: str, passage: str, heading: str, words: ReportPhrases) -> list[ProposedTable]:
    """Return names with a figure each in brackets: `Kent (12 %), Essex (9 %) and Surrey (7 %)`."""
    pairs = [(m[1], m[2].strip()) for m in _BRACKETS.finditer(sentence)]
    rows, measures = [], set()
    for name, inside in pairs:
        found = [n for n in numbers(inside) if not n.ordinal]
        if len(found) != 1 or found[0].start or _year(found[0]):
            continue
        value, measure = _measured(found[0], inside)
        measures.add(measure)
        rows.append([name, f"{value} {cite([passage])}"])
    if len(rows) < _LEAST or len(measures) != 1 or len({row[0] for row in rows}) < len(rows):
        return []
    measure = measures.pop()
    title = _title(heading, measure, words)
    columns = [words.name, _column(measure, words)]
    return [ProposedTable(title=title, columns=columns, rows=rows[:_MOST], chart="bar")]


def _printed(passage: str, text: str, heading: str) -> Iterator[ProposedTable]:
    """Yield the tables of figures that a page itself holds: lines of cells between `|`, under a head."""
    lines = [_cells(line) for line in text.splitlines()]
    start = 0
    while start < len(lines):
        width, end = len(lines[start]), start + 1
        while end < len(lines) and len(lines[end]) == width > 1:
            end += 1
        head, rows = lines[start], lines[start + 1 : end]
        start = end
        if not 2 <= width <= 5 or len(rows) < _LEAST or not all(head) or any(map(_FIGURE.match, head[1:])):
            continue
        if max(len(cell) for row in rows for cell in row) > _CELL or len(rows) > _READ:
            continue
        filled = all(row[0] and all(_FIGURE.match(cell) for cell in row[1:]) for row in rows)
        if filled and len({row[0] for row in rows}) == len(rows):
            cited = [[row[0], *(f"{cell} {cite([passage])}" for cell in row[1:])] for row in rows[:_MOST]]
            years = all(re.fullmatch(r"\d{4}", row[0]) for row in rows) and len(rows) > _LEAST
            drawn = width == 2
            yield ProposedTable(
                title=heading, columns=head, rows=cited, chart=("line" if years else "bar") if drawn else ""
            )


def _cells(line: str) -> list[str]:
    line = line.strip().strip("|")
    cells = [cell.strip() for cell in line.split("|")]
    return [] if len(cells) < 2 or all(set(cell) <= set("-: ") for cell in cells) else cells
