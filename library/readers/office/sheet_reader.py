"""CSV, TSV and spreadsheets (XLSX, XLSM, XLSB, XLS, ODS) to text; spreadsheets by python-calamine."""

import csv
import io
from collections.abc import Iterator
from datetime import date, datetime, time, timedelta
from typing import Any

from library.errors import ReadError
from library.readers.office.table_text import paragraphs, table_lines
from library.readers.text_files.plain_text import decode

_SAMPLE = 20_000
"""Characters that the delimiter is guessed from."""
_LONGEST_CELL = 1_000_000


def read_delimited(data: bytes, charset: str | None, largest: int) -> dict[str, Any]:
    """Read values between commas, tabs, semicolons or bars.

    Args:
        data: The file.
        charset: As the server named it; None when it did not.
        largest: Characters that it may have as text.

    Raises:
        ReadError: it is no table, or too long.
    """
    text = decode(data, charset)
    csv.field_size_limit(_LONGEST_CELL)
    try:
        rows = csv.reader(io.StringIO(text, newline=""), delimiter=_delimiter(text[:_SAMPLE]))
        lines = table_lines(rows, largest)
    except csv.Error as error:
        raise ReadError(f"it is no table of values ({error})") from error
    if not lines:
        raise ReadError("it holds no values")
    return {"text": "\n\n".join(paragraphs(lines))}


def _delimiter(sample: str) -> str:
    """Return the sign that parts the same number of cells in most lines."""
    rows = [line for line in sample.splitlines()[:-1] or sample.splitlines() if line.strip()][:50]

    def agreeing(sign: str) -> tuple[int, int]:
        counts = [len(cells) for cells in csv.reader(rows, delimiter=sign)]
        usual = max(set(counts), key=counts.count) if counts else 1
        return (counts.count(usual) if usual > 1 else 0), usual

    return max((",", "\t", ";", "|"), key=agreeing)


def read_workbook(data: bytes, largest: int) -> dict[str, Any]:
    """Read a spreadsheet: each sheet that is shown under a heading of its name.

    A cell holds what was last computed; how a number was formatted is not told.

    Raises:
        ReadError: it is damaged, encrypted or empty, or too long.
    """
    from python_calamine import CalamineError, CalamineWorkbook, PasswordError, SheetVisibleEnum

    try:
        book = CalamineWorkbook.from_filelike(io.BytesIO(data))
        shown = [each.name for each in book.sheets_metadata if each.visible == SheetVisibleEnum.Visible]
        parts: list[str] = []
        left = largest
        for name in shown:
            lines = table_lines(_rows(book.get_sheet_by_name(name)), left)
            left -= sum(map(len, lines))
            if lines:
                parts += [f"## {' '.join(name.split())}", *paragraphs(lines)]
    except PasswordError as error:
        raise ReadError("it is encrypted; save it without a password") from error
    except (CalamineError, OSError, ValueError) as error:
        raise ReadError(f"it is a damaged spreadsheet ({error})") from error
    if not parts:
        raise ReadError("its sheets hold no values")
    return {"text": "\n\n".join(parts)}


def _rows(sheet: Any) -> Iterator[list[str]]:
    for row in sheet.iter_rows():
        yield [_cell(value) for value in row]


def _cell(value: object) -> str:
    match value:
        case bool():
            return "yes" if value else "no"
        case float():
            return str(int(value)) if value.is_integer() and abs(value) < 1e15 else repr(round(value, 10))
        case datetime():
            return value.date().isoformat() if value.time() == time() else value.isoformat(" ", "minutes")
        case date() | time():
            return value.isoformat()
        case timedelta():
            return str(value)
        case _:
            return str(value)
