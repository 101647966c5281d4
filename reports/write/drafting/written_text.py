"""A writer's paragraphs as sentences: steps, points and code told from prose, each with what it cites."""

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from textwrap import dedent

from library import citations, cite, keep_citations
from library.passages import Form
from library.text import HIDDEN
from models import Statistics
from reports.cite.cited_sentences import cited_sentences
from reports.cite.lead_ins import with_their_citations
from reports.document import Sentence
from reports.plan.layout import paragraphs
from reports.visible_text import plain

_STEP = re.compile(r"\s*(\d{1,2})[.)、]\s*(?![\d.])")
_POINT = re.compile(r"\s*[-*•]\s+")
_FENCE = re.compile(r"\s*(?P<fence>`{3,}+|~{3,}+)(?P<rest>.*)")
_IN_ONE_LINE = re.compile(r"\s*```(?P<code>[^`]+)```(?P<rest>[^`]*)")


@dataclass(frozen=True, slots=True)
class _Line:
    """A line of prose, a step or a point; or code of several lines, with what stands behind its fence."""

    text: str
    code: str = ""


def written(
    paragraphs: Sequence[str], allowed: Collection[str], statistics: Statistics, *, points: bool
) -> list[Sentence]:
    """Return the sentences of paragraphs; those without a citation too.

    Code between fences is a sentence of its own, with its lines. It cites what stands behind its fence, else
    what the sentence before it cites, which it goes with. What leads to a list or to code, and cites nothing,
    cites what that does.

    Args:
        paragraphs: As written, each with citations; one may hold several lines.
        allowed: Ids that may be cited; others are dropped.
        statistics: Finds the sentences.
        points: Whether each sentence is a point of its own.
    """
    found: list[Sentence] = []
    for line in (line for paragraph in paragraphs for line in _lines(paragraph)):
        if line.code:
            said = [i for i in citations(line.text) if i in allowed] or (found[-1].citations if found else [])
            found.append(
                Sentence(text=line.code, citations=list(said), form="code", paragraph=not found or points)
            )
            continue
        form, number, begins = _marked(line.text)
        kept, _rejected = keep_citations(plain(line.text[begins:]), allowed)
        opens = True
        for cited in cited_sentences(kept, statistics.sentences):
            told = Sentence(text=cited.text, citations=list(cited.citations), paragraph=opens)
            found.append(told.model_copy(update={"form": form, "step": number}) if opens else told)
            opens = points
    return with_their_citations(found)


def _lines(paragraph: str) -> Iterator[_Line]:
    """Yield the lines of a paragraph, those between two fences as one; a fence left open ends with it."""
    lines = iter(paragraph.splitlines())
    for line in lines:
        if whole := _IN_ONE_LINE.fullmatch(line):
            yield _Line(whole["rest"], _code([whole["code"]]))
            continue
        if (opened := _FENCE.fullmatch(line)) is None:
            yield _Line(line)
            continue
        held, behind = list[str](), ""
        for inside in lines:
            closing = _FENCE.fullmatch(inside)
            if closing and closing["fence"].startswith(opened["fence"]):
                behind = closing["rest"]
                break
            held.append(inside)
        if code := _code(held):
            yield _Line(behind, code)


def _code(lines: Sequence[str]) -> str:
    """Return lines of code without signs that nobody sees, the indent that all have, and blank ends."""
    return dedent("\n".join(HIDDEN.sub("", line).rstrip() for line in lines)).strip("\n").rstrip()


def as_written(sentences: Sequence[Sentence]) -> str:
    """Return sentences as a writer gives them: a paragraph a line, steps and points with their marks."""
    lines: list[str] = []
    steps = 0
    for group in paragraphs(sentences):
        steps = group[0].step or steps + 1 if group[0].form == "step" else 0
        mark = f"{steps}. " if steps else "- " if group[0].form == "point" else ""
        for is_code, run in groupby(group, key=lambda s: s.form == "code"):
            if is_code:
                lines += [f"```\n{s.text}\n``` {cite(s.citations)}".strip() for s in run]
                continue
            lines.append(mark + " ".join(f"{s.text} {cite(s.citations)}".strip() for s in run))
            mark = ""
    return "\n".join(lines)


def _marked(line: str) -> tuple[Form, int, int]:
    """Return what a line's mark makes it, which step, and where its words begin."""
    if mark := _STEP.match(line):
        return "step", int(mark[1]), mark.end()
    if mark := _POINT.match(line):
        return "point", 0, mark.end()
    return "prose", 0, 0
