import json
from dataclasses import replace
from pathlib import Path

import pytest

from library.events import Searched
from reports.document import Chart
from roundtable.config.errors import OutputError
from roundtable.journal.events import Recorded
from roundtable.journal.fold.state import State
from roundtable.output.outputs import FILES, MARKER, claim_folder, default_folder, slug, write_outputs
from roundtable.output.transcript import _linked
from tests.roundtable.output.told import SOURCE, session, source


def state_of(events: list[Recorded]) -> State:
    state = State(source)
    for recorded in events:
        state.fold(recorded)
    return state


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "out"


def test_all_files_are_there_in_their_formats(folder: Path):
    written = write_outputs(state_of(session()), folder)
    assert sorted(path.name for path in written) == sorted(FILES)
    assert sorted(path.name for path in folder.iterdir()) == sorted(FILES)
    report = json.loads((folder / "report.json").read_text())
    assert report["sections"][0]["sentences"][0]["citations"] == ["p1"]
    tree = json.loads((folder / "mindmap.json").read_text())
    assert {node["id"]: node["passages"] for node in tree["nodes"]} == {"n0": [], "n1": ["p1"], "n2": ["p3"]}
    sources = json.loads((folder / "sources.json").read_text())["sources"]
    assert [p["id"] for p in sources[0]["passages"]] == ["p1", "p2", "p3"]
    line = json.loads((folder / "transcript.jsonl").read_text())
    assert list(line) == ["n", "speaker", "role", "act", "text", "citations", "replies_to", "at", "seconds"]
    usage = json.loads((folder / "usage.json").read_text())
    assert (usage["requests"], usage["tokens"], usage["cost"], usage["searches"]) == (2, 1000, 0.01, 2)
    assert usage["by_task"]["answer"]["requests"] == 2
    assert usage["by_speaker"]["ada"]["seconds"] == 2.5
    assert usage["by_speaker"]["moderator"]["searches"] == 2
    assert usage["seconds"] == 15.0


def test_sources_are_cited_from_where_this_session_found_them(folder: Path):
    held = replace(SOURCE, url="file:///old/tea.txt", title="tea")
    state = State(lambda _: held)
    for recorded in session():
        event = recorded.event
        if isinstance(event, Searched):
            hits = [hit.model_copy(update={"url": "file:///new/green%20tea.txt"}) for hit in event.hits]
            recorded = recorded.model_copy(update={"event": event.model_copy(update={"hits": hits})})
        state.fold(recorded)
    write_outputs(state, folder)
    [source] = json.loads((folder / "sources.json").read_text())["sources"]
    assert (source["url"], source["title"]) == ("file:///new/green%20tea.txt", "green tea")
    assert state.evidence.passages["p1"].url == source["url"]


def test_the_same_events_give_the_same_bytes(folder: Path):
    write_outputs(state_of(session()), folder)
    before = {name: (folder / name).read_bytes() for name in FILES}
    write_outputs(state_of(session()), folder)
    assert before == {name: (folder / name).read_bytes() for name in FILES}


def test_the_transcript_reads_well_and_its_citations_lead_to_sources(folder: Path):
    write_outputs(state_of(session()), folder)
    text = (folder / "transcript.md").read_text()
    assert text.startswith("# Tea\n\n**At the table**\n\n- **Ada** — Botanist\n")
    assert "> What is tea made of?\n\n### 1. Ada\n\n“It is made from" in text
    assert "[\\[1.1\\]](#source-1)" in text
    assert "[p2]" not in text
    assert r'- \[1\] <a id="source-1"></a>**Tea, a \<b\>drink\</b\>** — Ada, 2020-01-01' in text
    assert "<https://example.org/tea?a=1>" in text
    assert "- Who drinks it?" in text


def test_without_a_report_all_else_is_written_and_an_old_report_goes(folder: Path):
    write_outputs(state_of(session()), folder)
    early = [r for r in session() if r.event.kind not in {"report_written", "session_ended"}]
    written = write_outputs(state_of(early), folder)
    assert {path.name for path in written} == set(FILES) - {"report.md", "report.json"}
    assert not (folder / "report.md").exists()


def test_another_sessions_folder_is_refused_unless_forced(folder: Path):
    claim_folder(folder, "one")
    write_outputs(state_of(session()), folder)
    assert claim_folder(folder, "one") == folder
    with pytest.raises(OutputError, match="files of session one.*--force"):
        claim_folder(folder, "two")
    claim_folder(folder, "two", force=True)
    assert (folder / MARKER).read_text() == "two\n"


def test_files_of_our_names_that_nobody_claimed_are_not_overwritten(folder: Path):
    folder.mkdir()
    (folder / "notes.txt").write_text("mine")
    claim_folder(folder, "one")
    (folder / MARKER).unlink()
    (folder / "report.md").write_text("mine")
    with pytest.raises(OutputError, match="report.md is there"):
        claim_folder(folder, "one")


def test_a_folder_that_cannot_be_written_is_one_clear_error(tmp_path: Path):
    (tmp_path / "file").write_text("x")
    for impossible in (tmp_path / "file", tmp_path / "file" / "below", Path("/proc/nothing/here")):
        with pytest.raises(OutputError, match="cannot write to .*choose another --out"):
            claim_folder(impossible, "one")


