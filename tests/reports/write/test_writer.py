"""Whole reports: with the embedded model, and with one that writes."""

from typing import Any

import pytest

from library.evidence import Evidence
from library.text.similarity.tfidf import TextStatistics
from mindmap.tree import MindMap
from reports import (
    Brief,
    Counts,
    PanelMember,
    ReportedContradiction,
    ReportSettings,
    Side,
    report_json,
    write_report,
)
from reports.document import Report, Section
from reports.extract.quotations import key
from reports.plan.layout import tidy
from tests.reports.conftest import Asker, make_evidence, make_map

BRIEF = Brief(
    topic="The Orrin lighthouse",
    open_questions=["Who pays for the helicopter?"],
    experts=[PanelMember(name="Historian", role="what happened when")],
    counts=Counts(turns=6, searches=4, sources_read=5, models=["embedded"]),
)


def written(write: Any) -> Any:
    """Return a script that writes each section of a request by a function of it, or always the same."""
    return lambda task: {
        "sections": [
            {"n": n, **(write(part) if callable(write) else write)} for n, part in enumerate(task.parts, 1)
        ]
    }


def sentences(report: Report) -> list[str]:
    return [s.text for section in report.sections for s in section.sentences]


async def test_an_embedded_report_is_made_of_checked_quotations(
    tree: MindMap, evidence: Evidence, embedded: Asker, statistics: TextStatistics
) -> None:
    told: list[Section] = []
    report = await write_report(BRIEF, tree, evidence, embedded, statistics, told.append)
    every = [s for section in report.sections for s in section.sentences]
    assert len(every) >= 10
    assert {s.support for s in every} == {"quoted"}
    assert all(s.citations for s in every)
    for s in every:
        words = key(s.text)
        assert any(words in key(evidence.passages[c].text) for c in s.citations)
    assert len({key(s.text) for s in every}) == len(every), "no sentence twice"
    assert report.summary.quoted == report.summary.sentences == len(every)
    assert report.summary.accuracy == 1.0
    assert "collection of quotations" in report.front.note
    assert report.back.open_questions == ["Who pays for the helicopter?"]
    assert [s.heading for s in report.sections][:2] == ["In brief", "History of the reef"]
    assert told[-1].heading == "In brief"
    assert {s.node for s in told[:-1]} == {"n1", "n2", "n3", "n4"}


async def test_a_sentence_of_two_sources_stands_once_with_both(
    tree: MindMap, evidence: Evidence, embedded: Asker, statistics: TextStatistics
) -> None:
    same = make_map("The Orrin lighthouse", [("All", list(evidence.passages))])
    report = await write_report(BRIEF, same, evidence, embedded, statistics)
    built = [s for section in report.sections for s in section.sentences if "built in 1871" in s.text]
    assert len(built) == 1
    assert built[0].citations == ["p1", "p4"]


async def test_the_same_inputs_give_the_same_bytes(
    tree: MindMap, evidence: Evidence, embedded: Asker, statistics: TextStatistics
) -> None:
    first = await write_report(BRIEF, tree, evidence, embedded, statistics)
    again = await write_report(BRIEF, tree, evidence, embedded, TextStatistics())
    assert report_json(first) == report_json(again)


async def test_no_more_sentences_than_asked_for(
    tree: MindMap, evidence: Evidence, embedded: Asker, statistics: TextStatistics
) -> None:
    report = await write_report(
        BRIEF, tree, evidence, embedded, statistics, settings=ReportSettings(max_sentences=7)
    )
    assert len(sentences(report)) == 7


async def test_an_empty_map_gives_an_honest_report(embedded: Asker, statistics: TextStatistics) -> None:
    report = await write_report(
        Brief(topic="nothing", stopped_early="the budget was spent"),
        MindMap("nothing"), Evidence(), embedded, statistics,
    )  # fmt: skip
    assert report.sections == []
    assert report.title == "Nothing"
    assert "says enough about the topic" in report.front.note
    assert "stopped early (the budget was spent)" in report.front.note


async def test_a_model_may_cite_only_what_it_was_shown(
    tree: MindMap, evidence: Evidence, statistics: TextStatistics, scripted: object
) -> None:
    small = make_map("The Orrin lighthouse", [("Light", ["p7"]), ("Tower", ["p1", "p2"])])
    script = {
        "write_sections": written(lambda task: {
            "paragraphs": [
                f"The {task.heading.lower()} shines on [p7][p99]. It is {task.heading.lower()} by night [p1]."
            ]
        }),
        "write_answer": {"paragraph": "The tower has no keepers [p7]. It stands [p5]."},
        "repair_sentences": {"sentences": []},
        "title_report": {"title": "The light of Orrin"},
    }
    settings = ReportSettings(lead_sentences=1)
    report = await write_report(BRIEF, small, evidence, scripted(script), statistics, settings=settings)  # type: ignore[operator]
    assert report.title == "The light of Orrin"
    found = [(s.text, s.citations) for x in report.sections for s in x.sentences]
    assert found == [("The light shines on.", ["p7"]), ("It is tower by night.", ["p1"])]
    assert report.summary.uncited_dropped == 2
    assert report.summary.dangling == 0
    assert report.summary.unchecked == 2, "likeness of words is no proof"


