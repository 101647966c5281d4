"""What earlier sessions read is a collection that follows them: it grows, and what was deleted goes."""

import hashlib
from pathlib import Path

import pytest

from library.errors import LibraryError
from library.evidence import Source
from library.store.kept_texts import ALL, sync_texts
from library.store.store import Store


def read(store: Store, n: int) -> str:
    text = f"The bridge of Asterby was raised by {n} metres after the flood."
    sha = hashlib.sha256(text.encode()).hexdigest()
    source = Source(sha, f"https://example.org/{n}", f"Bridge {n}", text)
    store.add(source)
    return source.sha256


def test_what_no_session_has_any_more_is_not_found(tmp_path: Path) -> None:
    with Store(tmp_path / "library.sqlite") as store:
        shas = [read(store, n) for n in range(120)]
        held = sync_texts(store, ALL, "What earlier sessions read", shas)
        assert set(store.files(held)) == set(shas)
        held = sync_texts(store, ALL, "What earlier sessions read", shas[:3])
        assert set(store.files(held)) == set(shas[:3])
        assert len(store.postings(held).ids) == 3
        with pytest.raises(LibraryError, match="nothing that was read there is kept"):
            sync_texts(store, ALL, "What earlier sessions read", [])


def test_what_is_held_already_is_not_read_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with Store(tmp_path / "library.sqlite") as store:
        shas = [read(store, n) for n in range(5)]
        sync_texts(store, ALL, "", shas)
        asked: list[str] = []
        source = store.source
        monkeypatch.setattr(store, "source", lambda sha: asked.append(sha) or source(sha))
        sync_texts(store, ALL, "", [*shas, read(store, 9)])
        assert len(set(asked) & set(shas)) == 0
