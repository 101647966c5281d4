"""A client of the protocol's own SDK goes from a topic to a cited report, and back into the discussion."""

import asyncio
import json
import re
import sys
from collections.abc import AsyncIterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from pathlib import Path
from time import monotonic
from typing import Any

import httpx2
import pytest
from mcp import Client, StdioServerParameters
from mcp.client.streamable_http import streamable_http_client

from roundtable.journal.clock import SystemClock
from roundtable.journal.storage.journal_store import Journal
from tests.web.conftest import ROOT, Server, environment

pytestmark = [pytest.mark.loopback, pytest.mark.slow]


def by_stdio(home: Path, *flags: str) -> Client:
    command = [sys.executable, "-m", "roundtable", "mcp", *flags]
    return Client(
        StdioServerParameters(command=command[0], args=command[1:], env=environment(home), cwd=ROOT)
    )


@asynccontextmanager
async def by_http(server: Server, mode: str = "auto") -> AsyncIterator[Client]:
    headers = {"Authorization": f"Bearer {server.bearer}"}
    async with httpx2.AsyncClient(headers=headers, timeout=300, trust_env=False) as http:
        transport = streamable_http_client(f"{server.base}/mcp", http_client=http)
        async with Client(transport, mode=mode) as client:
            yield client


async def call(client: Client, tool: str, **given: Any) -> Any:
    told = await client.call_tool(tool, given)
    assert not told.is_error, told.content
    return told.structured_content.get("result", told.structured_content) if told.structured_content else None


async def refused(client: Client, tool: str, **given: Any) -> str:
    told = await client.call_tool(tool, given)
    assert told.is_error, told.content
    return told.content[0].text


async def to_the_end(client: Client, session: str, after: int = 0) -> list[dict[str, Any]]:
    turns: list[dict[str, Any]] = []
    until = monotonic() + 300
    while monotonic() < until:
        told = await call(client, "follow", session=session, after=after, seconds=20)
        turns += told["turns"]
        after = told["next"]
        if told["state"] == "ended" and not told["turns"]:
            return turns
        assert told["state"] in {"running", "ended"}, told
    raise AssertionError("the session did not end")


@pytest.fixture(params=["stdio", "http", "http of before 2026"])
def connected(request: pytest.FixtureRequest, home: Path) -> AbstractAsyncContextManager[Client]:
    """A client, to be entered in the test's own task."""
    if request.param == "stdio":
        return by_stdio(home)
    mode = "legacy" if "before" in request.param else "auto"
    return by_http(request.getfixturevalue("server"), mode)


async def test_from_a_topic_to_a_cited_report_and_back_into_the_discussion(
    connected: AbstractAsyncContextManager[Client],
):
    async with connected as client:
        tools = {tool.name for tool in (await client.list_tools()).tools}
        assert tools >= {
            "start",
            "follow",
            "say",
            "steer",
            "report",
            "map",
            "sources",
            "passage",
            "sessions",
            "search",
        }
        found = await call(client, "search", query="heavy rain on sealed ground", docs=["floods"])
        assert found["collections"] == ["python", "floods"]
        assert found["found"][0]["text"]

        began = monotonic()
        session = (await call(client, "start", topic="Why do cities flood?", docs=["floods"], turns=3))[
            "session"
        ]
        assert monotonic() - began < 5
        told: list[tuple[float, str | None]] = []

        async def progress(done: float, total: float | None, message: str | None) -> None:
            told.append((done, message))

        await client.call_tool("follow", {"session": session, "seconds": 5}, progress_callback=progress)
        turns = await to_the_end(client, session)
        assert told
        assert len(turns) >= 3
        cited = next(iter({p: url for turn in turns for p, url in turn["cited"].items()}))
        passage = await call(client, "passage", session=session, passage=f"[{cited}]")
        assert passage["text"]

        report = await call(client, "report", session=session)
        assert re.search(r"\[\d+\\?\]", report)
        sentences = [
            sentence
            for section in json.loads(await call(client, "report", session=session, form="json"))["sections"]
            for sentence in section["sentences"]
        ]
        sources = (await call(client, "sources", session=session))["sources"]
        held = {passage for source in sources for passage in source["passages"]}
        assert sentences
        assert all(set(s["citations"]) <= held for s in sentences)
        assert (await call(client, "map", session=session)).startswith("#")

        resources = {str(resource.uri) for resource in (await client.list_resources()).resources}
        address = f"roundtable://sessions/{session}/report.md"
        assert address in resources
        read = await client.read_resource(address)
        assert read.contents[0].text == report

        # Told now, nobody would hear it before somebody speaks: the answer says so.
        late = await call(client, "steer", session=session, text="stay on pumps")
        assert late.startswith("noted, but the discussion is over: call go_on")
        await call(client, "say", session=session, text="What do pumps need?")
        more = await to_the_end(client, session, after=max(turn["n"] for turn in turns))
        assert [turn["role"] for turn in more][0] == "person"
        assert any(turn["role"] == "expert" for turn in more)
        assert (await call(client, "report", session=session)) != report


