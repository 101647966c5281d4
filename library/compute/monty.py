"""Computing with figures in a closed interpreter: no file, no network, bounded time, memory and output.

The interpreter is Monty (the extra `compute`): Python written anew, in a process of its own, that has no way
to the outside unless it is given one, and it is given none. Its clock stands still and its chance is seeded,
so that the same code gives the same result. What this does not cover: a fault of the interpreter itself,
which the process confines to the rights of the user.
"""

import ast
import asyncio
import re
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from importlib.util import find_spec
from typing import Protocol

from pydantic import Field

from library.errors import LibraryError
from library.evidence import COMPUTATION, Passage, Source, fingerprint
from models import Frozen

LONGEST_RESULT = 2_000
_PLAIN = {*range(13), 24, 30, 31, 52, 60, 100, 360, 365, 366, 1000, 3600, 10_000, 100_000, 1_000_000, 10**9}
"""Numbers of arithmetic and the calendar: they need no passage."""
_NUMBER = re.compile(r"\d+(?:[.,\u00a0\u202f]\d+)*")


class ComputeError(LibraryError):
    """A computation gave no result."""


class ComputeSettings(Frozen):
    """Bounds of one computation."""

    seconds: float = Field(2.0, gt=0, le=60)
    """Of computing time."""
    megabytes: int = Field(64, ge=8, le=1024)
    """Of memory."""
    docker: str | None = None
    """A Docker image with Python to compute in, by AutoGen's executor; None: in the closed interpreter."""


@dataclass(frozen=True, slots=True)
class Result:
    """What a computation gave."""

    value: str
    """The value of its last line, empty when that has none."""
    printed: str


class Sandbox(Protocol):
    """Runs Python that a model wrote."""

    async def run(self, code: str) -> Result:
        """Run code. Raises ComputeError, which says in one line why there is no result."""


def available() -> bool:
    """Tell whether the interpreter is installed."""
    return find_spec("pydantic_monty") is not None


class MontySandbox:
    """Runs Python in Monty."""

    def __init__(self, settings: ComputeSettings) -> None:
        self._settings = settings

    async def run(self, code: str) -> Result:
        """Run code in a fresh interpreter; see `Sandbox`."""
        return await asyncio.to_thread(self._run, code)

    def _run(self, code: str) -> Result:
        from pydantic_monty import CollectString, Monty, MontyError

        seconds = self._settings.seconds
        printed = CollectString(8 * LONGEST_RESULT)
        try:
            with (
                Monty(request_timeout=2 * seconds + 5, max_processes=1) as pool,
                pool.checkout(
                    limits={
                        "max_feed_duration_secs": seconds,
                        "max_memory": self._settings.megabytes * 1_000_000,
                        "max_recursion_depth": 200,
                        "max_suspensions": 50,
                        "max_total_sleep_secs": 0.0,
                    },
                    os_policy={
                        "datetime": datetime(2000, 1, 1, tzinfo=UTC), "sleep": "zero",
                        "random_start": {"seed": 0},
                    },
                ) as session,
            ):  # fmt: skip
                value = session.feed_run(code, print_callback=printed)
                shown = "" if value is None else str(value)
        except (MontyError, OSError, ValueError, TimeoutError) as error:
            reason = " ".join(str(error).split())[:300]
            raise ComputeError(f"{reason or type(error).__name__}") from error
        result = Result(shown[:LONGEST_RESULT], printed.output[:LONGEST_RESULT].strip())
        if not (result.value or result.printed):
            raise ComputeError("there is no result: the last line must be the value, or print it")
        return result


def strange_numbers(code: str, passages: Sequence[Passage]) -> list[str]:
    """Return the numbers of the code that stand in none of the passages, beyond those of plain arithmetic."""
    try:
        tree = ast.parse(code)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return []
    written = {_plain(number) for passage in passages for number in _NUMBER.findall(passage.text)}
    strange: dict[str, None] = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and type(node.value) in {int, float} and node.value not in _PLAIN:
            shown = ast.get_source_segment(code, node) or ""
            if not {_plain(shown), *_digits(node.value)} & written:
                strange[shown] = None
    return list(strange)


def source_of(code: str, what: str, result: Result, passages: Sequence[Passage], now: str) -> Source:
    """Return a computation as a source: its result, the passages behind it, and its code."""
    given = [text for text in (result.printed, result.value) if text]
    strange = strange_numbers(code, passages)
    lines = [
        f"Computed: {what}" if what else "Computed.",
        f"Result: {'; '.join(' '.join(text.split()) for text in given)}",
        "Numbers from: " + "; ".join(f"{p.id} ({p.title or p.url})" for p in passages) + ".",
    ]
    if strange:
        lines.append(f"Numbers that stand in none of these: {', '.join(strange[:20])}.")
    text = "\n".join(lines) + f"\n\nPython code:\n\n{code}\n"
    digest = fingerprint(text)
    return Source(
        sha256=digest,
        url=f"{COMPUTATION}:{digest[:16]}",
        title=what or "Computation",
        text=text,
        published=None,
        retrieved=now,
        private=any(p.private for p in passages),
    )


def _digits(number: object) -> Iterator[str]:
    """Yield a number as it is compared; nothing of one that has more digits than are ever written out."""
    with suppress(ValueError):
        yield _plain(str(number))


def _plain(number: str) -> str:
    """Return a number's digits as they are compared: `1,234.50` is `1234.5`."""
    digits = re.sub(r"[,_\u00a0\u202f](?=\d{3}(?!\d))", "", number).replace(",", ".")
    return digits.rstrip("0").rstrip(".") if "." in digits else digits
