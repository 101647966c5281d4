"""What stands before and after a report's sections: how to read it, what remains open, how it was made."""

from collections.abc import Sequence

from library.text import catalogue
from reports.brief import Brief
from reports.document import Back, Front, Report, Summary
from reports.report_phrases import ReportPhrases
from reports.visible_text import plain


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
    return Front(note=" ".join(notes))


def back_matter(report: Report, brief: Brief, unsaid: Sequence[str], words: ReportPhrases) -> Back:
    """Return what the sources do not say and how the report was made."""
    return Back(
        open_questions=[f"{gap[:1].upper()}{gap[1:]}" for gap in map(plain, unsaid)],
        made=_made(report, brief, words),
    )


def _made(report: Report, brief: Brief, words: ReportPhrases) -> list[str]:
    counts, summary = brief.counts, report.summary
    lines = []
    if brief.experts:
        roles = [(expert.name, expert.role.strip(" .。")) for expert in brief.experts]
        names = [
            plain(name if role in ("", name) else words.expert.format(name=name, role=role))
            for name, role in roles
        ]
        lines.append(words.experts.format(names=words.comma.join(dict.fromkeys(names))))
    counted = {
        "turns": counts.turns, "searches": counts.searches,
        "passages": counts.passages_read, "sources": counts.sources_read,
    }  # fmt: skip
    say = catalogue(brief.language, "terminal").say
    told = {what: say(what, n=n) for what, n in counted.items()}
    work = words.work_asked if counts.asked else words.work
    lines.append(work.format(asked=counts.asked, **told))
    if 0 < summary.sources < counts.sources_read:
        between = "" if words.stop == "。" else " "
        lines[-1] += between + words.cited_of.format(cited=summary.sources)
    if brief.embedded:
        lines.append(words.embedded)
    else:
        models = words.comma.join(plain(m) for m in counts.models)
        lines.append(words.requests.format(models=models, requests=counts.requests, tokens=counts.tokens))
        lines.append(words.cost.format(cost=counts.cost) if counts.cost is not None else words.unpriced)
    if summary.sentences:
        lines.append(_checked(summary, words))
    lines += weight_lines(summary, words)
    if summary.resting and not brief.embedded:
        lines.append(words.resting.format(told=summary.resting_told, resting=summary.resting))
    if brief.limits:
        lines.append(words.limits.format(limits=" ".join(plain(limit) for limit in brief.limits)))
    return lines


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


def _checked(summary: Summary, words: ReportPhrases) -> str:
    figures = summary.model_dump()
    if summary.quoted == summary.sentences:
        parts = [words.all_quoted.format(**figures)]
    else:
        alone = summary.code == summary.quoted
        quoted = words.checked_code if alone else words.checked
        parts = [(quoted if summary.quoted else words.checked_plain).format(**figures)]
        if summary.code and not alone:
            parts.append(words.quoted_code.format(**figures))
    if summary.quoting:
        parts.append(words.quoted_within.format(n=summary.quoting))
    if summary.inferred:
        parts.append(words.inferred.format(**figures))
    if summary.unchecked:
        parts.append(words.unchecked.format(**figures))
    if summary.retracted:
        parts.append(words.retracted_count.format(**figures))
    if dropped := summary.uncited_dropped + summary.unsupported_dropped:
        parts.append(words.dropped.format(dropped=dropped))
    if summary.repeated_dropped:
        parts.append(words.repeated.format(n=summary.repeated_dropped))
    return ("" if words.stop == "。" else " ").join(parts)
