"""A session that is cut off anywhere goes on from its last event and ends as if nothing had been."""

import os
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest

from roundtable.journal.clock import SteppingClock
from roundtable.journal.events import Recorded
from roundtable.journal.fold.state import State
from roundtable.session.factory import Runtime, resume_session, start_session
from roundtable.session.session import Session
from tests.journeys.session.test_embedded import play, settings_for

TOPIC = "青河镇的洪水与重建"
FEW = {"moderator": {"turns": 5}}
EVERY = 1 if os.environ.get("ROUNDTABLE_CRASH_EVERY") == "1" else 4
"""Of how many events one is the last before a cut."""


def outcome(state: State) -> dict[str, object]:
    """What must be the same; times are the clock's business."""
    return {
        "turns": [turn.model_dump(exclude={"at", "seconds"}) for turn in state.turns],
        "questions": list(state.agenda.questions.values()),
        "passages": list(state.evidence.passages.values()),
        "map": state.map.snapshot(),
        "report": state.report,
        "searches": list(state.work.searches),
        "panel": state.panel,
    }


async def cut(session: Session, after: int) -> list[Recorded]:
    """Run until the journal holds `after` events, and drop everything."""
    seen: list[Recorded] = []
    events = session.run()
    async for recorded in events:
        seen.append(recorded)
        if recorded.n >= after:
            break
    await events.aclose()
    await session.close()
    return seen


@pytest.mark.slow
@pytest.mark.timeout(900)
async def test_cut_off_after_an_event_it_ends_the_same(tmp_path: Path, chinese_documents: Path) -> None:
    def around(name: str) -> Runtime:
        clock = SteppingClock(datetime(2026, 1, 1, tzinfo=UTC))
        return Runtime(home=tmp_path / name, clock=clock, environment={})

    settings = settings_for(chinese_documents, **FEW)
    whole = await start_session(TOPIC, settings, around=around("whole"), session_id="whole")
    last = (await play(whole))[-1].n
    expected = outcome(whole.state)
    # One home for all: the documents are indexed once.
    surroundings = around("cut")
    for after in range(1, last, EVERY):
        name = f"cut{after}"
        await cut(await start_session(TOPIC, settings, around=surroundings, session_id=name), after)
        resumed = await resume_session(name, around=replace(surroundings))
        await play(resumed)
        assert outcome(resumed.state) == expected, f"cut off after event {after}"
