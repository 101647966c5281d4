"""The course of a session: warm start, turns by the moderator's policy, the map after each, and the report.

Every step begins by looking at the state alone, so a session that was cut off anywhere goes on from its last
event: what the journal holds is not done again, and what was under way is done anew with the replies it
already had.
"""

import asyncio
from collections.abc import AsyncIterator, Callable, Collection, Sequence
from contextlib import asynccontextmanager

from agents import (
    AgentSettings,
    Contribution,
    PanelSeated,
    Perspective,
    PlanPanel,
    SpeakerCalled,
    SpeakRequest,
    Turn,
    TurnFailed,
    TurnTaken,
    nearness,
    seat_panel,
)
from agents.research import Research, first_actions
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
    raise_all,
)
from reports import ReportWritten, write_report
from roundtable.account import brief_of, seconds_between, spent
from roundtable.config import Settings
from roundtable.desk import Desks
from roundtable.events import TableClosed, Warned
from roundtable.state import State
from roundtable.table import Call, Table

PERSON = "person"
MAP = "map"
"""Under this name the map's placing keeps step with the speakers."""


class Discussion:
    """Runs one session on its record; holds nothing that the record does not."""

    def __init__(self, desks: Desks, settings: Settings, timestamp: Callable[[], str]) -> None:
        self._desks = desks
        self._settings = settings
        self._timestamp = timestamp
        self._table = Table(desks, settings.agents)
        self._index: MapIndex | None = None
        self.heard: list[tuple[str, str | None]] = []
        """What a person said and nobody has taken up yet: words, and the slug of the expert they are for."""
        self.stopping = False

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
        """Release the team."""
        await self._table.close()

    # The warm start

    async def _warm_up(self) -> None:
        """Search for the background, seat the panel, have the experts' first questions answered together."""
        if not self._state.panel:
            background = await self._search_background()
            if background is None:
                self._record(TableClosed(reason="nothing was found about the topic"))
                return
            await self._seat_first(background)
        if not self._state.turns and not self.stopping:
            await self._answer_together()

    async def _search_background(self) -> list[str] | None:
        agents = self._settings.agents
        wide = AgentSettings(**{**agents.model_dump(), "passages": agents.background})
        research = Research(self._desks.desk(SLUG), wide, self._state.topic, self._state.topic)
        await research.run(first_actions(self._state.topic))
        for notice in research.findings.notices:
            if notice not in self._state.warnings:
                self._record(Warned(text=notice))
        return list(research.findings.passages) or None

    async def _seat_first(self, background: Sequence[str]) -> None:
        state, count = self._state, self._settings.agents.experts
        passages = tuple(state.evidence.passages[i] for i in background)
        task = PlanPanel(topic=state.topic, language=state.language, count=count, background=passages)
        seated = seat_panel(await self._desks.desk(SLUG).ask(task), count, {SLUG, PERSON})
        if len(seated) < count:
            # A model that proposes too few: the background's own groups fill the panel.
            draft = task.extract(self._desks.library.statistics)
            names = {p.name for p, _ in seated}
            more = seat_panel(draft, count, {SLUG, PERSON, *(p.slug for p, _ in seated)})
            seated += [(p, q) for p, q in more if p.name not in names][: count - len(seated)]
        questions = [(q or p.focus, " ".join(p.terms[:4]), p.slug, p.slug) for p, q in seated]
        self._record(PanelSeated(panel=[p for p, _ in seated]), *raise_all(state.agenda, questions))

    async def _answer_together(self) -> None:
        waiting = [q for q in self._state.agenda.waiting() if q.to]
        room = max(0, self._limit() - self._state.taken)
        calls = [Call(q.to, self._request(q, place)) for place, q in enumerate(waiting[:room]) if q.to]
        if calls:
            await self._call(calls)

    # One step

    async def _step(self) -> bool:
        """Do the next step; False when the table has closed."""
        self._hear()
        step = next_step(self._standing(), self._settings.moderator)
        match step:
            case Close(reason):
                self._record(TableClosed(reason=reason))
                return False
            case Answer(question, speaker):
                await self._call([Call(speaker, self._request(question, 0))])
            case Ask():
                await self._call([Call(SLUG, SpeakRequest(turn=self._state.taken + 1))])
            case Renew(leaving, question):
                await self._renew(leaving, question)
        return True

    def _hear(self) -> None:
        """Give a person's words a turn of their own, and put them on the agenda first."""
        while self.heard:
            text, to = self.heard.pop(0)
            number = self._state.agenda.next_id()
            turn = Turn(
                n=self._state.taken + 1, speaker=PERSON, name="You", role="person", act="question", text=text,
                citations=[], question=number, at=self._timestamp(), seconds=0.0,
            )  # fmt: skip
            self._record(QuestionRaised(id=number, text=text, by=PERSON, to=to), TurnTaken(turn=turn))

    def _limit(self) -> int:
        return self._settings.moderator.turns if self._state.extra_turns is None else self._state.extra_turns

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
            spent=self._spent(),
            stopped=self.stopping,
        )

    def _spent(self) -> str | None:
        """Return which limit leaves nothing but the report, None while there is some left."""
        budget = self._settings.moderator.budget
        used = spent(self._state, self._timestamp())
        return None if budget.level(used) == "free" else budget.nearest(used)

    def _request(self, question: Question, place_in_step: int) -> SpeakRequest:
        number = self._state.taken + 1 + place_in_step
        return SpeakRequest(turn=number, question=question.id, text=question.text, search=question.search)

    async def _call(self, calls: Sequence[Call]) -> None:
        """Call speakers together; their contributions are journalled together, in order."""
        known = self._state.called
        new = [c for c in calls if (c.request.turn, c.speaker) not in known]
        self._record(
            *(SpeakerCalled(turn=c.request.turn, speaker=c.speaker, question=c.request.question) for c in new)
        )
        async with self._placing():
            contributions = await self._table.call(calls)
            events: list[Event] = []
            for call, said in zip(calls, contributions, strict=True):
                events += self._take(call, said, sum(isinstance(e, QuestionRaised) for e in events))
            self._record(*events)

    def _take(self, call: Call, said: Contribution | str, raised: int) -> list[Event]:
        """Return the events of one contribution; a text in its place is the reason why nothing came."""
        request = call.request
        if isinstance(said, str) or not said.text:
            reason = said if isinstance(said, str) else "nothing left to ask"
            failed = TurnFailed(
                turn=request.turn, speaker=call.speaker, question=request.question, reason=reason
            )
            waiting = request.question and self._state.agenda.questions[request.question].state == "waiting"
            closed = [QuestionClosed(id=request.question, state="open", reason=reason)] if waiting else []
            return [failed, *closed]
        question = request.question
        events: list[Event] = []
        if said.act == "question":
            question = f"q{len(self._state.agenda.questions) + raised + 1}"
            events.append(
                QuestionRaised(id=question, text=said.text, by=call.speaker, why=said.why, search=said.search)
            )
        events.append(
            TurnTaken(turn=self._turn(call, said, question), admitted=said.admitted, shown=said.shown)
        )
        if said.act == "answer" and question:
            state = "answered" if said.citations else "open"
            if self._state.agenda.questions[question].state != "answered":
                events.append(QuestionClosed(id=question, state=state))
        return events

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

    async def _renew(self, leaving: str, question: Question) -> None:
        """Replace one expert by one who is near to what the talk has come to."""
        state = self._state
        staying = [p for p in state.panel if p.slug != leaving]
        unused = [state.evidence.passages[i] for i in state.unused()]
        near = self._desks.library.statistics.relevance(
            f"{question.text} {question.search}", [p.text for p in unused]
        )
        ranked = sorted(zip(near, unused, strict=True), key=lambda pair: -pair[0])
        background = tuple(passage for _, passage in ranked[: self._settings.agents.background])
        task = PlanPanel(
            topic=f"{state.topic}: {question.text}", language=state.language, count=1,
            background=background, present=tuple(f"{p.name}: {p.focus}" for p in staying),
        )  # fmt: skip
        taken = {SLUG, PERSON, *(p.slug for panel in state.panels for p in panel)}
        new: list[Perspective] = [p for p, _ in seat_panel(await self._desks.desk(SLUG).ask(task), 1, taken)]
        panel = [*staying, *new] if new else state.panel
        self._record(PanelSeated(panel=panel, reason=f"the talk has come to: {question.text}"))

    # The map

    def _map_index(self) -> MapIndex:
        if self._index is None:
            self._index = MapIndex.built(self._state.map, self._state.evidence.passages)
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
        work = asyncio.create_task(self._place_and_grow())
        work.add_done_callback(self._placed)
        try:
            yield
        except BaseException:
            work.cancel()
            await asyncio.wait([work])
            raise
        if (changes := await work) is not None:
            self._record(MapGrown(changes=changes))

    def _placed(self, _work: asyncio.Task[list[Change] | None]) -> None:
        self._desks.placed.set()
        self._desks.order.leave(MAP)

    async def _catch_up(self) -> None:
        """Let the map grow where it was cut off before it could; else it grows at the end of the turn."""
        if self._state.touched is not None and self._unplaced():
            self._record(MapGrown(changes=await self._growth(self._state.touched)))

    async def _place_and_grow(self) -> list[Change] | None:
        await self._place_new()
        self._desks.placed.set()
        touched = self._state.touched
        return None if touched is None else await self._growth(touched)

    def _unplaced(self) -> list[Turn]:
        return [turn for turn in self._state.turns if turn.n > self._state.placed]

    async def _place_new(self) -> None:
        """Place what the turns since the last placing brought."""
        state = self._state
        turns = self._unplaced()
        if not turns and not state.loose:
            return
        loose = Item(note=None, passages=[state.evidence.passages[i] for i in state.loose])
        items = [*map(self._item, turns), loose]
        desk, index = self._desks.desk(MAP), self._map_index()
        changes = await place(state.map, items, desk, index, self._settings.mindmap, state.language)
        self._record(MapPlaced(turn=max((t.n for t in state.turns), default=0), changes=changes))

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
        brought = [self._state.evidence.passages[i] for i in self._state.admitted.get(turn.n, [])]
        return Item(note=note if turn.act == "answer" else None, passages=brought)

    # The report

    async def write(self) -> None:
        """Tidy the map and write the report from what there is."""
        await self._catch_up()
        await self._place_new()
        if changes := await self._growth(None):
            self._record(MapGrown(changes=changes))
        state = self._state
        report = await write_report(
            brief_of(state), state.map, state.evidence, self._desks.desk("writer"),
            self._desks.library.statistics, settings=self._settings.reports,
        )  # fmt: skip
        self._record(ReportWritten(report=report))
