"""What became of a session's sources since they were read: the event that tells it, and its fold."""

from dataclasses import dataclass, field
from typing import Literal

from pydantic import Field

from library import cite, rewrite_citations, without_claims
from library.text import sentences
from models import Event, Frozen

UPDATE = "update"
"""Under this name sources are looked up again, and asked about what is new in them."""


class LookedUp(Frozen):
    """One source as it was found when it was looked up again."""

    url: str
    title: str
    fate: Literal["changed", "new", "gone", "unreachable"]
    """`changed`: something that the session rests on, or that belongs to its topic, is otherwise. `new`: it
    was not there, or not found, before. `gone`: there is no such page or file any more. `unreachable`: it
    could not be had, which says nothing about it."""
    reason: str = ""
    """Why it could not be had."""


class SentenceChange(Frozen):
    """A sentence of a source in two versions."""

    before: str
    """As it was; empty for one that is new."""
    after: str
    """As it is; empty for one that stands there no more."""
    passages: list[str]
    """Ids of those that hold it: of the version before, then of the one after, as far as it has both."""


class SourcesUpdated(Event):
    """A session's sources were looked up again, and what was searched was searched again."""

    kind: Literal["sources_updated"] = "sources_updated"
    since: str
    """When they were looked at last; ISO 8601, UTC."""
    looked: int
    """Sources that were looked up."""
    searches: int = 0
    """Searches that were made again."""
    sources: list[LookedUp] = Field(default_factory=list)
    """Those that are not as they were."""
    changes: list[SentenceChange] = Field(default_factory=list)
    more: int = 0
    """Sentences that changed beyond those in `changes`."""
    replaced: dict[str, str] = Field(default_factory=dict)
    """Passages that stand in their source no more, each with the one in its place; '' for none."""
    gone: list[str] = Field(default_factory=list)
    """Claims of earlier turns that rested on what changed."""

    @property
    def news(self) -> bool:
        """Whether there is anything that the report does not know."""
        return bool(self.changes or self.replaced)


@dataclass(slots=True)
class Updates:
    """What is known of changes, as far as it stands."""

    last: SourcesUpdated | None = None
    """The last look that found something."""
    at: str = ""
    """When was looked last, found or not; empty for never."""
    found_at: str = ""
    """When something was found last."""
    replaced: dict[str, str] = field(default_factory=dict)
    gone: list[str] = field(default_factory=list)
    lost: set[str] = field(default_factory=set)
    """Urls that are told already as there no more."""

    def fold(self, event: SourcesUpdated, at: str) -> None:
        """Take in one look."""
        self.at = at
        if event.news:
            self.last, self.found_at = event, at
            # A page that changed back has its first passages again: what had replaced them does not stand.
            for passage in event.replaced.values():
                self.replaced.pop(passage, None)
            self.replaced |= event.replaced
            self.gone += event.gone
            self.lost |= {source.url for source in event.sources if source.fate == "gone"}

    def current(self, text: str) -> str:
        """Return what somebody said as it stands today: what rested on changed sentences is left out.

        What else cites a passage that was replaced cites the one in its place.
        """
        if not self.replaced:
            return text
        text = without_claims(text, self.gone, sentences)
        return rewrite_citations(text, lambda ids: cite(filter(None, map(self._standing, ids))))

    def _standing(self, passage: str) -> str:
        """Return the passage that stands today in the place of one; '' for none."""
        seen = {passage}
        while (after := self.replaced.get(passage)) is not None and after not in seen:
            seen.add(after)
            passage = after
        return passage
