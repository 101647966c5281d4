"""`roundtable sources`: every text that was read and is kept."""

import sys
from collections import Counter
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING

import click

from roundtable.cli.help_words import WholeGroup
from roundtable.terminal.safe_output import confirm, say, say_json, tell
from roundtable.terminal.terminal_language import in_terminal_language, terminal_language

if TYPE_CHECKING:
    from roundtable.session.texts.kept_sources import KeptSource

_SHOWN = 200
"""Lines of a list on a terminal; `--json` has all."""


@click.group("sources", cls=WholeGroup)
def command() -> None:
    """List, show and forget what sessions have read."""


@command.command("list")
@click.argument("words", nargs=-1)
@click.option("--session", metavar="ID", help="What this session read alone.")
@click.option("--json", "as_json", is_flag=True, help="One JSON array, with each text's sessions.")
def list_all(words: tuple[str, ...], session: str | None, *, as_json: bool) -> None:
    """List the texts that are kept, the one read last first; those alone whose title or address has WORDS."""
    from roundtable.cli.journals import open_journal
    from roundtable.config.home import home
    from roundtable.output.clean import clean_line, counted
    from roundtable.session.texts.kept_sources import kept_sources

    with open_journal() as journal:
        identity = journal.find(session) if session else None
        found = kept_sources(home(), journal, session_id=identity, words=" ".join(words))
    if as_json:
        say_json([_values(one) for one in found])
        return
    if not found:
        tell("Nothing of that is kept", error=True)
    days = Counter((one.text.url, one.text.read[:10]) for one in found)
    width = len("2026-01-01 12:00" if any(n > 1 for n in days.values()) else "2026-01-01")
    for one in found[:_SHOWN]:
        # Two versions of one page that were read on one day are told apart by the time.
        twice = days[one.text.url, one.text.read[:10]] > 1
        read, sessions = _time(one.text.read, exact=twice), counted(len(one.sessions), "session")
        title = clean_line(one.text.title, 60)
        of = in_terminal_language(sessions)
        say(f"{one.text.sha256[:10]}  {read:<{width}}  {of:>11}  {title}  {clean_line(one.text.url, 120)}")
    if len(found) > _SHOWN:
        tell(f"… and {len(found) - _SHOWN} more: name words of their titles, or --json for all", error=True)


@command.command("show")
@click.argument("named", metavar="URL|HASH")
@click.option("--text", is_flag=True, help="Print the whole text.")
def show(named: str, *, text: bool) -> None:
    """Show one text: when it was read where, in which sessions, and its other versions."""
    from library.text import catalogue
    from roundtable.cli.journals import open_journal
    from roundtable.config.home import home
    from roundtable.output.clean import clean, clean_line
    from roundtable.session.texts.kept_sources import one_source

    with open_journal() as journal:
        found = one_source(home(), journal, named)
    source, kept = found.source, found.kept
    if text:
        say(clean(source.text))
        return
    told = {
        "title": source.title, "address": source.url, "author": source.author or "",
        "published": source.published or "", "read": kept.text.read, "hash": source.sha256,
        "characters": str(kept.text.characters), "sessions": ", ".join(kept.sessions),
        "collections": ", ".join(found.collections),
    }  # fmt: skip
    words = catalogue(terminal_language(), "terminal")
    for name, value in told.items():
        if value:
            say(f"{words.say(f'source_{name}'):<12} {clean_line(value, 400)}")
    days = Counter(reading.first[:10] for reading in found.readings)
    for reading in found.readings:
        exact = days[reading.first[:10]] > 1
        here = reading.sha256 == source.sha256
        mark = words.say("source_this") if here else words.say("source_version", hash=reading.sha256[:10])
        first, last = _time(reading.first, exact=exact), _time(reading.last, exact=exact)
        say(words.say("source_reading", first=first, which=mark, last=last))


@command.command("forget")
@click.argument("named", metavar="[URL|HASH]...", nargs=-1)
@click.option(
    "--older", type=click.IntRange(1, 36_500), metavar="DAYS",
    help="All that were read longer ago and that neither a session nor a collection needs.",
)  # fmt: skip
@click.option("--yes", is_flag=True, help="Do not ask.")
def forget(named: tuple[str, ...], older: int | None, *, yes: bool) -> None:
    """Forget texts for good, with the pages that they were read from.

    What a session rests on, or a collection of documents holds, is refused.
    """
    from roundtable.cli.journals import open_journal
    from roundtable.config.errors import InputError
    from roundtable.config.home import home
    from roundtable.output.clean import clean_line, counted
    from roundtable.session.texts.kept_sources import forget_sources, older_than, one_source

    if not named and older is None:
        raise InputError("sources forget: name addresses or hashes, or --older DAYS")
    with open_journal() as journal:
        found = [one_source(home(), journal, each).kept for each in dict.fromkeys(named)]
        if older is not None and (home() / "library.sqlite").exists():
            found += older_than(home(), journal, datetime.now(UTC) - timedelta(days=older))
    for one in found[:_SHOWN]:
        say(f"{one.text.sha256[:10]}  {clean_line(one.text.title, 60)}  {clean_line(one.text.url, 120)}")
    if found and not yes:
        if not sys.stdin.isatty():
            raise InputError("nothing was forgotten: add --yes to forget without being asked")
        confirm(f"Forget {counted(len(found), 'text')} for good?")
    if found:
        forget_sources(Path(home()), found)
    tell(f"forgotten: {counted(len(found), 'text')}")


def _time(moment: str, *, exact: bool) -> str:
    """Return the day of a time (ISO 8601), and its minute where that tells more."""
    return moment[: len("2026-01-01T12:00") if exact else len("2026-01-01")].replace("T", " ")


def _values(one: "KeptSource") -> dict[str, object]:
    text = one.text
    return {
        "sha256": text.sha256, "url": text.url, "title": text.title, "characters": text.characters,
        "private": text.private, "read": text.read, "sessions": list(one.sessions),
    }  # fmt: skip
