"""Placing: everything that a turn brought finds its node, in one go.

Each passage gets candidates from a fused score: cosine with what the nodes hold (a vote of the nearest
passages), with the nodes' titles, and a vote of the passages from the same source. The embedded model
takes the best that is good enough; a language model chooses for all of a turn in one request and may name
a new child. What the embedded model finds no place for goes to the branch "Unsorted"; while the map has no
branches yet, to the root. What a language model says belongs nowhere stays out of the map.
"""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

from library import Passage, citations, cited_claims, claimed
from library.text import sentences, terms
from mindmap.changes import AddNode, AddNote, Change, Note, PlacePassage, SetMark
from mindmap.placement.features import named_node
from mindmap.placement.map_index import MapIndex
from mindmap.placement.scoring import fits
from mindmap.prompt_view import outline
from mindmap.settings import MapSettings
from mindmap.tasks import Choice, NodeChoice, Placements, PlaceNotes, Thing
from mindmap.titles.extracted_titles import LONGEST_TITLE
from mindmap.tree import UNSORTED, MindMap
from models import Asks


@dataclass(frozen=True, slots=True)
class Item:
    """What one turn brings: its note, and the passages that it was the first to use."""

    note: Note | None
    passages: Sequence[Passage] = ()


async def place(
    tree: MindMap,
    items: Sequence[Item],
    asks: Asks,
    index: MapIndex,
    settings: MapSettings = MapSettings(),  # noqa: B008 - frozen
    language: str = "en",
) -> list[Change]:
    """Return the changes that give every note and passage of some turns its node. The tree is not touched.

    Raises:
        ModelUnavailable: the model that decides cannot be had.
    """
    placing = placement(tree, items, index, settings, language)
    return placing.changes(await asks.ask(placing.task) if placing.task else None)


@dataclass(frozen=True, slots=True)
class Placement:
    """What is to be placed, before it is decided where: what to ask, and what to make of the reply."""

    task: PlaceNotes | None
    """None when nothing needs to be asked."""
    _tree: MindMap
    _items: Sequence[Item]
    _index: MapIndex
    _new: Sequence[str]
    _language: str

    def changes(self, reply: Placements | None) -> list[Change]:
        """Return the changes that give every note and passage its node."""
        choices = {choice.id: choice for choice in reply.choices} if reply else {}
        drafted = _Draft(self._tree, self._language)
        for passage in self._new:
            drafted.put(passage, choices.get(passage))
        for item in self._items:
            if item.note is not None and self._tree.note_node(item.note.turn) is None:
                drafted.note(item.note, [p.id for p in item.passages], self._index)
        return drafted.changes

    def outside(self, changes: Sequence[Change]) -> list[str]:
        """Return the ids of passages that were to be placed and that such changes leave out of the map."""
        placed = {change.passage for change in changes if isinstance(change, PlacePassage)}
        return [passage for passage in self._new if passage not in placed]


def placement(
    tree: MindMap,
    items: Sequence[Item],
    index: MapIndex,
    settings: MapSettings = MapSettings(),  # noqa: B008 - frozen
    language: str = "en",
) -> Placement:
    """Prepare the placing of what some turns brought; the index takes their passages in."""
    new = [p for p in dict.fromkeys(p.id for item in items for p in item.passages) if tree.where(p) is None]
    index.add(new)
    asked = {p.id: item.note.question for item in items if item.note for p in item.passages}
    found = fits(tree, index, new, settings.candidates, asked)
    said = [claim for item in items if item.note for claim in cited_claims(item.note.answer, sentences)]
    told: dict[str, list[str]] = {}
    for claim in said:
        for passage in citations(claim):
            told.setdefault(passage, []).append(claimed(claim))
    things = [
        Thing(
            id=passage,
            text=index.text(passage),
            places=[NodeChoice(node=fit.node, path=path(tree, fit.node), score=fit.score) for fit in best],
            source=index.passage(passage).title,
            start=index.passage(passage).start,
            told=told.get(passage, []),
        )
        for passage, best in zip(new, found, strict=True)
    ]
    task = PlaceNotes(
        topic=tree.title(tree.root),
        language=language,
        outline=outline(tree, settings.context),
        root=tree.root,
        things=things,
        threshold=settings.threshold,
    )
    return Placement(task if things else None, tree, items, index, new, language)


