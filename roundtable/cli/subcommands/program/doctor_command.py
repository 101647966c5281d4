"""`roundtable doctor`: what is configured, reachable and missing."""

import os
from pathlib import Path

import click

from roundtable.terminal.safe_output import say, tell
from roundtable.terminal.terminal_language import terminal_language


@click.command("doctor")
@click.option("--offline", is_flag=True, help="Ask nothing that is not on this machine.")
@click.option("--config", type=click.Path(path_type=Path), metavar="FILE.toml", help="A file of settings.")
@click.option(
    "--repair",
    is_flag=True,
    help="Save what can be read of a damaged journal or store; damaged files are kept.",
)
def command(offline: bool, config: Path | None, repair: bool) -> int:
    """Say what is configured, reachable and missing. Exit code 1 when something needed does not work."""
    from roundtable.config.config import home
    from roundtable.doctor import examine, healthy

    if repair:
        _repair_store()
        _repair()
    findings = []
    for finding in examine(home(), dict(os.environ), offline=offline, config=config):
        say(" ".join(finding.line(terminal_language()).splitlines()))
        findings.append(finding)
    return 0 if healthy(findings) else 1


def _repair() -> None:
    """Repair the journal if anything is wrong with it."""
    from roundtable.config.home import home, journal_place
    from roundtable.journal.clock import SystemClock
    from roundtable.journal.sessions.repair import find_damage, repair_journal

    path = journal_place(home())
    if isinstance(path, str):
        tell("repair: sessions are in a database, which is repaired with its own means")
        return
    if not path.exists():
        tell("repair: there is no journal yet")
        return
    problem = find_damage(path, SystemClock())
    if problem is None:
        tell("repair: the journal is sound, nothing to do")
        return
    saved, aside = repair_journal(path, SystemClock())
    for one in saved:
        lost = "; what came after it cannot be read" if one.lost else ""
        tell(f"repair: session {one.session}: {one.events} events saved{lost}")
    count = sum(one.events > 0 for one in saved)
    sessions = "1 session" if count == 1 else f"{count} sessions"
    tell(f"repair: {sessions} saved; the damaged file is {aside}")


def _repair_store() -> None:
    """Repair the store of texts if anything is wrong with it."""
    from library.store import check_store, salvage_store
    from roundtable.cli.journals import open_journal
    from roundtable.config.home import home, journal_place
    from roundtable.config.search_places import STORE
    from roundtable.journal.storage.tables.locks import is_held

    path = home() / STORE
    problem = check_store(path)
    if problem is None:
        return
    running = [lock.name for lock in sorted((home() / "locks").glob("*")) if is_held(lock)]
    if isinstance(journal_place(home()), str):
        with open_journal() as journal:
            running += [row.id for row in journal.sessions() if row.state == "running"]
    if running:
        raise click.ClickException(f"session {running[0]} is running: repair the store when it has ended")
    saved = salvage_store(path)
    tell(f"repair: {saved.texts} texts saved; the damaged file is {saved.aside}")
    if saved.lost:
        tell(f"repair: {saved.lost} texts cannot be read")
    for name in saved.collections:
        tell(f"repair: collection {name} is read again when it is next searched")
