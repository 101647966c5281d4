"""One process at a time runs a session: a lock that dies with the process that holds it.

`fcntl.lockf` and not `flock`: a `flock` is inherited by forked workers and would outlive its owner in them.
A `lockf` lock is the process's own, which has two consequences: a second lock in the same process would
succeed, so what this process holds is kept in `_HELD`; and closing any handle on the file gives the lock up,
so a file that this process holds is never opened again.
"""

import contextlib
import errno
import fcntl
import os
import threading
import time
from collections.abc import Iterator
from pathlib import Path

from roundtable.config.errors import JournalError, SessionLocked

_HELD: set[Path] = set()
_ONE_AT_A_TIME = threading.Lock()
"""Between a look at `_HELD` and the closing of a handle, no other thread of this process takes the lock."""
_ATTEMPTS, _PAUSE = 5, 0.02
"""`is_held` holds a free lock for an instant; whoever meets it there tries again."""


@contextlib.contextmanager
def hold(path: Path, what: str) -> Iterator[None]:
    """Hold the lock at a path for as long as the block runs.

    Raises:
        SessionLocked: a process, this one included, holds it already; the message has its pid.
        JournalError: the file cannot be made.
    """
    path = path.absolute()
    with _ONE_AT_A_TIME:
        handle = _taken(path, what)
    try:
        yield
    finally:
        with _ONE_AT_A_TIME:
            _HELD.discard(path)
            os.close(handle)


def _taken(path: Path, what: str) -> int:
    if path in _HELD:
        raise _locked(what, str(os.getpid()))
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        handle = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    except OSError as failure:
        raise JournalError(f"cannot lock {what}: {failure.strerror}: {path}") from failure
    try:
        _acquire(handle, path, what)
        os.ftruncate(handle, 0)
        os.pwrite(handle, str(os.getpid()).encode(), 0)
    except OSError as failure:
        os.close(handle)
        raise JournalError(f"cannot lock {what}: {failure.strerror}: {path}") from failure
    except BaseException:
        os.close(handle)
        raise
    _HELD.add(path)
    return handle


def is_held(path: Path) -> bool:
    """Tell whether any process holds the lock at a path."""
    path = path.absolute()
    if path in _HELD:
        return True
    with _ONE_AT_A_TIME:
        return path in _HELD or _held_elsewhere(path)


def _held_elsewhere(path: Path) -> bool:
    try:
        handle = os.open(path, os.O_RDWR | os.O_CLOEXEC)
    except OSError as failure:
        # Nobody has ever locked it, or nobody here may; where no file can be opened, nobody can tell.
        return failure.errno in (errno.EMFILE, errno.ENFILE)
    try:
        fcntl.lockf(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return True
    else:
        return False
    finally:
        os.close(handle)


def _acquire(handle: int, path: Path, what: str) -> None:
    for attempt in range(_ATTEMPTS):
        try:
            fcntl.lockf(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            if attempt == _ATTEMPTS - 1:
                raise _locked(what, path.read_text(errors="replace").strip()) from None
            time.sleep(_PAUSE)
        else:
            return


def _locked(what: str, pid: str) -> SessionLocked:
    owner = f"process {pid}" if pid.isdecimal() else "another process"
    return SessionLocked(f"{what} is being run by {owner}: wait for it, or stop it first")
