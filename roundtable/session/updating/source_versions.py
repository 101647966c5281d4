"""One source in two versions, beside what a session rests on in the one that it read."""

from collections.abc import Callable, Collection, Sequence

from library import Passage, Source, citations, cited_claims, claimed
from library.passages import Statement, TextChange, statements
from library.text import sentences, terms
from roundtable.journal.fold.state import State
from roundtable.journal.source_updates import SentenceChange

IdOf = Callable[[Passage], str]
"""Gives a passage its id in the session."""


class SourceVersions:
    """Which passages are in whose place, which sentences are otherwise, and which claims rested on those."""

    def __init__(
        self, state: State, before: Source, now: Sequence[Passage], changes: Sequence[TextChange]
    ) -> None:
        """Take both versions.

        Args:
            state: The session, as it rests on the version before.
            before: The source as it was.
            now: The passages of the source as it is.
            changes: What changed between the two.
        """
        self._state = state
        self._now = now
        self._changes = changes
        held = {i: p for i, p in state.usable().passages.items() if p.sha256 == before.sha256}
        self._held = {i: p for i, p in held.items() if any(_inside(c.before, p) for c in changes)}
        self._used = {i for turn in state.turns for i in turn.citations}
        self._statements = statements(before.text, sentences)

    def sentence_changes(self, of: IdOf, on_topic: Collection[tuple[str, int, int]]) -> list[SentenceChange]:
        """Return the sentences that changed where the session rests on them, or that are of its topic."""
        told = []
        for change in self._changes:
            held = [i for i, p in self._held.items() if _inside(change.before, p)]
            here = [p for p in self._now if _inside(change.after, p)]
            if not (self._used.intersection(held) or any(p.key in on_topic for p in here)):
                continue
            told.append(
                SentenceChange(
                    before=change.before.words if change.before and held else "",
                    after=change.after.words if change.after and here else "",
                    passages=[*held[:1], *(of(p) for p in here[:1])],
                )
            )
        return told

    def replaced(self, of: IdOf) -> dict[str, str]:
        """Return each passage that says something else now, with the one in its place; '' for none."""
        near = {i: self._successor(p) for i, p in self._held.items()}
        return {i: of(p) if p is not None else "" for i, p in near.items()}

    def _successor(self, passage: Passage) -> Passage | None:
        """Return the passage that holds most of what one held: its sentences, or their new versions."""
        changed = [c for c in self._changes if _inside(c.before, passage)]
        gone = {c.before.words for c in changed if c.before is not None}
        kept = [s.words for s in self._statements if _inside(s, passage) and s.words not in gone]
        held = [
            sum(" ".join(words.split()) in " ".join(p.text.split()) for words in kept)
            + sum(_inside(c.after, p) for c in changed)
            for p in self._now
        ]
        best = max(range(len(held)), key=lambda n: (held[n], -n), default=None)
        return self._now[best] if best is not None and held[best] else None

    def gone_claims(self) -> list[str]:
        """Return the claims of earlier turns whose sentence in the source is not there any more."""
        gone = {c.before.start for c in self._changes if c.before is not None}
        return [
            claimed(claim)
            for turn in self._state.turns
            if self._held.keys() & set(turn.citations)
            for claim in cited_claims(turn.text, sentences)
            if any(self._rests_on(claim, i) in gone for i in citations(claim) if i in self._held)
        ]

    def _rests_on(self, claim: str, identity: str) -> int:
        """Return where the sentence of a passage begins that a claim shares most of its words with."""
        said = set(terms(claimed(claim)))
        own = [s for s in self._statements if _inside(s, self._held[identity])]
        shared = [len(said & (held := set(terms(s.words)))) / (len(held) or 1) for s in own]
        return own[max(range(len(own)), key=lambda n: (shared[n], -n))].start if own else -1


def _inside(statement: Statement | None, passage: Passage) -> bool:
    """Tell whether a statement of a passage's source begins in the passage."""
    return statement is not None and passage.start <= statement.start < passage.end
