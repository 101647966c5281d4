"""Whatever a person types, a server answers, a bundle or a report holds is read, or refused in one line.

`make fuzz` runs each for ten minutes with new examples; here they repeat.
"""

import hashlib
import io
import json
import tempfile
import zipfile
from dataclasses import asdict
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from library.errors import LibraryError, SearchError
from library.evidence import Source
from library.search.backends.arxiv import ARXIV
from library.search.backends.crossref import CROSSREF
from library.search.backends.github import GITHUB
from library.search.backends.http_backend import InterfaceCollection, Query
from library.search.backends.openalex import OPENALEX
from library.search.backends.semanticscholar import SEMANTIC_SCHOLAR
from library.search.backends.wikipedia import WIKIPEDIA
from library.search.search_scope import SearchScope
from library.search.search_settings import SearchSettings
from library.search.tool_servers.mcp_results import items_of
from library.web.fetcher import Fetcher
from roundtable.config.config import Settings
from roundtable.config.errors import InputError, RoundtableError
from roundtable.journal.commands.command import CommandError
from roundtable.journal.commands.command_reading import COMMANDS, read_json, read_line
from roundtable.journal.event_log import EventLog
from roundtable.journal.fold.state import State
from roundtable.journal.sessions.bundle import take_in
from roundtable.journal.storage.journal_store import Journal
from roundtable.output.saved_report import read_saved
from tests.faults.town import still_clock
from tests.hostile.fuzzed.anything import ANY, TEXTS, WORDS, fewer, replaced

TYPED = st.sampled_from([*COMMANDS, "", "x"]).flatmap(lambda name: WORDS.map(lambda rest: f"/{name} {rest}"))


@given(TYPED | TEXTS | TEXTS.map("@{}".format))
def test_typed_commands(line: str):
    try:
        read_line(line)
    except CommandError as failure:
        assert str(failure)  # noqa: PT017


@given(
    st.dictionaries(
        st.sampled_from(["do", "text", "to", "node", "turns", "things", "place"]), ANY, max_size=4
    ),
    st.sampled_from([kind.model_fields["do"].default for kind in COMMANDS.values()]),
)
def test_sent_commands(values: dict[str, Any], kind: str):
    for sent in (values, {**values, "do": kind}):
        try:
            read_json(sent)
        except CommandError as failure:
            assert "\n" not in str(failure)  # noqa: PT017


ANSWERS: dict[str, tuple[Any, Any]] = {
    "crossref": (
        CROSSREF,
        {
            "message": {
                "items": [
                    {
                        "URL": "https://a.example",
                        "title": ["Dikes"],
                        "issued": {"date-parts": [[2020, 5]]},
                        "author": [{"given": "B.", "family": "Hale"}],
                        "container-title": ["Water"],
                        "DOI": "10.1/x",
                        "type": "journal-article",
                        "abstract": "<p>Dikes</p>",
                        "update-to": [{"type": "retraction"}],
                    }
                ]
            }
        },
    ),
    "openalex": (
        OPENALEX,
        {
            "results": [
                {
                    "id": "https://a.example",
                    "doi": "https://doi.org/10.1/x",
                    "display_name": "Dikes",
                    "publication_date": "2020-05-01",
                    "best_oa_location": {"landing_page_url": "https://a.example/1"},
                    "abstract_inverted_index": {"We": [0], "count": [1]},
                    "authorships": [{"author": {"display_name": "Hale"}}],
                    "type": "article",
                    "primary_location": {"source": {"display_name": "Water"}},
                }
            ]
        },
    ),
    "semantic": (
        SEMANTIC_SCHOLAR,
        {
            "total": 1,
            "data": [
                {
                    "url": "https://a.example",
                    "title": "Dikes",
                    "abstract": "They break.",
                    "publicationDate": "2020-05-01",
                    "year": 2020,
                    "authors": [{"name": "Hale"}],
                    "venue": "Water",
                    "externalIds": {"DOI": "10.1/x"},
                }
            ],
        },
    ),
    "github": (
        GITHUB,
        {
            "items": [
                {
                    "html_url": "https://github.com/a/b",
                    "full_name": "a/b",
                    "description": "x",
                    "pushed_at": "2020-05-01T00:00:00Z",
                }
            ]
        },
    ),
    "wikipedia": (
        WIKIPEDIA,
        {"query": {"search": [{"title": "Dike", "pageid": 1, "snippet": "a <b>dike</b>"}]}},
    ),
}


