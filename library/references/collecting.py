"""Folders and files as a collection, lists of references in them too: each work is a source of its own."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from library.errors import ReadError
from library.readers.file_bytes import shown_path
from library.references.reference import CollectedReference, attached_in, describe, lay_out
from library.references.reference_files import is_reference_file, read_references
from library.store.folder_walk import Unread, walk
from library.store.store import Held, Store
from library.store.sync import FileReader, Progress, SyncReport, sync

FOLDER = "references"
"""The folder, beside the store, of abstracts and notes of references; one for each collection."""
_LISTED = "listed"
"""Below it: of those that stand in lists."""
_SOME = 5
"""Keys of references without a text that are told."""


def sync_documents(
    store: Store,
    name: str,
    paths: Sequence[Path],
    reader: FileReader,
    *,
    description: str = "",
    made: str = "",
    follow_links: bool | None = None,
    own_notes: bool | None = None,
    progress: Progress | None = None,
    references: Sequence[CollectedReference] = (),
) -> tuple[Held, SyncReport]:
    """Bring a collection up to date with files, folders and the references that are listed in them.

    As `sync` does, which says what the arguments mean. `references` are more of them, from a manager: they
    are laid out beside the store, and what was laid out belongs to the collection until the manager is asked
    again. Lists are read again each time.

    Raises:
        ReadError: nothing at the paths can be read; the message says why.
        LibraryError: a path does not exist.
    """
    listed = [path for path in paths if is_reference_file(path)]
    unread: list[Unread] = []
    found = [one for path in listed for one in _listed_in(path, unread)]
    for folder in (path for path in paths if path.is_dir()):
        for path in walk(folder.resolve(), lists=True):
            if isinstance(path, Path):
                try:
                    found += _listed_in(path, unread)
                except ReadError as error:
                    unread.append(Unread(shown_path(path), str(error)))
    managed = store.path.parent / FOLDER / name
    told = lay_out(references, managed) if references else []
    laid = lay_out(found, managed / _LISTED) if found or (managed / _LISTED).exists() else []
    kept = [*paths, *told]
    walked = [*(path for path in kept if path not in listed), *laid]
    if not walked:
        raise ReadError(unread[0].reason if unread else "these references hold nothing that can be read")
    held, report = sync(
        store, name, kept, reader,
        walked=walked, description=description, made=made, follow_links=follow_links, own_notes=own_notes,
        attached={**attached_in(managed), **attached_in(managed / _LISTED)}, progress=progress,
    )  # fmt: skip
    describe(store, held, references, managed)
    describe(store, held, found, managed / _LISTED)
    report.warnings += unread
    return held, report


def _listed_in(path: Path, unread: list[Unread]) -> list[CollectedReference]:
    """Return the references of a list that have something to be read, and tell of those that do not.

    Raises:
        ReadError: it is no such list, or cannot be read.
    """
    shown = shown_path(path)
    exported = read_references(path)
    unread += [Unread(shown, f"{shown}: {reason}") for reason in exported.broken]
    bare = [one.key for one in exported.references if not one.is_readable]
    if bare:
        some = ", ".join(bare[:_SOME]) + (", …" if len(bare) > _SOME else "")
        count = f"{len(bare)} of {len(exported.references)} references"
        unread.append(Unread(
            shown,
            f"{shown}: {count} hold no abstract, no note and no file that is here, so there is nothing of"
            f" them to read: {some}",
        ))  # fmt: skip
    # An id, or a place, is unique in its file alone.
    return [replace(one, key=f"{path.stem}/{one.key}") for one in exported.references if one.is_readable]
