"""What a session does with its map: places what was said, lets it grow, and tidies it before the report.

While speakers look for what they will say, what was said before them is placed and judged in one request; it
stands in the map before they are shown it. How the map then grows is worked out while they think, and
committed when they are through: so a speaker is shown the map as it was, also when a turn is done again
after a crash.
"""

import asyncio
import sys
from collections.abc import AsyncIterator, Collection, Sequence
from contextlib import asynccontextmanager
from typing import Any

from agents import Turn
from library import Passage, without_citations
from library.text import is_question, sentences
from mindmap import Change, Item, MapGrown, MapIndex, MapPlaced, Note, placement, reorganize
from models import EMBEDDED, Asks, Event, Task
from moderator import SLUG
from roundtable.config.config import Settings
from roundtable.journal.events import Warned
from roundtable.journal.fold.state import State
from roundtable.session.context.joint_requests import AskedAlong
from roundtable.session.context.journalled_context import ContextFactory
from roundtable.session.context.services import embed
from roundtable.session.judging.answer_weighing import judgement, to_judge
from roundtable.session.judging.evaluation import Evaluation, Judged

MAP = "map"
"""Under this name the map is placed and judged for."""


class MapWork:
    """Keeps one session's map; holds nothing that the record does not."""

    def __init__(self, contexts: ContextFactory, settings: Settings, evaluation: Evaluation) -> None:
        self._contexts = contexts
        self._settings = settings
        self._evaluation = evaluation
        self._index: MapIndex | None = None
        self._index_drops = 0

    @property
    def _state(self) -> State:
        return self._contexts.record.state

    @property
    def _judges(self) -> bool:
        """Whether a language model places; its map is not grouped again."""
        return self._contexts.models["judge"].name != EMBEDDED

    def _record(self, *events: Event) -> None:
        self._contexts.record.add(*events)

    @asynccontextmanager
    async def meanwhile(self, speakers: Collection[str]) -> AsyncIterator[None]:
        """Place and judge what was said, and let the map grow, while speakers speak."""
        await self.catch_up()
        barrier = self._contexts.barrier
        barrier.follow(MAP)
        # A question is asked in one request: growing would be waited for, so the next answer takes it along.
        grows = set(speakers) != {SLUG}
        work = asyncio.create_task(self._work(grows=grows))
        work.add_done_callback(lambda _: barrier.go_on())
        try:
            yield
        except BaseException:
            work.cancel()
            await asyncio.wait([work])
            barrier.through()
            raise
        barrier.through()
        grown, judged = await work
        if grown is not None:
            self._record(MapGrown(changes=await self._on_this_map(*grown)))
        await self._evaluation.settle(judged)

    async def _work(self, *, grows: bool) -> tuple[tuple[list[Change], int] | None, Judged]:
        judged = await self.place(self._state.talk.judged_meanwhile())
        self._contexts.barrier.go_on()
        changed, edits = self._state.map_course.changed_nodes, self._state.controls.edits
        grown = None if changed is None or not grows else (await self._growth(changed), edits)
        return grown, judged

    async def _on_this_map(self, changes: list[Change], edits: int) -> list[Change]:
        """Work the growth out again for as long as a person edited the map meanwhile."""
        while edits != self._state.controls.edits:
            edits = self._state.controls.edits
            changes = await self._growth(self._state.map_course.changed_nodes)
        return changes

    async def catch_up(self) -> None:
        """Let the map grow where it was cut off before it could; else it grows at the end of the turn."""
        waiting = self._unplaced()
        changed = self._state.map_course.changed_nodes
        if changed is not None and any(turn.act != "question" for turn in waiting):
            await self._grow(changed)

    async def tidy(self, judged: Sequence[Turn]) -> Judged:
        """Place what waits, bring the whole map into shape, and judge what is left to judge meanwhile."""
        await self.catch_up()
        brought = [i for turn in self._unplaced() for i in self._brought(turn)]
        if brought or self._wanted(self._state.under_way.unplaced):
            verdicts = await self.place(judged)
            await self._grow(None)
            return verdicts
        await self.place([])  # notes alone, for which nothing is asked
        due = to_judge(self._state, judged)
        statistics = self._contexts.library.statistics
        judging = [judgement(self._state, turn, statistics) for turn in due]
        asks = AskedAlong(self._contexts.of(MAP), judging)
        await self._grow(None, asks)
        return list(zip(due, await asks.outputs(), strict=True))

    async def _grow(self, changed: Collection[str] | None, asks: Asks | None = None) -> None:
        """Work out how the map grows, and record that."""
        edits = self._state.controls.edits
        changes = await self._growth(changed, asks)
        while edits != self._state.controls.edits:
            edits = self._state.controls.edits
            now = None if changed is None else self._state.map_course.changed_nodes
            changes = await self._growth(now, asks)
        if changes or changed is not None:
            self._record(MapGrown(changes=changes))

    async def _growth(self, changed: Collection[str] | None, asks: Asks | None = None) -> list[Change]:
        state, asks = self._state, asks or self._contexts.of(MAP)
        return await reorganize(
            state.map, changed, asks, self._map_index(), self._settings.mindmap, state.language,
            stands=self._judges,
        )  # fmt: skip

    async def place(self, judged: Sequence[Turn]) -> Judged:
        """Place what the turns since the last placing brought, and judge answers with it, in one request."""
        state, context = self._state, self._contexts.of(MAP)
        due = to_judge(state, judged)
        statistics = self._contexts.library.statistics
        questions: list[Task[Any]] = [judgement(state, turn, statistics) for turn in due]
        turns, loose = self._unplaced(), self._usable(self._wanted(state.under_way.unplaced))
        last = max((turn.n for turn in state.turns), default=0)
        if not turns and not loose:
            return list(zip(due, await context.ask_jointly(questions), strict=True))
        await self._embed(turns)
        index, edits = self._map_index(), -1
        changes: list[Change] = []
        outside: list[str] = []
        verdicts: list[Any] | None = None
        while edits != state.controls.edits:  # an edit by hand meanwhile: what was worked out may not fit
            edits = state.controls.edits
            items = [*map(self._item, turns), Item(note=None, passages=loose)]
            placing = placement(state.map, items, index, self._settings.mindmap, state.language)
            tasks = [*([placing.task] if placing.task else []), *(questions if verdicts is None else [])]
            replies: list[Any] = await context.ask_jointly(tasks) if tasks else []
            changes = placing.changes(replies.pop(0) if placing.task else None)
            outside = placing.outside(changes)
            verdicts = replies if verdicts is None else verdicts
        await self._contexts.barrier.arrive(MAP)
        if outside:
            self._index = None  # a resumed session's knows only what has a place
        self._record(MapPlaced(turn=last, changes=changes, outside=outside))
        return list(zip(due, verdicts or [], strict=True))

    def _unplaced(self) -> list[Turn]:
        return [turn for turn in self._state.turns if turn.n > self._state.map_course.placed]

    def _wanted(self, brought: Sequence[str]) -> list[str]:
        """Return those of some passages that want a place.

        Of a subject the map is the report's outline and holds all that was found. Of what was found for a
        question a language model places what somebody cited or noted; without one nobody can tell noise.
        """
        if not self._judges or not is_question(self._state.topic):
            return list(brought)
        cited = {i for turn in self._state.turns for i in turn.citations}
        noted = self._noted()
        return [i for i in brought if i in cited or i in noted]

    def _noted(self) -> set[str]:
        """Return the passages of notes of use as they stood when the turns under way began.

        What is noted meanwhile counts when its turn is over: one done after a crash has its notes already.
        """
        state = self._state
        began = [state.under_way.called_at[call.speaker] for call in state.running()]
        notes = state.memory.standing_at(min(began, default=sys.maxsize))
        return {i for note in notes if note.of_use for i in note.passages}

    def _brought(self, turn: Turn) -> list[str]:
        """Return the passages that a turn brings to the map: its own, and those it cites from before."""
        brought = [*self._state.admitted.get(turn.n, []), *turn.citations]
        return [i for i in dict.fromkeys(self._wanted(brought)) if self._state.map.where(i) is None]

    async def _embed(self, turns: Sequence[Turn]) -> None:
        """Have a service turn what waits for a place into vectors, when one is configured."""
        state, embedder = self._state, self._contexts.services.embedder
        waiting = [i for turn in turns for i in self._brought(turn)] + self._wanted(state.under_way.unplaced)
        new = [i for i in dict.fromkeys(waiting) if i not in state.work.embedded]
        if embedder is None or not new:
            return
        event = await embed(embedder, [state.evidence.passages[i] for i in new])
        warning = "passages are placed by their words alone"
        known = any(text.startswith(warning) for text in state.warnings)
        told = [Warned(text=f"{warning}: {event.error}")] if event.error and not known else []
        await self._contexts.barrier.arrive(MAP)
        self._record(event, *told)

    def _item(self, turn: Turn) -> Item:
        asked = self._state.agenda.questions.get(turn.question or "")
        answer = self._standing(turn) if turn.act == "answer" else ""
        note = Note(
            turn=turn.n, speaker=turn.name, question=asked.text if asked else turn.text, answer=answer
        )
        brought = self._usable(self._brought(turn))
        if turn.act == "steer":
            note = note.model_copy(update={"answer": turn.text})  # nothing that waits for an answer
        held = turn.act == "answer" or (turn.role == "person" and turn.act != "note")
        return Item(note=note if held else None, passages=brought)

    def _standing(self, turn: Turn) -> str:
        """Return an answer without what rests on sources that a person dropped since it was given."""
        passages = self._state.evidence.passages
        gone = [i for i in turn.citations if self._state.controls.barred(passages[i].url)]
        return without_citations(turn.text, gone, sentences) if gone else turn.text

    def _usable(self, ids: Sequence[str]) -> list[Passage]:
        passages = [self._state.evidence.passages[i] for i in ids]
        return [passage for passage in passages if not self._state.controls.barred(passage.url)]

    def _map_index(self) -> MapIndex:
        drops = self._state.controls.drops
        if self._index is None or drops != self._index_drops:
            # The index is a function of what the map holds: what left the map must leave it too.
            self._index_drops = drops
            state = self._state
            self._index = MapIndex.built(state.map, state.evidence.passages, state.work.vectors)
        return self._index
