"""A session manager on the test's own loop that can be watched as the server watches its thread."""

import asyncio

from roundtable.journal.events import Recorded
from roundtable.session.factory import Runtime
from roundtable.web.hosting.session_manager import SessionManager


class WatchedManager(SessionManager):
    """Waits for news, and reads the journal from an event on."""

    def __init__(self, around: Runtime, *, named_documents_only: bool = False) -> None:
        super().__init__(around, named_documents_only=named_documents_only)
        self.ending = asyncio.Event()
        self._news = asyncio.Event()
        self.on_news = self._hear

    def _hear(self, _identity: str) -> None:
        self._news.set()
        self._news = asyncio.Event()

    async def news(self, identity: str, seconds: float) -> bool:
        try:
            await asyncio.wait_for(self._news.wait(), seconds)
        except TimeoutError:
            return False
        return True

    def events(self, identity: str, after: int) -> list[Recorded]:
        return self._journal.read(identity, after, 256)

    def texts(self, identity: str, after: int) -> list[tuple[int, str, str]]:
        return self._journal.texts(identity, after, 256)

    def standing(self, identity: str) -> dict[str, object]:
        return self.stands(self.row(identity))
