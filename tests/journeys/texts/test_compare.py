"""`roundtable compare`: things against questions, from the command line to the workbook."""

import csv
import io
import json
from pathlib import Path
from typing import Any

import pytest
from python_calamine import CalamineWorkbook

from models import ScriptedModel
from reports import Comparison
from roundtable.__main__ import run as run_here
from roundtable.commands.comparison_size import asked_for, parted
from roundtable.config.config import load_settings
from roundtable.session.texts.comparing import compare_things
from roundtable.session.texts.runtime import TextRuntime

TRACKERS = """# Task trackers reviewed

## Alderboard

Alderboard is a tracker for small teams. It costs 4 euros a month for each person. Alderboard is published
under the MIT licence. Data is kept in Ireland.

## Birchlist

Birchlist is free for up to five people; larger teams pay 9 dollars per user and month. Birchlist was sold to
a Swedish company when prices of its rivals rose. Its source is closed.

## Cedarplan

=Cedarplan= was first released in 2015. The licence of Cedarplan is the AGPL, version 3. Unlike Alderboard, it
has no limit of size.
"""
THINGS = ["Alderboard", "Birchlist", "Cedarplan"]


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("ROUNDTABLE_HOME", str(tmp_path / "home"))
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "trackers.md").write_text(TRACKERS)
    (tmp_path / "docs" / "tides.md").write_text(
        "# Tides\n\nThe price of tide tables rose to 40 pounds in 1911.\n"
    )
    return tmp_path


def test_a_table_is_filled_with_quotations_and_stays_empty_where_nothing_is_said(
    place: Path, capsys: pytest.CaptureFixture[str]
):
    order = ["compare", "--of", ", ".join(THINGS), "--by", "price, license, When was it first released?"]
    order += ["--docs", str(place / "docs"), "--offline", "--model", "embedded", "--out", str(place / "out")]
    assert run_here(order) == 0
    told = capsys.readouterr()
    assert "nothing goes to the web" in told.err
    assert "5 of 9 cells" in told.out
    assert len(list((place / "home" / "comparisons").glob("*/kept.json"))) == 1
    table = Comparison.model_validate_json((place / "out" / "comparison.json").read_text())
    cells = {row.thing: [cell.text for cell in row.cells] for row in table.rows}
    assert cells["Alderboard"] == [
        "It costs 4 euros a month for each person.", "Alderboard is published under the MIT licence.", "",
    ]  # fmt: skip
    assert cells["Birchlist"] == [
        "Birchlist is free for up to five people; larger teams pay 9 dollars per user and month.", "", "",
    ]  # fmt: skip
    assert cells["Cedarplan"][0] == ""
    for cell in (cell for row in table.rows for cell in row.cells if cell.text):
        assert cell.passage is not None
        assert cell.quote in " ".join(cell.passage.text.split())
    assert "“It costs 4 euros a month for each person.”" in (place / "out" / "comparison.md").read_text()
    rows = list(csv.reader(io.StringIO((place / "out" / "comparison.csv").read_text())))
    assert rows[0][1:4] == ["price", "price: quoted", "price: source"]
    assert rows[3][7].startswith("'=Cedarplan=")
    book = CalamineWorkbook.from_path(str(place / "out" / "comparison.xlsx"))
    values = book.get_sheet_by_name("Comparison").to_python()
    assert values[0] == ["", "price", "license", "When was it first released?"]
    assert values[3][3].startswith("=Cedarplan=")
    assert len(book.get_sheet_by_name("Sources").to_python()) == 6


async def filled(place: Path, reply: Any) -> Comparison:
    settings = load_settings({"docs": [str(place / "docs")], "offline": True}, environment={})
    model = ScriptedModel({"fill_comparison": reply}, name="filler")
    around = TextRuntime(home=place / "home", environment={}, model=model)
    steps = [step async for step in compare_things(THINGS[:1], ["price", "licence"], settings, around)]
    assert isinstance(steps[-1], Comparison)
    return steps[-1]


async def test_what_a_model_fills_in_stands_with_words_of_its_passage_alone(place: Path):
    def reply(task: Any) -> dict[str, Any]:
        ids = {one.n: one.passages[0] for one in task.questions}
        return {
            "cells": [
                {"n": 1, "value": "€4 a month", "passage": ids[1], "quote": "costs 4 euros a month"},
                {"n": 2, "value": "GPL", "passage": ids[2], "quote": "published under the GPL"},
            ]
        }

    table = await filled(place, reply)
    price, licence = table.rows[0].cells
    assert (price.text, price.quote, price.judged_by) == ("€4 a month", "costs 4 euros a month", "filler")
    # What it says of the licence stands nowhere: the sentence that words alone found stays.
    assert (licence.text, licence.judged_by) == ("Alderboard is published under the MIT licence.", "words")
    assert "does not stand in the passage" in table.notices[0]


async def test_a_slip_of_the_model_costs_no_cell_that_was_found(place: Path):
    table = await filled(place, {"cells": []})
    assert [cell.judged_by for cell in table.rows[0].cells] == ["words", "words"]
    assert "filled nothing" in table.notices[0]

    def in_brackets(task: Any) -> dict[str, Any]:
        shown, quote = task.questions[0].passages[0], "costs 4 euros a month"
        return {"cells": [{"n": 1, "value": "€4 a month", "passage": f"[{shown}]", "quote": quote}]}

    price, licence = (await filled(place, in_brackets)).rows[0].cells
    assert (price.text, price.judged_by) == ("€4 a month", "filler")
    assert licence.text == ""  # it filled another cell of the row, and found nothing for this one

    unseen = {"cells": [{"n": 1, "value": "€4", "passage": "p999", "quote": "costs 4 euros"}]}
    table = await filled(place, unseen)
    assert table.rows[0].cells[0].judged_by == "words"
    assert "was not shown" in table.notices[0]


