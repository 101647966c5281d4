"""What weight sources have, in words: of what kind they are, and how many tell the same text once more.

No score: nobody can tell how true a source is. What can be told is who stands behind it, as far as its
address or its catalogue says so, and whether two of them are one text (a wire report, a copy, a reprint).
"""

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from functools import cache, lru_cache
from typing import Literal

from library.evidence import Passage, Source, Work, host_of, on_the_web
from library.text.multilingual.scripts import CJK
from library.text.quantities.quantity_data import table

SourceKind = Literal["paper", "official", "reference", "news", "forum", "own", ""]
"""Empty for what neither its address nor a catalogue tells."""
COPIED = 0.5
"""Share (0 to 1) of the shorter text's word runs that the other holds, from which both are one text."""
_RUN = 8
"""Words, or Chinese characters, of a run."""
_FEWEST = 12
"""Runs that two texts share at least, when one is a copy."""
_READ = 40_000
"""Characters of a text that are compared."""
_WORD = re.compile(rf"[{CJK}]|[^\W_{CJK}]+")
_KINDS: tuple[SourceKind, ...] = ("paper", "official", "reference", "news", "forum")
_ORDER: tuple[SourceKind, ...] = (*_KINDS, "own")


def source_kind(source: Source) -> SourceKind:
    """Return of what kind a source is, as far as its catalogue entry or its address tells."""
    return kind_of(source.url, source.work)


def kind_of(url: str, work: Work | None = None) -> SourceKind:
    """Return of what kind a source is, by its address and what a catalogue says of it."""
    if work is not None and (work.doi or work.kind):
        return "paper"
    if not on_the_web(url):
        return "own"  # a saved page that names its address is what it was there
    return _of_host(host_of(url))


def is_weak(passage: Passage) -> bool:
    """Tell whether a claim should not rest on a passage alone: anybody wrote it, or a person doubts it."""
    return passage.trust == "doubt" or (passage.trust != "prefer" and kind_of(passage.url) == "forum")


def weight_of(passage: Passage) -> str | None:
    """Return in a few words what a model is told of a passage's source; None for nothing."""
    if passage.became == "retracted":  # that tells more than who thinks what of it
        return "of a retracted work"
    if passage.trust:
        return {"prefer": "preferred by the reader", "doubt": "doubted by the reader"}.get(passage.trust)
    return "a forum" if is_weak(passage) else None


@cache
def _endings() -> Mapping[SourceKind, tuple[re.Pattern[str], ...]]:
    data = table("source_kinds")
    return {
        kind: tuple(re.compile(rf"(?:^|\.){_any_label(host)}$") for host in data[kind]) for kind in _KINDS
    }


def _any_label(host: str) -> str:
    return re.escape(host).replace(re.escape("*"), "[a-z]{2}")  # a country: go.jp, and not go.com


@lru_cache(maxsize=2_000)
def _of_host(host: str) -> SourceKind:
    for kind, patterns in _endings().items():
        if any(pattern.search(host) for pattern in patterns):
            return kind
    return ""


def origins(sources: Iterable[Source]) -> dict[str, str]:
    """Return the origin of each source (both by sha256): one and the same of all that tell one text.

    The origin is the first of them, in the order given. Runs of words are compared ("shingles": Broder, "On
    the resemblance and containment of documents", 1997).
    """
    told: dict[int, str] = {}
    sizes: dict[str, int] = {}
    found: dict[str, str] = {}
    for source in sources:
        runs = _runs(source.text[:_READ])
        shared = Counter(told[run] for run in runs if run in told)
        first, count = next(iter(shared.most_common(1)), ("", 0))
        copied = count >= max(_FEWEST, COPIED * min(len(runs), sizes.get(first, 0)))
        found[source.sha256] = first if copied else source.sha256
        sizes.setdefault(found[source.sha256], len(runs))
        for run in runs:
            told.setdefault(run, found[source.sha256])
    return found


@lru_cache(maxsize=500)
def _runs(text: str) -> frozenset[int]:
    words = [word.casefold() for word in _WORD.findall(text)]
    return frozenset(hash(tuple(words[i : i + _RUN])) for i in range(len(words) - _RUN + 1))


def kinds_of(sources: Sequence[Source]) -> dict[SourceKind, int]:
    """Count sources by kind, in a fixed order; those of no known kind are left out."""
    counts = Counter(source_kind(source) for source in sources)
    return {kind: counts[kind] for kind in _ORDER if counts[kind]}
