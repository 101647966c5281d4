"""What is done in an order is told in steps, and what is typed as code; both are checked as they stand."""

import pytest

from library.text.similarity.tfidf import TextStatistics
from reports.document import Report, Section, Sentence
from reports.export.forms import export_report
from reports.verify.check import Checker
from reports.write.drafting.written_text import written

from .conftest import make_evidence

PASSAGE = "Then run the following command:\n\n```\n# dpkg --configure -a\n```\n\nFetch it from https://old.example/a_b/."
EVIDENCE = make_evidence({"https://manual.example/repair": ("Repair", "2020", [PASSAGE])})
STEPS = [
    "In short [p1].",
    "1. Type `dpkg --configure -a` [p1]. It takes a while [p1].\n2. Look in https://old.example/a_b/ [p1].",
]


def told() -> list[Sentence]:
    return written(STEPS, ["p1"], TextStatistics(), points=False)


def test_numbered_lines_are_steps() -> None:
    assert [(s.text, s.form, s.paragraph) for s in told()] == [
        ("In short.", "prose", True),
        ("Type `dpkg --configure -a`.", "step", True),
        ("It takes a while.", "prose", False),
        ("Look in https://old.example/a_b/.", "step", True),
    ]
    [year] = written(["2019 was wet [p1]."], ["p1"], TextStatistics(), points=False)
    assert (year.text, year.form) == ("2019 was wet.", "prose")


@pytest.mark.parametrize(
    ("text", "support"),
    [
        ("Type `dpkg --configure -a`.", "unchecked"),
        ("Type `dpkg  --configure\u00a0-a`.", "unchecked"),
        ("Type `dpkg --configure --all`.", "unsupported"),
        ("Type `dpkg --Configure -a`.", "unsupported"),
    ],
)
def test_what_is_typed_must_stand_in_a_passage_as_it_is(text: str, support: str) -> None:
    checked = Checker(EVIDENCE, "Repairs").sentence(Sentence(text=text, citations=["p1"]))
    assert checked.support == support
    assert (checked.reason or "").startswith("not in the passages: `" if support == "unsupported" else "")


@pytest.mark.parametrize(
    ("form", "wanted"),
    [
        ("md", ["\n1. Type `dpkg --configure -a`. [", "\n2. Look in `https://old.example/a_b/`. ["]),
        ("html", ['<ol class="points">', "Type <code>dpkg --configure -a</code>."]),
        ("tex", ["\\begin{enumerate}", "\\texttt{dpkg"]),
    ],
)
def test_exports_show_steps_and_code_as_such(form: str, wanted: list[str]) -> None:
    section = Section(heading="A", level=1, node=None, sentences=told())
    report = Report(title="T", topic="t", sections=[section])
    text = export_report(form, report, EVIDENCE).data.decode()
    for part in wanted:
        assert part in text
