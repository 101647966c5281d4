"""Whatever is put into them, what reads text from outside gives an answer or its own error.

`make fuzz` runs each for ten minutes with new examples; here they repeat.
"""

import json
import random
import sqlite3
import tempfile
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from pydantic import BaseModel

from agents.research.moves.respond import Move
from library.errors import StoreError
from library.evidence import (
    Source,
    citations,
    cite,
    keep_citations,
    rewrite_citations,
    strip_citations,
)
from library.readers.text_files.front_matter import front_matter
from mindmap.errors import OutlineError
from mindmap.outline_import import read_outline
from mindmap.tasks import Placements
from models.errors import ReplyUnusable
from models.prompting.output_parsing import read_reply
from roundtable.config.errors import JournalError, RoundtableError
from roundtable.journal.event_log import EventLog
from roundtable.journal.fold.state import State
from roundtable.journal.sessions.repair import repair_journal
from roundtable.journal.storage.journal_store import Journal
from tests.faults.town import played_journal, still_clock

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
@example(f"[p{'9' * 5000}, p{'0' * 5000}3]")
def test_citations(text: str) -> None:
    ids = citations(text)
    kept, rejected = keep_citations(text, ids[::2])
    assert set(citations(kept)) <= set(ids[::2])
    assert set(rejected) == set(ids) - set(ids[::2])
    assert citations(cite(ids)) == ids
    assert citations(strip_citations(text)) == [] or "[" in text or "【" in text
    assert rewrite_citations("plain", lambda _: "x") == "plain"


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | TEXTS,
    lambda inner: st.lists(inner, max_size=4)
    | st.dictionaries(
        st.sampled_from(["text", "numbers", "thought", "actions", "answer", "placements", "title", "children",
                         "nodes", "id", "parent", "name", "p1", ""]),
        inner, max_size=4,
    ),
    max_leaves=20,
)  # fmt: skip


def dumped(value: Any) -> str:
    """Return a value as JSON, also one that is none, as models write it."""
    return json.dumps(value, ensure_ascii=False)


@given(TEXTS | JSON.map(dumped) | st.tuples(TEXTS, JSON.map(dumped), TEXTS).map("".join))
@example("{" * 20_000)
@example("[" * 20_000 + "]" * 20_000)
@example("<think>" * 3000)
@example('{"text": "' + "\\u" * 200 + '"}')
def test_replies(text: str) -> None:
    for output in (Wanted, Move, Placements):
        try:
            assert isinstance(read_reply(text, output), output)
        except ReplyUnusable as failure:
            assert str(failure)  # noqa: PT017


@given(TEXTS)
@example("---\n" + "[" * 5000 + "\n---\n")
@example("---\na: &a [*a]\n---\n")
@example("---\ntitle: !!python/object/apply:os.system [x]\n---\nText")
def test_front_matter(text: str) -> None:
    assert front_matter(text) is not None
    found = front_matter(f"---\n{text}\n---\nThe text")
    assert found.body_start <= len(text) + 20
    for value in (found.url, found.title, found.author, found.date):
        assert value is None or "\n" not in value


_XML = (
    "<opml>", "</opml>", "<body>", "</body>", "<head><title>", "</title></head>", '<outline text="a">',
    "</outline>", '<outline text="b"/>', '<outline text="', '"/>', "<map>", "</map>", '<node TEXT="a">',
    "</node>", '<node TEXT="b"/>', "<richcontent>", "</richcontent>", "<!DOCTYPE x>", "<!ENTITY y 'z'>",
    "&y;", "&#x1F600;", "<![CDATA[", "]]>", "<!--", "-->", "x", "\n", "\x00", "\u202e",
)  # fmt: skip
XML = st.lists(st.sampled_from(_XML), max_size=30).map("".join)
OUTLINES = st.one_of(
    st.tuples(st.just(".md"), TEXTS),
    st.tuples(st.sampled_from([".opml", ".mm"]), XML | XML.map(lambda x: f"<opml><body>{x}</body></opml>")
              | XML.map(lambda x: f"<map>{x}</map>")),
    st.tuples(st.just(".json"), TEXTS | JSON.map(dumped)),
)  # fmt: skip


