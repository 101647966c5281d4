"""A command that another process does is held to what the server allows that it was given to."""

from pathlib import Path

import pytest

from roundtable.config.errors import InputError
from roundtable.journal.commands.command import CommandError
from roundtable.session.factory import Runtime
from roundtable.web.hosting.session_manager import SessionManager
from roundtable.web.hosting.shared_sessions import SharedSessions
from tests.postgres_server import PostgresServer
from tests.roundtable.journal.test_journal import started


async def test_a_file_of_the_machine_is_not_read_by_way_of_a_worker(
    tmp_path: Path, postgres: PostgresServer
) -> None:
    around = Runtime(home=tmp_path / "home", environment={"ROUNDTABLE_DATABASE": postgres.database()})
    with around.journal() as worker:
        worker.create("s1", [started()])
        with worker.lock("s1"):
            manager = SessionManager(around, named_documents_only=True)
            shared = SharedSessions(manager, around)
            with pytest.raises(InputError, match="not read on demand"):
                await shared.perform("s1", "read", {"place": "/etc/passwd"})
            with pytest.raises(CommandError, match="no command 'rob'"):
                await shared.perform("s1", "rob", {})
            inbox = worker.inbox()
            assert inbox is not None
            assert inbox.waiting(["s1"]) == [], "who runs it is not even asked"
            shared.close()
            await manager.close()
