"""The report as data: what `report.json` holds and every export prints."""

from typing import Literal

from pydantic import Field

from library import Became
from library.claims import SourceKind
from library.passages import Form
from models import Event, Frozen
from reports.settings import ReportSettings

Support = Literal["quoted", "supported", "inferred", "partial", "unsupported", "unchecked"]
"""`inferred`: marked as a conclusion, and its premises stand in the passages cited. `quoted`: its quoted
words stand in a cited passage. `supported`, `partial`, `unsupported`: what a judge or the checks of
numbers, dates and names say. `unchecked`: nobody could tell; word overlap is not proof."""


class Resting(Frozen):
    """On how much a claim rests: copies of one text count once."""

    sources: int = 0
    origins: int = 0
    """Different texts among the sources: a wire report printed by three is one."""
    kinds: dict[SourceKind, int] = Field(default_factory=dict)
    """Sources by kind; those of which nothing tells the kind are left out."""
    doubted: bool = False
    """Whether a person doubts all of them."""


class Sentence(Frozen):
    """One claim with the passages it rests on."""

    text: str
    """Without its citations; quoted words in “…”."""
    citations: list[str]
    support: Support = "unchecked"
    reason: str | None = None
    """What the checker found, when it is not simply supported."""
    paragraph: bool = False
    """Opens a paragraph; the first sentence of a section does so anyway."""
    form: Form = "prose"
    """As what a quotation stands in its source. Code is its text as it is: with its lines, without marks."""
    step: int = 0
    """The number of a step: the writer's, of a quotation its source's; 0 where nobody numbered it."""
    level: int = 0
    """How far in an item of a list stands, from 0."""
    block: int = 0
    """Quotations of one number stand together, as they follow each other in their source; 0: nobody knows."""
    gap: bool = False
    """Whether the source has more between the quotation before it in its block, and it."""
    goes_on: bool = False
    """Whether the list, or the item, goes on in the source, and is not told to its end."""
    under: str = ""
    """The heading of its source that a quotation stands under; empty where none is known."""
    heads: tuple[str, ...] = ()
    """Of a row of a table the names of its columns; () where none are known, and for all else."""
    became: Became = ""
    """What became of a work that it rests on: `retracted`, `corrected`; empty for nothing that is known."""
    rests: Resting = Resting()
    """On how many sources it rests, of how many origins and of what kinds."""


class Cell(Frozen):
    """One cell of a table."""

    text: str
    citations: list[str] = Field(default_factory=list)


class Table(Frozen):
    """Figures side by side."""

    title: str
    columns: list[str]
    rows: list[list[Cell]]


class Chart(Frozen):
    """A declared Vega-Lite chart; each datum names its passage."""

    title: str
    spec: dict[str, object]
    citations: list[str]


class Quotation(Frozen):
    """A quotation as it is chosen where there is no language model."""

    words: str
    """As the source has them, in one line; code with its lines."""
    citations: list[str]
    form: Form = "prose"
    opens: bool = False
    """Opens a paragraph."""
    heads: tuple[str, ...] = ()
    """Of a row of a table the names of its columns."""


class Answer(Frozen):
    """Whether the sources answer what was asked."""

    found: bool = True
    sentences: int = 0
    """Of the first section, which tells it."""


class Section(Frozen):
    """A part of the report: its sentences are claims only."""

    heading: str
    level: int
    """1 for a top section, 2 for one below it, …"""
    node: str | None
    """The map's node it was written from; None for the lead and for sections that no node stands behind."""
    opening: str = ""
    """Connecting words of the section's own, without any claim."""
    sentences: list[Sentence]
    closing: str = ""
    """What stands below its sentences and is no claim: which parts of the question the sources leave open."""
    tables: list[Table] = Field(default_factory=list)
    charts: list[Chart] = Field(default_factory=list)
    changes: bool = False
    """Whether it tells what changed in the sources since they were looked at before."""
    compared: bool = False
    """Whether it sets things side by side that a person wanted compared."""