@given(st.sampled_from(sorted(ANSWERS)), st.lists(st.integers(0, 20), max_size=7), ANY)
@example("crossref", [0, 0, 0, 2, 0, 0, 0], float("inf"))
@example("openalex", [0, 0, 5, 1, 0], float("inf"))
@example("openalex", [0, 0, 5, 1, 0], 10**12)
@example("openalex", [0, 0, 2], 7)
@example("semantic", [1, 0, 3], "\x1b[2J" * 3000)
@example("github", [0, 0, 0], "https://a.example/" + "x" * 1_000_000)
@example("github", [0, 0, 1], "x" * 1_000_000)
@example("github", [0, 0, 0], "https://user:password@a.example/")
@example("openalex", [0, 0, 5], {"w" * 100_000: list(range(100_000))})
def test_answers_of_catalogues(name: str, path: list[int], value: Any):
    interface, answer = ANSWERS[name]
    asked = Query("dikes", 10, "en", "https://a.example", SearchScope())
    told = json.dumps(replaced(answer, path, value)).encode()
    addresses = {interface.name: asked.address}
    place = InterfaceCollection(interface, Fetcher(offline=True), SearchSettings(addresses=addresses))
    try:
        hits = place.hits(told, asked)
    except SearchError as failure:
        assert len(str(failure)) < 300  # noqa: PT017
        return
    assert all("\n" not in hit.title for hit in hits)
    assert sum(len(json.dumps(asdict(hit))) for hit in hits) < 400_000
    assert not any("\x1b" in f"{hit.published}" or "password" in hit.url for hit in hits)


@given(TEXTS)
@fewer(60)
def test_feeds(text: str):
    entry = "<entry><id>http://a.example/1</id><title>x</title><published>2021-01-02</published></entry>"
    feed = f"<feed xmlns='http://www.w3.org/2005/Atom'>{entry}{text}</feed>"
    try:
        ARXIV.reads(
            feed.encode("utf-8", "surrogatepass"), Query("x", 10, "en", "https://a.example", SearchScope())
        )
    except (KeyError, IndexError, TypeError, ValueError, AttributeError):
        return


@given(
    ANY | st.lists(st.dictionaries(st.sampled_from(["id", "url", "title", "text", "date", "metadata"]), ANY))
)
def test_results_of_tools(value: Any):
    from mcp_types import CallToolResult, TextContent

    told = json.dumps(value)
    results = [CallToolResult(content=[TextContent(type="text", text=told)])]
    if isinstance(value, dict):
        results.append(CallToolResult(content=[], structured_content=value))
    for result in results:
        for item in items_of(result):
            assert "\n" not in item.title + item.address
            assert isinstance(item.text, str)


BUNDLE = Path("tests/journals/v1.bundle.zip")
MEMBERS = ("bundle.json", "events.jsonl", "sources.jsonl")


def forged(member: int, line: int, path: list[int], value: Any) -> bytes:
    """Return a bundle of which one value is another, and whose digests are right all the same."""
    with zipfile.ZipFile(BUNDLE) as archive:
        members = {name: archive.read(name) for name in MEMBERS}
    name = MEMBERS[member % 3]
    lines = [members[name]] if name == "bundle.json" else members[name].splitlines()
    at = line % len(lines)
    lines[at] = json.dumps(replaced(json.loads(lines[at]), path, value)).encode()
    members[name] = b"\n".join(lines)
    about = json.loads(members["bundle.json"])
    if isinstance(about, dict) and isinstance(about.get("digests"), dict):
        for part in MEMBERS[1:]:
            about["digests"][part] = hashlib.sha256(members[part]).hexdigest()
        members["bundle.json"] = json.dumps(about).encode()
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        for part, data in members.items():
            archive.writestr(part, data)
    return out.getvalue()


