"""Postings as arrays: what is found is what adding up plainly finds; a file that is not right is not used."""

import math
from collections import Counter
from hashlib import sha256

import numpy as np
import pytest

from benchmarks.inputs.zipf import Corpus
from library.errors import StoreError
from library.evidence import Source
from library.search.local_collection import LocalCollection
from library.store import inverted_index as index
from library.store.cutting.text_cutting import passage_terms
from library.store.postings import Postings
from library.store.store import HeldFile, Store

MIXED = [
    "洪水过后，城市修建了新的堤坝和排水系统。",
    "The dam held; ﬁsh and Œuvre, naïve café, 1,234.5 crowns.",
    "Dam dam dam dam dam dam dam dam dam dam.",
    "Η πόλη και το ποτάμι.",
]


def keep(store: Store, held, texts, start=0):
    with store.writing():
        for number, text in enumerate(texts, start):
            digest = sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
            read = Source(digest, f"file:///{number}", f"Page {number % 7} of dams", text)
            store.put_file(held, HeldFile(read.url, 0, 0, "", digest), read)


@pytest.fixture
def filled(tmp_path):
    corpus = Corpus(40)
    with Store(tmp_path / "library.sqlite") as store:
        held = store.make_collection("c", "C")
        keep(store, held, [corpus.text(number) for number in range(40)] + MIXED)
        yield store, LocalCollection(store, held), corpus


def plainly(place: LocalCollection, counts: dict[int, Counter], weights: dict[str, float]):
    """BM25 of every passage, added up one by one; best first."""
    mean = sum(c.total() for c in counts.values()) / len(counts)
    scores, most = dict.fromkeys(counts, 0.0), 0.0
    for term, weight in weights.items():
        holding = [i for i, c in counts.items() if term in c]
        if len(holding) > 0.2 * len(counts) + 20 and len(weights) > 12:
            continue
        worth = weight * place.statistics.weight(term)
        most += worth
        for i in holding:
            times, norm = counts[i][term], 1 - 0.6 + 0.6 * counts[i].total() / mean
            scores[i] += worth * times * 2.2 / (times + 1.2 * norm)
    rounded = {i: round(score / (most * 2.2), 9) if most else 0.0 for i, score in scores.items()}
    return [(i, rounded[i]) for i in sorted(rounded, key=lambda i: (-rounded[i], i)) if rounded[i]]


def counted(place: LocalCollection) -> dict[int, Counter]:
    """Return the terms of each passage by row id, from the passages' own texts."""
    ids = place._store.postings(place.held).ids.tolist()
    return {i: Counter(passage_terms(p)) for i, p in place._store.passages_by_id(ids).items()}


def test_the_best_are_those_that_adding_up_plainly_finds(filled):
    _, place, corpus = filled
    counts = counted(place)
    for query in [*corpus.queries(6), "dam", "堤坝 城市", "absent zeppelin", ""]:
        for rounds in ((), ((10, 30),), ((10, 30), (20, 60))):
            weights = place.opened().expand(query, rounds)
            wanted = plainly(place, counts, weights)
            for limit in (1, 10, 50, 5_000):
                found = place.opened().rank(weights, limit)
                assert [i for i, _ in found] == [i for i, _ in wanted[:limit]], (query, rounds)
                assert all(
                    math.isclose(a[1], b[1], abs_tol=2e-9) for a, b in zip(found, wanted, strict=False)
                )


def test_every_term_has_its_postings(filled):
    store, place, _ = filled
    postings = store.postings(place.held)
    counts = list(counted(place).values())
    assert postings.lengths.tolist() == [c.total() for c in counts]
    terms = sorted({term for c in counts for term in c})
    for term, number in zip(terms, postings.numbers(terms), strict=True):
        places, times = postings.of(number)
        assert dict(zip(places.tolist(), times.tolist(), strict=True)) == {
            n: c[term] for n, c in enumerate(counts) if c[term]
        }
    assert postings.numbers(["zeppelin", "", "\udfff"]) == [-1, -1, -1]
    assert postings.frequencies(["dam", "zeppelin"]) == [sum(c["dam"] > 0 for c in counts), 0]


def the_file(store: Store):
    (path,) = (store.path.parent / "library-index").iterdir()
    return path


