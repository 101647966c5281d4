"""What is refused although the person's own cookie is there."""

import json

import pytest

from tests.web.conftest import Server

pytestmark = pytest.mark.loopback
JSON = {"Content-Type": "application/json"}
ORDER = {"topic": "floods", "docs": ["python"], "offline": True}


def test_what_is_refused_with_the_cookie_there(server: Server) -> None:
    mine = {"Cookie": server.join(), **JSON}
    host, base = f"127.0.0.1:{server.port}", server.base

    def post(headers: dict[str, str], path: str = "/api/sessions") -> int:
        return server.request("POST", path, ORDER, headers)[0]

    assert post(mine) == 403, "a cookie without an Origin"
    for origin in ("http://evil.example", "null", f"http://127.0.0.1:{server.port + 1}", f"https://{host}",
                   f"http://localhost:{server.port}", f"{base}.evil.example"):  # fmt: skip
        assert post({**mine, "Origin": origin}) == 403, origin
    for site in ("cross-site", "same-site"):
        assert post({**mine, "Origin": base, "Sec-Fetch-Site": site}) == 403, site
    for kind in ("text/plain", "application/x-www-form-urlencoded", "multipart/form-data", ""):
        assert post({**mine, "Origin": base, "Content-Type": kind}) == 415, kind
    for name in ("evil.example", f"evil.example:{server.port}", "127.0.0.1", f"127.0.0.1:{server.port + 1}",
                 f"127.0.0.1:{server.port}.evil.example", f"10.0.0.1:{server.port}", ""):  # fmt: skip
        assert post({**mine, "Origin": f"http://{name}", "Host": name}) == 421, name
    assert server.ask("/api/sessions") == [], "none of them began a session"
    assert post({**mine, "Origin": base, "Sec-Fetch-Site": "same-origin"}) == 201


def test_the_stream_and_the_data_are_not_for_other_origins(server: Server) -> None:
    mine = {"Cookie": server.join()}
    for path in ("/api/sessions", "/api/sessions/x/events", "/api/setup", "/static/main.js"):
        for site in ("cross-site", "same-site"):
            status, _, _ = server.request("GET", path, headers={**mine, "Sec-Fetch-Site": site})
            assert status == 403, (path, site)
        status, _, _ = server.request("GET", path, headers={**mine, "Origin": "http://evil.example"})
        assert status == 403, path
    framed = {**mine, "Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "navigate"}
    framed["Sec-Fetch-Dest"] = "iframe"
    assert server.request("GET", "/", headers=framed)[0] == 403
    followed = {**framed, "Sec-Fetch-Dest": "document"}
    assert server.request("GET", "/", headers=followed)[0] == 200, "a person may follow a link to the page"


def test_nothing_is_had_without_signing_in(server: Server) -> None:
    for path in ("/api/sessions", "/api/setup", "/api/sessions/x/events", "/nowhere"):
        assert server.request("GET", path)[0] == 401, path
    assert server.request("POST", "/api/sessions", ORDER, {**JSON, "Origin": server.base})[0] == 401
    assert server.request("GET", "/", headers={"Cookie": f"roundtable-{server.port}=forged"})[0] == 401
    assert server.request("GET", "/?token=guess")[0] == 401
    wrong = {"Authorization": "Bearer guess"}
    assert server.request("GET", "/api/sessions", headers=wrong)[0] == 401


def test_the_link_works_once_and_the_cookie_is_kept_from_scripts(server: Server) -> None:
    path = server.url.removeprefix(server.base)
    _, headers, _ = server.request("GET", path)
    given = headers["set-cookie"]
    assert given.startswith(f"roundtable-{server.port}=")
    assert "HttpOnly" in given
    assert "samesite=strict" in given.lower()
    assert server.request("GET", path)[0] == 401
    cookie = {"Cookie": given.partition(";")[0]}
    assert server.request("GET", path, headers=cookie)[0] == 303, "who is in already stays in"


def test_every_answer_has_the_headers(server: Server) -> None:
    mine = {"Cookie": server.join()}
    asked = (("/", mine), ("/", {}), ("/static/page.css", {}), ("/api/setup", mine), ("/x", mine))
    for path, headers in asked:
        _, told, _ = server.request("GET", path, headers=headers)
        policy = told["content-security-policy"]
        assert "default-src 'none'" in policy
        assert "frame-ancestors 'none'" in policy
        assert "unsafe" not in policy
        assert told["x-content-type-options"] == "nosniff"
        assert told["referrer-policy"] == "no-referrer"
        assert told["cross-origin-opener-policy"] == "same-origin"
        assert told["cross-origin-resource-policy"] == "same-origin"
        assert "server" not in told


def test_a_script_comes_with_a_bearer_token_and_is_told_what_is_wrong(server: Server) -> None:
    offered = server.ask("/api/setup")
    assert "collections" not in offered, "they have an address of their own, and grow while the page is open"
    assert [one["value"] for one in server.ask("/api/collections")] == ["python"]
    assert offered["model"].startswith("embedded (")
    assert "--model" not in offered["model"], "the page has a field, no flag"
    bearer = {"Authorization": f"Bearer {server.bearer}", **JSON}

    def refused(path: str, body: object) -> tuple[int, str]:
        status, _, data = server.request("POST", path, body, bearer)
        told = json.loads(data)["error"]
        return status, told if isinstance(told, str) else told["message"]

    assert refused("/api/sessions", {"topic": " "})[0] == 422
    assert refused("/api/sessions", {"topic": "x", "root": "/"})[0] == 422
    without = refused("/api/sessions", {"topic": "x", "offline": True})[1]
    assert without.startswith("nothing to search")
    assert "--" not in without, "the page has no options"
    told = refused("/api/sessions", {"topic": "x", "docs": ["/no/such"]})[1]
    assert told.startswith("/no/such: no file or folder")
    assert refused("/api/sessions/none/commands", {"command": "say", "text": "x"})[0] == 404
    assert refused("/api/sessions/none/commands", {"text": "x"})[0] == 422
    assert refused("/api/sessions", b"[" * 90_000)[0] == 400
    for body in (b'{"topic": "Why?", "turns": NaN}', b'{"topic": "a \\ud800"}'):
        assert refused("/api/sessions", body)[0] == 400
    assert refused("/v1/chat/completions", b" " * 2_100_000) == (413, "a request has at most 2000000 bytes")
    assert refused("/v1/chat/completions", b"[")[0] == 400
    assert refused("/api/sessions", b"x" * 200_000)[0] == 413
    evil = {**bearer, "Origin": "http://evil.example"}
    assert server.request("POST", "/api/sessions", ORDER, evil)[0] == 403


def test_no_file_outside_the_pages_own_is_served(server: Server) -> None:
    for path in ("/static/../app.py", "/static/%2e%2e/app.py", "/static//etc/passwd", "/static/..%2fapp.py"):
        assert server.request("GET", path)[0] == 404, path
