"""Collections of texts that are in the store already: what earlier sessions read."""

from collections.abc import Sequence

from library.errors import LibraryError
from library.evidence import Source, on_the_web
from library.store.store import Held, Store

ALL = "session:*"
"""How the collection of all sessions' texts is called in the store; those of one are `session:ID`."""
_LOCAL = "file:"


def sync_texts(store: Store, name: str, description: str, texts: Sequence[str]) -> Held:
    """Bring a collection up to date with texts of the store, made if it is not there.

    It only grows: sessions that run at the same time share it. What is neither a page nor a document (a
    computation, Python's own documentation) is left out, and so is what the store does not hold.

    Args:
        store: Where they are.
        name: The collection's.
        description: For people and models.
        texts: By sha256.

    Raises:
        LibraryError: none of them is here.
    """
    with store.writing():
        # A private source makes no difference here: what a person read before is theirs in any case.
        held = store.make_collection(name, description, private=True)
        known = store.files(held)
        found = [store.source(sha) for sha in dict.fromkeys(texts)]
        for source in found:
            if source is not None and source.sha256 not in known and _readable(source):
                store.index_text(held, source.sha256)
    if not store.files(held):
        raise LibraryError(f"--docs {name}: nothing that was read there is kept here")
    fresh = store.collection(name)
    assert fresh is not None
    return fresh


def _readable(source: Source) -> bool:
    return on_the_web(source.url) or source.url.startswith(_LOCAL)
