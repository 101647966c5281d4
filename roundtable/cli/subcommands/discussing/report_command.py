"""`roundtable report ID`: write a session's report again, in another style or after another outline."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from roundtable.cli.near_commands import NearChoice
from roundtable.cli.options import STYLES, model_options, out_options
from roundtable.config.flags import given_settings
from roundtable.session.steady_loop import run_steadily
from roundtable.terminal.safe_output import say

if TYPE_CHECKING:
    from roundtable.config.config import Settings

OWN = ("style", "words", "language", "audience", "citations")
"""Flags that are settings of the report."""


@click.command("report")
@click.argument("session", metavar="ID")
@click.option(
    "--outline", type=click.Path(path_type=Path, dir_okay=False), metavar="FILE",
    help="Follow an outline; `roundtable export ID --outline` writes one to be edited.",
)  # fmt: skip
@click.option("--style", type=NearChoice(STYLES), help="article, brief, outline (points) or faq.")
@click.option("--words", type=int, metavar="N", help="About how long, for a model that writes.")
@click.option(
    "--language", metavar="CODE", help="The language to write in: en, zh, … Default: the discussion's."
)
@click.option("--audience", metavar="WHO", help="Whom it is written for.")
@click.option("--citations", type=NearChoice(["numeric", "author-year"]), help="How citations look.")
@model_options
@out_options
def command(session: str, **flags: Any) -> None:
    """Write the report of session ID again, from what there is. ID may be shortened, or `last`.

    A language model is asked only for sections whose part of the map, or whose order, has changed since they
    were written. The report before stays in the journal; the files go to the session's folder.
    """
    from roundtable.cli.journals import claim_unless_running, open_journal
    from roundtable.output.outputs import default_folder

    outline = _outline(flags["outline"])
    with open_journal() as journal:
        identity = journal.find(session)
        first: Any = journal.read(identity, most=1)[0].event
    settings = _settings(first.settings, flags)
    before = flags["out"] or (Path(first.out) if first.out else default_folder(first.topic, identity))
    folder = claim_unless_running(before, identity, force=flags["force"])
    run_steadily(_write(identity, settings, outline, folder))


def _outline(file: Path | None) -> str | None:
    from roundtable.config.errors import InputError

    if file is None:
        return None
    try:
        return file.read_text(encoding="utf-8-sig")
    except OSError as failure:
        raise InputError(f"cannot read {file}: {failure.strerror}") from failure
    except UnicodeDecodeError as failure:
        raise InputError(f"cannot read {file}: it is not UTF-8 text") from failure


def _settings(before: dict[str, Any], flags: dict[str, Any]) -> "Settings":
    """Return the settings of a session with what was named now."""
    from roundtable.config import recorded_settings
    from roundtable.config.language_codes import check_language

    if flags["language"]:
        check_language(flags["language"])
    named = {name: flags[name] for name in OWN if flags[name] is not None}
    return recorded_settings(before, {"models": given_settings(flags).get("models", {}), "reports": named})


async def _write(identity: str, settings: "Settings", outline: str | None, folder: Path) -> None:
    """Open the session, write, and leave its files."""
    from library.text import translated
    from models import ModelUnavailable
    from reports import OutlineUnreadable
    from roundtable.config.errors import InputError
    from roundtable.output.closing_figures import figures_line
    from roundtable.output.outputs import write_outputs
    from roundtable.session.factory import resume_session
    from roundtable.terminal.terminal_language import told_language

    session = await resume_session(identity, settings)
    try:
        asked = sum(cost.usage.requests for cost in session.state.usage)
        report = await session.write_again(settings.reports, outline)
        write_outputs(session.state, folder)
        asked = sum(cost.usage.requests for cost in session.state.usage) - asked
    except OutlineUnreadable as failure:
        raise InputError(str(failure)) from failure
    except ModelUnavailable as failure:
        raise InputError(str(failure)) from failure
    finally:
        await session.close()
    language = told_language(report.language)
    say(figures_line(report.summary, language))
    say(translated(f"{asked} requests. Report: {folder / 'report.md'}", language))
