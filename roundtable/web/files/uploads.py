"""Files that a person gives a session to read, from the page: kept in the home folder, under a plain name."""

import contextlib
import re
import secrets
from collections.abc import AsyncIterable
from pathlib import Path, PurePosixPath

from roundtable.config.errors import InputError

MOST_UPLOADED = 50_000_000
"""Bytes of one file."""
_PLAIN = re.compile(r"[^\w.() -]+")


def plain_name(name: str) -> str:
    """Return a file's name without a path or anything that a file system could take for more than a name."""
    last = PurePosixPath(name.replace("\\", "/")).name
    cleaned = _PLAIN.sub("_", last).strip(". ")
    stem, dot, ending = cleaned.rpartition(".")
    if not dot:
        return cleaned[:80] or "file"
    return f"{stem[:80] or 'file'}.{ending[:10]}"


async def keep_upload(folder: Path, name: str, data: AsyncIterable[bytes]) -> Path:
    """Keep a file in a folder of its own; return where.

    Raises:
        InputError: it is empty, too large, or cannot be kept.
    """
    return await keep_at(folder / secrets.token_hex(6) / plain_name(name), data)


async def keep_at(path: Path, data: AsyncIterable[bytes]) -> Path:
    """Keep a file at a place, instead of what was there, once all of it has come.

    Raises:
        InputError: as `keep_upload`.
        ClientDisconnect: whoever sent it left in the middle.
    """
    size, beside = 0, path.with_name(f".{secrets.token_hex(6)}")
    try:
        path.parent.mkdir(parents=True, mode=0o700, exist_ok=True)
        with beside.open("wb") as file:
            async for piece in data:
                size += len(piece)
                if size > MOST_UPLOADED:
                    break
                file.write(piece)
        if 0 < size <= MOST_UPLOADED:
            return beside.replace(path)
    except OSError as failure:
        raise InputError(f"cannot keep {path.name}: {failure.strerror or failure}") from failure
    finally:
        _let_go(beside)
    most = MOST_UPLOADED // 1_000_000
    raise InputError(f"{path.name} is too large: at most {most} MB" if size else f"{path.name} is empty")


def _let_go(beside: Path) -> None:
    """Remove what did not come to its place, and its folder unless that holds other files."""
    with contextlib.suppress(OSError):
        beside.unlink(missing_ok=True)
        beside.parent.rmdir()
