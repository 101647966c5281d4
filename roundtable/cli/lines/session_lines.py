"""A session in one line, as lists on a terminal show it, in the terminal's language."""

from library.text import catalogue
from roundtable.journal.sessions.fork_names import name_told
from roundtable.journal.storage.journal_store import SessionRow
from roundtable.output.clean import clean_line
from roundtable.terminal.terminal_language import in_terminal_language, terminal_language


def session_line(row: SessionRow, watched: str = "", width: int = 0) -> str:
    """Return a session's id, state, turns, time and topic, in columns; how often it is looked up again.

    Args:
        row: The session.
        watched: How often; empty for never.
        width: Columns of the longest id that stands above or below.
    """
    from rich.cells import cell_len

    state, turns = in_terminal_language(row.state), turns_said(row.turns)
    state += " " * (7 - cell_len(state))
    turns = " " * (9 - cell_len(turns)) + turns
    name = clean_line(name_told(row.topic, terminal_language()), 200)
    line = f"{row.id:<{width}}  {state}  {turns}  {started_said(row)}  {name}"
    return f"{line}  ({in_terminal_language(f'looked up again {watched}')})" if watched else line


def started_said(row: SessionRow) -> str:
    """Return when a session began, to the minute."""
    return row.started[:16].replace("T", " ")


def turns_said(turns: int) -> str:
    """Return how many turns there are, in words."""
    return catalogue(terminal_language(), "terminal").say("turns", n=turns)
