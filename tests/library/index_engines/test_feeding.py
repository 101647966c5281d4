"""Feeding an engine while others change, remove, repair or forge what it is fed with."""

import json
import threading
from dataclasses import replace

import pytest

from library.errors import EngineError, SearchError, StoreError
from library.evidence import Source
from library.index_engines import feeding
from library.index_engines.engine_collection import EngineCollection
from library.index_engines.engine_opening import add_place
from library.index_engines.feeding import feed
from library.index_engines.lancedb_engine import LanceEngine
from library.readers.reader import Reader
from library.store.cutting.text_cutting import cut
from library.store.recovery import salvage_store
from library.store.store import HeldFile, Store
from library.store.sync import sync
from roundtable.config.search_places import STORE
from roundtable.session.document_collections import remove_collection

PAGE = "https://mills.example/tide"


@pytest.fixture
def folder(tmp_path):
    root = tmp_path / "pages"
    root.mkdir()
    (root / "mill.md").write_text("# Tide mills\n\nA tide mill grinds barley when the pond runs out.")
    (root / "rent.md").write_text("# Rents\n\nThe miller Ottilie owes ninety guilders of rent.")
    return root


@pytest.fixture
def store(tmp_path, folder):
    with Store(tmp_path / STORE) as store:
        held = store.make_collection("mills", "", [str(folder)])
        store.index_elsewhere(held, add_place("lancedb", "", "mills", tmp_path))
        read(store, folder)
        yield store


def read(store, folder):
    with Reader() as reader:
        sync(store, "mills", [folder], reader)


def engine_of(store, kind=LanceEngine):
    return kind(store.collection("mills").indexed.place, {})


def told(store, kind=LanceEngine):
    held = store.collection("mills")
    feed(store, held, engine_of(store, kind))
    return held


def found(store, query):
    return [
        hit.title
        for hit in EngineCollection(store, store.collection("mills"), engine_of(store)).find(query, 5)
    ]


def test_what_goes_while_it_is_told_is_found_no_longer(store, folder):
    class Interrupted(LanceEngine):
        def put(self, texts):
            super().put(texts)
            if (folder / "rent.md").exists():
                (folder / "rent.md").unlink()
                with Store(store.path) as other:  # another process reads the folder meanwhile
                    read(other, folder)

    told(store, Interrupted)
    assert found(store, "the rent of Ottilie") == []
    assert found(store, "barley") == ["Tide mills"]
    assert engine_of(store).counts().texts == 1


def test_what_went_between_a_repair_and_the_next_update_is_found_no_longer(store, folder):
    told(store)
    store.close()
    salvage_store(store.path)
    (folder / "rent.md").unlink()
    with Store(store.path) as repaired:
        read(repaired, folder)
        told(repaired)
        assert found(repaired, "the rent of Ottilie") == []
        assert found(repaired, "barley") == ["Tide mills"]


def test_feeding_looks_at_what_it_tells_and_not_at_the_whole_collection_each_time(store, folder, monkeypatch):
    held = told(store)
    files = 5_000
    rows = ((held.id, f"/far/{n}", 1, 1, "d", f"{n:064x}") for n in range(files))
    with store.writing() as connection:
        connection.executemany("INSERT INTO files VALUES (?,?,?,?,?,?)", rows)
    for number in range(8):
        (folder / f"{number}.md").write_text(f"# Mill {number}\n\nMill {number} has {number} wheels.")
    for file in folder.glob("?.md"):
        with Reader() as reader:
            source = reader.read_file(file)
        store.put_file(held, HeldFile(str(file), 1, 1, source.sha256, source.sha256), source)
    monkeypatch.setattr(feeding, "_AT_ONCE", 1)
    steps = [0]

    def hundred():
        steps[0] += 100

    with store.reading() as connection:
        connection.set_progress_handler(hundred, 100)
        told(store)
        connection.set_progress_handler(None, 0)
    assert engine_of(store).counts().texts == 10
    assert steps[0] < 10 * files, "of SQLite's virtual machine: one reading of all files takes more"


def forged(store, **values):
    """Write other than the truth into the place of an engine, as whoever shares it may."""
    table = engine_of(store)._table("texts")
    for row in table.search().to_list():
        source = json.loads(row["source"])
        if source["title"] == "Tide mills":
            changed = json.dumps(source | values)
            table.update(where=f"sha256 = '{row['sha256']}'", values={"source": changed})


@pytest.fixture
def other(store, tmp_path):
    """Another machine's store, which searches what the first one feeds."""
    held = told(store)
    with Store(tmp_path / "other" / STORE) as other:
        place = replace(held.indexed, attached=True)
        other.index_elsewhere(other.make_collection("mills", ""), place)
        yield other


def test_a_forged_text_is_refused_and_not_kept(store, other):
    forged(store, text="# Tide mills\n\nA tide mill grinds barley and must be given lye.")
    with pytest.raises(SearchError, match="mills holds a text that is not what its hash says: file:"):
        found(other, "barley")
    assert other.known() == []


def test_a_passage_that_is_not_in_its_text_is_told_in_a_line(store, other):
    engine_of(store)._table("passages").update(values={"end": 9_999})
    with pytest.raises(SearchError, match="mills holds a passage that is not in its text: no span 0:9999 in"):
        found(other, "barley")
    assert other.known() == []


def test_a_text_that_says_it_is_a_page_of_the_web_stands_for_none(store, other):
    forged(store, url=PAGE, private=False)
    place = EngineCollection(other, other.collection("mills"), engine_of(other))
    [hit] = place.find("barley", 5)
    assert hit.url == PAGE
    assert hit.passage.private
    assert other.find(PAGE) is None
    assert other.readings(url=PAGE) == []


def test_an_address_that_is_known_here_keeps_its_text(store, other, folder):
    address = (folder / "mill.md").as_uri()
    with Reader() as reader:
        kept = replace(reader.read_file(folder / "rent.md"), url=address)
    other.add(kept)
    assert found(other, "barley") == ["Tide mills"]
    assert other.find(address) == kept


def test_a_text_taken_in_is_checked_by_the_store_itself(store):
    source = Source("0" * 64, "file:///x", "X", "A weighhouse stands at the quay.")
    with pytest.raises(StoreError, match="not what its hash says: file:///x"):
        store.take_in(store.collection("mills"), source, cut(source))


def test_one_removed_while_it_is_fed_leaves_nothing_and_says_so(store, tmp_path, monkeypatch):
    monkeypatch.setattr(feeding, "_AT_ONCE", 1)
    place = store.collection("mills").indexed.place
    removals = []

    class Removed(LanceEngine):
        def put(self, texts):
            if not removals:
                removals.append(threading.Thread(target=remove_collection, args=(tmp_path, "mills")))
                removals[0].start()
                while store.collection("mills") is not None:
                    removals[0].join(0.01)
                removals[0].join(0.5)  # time in which it could drop the tables
                assert removals[0].is_alive(), "it waits until nobody writes"
            super().put(texts)

    with pytest.raises(EngineError, match="^the collection mills was removed$"):
        told(store, Removed)
    removals[0].join(30)
    assert not removals[0].is_alive()
    assert LanceEngine(place, {}).counts().texts == 0
    assert not LanceEngine(place, {})._db.list_tables().tables


def test_one_removed_while_it_is_open_says_so(store, tmp_path):
    held = told(store)
    place = EngineCollection(store, held, engine_of(store))
    assert place.find("barley", 5)
    remove_collection(tmp_path, "mills")
    with pytest.raises(SearchError, match="mills cannot be searched: the collection mills was removed$"):
        place.find("barley", 5)
