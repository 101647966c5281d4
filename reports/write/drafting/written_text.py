"""A writer's paragraphs as sentences: steps and points told from prose, each sentence with what it cites."""

import re
from collections.abc import Collection, Sequence

from library import cite, keep_citations
from library.passages import Form
from models import Statistics
from reports.cite.cited_sentences import cited_sentences
from reports.document import Sentence
from reports.plan.layout import paragraphs
from reports.visible_text import plain

_STEP = re.compile(r"\s*(\d{1,2})[.)、]\s*(?![\d.])")
_POINT = re.compile(r"\s*[-*•]\s+")


def written(
    paragraphs: Sequence[str], allowed: Collection[str], statistics: Statistics, *, points: bool
) -> list[Sentence]:
    """Return the sentences of paragraphs; those without a citation too.

    Args:
        paragraphs: As written, each with citations; one may hold several lines.
        allowed: Ids that may be cited; others are dropped.
        statistics: Finds the sentences.
        points: Whether each sentence is a point of its own.
    """
    found: list[Sentence] = []
    for line in (line for paragraph in paragraphs for line in paragraph.splitlines()):
        form, number, begins = _marked(line)
        kept, _rejected = keep_citations(plain(line[begins:]), allowed)
        opens = True
        for cited in cited_sentences(kept, statistics.sentences):
            told = Sentence(text=cited.text, citations=list(cited.citations), paragraph=opens)
            found.append(told.model_copy(update={"form": form, "step": number}) if opens else told)
            opens = points
    return found


def as_written(sentences: Sequence[Sentence]) -> str:
    """Return sentences as a writer gives them: a paragraph a line, steps and points with their marks."""
    lines: list[str] = []
    steps = 0
    for group in paragraphs(sentences):
        steps = group[0].step or steps + 1 if group[0].form == "step" else 0
        mark = f"{steps}. " if steps else "- " if group[0].form == "point" else ""
        lines.append(mark + " ".join(f"{s.text} {cite(s.citations)}".strip() for s in group))
    return "\n".join(lines)


def _marked(line: str) -> tuple[Form, int, int]:
    """Return what a line's mark makes it, which step, and where its words begin."""
    if mark := _STEP.match(line):
        return "step", int(mark[1]), mark.end()
    if mark := _POINT.match(line):
        return "point", 0, mark.end()
    return "prose", 0, 0
