"""What becomes of a report after its session: other forms, another outline, and checks, from the journal."""

import json
import os
import subprocess
import sys
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest

from models import install_command
from reports import FORMS as ALL_FORMS
from reports.settings import ReportSettings, Style
from roundtable.__main__ import run as run_here
from roundtable.cli.subcommands.discussing.report_command import STYLES
from roundtable.cli.subcommands.sessions.export_command import FORMS
from roundtable.journal.fold.state import State
from roundtable.output.exports import outline_of
from roundtable.session.factory import Runtime, resume_session, start_session
from tests.journeys.session.test_embedded import play, settings_for
from tests.model_server import ModelServer

TOPIC = "青河镇的洪水与重建"


@pytest.fixture
def out(chinese_documents: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Path:
    """The folder of a session that has ended."""
    folder = tmp_path / "out"
    order = ["run", TOPIC, "--docs", str(chinese_documents), "--offline", "--turns", "4", "--plain"]
    assert run_here([*order, "--model", "embedded", "--out", str(folder)]) == 0
    assert "引文准确率 100%" in capsys.readouterr().out
    return folder


def test_help_names_all_there_is() -> None:
    assert set(FORMS) == set(ALL_FORMS)
    assert set(STYLES) == set(Style.__args__)  # type: ignore[attr-defined]


def test_a_report_is_exported_in_every_form_the_same_in_every_process(out: Path, tmp_path: Path) -> None:
    made = []
    for seed in ("1", "2"):
        folder = tmp_path / seed
        program = (
            "import sys; from roundtable.__main__ import run\n"
            f"for form in {FORMS!r}:\n"
            "    assert run(['export', 'last', '--report', form, '--out', sys.argv[1]]) == 0\n"
            "assert run(['export', 'last', '--out', sys.argv[1]]) == 0"
        )
        done = subprocess.run(
            [sys.executable, "-c", program, str(folder)], capture_output=True, text=True, check=False,
            env={**os.environ, "PYTHONHASHSEED": seed},
        )  # fmt: skip
        assert done.returncode == 0, done.stderr
        made.append({file.name: file.read_bytes() for file in sorted(folder.iterdir())})
    assert made[0].keys() == made[1].keys()
    for name, data in made[0].items():
        assert data == made[1][name], name
    assert {"report.pdf", "report.docx", "report.html", "report.tex", "report.bib"} <= made[0].keys()
    assert made[0]["report.md"] == (out / "report.md").read_bytes()


def test_where_an_export_goes(out: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    named = tmp_path / "paper.html"
    assert run_here(["export", "last", "--report", "html", "--out", str(named)]) == 0
    assert named.read_bytes().startswith(b"<!DOCTYPE html>")
    capsys.readouterr()
    assert run_here(["export", "last", "--report", "bib", "--out", "-"]) == 0
    assert capsys.readouterr().out.startswith("@")
    assert run_here(["export", "last", "--report", "json", "--out", str(out)]) == 0


def test_a_missing_extra_is_one_clear_line(
    out: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(sys.modules, "docx", None)
    capsys.readouterr()
    assert run_here(["export", "last", "--report", "docx", "--out", str(out)]) == 2
    said = capsys.readouterr().err
    assert install_command("export") in said
    assert len(said.splitlines()) == 1


def test_an_outline_is_edited_and_followed(
    out: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    before = json.loads((out / "report.json").read_text())
    plan = tmp_path / "outline.md"
    assert run_here(["export", "last", "--outline", "--out", str(plan)]) == 0
    assert run_here(["report", "last", "--outline", str(plan)]) == 0
    assert json.loads((out / "report.json").read_text()) == before, "an outline that nobody edited"

    lines = [line for line in plan.read_text().splitlines() if line.startswith("# ")]
    node = lines[0].partition("<!--")[2].partition("-->")[0].strip()
    plan.write_text(f"# My own heading <!-- {node} -->\n")
    capsys.readouterr()
    assert run_here(["report", "last", "--outline", str(plan), "--style", "brief"]) == 0
    assert "0 次请求" in capsys.readouterr().out
    report = json.loads((out / "report.json").read_text())
    assert [s["heading"] for s in report["sections"] if s["node"]] in (["My own heading"], [])

    plan.write_text("# Nowhere <!-- n999 -->\n")
    assert run_here(["report", "last", "--outline", str(plan)]) == 2
    assert "the map has no node n999" in capsys.readouterr().err


def test_a_report_in_another_order_keeps_the_numbers_of_its_sources(out: Path, tmp_path: Path) -> None:
    def numbers() -> dict[str, str]:
        sources = json.loads((out / "sources.json").read_text())["sources"]
        return {source["sha256"]: source["id"] for source in sources}

    before, plan = numbers(), tmp_path / "outline.md"
    assert run_here(["export", "last", "--outline", "--out", str(plan)]) == 0
    tops: list[list[str]] = []
    for line in plan.read_text().splitlines():
        if line.startswith("# "):
            tops.append([])
        if tops:
            tops[-1].append(line)
    assert len(tops) > 1
    plan.write_text("\n".join(line for top in reversed(tops) for line in top))
    assert run_here(["report", "last", "--outline", str(plan)]) == 0
    assert numbers() == before


def test_the_outline_of_a_report_on_a_question_is_the_one_it_follows(
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    python_indexed: Callable[[Path], Path],
) -> None:
    monkeypatch.setenv("ROUNDTABLE_HOME", str(python_indexed(tmp_path / "home")))
    out, plan = tmp_path / "out", tmp_path / "outline.md"
    topic = "How does an object's attribute get found?"
    line = ["run", topic, "--docs", "python", "--offline", "--model", "embedded", "--plain", "--turns", "3"]
    assert run_here([*line, "--out", str(out)]) == 0
    assert run_here(["export", "last", "--outline", "--out", str(plan)]) == 0
    before = json.loads((out / "report.json").read_text())
    headings = [line[2:].partition(" <!-- p")[0] for line in plan.read_text().splitlines() if line[:1] == "#"]
    told = [section["heading"] for section in before["sections"][1:]]
    assert told
    assert [heading for heading in headings if heading in told] == told
    assert run_here(["report", "last", "--outline", str(plan)]) == 0
    after = json.loads((out / "report.json").read_text())
    assert [s["heading"] for s in after["sections"]] == [s["heading"] for s in before["sections"]]
    for one, again in zip(before["sections"], after["sections"], strict=True):
        # A section that told nothing stands in no outline: what it had kept for itself may be told now.
        assert {s["text"] for s in one["sentences"]} <= {s["text"] for s in again["sentences"]}
    capsys.readouterr()


def test_a_report_is_written_again_in_another_language(
    out: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run_here(["report", "last", "--language", "en", "--style", "faq", "--words", "300"]) == 0
    report = json.loads((out / "report.json").read_text())
    assert report["language"] == "en"
    assert report["sections"][0]["heading"] == "In brief"
    assert report["summary"]["quoted"] == report["summary"]["sentences"]
    assert run_here(["report", "last"]) == 0
    assert json.loads((out / "report.json").read_text())["sections"][0]["heading"] == "概要"
    capsys.readouterr()
    assert run_here(["report", "last", "--language", "no such"]) == 2
    assert "language" in capsys.readouterr().err


def test_the_checker_names_what_was_changed_in_a_saved_report(
    out: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LC_ALL", "en_US.UTF-8")
    usage = json.loads((out / "usage.json").read_text())
    report = json.loads((out / "report.json").read_text())
    assert usage["report"] == report["summary"]
    assert run_here(["check", str(out)]) == 0
    assert run_here(["check", "last"]) == 0
    capsys.readouterr()
    section = next(s for s in report["sections"] if s["sentences"])
    changed = section["sentences"][0]
    changed["text"] = changed["text"].replace("“", "").replace("”", "") + "，1655年花费7777元。"
    (out / "report.json").write_text(json.dumps(report))
    assert run_here(["check", str(out)]) == 1
    said = capsys.readouterr().out
    assert "not in the passages: " in said
    assert "1655" in said.partition("not in the passages: ")[2]
    (out / "report.json").write_text("{}")
    assert run_here(["check", str(out)]) == 2


@pytest.mark.loopback
async def test_only_sections_that_changed_are_written_again(around: Runtime, chinese_documents: Path) -> None:
    with ModelServer() as server:
        models = {"model": "openai:test-model", "base_url": server.url}
        settings = settings_for(chinese_documents, models=models, moderator={"turns": 6})
        session = await start_session(TOPIC, settings, around=around)
        await play(session)
        session = await resume_session(session.id, settings, around=around)
        first, asked, state = session.state.report, server.requests, session.state
        assert state.writing.drafts, "the model wrote in words of its own"
        again = await session.write_again()
        assert server.requests == asked, "nothing changed, nothing is asked"
        assert first is not None
        assert again.sections == first.sections

        written = len(state.usage)
        plan = outline_of(state).splitlines()
        assert len(plan) > 1
        plan[0] = plan[0].replace("# ", "# Quite another name for ", 1)
        await session.write_again(outline="\n".join(plan))
        tasks = Counter(cost.task for cost in state.usage[written:])
        assert tasks["write_sections"] == 1

        written = len(state.usage)
        await session.write_again(ReportSettings(audience="children"))
        tasks = Counter(cost.task for cost in state.usage[written:])
        assert tasks["write_sections"] >= 1
        await session.close()


@pytest.mark.loopback
async def test_after_more_turns_no_sentence_is_judged_or_edited_twice(
    around: Runtime, chinese_documents: Path
) -> None:
    with ModelServer() as server:
        models = {"model": "openai:test-model", "base_url": server.url}
        settings = settings_for(chinese_documents, models=models, moderator={"turns": 4})
        session = await start_session(TOPIC, settings, around=around)
        await play(session)
        session = await resume_session(session.id, settings, around=around)
        before = len(server.asked)
        session.do("/go 2")
        await play(session)
        session = await resume_session(session.id, settings, around=around)
        tasks = Counter(cost.task for cost in session.state.usage)
        await session.close()
    assert sum(count for task, count in tasks.items() if "write_answer" in task) >= 2, "written twice"
    judged, smoothed = [
        [
            {said for asked in part if sign in asked.prompt for said in pieces(asked.material)}
            for part in (server.asked[:before], server.asked[before:])
        ]
        for sign, pieces in (("You check a report.", _sentences), ("You go over a report once", _sections))
    ]
    assert judged[0]
    assert not judged[0] & judged[1], "no sentence is judged twice"
    assert smoothed[0]
    assert not smoothed[0] & smoothed[1], "no section is edited twice"


def _sentences(material: str) -> list[str]:
    lines = [line for line in material.splitlines() if line[:1].isdigit()]
    return [line.partition(". ")[2] for line in lines if ". " in line]


def _sections(material: str) -> list[str]:
    return ["\n".join(_sentences(part)) for part in material.split("\n## ")[1:]]


@pytest.mark.loopback
async def test_a_question_is_answered_first_and_nothing_it_rests_on_is_lost(
    around: Runtime, chinese_documents: Path
) -> None:
    with ModelServer() as server:
        models = {"model": "openai:test-model", "base_url": server.url}
        settings = settings_for(chinese_documents, models=models, moderator={"turns": 4})
        session = await start_session("青河镇的洪水为什么这么大？", settings, around=around)
        await play(session)
        session = await resume_session(session.id, settings, around=around)
        state = session.state
        tasks = {name for cost in state.usage for name in cost.task.split("+")}
        await session.close()
    report = state.report
    assert report is not None
    assert {"plan_sections", "write_answer", "review_answer"} <= tasks
    assert report.sections[0].heading == "概要"
    assert report.answer.sentences == len(report.sections[0].sentences) > 0
    assert all(s.citations for section in report.sections for s in section.sentences)
    resting = {i for turn in state.answers() for i in turn.citations}
    told = {i for section in report.sections for s in section.sentences for i in s.citations}
    left_out = {one.passage for one in report.left_out}
    said = {_text(state, i) for i in told}
    assert all(_text(state, i) in said for i in resting - left_out)
    assert not left_out & told
    assert all(one.reason for one in report.left_out)
    assert report.summary.resting == report.summary.resting_told + len(report.left_out)


def _text(state: State, passage: str) -> str:
    return " ".join(state.evidence.passages[passage].text.split())
