"""A table that was made, as a terminal shows it: of things compared, or of fields of documents."""

from pathlib import Path
from typing import TYPE_CHECKING

from roundtable.terminal.safe_output import say, say_json, tell

if TYPE_CHECKING:
    from reports import Comparison


def tell_of_table(table: "Comparison", written: Path, *, as_json: bool, fields: bool = False) -> None:
    """List a table among the works of this home, and show it.

    Args:
        table: What was found.
        written: Its Markdown file, which stands for all that were written.
        as_json: The table goes to stdout as JSON, what else is told to stderr.
        fields: It holds fields of documents.
    """
    from roundtable.config.config import home
    from roundtable.config.errors import OutputError
    from roundtable.output.listed_works import list_comparison

    try:
        list_comparison(home(), table, fields=fields)
    except OutputError as error:  # the files that were asked for are there
        tell(f"roundtable: {error}", error=True)
    if as_json:
        say_json(table.model_dump(mode="json"))
    else:
        _show_table(table)
    tell(f"Table: {written} (.csv, .xlsx, .json)", error=as_json)


def _show_table(comparison: "Comparison") -> None:
    """Print the table thing by thing: cells are sentences, and a terminal is narrow."""
    for row in comparison.rows:
        say(row.thing)
        for question, cell in zip(comparison.questions, row.cells, strict=True):
            whence = f"  [{cell.passage.title}]" if cell.passage is not None else ""
            say(f"  {question}: {cell.text or '—'}{whence}")
    whole = len(comparison.rows) * len(comparison.questions)
    tell(f"{comparison.found} of {whole} cells have something found for them.")
    for notice in comparison.notices:
        tell(f"roundtable: {notice}", error=True)
