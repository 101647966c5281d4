import sqlite3
from contextlib import closing
from pathlib import Path

import numpy as np
import pytest

from library.store.vector_cache import VectorCache, kept_meanings
from library.text.similarity.sentence_model import SentenceVectors, sentence_model

TEXTS = ["The valve is open.", "Ein Ventil ist offen.", "", "\ud800 half a sign"]


def test_what_one_process_worked_out_another_does_not_work_out_again(tmp_path):
    first = SentenceVectors(sentence_model)
    with VectorCache(tmp_path / "meanings.sqlite", 1) as disk:
        first.disk = disk
        made = first.of(TEXTS)
    second = SentenceVectors(lambda: pytest.fail("the model was asked again"))
    with VectorCache(tmp_path / "meanings.sqlite", 1) as disk:
        second.disk = disk
        assert np.array_equal(second.of(TEXTS[::-1]), made[::-1])


def test_a_damaged_file_costs_the_keeping_alone(tmp_path):
    (tmp_path / "meanings.sqlite").write_bytes(b"no database at all" * 100)
    vectors = SentenceVectors(sentence_model)
    with VectorCache(tmp_path / "meanings.sqlite", 1) as disk:
        vectors.disk = disk
        assert vectors.of(TEXTS).shape[0] == len(TEXTS)
        assert set(disk.find(TEXTS)) == set(TEXTS)


def test_more_texts_than_one_look_up_takes_are_found(tmp_path):
    kept = {f"text {n}": np.full(384, n % 100, dtype=np.int8) for n in range(1_200)}
    with VectorCache(tmp_path / "meanings.sqlite", 2) as disk:
        disk.keep(kept)
        found = disk.find([*kept, "another"])
    assert found.keys() == kept.keys()
    assert all(np.array_equal(found[text], kept[text]) for text in kept)


def test_several_homes_share_the_file_that_the_environment_names(tmp_path, monkeypatch):
    shared = tmp_path / "shared" / "meanings.sqlite"
    monkeypatch.setenv("ROUNDTABLE_MEANINGS", str(shared))
    assert {kept_meanings(tmp_path / home).path for home in ("one", "another")} == {shared}
    monkeypatch.delenv("ROUNDTABLE_MEANINGS")
    assert kept_meanings(tmp_path / "one").path == tmp_path / "one" / "meanings.sqlite"


def test_a_file_of_somebody_else_is_left_as_it_is(tmp_path, monkeypatch):
    thesis, other = tmp_path / "thesis.txt", tmp_path / "other.db"
    thesis.write_text("Whales sing. " * 100)
    with closing(sqlite3.connect(other)) as base, base:
        base.execute("CREATE TABLE letters (words)")
        base.execute("PRAGMA user_version = 7")
    for file in (thesis, other):
        before = file.read_bytes()
        monkeypatch.setenv("ROUNDTABLE_MEANINGS", str(file))
        with kept_meanings(tmp_path / "home") as kept:
            kept.keep({"a": np.zeros(4, dtype=np.int8)})
            assert kept.find(["a"]) == {}
        assert file.read_bytes() == before
        assert not Path(f"{file}-wal").exists()
