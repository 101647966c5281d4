"""Every text that was read and is kept: listed, shown and forgotten."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from library import Source, Store
from library.store import KnownText, Reading
from library.web import PageCache
from roundtable.config.errors import InputError
from roundtable.config.search_places import SESSION, STORE
from roundtable.journal.storage.journal_store import Journal
from roundtable.session.texts.earlier_sessions import texts_needed


@dataclass(frozen=True, slots=True)
class KeptSource:
    """A text with the sessions that need it: they read it, or their searches found it."""

    text: KnownText
    sessions: tuple[str, ...]
    """Their ids, the oldest first."""


@dataclass(frozen=True, slots=True)
class ShownSource:
    """A text with where and when it was read."""

    kept: KeptSource
    source: Source
    readings: tuple[Reading, ...]
    """Of its url: other versions too, the newest last."""
    collections: tuple[str, ...]
    """Names of the collections of documents that hold it."""


def kept_sources(
    home: Path, journal: Journal, *, session_id: str | None = None, words: str = ""
) -> list[KeptSource]:
    """Return the texts that are kept, the one that was read last first.

    Args:
        home: Where they are.
        journal: With all sessions.
        session_id: Those of this session alone.
        words: Those alone whose title or address holds all of these words.
    """
    if not (home / STORE).exists():
        return []
    readers: dict[str, list[str]] = {}
    for session, shas in texts_needed(journal, session_id).items():
        for sha in shas:
            readers.setdefault(sha, []).append(session)
    wanted = words.casefold().split()
    with Store(home / STORE) as store:
        found = [KeptSource(text, tuple(readers.get(text.sha256, ()))) for text in store.known()]
    return [
        one
        for one in found
        if (session_id is None or one.sessions)
        and all(word in f"{one.text.title} {one.text.url}".casefold() for word in wanted)
    ]


def one_source(home: Path, journal: Journal, named: str) -> ShownSource:
    """Return the text of an address, or of the beginning of its hash.

    Raises:
        InputError: there is none, or more than one.
    """
    everything = kept_sources(home, journal)
    found = [one for one in everything if one.text.url == named or one.text.sha256 == named]
    if not found and len(named) >= 4:
        found = [one for one in everything if one.text.sha256.startswith(named.lower())]
    if len({one.text.sha256 for one in found if one.text.url != named}) > 1:
        raise InputError(f"{named}: {len(found)} texts begin so; give more of the hash")
    if not found:
        raise InputError(f"{named}: no such text is kept; see `roundtable sources list`")
    with Store(home / STORE) as store:
        source = store.source(found[0].text.sha256)
        readings = store.readings(url=found[0].text.url)
        held = [one.name for one in store.holding(found[0].text.sha256) if not one.name.startswith(SESSION)]
    assert source is not None
    return ShownSource(found[0], source, tuple(readings), tuple(held))


def older_than(home: Path, journal: Journal, before: datetime) -> list[KeptSource]:
    """Return the texts that no session and no collection needs and that were read before a time."""
    free = [one for one in kept_sources(home, journal) if not one.sessions]
    free = [one for one in free if _moment(one.text.read) < before]
    with Store(home / STORE) as store:
        return [
            one
            for one in free
            if all(held.name.startswith(SESSION) for held in store.holding(one.text.sha256))
        ]


def forget_sources(home: Path, sources: Sequence[KeptSource]) -> None:
    """Forget texts for good, with the pages that they were read from.

    Raises:
        InputError: a session rests on one, or a collection of documents holds it; then none is forgotten.
    """
    with Store(home / STORE) as store, store.writing():
        for one in sources:
            if one.sessions:
                listed = ", ".join(one.sessions[:5])
                raise InputError(
                    f"{one.text.url}: sessions rest on it ({listed}); "
                    "`roundtable delete ID` deletes a session"
                )
            for held in store.holding(one.text.sha256):
                if not held.name.startswith(SESSION):
                    raise InputError(
                        f"{one.text.url}: the collection {held.name} holds it; take the document out of its "
                        f"folder and update it, or `roundtable docs remove {held.name}`"
                    )
                store.remove_file(held, one.text.sha256)
            store.forget(one.text.sha256)
    pages = PageCache(home / "pages")
    for one in sources:
        pages.forget(one.text.url)
    pages.close()


def _moment(text: str) -> datetime:
    return datetime.fromisoformat(text or "1970-01-01T00:00:00+00:00")
