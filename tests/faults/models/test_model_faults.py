"""Every way in which a model fails, at every task of the program: a session ends, or can be resumed.

A session is played up to the moment at which a task is asked for the first time. From there the task is asked
over real sockets of a server that fails at it in one way, each time; all other tasks are done as before. Of
each task's faults every sixth is tried, for each task others; with ROUNDTABLE_FAULTS=all, all of them.
"""

import asyncio
import contextlib
import os
import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

import models.client.reply_transport
from library import Library
from models import LanguageModel, Model, ModelSettings, ModelUnavailable, ScriptedModel, Task
from models.model_registry import endpoint
from models.task import OutputT, Reply
from roundtable.journal.events import Recorded
from roundtable.journal.fold.state import State
from roundtable.journal.storage.journal_store import Journal
from roundtable.session.factory import Runtime, resume_session, start_session
from tests.faults.models.busy import (
    ASKED_ON,
    COMPARED,
    all_tasks,
    busy,
    busy_settings,
    names,
    write_busy_documents,
)
from tests.faults.town import TOPIC, files_of, open_town, play, still_clock
from tests.model_server import ModelServer

ENDS, STOPS = "ends with a report", "stops, and says what to do"
FAULTS = {
    "429 without Retry-After": ("429", STOPS, "takes no more requests for now"),
    "429 with Retry-After": ("429:2", STOPS, "takes no more requests for now"),
    "429 with Retry-After of 300 s": ("429:300", STOPS, "wait 300 s: resume after that"),
    "500": ("500", STOPS, "fails (500)"),
    "503": ("503", STOPS, "fails (503)"),
    "no answer in time": ("slow", STOPS, "did not answer in time"),
    "a stream cut in the middle": ("cut", STOPS, "breaks off"),
    "HTML for JSON": ("html", STOPS, "does --base-url lack /v1?"),
    "empty choices": ("no_choices", STOPS, "is the address right?"),
    "null usage": ("null_usage", ENDS, ""),
    "wrong schema": ("wrong_schema", ENDS, "no usable reply"),
    "a refusal": ("refusal", ENDS, "refuses the content"),
    "truncated output": ("truncated", ENDS, "cut off|no usable reply"),
    "endless output": ("endless", STOPS, "sends without end"),
    "<think> only": ("think_only", ENDS, "only thoughts"),
    "context too long": ("too_long:600", ENDS, "fit|too long"),
    "wrong key": ("wrong_key", STOPS, "set OPENAI_API_KEY"),
    "unknown model": ("unknown_model", STOPS, "name one that it has with --model"),
}
"""By name: what the server does, what becomes of the session, and words of what it says."""

pytestmark = pytest.mark.loopback


class Divided:
    """Asks one task of a language model, and all others of another model."""

    name = "openai:test-model"

    def __init__(self, task: str, asked: LanguageModel, others: Model) -> None:
        self._task = task
        self._asked = asked
        self._others = others

    async def ask(self, task: Task[OutputT]) -> Reply[OutputT]:
        """Ask whom the task is for."""
        return await (self._asked if self._task in names(task) else self._others).ask(task)

    async def close(self) -> None:
        """Release connections."""
        await self._asked.close()


@dataclass(frozen=True)
class Played:
    """Sessions that nothing happened to, in which each task is asked for."""

    home: Path
    library: Library
    events: list[list[Recorded]]

    def before(self, task: str) -> list[Recorded]:
        """Return what happened before a task was asked for the first time; empty when it never was."""
        for events in self.events:
            for place, recorded in enumerate(events):
                if recorded.event.kind == "model_replied" and task in recorded.event.task.split("+"):
                    return events[:place]
        return []


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Played]:
    home = tmp_path_factory.mktemp("faults")
    documents = write_busy_documents(home / "documents")
    town = open_town(home, documents)
    library = Library(town.store, town.collections[:1])
    found = []
    for wrong in (1, 12):
        model = ScriptedModel(busy(library, wrong=wrong), otherwise=library.statistics)
        around = Runtime(home=home, clock=still_clock(), environment={}, model=model, library=library)

        async def begin_and_end(around: Runtime = around) -> list[Recorded]:
            session = await start_session(TOPIC, busy_settings(documents), around=around)
            done, ends = [], 0
            async for recorded in session.run(stay=True):
                done.append(recorded)
                if recorded.event.kind == "session_ended":
                    ends += 1
                    if ends == 3:
                        break
                    session.do(ASKED_ON if ends == 1 else COMPARED)
            await session.close()
            with Journal(home / "journal.db", still_clock()) as journal:
                return [*journal.read(session.id)][: done[-1].n]

        found.append(asyncio.run(begin_and_end()))
    yield Played(home, library, found)
    library.store.close()
    shutil.rmtree(home)