class Front(Frozen):
    """What stands before the first section."""

    note: str = ""
    """How to read the report, when that needs saying (a collection of quotations, a run stopped early)."""


class Back(Frozen):
    """What stands after the last section."""

    open_questions: list[str] = Field(default_factory=list)
    made: list[str] = Field(default_factory=list)
    """"How this was made", a paragraph or list item each."""


class LeftOut(Frozen):
    """A passage that the discussion's answers or facts rest on, and that the report does not tell."""

    passage: str
    reason: str
    """For a reader, in the report's language."""


class Summary(Frozen):
    """The checker's figures, each over the report's sentences."""

    sentences: int = 0
    cited: int = 0
    quoted: int = 0
    code: int = 0
    """Of those quoted: code."""
    quoting: int = 0
    """Sentences beside those that quote words, all of them found in the archived text."""
    supported: int = 0
    inferred: int = 0
    partial: int = 0
    unsupported: int = 0
    unchecked: int = 0
    retracted: int = 0
    """Sentences that rest on a retracted source."""
    doubted: int = 0
    """Sentences that rest on sources alone that the session's person doubts."""
    preferred: int = 0
    """Cited sources that they prefer."""
    dangling: int = 0
    """Citations of passages that the session does not hold; always 0 in a report of ours."""
    sources: int = 0
    hosts: int = 0
    """Different hosts of the cited sources; a document without a web address counts as one."""
    origins: int = 0
    """Different texts among the cited sources: copies of one count once."""
    kinds: dict[SourceKind, int] = Field(default_factory=dict)
    """Cited sources by kind; those of which nothing tells the kind are left out."""
    single_origin: float = 0.0
    """Share of cited sentences that rest on one text, however often it was printed, 0 to 1."""
    undated: float = 0.0
    """Share of cited sources without a date, 0 to 1."""
    single_source: float = 0.0
    """Share of cited sentences that rest on one source, 0 to 1."""
    accuracy: float = 0.0
    """Citation accuracy: share of quoted and supported among the cited that could be checked, 0 to 1."""
    effective: int = 0
    """Effective citations: citations of sentences that are quoted or supported."""
    uncited_dropped: int = 0
    """Sentences that the writer gave no citation and that were left out."""
    unsupported_dropped: int = 0
    """Sentences that the checker found unsupported, that could not be repaired, and that were left out."""
    repeated_dropped: int = 0
    """Sentences that were left out because others say the same: of the sections what the opening says, and
    what was given up when others told all that it cited."""
    resting: int = 0
    """Passages that the discussion's answers and facts rest on."""
    resting_told: int = 0
    """Those of them that the report tells; the others are its `left_out`."""


class Report(Frozen):
    """The whole report."""

    title: str
    topic: str
    language: str = "en"
    citation_style: Literal["numeric", "author-year"] = "numeric"
    """How exports print citations."""
    listed: bool = False
    """Whether its sentences are points of a list (the style `outline`)."""
    front: Front = Front()
    answer: Answer = Answer()
    sections: list[Section]
    back: Back = Back()
    summary: Summary = Summary()
    left_out: list[LeftOut] = Field(default_factory=list)
    """What answers and facts rest on and no sentence cites, each with the reason."""
    numbered: list[str] = Field(default_factory=list)
    """Sources (sha256) whose numbers a report before it gave, in their order; new ones follow. Empty: all are
    numbered as they are first cited."""
    outline: str = ""
    """The sections as they were planned (`reports.plan.outline_file`), to be edited; empty: as the map is."""


class SectionWritten(Event):
    """A section of the report is there (shown as it is written; the final report is in ReportWritten)."""

    kind: Literal["section_written"] = "section_written"
    section: Section


class ReportWritten(Event):
    """The report is there."""

    kind: Literal["report_written"] = "report_written"
    report: Report
    settings: ReportSettings | None = None
    """How it was asked for; None where nobody kept that."""
