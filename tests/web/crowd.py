"""A session of many turns on a large map, built through the real events, for what looks at the page."""

from pathlib import Path

from agents import PanelSeated, Perspective, SpeakerCalled, Turn, TurnTaken
from library import Source, fingerprint
from library.events import AdmittedPassage, PassagesAdmitted
from library.store.store import Store
from mindmap import Change, Note
from mindmap.changes import AddNode, AddNote, PlacePassage
from mindmap.events import MapGrown, MapPlaced, MapStarted
from models import Event
from moderator import QuestionClosed, QuestionRaised
from roundtable.config.config import Settings
from roundtable.config.search_places import STORE
from roundtable.journal.clock import SystemClock
from roundtable.journal.events import SessionResumed, SessionStarted, SessionStopped
from roundtable.journal.storage.journal_store import Journal

WORDS = (
    "rain", "levee", "pump", "sewer", "basin", "valley", "culvert", "storm", "delta", "marsh", "ridge",
    "canal", "weir", "polder", "gauge",
)  # fmt: skip
EXPERTS = 4


def words(number: int, count: int) -> str:
    """Return some words that differ from number to number."""
    return " ".join(WORDS[(number * 7 + place * (3 + number % 5)) % len(WORDS)] for place in range(count))


def build(home: Path, *, turns: int, nodes: int, identity: str = "crowd") -> str:
    """Journal a session; return its id. It stands still and can be opened, edited and resumed."""
    home.mkdir(parents=True, exist_ok=True)
    text = "\n\n".join(f"{words(n, 40).capitalize()}." for n in range(60))
    with Store(home / STORE) as store:
        source = Source(
            sha256=fingerprint(text), url="https://towns.example/rain", title="Rain and towns", text=text,
            retrieved="2026-01-01T00:00:00Z",
        )  # fmt: skip
        store.add(source)
    with Journal(home / "journal.db", SystemClock()) as journal:
        folder = home / "documents"
        folder.mkdir()
        (folder / "rain.md").write_text(f"# Rain and towns\n\n{text}\n", encoding="utf-8")
        settings = Settings(offline=True, docs=[str(folder)]).model_dump(mode="json")
        start = SessionStarted(
            topic="How do river towns live with rain?", language="en", settings=settings, version="0",
            docs=[str(folder)], search=[], offline=True, model="embedded",
        )  # fmt: skip
        journal.create(identity, [start, MapStarted(title=start.topic)])
        journal.append(identity, [*_seated(), *_admitted(source)])
        each = max(1, nodes // turns)
        added = 0
        for number in range(1, turns + 1):
            journal.append(identity, _turn(number))
            grown: list[Change] = []
            while added < nodes and (len(grown) < each or number == turns):
                added += 1
                grown.append(
                    AddNode(id=f"n{added}", title=words(added, 3).capitalize(), parent=_parent(added))
                )
            journal.append(identity, [_placed(number, min(added, number)), MapGrown(changes=grown)])
        journal.append(identity, [SessionResumed(), SessionStopped(reason="it was enough")])
    return identity


def _parent(number: int) -> str:
    """Seven branches, and below each of their nodes up to six more."""
    return "n0" if number <= 7 else f"n{(number - 2) // 6}"


def _seated() -> list[Event]:
    panel = [
        Perspective(slug=f"e{n}", name=f"Expert on {WORDS[n]}s", role=f"Knows {WORDS[n]}s",
                    focus=f"{WORDS[n]}s in towns", terms=[WORDS[n]])
        for n in range(EXPERTS)
    ]  # fmt: skip
    return [PanelSeated(panel=panel)]


def _admitted(source: Source) -> list[Event]:
    passages, at = [], 0
    for number, paragraph in enumerate(source.text.split("\n\n"), 1):
        span = (source.sha256, at, at + len(paragraph))
        passages.append(AdmittedPassage(id=f"p{number}", span=span, score=0.5))
        at += len(paragraph) + 2
    shown = [passage.id for passage in passages]
    return [PassagesAdmitted(speaker="moderator", passages=passages, shown=shown)]


def _turn(number: int) -> list[Event]:
    slug, question = f"e{number % EXPERTS}", f"q{number}"
    cited = [f"p{1 + (number + step) % 60}" for step in range(4)]
    text = " ".join(f"{words(number + step, 14).capitalize()} [{cited[step]}]." for step in range(4))
    turn = Turn(
        n=number, speaker=slug, name=f"Expert on {WORDS[number % EXPERTS]}s", role="expert", act="answer",
        text=text, citations=cited, question=question, at="2026-01-01T00:00:00.000Z", seconds=1.0,
    )  # fmt: skip
    asked = QuestionRaised(id=question, text=f"What of {words(number, 4)}?", by="moderator")
    called = SpeakerCalled(turn=number, speaker=slug, question=question)
    return [asked, called, TurnTaken(turn=turn, shown=4), QuestionClosed(id=question, state="answered")]


def _placed(number: int, node: int) -> MapPlaced:
    note = Note(
        turn=number, speaker=f"Expert on {WORDS[number % EXPERTS]}s", question=f"What of {words(number, 4)}?",
        answer=f"{words(number, 12).capitalize()}.",
    )  # fmt: skip
    place = "n0" if number == 1 else f"n{max(0, node - 1)}"
    changes: list[Change] = [AddNote(node=place, note=note)]
    if number <= 60:
        changes.append(PlacePassage(passage=f"p{number}", node=place))
    return MapPlaced(turn=number, changes=changes)
