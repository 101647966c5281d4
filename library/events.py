"""What happens when something is looked for, read, and admitted to a session."""

from dataclasses import replace
from typing import Literal, Self

from pydantic import Field

from library.evidence import Source, Work
from models import Event, Frozen


class ToldOfSource(Frozen):
    """What a text was known by when a session found it: what others say of it later changes nothing there."""

    url: str
    title: str
    author: str | None = None
    published: str | None = None
    private: bool = False
    work: Work | None = None

    @classmethod
    def of(cls, source: Source) -> Self:
        """Return what a source is known by."""
        return cls(
            url=source.url, title=source.title, author=source.author, published=source.published,
            private=source.private, work=source.work,
        )  # fmt: skip

    def told_of(self, source: Source) -> Source:
        """Return the source as it was known; what became of its work is what is known of that now, too."""
        work, now = self.work, source.work
        if now is not None and now.became:
            work = replace(work or Work(), retracted=now.retracted, corrected=now.corrected)
        return replace(
            source, url=self.url, title=self.title, author=self.author, published=self.published,
            private=self.private, work=work,
        )  # fmt: skip


class FoundHit(Frozen):
    """One result as the journal keeps it: where it is, and the span when its text is in the store."""

    url: str
    title: str
    snippet: str = ""
    score: float | None = None
    published: str | None = None
    span: tuple[str, int, int] | None = None
    """(sha256, start, end) of the passage found; None for the web."""
    kind: str = ""
    """`paper`, `news`, `encyclopedia`, `docs` or `code`; empty where nobody said."""
    work: Work | None = None
    """What a catalogue said of it; the snippet is the whole abstract then."""
    told: ToldOfSource | None = None
    """Of a passage's text that the session had not found before; None in journals that did not tell."""


class Searched(Event):
    """A place was searched."""

    kind: Literal["searched"] = "searched"
    speaker: str
    query: str
    where: str
    hits: list[FoundHit]
    error: str | None = None
    """Why nothing could be searched; None when the search worked, also when it found nothing."""
    seconds: float = 0.0
    notes: list[str] = Field(default_factory=list)
    """What went wrong on the way, though something was found: engines that failed."""
    cached: bool = False
    """Whether the answer was kept from an earlier session, and nothing was sent."""


class PageRead(Event):
    """A page was read, or could not be."""

    kind: Literal["page_read"] = "page_read"
    speaker: str
    url: str
    sha256: str | None = None
    """The source; None when it could not be read."""
    title: str = ""
    error: str | None = None
    seconds: float = 0.0
    told: ToldOfSource | None = None
    """What the source was known by; None in journals that did not tell."""


class AdmittedPassage(Frozen):
    """A passage with the id that it has in this session from now on."""

    id: str
    span: tuple[str, int, int]
    """(sha256, start, end)."""
    score: float
    """Relevance to what was asked, 0 to 1."""


class PassagesAdmitted(Event):
    """Passages are about to be shown to a speaker."""

    kind: Literal["passages_admitted"] = "passages_admitted"
    speaker: str
    passages: list[AdmittedPassage]
    """Those that nobody has been shown before."""
    shown: list[str] | None = None
    """Ids of all that are shown, in order, those known before too; None in journals that did not tell."""


class Computed(Event):
    """Figures were computed in the sandbox, or could not be."""

    kind: Literal["computed"] = "computed"
    speaker: str
    code: str
    passages: list[str]
    """Ids of the passages that the numbers come from."""
    sha256: str | None = None
    """The source that the code and its result became; None when there is no result."""
    error: str | None = None
    seconds: float = 0.0


class Reranked(Event):
    """A service judged how well passages answer a query, or could not be asked."""

    kind: Literal["reranked"] = "reranked"
    speaker: str
    key: str
    """Of the query and the passages."""
    scores: list[float] | None = None
    """In the order of the passages, more is better; None when nothing usable came."""
    error: str | None = None
    seconds: float = 0.0
