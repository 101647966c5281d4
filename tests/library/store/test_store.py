import sqlite3
import subprocess
import sys
from dataclasses import replace
from datetime import UTC, datetime
from hashlib import sha256
from pathlib import Path

import pytest

from library.errors import StoreError, StoreTooNew
from library.evidence import Source, Work
from library.search.local_collection import LocalCollection
from library.store.recovery import check_store, salvage_store
from library.store.store import HeldFile, Store


def source(text, url="file:///a.md", **more):
    return Source(sha256(text.encode()).hexdigest(), url, "A title", text, **more)


@pytest.fixture
def store(tmp_path):
    with Store(tmp_path / "library.sqlite") as opened:
        yield opened


def put(store, held, path, text):
    read = source(text, f"file://{path}")
    store.put_file(held, HeldFile(path, len(text), 1, read.sha256, read.sha256), read)
    return read


def test_what_is_read_within_one_second_is_told_apart(tmp_path):
    moment = datetime(2026, 11, 22, 8, 0, 0, 700_000, tzinfo=UTC)
    with Store(tmp_path / "clocked.sqlite", lambda: moment) as store:
        put(store, store.make_collection("a", ""), "/a.md", "Whales sing.")
        [reading] = store.readings(url="file:///a.md")
    assert datetime.fromisoformat(reading.first) == moment


def test_a_source_comes_back_as_it_was(store):
    kept = source(
        "One. Two.",
        author="B",
        published="2024-05",
        retrieved="2025-01-01T00:00:00Z",
        pages=(0, 5),
        private=True,
    )
    passages = store.add(kept)
    assert store.source(kept.sha256) == kept
    assert store.find(kept.url) == kept
    assert store.passages(kept.sha256) == passages == store.add(kept)
    assert all(kept.text[p.start : p.end] == p.text for p in passages)
    store.close()
    with Store(store.path) as again:
        assert again.source(kept.sha256) == kept


def test_one_text_at_two_urls_is_kept_once_and_found_under_both(store):
    store.add(source("Same text.", "https://a.example/"))
    store.add(source("Same text.", "https://b.example/"))
    assert store.find("https://b.example/").url == "https://b.example/"
    assert store.find("https://a.example/").sha256 == store.find("https://b.example/").sha256


def test_a_url_leads_to_what_was_read_there_last(store):
    store.add(source("Old text."))
    store.add(source("New text."))
    assert store.find("file:///a.md").text == "New text."


def test_a_text_that_is_private_anywhere_is_private(store):
    store.add(source("Text."))
    store.add(replace(source("Text."), private=True))
    assert store.source(source("Text.").sha256).private


def test_an_unknown_text_is_an_error_of_one_line(store):
    with pytest.raises(StoreError, match="not in the store"):
        store.passages("0" * 64)


def test_counts_follow_what_is_added_changed_and_removed(store):
    held = store.make_collection("c", "C")
    put(store, held, "/1", "Whales sing in the deep sea.")
    put(store, held, "/2", "Whales eat krill.")
    assert store.document_frequency([held], ["whale", "krill", "absent"]) == {"whale": 2, "krill": 1}
    put(store, held, "/2", "Seals eat fish.")
    assert store.document_frequency([held], ["whale", "krill", "seal"]) == {"whale": 1, "seal": 1}
    store.remove_file(held, "/1")
    assert store.document_frequency([held], ["whale"]) == {}
    assert len(store.postings(held).ids) == 1


def test_a_text_in_two_files_stays_until_both_are_gone(store):
    held = store.make_collection("c", "C")
    put(store, held, "/1", "Whales sing.")
    put(store, held, "/2", "Whales sing.")
    store.remove_file(held, "/1")
    assert store.document_frequency([held], ["whale"]) == {"whale": 1}
    store.remove_file(held, "/2")
    assert len(store.postings(held).ids) == 0


def test_collections_do_not_see_each_other(store):
    first, second = store.make_collection("a", ""), store.make_collection("b", "")
    put(store, first, "/1", "Whales sing.")
    put(store, second, "/2", "Seals bark.")
    assert [h.url for h in LocalCollection(store, first).find("whales seals", 5)] == ["file:///1"]
    assert store.drop_collection("a")
    assert not store.drop_collection("a")
    assert [held.name for held in store.collections()] == ["b"]
    assert store.find("file:///1") is not None


