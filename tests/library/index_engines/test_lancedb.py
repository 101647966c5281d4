"""A collection that LanceDB indexes: found as our own index finds, fed once, whole again after a kill."""

import asyncio
import contextlib
import hashlib
import shutil
import sqlite3
import sys
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest

from library.errors import EngineError
from library.evidence import Source
from library.index_engines.engine_collection import EngineCollection
from library.index_engines.engine_opening import add_place, is_here
from library.index_engines.engine_settings import EngineSettings
from library.index_engines.feeding import feed
from library.index_engines.index_engine import IndexedText
from library.index_engines.indexed_places import EngineAccess
from library.index_engines.lancedb_engine import LanceEngine
from library.index_engines.text_vectors import TextVectors
from library.library_opening import open_documents, open_library
from library.readers.reader import Reader
from library.references.collecting import sync_documents
from library.search.embeddings import EmbeddingSettings
from library.settings import LibrarySettings
from library.store.cutting.text_cutting import cut
from library.store.engine_rows import EnginePlace
from library.store.recovery import salvage_store
from library.store.store import Store
from tests.embedding_server import EmbeddingServer

PAGES = {
    "weir.md": "# Weirs\n\nA weir raises the water of a river by a step: boats need a lock beside it.",
    "dyke.md": "# Dykes\n\nA dyke of clay keeps the sea out; sheep tread its grass firm. It's mown in June.",
    "polder.md": "# Polders\n\nA polder lies below the sea. Mills once lifted the rain over the dyke.",
    "snow.md": "# Snow\n\nSnow that lies through May feeds 3.5 cubic metres a second into the brook.",
    "堤.md": "# 堤坝\n\n青河的堤坝在一九三一年决口，洪水淹没了三个村庄。",
}


class LostEngine(LanceEngine):
    """Is killed each time it has kept texts."""

    def put(self, texts):
        super().put(texts)
        raise KeyboardInterrupt


class UnfinishedEngine(LanceEngine):
    """Is killed when it has been told of everything."""

    def finish(self):
        raise KeyboardInterrupt


@pytest.fixture
def folder(tmp_path):
    root = tmp_path / "pages"
    root.mkdir()
    for name, text in PAGES.items():
        (root / name).write_text(text)
    return root


@pytest.fixture
def store(tmp_path, folder):
    with Store(tmp_path / "home" / "library.sqlite") as store:
        held = store.make_collection("water", "", [str(folder)])
        store.index_elsewhere(held, add_place("lancedb", "", "water", tmp_path / "home"))
        yield store


def opened(store, access=None):
    with Reader() as reader:
        return open_documents(store, reader, "water", None, access)


def engine_of(store):
    return LanceEngine(store.collection("water").indexed.place, {})


def titles(hits):
    return [hit.title for hit in hits]


def test_a_folder_is_found_as_by_our_own_index(store, folder):
    place, unread = opened(store)
    assert isinstance(place, EngineCollection)
    assert not unread
    with Reader() as reader:
        own, _ = open_documents(store, reader, str(folder))
    for query in ("sheep on clay", "What lifted the rain?", "3.5 cubic metres", "青河 洪水", "boats"):
        assert titles(place.find(query, 3))[:1] == titles(own.find(query, 3))[:1], query
    hit, *_ = place.find("boats", 5)
    assert hit.passage.text == store.passages(hit.passage.sha256)[0].text
    assert hit.score == pytest.approx(own.find("boats", 5)[0].score)
    assert place.find("zeppelin", 5) == place.find("", 5) == []
    assert place.frequencies.document_frequency(["dyke", "boat"]) == {"dyke": 2, "boat": 1}
    with store.reading() as connection:
        rows = connection.execute(f"SELECT count(*) FROM index_{place.held.id}_members").fetchone()
    assert rows == (0,), "its words are not indexed twice"


def test_what_changes_and_goes_is_told_once(store, folder):
    opened(store)
    before = engine_of(store).counts()
    (folder / "weir.md").write_text("# Weirs\n\nA weir of needles is laid down before the ice comes.")
    (folder / "snow.md").unlink()
    place, _ = opened(store)
    assert place.find("boats", 5) == place.find("cubic brook", 5) == []
    assert titles(place.find("needles", 5))[:1] == ["Weirs"]
    after = engine_of(store).counts()
    assert (before.texts, after.texts) == (5, 4)
    assert engine_of(store).document_frequency(["snow", "weir", "boat"]) == {"weir": 1}
    version = engine_of(store)._table("passages").version
    opened(store)
    assert engine_of(store)._table("passages").version == version, "what is as before is not written again"


