"""`roundtable extract`: named fields of pages and documents, each quoted and checked."""

import asyncio
from typing import TYPE_CHECKING, Any

import click

from roundtable.cli.lines.table_lines import tell_of_table
from roundtable.cli.options import model_options, out_options, settings_options
from roundtable.config.flags import given_settings
from roundtable.terminal.safe_output import tell_parts

if TYPE_CHECKING:
    from reports import Comparison
    from roundtable.config.config import Settings


@click.command("extract")
@click.argument("named", metavar="URL|FILE|FOLDER...", nargs=-1, required=True)
@click.option(
    "--fields", "fields", required=True, metavar='"PRICE, LICENCE"',
    help="What is wanted of each: words or questions; separated by commas, or by semicolons.",
)  # fmt: skip
@click.option("--offline", is_flag=True, help="Open no internet socket, except to a model on this machine.")
@model_options
@out_options
@click.option("--json", "as_json", is_flag=True, help="fields.json on stdout; progress on stderr.")
@settings_options
def command(named: tuple[str, ...], fields: str, **flags: Any) -> int:
    """Take named fields from pages and documents into a table: a row for each, a column for each field.

    Without a model a field is a sentence or a row, quoted. With --model it is as short as a value can be, and
    stands only with words of its document, copied, that hold its figures and names. It stays empty where
    nothing was found.

    Writes fields.md, .csv, .xlsx and .json to roundtable-out/extract-FIELDS/ unless --out says otherwise.
    """
    from roundtable.commands.comparison_size import asked_for
    from roundtable.config.config import load_settings
    from roundtable.output.audit_files import results_folder
    from roundtable.output.comparison_output import FIELD_FILES, default_folder, write_comparison

    settings = load_settings(given_settings(dict(flags)), config=flags["config"], preset=flags["preset"])
    wanted = asked_for(fields)
    place = flags["out"] or default_folder(wanted, "extract")
    with results_folder(place, FIELD_FILES, force=flags["force"]) as folder:
        found = asyncio.run(_extracted(named, wanted, settings))
        write_comparison(found, folder, FIELD_FILES)
    tell_of_table(found, folder / "fields.md", as_json=flags["as_json"], fields=True)
    return 0


async def _extracted(named: tuple[str, ...], fields: list[str], settings: "Settings") -> "Comparison":
    from reports import Comparison
    from roundtable.session.texts.extracting import ExtractionBegun, extract_fields

    async for step in extract_fields(named, fields, settings):
        if isinstance(step, ExtractionBegun):
            tell_parts(f"{step.documents} × {len(fields)}", step.line, error=True)
        elif isinstance(step, Comparison):
            return step
    raise RuntimeError("an extraction ends with its table")
