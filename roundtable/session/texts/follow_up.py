"""A session that begins from another's map and report: what was found is at the table from the start."""

from pathlib import Path

from agents import MemoryAdded
from library import AdmittedPassage, PassagesAdmitted
from mindmap import AddNode, Change, MapGrown, MapStarted, MindMap, PlacePassage
from models import Event
from moderator import SLUG
from reports import Sentence
from roundtable.config.config import Settings
from roundtable.config.errors import InputError
from roundtable.config.search_places import SESSION
from roundtable.journal.events import SessionStarted
from roundtable.journal.replay import replayed
from roundtable.journal.storage.journal_store import Journal

MOST_FACTS = 40
"""Sentences of the report that are kept in mind, the first ones."""
_HOLD = ("quoted", "supported", "inferred")


def begun_from(journal: Journal, session_id: str, topic: str, home: Path) -> list[Event]:
    """Return the events with which a session begins that goes on from another one.

    The passages that the other's report cites have their places in a map of the same branches; what the
    report says stands in the experts' notes.

    Args:
        journal: With the other session.
        session_id: The other's.
        topic: Of the new session.
        home: Where the texts are.

    Raises:
        InputError: it has no report yet.
        SessionUnknown, JournalError, StoreError.
    """
    with replayed(journal.read(session_id), home) as state:
        if state.report is None:
            raise InputError(
                f"session {session_id} has no report to go on from: "
                f"`roundtable report {session_id}` writes one"
            )
        told = [s for section in state.report.sections if not section.changes for s in section.sentences]
        usable = state.usable().passages
        cited = dict.fromkeys(i for sentence in told for i in sentence.citations if i in usable)
        ids = {old: f"p{n}" for n, old in enumerate(cited, 1)}
        admitted = [AdmittedPassage(id=new, span=usable[old].key, score=1.0) for old, new in ids.items()]
        shown = PassagesAdmitted(speaker=SLUG, passages=admitted, shown=list(ids.values()))
        grown = MapGrown(changes=_branches(state.map, ids))
        return [shown, MapStarted(title=topic), grown, *_facts(told, ids)]


def with_places_of(settings: Settings, journal: Journal, session_id: str) -> Settings:
    """Return settings that search the texts of another session too, and where it searched if none is named.

    Raises:
        SessionUnknown, JournalError.
    """
    own = f"{SESSION}{session_id}"
    if own in settings.docs:
        return settings
    start = journal.read(session_id, 0, 1)[0].event
    assert isinstance(start, SessionStarted)
    named = bool(settings.docs or settings.search)
    docs = settings.docs if named else [name for name in start.docs if name != own]
    search = settings.search if named or settings.offline else start.search
    offline = settings.offline or (start.offline and not named)
    return settings.model_copy(update={"docs": [*docs, own], "search": search, "offline": offline})


def _branches(tree: MindMap, ids: dict[str, str]) -> list[Change]:
    """Return the changes that make the branches that hold some passages, with those in their places."""
    holding: set[str] = set()
    for node in tree.walk():
        above: str | None = node if any(passage in ids for passage in tree.passages(node)) else None
        while above is not None and above not in holding:
            holding.add(above)
            above = tree.parent(above)
    made: list[Change] = []
    for node in tree.walk():
        if node not in holding:
            continue
        parent = tree.parent(node)
        if parent is not None:
            made.append(AddNode(id=node, title=tree.title(node), parent=parent))
        made += [PlacePassage(passage=ids[old], node=node) for old in tree.passages(node) if old in ids]
    return made


def _facts(told: list[Sentence], ids: dict[str, str]) -> list[Event]:
    """Return what a report says and holds, as notes."""
    held = [s for s in told if s.support in _HOLD and s.citations and all(i in ids for i in s.citations)]
    known = [(s.text, [ids[i] for i in s.citations]) for s in held[:MOST_FACTS]]
    return [
        MemoryAdded(id=f"m{n}", speaker=SLUG, note="fact", text=text, passages=passages)
        for n, (text, passages) in enumerate(known, 1)
    ]
