"""The front page of a manual says which version its pages are of."""

from pathlib import Path

import pytest

from library.evidence import Evidence, Passage, Source
from reports import Brief, Counts
from reports.document import Report, Section, Sentence
from reports.report_phrases import phrases_for
from reports.write.parts.end_matter import front_matter
from roundtable.session.texts.work_titles import versioned_works
from tests.journeys.research.research_world import World, document


def held(url: str) -> Evidence:
    source = Source("f" * 64, url, "Ferry", "It sails.", published=None, retrieved="2026-01-01T00:00:00.000Z")
    passage = Passage("f" * 64, 0, 9, "It sails.", url, "Ferry", None, id="p1")
    return Evidence(passages={"p1": passage}, sources={"f" * 64: source})


@pytest.mark.parametrize(
    ("title", "told"),
    [
        ("Tolvik 15.20 Documentation", ["Tolvik 15.20 Documentation"]),
        ("Tolvik 9 manual", ["Tolvik 9 manual"]),
        ("The ferry in 1990", []),
        ("All pages", []),
    ],
)
def test_a_work_is_named_by_its_front_page_where_that_names_a_version(
    tmp_path: Path, title: str, told: list[str]
) -> None:
    front = f'---\ntitle: "{title}"\n---\n\n{document("dyke")}'
    world = World(tmp_path, folders={"manual": {"index": front, "ferry": document("ferry")}})
    path = next(Path(name) for name in world.library.files() if Path(name).stem == "ferry")
    assert versioned_works(["p1", "p7"], held(path.as_uri()), world.library) == told
    assert versioned_works(["p1"], held("https://elsewhere.example/ferry.html"), world.library) == []


def test_a_report_says_once_which_version_its_sources_are_of() -> None:
    said = Section(heading="A", level=1, node=None, sentences=[Sentence(text="It sails.", citations=["p1"])])
    brief = Brief(topic="t", works=["Tolvik 15.20 Documentation"], counts=Counts(models=["openai:a"]))
    report = Report(title="T", topic="t", sections=[said])
    note = front_matter(report, brief, phrases_for("en")).note
    assert note == "Its sources name these versions: Tolvik 15.20 Documentation."
    early = brief.model_copy(update={"stopped_early": "已停止"})
    assert "。 " not in front_matter(report, early, phrases_for("zh")).note, "a wide full stop wants no space"