async def test_what_fails_is_repaired_once_or_left_out_and_counted(
    tree: MindMap, evidence: Evidence, statistics: TextStatistics, scripted: object
) -> None:
    small = make_map("The Orrin lighthouse", [("Tower", ["p1", "p2"])])
    script = {
        "write_sections": written({
            "paragraphs": [
                "The tower is 47 m high [p1]. In 1850 a wreck drowned 112 people [p2].",
                "Everybody loves it. It cost 62,000 pounds [p1].",
            ]
        }),
        "repair_sentences": {
            "sentences": [
                {"n": 1, "text": "The tower is 44 m high [p1]."},
                {"n": 2, "text": "In 1849 a wreck drowned 112 people [p2]."},
                {"n": 3, "text": ""},
            ]
        },
        "write_answer": {"paragraph": ""},
    }
    report = await write_report(BRIEF, small, evidence, scripted(script), statistics)  # type: ignore[operator]
    assert sentences(report) == ["The tower is 44 m high.", "It cost 62,000 pounds."]
    assert report.summary.unsupported_dropped == 1
    assert report.summary.uncited_dropped == 1

    marked = await write_report(
        BRIEF,
        small,
        evidence,
        scripted(script),
        statistics,
        settings=ReportSettings(unsupported="mark"),  # type: ignore[operator]
    )
    assert [s.support for x in marked.sections for s in x.sentences] == [
        "unchecked", "unsupported", "unchecked", "unchecked"
    ]  # fmt: skip
    assert marked.summary.cited == 3


async def test_a_judge_has_a_word_where_rules_have_none(
    tree: MindMap, evidence: Evidence, statistics: TextStatistics, scripted: object
) -> None:
    small = make_map("The Orrin lighthouse", [("Tower", ["p1", "p2"])])
    script = {
        "write_sections": written({
            "paragraphs": ["The reef was dangerous [p2]. The tower is pretty [p1]. It is 99 m high [p1]."]
        }),
        "judge_section": {
            "verdicts": [
                {"n": 1, "support": "supported"},
                {"n": 2, "support": "partial", "words": "pretty"},
                {"n": 3, "support": "supported"},
            ]
        },
        "write_answer": {"paragraph": ""},
    }
    asker = scripted(script)  # type: ignore[operator]
    report = await write_report(BRIEF, small, evidence, asker, statistics)
    found = [(s.support, s.reason) for x in report.sections for s in x.sentences]
    assert found == [("supported", None), ("partial", "the judge: pretty")], (
        "what rules refuse, no judge rescues"
    )
    assert [c.n for c in asker.model.tasks("judge_section")[0].claims] == [1, 2]


async def test_the_last_pass_may_not_touch_figures_or_citations(
    tree: MindMap, evidence: Evidence, statistics: TextStatistics, scripted: object
) -> None:
    small = make_map("The Orrin lighthouse", [("Tower", ["p1", "p2"])])
    script = {
        "write_sections": written({
            "paragraphs": [
                "The tower is 44 m high [p1]. The reef wrecked many ships [p2]. Granite was used [p1]."
            ]
        }),
        "smooth_report": {
            "edits": [
                {"n": 1, "text": "The tower is 45 m high. [p1]"},
                {"n": 2, "text": "Many ships were wrecked on the reef. [p2]"},
                {"n": 3, "text": "Granite was used. [p2]"},
            ]
        },
        "write_answer": {"paragraph": ""},
    }
    report = await write_report(BRIEF, small, evidence, scripted(script), statistics)  # type: ignore[operator]
    assert sentences(report) == [
        "The tower is 44 m high.", "Many ships were wrecked on the reef.", "Granite was used."
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("n", "text"),
    [
        (1, "The tower is 44 m high."),
        (1, "The tower is 44 m high. [p1][p2]"),
        (1, "The tower is 44 m high. [p2]"),
        (1, "The tower is high. [p1]"),
        (1, "The tower is 44 m high and 9 m wide. [p1]"),
        (1, "The tower of London is 44 m high. [p1]"),
        (1, "“The tower is 44 m high.” [p1]"),
        (2, "“Nothing was lost.” [p2]"),
        (2, ""),
        (99, "There is more. [p1]"),
        (0, "There is less. [p1]"),
        (-1, "There is nothing. [p1]"),
        (1, "The tower is 44 m high, so its keepers need no ladder and see every ship that passes [p1]."),
    ],
)
async def test_an_editor_that_tries_changes_no_claim(
    n: int, text: str, evidence: Evidence, statistics: TextStatistics, scripted: object
) -> None:
    small = make_map("The Orrin lighthouse", [("Tower", ["p1", "p2"])])
    quoted = "“The worst wreck, in 1848, drowned 112 emigrants within sight of the shore.”"
    script = {
        "write_sections": written({"paragraphs": [f"The tower is 44 m high [p1]. {quoted} [p2]"]}),
        "smooth_report": {"edits": [{"n": n, "text": text}]},
        "write_answer": {"paragraph": ""},
    }
    report = await write_report(BRIEF, small, evidence, scripted(script), statistics)  # type: ignore[operator]
    found = [(s.text, s.citations) for x in report.sections for s in x.sentences]
    assert found == [("The tower is 44 m high.", ["p1"]), (quoted, ["p2"])]


