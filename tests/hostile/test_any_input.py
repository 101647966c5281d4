"""Whatever is put into them, what reads text from outside gives an answer or its own error.

`make fuzz` runs each for ten minutes with new examples; here they repeat.
"""

from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from pydantic import BaseModel

from library.evidence import citations, cite, keep_citations, renumber, rewrite_citations, strip_citations
from library.front_matter import front_matter
from mindmap.outline_import import read_markdown
from models.errors import ReplyUnusable
from models.replies import read_reply

_PIECES = (
    "[p1]", "[p1, p2]", "【p3】", "[P４]", "[p", "]", "p9", "<think>", "</think>", "```json", "```", "{", "}",
    "[", '"a"', ":", ",", "1e999", "NaN", "null", "---\n", "url: x\n", "- ", "# ", "\n", "  ", "\t", "&a *a",
    "\ud800", "。",
)  # fmt: skip
TEXTS = st.text(max_size=400) | st.lists(st.sampled_from(_PIECES), max_size=60).map("".join)


class Wanted(BaseModel):
    """Something to be read from a reply."""

    text: str
    numbers: list[float] = []


@given(TEXTS)
@example("[p1" * 5000)
@example("[p1,p1,p1]" * 500 + "[p²]")
def test_citations(text: str) -> None:
    ids = citations(text)
    kept, rejected = keep_citations(text, ids[::2])
    assert set(citations(kept)) <= set(ids[::2])
    assert set(rejected) == set(ids) - set(ids[::2])
    assert citations(cite(ids)) == ids
    assert citations(strip_citations(text)) == [] or "[" in text or "【" in text
    assert isinstance(renumber(text, {i: n for n, i in enumerate(ids, 1)}), str)
    assert rewrite_citations("plain", lambda _: "x") == "plain"


@given(TEXTS)
@example("{" * 20_000)
@example("[" * 20_000 + "]" * 20_000)
@example("<think>" * 3000)
@example('{"text": "' + "\\u" * 200 + '"}')
def test_replies(text: str) -> None:
    try:
        assert isinstance(read_reply(text, Wanted).text, str)
    except ReplyUnusable as failure:
        assert str(failure)  # noqa: PT017


@given(TEXTS)
@example("---\n" + "[" * 5000 + "\n---\n")
@example("---\na: &a [*a]\n---\n")
@example("---\ntitle: !!python/object/apply:os.system [x]\n---\nText")
def test_front_matter(text: str) -> None:
    assert front_matter(text) is not None
    assert front_matter(f"---\n{text}\n---\nThe text") is not None


@given(TEXTS)
@example("- x\n" * 3000)
@example("".join(" " * n + "- x\n" for n in range(300)))
def test_outlines(text: str) -> None:
    try:
        read_markdown(text)
    except ValueError as failure:
        assert str(failure)  # noqa: PT017


@given(st.binary(max_size=300))
@example(b"SQLite format 3\0" + b"\0" * 84)
def test_journals(data: bytes) -> None:
    import tempfile

    from roundtable.errors import JournalError
    from roundtable.journal import Journal
    from tests.faults.town import still_clock

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "journal.db"
        path.write_bytes(data)
        try:
            with Journal(path, still_clock()) as journal:
                assert journal.sessions() == []
        except JournalError as failure:
            assert "journal" in str(failure)  # noqa: PT017


def test_a_journal_of_a_newer_program_is_refused_with_a_clear_word(tmp_path: Path) -> None:
    import sqlite3

    from roundtable.errors import JournalError
    from roundtable.journal import Journal
    from tests.faults.town import still_clock

    path = tmp_path / "journal.db"
    Journal(path, still_clock()).close()
    with sqlite3.connect(path) as database:
        database.execute("PRAGMA user_version=99")
    database.close()
    with pytest.raises(JournalError, match="newer roundtable"):
        Journal(path, still_clock())
