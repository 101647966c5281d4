"""Whatever stands in a file that somebody made is read, or refused in one line that says what it is.

Real files are taken apart, and one of their parts is altered: what opens them as a whole would refuse most of
what is altered from outside. `make fuzz` runs each for ten minutes with new examples; here they repeat.
"""

import io
import json
import tempfile
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from library.errors import ReadError
from library.evidence import Evidence, Source
from library.readers.reader import Reader
from library.readers.workers.parser_worker import perform
from library.references.reference_files import read_references
from mindmap import MapStarted, MindMap
from reports.audit.manuscript import manuscript
from reports.plan.outline_file import OutlineUnreadable, read_outline
from roundtable.config.config import load_settings
from roundtable.config.errors import ConfigError
from roundtable.config.trust_file import TRUST, read_trust
from tests.hostile.fuzzed.anything import (
    ANY,
    DIGITS,
    PLACE,
    TEXTS,
    WORDS,
    altered,
    fewer,
    replaced,
    with_members,
)
from tests.hostile.fuzzed.made_documents import documents


@pytest.fixture(scope="module")
def reader() -> Iterator[Reader]:
    with Reader() as reader:
        yield reader


ENDINGS = (
    ".html",
    ".docx",
    ".pptx",
    ".xlsx",
    ".epub",
    ".odt",
    ".ipynb",
    ".pdf",
    ".csv",
    ".eml",
    ".md",
    ".py",
)


@given(st.sampled_from(ENDINGS), st.booleans(), st.integers(0, 50), st.lists(PLACE, min_size=1, max_size=6))
@fewer(60)
@example(".html", False, 0, [(300, 0, f"<ol start='{DIGITS}'><li>x</ol>")])
def test_documents(
    reader: Reader, ending: str, inside: bool, member: int, places: list[tuple[int, int, str]]
):
    data = documents()[ending]
    if inside and data.startswith(b"PK"):
        names = zipfile.ZipFile(io.BytesIO(data)).namelist()
        wanted = names[member % len(names)]
        data = with_members(data, lambda name, old: altered(old, places) if name == wanted else old)
    else:
        data = altered(data, places)
    try:
        source = reader.read_file_bytes(data, Path(f"/x/dikes{ending}"))
    except ReadError as failure:
        told = str(failure)
        assert "\n" not in told
        # What nobody foresaw is told all the same; parsers of others may say anything, ours may not.
        assert ending in (".pdf", ".xlsx", ".eml") or "the parser failed" not in told, told
    else:
        assert source.text
        assert "\x1b" not in source.text + source.title
        source.text.encode()


@given(
    st.sampled_from([".docx", ".pptx", ".odt", ".epub"]),
    st.lists(st.tuples(st.integers(0, 10**6), st.integers(0, 255)), min_size=1, max_size=3),
)
@fewer(40)
@example(".epub", [(4, 0), (56, 0)])
def test_damaged_documents(ending: str, places: list[tuple[int, int]]):
    """A byte is another, packed texts too: what is wrong is foreseen, so that its process is used again."""
    data = bytearray(documents()[ending])
    for at, byte in places:
        data[at % len(data)] = byte
    kind = {".pptx": "slides"}.get(ending, ending[1:])
    told = perform({"kind": kind, "largest": 10**7, "largest_page": 10**7}, bytes(data))
    assert "broken" not in told, told


def test_a_document_that_is_packed_as_none_is_refused(reader: Reader):
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_LZMA) as archive:
        archive.writestr("word/document.xml", "<x/>")
    with pytest.raises(ReadError, match="packed as no DOCX"):
        reader.read_file_bytes(out.getvalue(), Path("/x/a.docx"))


@given(TEXTS, st.sampled_from([".bib", ".ris", ".json"]))
@fewer(60)
@example(json.dumps([{"title": "t", "author": 5, "issued": {"date-parts": [[DIGITS]]}}]), ".json")
@example(json.dumps([{"title": "t", "author": [{"literal": 5}], "issued": {"date-parts": [5]}}]), ".json")
@example("TY  - JOUR\nTI  - x\nPY  - " + DIGITS + "\nER  - \n", ".ris")
def test_reference_lists(text: str, ending: str):
    texts = [text] if ending == ".json" else [text, f"@article{{a, title={{Dikes}}, year={text}}}"]
    for told in texts:
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / f"list{ending}"
            path.write_bytes(told.encode("utf-8", "surrogatepass"))
            try:
                assert read_references(path).references
            except ReadError as failure:
                assert "\n" not in str(failure)  # noqa: PT017


@given(st.lists(st.integers(0, 20), max_size=5), ANY)
@fewer(60)
def test_reference_lists_of_values(path: list[int], value: Any):
    item = {
        "id": "a",
        "title": "Dikes",
        "author": [{"family": "Hale", "given": "B."}],
        "DOI": "10.1/x",
        "issued": {"date-parts": [[2020, 5, 1]]},
        "keyword": "a,b",
        "note": "n",
        "URL": "https://a.example",
    }
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "list.json"
        file.write_text(json.dumps(replaced([item], path, value)).replace("\\ud83d", "x"), encoding="utf-8")
        try:
            assert read_references(file).references
        except ReadError as failure:
            assert "\n" not in str(failure)  # noqa: PT017


@given(TEXTS)
@example(
    f"A claim of more than five words x{'¹' * 5000} [{DIGITS}].\n\n## References\n\n[1] A. Hale, Dikes. 2020."
)
@example("# T\n\nA claim of more than five words stands here [1].\n\n## References\n\n" + "[1] A\n" * 300)
def test_manuscripts(text: str):
    text = text.encode("utf-8", "replace").decode()
    read = manuscript(Source("a", "file:///a.md", "A", text))
    assert all(0 <= claim.start < claim.end <= len(read.source.text) for claim in read.claims)


@given(TEXTS)
@fewer(60)
def test_edited_outlines(text: str):
    tree = MindMap.started(MapStarted(title="Dikes"))
    try:
        read_outline(text, tree, Evidence())
    except OutlineUnreadable as failure:
        assert "\n" not in str(failure)  # noqa: PT017


NAMES = st.sampled_from(
    [
        "docs",
        "models",
        "model",
        "library",
        "fetch",
        "allow",
        "read",
        "mcp",
        "x",
        "url",
        "trust",
        "prefer",
        "never",
        "reports",
        "moderator",
        "turns",
        "search",
        "command",
        "depth",
    ]
)
TABLES = st.recursive(
    WORDS | st.integers(-(10**30), 10**30) | st.booleans() | st.floats(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(NAMES, inner, max_size=3),
    max_leaves=6,
)


def as_toml(value: Any) -> str:
    """Write a value as TOML does in one line."""
    if isinstance(value, dict):
        return "{" + ", ".join(f"{key} = {as_toml(each)}" for key, each in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(as_toml, value)) + "]"
    return json.dumps(value) if isinstance(value, str | bool) else repr(value)


@given(
    TEXTS
    | st.dictionaries(NAMES, TABLES, max_size=4).map(
        lambda values: "\n".join(f"{key} = {as_toml(value)}" for key, value in values.items())
    )
)
@fewer(60)
@example("a = " + "[" * 5000)
@example("a = " + DIGITS)
@example("depth = 1e999\nmoderator = {turns = inf}")
def test_settings(text: str):
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / TRUST
        path.write_bytes(text.encode("utf-8", "surrogatepass"))
        for read in (lambda: load_settings(config=path, environment={}), lambda: read_trust(Path(folder))):
            try:
                read()
            except ConfigError as failure:
                assert str(failure)  # noqa: PT017
