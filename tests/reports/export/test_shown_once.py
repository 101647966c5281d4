"""What a reader is shown of citations, code and counts: each once, in one manner."""

import pytest

from library.evidence import Evidence
from reports import report_markdown
from reports.brief import Brief, Counts
from reports.document import Back, Report, Section, Sentence
from reports.export.forms import export_report
from reports.report_phrases import phrases_for
from reports.verify.check import check_report
from reports.write.parts.end_matter import back_matter


def report_of(*told: Sentence) -> Report:
    section = Section(heading="A", level=1, node=None, sentences=list(told))
    return Report(title="T", topic="t", sections=[section])


@pytest.mark.parametrize(
    ("lead", "points", "shown"),
    [
        ("There are two ways:", ["p1", "p2"], "There are two ways:\n"),
        ("There are two ways:", ["p1", "p3"], "There are two ways: ["),
        ("Since 1871 there are two ways:", ["p1", "p2"], "Since 1871 there are two ways: ["),
    ],
)
def test_what_only_leads_to_points_is_not_followed_by_their_citations(
    evidence: Evidence, lead: str, points: list[str], shown: str
) -> None:
    report = report_of(
        Sentence(text=lead, citations=["p1", "p2"], paragraph=True),
        *(Sentence(text=f"Way {p}.", citations=[p], form="point", paragraph=True) for p in points),
    )
    assert shown in report_markdown(report, evidence)


@pytest.mark.parametrize(
    ("form", "shown"),
    [("md", "- How `a -b` works"), ("html", "<code>a -b</code>"), ("tex", r"\texttt{a -b}")],
)
def test_code_in_what_the_sources_do_not_say_is_code(evidence: Evidence, form: str, shown: str) -> None:
    report = report_of(Sentence(text="It stands.", citations=["p1"]))
    report = report.model_copy(update={"back": Back(open_questions=["How `a -b` works"], made=[])})
    assert shown in export_report(form, report, evidence).data.decode()


def test_code_is_counted_as_code_and_the_sources_that_are_cited_beside_those_that_were_read(
    evidence: Evidence,
) -> None:
    held = evidence.passages["p1"].text
    report = check_report(
        report_of(
            Sentence(text="It stands.", citations=["p1"]),
            Sentence(text=held[:40].rsplit(" ", 1)[0], citations=["p1"], form="code"),
        ),
        evidence,
    )
    assert (report.summary.quoted, report.summary.code) == (1, 1)
    brief = Brief(topic="t", counts=Counts(models=["m"], sources_read=3))
    made = " ".join(back_matter(report, brief, [], phrases_for("en")).made)
    assert "Sentences: 2; code, line for line from a source: 1; checked for figures, dates and names" in made
    assert "quoted" not in made
    assert "Of these sources the report cites 1." in made
