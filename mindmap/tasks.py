"""What the map asks a model: where a turn's notes and passages belong, and what new nodes are called."""

from collections.abc import Mapping, Sequence
from typing import ClassVar

from pydantic import BaseModel, Field

from library.passages import beginning, excerpts, resting_line
from mindmap.titles.extracted_titles import Unnamed, titles
from mindmap.tree import UNSORTED
from models import Frozen, Role, Statistics, Task
from models.prompting import data_block

_SHOWN = 110
"""Characters of a passage that wants a place."""
_TITLED = 4
"""Texts that a prompt shows of a node that wants a title."""
_TITLED_SHOWN = 90
"""Characters of each of them."""


class NodeChoice(Frozen):
    """A node that something might stand in."""

    node: str
    path: str
    """Titles from below the root down to the node: `Early life > Education`."""
    score: float
    """Fused score, 0 to 1."""


class Thing(Frozen):
    """A passage or a note that wants a place."""

    id: str
    """`p12` for a passage, `t5` for the note of turn 5."""
    text: str
    places: list[NodeChoice]
    """Candidates, best first."""
    source: str = ""
    """The title of its page."""
    start: int = 0
    """Where it begins in its source."""
    told: list[str] = Field(default_factory=list)
    """What the turns that are placed with it say of it."""


class Choice(Frozen):
    """Where a thing goes."""

    id: str
    node: str | None = None
    """One of the nodes shown; null when it belongs nowhere in this map, which it then stays out of."""
    new: str | None = None
    """Title of a new child of that node (of the top where `node` is null) to put it in; null for none."""


class Placements(Frozen):
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
    root: str = "n0"
    things: list[Thing]
    threshold: float

    def fields(self) -> Mapping[str, str]:
        """Return the prompt's values."""
        return {
            "topic": self.topic,
            "language": self.language,
            "root": self.root,
            "outline": "\n".join(filter(None, [self.outline, *self._deeper()])) or "(the map is empty)",
            "things": data_block("things", "\n".join(self._by_source())),
        }

    def _deeper(self) -> list[str]:
        """Return the likely nodes that the outline has no room for, with their paths."""
        likely = {place.node: place.path for thing in self.things for place in thing.places}
        return [f"- {node}: {path}" for node, path in likely.items() if f"- {node}: " not in self.outline]

    def _by_source(self) -> list[str]:
        """Return a line for each thing, in the order in which its source tells it."""
        sources: dict[str, list[Thing]] = {}
        for thing in self.things:
            sources.setdefault(thing.source, []).append(thing)
        lines: list[str] = []
        for source, things in sources.items():
            lines += [f"From “{beginning(source, _SHOWN)}”:"] if source else []
            ordered = sorted(things, key=lambda thing: thing.start)
            lines += [f"[{thing.id}] {self._telling(thing.text, thing.told)}" for thing in ordered]
        return lines

    def _telling(self, text: str, told: Sequence[str]) -> str:
        """Return how a text begins; of a long one what is said of it rests on, or tells most of the topic."""
        if told:
            return resting_line(text, told, _SHOWN)
        about = text if len(text) <= _SHOWN else excerpts([text], self.topic, 0)[0].removeprefix("…").strip()
        return beginning(text if text.lstrip().startswith(about[:20]) else about, _SHOWN)

    def extract(self, statistics: Statistics) -> Placements:  # noqa: ARG002 - the scores say it all
        """Take the best candidate that is good enough."""
        return Placements(
            choices=[
                Choice(id=thing.id, node=best.node if best and best.score >= self.threshold else UNSORTED)
                for thing in self.things
                for best in [max(thing.places, key=lambda place: place.score, default=None)]
            ]
        )


class NodeTitle(Frozen):
    """A node's title."""

    id: str
    title: str | None
    """Null where the node should not be: what it holds then stands in the node above."""


class Titles(Frozen):
    """A title for each node."""

    titles: list[NodeTitle]


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
        return Titles(titles=[NodeTitle(id=node.id, title=title) for node, title in pairs])


def _node(node: Unnamed) -> str:
    texts = "\n".join(f"- {beginning(text, _TITLED_SHOWN)}" for text in _spread(node.texts))
    taken = f" Taken beside it: {'; '.join(node.siblings)}." if node.siblings else ""
    under = "at the top" if node.top else f"under “{node.parent}”"
    more = f", {node.count} passages" if node.count > _TITLED else ""
    return f"{node.id}, {under}{more}.{taken}\n{data_block('texts', texts)}"


def _spread(texts: list[str]) -> list[str]:
    """Return a few of the texts, from all over them."""
    count = min(len(texts), _TITLED)
    return [texts[place * len(texts) // count] for place in range(count)]
