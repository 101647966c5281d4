"""What is read: evidence and its citations, the store, search, fetching and reading, statistics of text.

Names are loaded when they are first used, since trafilatura, numpy and the web clients take their time.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from library.errors import FetchError, LibraryError, ReadError, SearchError, StoreError
    from library.evidence import (
        Evidence,
        Passage,
        Source,
        citations,
        cite,
        keep_citations,
        renumber,
        rewrite_citations,
        strip_citations,
        unmarked,
        without_citations,
    )
    from library.library import Library, open_library
    from library.passages.passage_selection import Scored, select
    from library.passages.quotes import choose_quotes, quote
    from library.passages.relevance_feedback import OnTopic, TopicProfile
    from library.search.interface import Collection, Hit
    from library.settings import LibrarySettings
    from library.store.store import Store
    from library.store.sync import SyncReport, Unread, check_name, sync
    from library.text.language import detect
    from library.text.tfidf import TextStatistics

_HOME = {
    **dict.fromkeys(("SyncReport", "Unread", "check_name", "sync"), "documents"),
    **dict.fromkeys(("FetchError", "LibraryError", "ReadError", "SearchError", "StoreError"), "errors"),
    **dict.fromkeys(("Evidence", "Passage", "Source", "citations", "cite", "keep_citations"), "evidence"),
    **dict.fromkeys(("renumber", "rewrite_citations", "strip_citations", "unmarked"), "evidence"),
    "without_citations": "evidence",
    "detect": "language",
    **dict.fromkeys(("Library", "open_library"), "library"),
    **dict.fromkeys(("choose_quotes", "quote"), "quoting"),
    **dict.fromkeys(("Collection", "Hit"), "search"),
    **dict.fromkeys(("Scored", "select"), "selection"),
    **dict.fromkeys(("OnTopic", "TopicProfile"), "profile"),
    "LibrarySettings": "settings",
    "TextStatistics": "statistics",
    "Store": "store",
}

__all__ = [
    "Collection",
    "Evidence",
    "FetchError",
    "Hit",
    "Library",
    "LibraryError",
    "LibrarySettings",
    "OnTopic",
    "Passage",
    "ReadError",
    "Scored",
    "SearchError",
    "Source",
    "Store",
    "StoreError",
    "SyncReport",
    "TextStatistics",
    "TopicProfile",
    "Unread",
    "check_name",
    "choose_quotes",
    "citations",
    "cite",
    "detect",
    "keep_citations",
    "open_library",
    "quote",
    "renumber",
    "rewrite_citations",
    "select",
    "strip_citations",
    "sync",
    "unmarked",
    "without_citations",
]


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module 'library' has no attribute {name!r}")

    return getattr(import_module(f"library.{_HOME[name]}"), name)
