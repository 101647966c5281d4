"""A session in which a person takes part is cut off anywhere, resumed, and ends as if nothing had been."""

import os
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import pytest

from agents import SpeakerCalled, TurnTaken
from models import Event
from roundtable.journal.clock import SteppingClock
from roundtable.journal.events import CommandDone, Commanded, Recorded
from roundtable.session.factory import Runtime, resume_session, start_session
from roundtable.session.session import Session
from tests.journeys.session.test_embedded import settings_for
from tests.journeys.session.test_resume import outcome

TOPIC = "青河镇的洪水与重建"
EVERY = 1 if os.environ.get("ROUNDTABLE_CRASH_EVERY") == "1" else 2
FEW = {"moderator": {"turns": 9, "dry_answers": 12}}
When = Callable[[Event], bool]


def taken(turn: int) -> When:
    return lambda event: isinstance(event, TurnTaken) and event.turn.n == turn


def called(turn: int) -> When:
    return lambda event: isinstance(event, SpeakerCalled) and event.turn == turn


COMMANDS: list[tuple[When, Callable[[Session], None]]] = [
    (taken(3), lambda session: session.do("/steer 重建的费用")),
    (lambda event: isinstance(event, CommandDone), lambda session: session.do("/invite 桥梁工程师: 桥梁")),
    (called(6), lambda session: session.do("/drop 2")),
    (lambda event: isinstance(event, Commanded), lambda session: session.say("湿地里有哪些鸟类？")),
    (taken(8), lambda session: session.do("/aside 预警")),
    (lambda event: isinstance(event, CommandDone), lambda session: session.do("/go 2")),
]
"""What a person does in the course of the session, each right after an event."""


class Person:
    """Does each thing in turn, at once after its event; what the journal holds is not done again."""

    def __init__(self, session: Session) -> None:
        self._session = session
        record = session._contexts.record
        self._add, record.add = record.add, self.add  # type: ignore[method-assign]

    def add(self, *events: Event) -> None:
        self._add(*events)
        given = self._session.state.controls.given
        if given < len(COMMANDS) and any(COMMANDS[given][0](event) for event in events):
            COMMANDS[given][1](self._session)


async def run(session: Session, until: int | None = None) -> list[Recorded]:
    """Run with the person there, to the end or until the journal holds so many events."""
    Person(session)
    seen: list[Recorded] = []
    events = session.run()
    async for recorded in events:
        seen.append(recorded)
        if until is not None and recorded.n >= until:
            break
    await events.aclose()
    await session.close()
    return seen


@pytest.mark.slow
async def test_cut_off_around_every_command_a_session_with_commands_ends_the_same(
    tmp_path: Path, chinese_documents: Path
) -> None:
    def around(name: str) -> Runtime:
        clock = SteppingClock(datetime(2026, 1, 1, tzinfo=UTC))
        return Runtime(home=tmp_path / name, clock=clock, environment={})

    settings = settings_for(chinese_documents, **FEW)
    whole = await start_session(TOPIC, settings, around=around("whole"), session_id="whole")
    events = await run(whole)
    assert whole.state.controls.given == len(COMMANDS)
    expected = outcome(whole.state) | {"controls": whole.state.controls}
    surroundings = around("cut")
    telling = {"commanded", "command_done", "map_edited", "speaker_called", "turn_taken"}
    places = [r.n for r in events[:-1] if r.event.kind in telling or r.n % 27 == 0]
    for after in places[::EVERY]:
        name = f"cut{after}"
        await run(await start_session(TOPIC, settings, around=surroundings, session_id=name), after)
        resumed = await resume_session(name, around=surroundings)
        await run(resumed)
        assert outcome(resumed.state) | {"controls": resumed.state.controls} == expected, f"cut after {after}"
