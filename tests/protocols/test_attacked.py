"""What is sent to other programs' ways of asking by somebody who means harm, or is careless."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.web.conftest import Server

pytestmark = [pytest.mark.loopback, pytest.mark.slow]
PATHS = ("/mcp", "/v1/chat/completions")
BODIES: dict[str, bytes] = {
    "deep lists": b"[" * 100_000,
    "deep lists, closed": b"[" * 50_000 + b"]" * 50_000,
    "deep objects": b'{"a":' * 20_000 + b"1" + b"}" * 20_000,
    "a long number": b'{"model": ' + b"9" * 5_000 + b"}",
    "no number": b'{"a": NaN}',
    "no UTF-8": b'{"a": "\xff"}',
    "half a letter": b'{"roundtable": {"session": "\\ud800"}}',
    "a zero": b"\0",
    "nothing": b"",
    "null": b"null",
    "100 MB": b'"' + b"a" * 100_000_000 + b'"',
}
INITIALIZE: dict[str, Any] = {
    "jsonrpc": "2.0", "id": 1, "method": "initialize",
    "params": {
        "protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "x", "version": "1"},
    },
}  # fmt: skip


def headers(server: Server, **more: str) -> dict[str, str]:
    return {
        "Authorization": f"Bearer {server.bearer}", "Content-Type": "application/json",
        "Accept": "application/json, text/event-stream", **{k.replace("_", "-"): v for k, v in more.items()},
    }  # fmt: skip


def resident(server: Server) -> int:
    """Return the megabytes that the server holds."""
    status = Path(f"/proc/{server.process.pid}/status").read_text(encoding="ascii").split()
    return int(status[status.index("VmRSS:") + 1]) // 1000


@pytest.mark.parametrize("path", PATHS)
def test_a_body_that_is_none_or_too_much_is_refused_and_held_by_nobody(server: Server, path: str) -> None:
    server.request("POST", path, INITIALIZE, headers(server))
    before = resident(server)
    for named, body in BODIES.items():
        try:
            code, _, said = server.request("POST", path, body, headers(server))
        except OSError:
            code, said = 413, b""  # it was not listened to any longer
        assert 400 <= code < 500, (named, code, said)
        assert b"Traceback" not in said
        assert said.count(b"\n") <= 1, named
    assert resident(server) - before < 60
    assert server.ask("/api/sessions") == []


@pytest.mark.parametrize("path", PATHS)
def test_only_who_names_this_server_and_shows_a_token_is_heard(server: Server, path: str) -> None:
    refused: list[tuple[dict[str, str], int]] = [
        (headers(server, Authorization=""), 401),
        (headers(server, Authorization="Bearer "), 401),
        (headers(server, Authorization=f"Basic {server.bearer}"), 401),
        (headers(server, Authorization=f"Bearer {server.bearer[:-1]}"), 401),
        (headers(server, Host="rebound.example"), 421),
        (headers(server, Host=f"127.0.0.1.nip.io:{server.port}"), 421),
        (headers(server, Origin="null"), 403),
        (headers(server, Origin=f"http://127.0.0.1:{server.port + 1}"), 403),
        (headers(server, Sec_Fetch_Site="cross-site"), 403),
        (headers(server, Content_Type="text/plain"), 415),
    ]
    for given, code in refused:
        assert server.request("POST", path, INITIALIZE, given)[0] == code, given
    for method in ("PUT", "PATCH", "TRACE", "OPTIONS"):
        assert server.request(method, path, INITIALIZE, headers(server))[0] == 405


def _chat(server: Server, **given: Any) -> tuple[int, str]:
    body = {"model": "roundtable", "messages": [{"role": "user", "content": "Why?"}], **given}
    code, _, said = server.request("POST", "/v1/chat/completions", body, headers(server))
    return code, said.decode()


def test_a_chat_names_no_path_no_tool_and_no_folder(server: Server) -> None:
    for wanted in (
        {"model": "roundtable//etc"}, {"model": "roundtable/../../etc"}, {"model": "roundtable/\0"},
        {"roundtable": {"docs": ["/etc"], "offline": True}}, {"roundtable": {"docs": ["./floods"]}},
        {"model": "roundtable/floods", "roundtable": {"docs": 5}},
        {"roundtable": {"out": "/tmp/elsewhere"}}, {"roundtable": {"mcp": {"x": {"command": ["sh"]}}}},
        {"roundtable": {"allow": ["127.0.0.1"]}}, {"roundtable": {"turns": 10**20}},
        {"roundtable": {"turns": -1}}, {"messages": [{"role": "user", "content": "a"}] * 2_001},
        {"messages": [{"role": "root", "content": "a"}]},
    ):  # fmt: skip
        code, said = _chat(server, **wanted)
        assert code == 400, (wanted, said)
        assert json.loads(said)["error"]["message"].count("\n") == 0
    for session in ("../../journal", "\0", "x" * 100_000, "0000aaaa"):
        assert _chat(server, roundtable={"session": session})[0] == 404
    assert server.ask("/api/sessions") == []


def test_tools_name_no_path_and_the_assistant_that_forgets_to_leave_keeps_nobody_out(
    home: Path, serve: Callable[..., Server]
) -> None:
    assert home.exists()
    server = serve()
    begun, named, _ = server.request("POST", "/mcp", INITIALIZE, headers(server))
    assert begun == 200
    within = headers(server, Mcp_Session_Id=named["mcp-session-id"])

    def call(tool: str, **arguments: Any) -> str:
        given = {"name": tool, "arguments": arguments}
        asked = {"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": given}
        return server.request("POST", "/mcp", asked, within)[2].decode()

    for tool, arguments in (
        ("start", {"topic": "Why?", "docs": ["/etc"], "offline": True}), ("start", {"topic": "x" * 5_000}),
        ("search", {"query": "root", "docs": ["/etc"]}), ("report", {"session": "../../journal"}),
        ("passage", {"session": "\0", "passage": "p1"}), ("follow", {"session": "x", "seconds": 1e300}),
        ("say", {"session": "x", "text": "/read /etc/passwd"}), ("sessions", {"limit": 10**40}), ("eval", {}),
    ):  # fmt: skip
        said = call(tool, **arguments)
        assert '"isError":true' in said, (tool, said)
        assert "root:" not in said
        assert "Traceback" not in said
    for _ in range(230):
        code = server.request("POST", "/mcp", INITIALIZE, headers(server))[0]
    assert code == 503, "so many talks at a time are enough; each ends after half an hour without a word"
    assert '"collections"' in call("search", query="")
    assert server.request("DELETE", "/mcp", None, within)[0] == 200
    assert server.request("POST", "/mcp", INITIALIZE, headers(server))[0] == 200
    assert server.ask("/api/sessions") == []
