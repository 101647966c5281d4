"""`roundtable worker`: sessions from the queue."""

from functools import partial

import click

from roundtable.terminal.safe_output import tell


@click.command("worker")
@click.option(
    "--sessions", type=click.IntRange(1, 100), default=4, show_default=True, metavar="N",
    help="Sessions at once: few for the embedded model, which computes, more for models that are waited for.",
)  # fmt: skip
def command(sessions: int) -> None:
    """Take sessions from the queue and run them, until Ctrl-C.

    The queue is in the database of sessions (ROUNDTABLE_DATABASE); `batch --on queue` and `serve --workers`
    put sessions in. Any number of workers on any machines take from it; each needs the documents under the
    same path, and keys of the models in its own environment. What a worker was at when it ended goes on from
    its last event in another, within 15 seconds.
    """
    import asyncio

    from roundtable.output.clean import counted
    from roundtable.session.factory import Runtime
    from roundtable.session_worker import SessionWorker
    from roundtable.worker_lines import WorkerLines

    around = Runtime(untold=partial(tell, error=True))
    worker = SessionWorker(around, sessions, WorkerLines(tell))
    with around.journal() as journal:
        place = journal.place
    at_once = counted(sessions, "session")
    tell(f"Worker on {place}: {at_once} at once. Ctrl-C ends it, and another goes on with its sessions")
    asyncio.run(worker.until_interrupted())
