"""One expert's view of the session's memory during a turn: what stood when it began, and its own since."""

from collections.abc import Collection, Iterable, Mapping, Sequence

from agents.memory.memory import LONGEST, MemoryBlock, folded, looked_for, ranked, refusal, unfollowed
from agents.research.fact_fit import fact_fits, meant_by
from agents.research.moves.respond import Move
from agents.speaker_context import SpeakerContext
from library import Passage
from models import Statistics

MOST_NOTES = 12
"""Notes that one move may add, and drop."""
MOST_RAISED = 5
"""Questions that one turn may put on the agenda."""
_NEAR = 0.05
"""Likeness (0 to 1) to a question below which a fact does not tell about it."""
_NEAR_BEST = 0.4
"""Share (0 to 1) of the nearest fact's likeness below which a fact does not, either."""
_SAME = 0.7
"""Likeness (0 to 1) to a later note from which a note is superseded by it."""
_OF_QUESTION = 0.3
"""Likeness (0 to 1) to the question from which what was done or found missing before concerns it."""
_OWN = 1.5
"""What the nearness of one's own fact counts, beside 1 for another's."""
_SETTLING = ("done", "unrelated")
"""Notes whose passages need no looking at."""
_DONE = -1


class Notebook:
    """Takes an expert's notes and shows them again."""

    def __init__(
        self, context: SpeakerContext, statistics: Statistics, held: Mapping[str, Passage] | None = None
    ) -> None:
        """Begin with the notes that stand; `held` are the passages that they may rest on, by id."""
        self._context = context
        self._held = held if held is not None else {}
        self._statistics = statistics
        self._blocks = {block.id: block for block in context.memory()}
        self._queries = context.queries_before()
        self._before = len(self._queries)
        """Queries of earlier turns."""
        self._seen: dict[str, int] = {}
        """Of each lead that was not followed, how many queries it was set against."""
        self._settled: dict[str, set[str]] = {}
        """Of each lead, what was opened since, or said to be of no use."""
        self._given: list[str] = []
        self._asked: list[str] = []

    @property
    def blocks(self) -> list[MemoryBlock]:
        """The notes that stand, in order."""
        return list(self._blocks.values())

    @property
    def facts(self) -> list[MemoryBlock]:
        """The facts among them, in order."""
        return [block for block in self.blocks if block.kind == "fact"]

    def near(self, question: str) -> list[MemoryBlock]:
        """Return the notes that tell about a question: those of this turn, and lasting ones near to it.

        A fact is near by its words, or by its meaning and that of the passages that it rests on.
        """
        lasting = [b for b in self.blocks if b.of_use]
        fits = self._statistics.relevance(question, [b.text for b in lasting])
        near = dict(zip(lasting, fits, strict=True))
        least = max(_NEAR, _NEAR_BEST * max(near.values(), default=0.0))
        told = {b.id for b in lasting if near[b] >= least}
        fitting = self._fits([question])
        enough = _NEAR_BEST * max(fitting.values(), default=0.0)
        meant = meant_by(question, self.facts, self._held, self._statistics)
        told |= {b.id for b, fit in fitting.items() if b.id in meant and fit >= enough}
        return [b for b in self.blocks if b.id in self._given or b.id in told]

    @property
    def given(self) -> Collection[str]:
        """The ids of the notes of this turn."""
        return self._given

    @property
    def raised(self) -> list[str]:
        """Questions that this turn puts on the agenda. A gap is none: it says what the sources lack."""
        return self._asked[:MOST_RAISED]

    def searched(self, queries: Sequence[str], opened: Sequence[str] = ()) -> None:
        """Take in what was searched for, and which passages were opened.

        A lead is followed by a search for it, and when all passages that it names were opened: then it is
        dropped, and nobody is offered it again.
        """
        self._queries += queries
        self._settle(opened)

    def _settle(self, passages: Iterable[str]) -> None:
        """Drop the leads whose passages were all opened since, or said to be of no use."""
        settled = set(passages)
        for block in [b for b in self.blocks if b.kind == "lead" and b.passages]:
            known = self._settled.setdefault(block.id, set())
            known |= settled
            if known.issuperset(block.passages):
                self._drop(block.id)

    def take(self, move: Move, shown: Collection[str]) -> list[str]:
        """Add and drop what a move says; return a notice for each thing that is not taken."""
        notices = [notice for name in move.drop[:MOST_NOTES] if (notice := self._drop(name))]
        for draft in move.notes[:MOST_NOTES]:
            kind, text = draft.kind.strip().casefold(), " ".join(draft.text.split())[:LONGEST]
            passages = [i for i in dict.fromkeys(draft.passages) if i in shown]
            notice = refusal(kind, text, draft.passages, shown) or self._known(kind, text)
            if notice:
                notices.append(notice)
                continue
            block = self._context.remember(kind, text, passages, self._given)
            self._given.append(block.id)
            self._blocks[block.id] = block
            if kind in _SETTLING:
                self._settle(passages)
        if len(move.notes) > MOST_NOTES:
            left = len(move.notes) - MOST_NOTES
            notices.append(f"{left} notes not taken: {MOST_NOTES} are the most at once")
        questions = [" ".join(text.split())[:LONGEST] for text in move.ask[:MOST_RAISED]]
        self._asked += [q for q in questions if q and q not in self._asked]
        return notices

    def lines(self, question: str, told: Collection[str] = ()) -> list[tuple[MemoryBlock, str]]:
        """Return notes, each as a prompt shows it, of facts those nearest to the question or a search first.

        Before all stand the facts that this turn noted: their passages make room for others. A speaker's own
        facts count more than those of others. Contradictions that are about other questions
        stand behind them. Left out are leads that were followed, what a later note says again, and what was
        done, or found missing, for other questions than this one.

        Args:
            question: What is asked.
            told: Ids of passages that stand in the prompt: facts that rest on those alone are left out.
        """
        blocks = [b for b in self._standing() if b.kind != "fact" or not set(b.passages) <= set(told)]
        leads = {block.id for block in unfollowed(blocks, self._followed)}
        wordings = [question, *self._queries[self._before :]]
        near, fits = self._nearness(wordings, blocks), self._fits(wordings)
        own = [b for b in blocks if b.id in self._given or b.of_use or near[b] >= _OF_QUESTION]
        kept = [b for b in own if b.kind != "lead" or b.id in leads]
        facts = sorted((b for b in kept if b.kind == "fact"), key=lambda b: -round(fits[b], 6))
        order = iter(facts)
        shown = [next(order) if b.kind == "fact" else b for b in ranked(kept)]
        beside = [b for b in shown if b.kind == "contradiction" and near[b] < _OF_QUESTION]
        beside = [b for b in beside if b.id not in self._given]
        new = [b for b in shown if b.kind == "fact" and b.id in self._given]
        shown = [*new, *(b for b in shown if b not in beside and b not in new), *beside]
        return [(block, self._told(block)) for block in shown]

    def _told(self, block: MemoryBlock) -> str:
        """Return a note's line; of something missing that no search names, it says that: its words decide."""
        if block.kind == "lead":
            return f"{block.line} (not followed yet)"
        own = self._queries[self._before :] if block.speaker == self._context.speaker else []
        missing = block.kind == "gap" and not self._followed(block.text)
        missing = missing and not looked_for(block.text, [], self._statistics, own)
        return f"{block.line} (perhaps not looked for yet)" if missing else block.line

    def _nearness(self, wordings: Sequence[str], blocks: Sequence[MemoryBlock]) -> dict[MemoryBlock, float]:
        """Return how near the words of each note are to the nearest of some wordings."""
        texts = [block.text for block in blocks]
        fits = zip(*(self._statistics.relevance(wording, texts) for wording in wordings), strict=True)
        return {block: max(fit) for block, fit in zip(blocks, fits, strict=True)}

    def _fits(self, wordings: Sequence[str]) -> dict[MemoryBlock, float]:
        """Return how well each fact fits the nearest of some wordings; one's own counts more."""
        fits = fact_fits(wordings, self.facts, self._held, self._statistics)
        mine = self._context.speaker
        return {block: fit * (_OWN if block.speaker == mine else 1.0) for block, fit in fits.items()}

    def _standing(self) -> list[MemoryBlock]:
        """Return the notes that no later one of the same kind says again, from the same passages or more."""
        blocks, kept = self.blocks, list[MemoryBlock]()
        for place, block in enumerate(blocks):
            later = [b for b in blocks[place + 1 :] if b.kind == block.kind]
            again = [b.text for b in later if set(block.passages) <= set(b.passages)]
            if not again or max(self._statistics.relevance(block.text, again)) < _SAME:
                kept.append(block)
        return kept

    def _drop(self, name: str) -> str | None:
        if name not in self._blocks:
            return f"not dropped, there is no note {name[:20]!r}"
        del self._blocks[name]
        self._context.forget(name)
        return None

    def _known(self, kind: str, text: str) -> str | None:
        same = [b.id for b in self.blocks if b.kind == kind and folded(b.text) == folded(text)]
        return f"noted before, as {same[0]}: {text[:80]}" if same else None

    def _followed(self, lead: str) -> bool:
        """Tell whether a search has followed a lead; a query is set against it once."""
        new = self._queries[max(0, self._seen.get(lead, 0)) :]
        if self._seen.get(lead) == _DONE or not new:
            return self._seen.get(lead) == _DONE
        done = looked_for(lead, new, self._statistics)
        self._seen[lead] = _DONE if done else len(self._queries)
        return done
