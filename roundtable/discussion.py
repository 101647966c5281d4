"""The course of a session: warm start, turns by the moderator's policy, the map after each, and the report.

Every step begins by looking at the state alone, so a session that was cut off anywhere goes on from its last
event: what the journal holds is not done again, and what was under way is done anew with the replies it
already had.
"""

import asyncio
from collections.abc import AsyncIterator, Callable, Collection, Sequence
from contextlib import asynccontextmanager
from typing import Any, Literal

from agents import (
    Contribution,
    SpeakerCalled,
    SpeakRequest,
    Turn,
    TurnFailed,
    TurnTaken,
    nearness,
)
from library import Passage, citations, without_citations
from library.analysis import sentences
from mindmap import Change, Item, MapGrown, MapIndex, MapPlaced, MapStarted, Note, place, reorganize
from models import Event
from moderator import (
    SLUG,
    Answer,
    Ask,
    Close,
    Question,
    QuestionClosed,
    QuestionRaised,
    Renew,
    Standing,
    dry_answers,
    next_step,
)
from reports import ReportSettings, ReportWritten, SectionsDrafted, read_outline, write_report
from roundtable.account import brief_of, seconds_between
from roundtable.appraisal import Appraisal, Judged
from roundtable.config import Settings
from roundtable.desk import Desks
from roundtable.events import TableClosed, TableWaits, Warned
from roundtable.hearing import PERSON, Hearing
from roundtable.seating import Seating
from roundtable.services import embed
from roundtable.state import State
from roundtable.table import Call, Table
from roundtable.weighing import said_of_age, share_new, to_judge

MAP = "map"
"""Under this name the map's placing keeps step with the speakers."""