def test_a_file_that_cannot_be_written_leaves_the_old_one_and_no_crumbs(folder: Path):
    write_outputs(state_of(session()), folder)
    (folder / "usage.json").unlink()
    (folder / "usage.json").mkdir()
    with pytest.raises(OutputError, match="roundtable export"):
        write_outputs(state_of(session()), folder)
    assert not [path for path in folder.iterdir() if path.name.startswith(".")]


@pytest.mark.parametrize(
    ("topic", "name"),
    [
        ("How does Python's import system work?", "how-does-python-s-import-system-work"),
        ("为什么城市会被淹?", "为什么城市会被淹"),
        ("../../etc/passwd", "etc-passwd"),
        ("???", "topic"),
        ("\x1b[31mWhat\x1b]0;name\x07 is\u202e a dik\u200be?\x1b[0m", "what-is-a-dike"),
        ("x" * 99, "x" * 40),
    ],
)
def test_folders_are_named_after_the_topic(topic: str, name: str):
    assert slug(topic) == name
    assert default_folder(topic, "ab12").name == f"{name}-ab12"


def test_charts_lie_beside_the_report_and_go_with_it(folder: Path):
    state = state_of(session())
    assert state.report is not None
    values = [{"what": "cups", "count": 7, "passage": "p1"}, {"what": "pots", "count": 2, "passage": "p1"}]
    axes = {"x": {"field": "what", "type": "nominal"}, "y": {"field": "count", "type": "quantitative"}}
    spec: dict[str, object] = {"mark": "bar", "data": {"values": values}, "encoding": axes}
    drawn = Chart(title="Cups", spec=spec, citations=["p1"])
    section = state.report.sections[0].model_copy(update={"charts": [drawn]})
    state.report = state.report.model_copy(update={"sections": [section, *state.report.sections[1:]]})
    assert folder / "report-chart-1.svg" in write_outputs(state, folder)
    assert "![Cups](report-chart-1.svg)" in (folder / "report.md").read_text()
    assert (folder / "report-chart-1.svg").read_text().startswith("<svg")
    write_outputs(state_of(session()), folder)
    assert sorted(path.name for path in folder.iterdir()) == sorted(FILES)


def test_the_transcript_shows_code_and_names_passages() -> None:
    labels = {"p1": "1.1", "p2": "1.2", "p3": "2.1"}
    shown = _linked("Set `wal_level` to *replica* [p1][p2]. Then go [p3][p2].", labels)
    first, second, third = (f"[\\[{name}\\]](#source-{name[0]})" for name in labels.values())
    assert shown == f"Set `wal_level` to \\*replica\\* {first}{second}. Then go {third}{second}."


def test_the_transcript_says_that_you_ask_and_that_others_ask(folder: Path):
    events = session()
    (taken,) = [e for e in events if e.event.kind == "turn_taken"][:1]
    mine = taken.event.turn.model_copy(
        update={"n": 2, "speaker": "person", "name": "You", "role": "person", "act": "question"}
    )
    theirs = mine.model_copy(update={"n": 3, "speaker": "moderator", "role": "moderator"})
    said = [
        taken.model_copy(update={"event": taken.event.model_copy(update={"turn": turn, "admitted": []})})
        for turn in (mine, theirs)
    ]
    at = events.index(taken) + 1
    write_outputs(state_of([*events[:at], *said, *events[at:]]), folder)
    text = (folder / "transcript.md").read_text()
    assert "### 2. You ask\n" in text
    assert "### 3. Moderator asks\n" in text


def test_of_several_people_a_transcript_names_each(folder: Path):
    events = session()
    taken = next(e for e in events if e.event.kind == "turn_taken")
    turn = taken.event.turn.model_copy(
        update={"speaker": "person", "name": "You", "role": "person", "act": "question", "citations": []}
    )
    said = [turn.model_copy(update={"n": n, "person": who}) for n, who in ((2, "Bo *Li*"), (3, ""))]
    more = [taken.model_copy(update={"event": taken.event.model_copy(update={"turn": t})}) for t in said]
    at = events.index(taken) + 1
    write_outputs(state_of([*events[:at], *more, *events[at:]]), folder)
    text = (folder / "transcript.md").read_text()
    assert "### 2. Bo \\*Li\\* asks\n" in text
    assert "### 3. You ask\n" in text
    lines = [json.loads(line) for line in (folder / "transcript.jsonl").read_text().splitlines()]
    assert [line.get("person") for line in lines[:3]] == [None, "Bo *Li*", None]
    assert "Bo" not in (folder / "report.md").read_text() + (folder / "mindmap.json").read_text()


def test_who_left_before_saying_a_word_did_not_sit_there() -> None:
    state = State(source)
    seated = next(recorded.event for recorded in session() if recorded.event.kind == "panel_seated")
    first, *_ = seated.panel
    gone = first.model_copy(update={"slug": "gone", "name": "Gone"})
    panels = [[first, gone], [first]]
    for n, panel in enumerate(panels, 1):
        event = seated.model_copy(update={"panel": panel})
        state.fold(Recorded(n=n, at="2026-01-01T00:00:00.000Z", event=event))
    assert [person.name for person in state.at_table()] == [first.name]