def test_a_cell_speaks_of_its_thing_and_holds_the_list_that_its_line_leads_to(place: Path):
    (place / "docs" / "hut.md").write_text(
        "# Hut manual\n\nThere are two ways to heat.\n\n- hut stove - use this if:\n  - the night is cold\n"
        "  - wood is dry\n- hut lamp - use this if:\n  - nobody brought wood\n"
    )
    (place / "docs" / "changes.md").write_text(
        "# Changes\n\n- hut stove: fixed the door\n- hut check: memory for the wood of the night is counted\n"
        "- update the chapter about memory and wood\n"
    )
    (place / "docs" / "prices.md").write_text(
        "# Prices\n\n| Thing | Weight (kg) | Price (€) |\n|---|---|---|\n"
        "| Hut stove | 62 | 840 |\n| Hut lamp | 2 | – |\n"
    )
    order = ["compare", "--of", "hut stove, hut lamp", "--by", "when to use, memory, price", "--docs"]
    order += [str(place / "docs"), "--offline", "--model", "embedded", "--out", str(place / "out")]
    assert run_here(order) == 0
    table = Comparison.model_validate_json((place / "out" / "comparison.json").read_text())
    assert [[cell.text for cell in row.cells] for row in table.rows] == [
        ["hut stove - use this if: - the night is cold - wood is dry", "", "840 €"],
        ["hut lamp - use this if: - nobody brought wood", "", ""],
    ]
    assert table.rows[0].cells[2].quote == "Hut stove | 62 | 840", "the row that says it, as it stands"
    assert "Hut manual (/" in (place / "out" / "comparison.md").read_text()


async def test_a_value_with_another_figure_gives_way_to_the_words(place: Path):
    def reply(task: Any) -> dict[str, Any]:
        passage = task.questions[0].passages[0]
        return {
            "cells": [{"n": 1, "value": "€14 a month", "passage": passage, "quote": "costs 4 euros a month"}]
        }

    table = await filled(place, reply)
    assert table.rows[0].cells[0].text == "costs 4 euros a month"


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("A, B , A", ["A", "B"]),
        ("price (net, gross); licence", ["price (net, gross)", "licence"]),
        ("甲、乙，丙", ["甲", "乙", "丙"]),
        (" , ", []),
    ],
)
def test_a_list_is_parted(text: str, parts: list[str]):
    assert parted(text) == parts


def test_what_cannot_be_compared_is_told_in_a_line(place: Path, capsys: pytest.CaptureFixture[str]):
    assert (
        run_here(["compare", "--of", " , ", "--by", "price", "--docs", str(place / "docs"), "--offline"]) == 2
    )
    assert "name what is compared" in capsys.readouterr().err
    assert run_here(["compare", "--of", "A", "--by", "price", "--offline"]) == 2
    assert "nothing to search" in capsys.readouterr().err
    (place / "out").mkdir()
    (place / "out" / "comparison.md").write_text("mine")
    order = ["compare", "--of", "A", "--by", "x", "--docs", str(place / "docs"), "--offline", "--out"]
    assert run_here([*order, str(place / "out")]) == 2
    assert "add --force" in capsys.readouterr().err
    assert (place / "out" / "comparison.md").read_text() == "mine"


def test_folders_of_one_name_are_told_apart(place: Path, capsys: pytest.CaptureFixture[str]):
    (place / "old" / "docs").mkdir(parents=True)
    (place / "old" / "docs" / "tides.md").write_text("# Tides\n\nTide tables cost 30 pounds in 1890.\n")
    order = ["compare", "--of", "Alderboard", "--by", "price", "--docs", str(place / "docs"), "--docs"]
    order += [str(place / "old" / "docs"), "--offline", "--model", "embedded", "--out", str(place / "out")]
    assert run_here(order) == 0
    assert f"searching {place.name}/docs, old/docs;" in capsys.readouterr().err


def test_json_is_all_that_stands_on_stdout(place: Path, capsys: pytest.CaptureFixture[str]):
    order = ["compare", "--of", "Alderboard", "--by", "licence", "--docs", str(place / "docs"), "--offline"]
    assert run_here([*order, "--model", "embedded", "--json", "--out", str(place / "out")]) == 0
    values = json.loads(capsys.readouterr().out)
    assert values["rows"][0]["cells"][0]["text"] == "Alderboard is published under the MIT licence."


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        # As docs/reports.md shows it: three columns.
        ("price, licence; When was it released?", ["price", "licence", "When was it released?"]),
        ("Who made it, and when?; price，licence", ["Who made it, and when?", "price", "licence"]),
        ("价格、许可；何时发布？", ["价格", "许可", "何时发布？"]),
        ("revenue, net; revenue, gross", ["revenue, net", "revenue, gross"]),
        ("price, when was it made?", ["price", "when was it made?"]),
    ],
)
def test_fields_and_questions_are_told_apart(text: str, parts: list[str]):
    assert asked_for(text) == parts
