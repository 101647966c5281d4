"""Collections of texts that are in the store already: what earlier sessions read."""

from collections.abc import Sequence

from library.errors import LibraryError
from library.evidence import Source, on_the_web
from library.store.store import Held, Store

ALL = "session:*"
"""How the collection of all sessions' texts is called in the store; those of one are `session:ID`."""
_LOCAL = "file:"
_TOGETHER = 50
"""Texts that are taken in at once: others write to the store between."""


def sync_texts(store: Store, name: str, description: str, texts: Sequence[str]) -> Held:
    """Bring a collection up to date with texts of the store, made if it is not there.

    What is no longer among the texts (its session was deleted) goes. What is neither a page nor a document (a
    computation, Python's own documentation) is left out, and so is what the store does not hold.

    Args:
        store: Where they are.
        name: The collection's.
        description: For people and models.
        texts: By sha256.

    Raises:
        LibraryError: none of them is here.
    """
    # A private source makes no difference here: what a person read before is theirs in any case.
    held = store.make_collection(name, description, private=True)
    known, wanted = store.files(held), dict.fromkeys(texts)
    gone, new = [each for each in known if each not in wanted], [sha for sha in wanted if sha not in known]
    for start in range(0, max(len(gone), len(new)), _TOGETHER):
        with store.writing():
            for sha in gone[start : start + _TOGETHER]:
                store.remove_file(held, sha)
            for sha in new[start : start + _TOGETHER]:
                source = store.source(sha)
                if source is not None and _readable(source):
                    store.index_text(held, sha)
    if not store.files(held):
        raise LibraryError(f"{name}: nothing that was read there is kept here")
    fresh = store.collection(name)
    assert fresh is not None
    return fresh


def _readable(source: Source) -> bool:
    return on_the_web(source.url) or source.url.startswith(_LOCAL)
