"""A collection that OpenSearch indexes, by its own client: found as our own index finds."""

import numpy as np
import pytest

from library.errors import EngineError
from library.evidence import Source
from library.index_engines import opensearch_engine
from library.index_engines.engine_collection import EngineCollection
from library.index_engines.engine_opening import add_place, is_here
from library.index_engines.engine_settings import EngineSettings
from library.index_engines.feeding import feed
from library.index_engines.index_engine import IndexedText
from library.index_engines.indexed_places import EngineAccess
from library.index_engines.opensearch_engine import OpenSearchEngine
from library.index_engines.text_vectors import TextVectors
from library.library_opening import open_documents
from library.readers.reader import Reader
from library.search.embeddings import EmbeddingSettings
from library.store.cutting.text_cutting import cut
from library.store.store import Store
from roundtable.__main__ import run
from roundtable.doctor import examine
from roundtable.web.files.collections_page import CollectionsPage
from tests.embedding_server import EmbeddingServer
from tests.opensearch_server import OpenSearchServer

pytestmark = pytest.mark.loopback
PAGES = {
    "quarry.md": "# Quarries\n\nThe quarry at Holm gave slate until the water came in; two pumps drain it.",
    "kiln.md": "# Kilns\n\nA kiln burns shells to lime. It's fed from above at dawn.",
    "rail.md": "# Railways\n\nA railway of 3.5 kilometres led the slate from the quarry to the quay.",
    "石.md": "# 采石场\n\n霍尔姆的采石场在一九三一年被水淹没。",
}


@pytest.fixture
def server():
    with OpenSearchServer() as server:
        yield server


@pytest.fixture
def folder(tmp_path):
    root = tmp_path / "pages"
    root.mkdir()
    for name, text in PAGES.items():
        (root / name).write_text(text)
    return root


@pytest.fixture
def store(tmp_path, folder, server):
    with Store(tmp_path / "home" / "library.sqlite") as store:
        held = store.make_collection("slate", "", [str(folder)])
        place = add_place("opensearch", f"{server.address}/team/Slate", "slate", tmp_path / "home")
        store.index_elsewhere(held, place)
        yield store


def opened(store, access=None):
    with Reader() as reader:
        return open_documents(store, reader, "slate", None, access)


def engine_of(store, owned=False):
    indexed = store.collection("slate").indexed
    return OpenSearchEngine(indexed.place, indexed.owner if owned else "")


def titles(hits):
    return [hit.title for hit in hits]


def test_a_folder_is_found_as_by_our_own_index(store, folder, server):
    place, unread = opened(store)
    assert isinstance(place, EngineCollection)
    assert not unread
    with Reader() as reader:
        own, _ = open_documents(store, reader, str(folder))
    for query in ("pumps in the quarry", "What burns shells?", "3.5 kilometres", "采石场 淹没", "slate quay"):
        assert titles(place.find(query, 3)) == titles(own.find(query, 3)), query
    assert place.find("pumps", 5)[0].score == pytest.approx(own.find("pumps", 5)[0].score)
    assert place.find("zeppelin", 5) == place.find("", 5) == []
    assert place.frequencies.document_frequency(["slate", "kiln", "zebra"]) == {
        "slate": 2,
        "kiln": 1,
        "zebra": 0,
    }
    assert set(server.mappings) == {"team-slate.texts", "team-slate.passages"}


def test_what_changes_and_goes_is_told_once(store, folder, server):
    opened(store)
    (folder / "quarry.md").write_text("# Quarries\n\nDivers swim in the quarry now.")
    (folder / "kiln.md").unlink()
    place, _ = opened(store)
    assert place.find("pumps drain", 5) == place.find("shells lime", 5) == []
    assert titles(place.find("divers", 5))[:1] == ["Quarries"]
    assert engine_of(store).counts().texts == 3
    written = [line for line in server.asked if "_bulk" in line]
    opened(store)
    assert [line for line in server.asked if "_bulk" in line] == written, (
        "what is as before is not written again"
    )