def test_what_fails_halfway_leaves_nothing(store):
    def fail():
        with store.writing():
            store.add(source("Text."))
            raise RuntimeError

    with pytest.raises(RuntimeError):
        fail()
    assert store.source(source("Text.").sha256) is None


def test_a_newer_file_is_refused(store):
    with store.writing() as connection:
        connection.execute("UPDATE library_meta SET value = '999' WHERE name = 'version'")
    store.close()
    with pytest.raises(StoreTooNew, match="newer version"):
        Store(store.path)
    with pytest.raises(StoreTooNew):  # it is not damaged: nothing is to be saved from it
        check_store(store.path)


def test_a_damaged_file_says_what_to_do(tmp_path):
    path = tmp_path / "library.sqlite"
    path.write_bytes(b"This is no database at all. " * 100)
    with pytest.raises(StoreError, match="doctor --repair"):
        Store(path)


def test_a_folder_that_cannot_be_made_is_an_error_of_one_line(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(StoreError, match="cannot be opened"):
        Store(tmp_path / "file" / "library.sqlite")


def test_a_killed_process_leaves_whole_transactions(tmp_path):
    script = """
import os, signal, sys
from hashlib import sha256
from pathlib import Path
from library.evidence import Source
from library.store.store import Store
def source(text):
    return Source(sha256(text.encode()).hexdigest(), "file:///" + text, "T", text)
store = Store(Path(sys.argv[1]))
store.add(source("kept"))
with store.writing():
    store.add(source("lost"))
    os.kill(os.getpid(), signal.SIGKILL)
"""
    path = tmp_path / "library.sqlite"
    root = Path(__file__).parents[3]
    done = subprocess.run(
        [sys.executable, "-c", script, str(path)], cwd=root, env={"PYTHONPATH": str(root)}, check=False
    )
    assert done.returncode == -9
    with Store(path) as store:
        assert store.find("file:///kept") is not None
        assert store.find("file:///lost") is None
        store.add(source("more"))
    with sqlite3.connect(path) as connection:
        assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)
    connection.close()


FORGED = {"url": "https://evil.example/", "author": "Nobody", "published": "1999"}


def test_what_others_say_of_a_text_gives_way_to_how_it_is_read_here(store):
    sent = source("Whales sing.", **FORGED, work=Work(("Nobody",), "A forged work", "10.1/x"))
    read = source("Whales sing.", "https://whales.example/", author="Ann", retrieved="2025-01-01T00:00:00Z")
    store.add(sent, named=False, heard=True)
    assert store.find(sent.url) is None
    assert store.source(sent.sha256) == replace(sent, title=store.source(sent.sha256).title)
    store.add(read)
    assert store.source(sent.sha256) == store.find(read.url) == read
    store.add(sent, named=False, heard=True)
    assert store.source(sent.sha256) == read, "nor does it change what is known already"


def test_documents_of_a_bundle_are_what_it_says_of_them(store):
    sent = source("Whales sing.", **FORGED)
    store.add(sent, named=False, heard=True)
    put(store, store.make_collection("sent", ""), f"{store.path.parent}/imported/s/text.txt", sent.text)
    assert store.source(sent.sha256) == sent
    put(store, store.make_collection("own", ""), "/own/whales.md", sent.text)
    assert store.source(sent.sha256).url == "file:///own/whales.md"


def test_a_repaired_store_still_knows_what_it_only_heard(tmp_path):
    path, sent = tmp_path / "library.sqlite", source("Whales sing.", **FORGED)
    with Store(path) as store:
        store.add(sent, named=False, heard=True)
    salvage_store(path)
    with Store(path) as store:
        assert (store.source(sent.sha256), store.find(sent.url)) == (sent, None)
        store.add(source(sent.text))
        assert store.source(sent.sha256).url == "file:///a.md"


def test_a_store_that_works_out_what_it_says_is_not_opened(tmp_path: Path) -> None:
    path = tmp_path / "library.sqlite"
    Store(path).close()
    with sqlite3.connect(path) as database:
        database.executescript("ALTER TABLE works RENAME TO kept; CREATE VIEW works AS SELECT * FROM kept")
    database.close()
    with pytest.raises(StoreError, match=r"not opened, for it works out what it says \(view works\)"):
        Store(path)
    with pytest.raises(StoreError, match=r"cannot repair .*: it works out what it says \(view works\)"):
        salvage_store(path)
    assert list(tmp_path.glob("library*")) == [path]
