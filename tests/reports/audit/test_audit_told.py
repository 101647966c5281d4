"""How an audit tells what it found, in the language of whoever reads it."""

import pytest

from reports.audit.annotate import _claim_html, _claim_lines
from reports.audit.audit_findings import ClaimFinding, FoundPassage
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
