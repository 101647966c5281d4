"""The moderator proposes a table where the topic asks for one: `A or B?`, filled when a person wants it."""

from collections.abc import Sequence

from library import Passage, TextStatistics
from library.text import titled_text
from reports import NamedThings, asked_respects, things_to_compare
from roundtable.journal.comparisons import ComparisonProposed
from roundtable.journal.session_phrases import session_phrases


def proposed_comparison(
    topic: str, background: Sequence[Passage], statistics: TextStatistics, language: str
) -> ComparisonProposed | None:
    """Return the table that a topic asks for, None where it asks for none.

    Nothing is proposed on things that what was found for the topic does not name. The respects are those that
    the topic says, else the usual ones of its language.
    """
    things = things_to_compare(topic)
    if not things:
        return None
    named = NamedThings(things, statistics)
    texts = [titled_text(passage) for passage in background]
    if not all(any(named.names(thing, text) for text in texts) for thing in things):
        return None
    respects = asked_respects(topic) or session_phrases(language).usual_respects.split(", ")
    return ComparisonProposed(things=things, questions=respects)
