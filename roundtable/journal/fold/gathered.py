"""What a session has gathered: texts that were found and read, and passages of them that were admitted."""

from collections.abc import Callable
from dataclasses import dataclass, field, replace

from library import (
    Computed,
    Evidence,
    PageRead,
    PassagesAdmitted,
    Reranked,
    Searched,
    Source,
    ToldOfSource,
    TrustList,
    as_read_at,
)
from mindmap import PassagesEmbedded

FindSource = Callable[[str], Source]
"""Looks a source up by its sha256: texts stay in the store."""


@dataclass(slots=True)
class Gathered:
    """Sources and passages of one session, as its events name them."""

    evidence: Evidence = field(default_factory=Evidence)
    trust: TrustList = field(default_factory=TrustList)
    """What the person thinks of sources."""
    ids: dict[tuple[str, int, int], str] = field(default_factory=dict)
    """Of admitted passages, by their span: text, start, end."""
    admitted_at: dict[tuple[str, int, int], int] = field(default_factory=dict)
    """Number of the event that admitted each passage."""
    _texts: dict[str, Source] = field(default_factory=dict)
    """Sources that were looked up, admitted or not."""
    _found_at: dict[str, str] = field(default_factory=dict)
    """Where the session found each text first, by sha256: a store knows a file from where it lay once."""

    _told: dict[str, ToldOfSource] = field(default_factory=dict)
    """What each text was known by when the session found it first."""

    def note(self, event: Searched | PageRead | Computed | Reranked | PassagesEmbedded) -> None:
        """Take in where texts were found."""
        match event:
            case Searched():
                for hit in event.hits:
                    if hit.span is not None:
                        self._found(hit.span[0], hit.url, hit.told)
            case PageRead(sha256=str() as sha256) if sha256:
                self._found(sha256, event.url, event.told)
            case _:
                pass

    def _found(self, sha256: str, url: str, told: ToldOfSource | None) -> None:
        self._found_at.setdefault(sha256, url)
        if told is not None:
            self._told.setdefault(sha256, told)

    def knows(self, sha256: str) -> bool:
        """Tell whether it is kept what a text was known by."""
        return sha256 in self._told

    def admit(self, event: PassagesAdmitted, number: int, find: FindSource) -> None:
        """Take in passages that were shown to a speaker, by the event of that number."""
        for admitted in event.passages:
            sha256, start, end = admitted.span
            source = self.evidence.sources[sha256] = self.source(sha256, find)
            self.admitted_at[admitted.span] = number
            self.evidence.passages[admitted.id] = source.passage(start, end, admitted.id)
            self.ids[admitted.span] = admitted.id

    def source(self, sha256: str, find: FindSource) -> Source:
        """Return a source, looked up once; it is evidence only when a passage of it is admitted."""
        if sha256 not in self._texts:
            source = find(sha256)
            if told := self._told.get(sha256):
                source = told.told_of(source)
            source = as_read_at(source, self._found_at.get(sha256, source.url))
            trust = self.trust.of_source(source) if self.trust else ""
            self._texts[sha256] = replace(source, trust=trust) if trust else source
        return self._texts[sha256]

    def without(self, gone: set[str]) -> "Gathered":
        """Return it with less evidence: the passages of some ids are not in it."""
        kept = {i: passage for i, passage in self.evidence.passages.items() if i not in gone}
        return replace(self, evidence=Evidence(kept, self.evidence.sources))