@given(OUTLINES)
@example((".md", "- x\n" * 3000))
@example((".md", "".join(" " * n + "- x\n" for n in range(300))))
@example((".md", "- " + "[a](" * 20_000))
@example((".md", "# " + " #" * 20_000 + "x"))
@example((".opml", "<opml><body>" + '<outline text="a">' * 5000 + "</outline>" * 5000 + "</body></opml>"))
@example((".mm", "<map>" + '<node TEXT="a">' * 30_000))
@example((".json", "[" * 100_000))
@example((".json", '{"nodes": [' + ", ".join(
    f'{{"id": "n{n}", "title": "t", "parent": "n{n - 1}"}}' for n in range(3000)) + "]}"))  # fmt: skip
def test_outlines(file: tuple[str, str]) -> None:
    ending, text = file
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / f"outline{ending}"
        path.write_bytes(text.encode("utf-8", "surrogatepass"))
        try:
            outline = read_outline(path)
        except OutlineError as failure:
            assert "\n" not in str(failure)  # noqa: PT017
        else:
            assert outline.children


def changed(value: Any, path: list[int], new: Any) -> Any:
    """Return a JSON value with one place in it, found by following `path`, changed."""
    if not path or not isinstance(value, dict | list) or not value:
        return new
    key = list(value)[path[0] % len(value)] if isinstance(value, dict) else path[0] % len(value)
    copy = value.copy()
    copy[key] = changed(value[key], path[1:], new)
    return copy


BYTES = st.binary(max_size=300).map(lambda data: ("bytes", data))
DAMAGE = st.tuples(st.just("damage"), st.integers(0, 2**32), st.integers(1, 4000))
EVENTS = st.tuples(st.just("event"), st.integers(0, 10**6), st.lists(st.integers(0, 40), max_size=5), JSON)


def journal_of(kind: str, how: list[Any], path: Path) -> None:
    """Write a journal that is made of anything, a real one that was damaged, or one with a changed event."""
    real = played_journal()
    if kind == "bytes":
        path.write_bytes(how[0])
    elif kind == "damage":
        chance = random.Random(how[0])
        data = bytearray(real)
        start = chance.randrange(len(data))
        data[start : start + how[1]] = chance.randbytes(min(how[1], len(data) - start))
        path.write_bytes(bytes(data))
    else:
        path.write_bytes(real)
        with sqlite3.connect(path) as database:
            last = database.execute("SELECT max(n) FROM events").fetchone()[0]
            n = how[0] % last + 1
            text = database.execute("SELECT event FROM events WHERE n = ?", (n,)).fetchone()[0]
            new = json.dumps(changed(json.loads(text), how[1], how[2]))
            database.execute("UPDATE events SET event = ? WHERE n = ?", (new, n))
        database.close()


def any_text(sha256: str) -> Source:
    """Return a source, as a store would that holds every text."""
    return Source(sha256, "https://asterby.example/", "", "word " * 2000)


@given(BYTES | DAMAGE | EVENTS)
@example(("bytes", b"SQLite format 3\0" + b"\0" * 84))
@example(("event", 3, [0], "\n"))
@example(("damage", 144, 58))
@example(("damage", 134042, 4))
@example(("damage", 262144, 1))
def test_journals(made: tuple[Any, ...]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "journal.db"
        journal_of(made[0], list(made[1:]), path)
        try:
            with Journal(path, still_clock()) as journal:
                for row in journal.sessions():
                    state = State(any_text)
                    EventLog(row.id, journal, state).repeat(journal.read(row.id))
                journal.check()
        except (RoundtableError, StoreError) as failure:
            assert "\n" not in str(failure)  # noqa: PT017
        saved, _ = repair_journal(path, still_clock())
        with Journal(path, still_clock()) as journal:
            assert journal.check() is None
            kept = [one.session for one in saved if one.events]
            assert [row.id for row in journal.sessions()] == kept[::-1]
            for name in kept:
                EventLog(name, journal, State(any_text)).repeat(journal.read(name))


def test_a_journal_of_a_newer_program_is_refused_with_a_clear_word(tmp_path: Path) -> None:
    import sqlite3

    from roundtable.journal.storage.journal_store import Journal
    from tests.faults.town import still_clock

    path = tmp_path / "journal.db"
    Journal(path, still_clock()).close()
    with sqlite3.connect(path) as database:
        database.execute("PRAGMA user_version=99")
    database.close()
    with pytest.raises(JournalError, match="newer roundtable"):
        Journal(path, still_clock())
