"""A session that begins with an outline, and what the map is exported as."""

import json
from pathlib import Path

import networkx as nx
import pytest

from mindmap import MapEdited, Outline, read_outline
from moderator import QuestionRaised
from roundtable.__main__ import run as command
from roundtable.config.config import load_settings
from roundtable.journal.commands.command import CommandError
from roundtable.journal.storage.journal_store import Journal
from roundtable.session.factory import Runtime, resume_session, start_session

OUTLINE = """# Why do rivers flood?

- Weather
  - Heavy rain
  - Melting snow
- Cities and sealed ground
- How do dykes fail?
"""
TEXTS = {
    "rain": "Heavy rain fills rivers faster than they drain. A storm of three days raised it by a metre.",
    "snow": "Snow that melts in spring brings floods. Warm wind on deep, melting snow is the worst weather.",
    "cities": "Cities seal the ground with asphalt. Water runs off roofs and streets into rivers in an hour.",
    "dykes": "Dykes keep water from fields. When dykes fail, the flood comes suddenly and with great force.",
}


@pytest.fixture
def rivers(tmp_path: Path) -> Path:
    folder = tmp_path / "rivers"
    folder.mkdir()
    for name, text in TEXTS.items():
        (folder / f"{name}.md").write_text(f"---\ntitle: On {name}\n---\n\n# {name} and floods\n\n{text}\n")
    return folder


@pytest.fixture
def outline(tmp_path: Path) -> Outline:
    file = tmp_path / "mine.md"
    file.write_text(OUTLINE)
    return read_outline(file)


async def test_an_outline_stands_in_the_map_and_is_asked_about_first(
    around: Runtime, rivers: Path, outline: Outline
) -> None:
    settings = load_settings(
        {"docs": [str(rivers)], "offline": True, "models": {"model": "embedded"}}, environment={}
    )
    session = await start_session(outline.title, settings, around=around, outline=outline)
    opening = Journal(around.home / "journal.db", around.clock).read(session.id)
    assert any(isinstance(recorded.event, MapEdited) for recorded in opening)
    asked = [e.event for e in opening if isinstance(e.event, QuestionRaised)]
    assert [question.by for question in asked] == ["person"] * 5
    assert asked[2].text == "How do dykes fail?"
    await session.close()

    # Nothing of it is lost when the session is cut off right after its beginning.
    session = await resume_session(session.id, around=around)
    _ = [recorded async for recorded in session.run()]
    state = session.state
    report = state.report
    with pytest.raises(CommandError, match="nothing to undo"):
        session.do("/undo")  # what was asked about stays in the map
    again = await session.write_again(None, "Snow that melts in spring\nHeavy rain\n")
    left = {section.heading for section in again.sections}
    assert "Heavy rain" in left
    assert not left & {"Weather", "Cities and sealed ground", "How do dykes fail?"}, "these are not in it"
    await session.close()

    assert state.status == "ended"
    answered = [turn.question for turn in state.answers()]
    assert set(answered[:5]) == {question.id for question in asked}, "a person's outline is taken first"
    assert report is not None
    headings = [section.heading for section in report.sections]
    assert {"Weather", "Heavy rain", "Cities and sealed ground", "How do dykes fail?"} <= set(headings)
    told = [headings.index(point) for point in ("Weather", "Heavy rain", "Cities and sealed ground")]
    assert told == sorted(told), "in the outline's order, a point's own points after it"
    tree = state.map
    titles = {tree.title(node): node for node in tree.walk()}
    assert [tree.title(c) for c in tree.children(tree.root)][:3] == [n.title for n in outline.children]
    assert [tree.title(c) for c in tree.children(titles["Weather"])] == ["Heavy rain", "Melting snow"]
    holds = {
        title: " ".join(state.evidence.passages[p].text for p in tree.passages(node))
        for title, node in titles.items()
    }
    assert "asphalt" in holds["Cities and sealed ground"]
    assert "great force" in holds["How do dykes fail?"]
    assert "three days" in holds["Heavy rain"]


def test_a_map_goes_to_other_tools_and_comes_back(
    rivers: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    flags = ["--docs", str(rivers), "--offline", "--model", "embedded", "--plain"]
    (tmp_path / "mine.md").write_text(OUTLINE)
    out = tmp_path / "out"
    assert command(["import-map", str(tmp_path / "mine.md"), *flags, "--out", str(out)]) == 0
    formats = ["json", "node-link", "graphml", "mermaid", "md", "opml", "mm", "dot", "csv", "svg", "html"]
    chosen = [word for each in formats for word in ("--map", each)]
    assert command(["export", "last", *chosen, "--out", str(out)]) == 0
    graph = nx.read_graphml(out / "mindmap.graphml")
    titles = {data.get("title") or data.get("label") for _, data in graph.nodes(data=True)}
    assert {"Weather", "Heavy rain"} <= titles
    for name in ("mindmap.opml", "mindmap.mm", "mindmap.json", "mindmap.md"):
        again = read_outline(out / name)
        assert [child.title for child in again.children][:2] == ["Weather", "Cities and sealed ground"], name
    assert len(json.loads((out / "mindmap.node-link.json").read_text())["nodes"]) == len(graph)
    assert command(["export", "last", "--map", "svg", "--out", str(tmp_path / "alone.svg")]) == 0
    assert (tmp_path / "alone.svg").read_text().lstrip().startswith("<")
    assert command(["export", "last", "--report", "html", "--report", "bib", "--out", str(out)]) == 0
    assert (out / "report.html").exists()
    assert (out / "report.bib").exists()
    assert command(["export", "last", "--report", "html", "--report", "bib", "--out", "-"]) == 2
    assert "several reports cannot be one file" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["export", "last", "--map", "visio"], "no map format 'visio'; there are json, node-link, graphml"),
        (["export", "last", "--map", "pgn"], "no map format 'pgn'; did you mean png? there are json"),
        (["import-map", "missing.opml"], "missing.opml"),
        (["import-map", "empty.md"], "holds no outline"),
        (["import-map", "untitled.md"], "--topic"),
    ],
)
def test_what_cannot_be_exported_or_imported_is_said_in_one_line(
    arguments: list[str],
    says: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "empty.md").write_text("Only words.\n")
    (tmp_path / "untitled.md").write_text("- One\n- Two\n")
    assert command(arguments) == 2
    said = capsys.readouterr().err
    assert says in said
    assert len(said.splitlines()) == 1
