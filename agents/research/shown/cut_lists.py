"""Says where a list goes on behind a passage: who sees two of five steps has to know that there are five."""

from collections.abc import Iterator
from dataclasses import replace

from agents.research.shown.evidence_room import EvidenceShown
from library import Evidence, Passage
from library.passages import items_behind

_GAP = 4
"""Characters of white space between passages that go on from each other, at most."""


def with_list_ends(shown: EvidenceShown, evidence: Evidence) -> EvidenceShown:
    """Return what a prompt shows, with a line below a passage whose list goes on in one that is not shown.

    Args:
        shown: As it was chosen.
        evidence: Holds the texts that the passages stand in.
    """
    return replace(shown, texts=tuple(_told(shown, evidence)))


def _told(shown: EvidenceShown, evidence: Evidence) -> Iterator[str]:
    begins = {(p.sha256, p.start) for p in shown.passages}
    for passage, text in zip(shown.passages, shown.texts, strict=True):
        follows = any((passage.sha256, passage.end + n) in begins for n in range(1, _GAP))
        left = 0 if follows or text.endswith("…") else _left(passage, evidence)
        yield f"{text}\n… ({left} more items of this list follow on its page)" if left else text


def _left(passage: Passage, evidence: Evidence) -> int:
    source = evidence.sources.get(passage.sha256)
    return items_behind(source.text, passage.start, passage.end) if source else 0
