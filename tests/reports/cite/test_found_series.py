"""Series of figures that passages hold: what becomes a table, what does not, and where each figure stands."""

import time

import pytest

from library.text.similarity.tfidf import TextStatistics
from models.text_statistics import Statistics
from reports import Brief, Counts, export_report, write_report
from reports.document import Chart
from reports.report_phrases import phrases_for
from reports.tables.charts import refusal
from reports.tables.found_series import found_series
from reports.tables.series import ProposedTable
from tests.reports.conftest import Asker, make_evidence, make_map

statistics = TextStatistics()


def found(*texts: str, language: str = "en") -> list[ProposedTable]:
    passages = {f"p{n}": text for n, text in enumerate(texts, 1)}
    return found_series(passages, "The town", phrases_for(language), statistics)


def test_one_sentence_that_gives_a_figure_for_each_of_several_years() -> None:
    (table,) = found(
        "The town had 1.2 million inhabitants in 1990, 1.5 million in 2000 and 2.1 million in 2010."
    )
    assert table.columns == ["Year", "Inhabitants"]
    assert table.rows == [
        ["1990", "1.2 million [p1]"],
        ["2000", "1.5 million [p1]"],
        ["2010", "2.1 million [p1]"],
    ]


def test_sentences_alike_but_for_year_and_figure_each_keep_their_passage() -> None:
    (table,) = found(
        "In 2005 the reef wrecked 31 ships near the tower.",
        "In 2001 the reef wrecked 12 ships.",
        "In 2002 the reef wrecked 9 ships near the tower. Gulls cried.",
    )
    assert table.rows == [["2001", "12 [p2]"], ["2002", "9 [p3]"], ["2005", "31 [p1]"]]
    assert (table.title, table.chart) == ("The town: ships", "bar")


def test_days_are_put_in_order() -> None:
    (table,) = found(
        *(f"As of {day} November 2022, {count} people had been confirmed dead." for day, count in
          ((24, 271), (21, 162), (22, 252), (30, 331)))
    )  # fmt: skip
    assert [row[0] for row in table.rows] == [f"{day} November 2022" for day in (21, 22, 24, 30)]
    assert (table.columns[0], table.chart) == ("Date", "line")


def test_names_with_a_figure_in_brackets() -> None:
    (table,) = found("Most keepers came from Kent (12 %), East Essex (9 %) and Surrey (7 %).")
    assert table.rows == [["Kent", "12 % [p1]"], ["East Essex", "9 % [p1]"], ["Surrey", "7 % [p1]"]]
    assert (table.title, table.columns) == ("The town", ["Name", "Share (%)"])


def test_a_table_of_the_page() -> None:
    (table,) = found(
        "Year | Height (m) | Ships\n1871 | 44 | 3\n1920 | 43.5 | 5\n2020 | 41 | 1,204\n\nIt fell."
    )
    assert table.columns == ["Year", "Height (m)", "Ships"]
    assert table.rows[2] == ["2020", "41 [p1]", "1,204 [p1]"]
    assert table.chart == "", "which column would be drawn?"


def test_chinese() -> None:
    (table,) = found("青河镇2010年有人口1200人，2015年有1500人，2020年有1800人。", language="zh")
    assert table.columns == ["年份", "人"]
    assert [row[1] for row in table.rows] == ["1200 [p1]", "1500 [p1]", "1800 [p1]"]


@pytest.mark.parametrize(
    "texts",
    [
        ("It was 2–1 in 1994, 1–0 in 2002 and 1–0 in 2010.",),
        ("In 1910, 1912, 1958, 1982 and 2000, earthquakes caused damage.",),
        ("It had 12 ships in 1990 and 15 ships in 2000.",),
        ("It had 12 ships in 1990, 15 men in 2000 and 17 lamps in 2010.",),
        ("In 2001 the reef wrecked 12 ships.", "In 2001 the reef wrecked 13 ships.",
         "In 2002 the reef wrecked 7 ships.", "In 2003 the reef wrecked 2 ships."),
        ("In 2001 the reef wrecked 12 ships.", "In 2002 a school taught 13 ships of state.",
         "In 2003 he built 2 ships."),
        ("Ada Merrow (1871), John Gray (1882) and May Hill (1890) kept it.",),
        ("Year | Keeper\n1871 | Merrow\n1882 | Gray\n1890 | Hill",),
        ("a | b\n1 | 2\n1 | 3\n1 | 4",),
        ("",),
    ],
)  # fmt: skip
def test_where_something_is_left_to_guess_there_is_no_table(texts: tuple[str, ...]) -> None:
    assert found(*texts) == []


@pytest.mark.parametrize(
    "text",
    [
        "A " * 20_000 + "(",
        "Aa (1) " * 5_000,
        "1 | " * 5_000,
        "In 1990 1 " * 3_000,
        "(" * 20_000,
        "1 | 2\n" * 5_000,
        f"a | b\nc | {'1 ' * 9_000}x\n" * 4,
    ],
)
def test_text_made_to_be_slow_is_passed_over(text: str) -> None:
    start = time.process_time()
    found(text)
    assert time.process_time() - start < 10


async def test_an_embedded_report_draws_what_its_passages_hold(
    embedded: Asker, statistics: Statistics
) -> None:
    pages = {
        f"https://town.example/{year}": (f"The year {year}", str(year), [
            f"In {year} the lighthouse of Orrin guided {count:,} ships past the reef by night."
        ])
        for year, count in ((1990, 1204), (2000, 988), (2010, 1530), (2020, 2011))
    }  # fmt: skip
    evidence = make_evidence(pages)
    tree = make_map("The lighthouse of Orrin", [("Ships", ["p1", "p2", "p3", "p4"])])
    brief = Brief(topic="The lighthouse of Orrin", counts=Counts(models=["embedded"]))
    report = await write_report(brief, tree, evidence, embedded, statistics)
    (chart,) = [chart for section in report.sections for chart in section.charts]
    assert chart.spec["mark"] == "line"
    assert chart.spec["data"] == {"values": [
        {"Year": "1990", "Ships": 1204, "passage": "p1"}, {"Year": "2000", "Ships": 988, "passage": "p2"},
        {"Year": "2010", "Ships": 1530, "passage": "p3"}, {"Year": "2020", "Ships": 2011, "passage": "p4"},
    ]}  # fmt: skip
    assert refusal(chart, evidence) is None
    for form in ("md", "html", "pdf", "docx", "tex"):
        assert export_report(form, report, evidence).data


def test_a_label_that_its_passage_does_not_hold_is_refused() -> None:
    evidence = make_evidence({"https://a.example/": ("Ships", None, ["Kent lost 12 ships in the storm."])})

    def chart(label: str) -> Chart:
        values = [{"place": label, "ships": 12, "passage": "p1"}]
        axes = {"x": {"field": "place", "type": "nominal"}, "y": {"field": "ships", "type": "quantitative"}}
        spec: dict[str, object] = {"mark": "bar", "data": {"values": values}, "encoding": axes}
        return Chart(title="Ships", spec=spec, citations=["p1"])

    assert refusal(chart("Kent"), evidence) is None
    assert refusal(chart("Essex"), evidence) == "not in p1: Essex"
