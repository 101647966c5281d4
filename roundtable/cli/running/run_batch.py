"""Running a batch for a person: what is said before, while and after; Ctrl-C; the exit code."""

import asyncio
import contextlib
import os
import signal
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from library import open_library
from models import EMBEDDED, Budget
from roundtable.batch.batch_index import summary_line
from roundtable.batch.batch_plan import PlannedSession, claim_batch, planned
from roundtable.batch.batch_run import BatchRun, Engine
from roundtable.batch.benchmark_files import write_benchmarks
from roundtable.batch.local_processes import LocalProcesses
from roundtable.batch.row_settings import RowRules
from roundtable.batch.summary_page import PAGE
from roundtable.batch.topics_file import read_topics
from roundtable.cli.journals import open_journal
from roundtable.cli.lines.first_lines import destination_line
from roundtable.cli.lines.indexing_lines import indexing_lines
from roundtable.cli.running.batch_view import BatchView, choose_batch_view
from roundtable.config.config import Settings, home, joined, load_settings, unresolved
from roundtable.config.errors import InputError
from roundtable.config.flags import given_settings, is_file
from roundtable.config.search_places import settle_places
from roundtable.journal.storage.tables.locks import hold
from roundtable.output.clean import counted
from roundtable.session.factory import Runtime, load_stubs
from roundtable.session.planning.invited_agents import read_invited

ENDED, FAILED, LEFT, AT_ONCE = 0, 1, 3, 130
_IN_QUEUE = 100
"""Sessions that are in the queue at a time."""


def run_batch(file: Path, out: Path, flags: Mapping[str, Any]) -> int:
    """Run a batch with the flags of its command; return the exit code.

    Whatever is wrong with the topics or their settings is found before anything is begun.
    """
    rows = read_topics(file)
    common = given_settings(dict(flags))
    experts = [str(Path(text).expanduser().absolute()) for text in flags["invited"] if is_file(text)]
    lines: list[str] = []

    def loaded(given: Mapping[str, Any]) -> Settings:
        return load_settings(given, config=flags["config"], preset=flags["preset"])

    rules = RowRules(file, home(), loaded(common), flags["rows_may_set"])

    def settled(own: Mapping[str, Any]) -> Settings:
        settings = loaded(joined(common, rules.judged(own)))
        rules.check_limits(settings)
        settings = settle_places(settings, home())
        lines.append(destination_line(settings))
        return settings

    folder, name = claim_batch(out, flags["name"])
    plans = planned(rows, name, folder, settled, experts)
    read_invited([Path(expert) for expert in experts], plans[0].settings)
    view = choose_batch_view(as_json=flags["as_json"], plain=flags["plain"])
    with hold(folder / ".lock", f"batch {name}"), contextlib.closing(view), open_journal() as journal:
        engine, processes, sessions = _engine(flags, plans)
        limits = Budget(**flags["total"], reserve=0) if flags["total"] else None
        batch = BatchRun(folder, name, plans, engine, journal, retries=flags["retries"], budget=limits)
        kinds = (
            f" and {counted(len(set(lines)) - 1, 'other way', 'other ways')}" if len(set(lines)) > 1 else ""
        )
        view.say(f"{lines[0]}{kinds}")
        view.say(_beginning(name, batch, flags["engine"], processes, sessions))
        if batch.changed:
            view.say(
                f"{counted(batch.changed, 'topic')} ended before with other settings than these: they stay "
                "as they are; another --out runs all anew"
            )
        load_stubs()
        code = asyncio.run(_conduct(batch, engine, plans, view, folder))
        if flags["formats"] and code != AT_ONCE:
            for written in write_benchmarks(folder, list(batch.rows.values()), flags["formats"]):
                view.say(f"For a benchmark: {written}")
        return code


