"""Cutting a text into passages and these into terms: most of what indexing takes, and needs no store.

Worker processes do it side by side where there is much to index; what they give is what this process would.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, runtime_checkable

from library.errors import ReadError
from library.evidence import Passage, Source
from library.passages import chunking
from library.text import tokenize as analysis

_JOB = f"{__name__}:cut_bytes"
_LONGEST = 1_000_000
"""Characters that a worker is given at once: more could take longer than a job may."""


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


def cut_elsewhere(
    sources: Sequence[tuple[Source, Sequence[tuple[int, int]]]], workers: WorkDoer
) -> list[CutText | None]:
    """Cut sources, of each its `parts` as in `cut`, in one job of a worker process.

    None for each that cannot be cut there, so that it is done here.
    """
    found: list[CutText | None] = [None] * len(sources)
    there, left = list[int](), _LONGEST
    for number, (source, _) in enumerate(sources):
        if len(source.text) <= left:
            there.append(number)
            left -= len(source.text)
    texts = [sources[number][0].text.encode("utf-8", "surrogatepass") for number in there]
    asked = [
        {"size": len(text), "title": sources[number][0].title, "parts": list(sources[number][1])}
        for number, text in zip(there, texts, strict=True)
    ]
    try:
        made = workers.work(_JOB, b"".join(texts), texts=asked)["texts"] if there else []
    except ReadError:
        return found  # a worker that ended or took too long is no reason to leave a text out
    for number, (spans, terms) in zip(there, made, strict=True):
        found[number] = CutText([(start, end) for start, end in spans], terms)
    return found


def cut_bytes(data: bytes, texts: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """Cut texts that stand one after the other, in a worker process; each with its size, title and parts."""
    made: list[CutText] = []
    at = 0
    for text in texts:
        written = data[at : (at := at + text["size"])]
        source = Source("", "", text["title"], written.decode("utf-8", "surrogatepass"))
        made.append(cut(source, [(begin, end) for begin, end in text["parts"]]))
    return {"texts": [(each.spans, each.terms) for each in made]}