@pytest.mark.parametrize("killed", [LostEngine, UnfinishedEngine])
def test_one_that_is_killed_goes_on_and_nothing_is_there_twice(store, killed):
    held = store.collection("water")
    with Reader() as reader:
        sync_documents(store, "water", [*map(Path, held.paths)], reader)
    with pytest.raises(KeyboardInterrupt):
        feed(store, held, killed(held.indexed.place, {}, held.indexed.owner))
    place, _ = opened(store)
    counts = engine_of(store).counts()
    assert counts.texts == 5
    assert counts.terms == place.frequencies.counts.terms
    assert engine_of(store).document_frequency(["dyke"]) == {"dyke": 2}
    assert titles(place.find("boats", 5))[:1] == ["Weirs"]


def test_counts_that_were_not_kept_are_made_again(tmp_path):
    engine = LanceEngine(str(tmp_path / "x"), {})
    text = "The lock keeper opens at six."
    source = Source("a" * 64, "file:///lock", "Lock", text)
    engine.begin("1")
    engine.put([IndexedText(source, cut(source))])
    engine._table("counts").delete("true")  # as when it is killed before them
    again = LanceEngine(str(tmp_path / "x"), {})
    again.begin("1")
    again.finish()
    assert again.document_frequency(["keeper"]) == {"keeper": 1}
    assert again.texts(["a" * 64, "b" * 64]) == [IndexedText(source, cut(source))]
    again.begin("2")
    again.finish()
    assert again.counts().texts == 0, "terms of another analysis match nothing"
    assert again.analysis() == "2"


@pytest.mark.parametrize("left", [["about"], ["texts", "passages", "counts"]])
def test_tables_that_a_full_disk_left_unwritten_are_made_again(tmp_path, left):
    LanceEngine(str(tmp_path / "x"), {}).begin("1")
    for kept in (tmp_path / "x").iterdir():
        if kept.stem in left or left == ["about"]:
            shutil.rmtree(kept)
    for name in left:
        (tmp_path / "x" / f"{name}.lance" / "_versions").mkdir(parents=True)
    engine = LanceEngine(str(tmp_path / "x"), {})
    assert engine.counts().texts == 0
    engine.begin("1")
    source = Source("a" * 64, "file:///lock", "Lock", "The lock keeper opens at six.")
    engine.put([IndexedText(source, cut(source))])
    engine.finish()
    assert engine.document_frequency(["keeper"]) == {"keeper": 1}


def test_halves_of_characters_and_quotes_do_no_harm(tmp_path):
    engine = LanceEngine(str(tmp_path / "x"), {})
    text = "It's O'Neil's \ud800 sluice."
    source = Source("c" * 64, "file:///o", "O'Neil \udfff", text)
    engine.begin("1")
    engine.put([IndexedText(source, cut(source))])
    engine.finish()
    assert engine.texts(["c" * 64])[0].source == source
    asked = ["neil", "o'neil", "' OR 1=1 --", "\ud800", "sluic"]
    assert engine.document_frequency(asked) == {"neil": 1, "sluic": 1}
    assert [each.sha256 for each in engine.find(["sluic"], 5)] == ["c" * 64]


@pytest.mark.loopback
async def test_dense_vectors_find_what_shares_no_word(store):
    with EmbeddingServer() as server:
        settings = EmbeddingSettings(model="small", url=server.url)
        access = EngineAccess(EngineSettings(), settings, {}, (server.host,))
        place, notes = await asyncio.to_thread(opened, store, access)
        assert not notes
        assert engine_of(store).counts().vectors == engine_of(store).counts().passages
        embedded = sum(len(body["input"]) for body in server.asked)
        # The server counts "snow" in words that ours do not part.
        hits = await place.search("snowmelt", 5)
        assert place.find("snowmelt", 5) == []
        assert titles(hits)[:1] == ["Snow"]
        await place.search("snowmelt", 5)
        assert sum(len(body["input"]) for body in server.asked) == embedded + 1, "a query is embedded once"
        await asyncio.to_thread(opened, store, access)
        assert sum(len(body["input"]) for body in server.asked) == embedded + 1
        large = settings.model_copy(update={"model": "large"})
        other = EngineAccess(EngineSettings(), large, {}, (server.host,))
        await asyncio.to_thread(opened, store, other)
        assert {body["model"] for body in server.asked[-1:]} == {"large"}
        assert engine_of(store).model() == "large"
        await place.close()


