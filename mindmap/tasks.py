"""What the map asks a model: where a turn's notes and passages belong, and what new nodes are called."""

from collections.abc import Mapping
from typing import ClassVar

from pydantic import BaseModel, ConfigDict

from mindmap.titles import Unnamed, titles
from models.prompts import data_block
from models.statistics import Statistics
from models.task import Role, Task

_SHOWN = 240
"""Characters of a text that a prompt shows; where a passage belongs is seen from its beginning."""
_TITLED = 3
"""Texts that a prompt shows of a node that wants a title."""
_CANDIDATES = 3
"""Candidates that a prompt shows of a text; the map's outline shows the others."""


class _Value(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Place(_Value):
    """A node that something might stand in."""

    node: str
    path: str
    """Titles from below the root down to the node: `Early life > Education`."""
    score: float
    """Fused score, 0 to 1."""


class Thing(_Value):
    """A passage or a note that wants a place."""

    id: str
    """`p12` for a passage, `t5` for the note of turn 5."""
    text: str
    places: list[Place]
    """Candidates, best first."""


class Choice(_Value):
    """Where a thing goes."""

    id: str
    node: str | None = None
    """One of the nodes shown; null when it fits nowhere."""
    new: str | None = None
    """Title of a new child of that node (of the root when `node` is null) to put it in; null for none."""


class Placements(_Value):
    """Where all the things go."""

    choices: list[Choice]


class PlaceNotes(Task[Placements]):
    """Choose a node for every note and passage of a turn, in one request."""

    name: ClassVar[str] = "place_notes"
    package: ClassVar[str] = "mindmap"
    role: ClassVar[Role] = "judge"
    output: ClassVar[type[BaseModel]] = Placements

    topic: str
    language: str = "en"
    outline: str
    """The map's upper levels, to see what exists."""
    things: list[Thing]
    threshold: float

    def fields(self) -> Mapping[str, str]:
        """Return the prompt's values."""
        return {
            "topic": self.topic,
            "language": self.language,
            "outline": self.outline or "(the map is empty)",
            "things": "\n\n".join(_shown(thing) for thing in self.things),
        }

    def extract(self, statistics: Statistics) -> Placements:  # noqa: ARG002 - the scores say it all
        """Take the best candidate that is good enough."""
        return Placements(choices=[
            Choice(id=thing.id, node=best.node if best and best.score >= self.threshold else None)
            for thing in self.things
            for best in [max(thing.places, key=lambda place: place.score, default=None)]
        ])


def _shown(thing: Thing) -> str:
    kind = "note" if thing.id.startswith("t") else "passage"
    likely = thing.places[:_CANDIDATES]
    places = "\n".join(f"- {place.node}: {place.path} ({place.score:.2f})" for place in likely)
    return f"{data_block(kind, thing.text[:_SHOWN], id=thing.id)}\nCandidates:\n{places or '- none'}"


class Title(_Value):
    """A node's title."""

    id: str
    title: str


class Titles(_Value):
    """A title for each node."""

    titles: list[Title]


class NameNodes(Task[Titles]):
    """Find a title for every new node of the map, in one request."""

    name: ClassVar[str] = "name_nodes"
    package: ClassVar[str] = "mindmap"
    role: ClassVar[Role] = "judge"
    output: ClassVar[type[BaseModel]] = Titles

    topic: str
    language: str = "en"
    nodes: list[Unnamed]

    def fields(self) -> Mapping[str, str]:
        """Return the prompt's values."""
        return {
            "topic": self.topic,
            "language": self.language,
            "nodes": "\n\n".join(_node(node) for node in self.nodes),
        }

    def extract(self, statistics: Statistics) -> Titles:
        """Take each node's most distinctive phrase that is not taken."""
        found = titles(self.topic, self.language, self.nodes, statistics)
        pairs = zip(self.nodes, found, strict=True)
        return Titles(titles=[Title(id=node.id, title=title) for node, title in pairs])


def _node(node: Unnamed) -> str:
    texts = "\n".join(data_block("passage", text[:_SHOWN]) for text in _spread(node.texts))
    taken = "; ".join(node.siblings) or "none"
    beside = ", ".join(node.beside) or "none"
    head = f"Node {node.id}, under “{node.parent}”. Taken beside it: {taken}. New beside it: {beside}."
    return f"{head}\n{texts}"


def _spread(texts: list[str]) -> list[str]:
    """Return a few of the texts, from all over them."""
    count = min(len(texts), _TITLED)
    return [texts[place * len(texts) // count] for place in range(count)]
