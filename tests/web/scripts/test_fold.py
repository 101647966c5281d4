"""The page folds events as the server does: recorded sessions of each kind, after every event."""

import contextlib
import json
import random
import shutil
import subprocess
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from agents import SpeakerCalled, Turn, TurnTaken
from library import Source, Store
from mindmap import (
    AddNode,
    AddNote,
    Change,
    DropPassage,
    MapError,
    MapGrown,
    MapStarted,
    MergeNode,
    MindMap,
    MoveNode,
    MoveNote,
    Note,
    PlacePassage,
    RemoveNode,
    RenameNode,
    SetMark,
)
from moderator import QuestionRaised, QuestionReturned
from reports import Section, SectionWritten
from roundtable.journal.clock import SteppingClock
from roundtable.journal.commands.table_commands import GoOn, Manner, Pause, Say
from roundtable.journal.events import (
    CommandDone,
    Commanded,
    PlanChanged,
    Recorded,
    SessionEnded,
    SessionResumed,
    SessionStarted,
    SessionStopped,
    TableClosed,
    TableWaits,
)
from roundtable.journal.fold.state import State
from roundtable.journal.storage.journal_store import Journal
from roundtable.output.outputs import usage_values
from roundtable.web.serializers import shown

HERE = Path(__file__).parent
JOURNALS = HERE.parents[1] / "journals"
NODE = shutil.which("node")
KINDS = {
    "steered": "a person said, steered, set aside, dropped, edited the map, seated and dismissed experts",
    "forked": "another session's beginning, gone on with",
    "resumed": "the process ended in a turn; resumed, paused, waited for, gone on with and asked on",
    "computed": "with computations, and a known cost",
    "unpriced": "with requests of no known price",
    "headings": "a report with two sections of one heading, written again",
    "live": "a person broke in, and the process ended in a turn",
    "chinese": "in Chinese, with a source dropped",
    "planned": "a plan that was changed, and not begun",
}
needs_node = pytest.mark.skipif(NODE is None, reason="needs Node.js: apt install nodejs")


@pytest.fixture(scope="module")
def journal(tmp_path_factory: pytest.TempPathFactory) -> Journal:
    """The recorded sessions."""
    path = tmp_path_factory.mktemp("journals") / "journal.db"
    shutil.copy(JOURNALS / "v1.db", path)
    return Journal(path, SteppingClock(datetime(2026, 1, 1, tzinfo=UTC)))


def limit(state: State) -> int | None:
    """Return the turns after which the table closes."""
    planned = state.settings["moderator"]["turns"]
    if state.plan_changes:
        planned = state.plan_changes[-1].turns
    return planned if state.turn_limit is None else state.turn_limit


def held(state: State) -> dict[str, Any]:
    """Return what the page shows of a state; see `fold_events.mjs`."""
    used, start, wishes, tree = usage_values(state), state.start, state.controls, state.map
    assert start is not None
    over = state.status in {"closed", "stopped", "ended"}
    values = {
        "topic": state.topic,
        "language": state.language,
        "docs": start.docs,
        "status": state.status,
        "last": state.last,
        "limit": limit(state),
        "taken": state.taken,
        "counted": state.counted,
        "turns": [turn.model_dump(mode="json") for turn in state.turns],
        "panel": [expert.model_dump(mode="json") for expert in state.panel],
        "called": [] if over else list(dict.fromkeys(call.speaker for call in state.running())),
        "questions": [[q.id, q.text, q.state] for q in state.agenda.questions.values()],
        "agenda": [q.id for q in state.agenda.waiting()],
        "waiting": [[k, command.do, wishes.people.get(k, "")] for k, command in wishes.waiting.items()],  # type: ignore[union-attr]
        "paused": wishes.paused,
        "waits": wishes.between,
        "mode": wishes.mode,
        "steered": wishes.steering,
        "aside": wishes.aside,
        "dropped": sorted([*wishes.urls, *wishes.hosts]),
        "undoable": len(state.map_course.edits.before),
        "passages": len(state.evidence.passages),
        "sources": list(state.evidence.sources),
        "labels": state.evidence.labels(),
        "novelty": max(state.talk.novelty[-1].passages, state.talk.novelty[-1].terms)
        if state.talk.novelty
        else None,
        "requests": used["requests"],
        "tokens": used["tokens"],
        "cost": used["cost"],
        "sections": [section.model_dump(mode="json") for section in state.writing.sections],
        "report": state.report and state.report.model_dump(mode="json"),
        "map": [
            {
                "id": node.id,
                "title": node.title,
                "parent": node.parent,
                "notes": [note.model_dump(mode="json") for note in node.notes],
                "passages": list(node.passages),
                "marks": list(node.marks),
                "by": node.by,
            }
            for node in map(tree.node, tree.walk())
        ]
        if state.map_course.started
        else [],
    }
    return json.loads(json.dumps(values))  # type: ignore[no-any-return]


