"""Many sessions at once in one server, each followed by a stream; `benchmarks.load.server` has fifty."""

import asyncio
import json
import threading
from pathlib import Path

from library.text.similarity.tfidf import TextStatistics
from models import ScriptedModel
from roundtable.session.factory import Runtime
from roundtable.web.hosting.session_thread import SessionThread
from roundtable.web.stream import stream
from tests.web.hosting.test_session_manager import order

SESSIONS = 6


async def followed(sessions: SessionThread, documents: Path, number: int) -> list[int]:
    """Begin a session and follow it to its end; return the numbers of its events as they came."""
    wanted = order(documents, turns=4).model_copy(update={"topic": f"Why do cities flood ({number})?"})
    identity = await sessions.below(sessions.manager.begin(wanted))
    seen: list[int] = []
    async for frame in stream(sessions, identity, 0):
        if not frame.startswith(b"id: "):
            continue
        events = json.loads(frame.split(b"data: ", 1)[1])
        seen += [one["n"] for one in events]
        if any(one["event"]["kind"] == "session_ended" for one in events):
            break
    return seen


async def test_many_sessions_at_once_all_end_and_each_event_comes_once(
    tmp_path: Path, documents: Path
) -> None:
    model = ScriptedModel(otherwise=TextStatistics())
    sessions = SessionThread(Runtime(home=tmp_path / "home", environment={}, model=model))
    async with asyncio.timeout(300):
        all_seen = await asyncio.gather(*(followed(sessions, documents, n) for n in range(SESSIONS)))
    for seen in all_seen:
        assert seen == list(range(1, len(seen) + 1))
        assert len(seen) > 20
    assert [row.state for row in sessions.rows()] == ["ended"] * SESSIONS
    await sessions.close()


async def test_the_gallery_answers_while_a_session_keeps_its_loop_busy(
    tmp_path: Path, documents: Path
) -> None:
    sessions = SessionThread(Runtime(home=tmp_path / "home", environment={}))
    identity = await sessions.below(sessions.manager.begin(order(documents)))
    busy, go_on = asyncio.Event(), threading.Event()
    above = asyncio.get_running_loop()

    async def occupied() -> None:
        above.call_soon_threadsafe(busy.set)
        go_on.wait(60)

    working = asyncio.create_task(sessions.below(occupied()))
    await busy.wait()
    # Nothing moves below; all that a watcher asks for is there all the same.
    assert sessions.row(identity).id == identity
    assert sessions.texts(identity, 0)
    assert sessions.standing(identity)["here"]
    go_on.set()
    await working
    await sessions.close()
    assert sessions.ending.is_set()
