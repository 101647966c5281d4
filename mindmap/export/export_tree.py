"""The map as plain nested values that every export prints: texts clean, links checked, facts counted."""

import re
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass
from urllib.parse import urlsplit

from library import Evidence, strip_citations
from library.text import STEERING
from mindmap.changes import Mark
from mindmap.provenance import Facts, facts_of
from mindmap.tree import MindMap

_LINKED = ("http", "https")
_UNSAFE = re.compile(r"[\s\x00-\x1f\"<>\\^`{|}]")


@dataclass(frozen=True, slots=True)
class ShownPassage:
    """A passage as shown at a node."""

    id: str
    """In data: `p12`."""
    name: str
    """As a person is shown it everywhere: `9.2`."""
    text: str
    title: str
    """Of its page."""
    url: str
    """Only http(s) addresses; empty for the user's own documents and anything else."""
    published: str


@dataclass(frozen=True, slots=True)
class ShownNote:
    """A note as shown at a node."""

    question: str
    answer: str
    """Without citations."""
    speaker: str


@dataclass(frozen=True, slots=True)
class ExportNode:
    """A node as shown, with all under it."""

    id: str
    title: str
    depth: int
    marks: tuple[Mark, ...]
    notes: tuple[ShownNote, ...]
    passages: tuple[ShownPassage, ...]
    facts: Facts
    children: tuple["ExportNode", ...]
    parent: str | None

    def walk(self) -> list["ExportNode"]:
        """Return this node and all under it, parents before children."""
        nodes = [self]
        for child in self.children:
            nodes += child.walk()
        return nodes


def shown(
    tree: MindMap, evidence: Evidence, node: str | None = None, names: Mapping[str, str] | None = None
) -> ExportNode:
    """Return a node (the root, when none is given) and all under it as shown.

    Args:
        tree: The map.
        evidence: What its nodes hold.
        node: None: the root.
        names: How passages are called; None: as the evidence has it.
    """
    held = tree.node(tree.root if node is None else node)
    answered = tree.answered()
    known = [passage for passage in held.passages if passage in evidence.passages]
    names = evidence.labels() if names is None else names
    return ExportNode(
        id=held.id,
        title=line(held.title),
        depth=tree.depth(held.id),
        marks=held.marks,
        notes=tuple(
            ShownNote(line(note.question), block(strip_citations(note.answer)), line(note.speaker))
            for note in held.notes
            # What a person asked stands with its answer; open is what nobody answered.
            if note.answer or note.question not in answered
        ),
        passages=tuple(_passage(evidence, passage, names) for passage in known),
        facts=facts_of(tree, held.id, evidence.passages),
        children=tuple(shown(tree, evidence, child, names) for child in tree.children(held.id)),
        parent=held.parent,
    )


def _passage(evidence: Evidence, passage_id: str, names: Mapping[str, str]) -> ShownPassage:
    passage = evidence.passages[passage_id]
    return ShownPassage(
        id=passage_id,
        name=names[passage_id],
        text=block(passage.text),
        title=line(passage.title) or line(passage.url),
        url=link(passage.url),
        published=line(passage.published or ""),
    )


def block(text: str) -> str:
    """Return the text without characters that no file format takes; line ends stay."""
    kept = "".join(sign for sign in text if sign in "\n\t" or not _hidden(sign))
    return STEERING.sub("", kept).strip()


def line(text: str) -> str:
    """Return the text on one line, without characters that no file format takes."""
    return " ".join(block(text).split())


def _hidden(sign: str) -> bool:
    """Whether XML forbids the sign, or it stands for nothing: controls, surrogates, noncharacters."""
    code = ord(sign)
    return unicodedata.category(sign) in {"Cc", "Cs"} or code & 0xFFFE == 0xFFFE or 0xFDD0 <= code <= 0xFDEF


def link(url: str) -> str:
    """Return an address that may become a link, else ''."""
    try:
        parts = urlsplit(url)
    except ValueError:
        return ""
    if parts.scheme not in _LINKED or not parts.hostname or _UNSAFE.search(url):
        return ""
    return url