@pytest.fixture(scope="module")
def texts(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Source]:
    """What the recorded sessions had read."""
    path = tmp_path_factory.mktemp("texts") / "library.sqlite"
    shutil.copy(JOURNALS / "v1-library.sqlite", path)
    return Store(path).source  # type: ignore[return-value]


def folded_here(events: Sequence[Recorded], texts: Callable[[str], Source]) -> list[dict[str, Any]]:
    state, found = State(texts), []
    for recorded in events:
        state.fold(recorded)
        found.append(held(state))
    return found


def folded_by_page(*sessions: Sequence[Recorded]) -> list[list[dict[str, Any]]]:
    assert NODE is not None
    told = [[shown(r.n, r.at, r.event.model_dump_json()) for r in events] for events in sessions]
    done = subprocess.run(
        [NODE, str(HERE / "fold_events.mjs")],
        input=json.dumps(told).encode(),
        capture_output=True,
        timeout=300,
    )
    assert not done.returncode, done.stderr.decode()
    return json.loads(done.stdout)  # type: ignore[no-any-return]


def recorded(*events: Any) -> list[Recorded]:
    return [
        Recorded(n=n, at=f"2026-01-01T00:{n // 60:02d}:{n % 60:02d}.000Z", event=event)
        for n, event in enumerate(events, 1)
    ]


def commands(*given: Any, first: int = 1) -> list[Commanded]:
    return [Commanded(id=f"c{n}", command=command) for n, command in enumerate(given, first)]


def about(cost: float | None) -> float | None:
    return cost if cost is None else pytest.approx(cost, abs=1e-6)


def compared(events: Sequence[Recorded], page: list[dict[str, Any]], here: list[dict[str, Any]]) -> None:
    for recorded, theirs, ours in zip(events, page, here, strict=True):
        ours["cost"] = about(ours["cost"])
        different = {key: (theirs[key], ours[key]) for key in ours if theirs[key] != ours[key]}
        assert not different, f"after event {recorded.n}, {recorded.event.kind}"
        assert theirs.keys() == ours.keys()


@needs_node
@pytest.mark.parametrize("session", KINDS)
def test_the_page_folds_as_the_server_does(
    journal: Journal, texts: Callable[[str], Source], session: str
) -> None:
    events = journal.read(session)
    [page] = folded_by_page(events)
    compared(events, page, folded_here(events, texts))


@needs_node
def test_what_a_person_and_a_stop_leave_is_folded_alike(texts: Callable[[str], Source]) -> None:
    answer = Turn(
        n=1, speaker="ada", name="Ada", role="expert", act="answer", text="Tea.", citations=[],
        question="q1", at="2026-01-01T00:00:10Z", seconds=1.0,
    )  # fmt: skip
    asked = {"by": "moderator", "text": "Why tea?"}
    section = Section(heading="Tea", level=1, node=None, sentences=[])
    events = recorded(
        SessionStarted(
            topic="Tea", language="en", settings={"moderator": {"turns": 12}}, version="0", docs=[],
            search=[], offline=True, model="embedded",
        ),
        PlanChanged(search=[], turns=7),
        *(QuestionRaised(id=f"q{n}", place=place, **asked)
          for n, place in enumerate(("tail", "queue", "head", "queue"), 0)),
        QuestionRaised(id="q4", text="Who drinks it?", by="person"),
        SpeakerCalled(turn=1, speaker="ada", question="q1"),
        TurnTaken(turn=answer),
        QuestionReturned(id="q1", reason="it says nothing", search=""),
        *commands(Pause(), Manner(mode="wait"), GoOn(turns=3), Pause()),
        TableWaits(turn=1),
        Commanded(id="c5", person="Bo", command=Say(text="And coffee?")),
        Commanded(id="c6", command=Say(text="And cocoa?")),
        TurnTaken(turn=answer.model_copy(update={"n": 2, "role": "person", "person": "Bo"})),
        CommandDone(id="c5"),
        SessionStopped(reason="the process was stopped"),
        SessionResumed(),
        *commands(Pause(), first=7),
        TableWaits(turn=1),
        TableClosed(reason="7 turns taken"),
        SectionWritten(section=section),
        SessionStopped(reason="the process was stopped"),
        SessionResumed(turns=0),
        TableClosed(reason="7 turns taken"),
        SectionWritten(section=section),
        *commands(Pause(), first=8),
        SessionEnded(reason="7 turns taken"),
    )  # fmt: skip
    [page] = folded_by_page(events)
    compared(events, page, folded_here(events, texts))


