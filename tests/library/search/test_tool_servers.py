"""Servers of the Model Context Protocol as places to search: the SDK's own, over both transports."""

import asyncio
import json
import socket
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from typing import Any

import pytest

from library import FetchError, Library, LibrarySettings, ReadError, SearchError, open_library
from library.search import McpServer, SearchScope
from library.search.search_settings import SearchSettings

pytestmark = pytest.mark.slow

HERE = Path(__file__).resolve().parents[2]
NOTES = HERE / "tool_servers" / "notes.py"
HOSTILE = HERE / "tool_servers" / "hostile.py"
KEPT = "key-of-another-service-5678"


async def opened(home: Path, server: McpServer, *, offline: bool = False, **settings: Any) -> Library:
    return await open_library(
        LibrarySettings(**settings), [], ["notes"], offline=offline, home=home, servers={"notes": server},
        environment={"NOTES_KEY": "notes-key-1234-abcd", "OPENAI_API_KEY": KEPT, "PATH": "/usr/bin:/bin"},
    )  # fmt: skip


def by_command(**given: Any) -> McpServer:
    return McpServer(command=(sys.executable, str(NOTES)), **{"search": "search_notes", **given})


@pytest.fixture
def port() -> Iterator[int]:
    """The port of a server over HTTP."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        number = free.getsockname()[1]
    process = subprocess.Popen(
        [sys.executable, str(NOTES), str(number)], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    try:
        for _ in range(600):
            with socket.socket() as asked:
                if asked.connect_ex(("127.0.0.1", number)) == 0:
                    break
            assert process.poll() is None
            asyncio.run(asyncio.sleep(0.05))
        yield number
    finally:
        process.terminate()
        process.wait(120)


async def test_what_a_tool_finds_is_read_by_another_and_archived(tmp_path: Path):
    async with await opened(tmp_path, by_command(read="fetch_note", private=False)) as library:
        hits = await library.search("celsius boiler", "notes", 5)
        assert [(hit.url, hit.title) for hit in hits] == [
            ("mcp:notes/12", "Heat pumps in the cold"),
            ("mcp:notes/a%20b/%C3%BC", "Old boilers"),
        ]
        assert hits[0].snippet.startswith("An air source heat pump")
        source = await library.read(hits[1].url, hits)
        # The page that the server says it is from is not where it was read.
        assert (source.url, source.title, source.private) == (hits[1].url, "Old boilers", False)
        assert "21,000 kilowatt hours" in source.text
        assert library.source(source.sha256) == source
        assert [p.text for p in library.passages(source.sha256)] == [source.text]
        with pytest.raises(ReadError, match=r"mcp:notes/99: notes fetch_note failed: .*no note 99"):
            await library.read("mcp:notes/99")
        assert [hit.title for hit in await library.search("boiler", "notes", 5)] == ["Old boilers"]


async def test_what_is_read_as_text_alone_is_called_as_it_was_found(tmp_path: Path) -> None:
    async with await opened(tmp_path, by_command(read="note_text")) as library:
        hits = await library.search("celsius boiler", "notes", 5)
        assert [(await library.read(hit.url, hits)).title for hit in hits] == [hit.title for hit in hits]


@pytest.mark.loopback
async def test_the_same_over_http(tmp_path: Path, port: int):
    server = McpServer(url=f"http://127.0.0.1:{port}/mcp", search="search_notes", read="fetch_note")
    async with await opened(tmp_path, server) as library:
        (hit,) = await library.search("boiler", "notes", 5)
        source = await library.read(hit.url, [hit])
        assert source.private
        assert "21,000" in source.text
        with pytest.raises(
            FetchError, match="port"
        ):  # only the server may be asked there: no page is fetched
            await library.read(f"http://127.0.0.1:{port}/mcp")


async def test_a_text_without_address_is_a_source_as_it_came(tmp_path: Path):
    async with await opened(tmp_path, by_command(search="search_text", local=True), offline=True) as library:
        hits = await library.search("cold trial", "notes", 5)
        assert hits[0].passage is not None
        source = library.source(hits[0].passage.sha256)
        assert source.title == "Heat pumps in the cold"
        assert source.text[hits[0].passage.start : hits[0].passage.end] == hits[0].passage.text
        assert source.private
        assert hits[0].url.startswith("mcp:notes/search_text?cold%20trial")


@pytest.mark.parametrize(
    ("given", "line"),
    [
        ({"search": "serch_notes"}, "notes has no tool serch_notes; did you mean search_notes"),
        ({"search": "two_texts"}, r"say by mcp\.notes\.argument what two_texts is asked by: subject, place"),
    ],
)
async def test_a_wrong_name_is_told_with_what_there_is(tmp_path: Path, given: dict[str, Any], line: str):
    async with await opened(tmp_path, by_command(**given)) as library:
        with pytest.raises(SearchError, match=line):
            await library.search("pumps", "notes", 5)


async def test_what_else_a_tool_is_given_stands_in_the_settings(tmp_path: Path):
    server = by_command(search="two_texts", argument="subject", arguments={"place": "Asterby"})
    async with await opened(tmp_path, server) as library:
        (hit,) = await library.search("pumps", "notes", 5)
        assert hit.passage is not None
        assert hit.passage.text == "pumps at Asterby"


async def test_a_program_is_given_the_keys_that_are_named_and_no_other(tmp_path: Path):
    server = by_command(read="fetch_note", environment=("NOTES_KEY",))
    async with await opened(tmp_path, server) as library:
        given = json.loads((await library.read("mcp:notes/environment")).text)
    # What Python sets by itself apart.
    assert set(given) - {"LC_CTYPE"} == {"NOTES_KEY", "PATH"}


@pytest.mark.parametrize(
    ("server", "line"),
    [
        ({"command": ("no-such-program",)}, "notes cannot be started: there is no program no-such-program"),
        ({"command": (sys.executable, "-c", "raise SystemExit('no licence')")}, "notes ended: … no licence"),
    ],
)
async def test_a_program_that_does_not_run(tmp_path: Path, server: dict[str, Any], line: str):
    async with await opened(tmp_path, McpServer(search="x", **server)) as library:
        with pytest.raises(SearchError, match=line):
            await library.search("pumps", "notes", 5)


@pytest.mark.parametrize(
    ("given", "line"),
    [
        ({"command": ("x",), "environment": ("NO_KEY",)}, "the variable NO_KEY is not set"),
        ({"url": "http://10.0.0.7:9/mcp"}, r"mcp\.notes\.url: port 9 is not open.*fetch\.allow"),
        ({"url": "ftp://x.example/mcp"}, r"mcp\.notes\.url: only http and https"),
    ],
)
async def test_what_cannot_be_asked_is_refused_before_a_session_begins(
    tmp_path: Path, given: dict[str, Any], line: str
):
    with pytest.raises(SearchError, match=line):
        await opened(tmp_path, McpServer(search="x", **given))


async def test_a_private_address_is_not_asked(tmp_path: Path):
    server = McpServer(url="http://10.0.0.7/mcp", search="x")
    async with await opened(tmp_path, server) as library:
        with pytest.raises(SearchError, match="notes failed: .*10.0.0.7 is not fetched: .* private"):
            await library.search("pumps", "notes", 5)


async def test_a_scope_of_sites_leaves_a_server_out_unless_it_is_local(tmp_path: Path):
    scope = SearchSettings(scope=SearchScope(sites=("example.org",)))
    for local, count in ((False, 0), (True, 1)):
        server = by_command(read="fetch_note", local=local)
        async with await opened(tmp_path, server, search=scope) as library:
            hits = await library.search("boiler", "notes", 5)
            assert len(hits) == count
            if local:
                assert (await library.read(hits[0].url, hits)).title == "Old boilers"
            else:
                with pytest.raises(ReadError, match="outside what this session may use"):
                    await library.read("mcp:notes/12")


# Hostile servers


def hostile(mode: str, **given: Any) -> McpServer:
    return McpServer(
        command=(sys.executable, str(HOSTILE), mode), environment=("HEARD", "LURE"), search="search",
        **{"seconds": 20, **given},
    )  # fmt: skip


async def asked(tmp_path: Path, server: McpServer, *words: str, lure: str = "x", **settings: Any) -> Any:
    """Search; return the hits, or what was raised."""
    heard = tmp_path / "heard"
    library = await open_library(
        LibrarySettings(**settings), [], ["notes"], offline=False, home=tmp_path, servers={"notes": server},
        environment={"HEARD": str(heard), "LURE": lure, "OPENAI_API_KEY": KEPT, "PATH": "/usr/bin:/bin"},
    )  # fmt: skip
    async with library:
        for query in words or ("dike",):
            try:
                hits = await library.search(query, "notes", 5)
            except SearchError as failure:
                hits = failure
        told: list[str] = []
        for hit in hits if isinstance(hits, list) else ():
            if hit.passage is None:
                try:
                    told.append((await library.read(hit.url, hits)).text)
                except (FetchError, ReadError) as failure:
                    told.append(str(failure))
        return hits, told, [json.loads(line) for line in heard.read_text().splitlines()]


@pytest.mark.parametrize(
    ("mode", "line"),
    [
        ("large", "notes sent more than 5 MB"),
        ("endless", "notes sent more than 5 MB"),
        ("no line end", "notes sent more than 5 MB"),
        ("silent", "notes gave no answer in 3 s"),
        ("slow drip", "notes gave no answer in 3 s"),
        ("lists for ever", ""),
        ("dies", "notes ended: … no licence"),
        ("nonsense", "notes failed: "),
        ("not base64", "notes search: the file f://1 is not base64"),
    ],
)
async def test_a_server_that_does_not_behave_costs_one_search(tmp_path: Path, mode: str, line: str):
    seconds = 3 if "no answer" in line else 20
    failure, _, _ = await asked(tmp_path, hostile(mode, seconds=seconds))
    if not line:  # a list without an end is looked at for some pages, and the search goes on
        assert [hit.title for hit in failure] == ["Asterby"]
        return
    assert isinstance(failure, SearchError)
    assert line in str(failure)
    assert len(str(failure)) < 400
    assert "\n" not in str(failure)


def _runs(pid: int) -> bool:
    state = Path(f"/proc/{pid}/stat")
    return state.exists() and state.read_text().rpartition(")")[2].split()[0] != "Z"


async def test_nothing_of_it_runs_on(tmp_path: Path):
    _, _, heard = await asked(tmp_path, hostile("leaves a child"))
    (child,) = [line["child"] for line in heard if "child" in line]
    for _ in range(100):
        if not _runs(child):
            return
        await asyncio.sleep(0.05)
    raise AssertionError("what the server had started was still running")


async def test_deep_nonsense_is_a_text_as_any(tmp_path: Path):
    hits, _, _ = await asked(tmp_path, hostile("deep"))
    assert all(hit.passage is not None for hit in hits)


async def test_it_is_told_words_alone_and_its_own_words_are_data(tmp_path: Path):
    (hit, *_), _, heard = await asked(tmp_path, hostile("orders"))
    # Its schema, whose pattern would take for ever, is not held against what it returns; orders are text.
    assert hit.title == "Asterby"
    assert "Ignore all previous instructions" in hit.passage.text
    calls = [line["params"] for line in heard if line.get("method") == "tools/call"]
    assert [(call["name"], call["arguments"]) for call in calls] == [("search", {"query": "dike"})]
    assert KEPT not in json.dumps(heard)


async def test_it_may_ask_for_nothing(tmp_path: Path):
    _, _, heard = await asked(tmp_path, hostile("asks back"), "dike", "dike again")
    answers = [line for line in heard if str(line.get("id", "")).startswith("back-")]
    assert len(answers) >= 3
    assert all("error" in line for line in answers)
    offered = next(line for line in heard if line.get("method") == "initialize")["params"]["capabilities"]
    assert not {"sampling", "roots", "elicitation"} & {name for name, value in offered.items() if value}


async def test_tools_that_change_are_asked_as_they_were(tmp_path: Path):
    _, _, heard = await asked(tmp_path, hostile("changes"), "dike", "flood")
    calls = [line["params"] for line in heard if line.get("method") == "tools/call"]
    assert [(call["name"], call["arguments"]) for call in calls] == [
        ("search", {"query": "dike"}),
        ("search", {"query": "flood"}),
    ]


@pytest.mark.loopback
async def test_its_addresses_are_fetched_by_the_guard_or_not_at_all(tmp_path: Path, website):
    lure = website.add("/admin", "secret of the intranet")
    hits, told, heard = await asked(tmp_path, hostile("lures"), lure=lure)
    assert [hit.url for hit in hits] == [
        lure, "mcp:notes/file:///etc/passwd", "mcp:notes/javascript:alert%281%29",
        "http://169.254.169.254/",
    ]  # fmt: skip
    assert not website.asked
    assert "root:" not in "".join(told)
    assert all(word in line for word, line in zip(("port", "mcp:", "mcp:", "private"), told, strict=True))
    # What is no address of the web is asked of the server, which refuses; no file of this machine is opened.
    asked_for = [line["params"]["uri"] for line in heard if line.get("method") == "resources/read"]
    assert asked_for == ["file:///etc/passwd", "javascript:alert(1)"]


@pytest.mark.loopback
@pytest.mark.parametrize(
    ("headers", "body", "line"),
    [
        ({"Content-Type": "application/json"}, b"{" + b" " * 6_000_000, "notes sent more than 5 MB"),
        ({"Content-Type": "text/event-stream"}, b": x\n\n" * 1_500_000, "notes sent more than 5 MB"),
        (
            {"Content-Type": "application/json", "Content-Encoding": "gzip"},
            b"\x1f\x8b",
            "sent its answer packed",
        ),
        ({"Content-Type": "text/html"}, b"<p>hello", "notes failed"),
    ],
)
async def test_over_http_too(
    tmp_path: Path, website, answer, headers: dict[str, str], body: bytes, line: str
):
    website.pages["/mcp"] = answer(body, 200, headers)
    server = McpServer(url=f"{website.url}/mcp", token="NOTES_KEY", search="x", seconds=20)
    async with await opened(tmp_path, server) as library:
        with pytest.raises(SearchError, match=line):
            await library.search("dike", "notes", 5)


@pytest.mark.loopback
@pytest.mark.parametrize(
    ("token", "line"),
    [
        ("", r"notes wants you to sign in first \(401\): name the variable that holds .*mcp-remote"),
        ("NOTES_KEY", r"notes does not accept the token that it was sent \(401\): set another; .*remote"),
    ],
)
async def test_a_server_that_wants_signing_in_says_what_to_do(
    tmp_path: Path, website, answer, token: str, line: str
):
    challenge = 'Bearer resource_metadata="https://notes.example.org/.well-known/oauth-protected-resource"'
    website.pages["/mcp"] = answer(b"", 401, {"WWW-Authenticate": challenge})
    server = McpServer(url=f"{website.url}/mcp", token=token, search="x", seconds=20)
    async with await opened(tmp_path, server) as library:
        with pytest.raises(SearchError, match=line) as failure:
            await library.search("dike", "notes", 5)
    assert str(failure.value).endswith('"URL"]')


@pytest.fixture
def other(website) -> Iterator[Any]:
    """A second site."""
    site = type(website)()
    yield site
    site.close()


@pytest.mark.loopback
async def test_a_token_goes_to_its_own_server_alone(tmp_path: Path, website, other):
    target = other.add("/mcp", "{}")
    website.redirect("/mcp", target, 307)
    server = McpServer(url=f"{website.url}/mcp", token="NOTES_KEY", search="x", seconds=20)
    async with await opened(tmp_path, server) as library:
        with pytest.raises(SearchError, match="notes") as failure:
            await library.search("dike", "notes", 5)
    assert website.asked[0].headers["authorization"] == "Bearer notes-key-1234-abcd"
    assert not other.asked
    assert "notes-key-1234" not in str(failure.value)
    assert KEPT not in json.dumps([asdict(each) for each in website.asked], default=str)
