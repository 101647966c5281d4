"""What stands before and after a report's sections: how to read it, what remains open, how it was made."""

from collections.abc import Sequence

from library.text import catalogue
from reports.brief import Brief
from reports.document import Back, Front, Report, Summary
from reports.report_phrases import ReportPhrases
from reports.visible_text import capitalised, plain


def front_matter(report: Report, brief: Brief, words: ReportPhrases) -> Front:
    """Return the note that stands above the report, empty when nothing needs saying."""
    sentences = [s for section in report.sections for s in section.sentences]
    notes = []
    if not sentences:
        notes.append(words.empty_note)
    elif not report.answer.found and not report.sections[0].opening:
        notes.append(words.no_answer)
    if sentences and brief.embedded and all(s.support == "quoted" for s in sentences):
        notes.append(words.quotations_note)
    if sentences and brief.works:
        notes.append(words.versions_note.format(works=words.comma.join(map(plain, brief.works))))
    if brief.stopped_early:
        notes.append(words.stopped_note.format(reason=plain(brief.stopped_early)))
    return Front(note=words.between.join(notes))


def back_matter(report: Report, brief: Brief, unsaid: Sequence[str], words: ReportPhrases) -> Back:
    """Return what the sources do not say and how the report was made."""
    return Back(
        open_questions=[capitalised(gap) for gap in map(plain, unsaid)],
        made=_made(report, brief, words),
    )


def _made(report: Report, brief: Brief, words: ReportPhrases) -> list[str]:
    """Return five lines at most: who read how much, what was checked, kinds of sources, the cost, limits."""
    counts, summary = brief.counts, report.summary
    counted = {
        "turns": counts.turns, "searches": counts.searches,
        "passages": counts.passages_read, "sources": counts.sources_read,
    }  # fmt: skip
    say = catalogue(brief.language, "terminal").say
    told = {what: say(what, n=n) for what, n in counted.items()}
    names = words.comma.join(dict.fromkeys(plain(expert.name) for expert in brief.experts))
    work = words.work_asked if counts.asked else words.work
    who = [words.experts.format(names=names)] if names else []
    who.append(work.format(asked=counts.asked, **told))
    if 0 < summary.sources < counts.sources_read:
        who.append(words.cited_of.format(cited=summary.sources))
    lines = [who, _checked(summary, words, embedded=brief.embedded), weight_lines(summary, words)]
    figures = {
        "models": words.comma.join(map(plain, counts.models)),
        "requests": counts.requests,
        "tokens": counts.tokens,
    }
    if brief.embedded:
        lines.append([words.embedded])
    elif counts.cost is not None:
        lines.append([words.requests_cost.format(cost=counts.cost, **figures)])
    else:
        lines.append([words.requests.format(**figures)])
    if brief.limits:
        lines.append([words.limits.format(limits=" ".join(map(plain, brief.limits)))])
    return [words.between.join(line) for line in lines if line]


def weight_lines(summary: Summary, words: ReportPhrases) -> list[str]:
    """Say of what kinds the cited sources are, where more than the user's own, and which are copies."""
    phrases = {
        "paper": words.kind_paper, "official": words.kind_official, "reference": words.kind_reference,
        "news": words.kind_news, "forum": words.kind_forum, "own": words.kind_own,
    }  # fmt: skip
    lines = []
    if summary.kinds.keys() - {"own"}:
        kinds = words.comma.join(phrases[kind].format(n=n) for kind, n in summary.kinds.items() if kind)
        if rest := summary.sources - sum(summary.kinds.values()):
            kinds = words.kinds_untold.format(kinds=kinds, n=rest)
        lines.append(words.kinds_of_sources.format(sources=summary.sources, kinds=kinds))
    if summary.preferred:
        lines.append(words.preferred_count.format(n=summary.preferred, sources=summary.sources))
    if summary.doubted:
        lines.append(words.doubted_count.format(n=summary.doubted))
    if summary.origins < summary.sources:
        lines.append(words.copies.format(sources=summary.sources, origins=summary.origins))
    return lines


def _checked(summary: Summary, words: ReportPhrases, *, embedded: bool) -> list[str]:
    """Say what was found of the sentences; nothing of what there is none of."""
    if not summary.sentences:
        return []
    if summary.quoted == summary.sentences:
        return [words.all_quoted.format(sentences=summary.sentences)]
    counted = (
        (words.checked_quoted, summary.quoted - summary.code),
        (words.checked_code, summary.code),
        (words.checked_supported, summary.supported),
        (words.checked_inferred, summary.inferred),
        (words.checked_partial, summary.partial),
        (words.checked_unsupported, summary.unsupported),
        (words.checked_unchecked, summary.unchecked),
        (words.checked_retracted, summary.retracted),
        (words.checked_uncited, summary.uncited_dropped),
        (words.checked_dropped, summary.unsupported_dropped),
        (words.checked_told, summary.repeated_dropped),
    )
    parts = words.checked_and.join(said.format(n=n) for said, n in counted if n)
    lines = [words.checked.format(sentences=summary.sentences, parts=parts)]
    if summary.resting_told < summary.resting and not embedded:
        lines.append(words.resting.format(told=summary.resting_told, resting=summary.resting))
    return lines
