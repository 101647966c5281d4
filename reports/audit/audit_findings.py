"""What an audit found: of each reference and of each claim, with the passage and with who judged."""

from typing import Literal, get_args

from pydantic import Field

from library import Became
from models import Frozen

ReferenceVerdict = Literal["found", "differs", "not_found", "unchecked"]
"""`differs`: there is such a work, and the text says something else of it. `unchecked`: nobody could tell."""
ClaimVerdict = Literal[
    "supported", "partial", "elsewhere", "contradicted", "near", "not_found", "unread", "uncited"
]
"""What became of a claim.

`supported`: a source that is cited for it says so. `partial`: it says the main thing, and not all (only a
model tells that). `elsewhere`: no cited source says so, another that was found does. `contradicted`: a source
says otherwise. `near`: what is cited has something near it, which rules alone neither confirm nor deny: it is
to be read. `not_found`: what is cited was read, and neither it nor anything else that was found says so.
`unread`: what is cited could not be read, and nothing else says so. `uncited`: nothing is cited, and nothing
was found.
"""
Difference = Literal["doi", "title", "year", "authors"]
WORDS = "words"
"""Who judged, where no model did: figures, names, denials and shared words alone."""


class FoundWork(Frozen):
    """What a catalogue or a document says of the work that a reference names."""

    title: str
    url: str = ""
    authors: tuple[str, ...] = ()
    years: tuple[int, ...] = ()
    """In which it was published; several where it came out first online, then in print."""
    doi: str = ""
    told_by: str = ""
    """`crossref`, `openalex`, `doi.org`, a collection's name, or `page` for its own."""


class ReferenceFinding(Frozen):
    """What was found of one reference."""

    key: str
    """As the text cites it: `3`, `Merrow 2021`; of a link its address."""
    text: str
    """As it stands in the text."""
    start: int = 0
    """Where it stands in the text that was read, in characters."""
    end: int = 0
    verdict: ReferenceVerdict
    differs: tuple[Difference, ...] = ()
    reasons: tuple[str, ...] = ()
    """What differs or went wrong, each in a line."""
    became: Became = ""
    work: FoundWork | None = None
    asked: tuple[str, ...] = ()
    """Who was asked."""
    source: str = ""
    """The sha256 of its text, where that could be read."""
    cited: int = 0
    """Claims that cite it."""

    @property
    def faulty(self) -> bool:
        """Whether something is wrong with it, as far as was seen."""
        return self.verdict in ("differs", "not_found") or self.became == "retracted"


class FoundPassage(Frozen):
    """The passage that says what is claimed, or something else."""

    text: str
    title: str
    url: str
    quote: str = ""
    """Of its text the sentences that tell; empty: all of it does."""
    heading: str = ""
    """What the quoted words stand under; empty where nothing does."""
    reference: str = ""
    """The key of the reference that it stands in; empty for what is not cited there."""
    page: int | None = None
    start: int = 0
    end: int = 0
    sha256: str = ""


class ClaimFinding(Frozen):
    """What was found of one claim."""

    n: int
    """From 1, in the order of the text."""
    text: str
    start: int = 0
    end: int = 0
    section: str = ""
    references: tuple[str, ...] = ()
    """Keys of the references that are cited for it."""
    verdict: ClaimVerdict
    reason: str = ""
    """What is missing or otherwise, in a line."""
    passage: FoundPassage | None = None
    """What says so, or otherwise; of what was not found the nearest that is cited; None where nothing is."""
    against: FoundPassage | None = None
    """What another source says of the same that differs, whatever the verdict; None where none was found."""
    judged_by: str = ""
    """`words` or a model's name; empty where there was nothing to judge by."""
    read: bool = False
    """Whether all that is cited for it was read, and not its abstract alone."""
    rests_on: Became = ""
    """What became of what is cited for it: a retraction counts first."""

    @property
    def faulty(self) -> bool:
        """Whether what is cited for it does not say so, or something says otherwise."""
        return self.verdict in ("contradicted", "not_found", "partial") or (
            self.verdict == "elsewhere" and bool(self.references) and self.read
        )

    @property
    def to_read(self) -> bool:
        """Whether somebody has to look at it: it is faulty, or could be neither confirmed nor denied.

        What is cited and could not be read (`unread`) is told with its reference.
        """
        return self.faulty or self.verdict in ("near", "uncited")


class Audit(Frozen):
    """All that was found of one text."""

    title: str
    file: str
    sha256: str
    """Of the text that was read."""
    language: str
    checked_at: str
    """ISO 8601, UTC."""
    model: str
    searched: tuple[str, ...] = ()
    """Collections, catalogues and places that were asked."""
    outside: bool = True
    """Whether catalogues and pages could be asked; an audit offline looks in its documents alone."""
    references: tuple[ReferenceFinding, ...] = ()
    claims: tuple[ClaimFinding, ...] = ()
    dangling: tuple[str, ...] = ()
    """Citations in the text of references that it does not list."""
    notices: tuple[str, ...] = Field(default=())
    """What went wrong on the way, each in a line."""

    @property
    def faulty(self) -> int:
        """How many references, claims and citations have something wrong with them."""
        faulty = [one.faulty for one in self.references] + [one.faulty for one in self.claims]
        return sum(faulty) + len(self.dangling)

    @property
    def sound(self) -> bool:
        """Whether nothing faulty was found."""
        return not self.faulty

    @property
    def claims_to_read(self) -> tuple[ClaimFinding, ...]:
        """The claims that somebody has to look at, those with something wrong first, then what is near."""
        found = (one for one in self.claims if one.to_read)
        return tuple(sorted(found, key=lambda one: (not one.faulty, one.verdict == "uncited")))

    @property
    def to_read(self) -> int:
        """How many references, claims and citations somebody has to look at."""
        return sum(one.faulty for one in self.references) + len(self.claims_to_read) + len(self.dangling)

    def counts(self) -> dict[str, dict[str, int]]:
        """Return how many references and claims have each verdict, and how many references were retracted."""
        references: dict[str, int] = dict.fromkeys(get_args(ReferenceVerdict), 0)
        claims: dict[str, int] = dict.fromkeys(get_args(ClaimVerdict), 0)
        for reference in self.references:
            references[reference.verdict] += 1
        for claim in self.claims:
            claims[claim.verdict] += 1
        references["retracted"] = sum(one.became == "retracted" for one in self.references)
        return {"references": references, "claims": claims}