@pytest.mark.parametrize("step", ["put", "finish"])
def test_one_that_is_killed_goes_on_and_nothing_is_there_twice(store, monkeypatch, step):
    do = getattr(OpenSearchEngine, step)

    def killed(self, *given):
        if step == "put":
            do(self, *given)
        raise KeyboardInterrupt

    with monkeypatch.context() as dying:
        dying.setattr(OpenSearchEngine, step, killed)
        with pytest.raises(KeyboardInterrupt):
            opened(store)
    assert not engine_of(store).finished()
    place, _ = opened(store)
    assert engine_of(store).finished()
    assert engine_of(store).counts().texts == 4
    assert titles(place.find("pumps", 5))[:1] == ["Quarries"]


def test_another_home_searches_it_without_files(store, folder, tmp_path):
    opened(store)
    place = store.collection("slate").indexed.place
    with Store(tmp_path / "other" / "library.sqlite") as other:
        held = other.make_collection("found", "", [])
        other.index_elsewhere(held, add_place("opensearch", place, "found", tmp_path, attached=True))
        with Reader() as reader:
            collection, _ = open_documents(other, reader, "found")
        hit, *_ = collection.find("Where did the slate go by rail?", 3)
        assert (hit.title, hit.url) == ("Railways", (folder / "rail.md").as_uri())
        assert "3.5 kilometres" in hit.passage.text
        assert feed(other, other.collection("found"), OpenSearchEngine(place)) == []


def test_more_texts_and_passages_than_are_given_at_a_time(server, monkeypatch):
    monkeypatch.setattr(opensearch_engine, "_ROWS", 3)
    monkeypatch.setattr(opensearch_engine, "_AT_ONCE", 2)
    engine = OpenSearchEngine(f"{server.address}/long", "me")
    engine.begin("1")
    sources = [
        Source(f"{n:064x}", f"file:///{n}", str(n), "A lamp. " * 500 + f"Number n{n}.") for n in range(5)
    ]
    engine.put([IndexedText(source, cut(source)) for source in sources])
    engine.finish()
    names = [source.sha256 for source in sources]
    assert engine.all_texts() == names
    held = engine.passages_of(names)
    assert len(held) == engine.counts().passages > 15
    assert len({each.key for each in held}) == len(held)
    assert [text.source.title for text in engine.texts(names)] == ["0", "1", "2", "3", "4"]
    assert engine.counts().terms == sum(len(each.terms.split()) for each in held)
    assert engine.without_vectors("m") == names


@pytest.mark.loopback
def test_vectors_find_what_shares_no_word(store, server):
    with EmbeddingServer() as embeddings:
        settings = EmbeddingSettings(model="small", url=embeddings.url)
        access = EngineAccess(EngineSettings(), settings, {}, allow=(embeddings.host,))
        place, unread = opened(store, access)
        assert not unread
        assert engine_of(store).counts().vectors == engine_of(store).counts().passages == 4
        query = np.array([1.0, 0.1, 0.1, 0.1], dtype=np.float32)
        assert len(engine_of(store).near(query, 2)) == 2
        assert engine_of(store).model() == "small"
        vectors = TextVectors(EmbeddingSettings(model="large", url=embeddings.url), "", (embeddings.host,))
        feed(store, store.collection("slate"), engine_of(store, owned=True), vectors)
        assert engine_of(store).model() == "large"
        assert engine_of(store).without_vectors("large") == []
        hits = place.find("zeppelin", 5, np.ones(3, dtype=np.float32))
        assert "searched by words alone" in hits.notes[0]


def test_anothers_index_and_what_is_none_of_ours_stay(store, server, tmp_path):
    opened(store)
    place = store.collection("slate").indexed.place
    other = OpenSearchEngine(place, "somebody else")
    for refused in (lambda: other.begin("1"), other.drop):
        with pytest.raises(EngineError, match="the index there is another collection's"):
            refused()
    server.does("PUT", ["mine.passages"], {}, b'{"settings": {}, "mappings": {"properties": {}}}')
    mine = OpenSearchEngine(f"{server.address}/mine", "me")
    assert not mine.is_empty()
    for refused in (lambda: mine.begin("1"), mine.drop):
        with pytest.raises(EngineError, match="the index there is not roundtable's"):
            refused()
    engine_of(store, owned=True).drop()
    assert set(server.mappings) == {"mine.passages"}


