"""How an audit tells what it found, in the language of whoever reads it."""

from importlib.resources import files
from typing import get_args

import pytest

from reports.audit.annotate import _claim_html, _claim_lines
from reports.audit.audit_findings import ClaimFinding, ClaimVerdict, FoundPassage, FoundWork
from reports.audit.phrases import audit_phrases


@pytest.mark.parametrize(
    ("language", "judged", "before"),
    [
        ("en", "not found in what is cited (by words)", "Nearest in what is cited: “"),
        ("zh", "所引来源中未找到（按词语）", "所引来源中最接近的话：“"),
    ],
)
def test_signs_are_those_of_the_language(language: str, judged: str, before: str) -> None:
    nearest = FoundPassage(text="The mill burned.", url="file:///m.md", title="M")
    claim = ClaimFinding(
        n=1, text="The mill stands.", verdict="not_found", passage=nearest, against=nearest, judged_by="words"
    )
    words = audit_phrases(language)
    told = _claim_lines(claim, words)
    assert judged in told
    assert before in told
    assert f"{words.against}{words.colon}“" in told
    page = _claim_html(claim, words)
    assert judged in page
    assert before.rstrip("“") in page


def test_what_kind_of_text_tells_of_a_work_is_told_in_the_reader_s_language():
    words, asked = audit_phrases("zh"), ("document", "page", "crossref")
    told = [words.told_by(FoundWork(title="Tides", told_by=by)) for by in asked]
    assert told == ["文档", "网页", "crossref"]


def test_what_is_to_be_looked_at_is_marked_in_the_text():
    claims = [ClaimFinding(n=1, text="Tides rise.", verdict=verdict) for verdict in get_args(ClaimVerdict)]
    marked = {claim.verdict for claim in claims if claim.to_read and not claim.faulty}
    style = files("reports.audit").joinpath("audit.css").read_text()
    page = files("roundtable.web").joinpath("static/texts/texts.css").read_text()
    assert marked
    assert [verdict for verdict in marked if f".claim.{verdict}," not in style] == []
    assert [verdict for verdict in marked if f".audit-claim.{verdict}" not in page] == []
