"""`roundtable check` on a folder in which somebody changed something."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from roundtable.__main__ import run as run_here

TOPIC = "青河镇的洪水与重建"
Files = dict[str, Any]


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a session that has ended; nobody changes it."""
    folder = tmp_path_factory.mktemp("made")
    documents = Path(__file__).parents[1] / "documents_zh"
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("ROUNDTABLE_HOME", str(folder / "home"))
        order = ["run", TOPIC, "--docs", str(documents), "--offline", "--turns", "3", "--plain"]
        assert run_here([*order, "--model", "embedded", "--out", str(folder / "out")]) == 0
    return folder


@pytest.fixture
def folder(made: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("ROUNDTABLE_HOME", str(made / "home"))
    copy = tmp_path / "copy"
    copy.mkdir()
    for name in ("report.json", "sources.json"):
        (copy / name).write_bytes((made / "out" / name).read_bytes())
    return copy


def first(files: Files) -> dict[str, Any]:
    """Return the first sentence of a report."""
    found: dict[str, Any] = next(s for section in files["report"]["sections"] for s in section["sentences"])
    return found


def cited(files: Files) -> dict[str, Any]:
    """Return the passage that the first sentence cites."""
    identity = first(files)["citations"][0]
    every = (p for source in files["sources"]["sources"] for p in source["passages"])
    found: dict[str, Any] = next(p for p in every if p["id"] == identity)
    return found


def quotation_changed(files: Files) -> None:
    sentence = first(files)
    sentence["text"] = sentence["text"].replace(sentence["text"][3:6], "某某某", 1)


def number_added(files: Files) -> None:
    first(files)["text"] = first(files)["text"].replace("“", "").replace("”", "") + "，1655年花费7777元。"


def citation_unknown(files: Files) -> None:
    first(files)["citations"] = ["p9999"]


def citation_gone(files: Files) -> None:
    first(files)["citations"] = []


def passage_changed(files: Files) -> None:
    passage = cited(files)
    passage["text"] = passage["text"][:-4] + "某某某某"


def passage_moved(files: Files) -> None:
    passage = cited(files)
    passage["start"], passage["end"] = passage["start"] + 1, passage["end"] + 1


def table_changed(files: Files) -> None:
    identity = first(files)["citations"][0]
    row = [{"text": "1655", "citations": []}, {"text": "7777", "citations": [identity]}]
    table = {"title": "数据", "columns": ["年份", "元"], "rows": [row]}
    files["report"]["sections"][0]["tables"].append(table)


def chart_changed(files: Files) -> None:
    identity = first(files)["citations"][0]
    values = [{"年份": "1655", "元": 7777, "passage": identity}]
    spec = {"mark": "bar", "data": {"values": values}, "encoding": {"x": {"field": "年份"}}}
    files["report"]["sections"][0]["charts"].append({"title": "图", "spec": spec, "citations": [identity]})


@pytest.mark.parametrize(
    ("change", "says"),
    [
        (quotation_changed, "not in the passages: “"),
        (number_added, "not in the passages: "),
        (citation_unknown, "p9999"),
        (citation_gone, "no citation"),
        (passage_changed, "archived"),
        (passage_moved, "archived"),
        (table_changed, "数据: not in the passages: 1655, 7777"),
        (chart_changed, "图: not in p"),
    ],
)
def test_what_somebody_changed_is_named(
    change: Callable[[Files], None],
    says: str,
    folder: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("LC_ALL", "en_US.UTF-8")
    capsys.readouterr()
    assert run_here(["check", str(folder)]) == 0, "as it was written"
    capsys.readouterr()
    files = {name: json.loads((folder / f"{name}.json").read_text()) for name in ("report", "sources")}
    change(files)
    for name, values in files.items():
        (folder / f"{name}.json").write_text(json.dumps(values))
    assert run_here(["check", str(folder)]) == 1
    assert says in capsys.readouterr().out


def test_what_is_not_supported_is_said_in_the_terminal_s_language(
    folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LC_ALL", "zh_CN.UTF-8")
    files = {"report": json.loads((folder / "report.json").read_text())}
    citation_gone(files)
    (folder / "report.json").write_text(json.dumps(files["report"]))
    capsys.readouterr()
    assert run_here(["check", str(folder)]) == 1
    told = capsys.readouterr().out
    assert "（没有引文）" in told or "(没有引文)" in told
    assert "unsupported" not in told


@pytest.mark.parametrize("content", [None, "", "[]", '{"title": 3}', '{"sources": 3}', "\\x00"])
def test_what_is_no_report_is_one_clear_line(
    content: str | None, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for name in ("report.json", "sources.json"):
        before = (folder / name).read_bytes()
        if content is None:
            (folder / name).unlink()
        else:
            (folder / name).write_text(content)
        capsys.readouterr()
        assert run_here(["check", str(folder)]) == 2
        assert len(capsys.readouterr().err.splitlines()) == 1
        (folder / name).write_bytes(before)


def test_the_same_figures_stand_everywhere(
    made: Path, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    report = json.loads((made / "out" / "report.json").read_text())
    usage = json.loads((made / "out" / "usage.json").read_text())
    capsys.readouterr()
    assert run_here(["check", str(folder), "--json"]) == 0
    checked = json.loads(capsys.readouterr().out)
    assert report["summary"] == usage["report"] == checked["summary"]
    assert checked["figures"] == []
    made_of = " ".join(report["back"]["made"])
    for words in ("参加讨论", "讨论共", "次搜索", "个来源的", "未使用语言模型"):
        assert words in made_of
    assert " (" not in made_of