@pytest.mark.loopback
async def test_a_service_that_fails_leaves_words_and_says_so(store):
    with EmbeddingServer(broken=True) as server:
        access = EngineAccess(
            EngineSettings(), EmbeddingSettings(model="small", url=server.url), {}, (server.host,)
        )
        place, [note] = await asyncio.to_thread(opened, store, access)
        assert "5 of 5 texts have no vectors yet, words alone find them" in note.reason
        hits = await place.search("boats", 5)
        assert titles(hits)[:1] == ["Weirs"]
        assert "was searched by words alone" in hits.notes[0]
        await place.close()


def test_documents_are_not_sent_to_another_machine_unasked(store):
    away = EmbeddingSettings(model="openai:small")
    vectors = TextVectors(away, "key")
    held = store.collection("water")
    opened(store)
    [note] = feed(store, held, engine_of(store), vectors)
    assert note == (
        "water: your own documents are not sent to api.openai.com for vectors;"
        " library.embeddings.private = true allows it"
    )
    assert EngineAccess(EngineSettings(), away, {}, offline=True).vectors() is None


async def test_a_library_opens_it_and_counts_its_words(store, tmp_path):
    opened(store)
    home = tmp_path / "home"
    async with await open_library(LibrarySettings(), ["water"], [], offline=True, home=home) as library:
        assert titles(await library.search("boats", "water", 3))[:1] == ["Weirs"]
        assert library.statistics.count == engine_of(store).counts().passages
        assert len(library.documents("water")) == 5


@pytest.mark.loopback
async def test_vectors_of_another_length_leave_words_and_say_so(store):
    opened(store)
    engine = LanceEngine(store.collection("water").indexed.place, {}, store.collection("water").indexed.owner)
    texts = engine.without_vectors("small")
    engine.put_vectors([(sha256, [0], np.ones((1, 8), dtype=np.float32)) for sha256 in texts])
    with EmbeddingServer() as server:
        settings = EmbeddingSettings(model="small", url=server.url)
        access = EngineAccess(EngineSettings(), settings, {}, (server.host,))
        place, _ = await asyncio.to_thread(opened, store, access)
        hits = await place.search("boats", 5)
        assert titles(hits)[:1] == ["Weirs"]
        [note] = hits.notes
        assert note.startswith("water was searched by words alone: ")
        await place.close()


@pytest.mark.parametrize("offline", [False, True])
def test_a_service_that_may_not_be_asked_leaves_words_and_says_so(store, offline):
    settings = EmbeddingSettings(model="small", url="http://10.1.2.3:8000/v1")
    access = EngineAccess(EngineSettings(), settings, {}, offline=offline)
    for _ in ("fed", "as before"):
        place, [note] = opened(store, access)
        assert note.reason.startswith("water is searched by words alone: ")
        assert "library.fetch.allow" in note.reason
        assert titles(place.find("boats", 5))[:1] == ["Weirs"]
    [told] = access.feed(store, store.collection("water"))
    assert told == note.reason


@pytest.mark.parametrize(
    ("place", "here"),
    [("/shelf", True), ("s3://b/x", True), ("gs://b/x", False), ("az://b/x", False), ("db://x", False)],
)
def test_a_server_here_is_one_of_s3_alone(place, here):
    settings = EngineSettings(options={"endpoint": "http://127.0.0.1:9000"})
    assert is_here(EnginePlace("lancedb", place), settings) is here
    assert is_here(EnginePlace("lancedb", place), EngineSettings()) is (place == "/shelf")


@pytest.mark.parametrize(
    ("table", "changed"),
    [
        ("texts", {"source": None}), ("texts", {"source": "[" * 100_000}),
        ("texts", {"source": '{"text": 1}'}),
        ("passages", {"start": None}), ("passages", {"start": -5}), ("passages", {"terms": None}),
        ("passages", {"page_length": None}), ("counts", {"passages": None}),
    ],
)  # fmt: skip
def test_rows_of_others_are_read_or_refused_in_a_line(tmp_path, table, changed):
    import lancedb

    engine = LanceEngine(str(tmp_path / "x"), {})
    engine.begin("1")
    source = Source(
        hashlib.sha256(b"The lock keeper.").hexdigest(), "file:///lock", "Lock", "The lock keeper."
    )
    engine.put([IndexedText(source, cut(source))])
    engine.finish()
    held = lancedb.connect(tmp_path / "x").open_table(table)
    rows = [row | changed for row in held.to_arrow().to_pylist()]  # all: their order is not ours
    held.add(pa.Table.from_pylist(rows, schema=held.schema))
    for act in (
        lambda again: again.find(["keeper"], 5), lambda again: again.texts([source.sha256]),
        lambda again: again.document_frequency(["keeper"]), lambda again: again.remove([source.sha256]),
    ):  # fmt: skip
        with contextlib.suppress(EngineError):
            act(LanceEngine(str(tmp_path / "x"), {}))
    assert LanceEngine(str(tmp_path / "x"), {}).all_texts() == []


