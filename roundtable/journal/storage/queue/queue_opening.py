"""Opening the queue of the database that sessions are kept in; nothing heavy is imported before that."""

import contextlib
from typing import TYPE_CHECKING

from roundtable.config.errors import InputError
from roundtable.journal.storage.queue.queued_work import QueuedWork
from roundtable.journal.storage.tables.journal_tables import open_tables

if TYPE_CHECKING:
    from roundtable.journal.storage.queue.queued_work import Perform
    from roundtable.journal.storage.queue.session_queue import SessionQueue


def session_queue(place: object, perform: "Perform | None" = None) -> "SessionQueue":
    """Return the queue of the database that sessions are kept in, not yet open.

    Args:
        place: Where sessions are kept; see `journal_place`.
        perform: Does a session's work, for a worker.

    Raises:
        InputError: they are kept in a file, or what runs the queue is not installed.
        JournalError: the database cannot be reached, or its queue is of another version.
    """
    from models import install_command

    if not isinstance(place, str):
        raise InputError(
            f"a queue needs sessions in PostgreSQL, and here they are in {place}: set ROUNDTABLE_DATABASE "
            "here and for every worker"
        )
    try:
        from roundtable.journal.storage.queue.session_queue import SessionQueue
    except ModuleNotFoundError as failure:
        raise InputError(f"a queue needs Procrastinate ({failure}): {install_command('queue')}") from failure
    with contextlib.closing(open_tables(place)) as tables:
        # The queue's tables stand beside those of sessions.
        QueuedWork(tables).check()
    return SessionQueue(place, perform)
