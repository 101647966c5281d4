"""What experts keep in mind through a session: blocks of one idea each, added and dropped, never rewritten.

The session gives each block its id. A fact rests on passages that were admitted; a lead that nobody has
followed is offered again; a gap becomes a question on the agenda. A fold of its own events.
"""

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field
from typing import Literal, get_args

from agents.events import MemoryAdded, MemoryDropped
from models import Event, Statistics

NoteKind = Literal["fact", "lead", "gap", "contradiction", "done", "unrelated"]
KINDS: tuple[str, ...] = get_args(NoteKind)
USING = ("fact", "lead", "contradiction")
"""Notes whose passages are of use, for all questions."""
LONGEST = 400
"""Characters of one block: one idea."""
ORDER = ("contradiction", "lead", "gap", "fact", "done", "unrelated")
"""What is worth most when there is little room."""


@dataclass(frozen=True, slots=True)
class MemoryBlock:
    """One idea."""

    id: str
    """`m1`, `m2`, … as given by the session."""
    kind: str
    text: str
    passages: tuple[str, ...]
    """Ids of the passages that it rests on; never empty for a fact."""
    speaker: str
    added: int = 0
    """Number of the event that added it."""
    dropped: int = 0
    """Number of the event that dropped it; 0 while it stands."""

    @property
    def of_use(self) -> bool:
        """Whether its passages are of use: a fact, a lead, a contradiction."""
        return self.kind in USING

    @property
    def line(self) -> str:
        """Return the block as a prompt shows it."""
        cited = "".join(f"[{i}]" for i in self.passages)
        return f"{self.id} {self.kind}: {self.text}{' ' + cited if cited else ''}"


@dataclass(slots=True)
class Memory:
    """All blocks of a session, in order; dropped ones stay known, so that no id is given twice."""

    blocks: dict[str, MemoryBlock] = field(default_factory=dict)

    def fold(self, event: Event, number: int) -> None:
        """Take in one event with its number; others than the memory's own are passed over."""
        if isinstance(event, MemoryAdded):
            passages = tuple(event.passages)
            self.blocks[event.id] = MemoryBlock(
                event.id, event.note, event.text, passages, event.speaker, number
            )
        elif isinstance(event, MemoryDropped) and event.id in self.blocks:
            old = self.blocks[event.id]
            self.blocks[event.id] = MemoryBlock(
                old.id, old.kind, old.text, old.passages, old.speaker, old.added, old.dropped or number
            )

    def next_id(self) -> str:
        """Return the id for the next block."""
        return f"m{len(self.blocks) + 1}"

    def kept(
        self, speaker: str, since: int, kind: str, text: str, without: Collection[str]
    ) -> MemoryBlock | None:
        """Return the note of these words that a speaker added after an event, unless it is in `without`."""
        own = [b for b in self.blocks.values() if b.added > since and b.speaker == speaker]
        return next((b for b in own if (b.kind, b.text) == (kind, text) and b.id not in without), None)

    def standing_at(self, number: int) -> list[MemoryBlock]:
        """Return the blocks that stood just before an event, in order."""
        return [
            b for b in self.blocks.values() if b.added < number and (not b.dropped or b.dropped >= number)
        ]


def folded(text: str) -> str:
    """Return what makes two notes the same."""
    return " ".join(text.casefold().split()).rstrip(".。 ")


def refusal(kind: str, text: str, passages: Sequence[str], shown: Collection[str]) -> str | None:
    """Return why a note is not taken, None when it is."""
    if kind not in KINDS:
        return f"not noted, there is no kind {kind[:40]!r}; there are {', '.join(KINDS)}"
    if not text:
        return "not noted, a note needs words"
    if kind == "fact" and not any(i in shown for i in passages):
        return f"not noted, a fact names the passages that it rests on, of those shown: {text[:80]}"
    if kind == "unrelated" and not any(i in shown for i in passages):
        return f"not noted, name the passages that are about another matter: {text[:80]}"
    return None


def set_aside(blocks: Sequence[MemoryBlock], cited: Collection[str]) -> set[str]:
    """Return the ids of passages that a note says are about another matter.

    Not those that somebody has cited, or noted as of use.
    """
    used = {i for block in blocks if block.of_use for i in block.passages}
    apart = {i for block in blocks if block.kind == "unrelated" for i in block.passages}
    return apart - used - set(cited)


_LOOKED_FOR = 0.5
"""Likeness (0 to 1) of a query to a note from which what the note names was looked for."""


_LOOKED_FOR_BEFORE = 0.25
"""The same of a search by whoever wrote the note: it says at once what several rounds did not find. Of a
session's three such notes each had 0.40 or more to a search of its writer's, other things 0.11 at most."""


_MEANT = 0.6
"""The same by meaning, of English notes. Of three sessions' 24 such notes 15 had 0.57 or more to a search of
their writers'; those that nobody had searched for 0.47 at most."""


def looked_for(text: str, queries: Sequence[str], statistics: Statistics, own: Sequence[str] = ()) -> bool:
    """Tell whether one of some searches was for what a note names: a lead, or something missing.

    Args:
        text: The note.
        queries: What was searched for, by anybody.
        statistics: Weighs words.
        own: What whoever noted something missing has searched for.
    """
    terms = set(statistics.terms(text))
    if terms and any(terms <= set(statistics.terms(query)) for query in (*queries, *own)):
        return True
    asked = ((queries, _LOOKED_FOR), (own, _LOOKED_FOR_BEFORE))
    if own and max(statistics.meaning(text, own) or [0.0]) >= _MEANT:
        return True
    return any(some and max(statistics.relevance(text, some)) >= least for some, least in asked)


def unfollowed(blocks: Sequence[MemoryBlock], followed: Callable[[str], bool]) -> list[MemoryBlock]:
    """Return the leads that no search has followed, the oldest first."""
    return [b for b in blocks if b.kind == "lead" and not followed(b.text)]


def ranked(blocks: Sequence[MemoryBlock]) -> list[MemoryBlock]:
    """Return blocks as a prompt should hold them: what is open before what is known, the newest first."""
    newest = list(reversed(blocks))
    return sorted(newest, key=lambda b: ORDER.index(b.kind) if b.kind in ORDER else len(ORDER))
