"""A session that has ended is brought up to date: pages that changed, pages that came, and nothing at all."""

import hashlib
import json
import threading
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from functools import partial
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from reports import Report
from roundtable.config.config import Settings, load_settings
from roundtable.journal.clock import SteppingClock
from roundtable.journal.events import Recorded
from roundtable.journal.source_updates import SourcesUpdated
from roundtable.session.factory import Runtime, resume_session, start_session
from tests.journeys.session.test_embedded import play, settings_for
from tests.model_server import ModelServer

TOWER = """The lighthouse of Orrin stands on the outer reef and was lit in 1871 for the first time.
The tower of the lighthouse is 44 m high and was built of granite from the quarries of Tarn.
The lamp of the lighthouse was converted to electricity in 1936 after a long dispute over its cost."""
VISITS = """The lighthouse of Orrin can be visited on Mondays and Fridays between May and September.
A ticket to the lighthouse costs 12 pounds, and children under six climb the tower free of charge.
The ferry to the lighthouse leaves the harbour of Orrin at nine and comes back at noon."""
KEEPER = """The last keeper of the lighthouse of Orrin left the tower in 1987, when the lamp became automatic.
Since then the lighthouse has been watched from the harbour office, which answers for the lamp.
The keeper's house beside the lighthouse is let to visitors in summer by the county."""
MUSEUM = """A museum of the lighthouse of Orrin was opened in the old engine room in November 2026.
It shows the first lens of the lighthouse, which was thought lost, and the keeper's diaries.
The museum of the lighthouse expects ten thousand visitors in its first year."""


class Web:
    """Pages by path, and a search engine that finds those that are listed."""

    def __init__(self) -> None:
        self.pages = {"/tower": TOWER, "/visits": VISITS, "/keeper": KEEPER}
        self.asked: list[tuple[str, str]] = []
        """Each path with what it was asked conditionally by."""


class Site(BaseHTTPRequestHandler):
    def __init__(self, web: Web, *arguments: object) -> None:
        self.web = web
        super().__init__(*arguments)  # type: ignore[arg-type]

    def do_GET(self) -> None:
        path, host = urlsplit(self.path).path, self.headers["Host"]
        self.web.asked.append((path, self.headers.get("If-None-Match", "")))
        if path == "/search":
            found = [{"url": f"http://{host}{p}", "title": p[1:], "content": ""} for p in self.web.pages]
            self.answer(200, "application/json", json.dumps({"results": found}).encode())
        elif path in self.web.pages:
            text = self.web.pages[path]
            tag = f'"{hashlib.sha256(text.encode()).hexdigest()[:8]}"'
            if self.headers.get("If-None-Match") == tag:
                self.answer(304, "text/html", b"", tag)
                return
            body = "".join(f"<p>{line}</p>" for line in text.split("\n"))
            head = f"<head><title>{path[1:]}</title></head>"
            page = f"<html>{head}<body><article>{body}</article></body></html>"
            self.answer(200, "text/html; charset=utf-8", page.encode(), tag)
        else:
            self.answer(404, "text/plain", b"nothing here")

    def answer(self, status: int, media_type: str, body: bytes, tag: str = "") -> None:
        self.send_response(status)
        self.send_header("Content-Type", media_type)
        self.send_header("Content-Length", str(len(body)))
        if tag:
            self.send_header("ETag", tag)
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002
        """Say nothing."""


@pytest.fixture
def site() -> Iterator[tuple[str, Web]]:
    web = Web()
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(Site, web))
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield f"127.0.0.1:{server.server_port}", web
    server.shutdown()
    thread.join()
    server.server_close()


class Days:
    """A wall clock that a test turns on, and the journal's clock that goes with it."""

    def __init__(self) -> None:
        self.now = datetime(2026, 11, 20, 8, tzinfo=UTC)

    def runtime(self, home: Path) -> Runtime:
        clock = SteppingClock(self.now, timedelta(milliseconds=1))
        return Runtime(home=home, clock=clock, environment={}, wall=lambda: self.now)

    def pass_by(self, days: int) -> None:
        self.now += timedelta(days=days)


@pytest.fixture
def days() -> Days:
    return Days()


def web_settings(host: str, **more: object) -> Settings:
    return load_settings(
        {
            "search": ["searxng"], "models": {"model": "embedded"}, "moderator": {"turns": 4},
            "library": {
                "fetch": {"allow": [host], "pause": 0, "robots": False},
                "search": {"addresses": {"searxng": f"http://{host}"}},
            },
            **more,
        },
        environment={},
    )  # fmt: skip


async def updated(identity: str, around: Runtime) -> tuple[list[Recorded], Report | None]:
    session = await resume_session(identity, around=around)
    try:
        return [recorded async for recorded in session.update()], session.state.report
    finally:
        await session.close()


def look_of(events: list[Recorded]) -> SourcesUpdated:
    return next(r.event for r in events if isinstance(r.event, SourcesUpdated))