class Discussion:
    """Runs one session on its record; holds nothing that the record does not."""

    def __init__(self, desks: Desks, settings: Settings, timestamp: Callable[[], str]) -> None:
        self._desks = desks
        self._settings = settings
        self._timestamp = timestamp
        self._table = Table(desks, settings.agents)
        self.seating = Seating(desks, settings)
        self._appraisal = Appraisal(desks, settings.moderator, timestamp)
        desks.pressed = lambda: self._appraisal.spent() is not None
        self._index: MapIndex | None = None
        self._index_drops = 0
        self.hearing = Hearing(desks, settings, timestamp)
        self._calling: asyncio.Future[list[Contribution | str]] | None = None
        """The turn under way."""
        self._begun = False
        self._changed = asyncio.Event()
        """Set when a person asked for something."""

    @property
    def _state(self) -> State:
        return self._desks.record.state

    def _record(self, *events: Event) -> None:
        self._desks.record.add(*events)

    async def run(self) -> None:
        """Go on until the table closes, then write the report."""
        if not self._state.map_started:
            self._record(MapStarted(title=self._state.topic))
        if self._state.status == "running":
            await self._catch_up()
            await self._warm_up()
            while await self._step():
                pass
        if self._state.status == "closed" and not self._state.written:
            await self.write()

    async def close(self) -> None:
        """Release the team, and readings under way."""
        await self.hearing.close()
        await self._table.close()

    # The warm start

    async def _warm_up(self) -> None:
        """Search for the background, seat the panel, have the experts' first questions answered together."""
        if not await self.seating.seat():
            return
        if self._state.answers() or self._state.failed:
            return
        if not self._cut_off():
            await self._attend()
        if not self._state.wishes.stopping:
            await self._answer_together()

    async def plan(self) -> bool:
        """Do what a plan needs and nothing more; False when nothing was found and the table has closed."""
        if not self._state.map_started:
            self._record(MapStarted(title=self._state.topic))
        return await self.seating.seat()

    async def _answer_together(self) -> None:
        room = max(0, self._limit() - self._state.taken)
        first = list(self._first_questions().items())[:room]
        calls = [Call(to, self._request(q, place)) for place, (to, q) in enumerate(first)]
        if calls:
            await self._call(calls)

    def _first_questions(self) -> dict[str, Question]:
        """Return a question for each expert: a person's, put to the nearest, goes before the expert's own."""
        waiting = self._state.agenda.waiting()
        found: dict[str, Question] = {}
        for question in waiting:
            free = [p for p in self._state.panel if p.slug not in found]
            if question.to in {p.slug for p in free}:
                found[str(question.to)] = question
            elif question.to is None and free:
                text = f"{question.text} {question.search}"
                near = nearness(text, free, self._desks.library.statistics)
                found[free[max(range(len(free)), key=lambda place: (near[place], -place))].slug] = question
        return found

    # One step

    async def _step(self) -> bool:
        """Do the next step; False when the table has closed."""
        if not self._cut_off():
            await self._attend()
        await self._appraisal.look_back(MAP)
        step = next_step(self._standing(), self._settings.moderator)
        match step:
            case Close() if due := to_judge(self._state, self._state.talk.unjudged):
                in_short = self._appraisal.spent() or self._state.wishes.stopping
                by: Literal["model", "rules"] = "rules" if in_short else "model"
                self._appraisal.settle(await self._appraisal.judge(due, MAP, by))
            case Close(reason):
                self._record(TableClosed(reason=reason))
                return False
            case Answer(question, speaker):
                await self._call([Call(speaker, self._request(question, 0))])
            case Ask():
                await self._call([Call(SLUG, SpeakRequest(turn=self._state.taken + 1))])
            case Renew(leaving, question):
                await self.seating.renew(leaving, question)
        return True

    def _cut_off(self) -> bool:
        """Tell, once, whether a turn was cut off earlier: it is done again before a person is heard.

        They asked while it was under way, so what they asked for comes after it.
        """
        begun, self._begun = self._begun, True
        return not begun and bool(self._state.running())

    async def _attend(self) -> None:
        """Carry out what a person asked for, and stand still for as long as they want that."""
        wishes = self._state.wishes
        while True:
            self._changed.clear()
            await self.hearing.attend()
            if wishes.due and not any(q.by == PERSON for q in self._state.agenda.waiting()):
                self._record(TableWaits(turn=self._state.taken))
            if wishes.stopping or not wishes.standing_still:
                return
            await self._changed.wait()

    def notice(self) -> None:
        """Look at what a person asked for: they just did."""
        self._changed.set()

    def _limit(self) -> int:
        """Return the turns after which the table closes; a person's question is answered all the same."""
        state = self._state
        limit = self._settings.moderator.turns if state.extra_turns is None else state.extra_turns
        asked = any(q.by == PERSON for q in state.agenda.waiting())
        return max(limit, state.taken + 1) if asked else limit

    def _standing(self) -> Standing:
        state = self._state
        waiting = state.agenda.waiting()
        last = state.last_question()
        at_hand = waiting[0] if waiting else last
        near = (
            nearness(f"{at_hand.text} {at_hand.search}", state.panel, self._desks.library.statistics)
            if at_hand
            else []
        )
        answers = state.answers()
        return Standing(
            turns=state.taken,
            limit=self._limit(),
            waiting=waiting,
            panel=[p.slug for p in state.panel],
            spoken=[sum(turn.speaker == p.slug for turn in state.turns) for p in state.panel],
            nearness=near or [0.0] * len(state.panel),
            last_question=last,
            answered_by=state.answered_by(last),
            answers=state.answers_since_question(),
            unused=0 if state.nothing_to_ask() else len(state.unused()),
            dry=dry_answers([len(state.admitted[turn.n]) for turn in answers]),
            seated=state.taken - state.seated_at,
            spent=self._appraisal.spent(),
            stopped=state.wishes.stopping,
            novelty=share_new(state, self._settings.moderator),
            tail=state.agenda.tail(),
            tried=state.answered_by(waiting[0]) if waiting else (),
        )

    def _request(self, question: Question, place_in_step: int) -> SpeakRequest:
        number, wishes = self._state.taken + 1 + place_in_step, self._state.wishes
        search = " ".join([question.search or question.text, *wishes.steering])
        return SpeakRequest(
            turn=number, question=question.id, text=wishes.steered(question.text),
            search=search if wishes.steering else question.search,
        )

    async def _call(self, calls: Sequence[Call]) -> None:
        """Call speakers together; their contributions are journalled together, in order."""
        known, calls = self._state.called, [self._appraisal.hurried(call) for call in calls]
        new = [c for c in calls if (c.request.turn, c.speaker) not in known]
        self._record(
            *(
                SpeakerCalled(
                    turn=c.request.turn, speaker=c.speaker, question=c.request.question, hurry=c.request.hurry
                )
                for c in new
            )
        )
        async with self._placing():
            contributions = await self._said(calls)
            if contributions is None:
                return  # a person broke in: what came of the calls is journalled with that
            events: list[Event] = []
            for call, said in zip(calls, contributions, strict=True):
                events += self._take(call, said, sum(isinstance(e, QuestionRaised) for e in events))
            self._record(*events, *self._appraisal.gaps(calls, contributions, events))

    async def _said(self, calls: Sequence[Call]) -> list[Contribution | str] | None:
        """Return what was said; None when a person broke in."""
        self._calling = asyncio.ensure_future(self._table.call(calls))
        task = asyncio.current_task()
        try:
            return await self._calling
        except asyncio.CancelledError:
            if not self._desks.record.silenced or (task is not None and task.cancelling()):
                raise
            return None
        finally:
            self._calling = None
            self._desks.record.silenced = frozenset()

    @property
    def speaking(self) -> bool:
        """Whether a turn is under way that can be broken off."""
        return self._calling is not None and not self._calling.done()

    def break_off(self, speakers: Collection[str]) -> None:
        """Cancel the turn under way: what it admitted stays, and the next one has a new team."""
        if self._calling is not None:
            self._desks.record.silenced = frozenset(speakers)
            self._calling.cancel()

    def _take(self, call: Call, said: Contribution | str, raised: int) -> list[Event]:
        """Return the events of one contribution; a text in its place is the reason why nothing came."""
        request = call.request
        said = self._kept(said)
        if isinstance(said, str) or not said.text:
            reason = said if isinstance(said, str) else "nothing left to ask"
            failed = TurnFailed(
                turn=request.turn, speaker=call.speaker, question=request.question, reason=reason
            )
            waiting = request.question and self._state.agenda.questions[request.question].state == "waiting"
            closed = [QuestionClosed(id=request.question, state="open", reason=reason)] if waiting else []
            return [failed, *closed]
        question = request.question
        if age := said_of_age(self._state, self._state.agenda.questions.get(question or ""), said.citations):
            said = said.model_copy(update={"text": f"{said.text} {age}"})
        events: list[Event] = []
        if said.act == "question":
            question = f"q{len(self._state.agenda.questions) + raised + 1}"
            events.append(
                QuestionRaised(id=question, text=said.text, by=call.speaker, why=said.why, search=said.search)
            )
        events.append(
            TurnTaken(turn=self._turn(call, said, question), admitted=said.admitted, shown=said.shown)
        )
        if said.act == "answer" and question and not self._settings.moderator.returns:
            state = "answered" if said.citations else "open"
            if self._state.agenda.questions[question].state != "answered":
                events.append(QuestionClosed(id=question, state=state))
        return events

    def _kept(self, said: Contribution | str) -> Contribution | str:
        """Take out what rests on sources that a person dropped while the turn was under way."""
        if isinstance(said, str):
            return said
        if said.act == "question" and self._state.wishes.left_aside(said.text):
            return "it was about a subject that was set aside"
        passages = self._state.evidence.passages
        gone = [i for i in said.citations if self._state.wishes.about_to_bar(passages[i].url)]
        if not gone:
            return said
        text = without_citations(said.text, gone, sentences)
        if not text:
            return "it rested on a source that was dropped meanwhile"
        return said.model_copy(update={"text": text, "citations": citations(text)})

    def _turn(self, call: Call, said: Contribution, question: str | None) -> Turn:
        at = self._timestamp()
        called = self._state.called.get((call.request.turn, call.speaker), at)
        expert = next((p for p in self._state.panel if p.slug == call.speaker), None)
        return Turn(
            n=call.request.turn,
            speaker=call.speaker,
            name=expert.name if expert else self._moderator_name(),
            role="expert" if expert else "moderator",
            act=said.act,
            text=said.text,
            citations=said.citations,
            question=question,
            at=at,
            seconds=seconds_between(called, at),
        )

    def _moderator_name(self) -> str:
        return "主持人" if self._state.language.startswith("zh") else "Moderator"

    # The map

    def _map_index(self) -> MapIndex:
        drops = self._state.wishes.drops
        if self._index is None or drops != self._index_drops:
            # The index is a function of what the map holds: what left the map must leave it too.
            self._index_drops = drops
            self._index = MapIndex.built(
                self._state.map, self._state.evidence.passages, self._state.vectors
            )
        return self._index

    @asynccontextmanager
    async def _placing(self) -> AsyncIterator[None]:
        """Place what was said while the next speaker already reads; both keep step.

        How the map grows is worked out meanwhile and committed at the end: so a speaker is shown the map as
        it was when its turn began, also when the turn is done again after a crash.
        """
        await self._catch_up()
        shared = self._desks
        shared.placed.clear()
        shared.order.enter([MAP])
        work = asyncio.create_task(self._meanwhile())
        work.add_done_callback(self._placed)
        try:
            yield
        except BaseException:
            work.cancel()
            await asyncio.wait([work])
            raise
        grown, judged = await work
        if grown is not None:
            self._record(MapGrown(changes=await self._on_this_map(*grown)))
        self._appraisal.settle(judged)

    async def _meanwhile(self) -> tuple[tuple[list[Change], int] | None, Judged]:
        """Do what is done while the next speaker reads: place, grow, and judge what was answered before."""
        grown = await self._place_and_grow()
        return grown, await self._appraisal.judge(self._state.talk.judged_meanwhile(), MAP)

    async def _on_this_map(self, changes: list[Change], edits: int) -> list[Change]:
        """Work the growth out again for as long as a person edited the map meanwhile."""
        while edits != self._state.wishes.edits:
            edits = self._state.wishes.edits
            changes = await self._growth(self._state.touched)
        return changes

    def _placed(self, _work: "asyncio.Task[Any]") -> None:
        self._desks.placed.set()
        self._desks.order.leave(MAP)

    async def _catch_up(self) -> None:
        """Let the map grow where it was cut off before it could; else it grows at the end of the turn."""
        if self._state.touched is not None and self._unplaced():
            await self._grow(self._state.touched)

    async def _grow(self, touched: Collection[str] | None) -> None:
        """Work out how the map grows, and record that."""
        edits = self._state.wishes.edits
        changes = await self._growth(touched)
        while edits != self._state.wishes.edits:
            edits = self._state.wishes.edits
            changes = await self._growth(None if touched is None else self._state.touched)
        if changes or touched is not None:
            self._record(MapGrown(changes=changes))

    async def _place_and_grow(self) -> tuple[list[Change], int] | None:
        """Return how the map grows, and at which edit of it that was worked out."""
        await self._place_new()
        self._desks.placed.set()
        touched = self._state.touched
        edits = self._state.wishes.edits
        return None if touched is None else (await self._growth(touched), edits)

    def _unplaced(self) -> list[Turn]:
        return [turn for turn in self._state.turns if turn.n > self._state.placed]

    async def _place_new(self) -> None:
        """Place what the turns since the last placing brought."""
        state = self._state
        turns = self._unplaced()
        if not turns and not state.loose:
            return
        await self._embed(turns)
        edits = -1
        while edits != state.wishes.edits:  # an edit by hand meanwhile: what was worked out may not fit
            edits = state.wishes.edits
            items = [*map(self._item, turns), Item(note=None, passages=self._usable(state.loose))]
            desk, index = self._desks.desk(MAP), self._map_index()
            changes = await place(state.map, items, desk, index, self._settings.mindmap, state.language)
        self._record(MapPlaced(turn=max((t.n for t in state.turns), default=0), changes=changes))

    async def _embed(self, turns: Sequence[Turn]) -> None:
        """Have a service turn what waits for a place into vectors, when one is configured."""
        state, embedder = self._state, self._desks.services.embedder
        waiting = [i for turn in turns for i in state.admitted.get(turn.n, [])] + list(state.loose)
        new = [i for i in dict.fromkeys(waiting) if i not in state.embedded]
        if embedder is None or not new:
            return
        event = await embed(embedder, [state.evidence.passages[i] for i in new])
        warning = "passages are placed by their words alone"
        known = any(text.startswith(warning) for text in state.warnings)
        told = [Warned(text=f"{warning}: {event.error}")] if event.error and not known else []
        self._record(event, *told)

    async def _growth(self, touched: Collection[str] | None) -> list[Change]:
        state, desk = self._state, self._desks.desk(MAP)
        return await reorganize(
            state.map, touched, desk, self._map_index(), self._settings.mindmap, state.language
        )

    def _item(self, turn: Turn) -> Item:
        asked = self._state.agenda.questions.get(turn.question or "")
        answer = turn.text if turn.act == "answer" else ""
        note = Note(
            turn=turn.n, speaker=turn.name, question=asked.text if asked else turn.text, answer=answer
        )
        brought = self._usable(self._state.admitted.get(turn.n, []))
        if turn.act == "steer":
            note = note.model_copy(update={"answer": turn.text})  # nothing that waits for an answer
        held = turn.act == "answer" or (turn.role == "person" and turn.act != "note")
        return Item(note=note if held else None, passages=brought)

    def _usable(self, ids: Sequence[str]) -> list[Passage]:
        passages = [self._state.evidence.passages[i] for i in ids]
        return [passage for passage in passages if not self._state.wishes.barred(passage.url)]

    # The report

    async def write(self, settings: ReportSettings | None = None, outline: str | None = None) -> None:
        """Write the report from what there is; where something was said since the last, tidy the map first.

        Args:
            settings: How; None: as the session's settings say.
            outline: Headings with the nodes that each is written from, as `outline_text` prints them.

        Raises:
            OutlineUnreadable: the outline cannot be followed.
        """
        if not self._state.written:
            await self._catch_up()
            await self._place_new()
            await self._grow(None)
            self._appraisal.mark()
        state = self._state
        tree, evidence = state.map.copy(), state.usable()
        report = await write_report(
            brief_of(state), tree, evidence, self._desks.desk("writer"), self._desks.library.statistics,
            settings=settings or self._settings.reports,
            plans=None if outline is None else read_outline(outline, tree, evidence),
            on_section=lambda section: self._record(*state.news(section)),
            drafts=dict(state.drafts), on_drafts=lambda drafts: self._record(SectionsDrafted(drafts=drafts)),
        )  # fmt: skip
        self._record(ReportWritten(report=report))
