"""Cutting a text into passages and these into terms: most of what indexing takes, and needs no store.

Worker processes do it side by side where there is much to index; what they give is what this process would.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol, runtime_checkable

from library.errors import ReadError
from library.evidence import Passage, Source
from library.passages import chunking
from library.text import tokenize as analysis

_JOB = f"{__name__}:cut_bytes"
_LONGEST = 1_000_000
"""Characters of a text that a worker is given: a longer one could take longer than a job may."""


@dataclass(frozen=True, slots=True)
class CutText:
    """A text as it is indexed."""

    spans: list[tuple[int, int]]
    """Of its passages, in order."""
    terms: list[str]
    """What each passage is found by, joined by spaces."""


@runtime_checkable
class WorkDoer(Protocol):
    """Has jobs done in other processes."""

    def work(self, job: str, data: bytes, **options: Any) -> dict[str, Any]:
        """Do a job: `module:function`, called with data and options. Raises ReadError."""


def passage_terms(passage: Passage) -> list[str]:
    """Return what a passage is found by: the words of its page's title, and its text."""
    return analysis.title_terms(passage.title) + analysis.terms(passage.text)


def cut(source: Source, parts: Sequence[tuple[int, int]] = ()) -> CutText:
    """Cut a source in this process; of `parts` (spans of its text) each by itself, () for all of it."""
    found = [
        source.passage(begin + start, begin + end)
        for begin, until in parts or [(0, len(source.text))]
        for start, end in chunking.spans(source.text[begin:until])
    ]
    return CutText([(p.start, p.end) for p in found], [" ".join(passage_terms(p)) for p in found])


def cut_elsewhere(source: Source, workers: WorkDoer, parts: Sequence[tuple[int, int]] = ()) -> CutText | None:
    """Cut a source in a worker process; None where that cannot be done, so that it is done here."""
    if len(source.text) > _LONGEST:
        return None
    try:
        data = source.text.encode("utf-8", "surrogatepass")
        made = workers.work(_JOB, data, title=source.title, parts=list(parts))
    except ReadError:
        return None  # a worker that ended or took too long is no reason to leave a text out
    return CutText([(start, end) for start, end in made["spans"]], made["terms"])


def cut_bytes(data: bytes, title: str, parts: Sequence[Sequence[int]]) -> dict[str, Any]:
    """Cut a text, or parts of it, in a worker process."""
    source = Source("", "", title, data.decode("utf-8", "surrogatepass"))
    made = cut(source, [(begin, end) for begin, end in parts])
    return {"spans": made.spans, "terms": made.terms}
