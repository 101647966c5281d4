"""What a session says by itself, apart from experts, moderator and report, by language."""

from dataclasses import dataclass

from library.text import phrases_in


@dataclass(frozen=True, slots=True)
class SessionPhrases:
    """One language's words. Names in braces are filled with `str.format`."""

    moderator: str
    person: str
    """How a person is called among the speakers."""
    set_aside: str
    please_read: str
    please_compare: str
    usual_respects: str
    """In which respects things are compared where nothing tells, with a comma and a blank between."""
    cell_told: str
    cells_empty: str
    anything_more: str
    """Asked of a node of the map when nothing else is said of it."""
    outlined: str
    """The question that a point of an outline stands for."""
    outlined_below: str
    """The same for a point below another."""
    what_changed: str
    """Asked when sources changed, or new ones were found."""
    listed: str
    """Stands between the items of a list."""
    values_differ: str
    """Said behind what two sources give different values for."""
    unsearched: str
    """A limit of the report: a place that could not be searched."""
    undated: str
    """Another: a question that nothing of a known date, or nothing new, answers."""
    ordering: str
    """Another: sources that try to give orders to language models."""
    perhaps_ordering: str
    """Another: sources with words that may be such an order, or said to their reader."""
    unread: str
    """Another: pages that could not be read."""
    seated: str
    """Heads the transcript's list of speakers."""
    asks: str
    steers: str
    notes: str
    person_asks: str
    person_steers: str
    sources: str
    silence: str
    """Stands where nobody said anything."""
    unanswered: str
    turn: str
    support: str
    add: str
    dispute: str
    concede: str
    forked: str
    """How a session is called that goes another way after a turn of one."""
    withdrawn: str
    """Stands under a turn, before a conclusion of it that stands no longer."""


def session_phrases(language: str) -> SessionPhrases:
    """Return the words for a language code; English for languages that have none of their own."""
    return phrases_in(language, SessionPhrases, "session")