def grown_at_random(seed: int, changes: int = 60) -> list[Recorded]:
    """Return events with changes of a map that are legal, whatever they lead to."""
    draw, tree, passages = random.Random(seed), MindMap("Tea"), [f"p{n}" for n in range(1, 15)]
    kept: list[Change] = []
    while len(kept) < changes:
        nodes, passage = list(tree.walk()), draw.choice(passages)
        node, other, by = draw.choice(nodes), draw.choice(nodes), draw.choice(("table", "table", "person"))
        turn = draw.randrange(1, 20)
        note = Note(turn=turn, question="Why?", answer=f"It is so [{passage}]. It was so [p1][{passage}].")
        change: Change = draw.choice([
            AddNode(id=tree.next_id(), title=f" {node}  below ", parent=node, by=by),
            AddNode(id=tree.next_id(), title=node, parent=node, by=by),
            PlacePassage(passage=passage, node=node, by=by),
            DropPassage(passage=passage),
            AddNote(node=node, note=note),
            MoveNote(turn=turn, node=node, by=by),
            RenameNode(node=node, title=f"{node} again", by=by),
            MoveNode(node=node, parent=other, by=by),
            MergeNode(node=node, into=other, by=by),
            RemoveNode(node=node, by=by),
            SetMark(node=node, mark=draw.choice(("pinned", "gap", "contradiction")), on=draw.random() < 0.7),
        ])  # fmt: skip
        with contextlib.suppress(MapError):
            tree.apply(change)
            kept.append(change)
    start = SessionStarted(
        topic="Tea", language="en", settings={"moderator": {"turns": 12}}, version="0", docs=[], search=[],
        offline=True, model="embedded",
    )  # fmt: skip
    return recorded(start, MapStarted(title="Tea"), *(MapGrown(changes=[change]) for change in kept))


@needs_node
def test_whatever_becomes_of_the_map_is_folded_alike(texts: Callable[[str], Source]) -> None:
    sessions = [grown_at_random(seed) for seed in range(25)]
    for events, page in zip(sessions, folded_by_page(*sessions), strict=True):
        compared(events, page, folded_here(events, texts))


@needs_node
def test_the_page_s_own_tests_of_its_fold() -> None:
    assert NODE is not None
    done = subprocess.run(
        [NODE, "--test", str(HERE / "fold.test.mjs")], capture_output=True, text=True, timeout=300
    )
    assert not done.returncode, done.stdout + done.stderr


def test_the_recorded_sessions_are_of_every_kind(journal: Journal, texts: Callable[[str], Source]) -> None:
    assert {row.id for row in journal.sessions()} == KINDS.keys()
    kinds = {session: [r.event.kind for r in journal.read(session)] for session in KINDS}
    assert kinds["resumed"].count("session_resumed") == 2
    assert "computed" in kinds["computed"]
    assert kinds["live"][-1] not in {"session_ended", "session_stopped"}
    assert folded_here(journal.read("unpriced"), texts)[-1]["cost"] is None
    assert folded_here(journal.read("computed"), texts)[-1]["cost"] > 0
    report = folded_here(journal.read("headings"), texts)[-1]["report"]
    headings = [section["heading"] for section in report["sections"]]
    assert len(headings) > len(set(headings))
    ops = {
        change.op
        for session in KINDS
        for recorded in journal.read(session)
        for change in getattr(recorded.event, "changes", [])
    }
    assert ops == {"add", "place", "drop", "note", "move_note", "rename", "move", "merge", "remove", "mark"}


def test_what_a_person_asks_is_free(journal: Journal, texts: Callable[[str], Source]) -> None:
    state = State(texts)
    for one in journal.read("resumed"):
        state.fold(one)
    theirs = [turn for turn in state.turns if turn.role == "person"]
    questions = {question.id for question in state.agenda.questions.values() if question.by == "person"}
    answers = [turn for turn in state.turns if turn.role != "person" and turn.question in questions]
    assert theirs
    assert state.counted == state.taken - len(theirs) - len(answers)
