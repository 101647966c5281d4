"""Where the words of a quotation stand in the text of its source."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from library import Evidence, Passage
from reports.document import Sentence
from reports.extract.quotations import key

_WORD = re.compile(r"\w+")
_QUOTATION = re.compile(r"“[^“”]*”")
_BEHIND = re.compile(r"[^\w\s]*")


@dataclass(frozen=True, slots=True)
class QuotedPlace:
    """A quotation that stands at `text[start:end]` of its source."""

    sentence: Sentence
    passage: Passage
    """That holds it."""
    text: str
    """The source's whole text."""
    start: int
    end: int

    @property
    def sha256(self) -> str:
        """Of the source."""
        return self.passage.sha256


def placed(sentence: Sentence, evidence: Evidence, after: int = 0) -> QuotedPlace | None:
    """Return where a sentence stands that is only a quotation; None where it is none, or stands nowhere.

    Args:
        sentence: With its citations.
        evidence: What was admitted.
        after: Where in the source it should stand behind, if it stands in several places.
    """
    code = sentence.form == "code"
    if not code and not _QUOTATION.fullmatch(sentence.text):
        return None
    wanted = key(sentence.text).split()
    for passage in (evidence.passages[i] for i in sentence.citations if i in evidence.passages):
        source = evidence.sources.get(passage.sha256)
        if source is None or not wanted:
            continue
        found = [(a + passage.start, b + passage.start) for a, b in _places(passage.text, wanted)]
        if found:
            start, end = next((span for span in found if span[0] >= after), found[0])
            behind = _BEHIND.match(source.text, end, passage.end)
            return QuotedPlace(sentence, passage, source.text, start, behind.end() if behind else end)
    return None


def holding(evidence: Evidence, sha256: str, start: int, end: int) -> Passage | None:
    """Return the admitted passage of a source that holds a part of its text; None for none."""
    return next(
        (p for p in evidence.passages.values() if p.sha256 == sha256 and p.start <= start and end <= p.end),
        None,
    )


def _places(text: str, wanted: Sequence[str]) -> Iterator[tuple[int, int]]:
    held = _words(text)
    for n in range(len(held) - len(wanted) + 1):
        if all(held[n + k][0] == word for k, word in enumerate(wanted)):
            yield held[n][1], held[n + len(wanted) - 1][2]


@lru_cache(maxsize=2_000)
def _words(text: str) -> list[tuple[str, int, int]]:
    return [(found[0].casefold(), found.start(), found.end()) for found in _WORD.finditer(text)]
