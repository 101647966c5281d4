"""What a prompt's evidence is chosen for, and what is known of each passage that it may show."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field

from models import Statistics


@dataclass(frozen=True, slots=True, kw_only=True)
class EvidenceRequest:
    """What is asked, how much room there is, and what became of each passage so far; passages by id."""

    question: str
    statistics: Statistics
    """Weighs how well passages fit."""
    tokens: int
    """For the passages, with their tags."""
    listed: int
    """Tokens for the lines of those that are not shown; what the last round brought and what is rested on is
    named beyond them; 0 names nothing."""
    room: int = 0
    """Tokens that what was opened may take; 0: `tokens`."""
    opened: Collection[str] = ()
    """Stand first and whole, in this order, whatever the room: they were asked for."""
    beside: Collection[str] = ()
    """What stands around those on their pages."""
    new: Sequence[str] = ()
    """What the last round brought, in the order in which its searches found it: they know more of the
    collection than the words of a few passages tell."""
    found: Collection[str] = ()
    """What any round of this turn brought: those that are not shown are named at least."""
    seen: Collection[str] = ()
    """Whose text this turn's prompts have shown: what nobody noted of them since is shown where there is room
    left, for it had its turn."""
    passed_over: Collection[str] = ()
    """Shown before, and nobody has cited or noted them: they count less where they are not in `new`."""
    often: Collection[str] = ()
    """Shown to this speaker in several turns already: what is not rested on for this question is shown where
    there is room left."""
    searches: Sequence[str] = ()
    """What the last round looked for: its passages are weighed by that, too, and what was admitted before and
    fits one of them is as good as what it brought."""
    resting: Sequence[str] = ()
    """What earlier answers and notes for this question rest on, what matters most first."""
    resting_first: bool = False
    """Those share all the room, in that order, and others are only listed: for a closing question, whose
    words are too few to tell what its answer rests on."""
    of_topic: Mapping[str, float] = field(default_factory=dict)
    """How much of the topic each has, 0 to 1: what shares words with the question and hardly anything with
    the topic comes last. Without an id: all of it."""
    told: Mapping[str, Sequence[str]] = field(default_factory=dict)
    """What notes and answers say of passages: where one is cut, the sentences stay that this rests on."""
    asks: bool = False
    """Something definite is asked, so that it may be that nothing comes near: of a subject, whatever belongs
    to it does."""
    on_releases: Collection[str] = ()
    """Notes on releases that nobody asks about (`agents.research.shown.release_notes`)."""

    @property
    def wordings(self) -> list[str]:
        """What is asked, and what was searched for."""
        return [self.question, *self.searches]