@pytest.mark.parametrize(
    ("at", "why"),
    [
        ("", "say where it is kept, as --at https://search.example.org:9200/NAME"),
        ("/srv/index", "say where it is kept"),
        ("https://ann:secret@search.example.org/x", "who may is said by OPENSEARCH_USERNAME"),
        ("https://:secret@search.example.org/x", "who may is said by OPENSEARCH_USERNAME"),
        ("https://[::1/x", "say where it is kept"),
        ("https://search.example.org:port/x", "say where it is kept"),
        ("https://search.example.org:9200", "end the address with a name"),
        ("https://search.example.org:9200/堤", "end the address with a name"),
    ],
)
def test_what_is_no_place_is_told_in_a_line(tmp_path, at, why):
    with pytest.raises(EngineError) as told:
        add_place("opensearch", at, "x", tmp_path)
    assert why in str(told.value)
    assert "secret" not in str(told.value)
    assert "\n" not in str(told.value)


def test_only_a_server_on_this_machine_is_asked_offline(tmp_path):
    for address, here in (("http://127.0.0.1:9200/x", True), ("https://search.example.org:9200/x", False)):
        place = add_place("opensearch", address, "x", tmp_path)
        assert is_here(place, EngineSettings(options={"endpoint": "http://127.0.0.1:1"})) is here


def test_a_password_opens_it_and_goes_nowhere_in_the_clear(monkeypatch):
    monkeypatch.setenv("OPENSEARCH_USERNAME", "reader")
    with OpenSearchServer(password="open-sesame") as server:
        monkeypatch.setenv("OPENSEARCH_PASSWORD", "wrong")
        with pytest.raises(EngineError, match="it lets nobody in with OPENSEARCH_USERNAME") as told:
            OpenSearchEngine(f"{server.address}/x").is_empty()
        assert "wrong" not in str(told.value)
        monkeypatch.setenv("OPENSEARCH_PASSWORD", "open-sesame")
        assert OpenSearchEngine(f"{server.address}/x").is_empty()
    with pytest.raises(EngineError, match="over http OPENSEARCH_PASSWORD could be read"):
        OpenSearchEngine("http://search.example.org:9200/x")


@pytest.mark.parametrize("said", ["[]", "{}", '{"count": "many"}', "no JSON", '{"hits": {"hits": [{}]}}'])
def test_what_is_no_opensearch_is_told_in_a_line(said):
    with OpenSearchServer(broken=said) as server:
        engine = OpenSearchEngine(f"{server.address}/x", "me")
        with pytest.raises(EngineError, match=server.address) as told:
            engine.begin("1")
        assert "\n" not in str(told.value)


def test_one_that_is_away_is_told_in_a_line():
    with OpenSearchServer() as server:
        address = server.address
    with pytest.raises(EngineError, match="OpenSearch: it does not answer") as told:
        OpenSearchEngine(f"{address}/x").counts()
    assert "\n" not in str(told.value)


def test_a_collection_is_added_listed_updated_examined_and_removed(
    tmp_path, folder, server, monkeypatch, capsys
):
    home, place = tmp_path / "home", f"{server.address}/slate"
    monkeypatch.setenv("ROUNDTABLE_HOME", str(home))

    def typed(*words):
        return run(["docs", *words]), "".join(capsys.readouterr())

    code, told = typed("add", "slate", str(folder), "--engine", "opensearch")
    assert (code, told.count("\n")) == (2, 1)
    assert "say where it is kept, as --at https://search.example.org:9200/NAME" in told
    assert typed("add", "slate", str(folder), "--engine", "opensearch", "--at", place)[0] == 0
    assert f"[opensearch: {place}]" in typed("list")[1]
    assert "4 as before" in typed("update", "slate")[1]
    found = [each.detail for each in examine(home, {}, offline=True) if each.what == "store"]
    assert f"slate: opensearch in {place} holds 4 texts, 4 passages" in found
    [row] = [row for row in CollectionsPage(home, named_only=True).listed() if row["name"] == "slate"]
    assert (row["engine"], row["files"]) == ("opensearch", 4)
    code, told = typed("add", "other", str(folder), "--engine", "opensearch", "--at", place)
    assert (code, "there is an index already" in told) == (2, True)
    assert typed("remove", "slate")[0] == 0
    assert server.mappings == {}
