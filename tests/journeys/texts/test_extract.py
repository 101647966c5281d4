"""`roundtable extract`: named fields of documents and pages, from the command line to the workbook."""

import csv
import io
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from PIL import Image
from python_calamine import CalamineWorkbook

from library.evidence import Passage, Source
from models import ScriptedModel
from reports import Comparison
from reports.compare.labelled_values import labelled_value
from reports.compare.table_cells import table_value
from roundtable.__main__ import run as run_here
from roundtable.config.config import load_settings
from roundtable.output.listed_works import KEPT, table_of
from roundtable.session.document_collections import document_collections
from roundtable.session.texts.extracting import extract_fields
from roundtable.session.texts.runtime import TextRuntime
from tests.library.conftest import Website
from tests.model_server import ModelServer

PAGE = """<!doctype html><title>Alderboard: a tracker for small teams</title><main><h1>Alderboard</h1>
<p>Alderboard keeps the tasks of small teams in one place, on a server of your own or ours. It began as a
weekend's work in a bicycle shop and is used by some two thousand shops by now.</p><h2>What it costs</h2>
<p>A hosted board is 4 euros a month for each person. On your own server it costs nothing.</p>
<table><tr><th>Latest version</th><td>7.2, of 3 May 2024</td></tr><tr><th>Licence</th><td>MIT</td></tr>
<tr><th>Languages</th><td>English, Danish, Polish</td></tr></table>
<h2>History</h2><p>The first version was published on 12 March 2016. Fjordware bought it then.</p></main>"""
INVOICE = """# Invoice 2024-117

Supplier: Northwind Paper Ltd, 4 Quay Street, Leith
Date: 14 February 2024

| Item | Amount |
|---|---|
| 40 reams of paper | 180.00 EUR |

Total due: 192.50 EUR, payable within 30 days.
"""
BILL = "=Harbour= Electric, account 5531\nBill of 3 March 2024\n\nThe total amount is 98.40 euros."


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("ROUNDTABLE_HOME", str(tmp_path / "home"))
    (tmp_path / "bills").mkdir()
    (tmp_path / "bills" / "paper.md").write_text(INVOICE)
    (tmp_path / "bills" / "power.txt").write_text(BILL)
    (tmp_path / "bills" / "broken.pdf").write_bytes(b"%PDF-1.4 nothing")
    (tmp_path / "board.html").write_text(PAGE)
    return tmp_path


def test_fields_of_files_and_a_folder_are_quoted_and_stay_empty_where_nothing_is_said(
    place: Path, capsys: pytest.CaptureFixture[str]
):
    order = ["extract", str(place / "board.html"), str(place / "bills"), "--offline", "--model", "embedded"]
    order += ["--fields", "licence; When was it first published?; total; supplier", "--out", str(place / "o")]
    assert run_here(order) == 0
    told = capsys.readouterr()
    assert told.err.startswith("3 × 4: nothing goes to the web; quoted, without a model")
    assert "broken.pdf: it is no readable PDF" in told.err
    [kept] = (place / "home" / "comparisons").iterdir()
    assert {path.name for path in (place / "o").iterdir()} | {KEPT} == {path.name for path in kept.iterdir()}
    held = {Path(one.paths[0]).name: one.of_file for one in document_collections(place / "home") if one.paths}
    assert held == {"board.html": True, "bills": False}, "a file alone is not offered to sessions"
    table = Comparison.model_validate_json((place / "o" / "fields.json").read_text())
    assert table_of(json.loads((kept / KEPT).read_text())) == table
    cells = {row.thing: [cell.text for cell in row.cells] for row in table.rows}
    assert list(cells) == ["board.html", "paper.md", "power.txt"]
    assert cells["board.html"][:3] == ["MIT", "The first version was published on 12 March 2016.", ""]
    assert cells["paper.md"][2:] == [
        "Total due: 192.50 EUR, payable within 30 days.", "Northwind Paper Ltd, 4 Quay Street, Leith",
    ]  # fmt: skip
    assert cells["paper.md"][0] == ""
    assert cells["power.txt"] == ["", "", "The total amount is 98.40 euros.", ""]
    for cell in (cell for row in table.rows for cell in row.cells if cell.text):
        assert cell.passage is not None
        assert cell.text in cell.quote
        assert cell.quote in " ".join(cell.passage.text.split())
    rows = list(csv.reader(io.StringIO((place / "o" / "fields.csv").read_text())))
    assert [row[0] for row in rows] == ["", "board.html", "paper.md", "power.txt"]
    values = CalamineWorkbook.from_path(str(place / "o" / "fields.xlsx")).get_sheet_by_index(0).to_python()
    assert values[1][:2] == ["board.html", "MIT"]
    assert "“Licence | MIT”".replace("|", "\\|") in (place / "o" / "fields.md").read_text()


