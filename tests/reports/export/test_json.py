"""`report.json` and `sources.json` as other programs read them; numbering and the way back."""

import json

from hypothesis import given
from hypothesis import strategies as st

from library.evidence import Evidence
from reports.cite.source_numbering import bibliography, fragment_link
from reports.document import Report, Section, Sentence
from reports.export.json import report_json, sources_json
from reports.verify.check import check_report
from tests.reports.export.test_markdown import REPORT


def test_report_json_has_the_agreed_form(evidence: Evidence) -> None:
    read = json.loads(report_json(check_report(REPORT, evidence)))
    assert {"title", "topic", "front", "sections", "back", "summary"} <= read.keys()
    section = read["sections"][0]
    assert {"heading", "level", "node", "sentences", "tables", "charts"} <= section.keys()
    assert section["sentences"][1] == {
        "text": "It was built in 1871.", "citations": ["p4", "p1"], "support": "unchecked", "reason": None,
        "paragraph": False, "form": "prose", "step": 0, "level": 0, "block": 0, "gap": False,
        "goes_on": False, "under": "", "heads": [], "became": "",
        "rests": {"sources": 2, "origins": 2, "kinds": {}, "doubted": False},
    }  # fmt: skip
    assert Report.model_validate(read) == check_report(REPORT, evidence)


def test_sources_json_holds_every_admitted_passage_once(evidence: Evidence) -> None:
    read = json.loads(sources_json(evidence))["sources"]
    assert [s["id"] for s in read] == ["s1", "s2", "s3", "s4", "s5"]
    assert read[0].keys() == {
        "id", "url", "title", "author", "published", "retrieved", "doi", "became", "kind", "trust", "copy_of",
        "sha256", "passages",
    }  # fmt: skip
    assert [p["id"] for s in read for p in s["passages"]] == [f"p{n}" for n in range(1, 10)]
    for source in read:
        text = evidence.sources[source["sha256"]].text
        assert all(text[p["start"] : p["end"]] == p["text"] for p in source["passages"])


IDS = st.lists(st.sampled_from([f"p{n}" for n in range(1, 12)]), max_size=4)


@given(st.lists(IDS, max_size=6))
def test_numbers_count_the_sources_as_they_are_first_cited_and_lead_back(cited: list[list[str]]) -> None:
    from tests.reports.conftest import PAGES, make_evidence

    evidence = make_evidence(PAGES)
    sentences = [Sentence(text=str(n), citations=ids) for n, ids in enumerate(cited)]
    report = Report(
        title="t", topic="t", sections=[Section(heading="h", level=1, node=None, sentences=sentences)]
    )
    found = bibliography(report, evidence)
    held = [i for ids in cited for i in ids if i in evidence.passages]
    assert set(found.numbers) == set(held)
    first = dict.fromkeys(evidence.passages[i].sha256 for i in held)
    assert [e.source.sha256 for e in found.entries] == list(first)
    assert [e.number for e in found.entries] == [*range(1, len(first) + 1)]
    for i in held:
        assert i in [p.id for p in found.entry(i).passages]
        assert found.entry(i).source.sha256 == evidence.passages[i].sha256


def test_a_text_fragment_leads_to_the_words(evidence: Evidence) -> None:
    passage = evidence.passages["p1"]
    assert fragment_link(passage, "nine miles - off, the & coast") == (
        "https://harbour.example/history#:~:text=nine%20miles%20%2D%20off%2C%20the%20%26%20coast"
    )
