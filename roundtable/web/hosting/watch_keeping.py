"""Watched sessions are brought up to date when they are due, one after the other.

One that waits for a person, or is at work for very long, goes on beside the next: nobody else's waits for it.
"""

import asyncio
import logging

from roundtable.config.errors import RoundtableError, SessionUnknown
from roundtable.session.updating.watches import Watches
from roundtable.web.hosting.session_manager import NotRunning, SessionManager

WATCHED_EACH = 60.0
"""Seconds between two looks for watched sessions that are due."""
_GLANCE = 1.0
_LONGEST = 1_800.0
"""Seconds for which the next one waits for a session that is at work."""


async def keep_watch(manager: SessionManager, pause: float = WATCHED_EACH) -> None:
    """Bring watched sessions up to date, until it is cancelled; `pause` seconds stand between two looks."""
    told: dict[str, str] = {}
    while True:
        try:
            await _update_what_is_due(manager, told)
        except RoundtableError as failure:  # what is watched cannot be read now; perhaps it can later
            _tell_once(told, "watched sessions", str(failure))
        except Exception:
            logging.getLogger(__name__).exception("watched sessions: unexpected error")
        await asyncio.sleep(pause)


async def _update_what_is_due(manager: SessionManager, told: dict[str, str]) -> None:
    for identity in await asyncio.to_thread(Watches(manager.home).due, manager.wall()):
        try:
            await manager.update(identity)
            await _rested_or_waits(manager, identity)
            told.pop(f"session {identity}", None)
        except NotRunning:
            continue  # it is at work: what is new is found the next time
        except SessionUnknown:
            await asyncio.to_thread(Watches(manager.home).end, identity)
        except RoundtableError as failure:
            _tell_once(told, f"session {identity}", str(failure))


async def _rested_or_waits(manager: SessionManager, identity: str) -> None:
    """Return when a session does not run here any more, or the next one need not wait for it."""
    rested = asyncio.ensure_future(manager.rested(identity))
    try:
        async with asyncio.timeout(_LONGEST):
            while not (await asyncio.wait([rested], timeout=_GLANCE))[0]:
                if manager.stands_still(identity):
                    return
    except TimeoutError:
        return
    finally:
        rested.cancel()


def _tell_once(told: dict[str, str], what: str, why: str) -> None:
    """Warn of what keeps an update from being done, unless that was told the last time.

    An owner who has used up what he may stays without updates for the day, and is looked at each minute.
    """
    if told.get(what) != why:
        told[what] = why
        logging.getLogger(__name__).warning("%s: %s", what, why)
