"""The collection of Python's own documentation, filled beside others who use the store."""

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from library.evidence import Source
from library.store import python_docs
from library.store.schema import connect
from library.store.store import Store


def test_others_write_while_python_is_read_and_the_second_to_come_fills_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, reads = tmp_path / "library.sqlite", 0
    texts = [
        Source(f"{n:064}", f"python:m{n}", f"m{n}", f"Module m{n} sorts.", retrieved="") for n in range(3)
    ]

    def read() -> Iterator[Source]:
        nonlocal reads
        reads += 1
        for text in texts:
            with closing(connect(path)) as other:  # another process, that waits for nobody
                other.execute("PRAGMA busy_timeout = 0")
                other.execute("BEGIN IMMEDIATE")
                other.execute("ROLLBACK")
            yield text
        if reads == 1:  # another is faster
            with Store(path) as second:
                python_docs.sync_python(second)

    monkeypatch.setattr(python_docs, "python_sources", read)
    with Store(path) as store:
        held = python_docs.sync_python(store)
        assert reads == 2
        assert len(store.files(held)) == len(texts) + 1
        assert python_docs.sync_python(store) == held
        assert reads == 2
