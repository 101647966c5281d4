"""Texts of earlier sessions: which of the texts in the store were read in which session."""

import json
from collections.abc import Iterable, Mapping, Sequence

from library import ToldOfSource
from roundtable.config.config import Settings
from roundtable.config.search_places import SESSION, SESSIONS
from roundtable.journal.storage.journal_store import Journal

_READ = ("page_read", "passages_admitted")
"""Events that tell of texts that were read."""
_TELLING = ("page_read", "searched")
"""Events that tell what texts were known by; each text in one of them."""
TextsTold = Mapping[str, ToldOfSource | None]
"""Texts (sha256) with what they were known by; None where nobody told."""
_NAMED = (*_READ, "searched", "computed")
"""Events that name texts at all; without them a session cannot be exported (`named_texts.texts_of`)."""


def texts_read(journal: Journal, session_id: str | None = None) -> dict[str, list[str]]:
    """Return the texts (sha256) that each session read or was shown passages of, in order.

    Args:
        journal: With all sessions.
        session_id: Of this one alone; None: of all.
    """
    return _texts(journal, _READ, session_id)


def texts_needed(journal: Journal, session_id: str | None = None) -> dict[str, list[str]]:
    """Return the texts (sha256) that each session cannot do without, found and computed ones among them.

    The arguments are those of `texts_read`.
    """
    return _texts(journal, _NAMED, session_id)


def _texts(journal: Journal, kinds: Sequence[str], session_id: str | None) -> dict[str, list[str]]:
    found: dict[str, dict[str, None]] = {}
    for session, text in journal.of_kinds(kinds, session_id):
        event = json.loads(text)
        told = [*event.get("passages", ()), *event.get("hits", ())]
        spans = [each["span"][0] for each in told if each.get("span")]
        own = found.setdefault(session, {})
        own.update(dict.fromkeys(sha for sha in [event.get("sha256"), *spans] if sha))
    return {session: list(shas) for session, shas in found.items()}


def with_whole_ids(settings: Settings, journal: Journal) -> Settings:
    """Return settings whose documents name earlier sessions by their whole ids. Raises SessionUnknown."""
    docs = [
        f"{SESSION}{journal.find(name.removeprefix(SESSION))}" if name.startswith(SESSION) else name
        for name in settings.docs
    ]
    return settings.model_copy(update={"docs": list(dict.fromkeys(docs))})


def documents_of_sessions(docs: Iterable[str], journal: Journal) -> Mapping[str, TextsTold]:
    """Return, for documents that are texts of earlier sessions, the texts (sha256) that each stands for.

    With each stands what its session knew it by: of several sessions the first that tells.
    """
    found: dict[str, TextsTold] = {}
    for name in docs:
        if name.startswith(SESSION):
            identity = name.removeprefix(SESSION)
            told = _told(journal, identity)
            found[name] = {sha: told.get(sha) for sha in texts_read(journal, identity).get(identity, [])}
        elif name == SESSIONS:
            told = _told(journal, None)
            found[name] = {sha: told.get(sha) for shas in texts_read(journal).values() for sha in shas}
    return found


def _told(journal: Journal, session_id: str | None) -> TextsTold:
    """Return what a session, or all, knew texts by when they were found there first."""
    found: dict[str, ToldOfSource | None] = {}
    for _, text in journal.of_kinds(_TELLING, session_id):
        event = json.loads(text)
        each = [(event.get("sha256"), event.get("told"))]
        each += [((hit.get("span") or [None])[0], hit.get("told")) for hit in event.get("hits", ())]
        for sha, told in each:
            if sha and told:
                found.setdefault(sha, ToldOfSource.model_validate(told))
    return found
