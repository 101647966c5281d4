"""What a chat is told of a report: its marks lead to the sources that the report means."""

from typing import Literal

import pytest

from library import Evidence, Source
from reports import Report, Section, Sentence
from roundtable.journal.fold.state import State
from roundtable.protocols.chat_answers import report_answer

LONG = "\n\n".join(f"## Part {n}\n\nRule {n} holds. " + "Nobody cites this line. " * 160 for n in (1, 2))
SOURCES = [
    Source("first", "https://a.example/", "Read first", "The first says it."),
    Source("manual", "https://m.example/", "A manual", LONG),
    Source("unused", "https://u.example/", "Never cited", "The third is not cited."),
]
SAID = {
    "p1": ("first", "The first says it."),
    "p2": ("manual", "Rule 1 holds."),
    "p3": ("manual", "Rule 2 holds."),
    "p4": ("unused", "The third is not cited."),
}


def state(style: Literal["numeric", "author-year"]) -> State:
    """Return an ended session: its report cites the manual before what was read first."""
    held = {source.sha256: source for source in SOURCES}
    ids = (["p3"], ["p2"], ["p1"])
    said = [Sentence(text=f"Sentence {n}.", citations=i, support="supported") for n, i in enumerate(ids)]
    section = Section(heading="S", level=1, node=None, sentences=said)
    told = State(lambda sha: held[sha])
    told.report = Report(title="T", topic="T", citation_style=style, sections=[section])
    told.status = "ended"
    passages = {}
    for i, (sha, words) in SAID.items():
        at = held[sha].text.index(words)
        passages[i] = held[sha].passage(at, at + len(words), i)
    told.gathered.evidence = Evidence(passages, held)
    return told


@pytest.mark.parametrize("style", ["numeric", "author-year"])
def test_marks_of_a_report_are_text_and_lead_to_their_own_sources(style: Literal["numeric", "author-year"]):
    answer = report_answer(state(style), "0f4b8028")
    assert "#source-" not in answer.text
    found = [one["url_citation"] for one in answer.annotations]
    assert [one["url"] for one in found] == ["https://m.example/", "https://m.example/", "https://a.example/"]
    marks = [answer.text[one["start_index"] : one["end_index"]] for one in found]
    if style == "numeric":
        assert marks == ["[1.2]", "[1.1]", "[2.1]"]
    else:
        assert marks[2] == "(a.example n.d.)"
