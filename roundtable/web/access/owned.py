"""Sessions that are begun for somebody: his own before their first event."""

import secrets

from roundtable.config.errors import SessionUnknown
from roundtable.config.search_places import SESSION
from roundtable.web.access.viewer import Viewer
from roundtable.web.hosting.session_thread import SessionThread
from roundtable.web.schemas import NewSession


async def begin_session(sessions: SessionThread, viewer: Viewer, order: NewSession) -> str:
    """Begin a session, which is the viewer's; return its id.

    Raises:
        InputError: it may not be begun so; and what `SessionManager.begin` raises.
    """
    wanted, identity = viewer.order(order), secrets.token_hex(4)
    if wanted.follows:
        _check_places(sessions, viewer, wanted.follows)
    viewer.own("session", identity)
    try:
        return await sessions.below(sessions.manager.begin(wanted, identity))
    except Exception:
        _forget_unless_there(sessions, viewer, identity)
        raise


async def fork_session(sessions: SessionThread, viewer: Viewer, session: str, turn: int) -> str:
    """Begin another session as one was after a turn; it belongs to the viewer, who may read the first.

    Raises:
        InputError: the first searches what the viewer may not; and what `SessionManager.fork` raises.
    """
    _check_places(sessions, viewer, session)
    identity = secrets.token_hex(4)
    viewer.own("session", identity)
    try:
        return await sessions.below(sessions.manager.fork(session, turn, identity))
    except Exception:
        _forget_unless_there(sessions, viewer, identity)
        raise


def _check_places(sessions: SessionThread, viewer: Viewer, session: str) -> None:
    """Refuse to go on from a session of somebody else that searches what the viewer may not.

    Whoever reads a session reads what was found; in a session of his own he would search for more.
    """
    if not viewer.may("session", session, "owner"):
        viewer.docs([name for name in sessions.places_of(session) if name != f"{SESSION}{session}"])


def _forget_unless_there(sessions: SessionThread, viewer: Viewer, identity: str) -> None:
    try:
        sessions.row(identity)
    except SessionUnknown:
        viewer.forget("session", identity)
