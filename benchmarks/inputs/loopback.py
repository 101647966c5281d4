"""The model and the web that a benchmark runs against, in a process of their own.

    python -m benchmarks.inputs.loopback '{"latency": 0.3, …}'

writes one line of JSON with the addresses, serves until its standard input closes, then writes what it
counted.
"""

import asyncio
import json
import re
import subprocess
import sys
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Self

from agents import AgentSettings
from benchmarks.inputs.slow_web import SlowWeb
from tests.model_answers import Filler
from tests.model_server import Asked, ModelServer

_ROOT = Path(__file__).resolve().parents[2]


@dataclass(frozen=True, slots=True)
class Delays:
    """How slow everything is, and how experts behave."""

    latency: float = 0.3
    """Seconds before a model's answer."""
    per_token: float = 0.0
    """Seconds more for each token of it."""
    search: float = 0.2
    page: float = 0.1
    twice: bool = False
    """Experts always search a second time before they answer."""
    pages: int = 120
    """Of the web: a long session runs out of few."""
    edition: int = 0
    """Of the web's texts: a session after another one knows none of them."""
    keep: bool = False
    """Give back every prompt."""


NONE = Delays(0.0, 0.0, 0.0, 0.0)


class Loopback:
    """A model server and a web in a child process; `counted` is there when it has ended."""

    def __init__(self, delays: Delays) -> None:
        self.delays = delays
        self.model = self.engine = ""
        self.hosts: list[str] = []
        self.counted: dict[str, Any] = {}

    def __enter__(self) -> Self:
        command = [sys.executable, "-m", "benchmarks.inputs.loopback", json.dumps(asdict(self.delays))]
        self._child = subprocess.Popen(
            command, cwd=_ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        assert self._child.stdout is not None
        said = json.loads(self._child.stdout.readline())
        self.model, self.engine, self.hosts = said["model"], said["engine"], said["hosts"]
        return self

    def __exit__(self, *_error: object) -> None:
        said, _ = self._child.communicate()
        self.counted = json.loads(said)

    def flags(self, turns: int) -> dict[str, Any]:
        """Return the settings of a session of so many turns against this."""
        return {
            "search": ["searxng"],
            "models": {"model": "openai:test-model", "base_url": self.model},
            "moderator": {"turns": turns, "warm_rounds": 2, "dry_answers": 1000},
            "library": {
                "fetch": {"allow": self.hosts},
                "search": {"addresses": {"searxng": self.engine}},
            },
        }


def _schema_tokens(asked: Asked) -> int:
    return len(json.dumps(asked.body.get("response_format"))) // 4


def shared_prefix(asked: list[Asked]) -> dict[str, list[int]]:
    """Return, by system prompt: requests, characters, and characters shared with an earlier request.

    A provider's prompt cache needs not take again what a prompt has in common with an earlier one.
    """
    found: dict[str, list[int]] = {}
    before: dict[str, list[str]] = {}
    for request in asked:
        prompt, key = request.prompt, str(request.messages[0]["content"])[:60]
        shared = max((_common(prompt, other) for other in before.get(key, [])[-8:]), default=0)
        before.setdefault(key, []).append(prompt)
        sums = found.setdefault(key, [0, 0, 0])
        sums[0], sums[1], sums[2] = sums[0] + 1, sums[1] + len(prompt), sums[2] + shared
    return found


def _common(first: str, second: str) -> int:
    low, high = 0, min(len(first), len(second))
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if first[:middle] == second[:middle] else (low, middle - 1)
    return low


def _asks(filler: Filler) -> list[str]:
    """Raise one question each in the first round of the warm start; from then on the moderator asks."""
    if "<discussion>" in filler.prompt:
        return []
    words = " ".join(str(filler.next("asked", filler.words[5:])) for _ in range(3))
    return [f"What is known about {words}?"]


_FIRST = f"Rounds of acting left: {AgentSettings().rounds - 1}"
"""What the first prompt of a turn says: its first round has searched already."""


def _acts(filler: Filler) -> list[dict[str, Any]]:
    """Search once more in the first round that a model is asked about."""
    if _FIRST not in filler.prompt:
        return []
    query = " ".join(str(filler.next("word", filler.words)) for _ in range(4))
    return [{"kind": "search", "query": query, "where": [], "url": ""}]


def _answers(filler: Filler) -> str:
    """Answer when there is no more to search."""
    acts = _FIRST in filler.prompt
    return "" if acts else " ".join(filler.cited() for _ in range(filler.count))


def _outline(filler: Filler) -> list[dict[str, Any]]:
    """Plan four sections of the passages that answers rest on, which the prompt marks with a star."""
    ids = list(dict.fromkeys(re.findall(r"^(p\d+)\*", filler.prompt, re.MULTILINE)))
    size = max(1, -(-len(ids) // 4))
    return [
        {"heading": f"Part {n // size + 1} of it", "purpose": "", "words": 250, "passages": ids[n : n + size]}
        for n in range(0, len(ids), size)
    ]


def _sections(filler: Filler) -> list[dict[str, Any]]:
    """Write sections, four sentences each, from their own passages."""
    parts = re.split(r'^Section n="(\d+)":', filler.prompt, flags=re.MULTILINE)
    return [
        {"n": int(number), "opening": "", "paragraphs": _paragraphs(Filler(text)), "tables": []}
        for number, text in zip(parts[1::2], parts[2::2], strict=True)
    ]


def _paragraphs(filler: Filler) -> list[str]:
    return [" ".join(filler.cited() for _ in range(4))]


async def _serve(delays: Delays) -> None:
    values: dict[str, Any] = {"sections": _sections, "paragraphs": _paragraphs, "tables": [], "ask": _asks,
                              "outline": _outline}
    if delays.twice:
        values |= {"actions": _acts, "answer": _answers}
    server = ModelServer(latency=delays.latency, per_token=delays.per_token, values=values)
    with server:
        made = {"pages": delays.pages, "edition": delays.edition}
        async with SlowWeb(search=delays.search, page_delay=delays.page, **made) as web:
            print(json.dumps({"model": server.url, "engine": web.engine, "hosts": web.hosts}), flush=True)
            await asyncio.to_thread(sys.stdin.read)
            counted = {
                "requests": server.requests,
                "other_requests": server.other_requests,
                "most_in_flight": server.most_in_flight,
                "prompt_tokens": server.prompt_tokens,
                "completion_tokens": server.completion_tokens,
                "searches": web.searches,
                "pages": web.pages_sent,
                "robots": web.robots,
                "schema_tokens": sum(map(_schema_tokens, server.asked)),
                "prefix": shared_prefix(server.asked),
                "prompts": [request.prompt for request in server.asked] if delays.keep else [],
            }
    print(json.dumps(counted), flush=True)


if __name__ == "__main__":
    asyncio.run(_serve(Delays(**json.loads(sys.argv[1]))))