def _engine(flags: Mapping[str, Any], plans: Sequence[PlannedSession]) -> tuple[Engine, int, int]:
    """Return where sessions run, in how many processes, and how many at once in each."""
    if flags["engine"] == "queue":
        from roundtable.batch.work_queue import WorkQueue

        for flag in ("processes", "address"):
            if flags[flag]:
                raise InputError(f"--{flag} is not for --on queue: `roundtable worker` begins workers")
        if any(unresolved(plan.settings) != plan.settings.model_dump(mode="json") for plan in plans):
            raise InputError(
                "an address with a user name or a password would stand in the database, in the queue: give "
                "it to the workers, in their environment (OPENAI_BASE_URL)"
            )
        queue = WorkQueue(flags["sessions"] or min(_IN_QUEUE, len(plans)), Runtime())
        return queue, queue.lengths().workers, queue.room
    sessions = flags["sessions"] or (1 if _embedded(plans[0].settings) else 4)
    if flags["engine"] == "ray":
        from roundtable.batch.ray_engine import RayCluster

        cluster = RayCluster(flags["processes"], sessions, flags["address"])
        return cluster, cluster.actors, sessions
    if flags["address"]:
        raise InputError("--address names a cluster of Ray: say --on ray, too")
    processors = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    processes = flags["processes"] or max(1, min(processors, -(-len(plans) // sessions)))
    return LocalProcesses(processes, sessions), processes, sessions


def _embedded(settings: Settings) -> bool:
    from library import TextStatistics
    from models import choose_model

    chosen = choose_model(settings.models, os.environ, TextStatistics(), loopback_only=settings.offline)
    return chosen["expert"].name == EMBEDDED


def _beginning(name: str, batch: BatchRun, engine: str, processes: int, sessions: int) -> str:
    ended = f", {batch.already:,} of them ended before" if batch.already else ""
    if engine == "queue":
        workers = f"{counted(processes, 'worker')} there now"
        workers += "" if processes else ": begin some with `roundtable worker`"
        topics = f"{counted(len(batch.rows), 'topic')}{ended}"
        return f"Batch {name}: {topics}; up to {sessions:,} in the queue at a time, {workers}"
    where = f"{counted(processes, 'process', 'processes')}, {counted(sessions, 'session')} at once in each"
    return f"Batch {name}: {counted(len(batch.rows), 'topic')}{ended}; {where}"


async def _conduct(
    batch: BatchRun, engine: Engine, plans: Sequence[PlannedSession], view: BatchView, folder: Path
) -> int:
    """Run a batch to its end, or to where it is stopped; return the exit code."""
    with _interrupts(batch, view):
        try:
            await _read_documents(plans, view)
            view.begin(batch)
            async with contextlib.aclosing(batch.run()) as changes:
                async for row in changes:
                    view.show(row)
        except asyncio.CancelledError:
            batch.ending = batch.ending or "it was stopped at once"
            view.say("Stopped at once; the same command again goes on.")
            return AT_ONCE
        finally:
            await engine.close()
    return _closed(batch, view, folder)


def _closed(batch: BatchRun, view: BatchView, folder: Path) -> int:
    rows = list(batch.rows.values())
    view.finish()
    view.say(summary_line(rows))
    for row in rows:
        if row.status == "failed":
            view.say(f"roundtable: {row.topic}: {row.error}", error=True)
    left = sum(row.status in {"waiting", "stopped"} for row in rows)
    if left:
        why = f"{batch.ending}; " if batch.ending else ""
        view.say(f"{why}{counted(left, 'topic')} left: the same command again goes on.")
    view.say(f"Reports: {folder / PAGE}")
    return FAILED if any(row.status == "failed" for row in rows) else LEFT if left else ENDED


async def _read_documents(plans: Sequence[PlannedSession], view: BatchView) -> None:
    """Read documents that several sessions search once, before these begin."""
    uses: dict[tuple[str, ...], list[PlannedSession]] = {}
    for plan in plans:
        uses.setdefault(tuple(plan.settings.docs), []).append(plan)
    for docs, users in uses.items():
        if docs and len(users) > 1:
            library = await open_library(
                users[0].settings.library,
                docs,
                [],
                offline=True,
                home=home(),
                progress=indexing_lines(view.say),
            )
            await library.close()


@contextlib.contextmanager
def _interrupts(batch: BatchRun, view: BatchView) -> Iterator[None]:
    """Ctrl-C once: nothing more is begun; twice, or a request to terminate: all is left where it is."""
    loop, task = asyncio.get_running_loop(), asyncio.current_task()
    assert task is not None

    def press(number: signal.Signals) -> None:
        if number == signal.SIGINT and batch.ending is None:
            batch.begin_no_more("it was stopped")
            view.say(
                "Nothing more is begun, sessions under way go on to their ends. Ctrl-C again stops at once."
            )
        else:
            task.cancel()

    numbers = (signal.SIGINT, signal.SIGTERM)
    for number in numbers:
        loop.add_signal_handler(number, press, number)
    try:
        yield
    finally:
        for number in numbers:
            loop.remove_signal_handler(number)