@pytest.mark.parametrize(("given", "stands"), [(3, 3), (6, 6), (8, 8), (15, 8)])
async def test_a_lead_is_of_the_length_asked_for_and_cites(
    given: int, stands: int, evidence: Evidence, statistics: TextStatistics, scripted: object
) -> None:
    words = ("The tower", "The reef", "The engineer", "The lamp", "Its lens", "The keepers", "The fog")
    said = " ".join(f"{w} stands {way} the sea [p1]." for i, (w, way) in enumerate(
        (w, way) for w in words for way in ("above", "beside", "behind")
    ) if i < given)  # fmt: skip
    body = " ".join(f"{w} was seen {way} the shore [p1]." for w in words for way in ("near", "off", "from"))
    small = make_map("The Orrin lighthouse", [("Tower", ["p1", "p2"])])
    script = {
        "write_sections": written({"paragraphs": [body]}),
        "write_answer": {"paragraph": f"{said} Nobody says so."},
    }
    asker = scripted(script)  # type: ignore[operator]
    report = await write_report(BRIEF, small, evidence, asker, statistics)
    assert asker.model.tasks("write_answer")[0].count == 6
    lead = report.sections[0]
    assert lead.heading == "In brief"
    assert len(lead.sentences) == stands
    assert all(s.citations for s in lead.sentences)


async def test_sources_that_disagree_are_shown_side_by_side(
    contradicting: MindMap, evidence: Evidence, embedded: Asker, statistics: TextStatistics
) -> None:
    report = await write_report(BRIEF, contradicting, evidence, embedded, statistics)
    apart = report.sections[-1]
    assert apart.heading == "Where sources disagree"
    cells = [cell for row in apart.tables[0].rows for cell in row]
    assert any("41 m" in cell.text and cell.citations == ["p9"] for cell in cells)
    assert any("2022-02-01" in cell.text for cell in cells)
    every = sentences(report)
    assert len({key(text) for text in every}) == len(every)
    elsewhere = [s.text for section in report.sections[:-1] for s in section.sentences]
    assert not set(elsewhere) & {s.text for s in apart.sentences}


async def test_a_disagreement_that_the_session_found_is_shown_too(
    tree: MindMap, evidence: Evidence, embedded: Asker, statistics: TextStatistics
) -> None:
    found = ReportedContradiction(
        about="height",
        sides=[Side(claim="44 m", citations=["p1"]), Side(claim="41 m", citations=["p9"])],
    )
    brief = BRIEF.model_copy(update={"contradictions": [found]})
    report = await write_report(brief, tree, evidence, embedded, statistics)
    assert [[c.text for c in row] for row in report.sections[-1].tables[0].rows] == [
        ["height", "harbour.example, 2019-05-04", "44 m"],
        ["", "survey.example, 2022-02-01", "41 m"],
    ]


async def test_documents_of_ones_own_that_disagree_are_told_by_their_titles(
    embedded: Asker, statistics: TextStatistics
) -> None:
    held = make_evidence({
        "file:///papers/audit.md": ("The audit", "2024", ["The ferry cost 97 million kroner in all."]),
        "python:types": ("Types", None, ["The ferry cost 84 million kroner in all."]),
        "file:///papers/untitled.md": ("", None, ["The ferry cost 90 million kroner in all."]),
    })  # fmt: skip
    sides = [Side(claim=f"{cost} million", citations=[f"p{n}"]) for n, cost in enumerate((97, 84, 90), 1)]
    brief = BRIEF.model_copy(update={"contradictions": [ReportedContradiction(about="cost", sides=sides)]})
    report = await write_report(
        brief, make_map("The ferry", [("Costs", ["p1", "p2", "p3"])]), held, embedded, statistics
    )
    rows = report.sections[-1].tables[0].rows
    assert [row[1].text for row in rows] == ["The audit, 2024", "Types, no date", "file, no date"]


