"""Telling an engine what came to a collection and what went: so far as it has not been told yet."""

import fcntl
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager

from library.errors import EngineError, LibraryError
from library.index_engines.index_engine import IndexedText, IndexEngine, Vectors
from library.index_engines.text_vectors import TextVectors
from library.store import engine_rows
from library.store.cutting.text_cutting import CutText, passage_terms
from library.store.engine_rows import Untold
from library.store.store import Held, Store
from library.text import tokenize as analysis

_AT_ONCE = 256
"""Texts that are told together: each telling is a version of the engine's tables."""
_EMBEDDED_AT_ONCE = 64
"""Texts whose passages are embedded together: what is lost when it is stopped."""

Progress = Callable[[int, int], None]
"""Is told how many texts of how many the engine knows; what it raises stops the work."""
_IN_PROCESS: dict[str, threading.Lock] = {}


def feed(
    store: Store,
    held: Held,
    engine: IndexEngine,
    vectors: TextVectors | None = None,
    progress: Progress | None = None,
) -> list[str]:
    """Bring an engine up to date with a collection; return what a person should know, a line each.

    One process of this machine does it at a time; the others wait, and find nothing left to do. What is
    stopped goes on the next time. Words come first: where vectors cannot be had, that is told, and words are
    whole all the same.

    Args:
        store: Keeps the collection's texts.
        held: The collection. One that somebody else feeds is left as it is.
        engine: Indexes it.
        vectors: Gives vectors; None: those that are there stay, and what is new has none.
        progress: Is told how far it is; None: nobody asks.

    Raises:
        EngineError: the engine fails, or the collection is removed meanwhile.
    """
    if held.indexed is None or held.indexed.attached:
        return []
    with alone(store, held):
        _tell_words(store, held, engine, progress)
        return _tell_vectors(store, held, engine, vectors, progress) if vectors is not None else []


def _tell_words(store: Store, held: Held, engine: IndexEngine, progress: Progress | None) -> None:
    version = str(analysis.VERSION)
    with store.writing() as connection:
        if engine.analysis() != version:
            engine_rows.note_all(connection, held.id)
        left = engine_rows.untold_count(connection, held.id)
    if not left and engine.finished():
        return
    engine.begin(version)
    of, done, compared = left, 0, not left
    while True:
        _check_there(store, held)
        with store.reading() as connection:
            some = engine_rows.untold(connection, held.id, _AT_ONCE)
            there = engine_rows.held_of(connection, held.id, [each.sha256 for each in some])
        if not some:
            if compared:
                break
            compared = True
            _note_leftovers(store, held, engine)
            continue
        engine.put([_indexed(store, each) for each in some if each.sha256 in there])
        engine.remove([each.sha256 for each in some if each.sha256 not in there])
        told = {each.sha256: each.sha256 in there for each in some}
        with store.writing() as connection:
            engine_rows.strike_out(connection, held.id, told)
        done += len(some)
        if progress is not None and of > _AT_ONCE:
            progress(min(done, of), of)
    engine.finish()


def _note_leftovers(store: Store, held: Held, engine: IndexEngine) -> None:
    """Note what an engine that was told of everything holds, and no file does: a repair drops notes."""
    with store.reading() as connection:
        held_here = engine_rows.held_count(connection, held.id)
    if engine.counts().texts == held_here:
        return
    kept = engine.all_texts()
    for start in range(0, len(kept), _AT_ONCE):
        some = kept[start : start + _AT_ONCE]
        with store.writing() as connection:
            there = engine_rows.held_of(connection, held.id, some)
            engine_rows.note_all(connection, held.id, [one for one in some if one not in there])


def _check_there(store: Store, held: Held) -> None:
    """Raise EngineError where a collection was removed: what is told of it now would stay for good."""
    now = store.collection(held.name)
    if now is None or now.id != held.id:
        raise EngineError(f"the collection {held.name} was removed")


def _indexed(store: Store, untold: Untold) -> IndexedText:
    source = store.source(untold.sha256)
    assert source is not None  # a file of a collection holds it
    passages = store.passages(untold.sha256)
    terms = untold.terms
    if terms is None or len(terms) != len(passages):
        terms = tuple(" ".join(passage_terms(passage)) for passage in passages)
    return IndexedText(source, CutText([(p.start, p.end) for p in passages], list(terms)))


def _tell_vectors(
    store: Store, held: Held, engine: IndexEngine, vectors: TextVectors, progress: Progress | None
) -> list[str]:
    if not vectors.may_have(private=held.private):
        allows = "library.embeddings.private = true allows it"
        return [f"{held.name}: your own documents are not sent to {vectors.host} for vectors; {allows}"]
    wanted = engine.without_vectors(vectors.model)
    if not wanted:
        return []
    done, notes = 0, list[str]()
    for start in range(0, len(wanted), _EMBEDDED_AT_ONCE):
        some = wanted[start : start + _EMBEDDED_AT_ONCE]
        _check_there(store, held)
        try:
            engine.put_vectors(_embedded(store, some, vectors))
        except LibraryError as failure:
            left = f"{len(wanted) - done:,} of {len(wanted):,} texts have no vectors yet"
            notes = [f"{held.name}: {left}, words alone find them: {failure}; the next update goes on"]
            break
        done += len(some)
        if progress is not None and len(wanted) > _EMBEDDED_AT_ONCE:
            progress(done, len(wanted))
    engine.finish()
    return notes


def _embedded(
    store: Store, texts: Sequence[str], vectors: TextVectors
) -> list[tuple[str, Sequence[int], Vectors]]:
    passages = {sha256: store.passages(sha256) for sha256 in texts}
    rows = vectors.of([passage for own in passages.values() for passage in own])
    found: list[tuple[str, Sequence[int], Vectors]] = []
    at = 0
    for sha256, own in passages.items():
        found.append((sha256, [passage.start for passage in own], rows[at : at + len(own)]))
        at += len(own)
    return found


@contextmanager
def alone(store: Store, held: Held) -> Iterator[None]:
    """Wait until nobody else on this machine feeds a collection, in this process or in another."""
    path = store.path.with_name(f"{store.path.stem}-engine-{held.id}.lock")
    with _IN_PROCESS.setdefault(str(path), threading.Lock()), path.open("w") as handle:
        fcntl.lockf(handle, fcntl.LOCK_EX)
        yield