def test_tables_of_others_are_neither_written_nor_dropped(tmp_path):
    import lancedb

    person = lancedb.connect(tmp_path / "mine")
    person.create_table("texts", [{"id": 1, "body": "an only copy"}])
    person.create_table("about", [{"subject": "ferries"}])
    engine = LanceEngine(str(tmp_path / "mine"), {}, "ours")
    for act in (lambda: engine.begin("1"), engine.drop):
        with pytest.raises(EngineError, match="the tables there are not roundtable's"):
            act()
    assert sorted(person.list_tables().tables) == ["about", "texts"]
    assert person.open_table("texts").to_arrow().to_pylist() == [{"id": 1, "body": "an only copy"}]
    ours = LanceEngine(str(tmp_path / "shelf"), {}, "ours")
    ours.begin("1")
    ours.finish()
    beside = lancedb.connect(tmp_path / "shelf")
    beside.create_table("ferries", [{"id": 1}])
    for act in (lambda owner: owner.begin("1"), lambda owner: owner.drop()):
        with pytest.raises(EngineError, match="the index there is another collection's"):
            act(LanceEngine(str(tmp_path / "shelf"), {}, "theirs"))
    assert ours.analysis() == "1"
    ours.drop()
    assert beside.list_tables().tables == ["ferries"]


def test_an_index_that_came_in_its_place_is_neither_searched_nor_fed(store):
    opened(store)
    indexed = store.collection("water").indexed
    engine_of(store)._note({**engine_of(store)._about(), "owner": "theirs"})
    with pytest.raises(EngineError, match="the index there is another collection's"):
        opened(store)
    engine_of(store)._note({**engine_of(store)._about(), "owner": indexed.owner})
    assert titles(opened(store)[0].find("boats", 5))[:1] == ["Weirs"]


def test_a_store_and_an_index_that_know_no_owner_are_read_on(store, folder):
    opened(store)
    path, place = store.path, store.collection("water").indexed.place
    store.close()
    with sqlite3.connect(path) as connection:
        connection.execute("ALTER TABLE engines DROP COLUMN owner")
    about = LanceEngine(place, {})
    about._note({name: value for name, value in about._about().items() if name != "owner"})
    (folder / "weir.md").unlink()
    with Store(path) as again:
        assert again.collection("water").indexed == EnginePlace("lancedb", place)
        found, _ = opened(again)
        assert (titles(found.find("sheep", 5))[:1], found.find("boats", 5)) == (["Dykes"], [])


def test_its_engine_outlives_a_repair(store, folder):
    opened(store)
    place = store.collection("water").indexed
    store.close()
    salvage_store(store.path)
    with Store(store.path) as repaired:
        assert repaired.collection("water").indexed == place
        assert repaired.collection("water").indexed.owner == place.owner != ""
        found, _ = opened(repaired)
        assert titles(found.find("boats", 5))[:1] == ["Weirs"]
        assert engine_of(repaired).counts().texts == 5


def test_what_cannot_be_is_told_in_a_line(store, tmp_path, monkeypatch):
    with pytest.raises(EngineError, match="--engine solr: there is no such engine; there is: lancedb"):
        add_place("solr", "", "x", tmp_path)
    with pytest.raises(EngineError, match="there is no such folder"):
        add_place("lancedb", str(tmp_path / "none"), "x", tmp_path, attached=True)
    with pytest.raises(ValueError, match="secret_access_key may be a secret"):
        EngineSettings(options={"secret_access_key": "x"})
    named = {"aws_sse_kms_key_id": "alias/shelf", "aws_sse_bucket_key_enabled": "true"}
    assert EngineSettings(options=named).options == named, "names of keys are no keys"
    opened(store)
    shutil.rmtree(store.collection("water").indexed.place)
    place, _ = opened(store)
    assert titles(place.find("boats", 5))[:1] == ["Weirs"], "what is lost is made again from the texts"
    monkeypatch.setitem(sys.modules, "lancedb", None)
    with pytest.raises(EngineError, match="LanceDB is not installed; .*lancedb"):
        opened(store)