def scripted(place: Path, reply: Callable[[Any], dict[str, Any]]) -> TextRuntime:
    model = ScriptedModel({"fill_comparison": reply}, name="filler")
    return TextRuntime(home=place / "home", environment={}, model=model)


@pytest.mark.loopback
async def test_pages_are_fetched_and_a_model_fills_in_what_stands_there_alone(place: Path):
    site = Website()
    shown, gone = site.add("/board", PAGE), f"{site.url}/gone"
    asked: list[Any] = []

    def reply(task: Any) -> dict[str, Any]:
        asked.append(task)
        if task.thing != "Alderboard":
            return {"cells": []}
        [cost, owner] = task.questions
        return {"cells": [
            {"n": cost.n, "value": "€4 a month", "passage": cost.passages[0], "quote": "4 euros a month"},
            {"n": owner.n, "value": "Oracle", "passage": owner.passages[0], "quote": "Oracle bought it"},
        ]}  # fmt: skip

    fetch = {"allow": [site.host], "robots": False, "pause": 0}
    settings = load_settings({"library": {"fetch": fetch}}, environment={})
    named = [shown, str(place / "bills" / "paper.md"), gone]
    steps = [s async for s in extract_fields(named, ["price", "owner"], settings, scripted(place, reply))]
    site.close()
    table = steps[-1]
    assert isinstance(table, Comparison)
    assert f"pages are fetched from {site.host}; filled by filler" in repr(steps[0])
    assert [row.thing for row in table.rows] == [shown, "paper.md"]
    price, owner = table.rows[0].cells
    assert (price.text, price.quote, price.judged_by) == ("€4 a month", "4 euros a month", "filler")
    assert price.passage is not None
    assert price.passage.url == shown
    assert owner.text == ""
    assert len(asked) == 2
    told = "\n".join(table.notices)
    assert f"{shown}, owner: what the model quoted does not stand in the passage" in told
    assert f"404 Not Found: {gone}" in told


@pytest.mark.loopback
def test_a_picture_is_read_by_a_model_that_sees(
    place: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
):
    scan = place / "scan.png"
    Image.new("RGB", (40, 40)).save(scan)
    order = ["extract", str(scan), "--fields", "total", "--offline", "--model", "embedded"]
    monkeypatch.setenv("ROUNDTABLE_MODELS__VISION", "openai:eye")
    with ModelServer(reply=lambda _: {"text": "Ferry of Asterby\n\nTotal: 7.50 EUR"}) as server:
        assert run_here([*order, "--base-url", server.url, "--out", str(place / "o")]) == 0
    told = capsys.readouterr()
    assert "pictures and pages without text are read by openai:eye" in told.err
    assert "total: 7.50 EUR" in told.out


