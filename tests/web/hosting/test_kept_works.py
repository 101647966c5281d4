"""Work on the page that failed, was cut off or cannot be read: it is listed with why, and can be deleted."""

import asyncio
import contextlib
import json
import threading
import time
from collections.abc import AsyncIterator, Coroutine, Mapping
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.testclient import TestClient
from starlette.types import ASGIApp, Receive, Scope, Send

from models import Usage
from roundtable.config.config import load_settings
from roundtable.config.errors import InputError, QuotaReached
from roundtable.session.texts.runtime import TextRuntime
from roundtable.web.access.viewer import VIEWER, Viewer
from roundtable.web.access.visitors import Visitor
from roundtable.web.works import audits_page, kept_works, work_thread
from roundtable.web.works.kept_works import KeptWorks, WorkUnderWay
from roundtable.web.works.work_thread import SpendingAbove, run_apart


class Works(KeptWorks):
    """Work that does as its name says."""

    kind, one = "works", "audit"
    files = ("told.txt",)

    def __init__(self, home: Path, *, named_only: bool) -> None:
        super().__init__(home, named_only=named_only)
        self.waits = threading.Event()
        self.works_hard, self.answered = threading.Event(), threading.Event()

    async def begin(self, request: Request) -> Response:
        name = request.query_params["name"]
        with self.placed(request) as (identity, folder):
            return self._begun(name, identity, folder)

    def _begun(self, name: str, identity: str, folder: Path) -> Response:
        (folder / "brought.txt").write_text("private")
        if name == "breaks off":
            raise InputError("it broke off")

        def check() -> None:
            if name == "late":
                raise InputError("its collection is gone")

        self.start(identity, WorkUnderWay(name), partial(self._work, name), check)
        return JSONResponse({"id": identity})

    async def _work(self, name: str) -> Mapping[str, Any]:
        if name == "fails":
            raise InputError("there is nothing in it")
        if name == "waits":
            self.waits.set()
            await asyncio.Event().wait()
        if name == "works hard":
            self.works_hard.set()
            assert self.answered.wait(100), "nothing is answered while it takes its step"
        return {"name": name}

    def row(self, kept: Mapping[str, Any]) -> dict[str, Any]:
        return {"name": kept["name"]}

    def view(self, kept: Mapping[str, Any], language: str) -> dict[str, Any]:
        return {"name": kept["name"], "language": language}