@given(st.integers(0, 2), st.integers(0, 500), st.lists(st.integers(0, 40), max_size=6), ANY)
@fewer(25)
def test_bundles(member: int, line: int, path: list[int], value: Any):
    with tempfile.TemporaryDirectory() as folder:
        file, home = Path(folder) / "x.zip", Path(folder) / "home"
        file.write_bytes(forged(member, line, path, value))
        home.mkdir()
        with Journal(home / "journal.db", still_clock()) as journal:
            try:
                identity, started = take_in(file, journal, home, Settings(offline=True))
            except (RoundtableError, LibraryError) as failure:
                assert "\n" not in str(failure)  # noqa: PT017
                assert journal.sessions() == []  # noqa: PT017
                return
            assert [row.id for row in journal.sessions()] == [identity]
            assert started.settings["models"]["base_url"] == Settings().models.base_url
            try:
                EventLog(identity, journal, State(_any_text)).repeat(journal.read(identity))
            except (RoundtableError, LibraryError) as failure:
                assert "\n" not in str(failure)  # noqa: PT017


@given(st.lists(st.tuples(st.integers(0, 10**6), st.integers(0, 255)), min_size=1, max_size=3))
@fewer(60)
@example([(5000, 3)])
def test_damaged_bundles(places: list[tuple[int, int]]):
    """Of a bundle with another byte anywhere, packed texts too, nothing is taken in but what is right."""
    data = bytearray(BUNDLE.read_bytes())
    for at, byte in places:
        data[at % len(data)] = byte
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "x.zip"
        file.write_bytes(data)
        with Journal(Path(folder) / "journal.db", still_clock()) as journal:
            try:
                take_in(file, journal, Path(folder), Settings(offline=True))
            except InputError as failure:
                assert "\n" not in str(failure)  # noqa: PT017
                assert journal.sessions() == []  # noqa: PT017


@pytest.mark.parametrize("packing", [zipfile.ZIP_DEFLATED, zipfile.ZIP_LZMA])
def test_a_bundle_that_unpacks_to_nothing_but_line_ends(packing: int, tmp_path: Path):
    file = tmp_path / "x.zip"
    ends = b"\n" * 30_000_000
    digests = dict.fromkeys(MEMBERS[1:], hashlib.sha256(ends).hexdigest())
    about = {"format": "roundtable-bundle", "version": 2, "session": "a", "events": 1, "digests": digests}
    with zipfile.ZipFile(file, "w", packing) as archive:
        archive.writestr("bundle.json", json.dumps(about))
        for name in MEMBERS[1:]:
            archive.writestr(name, ends)
    assert file.stat().st_size < 100_000
    with (
        Journal(tmp_path / "journal.db", still_clock()) as journal,
        pytest.raises(InputError, match="is no bundle"),
    ):
        take_in(file, journal, tmp_path, Settings(offline=True))


def _any_text(sha256: str) -> Source:
    return Source(sha256, "https://asterby.example/", "", "word " * 2000)


SAVED = {
    "sources": [
        {
            "id": "s1",
            "url": "https://a.example",
            "title": "Dikes",
            "sha256": "ab",
            "author": None,
            "published": "2020",
            "retrieved": "",
            "passages": [{"id": "p1", "text": "Dikes break.", "start": 3, "end": 15}],
        }
    ]
}
REPORT = {
    "title": "Dikes",
    "topic": "Dikes",
    "front": [],
    "sections": [
        {
            "heading": "A",
            "level": 1,
            "node": "n1",
            "sentences": [{"text": "Dikes break.", "citations": ["p1"]}],
        }
    ],
}


@given(st.booleans(), st.lists(st.integers(0, 12), max_size=7), ANY)
@example(True, [0, 0, 7, 0, 2], float("inf"))
@example(True, [0, 0, 7, 0, 3], 10**12)
def test_saved_reports(sources: bool, path: list[int], value: Any):
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        both = {"report.json": REPORT, "sources.json": SAVED}
        changed = "sources.json" if sources else "report.json"
        for file, held in both.items():
            told = replaced(held, path, value) if file == changed else held
            (folder / file).write_text(json.dumps(told), encoding="utf-8")
        try:
            read_saved(folder, folder)
        except InputError as failure:
            assert "\n" not in str(failure)  # noqa: PT017
