"""Collections of documents as a person knows them: listed, brought up to date, and removed."""

import shutil
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from library import LibrarySettings, Store, SyncReport, check_name
from library.readers import Reader
from library.references import FOLDER, CollectedReference, sync_documents
from library.store import Held, derived_name
from roundtable.config.errors import InputError
from roundtable.config.search_places import PYTHON, SESSION, SESSIONS, STORE, near_collection

BROUGHT = "collections"
"""The folder, in the home folder, of files that were brought to collections on the page; one for each."""
_MADE = "Documents in "
"""How a description begins that was made of paths."""


@dataclass(frozen=True, slots=True)
class DocumentCollection:
    """What can be searched by a name."""

    name: str
    label: str
    """What a person calls it: of a folder that was searched without a name, the folder's own."""
    files: int | None
    """How many documents it holds; None where they are indexed when it is first used."""
    description: str
    paths: tuple[str, ...] = ()
    unnamed: bool = False
    """Made for a folder or file that was named by its path."""


def document_collections(home: Path) -> list[DocumentCollection]:
    """Return the collections that can be searched, the one that is always there first."""
    python = DocumentCollection(PYTHON, PYTHON, None, "The Python language reference and docstrings")
    if not (home / STORE).exists():
        return [python]
    with Store(home / STORE) as store:
        own = [held for held in store.collections() if not held.name.startswith(SESSION)]
        known = sorted(own, key=_is_unnamed)
        held = [(one, len(store.files(one))) for one in known]
    found: list[DocumentCollection] = []
    for one, files in held:
        unnamed = _is_unnamed(one)
        label = Path(one.paths[0]).name if unnamed else one.name
        if unnamed and label in {other.label for other in found}:
            label = one.paths[0]
        found.append(
            DocumentCollection(one.name, label, files, one.description, tuple(one.paths), unnamed=unnamed)
        )
    named = {one.name for one in found}
    earlier = DocumentCollection(SESSIONS, SESSIONS, None, "What earlier sessions read")
    fixed = [one for one in (python, earlier) if one.name not in named]
    return [*fixed, *found]


def update_collection(
    home: Path,
    name: str,
    paths: Sequence[Path] = (),
    *,
    description: str = "",
    follow_links: bool | None = None,
    progress: Callable[[int, int], None] | None = None,
    references: Sequence[CollectedReference] = (),
) -> SyncReport:
    """Bring a collection up to date with files and folders; make it where there is none.

    Args:
        home: The folder that all is kept in.
        name: The collection's.
        paths: Files and folders, also references as managers export them (RIS, BibTeX, CSL-JSON);
            empty: those that it was made of.
        description: For people and models; empty: as somebody wrote it, else made of the paths.
        follow_links: Whether links in a folder may lead out of it; None: as when it was last said.
        progress: Is told how many files of how many were looked at.
        references: What a reference manager holds: abstracts, notes and files are read too.

    Raises:
        InputError: the name is kept for another, or nobody says which files.
        LibraryError: nothing there can be read.
    """
    check_name(name)
    if name == PYTHON:
        raise InputError(f"{PYTHON!r} is the collection that every Python carries: choose another name")
    if name == SESSIONS:
        raise InputError(f"{SESSIONS!r} is what earlier sessions read: choose another name")
    reader = Reader(LibrarySettings().read)
    try:
        with Store(home / STORE) as store:
            held = store.collection(name)
            again = [] if references else [Path(path) for path in (held.paths if held else ())]
            wanted = list(paths) or again
            if not wanted and not references:
                raise _no_collection(name, store)
            kept = held is not None and not (paths and held.description.startswith(_MADE))
            brought = f"{_MADE}{name}" if wanted == [home / BROUGHT / name] else ""
            line = description or (held.description if held and kept else brought)
            _, report = sync_documents(
                store, name, wanted, reader,
                description=line, follow_links=follow_links, progress=progress, references=references,
            )  # fmt: skip
            return report
    finally:
        reader.close()


def describe_collection(home: Path, name: str, description: str) -> None:
    """Say what a collection holds, for people and for models.

    Raises:
        InputError: there is none of that name.
    """
    with Store(home / STORE) as store:
        held = store.collection(name)
        if held is None:
            raise _no_collection(name, store)
        store.make_collection(name, " ".join(description.split()), held.paths, private=held.private)


def remove_collection(home: Path, name: str) -> None:
    """Remove a collection, and files that were brought to it on the page; sessions keep what they cite.

    Raises:
        InputError: there is none of that name.
    """
    with Store(home / STORE) as store:
        if not store.drop_collection(name):
            raise _no_collection(name, store)
    for ours in (home / BROUGHT / name, home / FOLDER / name):
        if ours.is_dir():
            shutil.rmtree(ours)


def _is_unnamed(held: Held) -> bool:
    return len(held.paths) == 1 and derived_name(Path(held.paths[0])) == held.name


def _no_collection(name: str, store: Store) -> InputError:
    names = [held.name for held in store.collections()]
    there = ", ".join(names) or "none"
    return InputError(f"no collection {name!r}; {near_collection(name, names)}there are: {there}")