@pytest.mark.loopback
async def test_what_changed_on_the_web_is_told_with_both_versions(
    site: tuple[str, Web], days: Days, tmp_path: Path
) -> None:
    host, web = site
    session = await start_session(
        "The lighthouse of Orrin", web_settings(host), around=days.runtime(tmp_path / "home")
    )
    await play(session)
    before = session.state.report
    assert before is not None
    assert "44 m" in before.model_dump_json()
    web.asked.clear()
    days.pass_by(2)
    web.pages["/tower"] = TOWER.replace("44 m", "46 m")
    web.pages["/museum"] = MUSEUM
    del web.pages["/visits"]
    events, report = await updated(session.id, days.runtime(tmp_path / "home"))
    look = look_of(events)
    assert {(s.title, s.fate) for s in look.sources} == {
        ("tower", "changed"), ("museum", "new"), ("visits", "gone"),
    }  # fmt: skip
    assert ("44 m" in look.changes[0].before, "46 m" in look.changes[0].after) == (True, True)
    assert all(tag for path, tag in web.asked if path in ("/tower", "/keeper")), "asked by their ETag"
    assert report is not None
    section = next(s for s in report.sections if s.changes)
    assert section.heading == "What changed since 2026-11-20"
    rows = [[cell.text for cell in row] for row in section.tables[0].rows]
    assert any("44 m" in row[1] and "46 m" in row[2] for row in rows)
    assert any("museum" in row[2] and row[1] == "(not there before)" for row in rows)
    assert "No longer to be had: visits." in section.closing
    told = " ".join(s.text for s in report.sections for s in s.sentences)
    assert "46 m" in told
    assert "44 m" not in told, "the report itself stands on what the page says now"
    assert events[-1].event.kind == "session_ended"


@pytest.mark.loopback
async def test_nothing_new_is_one_event_and_asks_nobody(
    site: tuple[str, Web], days: Days, tmp_path: Path
) -> None:
    host, web = site
    session = await start_session(
        "The lighthouse of Orrin", web_settings(host), around=days.runtime(tmp_path / "home")
    )
    await play(session)
    days.pass_by(1)
    web.asked.clear()
    events, report = await updated(session.id, days.runtime(tmp_path / "home"))
    assert [recorded.event.kind for recorded in events] == ["sources_updated"]
    assert look_of(events).news is False
    assert look_of(events).looked == 3
    assert report == session.state.report
    assert {path for path, _ in web.asked} == {"/search", "/tower", "/visits", "/keeper"}


async def test_documents_that_changed_and_came_are_found(days: Days, tmp_path: Path) -> None:
    folder = tmp_path / "docs"
    folder.mkdir()
    for name, text in (("tower", TOWER), ("visits", VISITS), ("keeper", KEEPER)):
        (folder / f"{name}.txt").write_text(text)
    settings = settings_for(folder, moderator={"turns": 4})
    session = await start_session("The lighthouse of Orrin", settings, around=days.runtime(tmp_path / "home"))
    await play(session)
    days.pass_by(1)
    nothing, _ = await updated(session.id, days.runtime(tmp_path / "home"))
    assert look_of(nothing).news is False
    days.pass_by(1)
    (folder / "visits.txt").write_text(VISITS.replace("12 pounds", "15 pounds"))
    (folder / "museum.txt").write_text(MUSEUM)
    (folder / "keeper.txt").unlink()
    events, report = await updated(session.id, days.runtime(tmp_path / "home"))
    look = look_of(events)
    assert {s.fate for s in look.sources} == {"changed", "new", "gone"}
    assert report is not None
    section = next(s for s in report.sections if s.changes)
    rows = [[cell.text for cell in row] for row in section.tables[0].rows]
    assert any("12 pounds" in row[1] and "15 pounds" in row[2] for row in rows)
    days.pass_by(1)
    again, _ = await updated(session.id, days.runtime(tmp_path / "home"))
    assert look_of(again).news is False
    days.pass_by(1)
    (folder / "visits.txt").write_text(VISITS)  # as it was at first
    back, report = await updated(session.id, days.runtime(tmp_path / "home"))
    assert [s.fate for s in look_of(back).sources] == ["changed"]
    assert report is not None
    rows = [[cell.text for cell in row] for s in report.sections if s.changes for row in s.tables[0].rows]
    assert any("15 pounds" in row[1] and "12 pounds" in row[2] for row in rows)


@pytest.mark.loopback
async def test_a_language_model_is_asked_for_nothing_where_nothing_is_new_and_for_little_where_something_is(
    days: Days, tmp_path: Path
) -> None:
    folder = tmp_path / "docs"
    folder.mkdir()
    for name, text in (("tower", TOWER), ("visits", VISITS), ("keeper", KEEPER)):
        (folder / f"{name}.txt").write_text(text)
    with ModelServer() as server:
        models = {"model": "openai:test-model", "base_url": server.url}
        settings = settings_for(folder, models=models, moderator={"turns": 5})
        session = await start_session(
            "The lighthouse of Orrin", settings, around=days.runtime(tmp_path / "home")
        )
        await play(session)
        spent = server.requests
        days.pass_by(1)
        nothing, _ = await updated(session.id, days.runtime(tmp_path / "home"))
        assert [recorded.event.kind for recorded in nothing] == ["sources_updated"]
        assert server.requests == spent
        days.pass_by(1)
        (folder / "visits.txt").write_text(VISITS.replace("12 pounds", "15 pounds"))
        _, report = await updated(session.id, days.runtime(tmp_path / "home"))
        assert 0 < server.requests - spent < spent
    assert report is not None
    assert sum(section.changes for section in report.sections) == 1
    cited = {i for s in report.sections if not s.changes for one in s.sentences for i in one.citations}
    state = session.state
    old = {i for i, p in state.evidence.passages.items() if "12 pounds" in p.text}
    assert old
    assert cited.isdisjoint(old), "nothing but the list of changes rests on what the file said before"