class Everybody:
    """Whoever asks may do everything: there are no accounts."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        scope[VIEWER] = Viewer(None, lambda: Visitor(unrestricted=True))  # type: ignore[arg-type]
        await self._app(scope, receive, send)


def serving(home: Path, works: Works | None = None) -> TestClient:
    works = works or Works(home, named_only=False)

    @contextlib.asynccontextmanager
    async def closing(_: Starlette) -> AsyncIterator[None]:
        yield
        await works.close()

    return TestClient(Starlette(routes=works.routes, lifespan=closing, middleware=[Middleware(Everybody)]))


def rows(client: TestClient) -> dict[str, str]:
    return {
        row["name"]: row.get("trouble", "") for row in client.get("/api/works").json() if "work" not in row
    }


def test_what_came_to_no_end_is_told_after_a_restart_and_can_be_deleted(tmp_path: Path) -> None:
    with serving(tmp_path) as client:
        begun = {
            n: client.post(f"/api/works?name={n}").json()["id"] for n in ("good", "fails", "waits", "half")
        }
        while len(rows(client)) < 3:
            time.sleep(0.01)
    (tmp_path / "works" / begun["half"] / "kept.json").write_text(json.dumps({"name": "half"})[:7])
    with serving(tmp_path) as client:
        cut = "it was cut off before it was done; begin it again"
        unread = "what was kept of it cannot be read"
        told = {"good": "", "fails": "there is nothing in it", "waits": cut, begun["half"]: unread}
        assert rows(client) == told
        assert client.get(f"/api/works/{begun['good']}").json()["files"] == ["told.txt"]
        for name in ("fails", "waits", "half"):
            shown = client.get(f"/api/works/{begun[name]}").json()
            assert shown["trouble"] == told[shown["name"]]
            assert client.post(f"/api/works/{begun[name]}/delete").status_code == 200
        assert client.post(f"/api/works/{begun['half']}/delete").status_code == 404
        assert client.get("/api/works/abcd").status_code == 404
    assert [folder.name for folder in (tmp_path / "works").iterdir()] == [begun["good"]]


def test_while_a_step_of_work_takes_long_everything_else_is_answered(tmp_path: Path) -> None:
    works = Works(tmp_path, named_only=False)
    with serving(tmp_path, works) as client:
        identity = client.post("/api/works?name=works hard").json()["id"]
        works.works_hard.wait()
        for _ in range(20):
            assert client.get(f"/api/works/{identity}").json()["work"]["stage"] == "waiting"
        works.answered.set()
        while "work" in (told := client.get(f"/api/works/{identity}").json()):
            time.sleep(0.01)
    assert told["name"] == "works hard"


def test_work_that_is_deleted_has_ended_and_leaves_nothing(tmp_path: Path) -> None:
    works = Works(tmp_path, named_only=False)
    with serving(tmp_path, works) as client:
        identity = client.post("/api/works?name=waits").json()["id"]
        works.waits.wait()
        client.post(f"/api/works/{identity}/delete").raise_for_status()
        while f"audit {identity}" in {thread.name for thread in threading.enumerate()}:
            time.sleep(0.01)
    assert list((tmp_path / "works").iterdir()) == []


def test_a_step_without_an_end_keeps_no_server_from_ending(tmp_path: Path) -> None:
    works = Works(tmp_path, named_only=False)
    with serving(tmp_path, works) as client:
        client.post("/api/works?name=works hard")
        works.works_hard.wait()
    works.answered.set()


async def test_what_is_spent_is_asked_and_told_on_the_loop_that_it_belongs_to() -> None:
    threads = []

    class OfOneThread:
        def check(self) -> None:
            threads.append(threading.current_thread())
            raise QuotaReached("nothing is left")

        def count(self, usage: Usage) -> None:
            threads.append(threading.current_thread())

    above = SpendingAbove(OfOneThread(), asyncio.get_running_loop())

    async def spends() -> None:
        above.count(Usage(model="m"))
        above.check()

    with pytest.raises(QuotaReached, match="nothing is left"):
        await run_apart(spends, "spends")
    assert threads == [threading.current_thread()] * 2


async def test_work_for_which_no_loop_can_be_had_says_so_and_can_be_cancelled(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    may_fail = threading.Event()

    def no_loop(work: Coroutine[Any, Any, None]) -> None:
        work.close()
        may_fail.wait()
        raise OSError("too many open files")

    async def never() -> None:
        raise AssertionError("it is not begun")

    monkeypatch.setattr(work_thread, "run_steadily", no_loop)
    work = asyncio.create_task(run_apart(never, "never"))
    await asyncio.sleep(0)
    work.cancel()
    await asyncio.sleep(0)
    may_fail.set()
    async with asyncio.timeout(100):
        with pytest.raises(asyncio.CancelledError):
            await work
        with pytest.raises(OSError, match="too many open files"):
            await run_apart(never, "never")


def test_what_waits_is_bounded(tmp_path: Path) -> None:
    with serving(tmp_path) as client:
        for _ in range(40):
            client.post("/api/works?name=waits")
        with pytest.raises(InputError, match="40 of these"):
            client.post("/api/works?name=waits")


async def test_one_account_s_work_keeps_no_other_account_waiting(tmp_path: Path) -> None:
    works = Works(tmp_path, named_only=False)

    def begin(identity: str, name: str) -> None:
        works._placed[identity] = identity[0]
        (tmp_path / "works" / identity).mkdir(parents=True)
        works._begun(name, identity, tmp_path / "works" / identity)

    for n in range(5):
        begin(f"a{n}", "waits")
    async with asyncio.timeout(300):
        await asyncio.to_thread(works.waits.wait)
        begin("b0", "good")
        await works._tasks["b0"]
    assert (tmp_path / "works" / "b0" / "kept.json").is_file()
    await works.close()


def test_work_that_may_not_be_made_any_more_when_its_turn_comes_is_told_so(tmp_path: Path) -> None:
    with serving(tmp_path) as client:
        identity = client.post("/api/works?name=late").json()["id"]
        told: dict[str, Any] = {}
        while "trouble" not in told:
            told = client.get(f"/api/works/{identity}").json()
    assert told["trouble"] == "its collection is gone"


def test_what_was_not_brought_whole_leaves_nothing_and_keeps_nobody_from_beginning(tmp_path: Path) -> None:
    with serving(tmp_path) as client:
        for _ in range(50):
            with pytest.raises(InputError, match="it broke off"):
                client.post("/api/works?name=breaks off")
        assert list((tmp_path / "works").iterdir()) == []
        assert client.post("/api/works?name=told").status_code == 200


def test_what_is_still_being_brought_counts_among_what_waits(tmp_path: Path) -> None:
    works = Works(tmp_path, named_only=False)
    scope = {"type": "http", VIEWER: Viewer(None, lambda: Visitor(unrestricted=True))}  # type: ignore[arg-type]
    with contextlib.ExitStack() as brought:
        for _ in range(40):
            brought.enter_context(works.placed(Request(scope)))
        with pytest.raises(InputError, match="40 of these are made or wait already"):
            brought.enter_context(works.placed(Request(scope)))
    assert list((tmp_path / "works").iterdir()) == []


def test_work_without_an_end_is_ended_and_told_so_and_others_get_their_turn(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(kept_works, "_MINUTES", 0.002)
    with serving(tmp_path) as client:
        held = [client.post("/api/works?name=waits").json()["id"] for _ in range(3)]
        last = client.post("/api/works?name=good").json()["id"]
        told = list[dict[str, Any]]()
        while len(told) < 4:
            told = [client.get(f"/api/works/{identity}").json() for identity in [*held, last]]
            told = [one for one in told if "work" not in one]
    assert [one["trouble"].partition(",")[0] for one in told[:3]] == ["it was ended after 0 minutes"] * 3
    assert "trouble" not in told[3]


def test_a_bound_of_its_own_that_work_reaches_is_told_as_what_it_is(tmp_path: Path) -> None:
    async def making() -> Mapping[str, Any]:
        raise TimeoutError("the server did not answer")

    with pytest.raises(TimeoutError, match="did not answer"):
        asyncio.run(kept_works._in_time(making()))


async def test_a_text_of_more_than_others_can_wait_for_is_refused_where_they_wait(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(audits_page, "_MOST_CLAIMS", 3)
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "bridge.md").write_text("The old bridge was finished in 1874.")
    years = ("1874", "1901", "1920", "1933")
    (tmp_path / "long.md").write_text(" ".join(f"The old bridge was mended in {year}." for year in years))
    flags = {"docs": [str(tmp_path / "docs")], "offline": True, "models": {"model": "embedded"}}
    around = TextRuntime(home=tmp_path / "home", environment={})
    with pytest.raises(InputError, match="it makes 4 claims and has 0 references; at most 3 and 1000"):
        await audits_page._audited(
            tmp_path / "long.md", load_settings(flags, environment={}), around, WorkUnderWay("long.md"),
            tmp_path,
        )  # fmt: skip
