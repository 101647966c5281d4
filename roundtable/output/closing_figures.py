"""What is said of a session at its end: the checker's figures in one line, or why it found nothing."""

from typing import TYPE_CHECKING

from library.text import catalogue

if TYPE_CHECKING:
    from reports import Summary
    from roundtable.journal.fold.state import State


def figures_line(summary: "Summary", language: str = "en") -> str:
    """Return how well a report stands on its sources, in the language of a session."""
    say, kind_of = catalogue(language, "terminal").say, catalogue(language, "page").say
    if not summary.sentences:
        return say("figures_nothing")
    kinds = ("quoted", "supported", "inferred", "partial", "unsupported", "unchecked")
    told = [f"{count} {kind_of(kind)}" for kind in kinds if (count := getattr(summary, kind))]
    cited = say("figures_cited", sentences=say("sentences", n=summary.sentences), cited=summary.cited)
    parts = [
        say("figures_kinds", cited=cited, kinds=say("figures_comma").join(told)) if told else cited,
        say("figures_accuracy", share=f"{summary.accuracy:.0%}"),
        say("figures_effective", n=summary.effective),
        say("sources", n=summary.sources)
        + (say("figures_hosts", n=summary.hosts) if summary.hosts < summary.sources else ""),
        say("figures_undated", share=f"{summary.undated:.0%}"),
        say("figures_single", share=f"{summary.single_source:.0%}"),
    ]
    if summary.resting:
        parts.append(say("figures_resting", told=summary.resting_told, resting=summary.resting))
    return say("figures_join").join(parts) + say("figures_stop")


def unsearched(state: "State") -> str | None:
    """Return why a session found nothing: each of its searches failed. None when one worked."""
    return state.unsearched
