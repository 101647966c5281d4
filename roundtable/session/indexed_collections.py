"""Collections that an engine indexes in place of our own index: made, attached, opened."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

from library import EngineError, LibrarySettings, Store
from library.index_engines import EngineAccess, IndexEngine, add_place, check_analysis
from library.store import Held
from roundtable.config.config import Settings
from roundtable.config.errors import InputError
from roundtable.config.search_places import STORE


@dataclass(frozen=True, slots=True)
class NewIndex:
    """What is to index a new collection in place of our own index."""

    engine: str
    at: str = ""
    """A folder or address; empty: a folder beside the store."""


def usual_access() -> EngineAccess:
    """Return what engines are opened with where nobody set anything."""
    library = LibrarySettings()
    return EngineAccess(library.engines, library.embeddings, os.environ)


def engine_access(settings: Settings) -> EngineAccess:
    """Return what engines are opened with, as a person set it."""
    library = settings.library
    allowed = tuple(library.fetch.allow)
    return EngineAccess(library.engines, library.embeddings, os.environ, allowed, settings.offline)


@contextmanager
def indexed_by(
    store: Store,
    name: str,
    index: NewIndex | None,
    home: Path,
    engines: EngineAccess,
    paths: tuple[str, ...] = (),
) -> Iterator[None]:
    """Have an engine index a collection that is about to be made; where that fails, none is left.

    Raises:
        InputError: the collection is there already, and something else indexes it; or its place is not empty.
        EngineError: there is no such engine, or it cannot be opened.
    """
    held = store.collection(name)
    if index is None and held is None and engines.settings.index != "own":
        below = engines.settings.at
        index = NewIndex(engines.settings.index, f"{below.rstrip('/')}/{name}" if below else "")
    if index is None or (held is not None and _is_so_indexed(held, index, home)):
        yield
        return
    place = add_place(index.engine, index.at, name, home)
    if held is not None:
        by = f"{held.indexed.engine} in {held.indexed.place}" if held.indexed else "roundtable's own index"
        raise InputError(
            f"{name} is indexed by {by}; choose another name,"
            f" or remove it first: `roundtable docs remove {name}`"
        )
    made = store.index_elsewhere(store.make_collection(name, "", paths), place)
    try:
        _check_empty(engines.engine(made), name, place.place)
        yield
    except BaseException:
        if not store.files(made):
            store.drop_collection(name)
        raise


def _check_empty(engine: IndexEngine, name: str, place: str) -> None:
    if not engine.is_empty():
        raise InputError(
            f"{place}: there is an index already, or somebody's tables; choose another place for {name}"
            " (--at), or name this one without a PATH to search the index as it is"
        )


def _is_so_indexed(held: Held, index: NewIndex, home: Path) -> bool:
    if held.indexed is None or held.indexed.engine != index.engine:
        return False
    return not index.at or held.indexed == add_place(index.engine, index.at, held.name, home)


def attach_collection(
    home: Path, name: str, index: NewIndex, access: EngineAccess, description: str = ""
) -> int:
    """Search a collection that somebody else feeds; return how many documents it holds.

    Args:
        home: The folder that all is kept in.
        name: What it is to be called here.
        index: Its engine, and where that keeps it.
        access: What engines are opened with.
        description: For people and models; empty: where it lies.

    Raises:
        InputError: there is a collection of that name.
        EngineError: nothing is indexed there, or it cannot be opened.
    """
    with Store(home / STORE) as store:
        held = store.collection(name)
        if held is not None and not (held.indexed and held.indexed.attached):
            raise InputError(f"there is a collection {name} already; choose another name")
        place = add_place(index.engine, index.at, name, home, attached=True)
        found = Held(0, name, "", private=True, paths=(), generation=0, indexed=place)
        engine = access.engine(found)
        check_analysis(engine, found)
        line = " ".join(description.split()) or f"Documents in {place.place}"
        store.index_elsewhere(store.make_collection(name, line), place)
        return engine.counts().texts


def held_by_engines(home: Path, settings: Settings, *, offline: bool) -> Iterator[tuple[str, str, str]]:
    """Yield for each collection that an engine indexes its name, what the engine holds, or what is wrong.

    Args:
        home: The folder that all is kept in.
        settings: How engines are reached.
        offline: Ask nothing that is not on this machine.
    """
    if not (home / STORE).exists():
        return
    access = replace(engine_access(settings), offline=offline)
    with Store(home / STORE) as store:
        held = [one for one in store.collections() if one.indexed is not None]
    for one in held:
        assert one.indexed is not None
        try:
            engine = access.engine(one)
            check_analysis(engine, one)
            counts, model = engine.counts(), engine.model()
        except EngineError as failure:
            yield one.name, "", str(failure)
            continue
        vectors = f", {counts.vectors:,} with vectors of {model}" if counts.vectors else ""
        texts = f"{counts.texts:,} texts, {counts.passages:,} passages{vectors}"
        yield one.name, f"{one.indexed.engine} in {one.indexed.place} holds {texts}", ""