async def test_a_chinese_report_has_chinese_words_of_its_own(
    embedded: Asker, statistics: TextStatistics
) -> None:
    evidence = make_evidence(
        {
            "https://zh.example/a": (
                "灯塔的历史",
                "2020",
                ["奥林灯塔建于一八七一年，位于离岸九海里的暗礁之上。塔身由花岗岩砌成，高四十四米。"],
            ),
            "https://zh.example/b": (
                "灯塔与候鸟",
                None,
                [
                    "秋季有雾的夜晚，灯塔的光束会吸引成千上万只迁徙的候鸟。遮住灯室上方之后，死亡的候鸟减少了七成。"
                ],
            ),
        }
    )
    tree = make_map("奥林灯塔", [("候鸟", ["p2"]), ("历史", ["p1"])])
    brief = Brief(topic="奥林灯塔", language="zh", counts=Counts(turns=2, models=["embedded"]))
    report = await write_report(brief, tree, evidence, embedded, statistics)
    assert len(sentences(report)) == 4
    assert report.summary.quoted == 4
    assert report.sections[0].heading == "概要"
    assert [s.heading for s in report.sections[1:]] == ["历史", "候鸟"], "history comes first"
    assert "引文集" in report.front.note


@pytest.mark.parametrize(("counts", "kept"), [([0, 1, 1], 1), ([2, 3, 1], 2), ([0, 3, 3], 3), ([0, 0, 0], 0)])
def test_sections_too_small_join_the_one_above(counts: list[int], kept: int) -> None:
    from reports.document import Sentence

    made = [
        Section(
            heading=str(i),
            level=1 if i == 0 else 2,
            node=None,
            sentences=[Sentence(text=f"{i} {n}", citations=["p1"]) for n in range(count)],
        )  # fmt: skip
        for i, count in enumerate(counts)
    ]
    tidied = tidy(made)
    assert len(tidied) == kept
    assert sum(len(s.sentences) for s in tidied) == sum(counts), "nothing is lost"


@pytest.mark.parametrize(
    ("rows", "mark", "tables", "charts"),
    [
        ([["1871", "44 m [p1]"], ["2020", "41 m [p9]"]], "", 1, 0),
        ([["1871", "44 m [p1]"], ["2020", "41 m [p9]"]], "bar", 0, 1),
        ([["1871", "45 m [p1]"], ["2020", "41 m [p9]"]], "bar", 0, 0),
        ([["1871", "44 m [p1]"], ["2020", "41 m"]], "", 0, 0),
        ([["1871", "44 m [p1]"], ["2020", "41 m [p99]"]], "", 0, 0),
        ([["1871", "44 m [p1]"]], "", 0, 0),
    ],
)
async def test_a_table_stands_when_its_figures_do(
    rows: list[list[str]], mark: str, tables: int, charts: int, evidence: Evidence, statistics:
    TextStatistics, scripted: object,
) -> None:  # fmt: skip
    small = make_map("The Orrin lighthouse", [("Tower", ["p1", "p9"])])
    script = {
        "write_sections": written({
            "paragraphs": ["The tower was measured twice [p1][p9]."],
            "tables": [{"title": "Heights", "columns": ["Year", "Height"], "rows": rows, "chart": mark}],
        })
    }
    asker = scripted(script)  # type: ignore[operator]
    report = await write_report(BRIEF, small, evidence, asker, statistics)
    assert [len(s.tables) for s in report.sections] == [tables]
    assert [len(s.charts) for s in report.sections] == [charts]
    for made in report.sections[0].charts:
        data = made.spec["data"]
        assert data == {"values": [  # type: ignore[comparison-overlap]
            {"Year": "1871", "Height": 44, "passage": "p1"}, {"Year": "2020", "Height": 41, "passage": "p9"}
        ]}  # fmt: skip


async def test_a_subject_that_the_documents_do_not_tell_of_is_said_to_have_only_what_is_nearest(
    tree: MindMap, evidence: Evidence, embedded: Asker, statistics: TextStatistics
) -> None:
    for topic, found, heading in [
        ("The Orrin lighthouse", True, "In brief"),
        ("Payroll taxes of freelance designers", False, "What is nearest"),
    ]:
        brief = BRIEF.model_copy(update={"topic": topic})
        report = await write_report(brief, tree, evidence, embedded, statistics)
        assert (report.answer.found, report.sections[0].heading) == (found, heading)
        assert report.front.note.startswith("The documents do not seem to answer this.") is not found
