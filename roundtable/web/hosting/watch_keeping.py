"""Watched sessions are brought up to date when they are due, one after the other."""

import asyncio
import logging

from roundtable.config.errors import RoundtableError, SessionUnknown
from roundtable.session.updating.watches import Watches
from roundtable.web.hosting.session_manager import NotRunning, SessionManager

WATCHED_EACH = 60.0
"""Seconds between two looks for watched sessions that are due."""


async def keep_watch(manager: SessionManager, pause: float = WATCHED_EACH) -> None:
    """Bring watched sessions up to date, until it is cancelled; `pause` seconds stand between two looks."""
    while True:
        try:
            await _update_what_is_due(manager)
        except RoundtableError as failure:  # what is watched cannot be read now; perhaps it can later
            logging.getLogger(__name__).warning("watched sessions: %s", failure)
        except Exception:
            logging.getLogger(__name__).exception("watched sessions: unexpected error")
        await asyncio.sleep(pause)


async def _update_what_is_due(manager: SessionManager) -> None:
    for identity in await asyncio.to_thread(Watches(manager.home).due, manager.wall()):
        try:
            await manager.update(identity)
            await manager.rested(identity)
        except NotRunning:
            continue  # it is at work: what is new is found the next time
        except SessionUnknown:
            await asyncio.to_thread(Watches(manager.home).end, identity)
        except RoundtableError as failure:
            logging.getLogger(__name__).warning("session %s: %s", identity, failure)
