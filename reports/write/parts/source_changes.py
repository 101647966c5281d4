"""What changed in the sources since they were looked at before: both versions, sentence by sentence."""

from collections.abc import Sequence

from pydantic import Field

from library import Evidence
from models import Frozen
from reports.document import Cell, Report, Section, Table
from reports.report_phrases import ReportPhrases, phrases_for
from reports.visible_text import plain
from reports.write.parts.added_sections import with_addition


class ChangedSentence(Frozen):
    """A sentence of a source in two versions."""

    before: str
    """Empty for one that was not there."""
    after: str
    """Empty for one that is there no more."""
    before_passage: str = ""
    after_passage: str = ""


class ReportedChanges(Frozen):
    """What one look at the sources found."""

    since: str
    """When they were looked at before: ISO 8601, of which the day is told."""
    date: str
    """When this was."""
    looked: int
    searches: int
    sentences: list[ChangedSentence]
    more: int = 0
    """Sentences that changed beyond these."""
    gone: list[str] = Field(default_factory=list)
    """Sources that are not to be had any more, as a reader knows them."""
    unreachable: list[str] = Field(default_factory=list)
    """Sources that could not be had."""


def with_changes(report: Report, changes: ReportedChanges, evidence: Evidence) -> Report:
    """Return a report with what changed told behind its answer.

    Args:
        report: Written from the sources as they are now.
        changes: What changed.
        evidence: All that was admitted, the passages of earlier versions among it.
    """
    return with_addition(report, _section(changes, evidence, phrases_for(report.language)), evidence)


def _section(changes: ReportedChanges, evidence: Evidence, words: ReportPhrases) -> Section:
    day, figures = changes.date[:10], {"looked": changes.looked, "searches": changes.searches}
    ends = [
        words.changed_more.format(more=changes.more) if changes.more else "",
        *(words.source_gone.format(source=plain(source)) for source in changes.gone),
        *(words.source_unreachable.format(source=plain(source)) for source in changes.unreachable),
    ]
    return Section(
        heading=words.changed_since.format(since=changes.since[:10]),
        level=1,
        node=None,
        opening=words.changed_opening.format(date=day, **figures),
        sentences=[],
        closing=" ".join(filter(None, ends)),
        tables=[_table(changes.sentences, evidence, words)] if changes.sentences else [],
        changes=True,
    )


def _table(sentences: Sequence[ChangedSentence], evidence: Evidence, words: ReportPhrases) -> Table:
    rows = []
    for sentence in sentences:
        held = sentence.after_passage or sentence.before_passage
        rows.append(
            [
                Cell(text=plain(evidence.passages[held].title)),
                _cell(sentence.before, sentence.before_passage, words.changed_new),
                _cell(sentence.after, sentence.after_passage, words.changed_gone),
            ]
        )
    return Table(title="", columns=list(words.changed_columns), rows=rows)


def _cell(text: str, passage: str, otherwise: str) -> Cell:
    return Cell(text=f"“{plain(text)}”", citations=[passage]) if text and passage else Cell(text=otherwise)
