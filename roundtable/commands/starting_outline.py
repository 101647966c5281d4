"""A session that begins with an outline: it stands in the map as the person's, and is asked about first."""

from collections.abc import Iterator

from mindmap import MapEdited, MapStarted, MindMap, Outline, outline_changes
from models import Event
from moderator import Agenda, raise_all
from roundtable.journal.session_phrases import session_phrases

PERSON = "person"
MOST = 40
"""Questions at the start, upper levels first; what lies deeper is in the map, for the table to fill."""


def begun_with(outline: Outline, topic: str, language: str) -> list[Event]:
    """Return the events that put an outline into the map and onto the agenda."""
    started = MapStarted(title=topic)
    tree = MindMap.started(started)
    questions = [
        (_question(title, above, language), f"{above} {title}".strip(), PERSON, None)
        for title, above in list(_by_level(outline))[:MOST]
    ]
    begun = MapEdited(changes=outline_changes(tree, outline), did="outline")
    return [started, begun, *raise_all(Agenda(), questions)]


def _by_level(outline: Outline) -> Iterator[tuple[str, str]]:
    """Yield the nodes below the title with what stands right above them, upper levels first."""
    level = [(child, "") for child in outline.children]
    while level:
        yield from ((node.title, above) for node, above in level)
        level = [(child, node.title) for node, _ in level for child in node.children]


def _question(title: str, above: str, language: str) -> str:
    """Return the question that a node stands for; a node that is a question says it itself."""
    if title.endswith(("?", "？")):
        return title
    words = session_phrases(language)
    return (words.outlined_below if above else words.outlined).format(title=title, above=above)
