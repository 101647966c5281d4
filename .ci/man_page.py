"""Writes docs/man/roundtable.1 from the help texts; with --check says whether it is as they are now."""

import inspect
import re
import sys
from collections.abc import Iterator
from pathlib import Path

import click

from roundtable.cli.group import COMMANDS, command

FILE = Path(__file__).resolve().parents[1] / "docs" / "man" / "roundtable.1"
EXIT_CODES = (
    ("0", "Ended, also when Ctrl-C stopped it and the report was written."),
    ("1", "Failed, also when no search worked and the report is empty."),
    ("2", "Wrong usage or input."),
    ("3", "Stopped and can be resumed, for instance when a model cannot be had."),
    ("130", "Stopped at once."),
)
VARIABLES = (
    ("ROUNDTABLE_HOME", "The folder that sessions and texts are kept in."),
    ("ROUNDTABLE_DATABASE", "Address of a PostgreSQL database that sessions are kept in instead: postgresql://…"),
    ("ROUNDTABLE_…", "Any setting, with __ between the parts of its name: ROUNDTABLE_AGENTS__EXPERTS=5."),
    ("OPENAI_API_KEY, ANTHROPIC_API_KEY, TAVILY_API_KEY, …", "Keys of models and search engines."),
    ("NO_COLOR", "No colours."),
)


def page() -> str:
    """Return the page."""
    lines = [
        '.TH ROUNDTABLE 1 "" "Roundtable" "User Commands"',
        ".SH NAME",
        "roundtable \\- experts discuss a topic, and write a report that cites its passages",
        ".SH SYNOPSIS",
        ".B roundtable",
        ".I command",
        "[\\fIoptions\\fR] [\\fIarguments\\fR]",
        ".SH DESCRIPTION",
        *paragraphs(command.help or ""),
        ".SH COMMANDS",
    ]
    context = click.Context(command, info_name="roundtable")
    for name in COMMANDS:
        found = command.get_command(context, name)
        assert found is not None
        lines += described(found, click.Context(found, context, info_name=name))
    lines.append(".SH ENVIRONMENT")
    lines += terms(VARIABLES)
    lines.append(".SH EXIT STATUS")
    lines += terms(EXIT_CODES)
    return "\n".join(lines) + "\n"


def described(found: click.Command, context: click.Context) -> Iterator[str]:
    """Yield what a command and those below it do."""
    yield f".SS {escaped(' '.join([context.command_path, *found.collect_usage_pieces(context)]))}"
    yield from paragraphs(found.help or "")
    options = [each.get_help_record(context) for each in found.get_params(context)]
    yield from terms(record for record in options if record)
    if isinstance(found, click.Group):
        for name in found.list_commands(context):
            below = found.get_command(context, name)
            assert below is not None
            yield from described(below, click.Context(below, context, info_name=name))


def paragraphs(text: str) -> Iterator[str]:
    """Yield a help text's paragraphs; those that click leaves as they are stand as examples."""
    for paragraph in re.split(r"\n\s*\n", text.strip()):
        paragraph = inspect.cleandoc(paragraph)  # noqa: PLW2901 - the same without its indent
        kept = paragraph.startswith("\b")
        lines = [line.strip() for line in paragraph.removeprefix("\b").strip().split("\n")]
        yield ".PP"
        yield from [".nf", *map(escaped, lines), ".fi"] if kept else [escaped(" ".join(lines))]


def terms(pairs: "Iterator[tuple[str, str]] | tuple[tuple[str, str], ...]") -> Iterator[str]:
    """Yield terms, each with what it means."""
    for name, meaning in pairs:
        yield ".TP"
        yield f"\\fB{escaped(name)}\\fR"
        if meaning:
            yield escaped(meaning)


def escaped(text: str) -> str:
    """Return a line that roff prints as it is."""
    shown = " ".join(text.split()).replace("\\", "\\e").replace("-", "\\-")
    return f"\\&{shown}" if shown.startswith((".", "'")) else shown


if __name__ == "__main__":
    if sys.argv[1:] == ["--check"]:
        if FILE.read_text(encoding="utf-8") != page():
            sys.exit("docs/man/roundtable.1 is not as the help texts are: make man")
    else:
        FILE.write_text(page(), encoding="utf-8")