async def test_what_cannot_be_done_is_said_in_words_that_say_what_to_do(
    connected: AbstractAsyncContextManager[Client], documents: Path
):
    async with connected as client:
        said = await refused(client, "start", topic="Floods", docs=[str(documents)])
        assert "only named collections may be searched here (python, floods)" in said
        assert "roundtable docs add" in said
        assert "only named collections" in await refused(client, "search", query="x", docs=["/etc"])
        assert "topic" in await refused(client, "start", topic="  ")
        soon = await refused(client, "start", topic="x", since="soon")
        assert "since: give a date as 2024" in soon
        assert "library." not in soon
        assert "there is no such place" in await refused(client, "start", topic="x", search=["wikpedia"])
        assert "no session" in await refused(client, "follow", session="nothing")
        misnamed = await refused(client, "start", topic="Why do cities flood?", documents=["floods"])
        assert misnamed.startswith("documents: start takes no such argument; it takes topic, docs, ")
        assert (await refused(client, "start", topic="x", experts=99)).splitlines() == [
            "experts: input should be less than or equal to 8"
        ]
        assert "docs: " in await refused(client, "start", topic="x", docs="floods")
        assert await call(client, "sessions") == {"sessions": []}
        session = (await call(client, "start", topic="Why do cities flood?", docs=["floods"], turns=8))[
            "session"
        ]
        assert "there is no report yet" in await refused(client, "report", session=session)
        assert "holds no passage p9999" in await refused(client, "passage", session=session, passage="p9999")
        steered = await call(client, "steer", session=session, text="stay on drains")
        assert steered == "steered; the turns from now on follow it"
        began = monotonic()
        await call(client, "follow", session=session, after=500, seconds=1)
        assert monotonic() - began < 5
        await call(client, "stop", session=session)
        await to_the_end(client, session)


async def test_a_client_that_vanishes_leaves_the_session_running(home: Path, server: Server):
    async with by_http(server) as client:
        session = (await call(client, "start", topic="Why do cities flood?", docs=["floods"], turns=6))[
            "session"
        ]
    async with by_http(server) as another:
        assert await to_the_end(another, session)


async def test_what_runs_when_its_assistant_leaves_goes_on_in_a_process_of_its_own(home: Path):
    async with by_stdio(home) as client:
        session = (await call(client, "start", topic="Why do cities flood?", docs=["floods"], turns=8))[
            "session"
        ]
        await call(client, "follow", session=session, seconds=10)
    state = ""
    for _ in range(240):
        with Journal(home / "journal.db", SystemClock()) as journal:
            state = journal.session(session).state
        if state == "ended":
            break
        await asyncio.sleep(0.25)
    assert state == "ended"
    async with by_stdio(home) as client:
        assert re.search(r"\[\d+\\?\]", await call(client, "report", session=session))


async def test_any_folder_may_be_searched_when_the_server_was_told_so(home: Path, documents: Path):
    async with by_stdio(home, "--any-docs") as client:
        started = await call(client, "start", topic="Why do cities flood?", docs=[str(documents)], turns=2)
        assert await to_the_end(client, started["session"])


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({}, 401),
        ({"Authorization": "Bearer wrong"}, 401),
        ({"Host": "evil.test"}, 421),
        ({"Origin": "http://evil.test"}, 403),
    ],
)
def test_the_guard_stands_before_the_protocol_too(standing: Server, headers: dict[str, str], status: int):
    if "Authorization" not in headers and headers:
        headers = {**headers, "Authorization": f"Bearer {standing.bearer}"}
    asked = {"jsonrpc": "2.0", "id": 1, "method": "tools/list"}
    sent = {"Content-Type": "application/json", "Accept": "application/json, text/event-stream", **headers}
    assert standing.request("POST", "/mcp", asked, sent)[0] == status
    assert standing.request("DELETE", "/mcp", None, headers)[0] == status
