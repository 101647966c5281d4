"""`roundtable compare`: a table of things against questions, each cell quoted and checked."""

import asyncio
from typing import TYPE_CHECKING, Any

import click

from roundtable.cli.lines.table_lines import tell_of_table
from roundtable.cli.options import docs_option, model_options, out_options, search_options, settings_options
from roundtable.config.flags import given_settings
from roundtable.terminal.safe_output import tell_parts

if TYPE_CHECKING:
    from reports import Comparison
    from roundtable.config.config import Settings


@click.command("compare")
@click.option(
    "--of", "things", required=True, metavar='"A, B"',
    help="What is compared: names, or titles of documents; separated by commas, or by semicolons.",
)  # fmt: skip
@click.option(
    "--by", "questions", required=True, metavar='"PRICE, LICENCE"',
    help="In which respects: words or questions; separated likewise.",
)  # fmt: skip
@docs_option
@search_options
@model_options
@out_options
@click.option("--json", "as_json", is_flag=True, help="comparison.json on stdout; progress on stderr.")
@settings_options
def command(things: str, questions: str, **flags: Any) -> int:
    """Compare things in a table; each cell is what a source says, and stays empty where none was found.

    Without a model a cell is a sentence, quoted. With --model a cell is as short as a value can be, and
    stands only with words of a passage, copied, that hold its figures and names.

    Writes comparison.md, .csv, .xlsx and .json to roundtable-out/compare-NAMES/ unless --out says otherwise.
    """
    from roundtable.commands.comparison_size import asked_for, parted
    from roundtable.config.config import load_settings
    from roundtable.output.audit_files import results_folder
    from roundtable.output.comparison_output import FILES, default_folder, write_comparison

    settings = load_settings(given_settings(dict(flags)), config=flags["config"], preset=flags["preset"])
    of, by = parted(things), asked_for(questions)
    with results_folder(flags["out"] or default_folder(of), FILES, force=flags["force"]) as folder:
        found = asyncio.run(_compared(of, by, settings))
        write_comparison(found, folder)
    tell_of_table(found, folder / "comparison.md", as_json=flags["as_json"])
    return 0


async def _compared(things: list[str], questions: list[str], settings: "Settings") -> "Comparison":
    from reports import Comparison
    from roundtable.session.texts.comparing import ComparisonBegun, compare_things

    async for step in compare_things(things, questions, settings):
        if isinstance(step, ComparisonBegun):
            tell_parts(f"{len(things)} × {len(questions)}", step.line, error=True)
        elif isinstance(step, Comparison):
            return step
    raise RuntimeError("a comparison ends with its table")
