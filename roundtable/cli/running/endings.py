"""How a command that runs a session ends: its exit codes, and what it says when it stopped before the end."""

import asyncio
from typing import Protocol

from models import ModelUnavailable
from roundtable.cli.pipes import silence_stdout

ENDED, FAILED, STOPPED, AT_ONCE = 0, 1, 3, 130

STOPS = (asyncio.CancelledError, ModelUnavailable, BrokenPipeError)
"""What stops a session so that it can go on later: a second Ctrl-C, no model to ask, nobody who reads."""


class TellPerson(Protocol):
    """Says a line to the person who runs a session."""

    def __call__(self, text: str, /, *, error: bool = False) -> None:
        """Say it; on stderr when it is an error."""


def tell_stop(stop: BaseException, say: TellPerson, again: str) -> int:
    """Say why a session stopped, one of `STOPS`, and how to go on with it; return the exit code."""
    if isinstance(stop, asyncio.CancelledError):
        say(f"Stopped at once; {again}")
        return AT_ONCE
    if isinstance(stop, BrokenPipeError):
        silence_stdout()
        say(f"Nobody reads the output any more; {again}", error=True)
    else:
        say(f"roundtable: {stop}; {again}", error=True)
    return STOPPED
