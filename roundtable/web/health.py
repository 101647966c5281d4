"""Whether a server is well, for whoever stands before it, and what it does in figures, for Prometheus."""

import asyncio
import logging
import os
import time
from collections import Counter
from collections.abc import Awaitable, Callable
from pathlib import Path

from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, Response

from roundtable.config.errors import RoundtableError
from roundtable.web.hosting.session_thread import SessionThread

_TEXT = "text/plain; version=0.0.4; charset=utf-8"
_OLD = 1.0
"""Seconds after which it is looked anew whether the journal answers."""
Answer = Callable[[Request], Awaitable[Response]]


def health_routes(sessions: SessionThread) -> tuple[Answer, Answer]:
    """Return what answers `/healthz` and `/metrics`."""
    began = time.monotonic()
    looking, well, looked = asyncio.Lock(), True, float("-inf")

    async def health(_: Request) -> Response:
        """200 while the journal answers, else 503: a proxy then asks another server.

        The journal is asked once a second at most, however many want to know: anybody may.
        """
        nonlocal well, looked
        async with looking:
            if time.monotonic() - looked >= _OLD:
                try:
                    await asyncio.to_thread(_asked, sessions)
                    well = True
                except RoundtableError as failure:
                    logging.getLogger(__name__).warning("health: %s", failure)
                    well = False
                looked = time.monotonic()
        return JSONResponse({"status": "ok"}) if well else JSONResponse({"status": "failing"}, 503)

    async def measures(_: Request) -> Response:
        """Sessions by state, those that run here, those taken up, streams, processor and memory."""
        states = Counter(row.state for row in sessions.rows())
        lines = [
            *_metric("roundtable_sessions", "gauge", "Sessions in the journal, by state.", [
                (f'{{state="{state}"}}', states[state]) for state in ("running", "stopped", "ended")
            ]),
            *_metric("roundtable_sessions_here", "gauge", "Sessions that run in this process.", [
                ("", len(sessions.running_here()))
            ]),
            *_metric("roundtable_taken_up_total", "counter", "Sessions taken up from dead processes.", [
                ("", sessions.shared.taken_up)
            ]),
            *_of_queue(sessions),
            *_metric("roundtable_up_seconds", "gauge", "Seconds since this process began to serve.", [
                ("", round(time.monotonic() - began, 1))
            ]),
            *_metric("process_cpu_seconds_total", "counter", "Seconds of processor.", [
                ("", round(time.process_time(), 2))
            ]),
            *_metric("process_resident_memory_bytes", "gauge", "Memory.", [("", _memory())]),
        ]  # fmt: skip
        return PlainTextResponse("\n".join(lines) + "\n", media_type=_TEXT)

    return health, measures


def _asked(sessions: SessionThread) -> None:
    with sessions.new_journal() as journal:
        journal.inbox()


def _of_queue(sessions: SessionThread) -> list[str]:
    """Return what is in the queue; nothing where sessions are kept in a file."""
    with sessions.new_journal() as journal:
        queued = journal.queued()
        if queued is None:
            return []
        lengths = queued.lengths()
    in_queue = [('{state="waiting"}', float(lengths.waiting)), ('{state="at_work"}', float(lengths.at_work))]
    return [
        *_metric("roundtable_queue", "gauge", "Sessions in the queue for workers.", in_queue),
        *_metric("roundtable_workers", "gauge", "Workers that take from the queue.", [("", lengths.workers)]),
    ]


def _metric(name: str, kind: str, told: str, values: list[tuple[str, float]]) -> list[str]:
    return [f"# HELP {name} {told}", f"# TYPE {name} {kind}", *(f"{name}{label} {n}" for label, n in values)]


def _memory() -> int:
    """Return the bytes that the process has in memory; 0 where the system does not tell."""
    try:
        pages = Path("/proc/self/statm").read_text(encoding="ascii").split()[1]
        return int(pages) * os.sysconf("SC_PAGE_SIZE")
    except OSError:
        return 0
