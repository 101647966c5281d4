"""What is known of all sources that are compared: how rare a word is among them, and what all are about."""

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from library.claims.claims import claims
from library.evidence import Passage
from models import Statistics

_FEW_SOURCES = 40
"""Sources of fewer than which no word is taken for what all of them are about."""
_FEW, _FEW_OF = 4, 0.01
"""Sources, and share of all of them (0 to 1), around more of which a name stands that tells nothing apart."""

_FEW_SAYING = 6
"""Sources that may have a sentence with the same words, where these still tell what it is on."""


@dataclass(frozen=True)
class ComparedSources:
    """The sources whose claims are set against each other."""

    statistics: Statistics
    """Weights of words; a rare word says more of what two claims share."""
    common: frozenset[str]
    """Names around the claims of many sources, and words of the topic: what all are about."""
    _saying: Mapping[str, Collection[int]]
    """Of each root, the sentences that say it, by number."""
    _sources: Sequence[int]
    """Of each sentence, its source."""

    def rare(self, words: Collection[str]) -> bool:
        """Tell whether few of the sources have a sentence with all of these words."""
        held = sorted((self._saying.get(word, ()) for word in words), key=len)
        if not held:
            return False
        together = set(held[0]).intersection(*held[1:])
        return len({self._sources[sentence] for sentence in together}) <= _FEW_SAYING


def compared_sources(
    passages: Sequence[Passage], statistics: Statistics, topic: frozenset[str]
) -> ComparedSources:
    """Look through the claims of all passages."""
    around: dict[str, set[str]] = {passage.sha256: set() for passage in passages}
    numbers = {sha256: number for number, sha256 in enumerate(around)}
    saying: dict[str, set[int]] = {}
    sources: list[int] = []
    for passage in passages:
        made = claims(passage)
        for sentence in {claim.sentence: claim for claim in made}.values():
            for word in sentence.about:
                saying.setdefault(word, set()).add(len(sources))
            sources.append(numbers[passage.sha256])
        for claim in made[:1]:
            around[passage.sha256] |= claim.around
    few = max(_FEW, len(around) * _FEW_OF)
    names = Counter(word for words in around.values() for word in words)
    common = (word for word, count in names.items() if count > few and len(around) >= _FEW_SOURCES)
    return ComparedSources(statistics, topic | frozenset(common), saying, sources)