def test_what_cannot_be_read_is_told_in_a_line(place: Path, capsys: pytest.CaptureFixture[str]):
    for named, words in (
        ("https://example.org/x", "a page is not read with --offline; save it, and name the file"),
        (str(place / "none.pdf"), "none.pdf: no file or folder and no collection of that name"),
    ):
        assert run_here(["extract", named, "--fields", "price", "--offline", "--out", str(place / "o")]) == 2
        assert words in capsys.readouterr().err
    for named, words in (
        ("http://[::1", "http://[::1: no file or folder"),
        ("http://ann:SECRET@127.0.0.1/x", "127.0.0.1 belongs to this machine"),
    ):
        run_here(["extract", named, "--fields", "price", "--model", "embedded", "--out", str(place / "o")])
        told = capsys.readouterr().err
        assert words in told
        assert "SECRET" not in told
    order = ["extract", str(place / "board.html"), "--fields", " , ", "--offline", "--out", str(place / "o")]
    assert run_here(order) == 2
    assert "--fields 'price, licence'" in capsys.readouterr().err


def test_json_is_all_that_stands_on_stdout(place: Path, capsys: pytest.CaptureFixture[str]):
    order = ["extract", str(place / "board.html"), "--fields", "licence", "--offline", "--model", "embedded"]
    assert run_here([*order, "--json", "--out", str(place / "o")]) == 0
    told = capsys.readouterr()
    assert json.loads(told.out)["rows"][0]["cells"][0]["text"] == "MIT"


@pytest.mark.parametrize(
    ("text", "field", "value"),
    [
        ("Licence: MIT", "licence", "MIT"),
        ("- **Licences:** `MIT`, BSD", "licence", "`MIT`, BSD"),
        ("许可：MIT", "许可", "MIT"),
        ("Region: North | Sales: 10", "sales", "10"),
        ("Region: North | Sales: 10\nRegion: South | Sales: 20", "sales", None),
        ("Licence: MIT\nLicence: MIT", "licence", "MIT"),
        ("| Kind | Licence |\n|---|---|\n| Tracker | MIT |", "licence", "MIT"),
        ("| Kind | Height (m) | Left |\n|:--|--:|--|\n| Tower | 1,200 | – |", "height", "1,200 m"),
        ("| Kind | Height (m) | Left |\n|:--|--:|--|\n| Tower | 1,200 | – |", "left", None),
        ("Kind | Licence | Sales\nTracker | MIT | 3", "licence", "MIT"),
        ("Kind: Tracker | Licence: MIT\nKind: Board | Licence: BSD", "licence", None),
        ("| 种类 | 许可 |\n|---|---|\n| 看板 | MIT |", "许可", "MIT"),
        ("It is open from 10:30, see https://example.org.", "https", None),
        ("The price is not told.", "price", None),
        (f"Licence: {'word ' * 50}", "licence", None),
    ],
)
def test_what_stands_under_a_label_or_in_its_column_is_its_value(text: str, field: str, value: str | None):
    passage = Passage("0" * 64, 0, len(text), text, "https://example.org/", "Title")
    found = labelled_value(field, [passage])
    if found is None:
        found = table_value(field, [(passage, Source("0" * 64, "https://example.org/", "Title", text))])
    assert (found.value if found else None) == value


@pytest.mark.parametrize(("head", "field", "day"), [
    ("# Minutes of the meeting of 12 March 2024", "date", "12 March 2024"),
    ("# Minutes of the meeting of 12 March 2024", "date of the meeting", "12 March 2024"),
    ("# Minutes of the meeting of 12 March 2024", "date of the fire", ""),
    ("# Minutes\n\nLeith, 12 March 2024", "date", "12 March 2024"),
    ("# 2024年3月12日会议纪要", "日期", "2024年3月12日"),
])  # fmt: skip
def test_the_day_that_a_document_is_of_stands_in_its_title(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, head: str, field: str, day: str
) -> None:
    monkeypatch.setenv("ROUNDTABLE_HOME", str(tmp_path / "home"))
    (tmp_path / "m.md").write_text(f"{head}\n\nThe roof is mended before the winter. All agreed to it.\n")
    order = ["extract", str(tmp_path / "m.md"), "--offline", "--model", "embedded", "--fields", field]
    assert run_here([*order, "--out", str(tmp_path / "o")]) == 0
    table = Comparison.model_validate_json((tmp_path / "o" / "fields.json").read_text())
    [cell] = table.rows[0].cells
    assert cell.text == day
    assert cell.passage is None or day in cell.passage.text
