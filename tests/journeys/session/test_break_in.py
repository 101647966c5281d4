"""Breaking in: the turn under way is cancelled at once, and nothing of what it found is lost."""

import asyncio
import time
from pathlib import Path

from library.text.similarity.tfidf import TextStatistics
from models import Reply, ScriptedModel, Task
from models.task import OutputT
from roundtable.journal.fold.state import State
from roundtable.session.factory import Runtime, resume_session, start_session
from tests.journeys.session.test_embedded import settings_for

TOPIC = "青河镇的洪水与重建"
AT_ONCE = 0.1
"""Seconds that it takes at most on a machine that is idle."""
GENEROUS = 20
"""How many times longer a machine may take that is not."""


class Dawdler(ScriptedModel):
    """Answers, but for one expert's turn: that answer never comes."""

    def __init__(self) -> None:
        super().__init__(otherwise=TextStatistics())
        self.holds = asyncio.Event()
        self.cancelled = asyncio.Event()
        self._asked = 0

    async def ask(self, task: Task[OutputT]) -> Reply[OutputT]:
        if task.name == "respond":
            self._asked += 1
            if self._asked == 4:  # the three first questions are answered together
                self.holds.set()
                try:
                    await asyncio.Event().wait()
                except asyncio.CancelledError:
                    self.cancelled.set()
                    raise
        return await super().ask(task)


async def test_a_turn_is_broken_off_at_once_and_what_it_found_stays(
    tmp_path: Path, chinese_documents: Path
) -> None:
    model = Dawdler()
    around = Runtime(home=tmp_path, environment={}, model=model)
    settings = settings_for(chinese_documents, moderator={"turns": 8, "dry_answers": 12})
    session = await start_session(TOPIC, settings, around=around)
    state = session.state

    async def follow() -> None:
        async for _ in session.run():
            pass

    following = asyncio.create_task(follow())
    async with asyncio.timeout(300):
        await model.holds.wait()
        await asyncio.sleep(0.05)  # what is placed meanwhile is placed
        held = found(state)
        began = time.monotonic()
        session.do("/break 湿地里有哪些鸟类？")
        assert state.failed, "it is journalled before anything else is done"
        await model.cancelled.wait()
        took = time.monotonic() - began
        await following
    assert took < AT_ONCE * GENEROUS
    assert state.failed[0].reason
    assert held <= found(state), "what the turn that was broken off had found is there"
    person = next(turn for turn in state.turns if turn.role == "person")
    answer = next(turn for turn in state.turns if turn.n > person.n)
    assert answer.question == person.question, "and the person is heard before anything else"
    assert state.report is not None
    await session.close()
    again = await resume_session(session.id, around=around)
    assert found(again.state) == found(state)
    await again.close()


def found(state: State) -> set[str]:
    return {passage.url + str(passage.start) for passage in state.evidence.passages.values()}
