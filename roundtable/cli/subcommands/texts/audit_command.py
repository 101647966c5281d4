"""`roundtable audit FILE`: do its references exist, and do they say what it claims?"""

import asyncio
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from roundtable.cli.options import docs_option, model_options, out_options, search_options, settings_options
from roundtable.config.flags import given_settings
from roundtable.terminal.safe_output import say, say_json, tell, tell_parts

if TYPE_CHECKING:
    from reports import Audit
    from roundtable.config.config import Settings
    from roundtable.session.texts.auditing import AuditDone

SOUND, FAULTY = 0, 1
_MOST = 20
"""Faults that are listed on the terminal."""


@click.command("audit")
@click.argument("file", type=click.Path(path_type=Path))
@docs_option
@search_options
@model_options
@out_options
@click.option("--json", "as_json", is_flag=True, help="audit.json on stdout; progress and words on stderr.")
@settings_options
def command(file: Path, **flags: Any) -> int:
    """Check a text of anybody's: FILE, in Markdown, DOCX, PDF, HTML and the like.

    Of each reference: does it exist, is it what the text says, was it retracted. Of each claim: does what is
    cited for it say so, does another source, does one say otherwise; with the passage, and who judged.

    Without --docs references are looked up at Crossref and OpenAlex, and the pages that the text cites are
    read. With --docs nothing goes to the web unless --search or --web says so. With a place such as --search
    web claims are searched there too.

    Writes audit.json, annotated.md and annotated.html to roundtable-out/audit-FILE/ unless --out says
    otherwise; the page lists it, too. Ends with 1 when something is wrong.
    """
    from roundtable.config.config import home, load_settings
    from roundtable.config.errors import OutputError
    from roundtable.output.audit_files import audit_values, default_folder, results_folder, write_audit
    from roundtable.output.listed_works import list_audit

    settings = load_settings(given_settings(dict(flags)), config=flags["config"], preset=flags["preset"])
    with results_folder(flags["out"] or default_folder(file.name), force=flags["force"]) as folder:
        done = asyncio.run(_audited(file, settings))
        write_audit(done.audit, done.text, folder)
    try:
        list_audit(home(), done.audit, done.text)
    except OutputError as error:  # the files that were asked for are there
        tell(f"roundtable: {error}", error=True)
    if flags["as_json"]:
        say_json(audit_values(done.audit))
    else:
        _summary(done.audit)
    tell(f"Annotated copy: {folder / 'annotated.html'}", error=flags["as_json"])
    return SOUND if done.audit.sound else FAULTY


async def _audited(file: Path, settings: "Settings") -> "AuditDone":
    from reports import AuditStep
    from roundtable.session.texts.auditing import AuditBegun, AuditDone, audit_file

    shown = ""
    async for step in audit_file(file, settings):
        match step:
            case AuditBegun():
                tell_parts(file.name, step.line, error=True)
            case AuditDone():
                return step
            case AuditStep() if step.stage != shown:
                shown = step.stage
                tell(f"{_STAGES[step.stage]} ({step.of})", error=True)
    raise RuntimeError("an audit ends with what was found")


_STAGES = {
    "references": "looking up references",
    "claims": "looking for claims",
    "judge": "asking the model about claims",
}


def _summary(audit: "Audit") -> None:
    from reports import audit_phrases
    from roundtable.terminal.terminal_language import terminal_language

    # The annotated copy speaks as the text does, the terminal as its reader.
    words = audit_phrases(terminal_language())
    faulty = [f"[{one.key}] {words.reference(one)}: {_short(one.text)}{_why(map(words.reason, one.reasons))}"
              for one in audit.references if one.faulty]  # fmt: skip
    faulty += [
        f"{one.n}. {words.claim(one)}: {_short(one.text)}{_why([words.reason(one.reason)])}"
        for one in audit.claims_to_read
    ]
    for line in faulty[:_MOST]:
        say(line)
    if len(faulty) > _MOST:
        say(f"… {len(faulty) - _MOST}")
    for line in words.summary(audit):
        say(line)
    for notice in audit.notices[:_MOST]:
        tell(f"roundtable: {notice}", error=True)


def _short(text: str) -> str:
    return text if len(text) <= 100 else f"{text[:100].rsplit(' ', 1)[0]} …"


def _why(reasons: Iterable[str]) -> str:
    told = "; ".join(filter(None, reasons))
    return f" ({told})" if told else ""
