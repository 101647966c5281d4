"""What brings programs of this kind down, or makes them lose words: here a session ends, whole, each time.

Each case is a session of its own: scripts of what the model says, what its place to search does, and the
documents. After each the same is looked at (`sound`), and what the case is about.
"""

import json
import re
from collections import Counter
from pathlib import Path

import pytest

from library import Library
from library.evidence import citations
from library.search.interface import Collection
from library.store.store import Store
from models import ScriptedModel
from roundtable.config.config import load_settings
from roundtable.journal.fold.state import State
from roundtable.session.factory import Runtime, start_session
from tests.embedding_server import EmbeddingServer
from tests.faults.models.troubles import CASES, FEW, Case, Place
from tests.faults.town import article, files_of, open_town, play, still_clock


def test_there_are_many_and_each_has_a_name() -> None:
    assert len({case.name for case in CASES}) == len(CASES) >= 24


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
async def test_a_session_ends_whole(case: Case, tmp_path: Path) -> None:
    documents = tmp_path / "documents"
    documents.mkdir()
    for name, text in case.documents.items():
        (documents / f"{name}.md").write_bytes(text.encode("utf-8", "surrogatepass"))
    library = opened(tmp_path, documents, case)
    model = ScriptedModel(dict(case.scripts(library)), otherwise=library.statistics)
    around = Runtime(home=tmp_path, clock=still_clock(), environment={}, model=model, library=library)
    flags = {
        "docs": [str(documents)], "search": [], "offline": True, "models": {"model": "embedded"},
        "moderator": {"turns": case.turns, "after_answers": 1}, "agents": {"rounds": 3, "most_rounds": 5},
    }  # fmt: skip
    session = await start_session(case.topic, load_settings(flags, environment={}), around=around)
    events = await play(session)
    sound(session.state, tmp_path / "out", empty=case.empty)
    assert case.holds(session.state, events)
    library.store.close()


def opened(home: Path, documents: Path, case: Case) -> Library:
    outside: list[Collection] = [Place(case.place)] if case.place else []
    if not case.documents:
        return Library(Store(home / "library.sqlite"), outside)
    library = open_town(home, documents, *outside)
    return library if case.place else Library(library.store, library.collections[:1])


def sound(state: State, folder: Path, *, empty: bool | None = False) -> None:
    """Check what must be so however a session went."""
    assert state.status == "ended"
    taken = [turn.n for turn in state.turns]
    assert taken == sorted(taken)
    # A turn that failed keeps its number.
    assert sorted([*taken, *(failed.turn for failed in state.failed)]) == list(range(1, state.taken + 1))
    for turn in state.turns:
        assert turn.text.strip()
        assert citations(turn.text) == turn.citations
        assert set(turn.citations) <= set(state.evidence.passages)
    walked = list(state.map.walk())
    assert len(walked) == len(set(walked))
    held = Counter(p for node in walked for p in state.map.node(node).passages)
    # Of what was found for a question, what nobody cites has no place.
    assert {p for turn in state.turns for p in turn.citations} <= set(held) <= set(state.evidence.passages)
    assert set(held.values()) <= {1}
    assert all(len(state.map.node(node).title) <= 160 for node in walked[1:])
    report = state.report
    assert report is not None
    sentences = [s for section in report.sections for s in section.sentences]
    assert empty is None or empty != bool(sentences)
    assert all(s.citations for s in sentences)
    assert {c for s in sentences for c in s.citations} <= set(state.evidence.passages)
    assert len(walked) < 200
    files = files_of(state, folder)
    for name, data in files.items():
        text = data.decode("utf-8")
        assert "\x1b" not in text, name
        if name.endswith(".json"):
            json.loads(text)
    cited = set(re.findall(r"\[p\d+\](?!\()", files["report.md"].decode()))
    assert not cited, "the report shows an inner id"


async def test_a_report_asked_for_before_the_first_turn(tmp_path: Path) -> None:
    documents = tmp_path / "documents"
    documents.mkdir()
    (documents / "mill.md").write_text(article("mill"))
    library = open_town(tmp_path, documents)
    model = ScriptedModel(otherwise=library.statistics)
    around = Runtime(home=tmp_path, clock=still_clock(), environment={}, model=model, library=library)
    flags = {"docs": [str(documents)], "search": [], "offline": True, "models": {"model": "embedded"}}
    settings = load_settings(flags, environment={})
    session = await start_session("The town of Asterby", settings, around=around)
    report = await session.report()
    assert not report.sections
    session.stop()
    await play(session)
    sound(session.state, tmp_path / "out")
    library.store.close()


@pytest.mark.loopback
async def test_an_embedding_that_fails_in_the_middle(tmp_path: Path) -> None:
    documents = tmp_path / "documents"
    documents.mkdir()
    for name, text in FEW.items():
        (documents / f"{name}.md").write_text(text)
    with EmbeddingServer(broken_after=1) as server:
        flags = {
            "docs": [str(documents)], "search": [], "offline": True, "models": {"model": "embedded"},
            "moderator": {"turns": 4}, "agents": {"background": 4, "passages": 3},
            "mindmap": {"embeddings": {"model": "small", "url": server.url}},
            "library": {"fetch": {"allow": [server.host]}},
        }  # fmt: skip
        around = Runtime(home=tmp_path / "home", clock=still_clock(), environment={})
        session = await start_session(
            "The town of Asterby", load_settings(flags, environment={}), around=around
        )
        await play(session)
        assert len(server.asked) > 1
    state = session.state
    sound(state, tmp_path / "out")
    assert 0 < len(state.work.vectors) < len(state.evidence.passages)
    assert sum("by their words alone" in warning for warning in state.warnings) == 1
