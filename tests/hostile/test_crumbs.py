"""Bodies that are sent a byte at a time: whoever else runs on the loop has their turn meanwhile."""

import asyncio
import re
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from pathlib import Path

import httpx2
import pytest

from library.search.tool_servers.mcp_transport import Bound, _Counted
from library.web.fetch_settings import FetchSettings
from library.web.fetcher import Fetcher
from library.web.guarded_transport import GuardedTransport
from library.web.json_api import Faults, Service
from models.client.error_classes import Address
from models.client.reply_transport import Bounded, CarefulClient
from roundtable.web.sign_in.issuer_requests import _answer

ROOT = Path(__file__).parents[2]
ROOMS = ("agents", "library", "mindmap", "models", "moderator", "reports", "roundtable")
PLACE = "127.0.0.1:9"
PARTS = 4_000


class Crumbs(httpx2.AsyncByteStream):
    """What has arrived already: a byte a part."""

    async def __aiter__(self) -> AsyncIterator[bytes]:
        for _ in range(PARTS):
            yield b"1"


async def crumbs(*_: object) -> httpx2.Response:
    return httpx2.Response(200, headers={"Content-Type": "text/plain"}, stream=Crumbs())


async def of_a_page() -> int:
    settings = FetchSettings(allow=(PLACE,), robots=False, pause=0, cache=False)
    async with Fetcher(settings) as fetcher:
        return len((await fetcher.fetch(f"http://{PLACE}/")).data)


async def of_a_service() -> int:
    faults = Faults("is late in", "fails", "a number")
    service = Service(f"http://{PLACE}/", key="", allow=(PLACE,), seconds=60, largest=10**6, faults=faults)
    try:
        return len(str(await service.ask(None, lambda told: told)))
    finally:
        await service.close()


async def of_a_tool_server() -> int:
    return len([part async for part in _Counted(Crumbs(), Bound(10**6))])


ADDRESS = Address("m", "m", f"http://{PLACE}", "")


async def of_a_model() -> int:
    async with CarefulClient(ADDRESS, timeout=60, connections=1, trust_env=False) as client:
        return len(await client._read(await crumbs()))


async def of_a_model_that_streams() -> int:
    return len([part async for part in Bounded(Crumbs(), ADDRESS, 10**6)])


async def of_an_issuer() -> int:
    return len((await _answer("GET", f"http://{PLACE}/", None, None))[1])


WAYS: Mapping[str, Callable[[], Awaitable[int]]] = {
    one.__name__: one
    for one in (
        of_a_page, of_a_service, of_a_tool_server, of_a_model, of_a_model_that_streams, of_an_issuer,
    )
}  # fmt: skip


@pytest.mark.parametrize("way", WAYS)
async def test_others_have_their_turn(way: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(GuardedTransport, "handle_async_request", crumbs)
    monkeypatch.setattr(httpx2.AsyncHTTPTransport, "handle_async_request", crumbs)
    turns = 0

    async def others() -> None:
        nonlocal turns
        while True:
            turns += 1
            await asyncio.sleep(0)

    at_work = asyncio.create_task(others())
    assert await WAYS[way]() == PARTS
    at_work.cancel()
    assert turns >= PARTS / 100


def test_no_body_is_read_otherwise() -> None:
    """Also where one is read later on."""
    reads = re.compile(r"async for .*\.aiter_(?:raw|bytes|text|lines)\(")
    for path in (one for room in ROOMS for one in (ROOT / room).rglob("*.py")):
        if "node_modules" not in path.parts:
            for line in path.read_text(encoding="utf-8").splitlines():
                assert not reads.search(line) or "in_turns(" in line, (path, line)
