"""What a report will ask of its passages, worked out while something else is waited for."""

from collections.abc import Mapping

from library.claims import name_lexicon
from models import Statistics
from reports.extract.quotations import quotes
from reports.tables.found_series import look_ahead

_MOST = 200
"""Passages: of more, what is remembered would push itself out."""


def prepare(texts: Mapping[str, str], statistics: Statistics) -> None:
    """Weigh the sentences, and read the names and figures, of the passages by their ids; decides nothing.

    All of it is a function of the texts and is remembered where it is worked out: the report that follows
    is the same without it, only later.
    """
    name_lexicon(texts.values())
    if len(texts) > _MOST:
        return
    found = quotes(texts.items(), statistics)
    statistics.relevance("", [quote.text for quote in found])
    for text in texts.values():
        look_ahead(text, statistics)
