"""Parts of a session's state that belong together: what was done, the turns under way, the report's work."""

from dataclasses import dataclass, field
from typing import Any

from agents import Action, SpeakerCalled
from library import Computed, PageRead, PassagesAdmitted, Reranked, Searched
from library.text import one_line
from mindmap import PassagesEmbedded
from models import Event, ModelReplied
from reports import (
    ReportSettings,
    Review,
    Section,
    SectionsDrafted,
    SectionText,
    SectionWritten,
    SentencesReviewed,
)
from roundtable.journal.events import Recorded

WRITER = "writer"
"""Who writes reports and searches for their gaps: a speaker without turns."""


def search_key(query: str, where: str) -> tuple[str, str]:
    """Return what makes two searches the same."""
    return (one_line(query), where)


@dataclass(slots=True)
class WorkDone:
    """What was asked, searched, read and computed: it is had again for nothing."""

    replies: dict[str, dict[str, Any]] = field(default_factory=dict)
    """Outputs by role, task and inputs: the same task is not asked again."""
    searches: dict[tuple[str, str], Searched] = field(default_factory=dict)
    pages: dict[str, PageRead] = field(default_factory=dict)
    computed: dict[str, Computed] = field(default_factory=dict)
    """Computations by their action's key."""
    reranked: dict[str, Reranked] = field(default_factory=dict)
    embedded: set[str] = field(default_factory=set)
    """Passages that a service was asked to turn into vectors."""
    vectors: dict[str, str] = field(default_factory=dict)
    """Dense vectors of passages, packed."""
    unrelated: dict[tuple[str, str], int] = field(default_factory=dict)
    """Number of the event with which a place (name, question) was found unrelated to a question."""
    done_at: dict[tuple[str, str], int] = field(default_factory=dict)
    """Number of the event of each search (query, place), reading ('', url) and computation ('', key)."""

    def fold(self, event: Event, number: int) -> None:
        """Take in one event; others than those about work done are passed over."""
        match event:
            case ModelReplied():
                self.replies[event.key] = event.output
            case Searched():
                key = search_key(event.query, event.where)
                self.searches[key], self.done_at[key] = event, number
            case PageRead():
                self.pages[event.url], self.done_at["", event.url] = event, number
            case Computed():
                name = Action(kind="compute", code=event.code, passages=tuple(event.passages)).key
                self.computed[name], self.done_at["", name] = event, number
            case Reranked():
                self.reranked[event.key] = event
            case PassagesEmbedded():
                self.embedded.update(event.passages)
                self.vectors |= {i: v for i, v in zip(event.passages, event.vectors, strict=False) if v}
            case _:
                pass

    def searches_before(self, number: int) -> dict[tuple[str, str], Searched]:
        """Return the searches that were done before an event, in order."""
        return {key: search for key, search in self.searches.items() if self.done_at[key] < number}

    def pages_before(self, number: int) -> dict[str, PageRead]:
        """Return the pages that were read before an event, by url, in order."""
        return {url: page for url, page in self.pages.items() if self.done_at["", url] < number}


@dataclass(slots=True)
class TurnsUnderWay:
    """Who was called, and what came up in turns that are not over."""

    called: dict[tuple[int, str], str] = field(default_factory=dict)
    """When a speaker was called for a turn."""
    called_for: dict[tuple[int, str], str | None] = field(default_factory=dict)
    """The question that a speaker was called for."""
    called_at: dict[str, int] = field(default_factory=dict)
    """Number of the event with which each speaker was called last."""
    newly_admitted: dict[str, list[str]] = field(default_factory=dict)
    """Passages that each speaker has admitted in the turn under way."""
    side_events: dict[str, list[Event]] = field(default_factory=dict)
    """What each speaker has told beside its work in the turn under way: citations that were dropped, …"""
    shown_to: dict[str, list[list[str] | None]] = field(default_factory=dict)
    """What each speaker was shown in the turn under way, one list for each time; None: not told."""
    shown_at: dict[str, list[int]] = field(default_factory=dict)
    """Numbers of the events that told so."""
    unplaced: list[str] = field(default_factory=list)
    """Passages that came with no turn and wait for a place: the background, and what failed turns brought."""

    def call(self, event: SpeakerCalled, recorded: Recorded) -> None:
        """Take in that a turn begins."""
        self.called.setdefault((event.turn, event.speaker), recorded.at)
        self.called_for.setdefault((event.turn, event.speaker), event.question)
        self.called_at[event.speaker] = recorded.n
        self.shown_to.pop(event.speaker, None)
        self.shown_at.pop(event.speaker, None)
        self.side_events.pop(event.speaker, None)

    def admit(self, event: PassagesAdmitted, number: int) -> None:
        """Take in what a speaker was shown and brought."""
        self.shown_to.setdefault(event.speaker, []).append(event.shown)
        self.shown_at.setdefault(event.speaker, []).append(number)
        self.newly_admitted.setdefault(event.speaker, []).extend(each.id for each in event.passages)

    def tell(self, event: Event) -> None:
        """Take in something told beside the work, where a speaker told it."""
        if speaker := getattr(event, "speaker", ""):
            self.side_events.setdefault(speaker, []).append(event)

    def forget(self, speaker: str) -> None:
        """Let what a speaker brought wait for a place; what it was at is over, and what it was shown gone."""
        self.leave_unplaced(speaker)
        self.shown_to.pop(speaker, None)

    def leave_unplaced(self, speaker: str) -> None:
        """Let what a speaker brought wait for a place: no turn came of it."""
        self.unplaced += self.newly_admitted.pop(speaker, [])


@dataclass(slots=True)
class ReportWork:
    """Work on reports: what is being written, and what is used again in the next one."""

    written: bool = False
    """Whether the report was written since the table closed."""
    answers: int = 0
    """How many of the discussion's answers the report was written from."""
    edits: int = 0
    """Edits of the map by hand when it was written."""
    directions: list[str] = field(default_factory=list)
    """What a person wanted kept to when it was written."""
    settings: ReportSettings | None = None
    """How it was asked for; None where nobody kept that."""
    sections: list[Section] = field(default_factory=list)
    """Sections of the report that is being written, as far as they were shown; empty between reports."""
    drafts: dict[str, SectionText] = field(default_factory=dict)
    """Sections of reports as they were written, by what they were written from."""
    reviews: dict[str, Review] = field(default_factory=dict)
    """What was said of reports' sentences, by their words and citations."""

    def fold(self, event: SectionsDrafted | SentencesReviewed | SectionWritten) -> None:
        """Take in one event."""
        match event:
            case SectionsDrafted():
                self.drafts |= event.drafts
            case SentencesReviewed():
                self.reviews |= event.reviews
            case SectionWritten():
                self.sections.append(event.section)

    def news(self, section: Section) -> list[Event]:
        """Return what tells of a section, unless it was told before a crash."""
        return [] if section in self.sections else [SectionWritten(section=section)]
