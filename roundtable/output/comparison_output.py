"""What a comparison leaves behind: the table as data, Markdown, CSV and a workbook."""

from collections.abc import Sequence
from pathlib import Path

from reports import Comparison, comparison_csv, comparison_markdown, comparison_xlsx
from roundtable.config.errors import OutputError
from roundtable.output.outputs import slug, write_whole

FILES = ("comparison.json", "comparison.md", "comparison.csv", "comparison.xlsx")
FIELD_FILES = ("fields.json", "fields.md", "fields.csv", "fields.xlsx")
"""Of a table of named fields of documents."""


def default_folder(things: list[str], work: str = "compare") -> Path:
    """Return where a comparison's files go when nobody says: `roundtable-out/compare-NAMES`, from here."""
    return Path.cwd() / "roundtable-out" / f"{work}-{slug(' '.join(things))}"


def write_comparison(comparison: Comparison, folder: Path, files: Sequence[str] = FILES) -> None:
    """Write a comparison's files: JSON, Markdown, CSV and a workbook, by these names. Raises OutputError."""
    contents: list[str | bytes] = [
        comparison.model_dump_json(indent=1) + "\n",
        comparison_markdown(comparison),
        comparison_csv(comparison),
        comparison_xlsx(comparison),
    ]
    for name, content in zip(files, contents, strict=True):
        try:
            write_whole(folder / name, content)
        except OSError as failure:
            message = f"cannot write {folder / name}: {failure.strerror or failure}; choose another --out"
            raise OutputError(message) from failure
