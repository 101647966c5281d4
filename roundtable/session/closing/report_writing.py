"""The report of a session: written whole, or, for what a person asked after it, where it changes."""

import asyncio
from typing import Any

from reports import (
    Cell,
    ChangedSentence,
    Report,
    ReportedChanges,
    ReportedComparison,
    ReportSettings,
    SectionsDrafted,
    SentencesReviewed,
    StandingReport,
    keeping_numbers,
    read_outline,
    revise_report,
    with_changes,
    with_comparisons,
    without_additions,
    write_report,
)
from roundtable.journal.comparisons import ComparedCell
from roundtable.journal.fold.state import State
from roundtable.journal.fold.state_slices import WRITER
from roundtable.session.closing.report_brief import brief_of, counts_of, given_answers
from roundtable.session.context.journalled_context import ContextFactory
from roundtable.session.texts.work_titles import versioned_works

_MOST = 3
"""A report is brought up to date where at most one answer in so many is new; for more it is planned anew."""


async def written_report(contexts: ContextFactory, settings: ReportSettings, outline: str | None) -> Report:
    """Return the report on a session as it stands; what is learned on the way is journalled.

    Args:
        contexts: The session.
        settings: How it is written.
        outline: Headings with what each is written from; None: planned, or as the report before had it.

    Raises:
        OutlineUnreadable: the outline cannot be followed.
        ModelUnavailable: the writer's model cannot be had.
    """
    record = contexts.record
    state, writing = record.state, record.state.writing
    brief, tree, evidence = brief_of(state), state.map.copy(), state.reported()
    works = await asyncio.to_thread(versioned_works, brief.resting, evidence, contexts.library)
    brief = brief.model_copy(update={"works": works})
    whom = contexts.of(WRITER), contexts.library.statistics
    around: dict[str, Any] = {
        "settings": settings,
        "on_section": lambda section: record.add(*writing.news(section)),
        "reviews": writing.reviews,
        "on_reviews": lambda new: record.add(SentencesReviewed(reviews=new)),
        "counted": lambda: counts_of(state),
    }
    standing = standing_report(state, settings) if outline is None and not brief.embedded else None
    if standing is not None:
        report = await revise_report(standing, brief, tree, evidence, *whom, **around)
        return _numbered_on(with_additions(report, state), state)
    plans = None if outline is None else read_outline(outline, tree, evidence, contexts.library.statistics)
    if plans is not None:
        # What was asked and is no heading of this outline was left out of it.
        wanted = {plan.heading for top in plans for plan in top.flat()}
        asked = [each for each in brief.asked if (each.about or each.question) in wanted]
        brief = brief.model_copy(update={"asked": asked})
    report = await write_report(
        brief, tree, evidence, *whom, **around, plans=plans,
        drafts=dict(writing.drafts), on_drafts=lambda new: record.add(SectionsDrafted(drafts=new)),
    )  # fmt: skip
    return _numbered_on(with_additions(report, state), state)


def _numbered_on(report: Report, state: State) -> Report:
    """Return a report with the numbers that the one before gave its sources: readers know them."""
    if state.report is None:
        return report
    source_of = {i: p.sha256 for i, p in state.evidence.passages.items()}
    address_of = {sha: source.url for sha, source in state.evidence.sources.items()}
    return keeping_numbers(report, state.report, source_of, address_of)


def with_additions(report: Report, state: State) -> Report:
    """Return a report with what a person had compared, and what changed in the sources at the last look."""
    report = with_comparisons(report, compared_tables(state), state.evidence)
    last = state.updates.last
    if last is None:
        return report
    sentences = [
        ChangedSentence(
            before=change.before,
            after=change.after,
            before_passage=change.passages[0] if change.before else "",
            after_passage=change.passages[-1] if change.after else "",
        )
        for change in last.changes
    ]
    lost = {
        fate: [source.title or source.url for source in last.sources if source.fate == fate]
        for fate in ("gone", "unreachable")
    }
    changes = ReportedChanges(
        since=last.since, date=state.updates.found_at, looked=last.looked, searches=last.searches,
        sentences=sentences, more=last.more, **lost,
    )  # fmt: skip
    return with_changes(report, changes, state.evidence)


def compared_tables(state: State) -> list[ReportedComparison]:
    """Return what was compared at the table, without what rests on sources that are used no longer."""
    usable = state.usable().passages

    def told(cell: ComparedCell) -> Cell:
        return Cell(text=cell.text, citations=[cell.passage]) if cell.passage in usable else Cell(text="")

    tables = [
        ReportedComparison(
            questions=event.questions,
            rows=[
                (thing, list(map(told, cells))) for thing, cells in zip(event.things, event.rows, strict=True)
            ],
        )
        for event in state.compared
    ]
    return [table for table in tables if any(cell.text for _, cells in table.rows for cell in cells)]


def standing_report(state: State, settings: ReportSettings) -> StandingReport | None:
    """Return the report that what was answered since can go into; None where it has to be written whole.

    That is so where there is none, where it was asked for otherwise, where the map was edited by hand or a
    person gave other directions since, where somebody took a claim back, and where nothing or much was
    answered since.
    """
    writing = state.writing
    if state.report is None or writing.settings != settings or writing.edits != state.controls.edits:
        return None
    told, new = state.answers()[: writing.answers], state.answers()[writing.answers :]
    if not 0 < len(new) <= max(1, writing.answers // _MOST) or writing.directions != list(state.directions):
        return None
    if any(turn.replies_to is not None and turn.replies_to.act == "concede" for turn in new):
        return None
    since = {turn.n for turn in new}
    if any(not since.isdisjoint(turn.withdrawn.values()) for turn in told):
        return None
    return StandingReport(without_additions(state.report), len(given_answers(state, told)))
