"""A paragraph with citations in it, cut into sentences, each with its own citations."""

import re
from collections.abc import Callable
from dataclasses import dataclass

from library import citations, strip_citations
from library.text import CODE_SPAN

Splitter = Callable[[str], list[tuple[int, int]]]
"""Gives the spans of a text's sentences; `Statistics.sentences` is one."""

_BRACKET = re.compile(r"[\[［【]\s*p\d+(?:\s*[,;，；、]\s*p\d+)*\s*[\]］】]", re.IGNORECASE)
_BRACKETS = re.compile(rf"(?<!\s)(?:\s*{_BRACKET.pattern})+", re.IGNORECASE)
_STOPS = ".!?。！？…"
_QUOTATION = re.compile(rf"“[^“”]*”|{CODE_SPAN.pattern}")


@dataclass(frozen=True, slots=True)
class CitedSentence:
    """A sentence without its citations, and the citations."""

    text: str
    citations: tuple[str, ...]


def cited_sentences(paragraph: str, split: Splitter) -> list[CitedSentence]:
    """Cut a paragraph at its sentences' ends.

    Citations belong to the sentence they stand in, or that they follow (`… in 1999. [p1]`). A quotation in
    “…”, or code between backticks, is never cut, whatever stops are inside it.
    """
    found: list[CitedSentence] = []
    for piece in _pieces(paragraph, split):
        text, ids = strip_citations(piece), tuple(citations(piece))
        if text:
            found.append(CitedSentence(text, ids))
        elif ids and found:  # nothing but citations: they belong to what stands before them
            last = found[-1]
            found[-1] = CitedSentence(last.text, tuple(dict.fromkeys((*last.citations, *ids))))
    return found


def _pieces(paragraph: str, split: Splitter) -> list[str]:
    # Citations and quotations hide stops: each is shown to the splitter as letters of the same length.
    masked = _BRACKET.sub(lambda m: "x" * len(m[0]), paragraph)
    masked = _QUOTATION.sub(_masked, masked)
    cuts = {start for start, _end in split(masked)} | {0}
    for brackets in _BRACKETS.finditer(paragraph):
        before, after = paragraph[: brackets.start()].rstrip(), paragraph[brackets.end() :]
        if not after.strip():
            continue
        inside = brackets.start() + (len(brackets[0]) - len(brackets[0].lstrip()))
        if _ends_sentence(before) or (before.endswith("”") and after.lstrip().startswith("“")):
            cuts.discard(inside)  # "… 1999. [p1] Next …": the cut is after the brackets
            cuts.add(brackets.end())
    ordered = sorted(cuts)
    return [paragraph[a:b].strip() for a, b in zip(ordered, [*ordered[1:], len(paragraph)], strict=True)]


def _masked(quotation: re.Match[str]) -> str:
    """Return letters in the place of a quotation; its first letter (may it open a sentence?) and end stay."""
    inner = quotation[0][1:-1]
    if not inner:
        return quotation[0]
    return f"{quotation[0][0]}{(inner[0] + 'x' * len(inner))[: len(inner) - 1]}{inner[-1]}{quotation[0][-1]}"


def _ends_sentence(text: str) -> bool:
    return text.rstrip("”’\"')）」』").endswith(tuple(_STOPS))