def path(tree: MindMap, node: str) -> str:
    """Return the titles from below the root to a node."""
    return " > ".join(tree.title(step) for step in tree.path(node)[1:])


class _Draft:
    """Changes as they gather, with the nodes that they make."""

    def __init__(self, tree: MindMap, language: str) -> None:
        self.changes: list[Change] = []
        self._tree = tree
        self._language = language
        self._made: dict[tuple[str, str], str] = {}
        self._at: dict[str, str] = {}
        self._unsorted = False

    def put(self, passage: str, choice: Choice | None) -> None:
        """Place a passage where the model chose; what it said nothing usable of goes to "Unsorted"."""
        node = choice.node if choice and choice.node in self._tree else None
        if choice and choice.new and choice.new.strip():
            node = self._child(node or self._tree.root, choice.new)
        if node is None and choice is not None and not choice.node:
            return  # it belongs nowhere
        node = node or self._nowhere()
        self._at[passage] = node
        self.changes.append(PlacePassage(passage=passage, node=node))

    def note(self, note: Note, passages: Sequence[str], index: MapIndex) -> None:
        """Let a note stand where it was asked about, else where most of what it cites does.

        An open question is a gap until it is answered.
        """
        resting = citations(note.answer) or passages
        at = [node for p in resting if (node := self._at.get(p) or self._tree.where(p)) is not None]
        node = named_node(self._tree, note.question)
        if node is None:
            node = max(dict.fromkeys(at), key=at.count) if at else self._about(note.question, index)
        self.changes.append(AddNote(node=node, note=note))
        if note.answer:
            self._answered(note.question)
        elif node not in self._tree or "gap" not in self._tree.node(node).marks:
            self.changes.append(SetMark(node=node, mark="gap"))

    def _about(self, question: str, index: MapIndex) -> str:
        """Return the node that holds what is nearest to a question, the root when nothing is near."""
        votes: defaultdict[str, float] = defaultdict(float)
        for passage, cosine in index.vectors.near(terms(question), 8):
            node = self._at.get(passage) or self._tree.where(passage)
            if node is not None:
                votes[node] += cosine
        return max(votes, key=lambda node: (round(votes[node], 9), node), default=self._tree.root)

    def _answered(self, question: str) -> None:
        """Take the mark of a gap from nodes whose open questions have all been answered now."""
        tree = self._tree
        for node in tree.marked("gap"):
            waiting = [note.question for note in tree.node(node).notes if not note.answer]
            if question in waiting and not self._waiting(waiting, question):
                self.changes.append(SetMark(node=node, mark="gap", on=False))

    def _waiting(self, questions: Sequence[str], answered: str) -> list[str]:
        done = {answered} | self._tree.answered()
        return [question for question in questions if question not in done]

    def _child(self, parent: str, title: str) -> str:
        clean = " ".join(title.split())[:LONGEST_TITLE]
        for child in self._tree.children(parent):
            if self._tree.title(child).casefold() == clean.casefold():
                return child
        key = (parent, clean.casefold())
        if key not in self._made:
            self._made[key] = self._tree.next_id(len(self._made))
            self.changes.append(AddNode(id=self._made[key], title=clean, parent=parent))
        return self._made[key]

    def _nowhere(self) -> str:
        if not self._tree.children(self._tree.root) and not self._made:
            return self._tree.root
        if UNSORTED not in self._tree and not self._unsorted:
            title = "未分类" if self._language.startswith("zh") else "Unsorted"
            self.changes.append(AddNode(id=UNSORTED, title=title, parent=self._tree.root))
            self._unsorted = True
        return UNSORTED
