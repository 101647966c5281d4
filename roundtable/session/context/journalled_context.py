"""The context of one speaker: what it does is done once, journalled in order, and had again for nothing."""

from collections.abc import Collection, Mapping, Sequence

from agents import MemoryAdded, MemoryBlock, MemoryDropped, PlaceRecord, SearchPlace, TurnHurried
from library import AdmittedPassage, Passage, PassagesAdmitted, Reranked
from models import Event
from roundtable.session.context.journalled_actions import JournalledActions
from roundtable.session.context.services import place_records, rerank, reranking_key
from roundtable.session.context.shared_context import SharedContext


class JournalledContext(JournalledActions):
    """One speaker's context; see `agents.SpeakerContext`."""

    def __init__(self, speaker: str, shared: SharedContext) -> None:
        super().__init__(speaker, shared)
        self._shown = (0, 0)
        """Which call of the speaker the turn under way began with, and how often it was shown passages."""

    @property
    def speaker(self) -> str:
        """Slug of the speaker."""
        return self._speaker

    @property
    def places(self) -> Sequence[SearchPlace]:
        """Where one can search."""
        return [SearchPlace(c.name, c.description, c.local) for c in self._shared.library.collections]

    @property
    def computes(self) -> bool:
        """Whether Python can be run for figures."""
        return self._shared.services.sandbox is not None

    @property
    def looks(self) -> bool:
        """Whether pages can be looked at."""
        return self._shared.library.looks

    def hurried(self, turn: int, number: int) -> bool:
        """Tell whether a round answers with what there is, for a budget is nearly spent.

        It is decided once a turn, and told: in a turn that is done again after a crash, it stays so.
        """
        events = self._state.under_way.side_events.get(self._speaker, ())
        if told := [event for event in events if isinstance(event, TurnHurried)]:
            return number >= told[0].round
        if not self._shared.pressed():
            return False
        self.record(TurnHurried(speaker=self._speaker, turn=turn, round=number))
        return True

    @property
    def reranks(self) -> bool:
        """Whether a service judges how well passages answer a query."""
        return self._shared.services.reranker is not None

    def records(self, question: str) -> Mapping[str, PlaceRecord]:
        """Return how each place that was searched did before this turn, for a question's id."""
        return place_records(self._state, question, self._called)

    def queries_before(self) -> list[str]:
        """Return what had been searched for when this speaker's turn began, in order."""
        before = self._state.work.searches_before(self._called).values()
        return list(dict.fromkeys(search.query for search in before))

    def memory(self) -> list[MemoryBlock]:
        """Return the notes that stood when this speaker's turn began, in order."""
        return self._state.memory.standing_at(self._called)

    def unrelated_since(self) -> list[MemoryBlock]:
        """Return what was called another matter since this turn began, as far as that was known.

        So a turn that is done again after a crash knows at each point what it knew then.
        """
        count = self._shown[1] if self._shown[0] == self._called else 0
        times = self._state.under_way.shown_at.get(self._speaker, [])[:count]
        until = times[-1] if times else self._called
        blocks = self._state.memory.standing_at(until)
        return [b for b in blocks if b.kind == "unrelated" and b.added > self._called]

    def remember(self, kind: str, text: str, passages: Sequence[str], given: Collection[str]) -> MemoryBlock:
        """Keep a note; in a turn that is done again after a crash, one that was kept before has its id."""
        memory = self._state.memory
        before = memory.kept(self._speaker, self._called, kind, text, given)
        if before is not None:
            return before
        number = memory.next_id()
        added = MemoryAdded(id=number, speaker=self._speaker, note=kind, text=text, passages=list(passages))
        self._shared.record.add(added)
        return memory.blocks[number]

    def forget(self, block_id: str) -> None:
        """Drop a note, unless somebody has dropped it meanwhile."""
        block = self._state.memory.blocks[block_id]
        if not block.dropped:
            self._shared.record.add(MemoryDropped(id=block_id, speaker=self._speaker))

    async def rerank(self, query: str, passages: Sequence[Passage]) -> list[float] | None:
        """Return a service's judgement of passages, had again for nothing when the journal holds it."""
        reranker = self._shared.services.reranker
        if reranker is None or not reranker.may_have(passages):
            return None
        key = reranking_key(query, passages)
        event: Reranked | None = None
        if key not in self._state.work.reranked:
            event = await rerank(reranker, query, passages, self._shared.clock, self._speaker)
        await self._shared.barrier.arrive(self._speaker)
        if event is not None and key not in self._state.work.reranked:
            self._shared.record.add(event)
        return self._state.work.reranked[key].scores

    def known(self, passages: Sequence[Passage]) -> set[tuple[str, int, int]]:
        """Return the keys of those that the session has admitted before this speaker's turn."""
        state = self._state
        own = set(state.under_way.newly_admitted.get(self._speaker, ()))
        ids = state.gathered.ids
        return {p.key for p in passages if p.key in ids and ids[p.key] not in own}

    def admitted_before(self) -> list[Passage]:
        """Return what the session had admitted when this speaker's turn began, in order, with its ids."""
        state, called = self._state, self._called
        passages = state.evidence.passages.values()
        earlier = [p for p in passages if state.gathered.admitted_at[p.key] < called]
        return [passage for passage in earlier if not state.barred(passage)]

    def seen_before(self) -> Mapping[str, int]:
        """Return the ids of passages that this speaker was shown, each with in how many earlier turns."""
        return self._state.seen.get(self._speaker, {})

    def record(self, event: Event) -> None:
        """Journal something that happened; what the turn told before a crash is not told again."""
        if event not in self._state.under_way.side_events.get(self._speaker, ()):
            self._shared.record.add(event)

    async def settled(self) -> None:
        """Wait until what was said before stands in the map, without holding up whoever places it."""
        await self._shared.barrier.stand_still(self._speaker)

    def admit(self, passages: Sequence[tuple[Passage, float]]) -> list[tuple[Passage, bool]]:
        """Give ids to passages that are about to be shown; known ones keep theirs.

        What to show depends on what others have brought meanwhile. So it is decided once: in a turn that is
        done again after a crash, what the journal says was shown is shown.
        """
        state = self._state
        ids = self._shown_before()
        if ids is None:
            self._record_shown(passages)
            ids = [state.gathered.ids[passage.key] for passage, _ in passages]
        fresh = set(state.under_way.newly_admitted.get(self._speaker, ()))
        return [(state.evidence.passages[i], i in fresh) for i in ids]

    def _shown_before(self) -> list[str] | None:
        """Return what was shown at this point of the turn before a crash; None when it is the first time."""
        called = self._called
        count = self._shown[1] if self._shown[0] == called else 0
        self._shown = (called, count + 1)
        told = self._state.under_way.shown_to.get(self._speaker, [])
        return told[count] if count < len(told) else None

    def _record_shown(self, passages: Sequence[tuple[Passage, float]]) -> None:
        state, new = self._state, dict[tuple[str, int, int], AdmittedPassage]()
        for passage, score in passages:
            if passage.key not in state.gathered.ids and passage.key not in new:
                number = f"p{len(state.evidence.passages) + len(new) + 1}"
                new[passage.key] = AdmittedPassage(id=number, span=passage.key, score=round(score, 4))
        ids = [new[p.key].id if p.key in new else state.gathered.ids[p.key] for p, _ in passages]
        admitted = PassagesAdmitted(speaker=self._speaker, passages=list(new.values()), shown=ids)
        self._shared.record.add(admitted)


class ContextFactory(SharedContext):
    """Makes the context of each speaker."""

    def of(self, speaker: str) -> JournalledContext:
        """Return a speaker's context."""
        return JournalledContext(speaker, self)
