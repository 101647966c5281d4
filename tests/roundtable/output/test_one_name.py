"""A passage has one name wherever a person meets it: on every recorded session, in every form and screen."""

import io
import re
import shutil
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import docx
import pypdfium2
import pytest

from library import Source, Store, citations
from mindmap.export import export_map
from reports.cite.source_numbering import cited
from reports.export.forms import export_report
from roundtable.journal.clock import SteppingClock
from roundtable.journal.fold.state import State
from roundtable.journal.storage.journal_store import Journal
from roundtable.output.outputs import output_texts
from roundtable.output.vault import vault_notes
from roundtable.protocols.chat_answers import report_answer, turns_answer
from roundtable.protocols.session_tools import _seen
from roundtable.terminal.plain_view import plain_lines

JOURNALS = Path(__file__).parents[2] / "journals"
SESSIONS = ["steered", "forked", "resumed", "computed", "unpriced", "headings", "live", "chinese"]
MARK = re.compile(r"\[(\d+\.\d+(?:, \d+\.\d+)*)(?:, (?:p\. \d+|第 ?\d+ ?页))*\]")
BARE = re.compile(r"\[p\d+\]|\[\d+[a-z](?:, [a-z])*\]")
"""Names that a passage had in one place alone."""


@pytest.fixture(scope="module")
def journal(tmp_path_factory: pytest.TempPathFactory) -> Journal:
    path = tmp_path_factory.mktemp("journals") / "journal.db"
    shutil.copy(JOURNALS / "v1.db", path)
    return Journal(path, SteppingClock(datetime(2026, 1, 1, tzinfo=UTC)))


@pytest.fixture(scope="module")
def texts(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Source]:
    path = tmp_path_factory.mktemp("texts") / "library.sqlite"
    shutil.copy(JOURNALS / "v1-library.sqlite", path)
    return Store(path).source  # type: ignore[return-value]


def read(form: str, data: bytes) -> str:
    match form:
        case "docx":
            body = docx.Document(io.BytesIO(data)).element.body
            text = "\n".join("".join(node.itertext()) for node in body)
        case "pdf":
            text = "\n".join(page.get_textpage().get_text_range() for page in pypdfium2.PdfDocument(data))
        case _:
            text = data.decode()
    return " ".join(text.replace("\\[", "[").replace("\\]", "]").split())


def names_in(text: str) -> set[str]:
    """Return what the citations of a text name; none of them names a passage in another way."""
    assert not BARE.search(text), BARE.findall(text)
    return {name for mark in MARK.findall(text) for name in mark.split(", ")}


@pytest.mark.parametrize("session", SESSIONS)
def test_every_place_names_a_passage_alike(
    journal: Journal, texts: Callable[[str], Source], session: str
) -> None:
    events, state = journal.read(session), State(texts)
    for recorded in events:
        state.fold(recorded)
    report, labels = state.report, state.evidence.labels()
    said = {labels[i] for turn in state.turns for i in citations(turn.text)}
    assert said
    assert names_in("\n".join(plain_lines(events))) >= said, "the terminal"
    assert names_in(read("md", (output_texts(state)["transcript.md"] or "").encode())) >= said
    assert names_in(" ".join(turn["text"] for turn in _seen(state)["turns"])) == said, "by MCP"
    experts = {labels[i] for t in state.turns if t.role == "expert" for i in citations(t.text)}
    assert names_in(turns_answer(state, 0, "x").text) == experts, "at /v1"
    placed = {labels[i] for node in state.map.walk() for i in state.map.node(node).passages}
    assert names_in(output_texts(state)["mindmap.md"] or "") == placed
    for form in ("opml", "csv"):
        assert names_in(export_map(state.map, state.evidence, form).decode()) == placed, form
    assert report is not None or session == "live", "its process ended in a turn"
    if report is None:
        return
    told = {labels[i] for i in cited(report)}
    for form in ("md", "html", "pdf", "docx", "tex"):
        made = read(form, export_report(form, report, state.evidence).data)
        assert names_in(made) == told, form
        assert all(re.search(rf"(?<![\d.]){re.escape(name)}(?:: | “|\]\()", made) for name in told), form
    assert names_in(report_answer(state, "x").text) == told, "at /v1"
    notes = vault_notes(state, session)
    shown = next(text for path, text in notes.items() if path.endswith("/Report.md"))
    linked = {name for link in re.findall(r"\|(\d+\.[\d., ]+)\]\]", shown) for name in link.split(", ")}
    assert linked == told, "in a vault"
