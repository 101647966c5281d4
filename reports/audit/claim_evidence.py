"""Where a claim may stand: of each text the passages that hold most of what it says."""

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from urllib.parse import unquote, urlsplit

from library import Evidence, Library, Passage, Source
from library.text import terms
from models import Statistics

PASSAGES = 3
"""Of one source that are looked at for a claim."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """A passage in which a claim may stand."""

    passage: Passage
    """With an id of the audit's own."""
    share: float
    """Of the weight of the claim's words that the passage holds, 0 to 1."""
    reference: str = ""
    """The key of the reference that it is of; empty for what is not cited for the claim."""


class EvidencePool:
    """All passages that an audit looks at, each under an id."""

    def __init__(self, library: Library) -> None:
        self._library = library
        self.evidence = Evidence()
        self._ids: dict[tuple[str, int, int], str] = {}
        self._held: dict[str, list[tuple[Passage, frozenset[str]]]] = {}

    def best(self, claim: str, source: Source, reference: str = "") -> list[Candidate]:
        """Return the passages of a source that hold most of a claim's words, the best first."""
        weights = weights_of(claim, self._library.statistics)
        scored = [(_share(weights, held), passage) for passage, held in self._passages(source)]
        order = sorted((-round(share, 9), n) for n, (share, _) in enumerate(scored) if share > 0)[:PASSAGES]
        return [Candidate(self.numbered(scored[n][1], source), -share, reference) for share, n in order]

    def of_hit(self, claim: str, passage: Passage) -> Candidate:
        """Return a passage that a search found, as a candidate for a claim."""
        weights = weights_of(claim, self._library.statistics)
        source = self._library.source(passage.sha256)
        return Candidate(self.numbered(passage, source), _share(weights, frozenset(terms(passage.text))))

    def _passages(self, source: Source) -> list[tuple[Passage, frozenset[str]]]:
        if source.sha256 not in self._held:
            passages = self._library.passages(source.sha256)
            self._held[source.sha256] = [(passage, frozenset(terms(passage.text))) for passage in passages]
        return self._held[source.sha256]

    def numbered(self, passage: Passage, source: Source) -> Passage:
        """Return a passage under the id that it has here."""
        known = self._ids.setdefault(passage.key, f"p{len(self._ids) + 1}")
        if known not in self.evidence.passages:
            numbered = source.passage(passage.start, passage.end, known)
            self.evidence.passages[known] = numbered
            self.evidence.sources.setdefault(source.sha256, source)
        return self.evidence.passages[known]


def same_document(one: Source | Passage, own: Source) -> bool:
    """Tell whether something is of the text that is looked at: by its words, or by its file.

    A page or a Word document is read in another form as a manuscript than as a source: its links stay.
    """
    if one.sha256 == own.sha256 or one.url == own.url:
        return True
    paths = [urlsplit(url).path for url in (one.url, own.url) if url.startswith("file:")]
    return len(paths) == 2 and os.path.realpath(unquote(paths[0])) == os.path.realpath(unquote(paths[1]))


def weights_of(claim: str, statistics: Statistics) -> dict[str, float]:
    """Return the weights of a claim's words."""
    return {term: statistics.weight(term) for term in dict.fromkeys(terms(claim))}


def joint_share(claim: str, candidates: Sequence[Candidate], statistics: Statistics) -> float:
    """Return the share (0 to 1) of a claim's words that passages hold together: the best of each source."""
    best: dict[str, Candidate] = {}
    for candidate in candidates:
        held = best.get(candidate.passage.sha256)
        if held is None or candidate.share > held.share:
            best[candidate.passage.sha256] = candidate
    words = frozenset(term for one in best.values() for term in terms(one.passage.text))
    return _share(weights_of(claim, statistics), words)


def _share(weights: Mapping[str, float], held: frozenset[str]) -> float:
    whole = sum(weights.values())
    return sum(weight for term, weight in weights.items() if term in held) / whole if whole else 0.0