def test_a_second_process_maps_the_file_and_reads_no_index(filled, monkeypatch):
    store, place, _ = filled
    place.find("dam", 5)
    written = the_file(store)
    monkeypatch.setattr(index, "gather", None)
    with Store(store.path) as other:
        assert LocalCollection(other, place.held).find("dam", 5) == place.find("dam", 5)
    assert the_file(store) == written


@pytest.mark.parametrize("damage", [b"", b"something else", b"roundtable postings\n{}", None])
def test_a_damaged_file_is_built_anew(filled, damage):
    store, place, _ = filled
    before = place.find("dam", 5)
    path = the_file(store)
    path.write_bytes(path.read_bytes()[:-100] if damage is None else damage)
    with Store(store.path) as other:
        assert LocalCollection(other, place.held).find("dam", 5) == before
    assert Postings.read(path) is not None


def test_each_state_has_its_own_file_and_the_last_stays(filled):
    store, place, _ = filled
    place.find("dam", 5)
    first = the_file(store)
    keep(store, place.held, ["A zeppelin passed the dam."], 100)
    assert place.find("zeppelin", 5)[0].url == "file:///100"
    assert the_file(store) != first
    store.drop_collection("c")
    assert list((store.path.parent / "library-index").iterdir()) == []
    with pytest.raises(StoreError, match="removed"):
        store.postings(place.held)


def test_what_may_be_taken_back_is_not_kept(filled):
    store, place, _ = filled

    def change_and_fail():
        with store.writing():
            keep(store, place.held, ["A zeppelin passed the dam."], 100)
            assert store.postings(place.held).frequencies(["zeppelin"]) == [1]
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        change_and_fail()
    assert store.postings(place.held).frequencies(["zeppelin"]) == [0]


def test_a_store_of_an_earlier_version_gets_a_state_of_its_own(filled):
    store, place, _ = filled
    with store.writing() as connection:
        connection.execute("UPDATE collections SET generation = 3")
    assert store.postings(place.held).frequencies(["堤坝"]) == [1]
    assert store.collection("c").generation > 1 << 40


def test_a_folder_that_cannot_be_written_costs_the_file_alone(filled, caplog):
    store, place, _ = filled
    folder = store.path.parent / "library-index"
    folder.rename(folder.with_name("elsewhere"))
    folder.write_text("a file is in the way")
    with Store(store.path) as other:
        assert LocalCollection(other, place.held).find("dam", 5)
    assert "not kept" in caplog.text


def test_an_empty_collection_finds_nothing(tmp_path):
    with Store(tmp_path / "library.sqlite") as store:
        held = store.make_collection("c", "C")
        assert LocalCollection(store, held).find("dam", 5) == []
        assert store.postings(held).frequencies(["dam"]) == [0]
        assert len(Postings.read(the_file(store))) == 0


def test_a_search_touches_the_postings_of_its_terms_alone(filled):
    """What a search does is bounded by its terms, not by the collection."""
    _, place, corpus = filled
    (query,) = corpus.queries(1)
    place.find(query, 50)
    touched = sum(len(found) for found in place.opened().bm25.evidence.values())
    assert touched < 0.25 * len(place.opened().bm25.postings.places)
    assert len(place.opened().bm25.evidence) <= 200


def test_evidence_in_memory_is_bounded(filled, monkeypatch):
    _, place, corpus = filled
    monkeypatch.setattr("library.search.bm25._KEPT_NUMBERS", 500)
    # What the passages mean takes long, and is no part of it.
    monkeypatch.setattr("library.search.passage_search.by_meaning", lambda _query, hits, _statistics: hits)
    before = [place.find(query, 20) for query in corpus.queries(6)]
    weighed = place.opened().bm25
    longest = max(map(len, weighed.evidence.values()))
    assert weighed.kept == sum(map(len, weighed.evidence.values())) <= 500 + longest
    assert before == [place.find(query, 20) for query in corpus.queries(6)]


def test_counts_past_sixteen_bits_are_the_most_that_fits():
    occurring = [("dam", 70_000), ("fish", 1)]
    ids = np.array([5, 9], dtype=np.int64)
    joined = ",".join(["9"] * 70_000 + ["5"])
    postings = Postings.gathered(ids, np.array([1, 70_000], dtype=np.int32), [(occurring, joined)], 2)
    assert [array.tolist() for array in postings.of(0)] == [[1], [65_535]]
    assert [array.tolist() for array in postings.of(1)] == [[0], [1]]