TASKS = sorted(all_tasks().keys() - {"judge_claims", "read_picture"})
"""What a session asks; the others are an audit's (`test_audit_faults.py`) and the library's
(`library/readers/test_pictures.py`)."""
EVERY = 1 if os.environ.get("ROUNDTABLE_FAULTS") == "all" else 6
"""Of how many faults one is tried at a task."""


def test_each_task_is_asked_for_somewhere(played: Played) -> None:
    assert len(TASKS) >= 15
    assert [task for task in TASKS if not played.before(task)] == []


@pytest.fixture(autouse=True)
def short_floods(monkeypatch: pytest.MonkeyPatch) -> None:
    """A reply counts as endless sooner: what is tried is the limit, not how fast bytes are copied."""
    monkeypatch.setattr(models.client.reply_transport, "LARGEST_REPLY", 300_000)


async def no_wait(seconds: float) -> None:
    """Wait as long as a test does."""


def failing_at(task: str, url: str, library: Library, timeout: float) -> Divided:
    """Return a model that asks a server for one task, and does all others by statistics.

    What the sections leave out is asked about only where one leaves something out: then one does.
    """
    settings = ModelSettings(model=Divided.name, base_url=url, timeout=timeout, retries=1)
    place = endpoint(Divided.name, settings, {"OPENAI_API_KEY": "sk-planted-9876"})
    asked = LanguageModel(place, settings, sleep=no_wait, chance=lambda: 0.5)

    def leaving_out(task: Any) -> Any:
        drawn = task.extract(library.statistics)
        drawn.sections[-1].paragraphs.clear()
        drawn.sections[-1].quotations.clear()
        return drawn

    written = {"write_sections": leaving_out} if task == "tell_left_out" else {}
    return Divided(task, asked, ScriptedModel(written, otherwise=library.statistics))


@pytest.mark.slow
@pytest.mark.parametrize("task", TASKS)
async def test_every_fault_at_a_task(task: str, played: Played, tmp_path: Path) -> None:
    before = played.before(task)
    stops = [number for number, (_, end, _) in enumerate(FAULTS.values()) if end == STOPS]
    resumed = stops[TASKS.index(task) % len(stops)]  # one of them, for each task another
    for number, (fault, (trouble, end, words)) in enumerate(FAULTS.items()):
        if (number + TASKS.index(task)) % EVERY and number != resumed:
            continue
        name = f"{task}-{number}"
        with Journal(played.home / "journal.db", still_clock()) as journal:
            journal.adopt(name, before)
        with ModelServer(troubles=lambda *_, trouble=trouble: trouble) as server:
            model = failing_at(task, server.url, played.library, 0.2 if trouble == "slow" else 60)
            state = await outcome(name, model, played)
            assert server.requests, fault
        said = [cost.fallback for cost in state.usage if task in cost.task.split("+") and cost.fallback]
        if end == STOPS:
            assert state.status == "stopped", fault
            assert said_of(state.reason, words), (fault, state.reason)
            if number != resumed:
                continue
            calm = ScriptedModel(otherwise=played.library.statistics)
            state = await outcome(name, calm, played)
        elif words:
            assert said, fault
            assert all(said_of(each, words) for each in said), (fault, said)
        assert state.status == "ended", fault
        assert [turn.n for turn in state.turns] == list(range(1, len(state.turns) + 1))
        files = files_of(state, tmp_path / name)
        assert b"sk-planted" not in b"".join(files.values())
        assert state.report is not None
        assert state.report.sections


def said_of(said: str, words: str) -> bool:
    """Tell whether one line says one of the words."""
    return "\n" not in said and any(each in said for each in words.split("|"))


async def outcome(name: str, model: Model, played: Played) -> State:
    """Resume a session with a model, run it, and return where it stands."""
    around = Runtime(
        home=played.home, clock=still_clock(), environment={}, model=model, library=played.library
    )
    session = await resume_session(name, around=around)
    with contextlib.suppress(ModelUnavailable):
        await play(session)
    await model.close()
    return session.state
