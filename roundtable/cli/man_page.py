"""The man page, made of the help texts: `roundtable man` shows it, and puts it where `man` looks."""

import inspect
import os
import re
from collections.abc import Iterable, Iterator
from pathlib import Path

import click

from roundtable.config.errors import InputError

NAME = "roundtable.1"
_EXIT_CODES = (
    ("0", "Ended, also when Ctrl-C stopped it and the report was written."),
    ("1", "Failed, also when no search worked and the report is empty."),
    ("2", "Wrong usage or input."),
    ("3", "Stopped and can be resumed, for instance when a model cannot be had."),
    ("130", "Stopped at once."),
)
_VARIABLES = (
    ("ROUNDTABLE_HOME", "The folder that sessions and texts are kept in."),
    ("ROUNDTABLE_DATABASE", "Address of a PostgreSQL database, postgresql://…, that keeps sessions instead."),
    ("ROUNDTABLE_MEANINGS", "A file for what texts mean, which several such folders may share."),
    ("ROUNDTABLE_…", "Any setting, with __ between the parts of its name: ROUNDTABLE_AGENTS__EXPERTS=5."),
    ("OPENAI_API_KEY, ANTHROPIC_API_KEY, TAVILY_API_KEY, …", "Keys of models and search engines."),
    ("NO_COLOR", "No colours."),
)


def man_page() -> str:
    """Return the page, as roff."""
    from roundtable.cli.group import COMMANDS, command

    lines = [
        '.TH ROUNDTABLE 1 "" "Roundtable" "User Commands"',
        ".SH NAME",
        "roundtable \\- experts discuss a topic, and write a report that cites its passages",
        ".SH SYNOPSIS",
        ".B roundtable",
        ".I command",
        "[\\fIoptions\\fR] [\\fIarguments\\fR]",
        ".SH DESCRIPTION",
        *_paragraphs(command.help or ""),
        ".SH COMMANDS",
    ]
    context = click.Context(command, info_name="roundtable")
    for name in COMMANDS:
        found = command.get_command(context, name)
        assert found is not None
        lines += _described(found, click.Context(found, context, info_name=name))
    lines.append(".SH ENVIRONMENT")
    lines += _terms(_VARIABLES)
    lines.append(".SH EXIT STATUS")
    lines += _terms(_EXIT_CODES)
    return "\n".join(lines) + "\n"


def _described(found: click.Command, context: click.Context) -> Iterator[str]:
    """Yield what a command and those below it do."""
    yield f".SS {_escaped(' '.join([context.command_path, *found.collect_usage_pieces(context)]))}"
    yield from _paragraphs(found.help or "")
    options = [each.get_help_record(context) for each in found.get_params(context)]
    yield from _terms(record for record in options if record)
    if isinstance(found, click.Group):
        for name in found.list_commands(context):
            below = found.get_command(context, name)
            assert below is not None
            yield from _described(below, click.Context(below, context, info_name=name))


def _paragraphs(text: str) -> Iterator[str]:
    """Yield a help text's paragraphs; those that click leaves as they are stand as examples."""
    for paragraph in re.split(r"\n\s*\n", text.strip()):
        paragraph = inspect.cleandoc(paragraph)  # noqa: PLW2901 - the same without its indent
        kept = paragraph.startswith("\b")
        lines = [line.strip() for line in paragraph.removeprefix("\b").strip().split("\n")]
        yield ".PP"
        yield from [".nf", *map(_escaped, lines), ".fi"] if kept else [_escaped(" ".join(lines))]


def _terms(pairs: Iterable[tuple[str, str]]) -> Iterator[str]:
    """Yield terms, each with what it means."""
    for name, meaning in pairs:
        yield ".TP"
        yield f"\\fB{_escaped(name)}\\fR"
        if meaning:
            yield _escaped(meaning)


def _escaped(text: str) -> str:
    """Return a line that roff prints as it is."""
    shown = " ".join(text.split()).replace("\\", "\\e").replace("-", "\\-")
    return f"\\&{shown}" if shown.startswith((".", "'")) else shown


def plain_page(page: str) -> str:
    """Return the page as plain text, for machines without `man`."""
    lines = []
    for line in page.splitlines():
        macro, _, rest = line.partition(" ") if line.startswith(".") else ("", "", line)
        if macro in ("", ".SH", ".SS", ".B"):
            shown = re.sub(r"\\f[BIR]|\\&", "", rest).replace("\\-", "-").replace("\\e", "\\")
            lines += ["", shown] if macro else [f"    {shown}"]
    return "\n".join(lines).strip() + "\n"


def install_page() -> Path:
    """Put the page where `man` looks for those of a person's own programs. Raises InputError."""
    data = Path(os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share")
    file = data / "man" / "man1" / NAME
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(man_page(), encoding="utf-8")
    except OSError as failure:
        raise InputError(f"{file}: cannot be written: {failure.strerror}") from failure
    return file
