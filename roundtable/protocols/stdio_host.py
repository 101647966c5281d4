"""A process that an assistant started, and that ends with it: what runs in it then goes on elsewhere.

A client ends its server by closing its input, and soon after by a signal. Sessions must not end with that,
so each one that runs is cut off where it is, which costs the step under way and nothing that was written, and
is resumed by a process of its own.
"""

import asyncio
import contextlib
import os
import signal
import subprocess  # nosec B404 - ourselves alone are started
from functools import partial

from roundtable.config.home import home
from roundtable.config.own_process import own_module
from roundtable.journal.clock import SystemClock
from roundtable.journal.storage.journal_store import journal_in
from roundtable.protocols.mcp_server import serve_stdio
from roundtable.session.factory import Runtime
from roundtable.session.steady_loop import run_steadily
from roundtable.terminal.safe_output import tell
from roundtable.web.hosting.session_thread import SessionThread


def host(*, any_documents: bool) -> None:
    """Serve until the client goes."""
    left = run_steadily(_serving(any_documents=any_documents))
    for identity in left:
        go_on_alone(identity)
    _leave()


async def _serving(*, any_documents: bool) -> set[str]:
    """Serve; return the sessions that were under way when the client went."""
    around = Runtime(untold=partial(tell, error=True))
    sessions = SessionThread(around, named_documents_only=not any_documents)
    work = asyncio.create_task(serve_stdio(sessions, any_documents=any_documents))
    loop = asyncio.get_running_loop()
    for number in (signal.SIGTERM, signal.SIGINT):
        with contextlib.suppress(NotImplementedError):  # not on Windows
            loop.add_signal_handler(number, work.cancel)
    try:
        with contextlib.suppress(asyncio.CancelledError):
            await work
    finally:
        running = sessions.running_here()
        await sessions.close()
    return {identity for identity in running if not _ended(identity)}


def _ended(identity: str) -> bool:
    with journal_in(home(), SystemClock()) as journal:
        return journal.session(identity).state == "ended"


def go_on_alone(identity: str) -> None:
    """Resume a session in a process that belongs to nobody."""
    subprocess.Popen(  # noqa: S603 - ourselves, with an id of ours  # nosec B603
        own_module("roundtable.protocols.alone", identity),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )


def _leave() -> None:
    """End at once: a thread that reads the closed input may wait for ever."""
    os._exit(0)
