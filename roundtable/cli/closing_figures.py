"""What is said of a session at its end: the checker's figures in one line, or why it found nothing."""

from typing import TYPE_CHECKING

from roundtable.output.clean import counted

if TYPE_CHECKING:
    from reports import Summary
    from roundtable.journal.state import State


def figures_line(summary: "Summary") -> str:
    """Return how well a report stands on its sources."""
    if not summary.sentences:
        return "Nothing was found for a report to rest on: try --docs FOLDER, --search PLACE or other words."
    kinds = ("quoted", "supported", "inferred", "partial", "unsupported", "unchecked")
    told = [f"{count} {kind}" for kind in kinds if (count := getattr(summary, kind))]
    parts = [
        f"{counted(summary.sentences, 'sentence')}, {summary.cited} cited"
        + (f": {', '.join(told)}" if told else ""),
        f"citation accuracy {summary.accuracy:.0%}",
        f"{summary.effective} effective citations",
        counted(summary.sources, "source")
        + (f" on {counted(summary.hosts, 'host')}" if summary.hosts < summary.sources else ""),
        f"{summary.undated:.0%} undated",
        f"{summary.single_source:.0%} of claims from a single source",
    ]
    if summary.resting:
        parts.append(f"{summary.resting_told} of {summary.resting} passages that answers rest on")
    return "; ".join(parts) + "."


def unsearched(state: "State") -> str | None:
    """Return why a session found nothing: each of its searches failed. None when one worked."""
    errors = [searched.error for searched in state.work.searches.values()]
    if state.evidence.passages or not errors or None in errors:
        return None
    return errors[-1]
