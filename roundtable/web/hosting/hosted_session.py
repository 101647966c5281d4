"""A session that runs in this process, as its manager holds it."""

import asyncio
from typing import Any

from roundtable.config.errors import SessionLocked
from roundtable.session.session import Session


class HostedSession:
    """A session that runs here."""

    def __init__(self) -> None:
        self.session: Session | None = None
        self.opened = asyncio.Event()
        """Set when the session is open, or could not be opened."""
        self.locked: SessionLocked | None = None
        """Why it was not opened, when another process runs it."""
        self.leaving = False
        """It has come to its end and is being closed."""
        self.task: asyncio.Task[None] | None = None
        self.writing: dict[str, str] = {}
        """What speakers are writing at this moment, as far as it is there."""
        self.indexing: dict[str, Any] = {}
        """While documents are read: what is called how, files `done` of how many (`of`), and since when."""
