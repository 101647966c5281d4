"""The desk of one speaker: what it does is done once, journalled in order, and had again for nothing."""

import asyncio
from collections.abc import Awaitable, Callable, Collection, Mapping, Sequence
from typing import Any

from agents import (
    Action,
    Found,
    MemoryAdded,
    MemoryBlock,
    MemoryDropped,
    Observation,
    PlaceRecord,
    SearchPlace,
    TurnHurried,
)
from library import (
    AdmittedPassage,
    Computed,
    FetchError,
    FoundHit,
    Hit,
    Library,
    PageRead,
    Passage,
    PassagesAdmitted,
    ReadError,
    Reranked,
    Searched,
    SearchError,
    TextStatistics,
    select,
)
from library.safety import PublicWords
from library.search import KeptHits
from models import Event, Model, ModelReplied, OutputT, Reply, ReplyUnusable, Role, Task, Usage
from roundtable.journal.clock import Clock
from roundtable.journal.event_log import EventLog
from roundtable.journal.state import search_key
from roundtable.session.commit_barrier import CommitBarrier
from roundtable.session.joint_requests import key_of, replied_jointly
from roundtable.session.live_writing import Speaking
from roundtable.session.services import Services, compute, place_records, rerank, reranking_key

_REMEMBERED = 40
"""Searches, and pages, whose results still tell what the topic looks like."""


class ContextFactory:
    """What all desks share: the library, a model for each role, the record, the clock, and the order."""

    def __init__(
        self,
        library: Library,
        models: Mapping[Role, Model],
        record: EventLog,
        clock: Clock,
        *,
        results: int,
        services: Services | None = None,
    ) -> None:
        self.library = library
        self.services = services or Services()
        self.pressed: Callable[[], bool] = lambda: False
        """Whether a budget is nearly spent: then experts answer with what they have."""
        self.exhausted: Callable[[], str | None] = lambda: None
        """Which budget of the models is spent: then nothing more is asked of them."""
        self.models = models
        self.agent_of: Callable[[str], Model | None] = lambda _: None
        """Who answers in a speaker's place instead of the role's model: an AutoGen agent."""
        self.seat_model: Callable[[str], Model | None] = lambda _: None
        """The model of an expert's own seat; None: the model of all experts."""
        self.record = record
        self.clock = clock
        self.order = CommitBarrier()
        self.speaking = Speaking()
        self.results = results
        self.guarded = True
        """Whether queries to places outside hold public words alone while private documents are searched."""
        self.ahead = 0
        """Pages of a search that are read while others are waited for: as many as will be read anyway."""

    def desk(self, speaker: str) -> "JournalledContext":
        """Return a speaker's desk."""
        return JournalledContext(speaker, self)


class JournalledContext:
    """One speaker's desk; see `agents.Desk`."""

    def __init__(self, speaker: str, shared: ContextFactory) -> None:
        self._speaker = speaker
        self._shared = shared
        self._state = shared.record.state
        self._shown = (0, 0)
        """Which call of the speaker the turn under way began with, and how often it was shown passages."""
        self._public: tuple[int, PublicWords] | None = None
        """The words that are public in the turn that began with that call."""

    @property
    def speaker(self) -> str:
        """Slug of whose desk it is."""
        return self._speaker

    @property
    def statistics(self) -> TextStatistics:
        """Text statistics over what the library holds."""
        return self._shared.library.statistics

    @property
    def places(self) -> Sequence[SearchPlace]:
        """Where one can search."""
        return [SearchPlace(c.name, c.description, c.local) for c in self._shared.library.collections]

    @property
    def computes(self) -> bool:
        """Whether Python can be run for figures."""
        return self._shared.services.sandbox is not None

    def hurried(self, turn: int, number: int) -> bool:
        """Tell whether a round answers with what there is, for a budget is nearly spent.

        It is decided once a turn, and told: in a turn that is done again after a crash, it stays so.
        """
        told = [e for e in self._state.side_events.get(self._speaker, ()) if isinstance(e, TurnHurried)]
        if told:
            return number >= told[0].round
        if not self._shared.pressed():
            return False
        self.record(TurnHurried(speaker=self._speaker, turn=turn, round=number))
        return True

    @property
    def reranks(self) -> bool:
        """Whether a service judges how well passages answer a query."""
        return self._shared.services.reranker is not None

    @property
    def _called(self) -> int:
        """Number of the event with which this speaker's turn began."""
        return self._state.called_at.get(self._speaker, 0)

    def records(self, question: str) -> Mapping[str, PlaceRecord]:
        """Return how each place that was searched did before this turn, for a question's id."""
        return place_records(self._state, question, self._called)

    def queries_before(self) -> list[str]:
        """Return what had been searched for when this speaker's turn began, in order."""
        state, called = self._state, self._called
        before = [s.query for key, s in state.searches.items() if state.done_at[key] < called]
        return list(dict.fromkeys(before))

    def memory(self) -> list[MemoryBlock]:
        """Return the notes that stood when this speaker's turn began, in order."""
        return self._state.memory.standing_at(self._called)

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
        if key not in self._state.reranked:
            event = await rerank(reranker, query, passages, self._shared.clock, self._speaker)
        await self._shared.order.arrive(self._speaker)
        if event is not None and key not in self._state.reranked:
            self._shared.record.add(event)
        return self._state.reranked[key].scores

    def known(self, passages: Sequence[Passage]) -> set[tuple[str, int, int]]:
        """Return the keys of those that the session has admitted before this speaker's turn."""
        state = self._state
        own = set(state.newly_admitted.get(self._speaker, ()))
        return {p.key for p in passages if p.key in state.spans and state.spans[p.key] not in own}

    def admitted_before(self) -> list[Passage]:
        """Return what the session had admitted when this speaker's turn began, in order, with its ids."""
        state, called = self._state, self._called
        passages = state.evidence.passages.values()
        earlier = [p for p in passages if state.admitted_at[p.key] < called]
        return [passage for passage in earlier if not state.controls.barred(passage.url)]

    def found_before(self) -> list[Passage]:
        """Return what had been found when this speaker's turn began, the newest last."""
        state, found = self._state, dict[tuple[str, int, int], Passage]()
        called = state.called_at.get(self._speaker, 0)
        earlier = [s for key, s in state.searches.items() if state.done_at[key] < called][-_REMEMBERED:]
        for span in (hit.span for search in earlier for hit in search.hits if hit.span):
            found[span] = state.source(span[0]).passage(*span[1:])
        pages = [page for url, page in state.pages.items() if state.done_at["", url] < called][-_REMEMBERED:]
        for page in pages:
            found |= (
                {p.key: p for p in self._shared.library.passages(page.sha256 or "")} if page.sha256 else {}
            )
        return [passage for passage in found.values() if not state.controls.barred(passage.url)]

    def record(self, event: Event) -> None:
        """Journal something that happened; what the turn told before a crash is not told again."""
        if event not in self._state.side_events.get(self._speaker, ()):
            self._shared.record.add(event)

    async def settled(self) -> None:
        """Wait until what was said before stands in the map, without holding up whoever places it."""
        await self._shared.order.stand_still(self._speaker)

    async def perform(self, actions: Sequence[Action]) -> list[Observation]:
        """Run actions at the same time; journal what came of them in the order of the actions."""
        jobs = [(action, job) for action in actions for job in self._jobs(action)]
        results = await asyncio.gather(*(self._run(action, job) for action, job in jobs))
        self._read_ahead(results)
        await self._shared.order.arrive(self._speaker)
        for (_, job), result in zip(jobs, results, strict=True):
            if self._known(job) is None and result is not None:
                self._shared.record.add(result)
        return [self._observe(action) for action in actions]

    def _read_ahead(self, results: Sequence[object]) -> None:
        """Begin to read the best pages that a search found, while those at work at the same time are awaited.

        They are read anyway; whether they are, and what is journalled of it, does not depend on this.
        """
        found = [r for r in results if isinstance(r, Searched) and any(hit.span is None for hit in r.hits)]
        if len(found) == 1:
            urls = [hit.url for hit in found[0].hits if hit.span is None][: self._shared.ahead]
            self._shared.library.read_ahead([url for url in urls if url not in self._state.pages])

    def _jobs(self, action: Action) -> list[tuple[str, str]]:
        """Return what an action comes down to: ("", url or computation), or (query, place) for each place."""
        if action.kind != "search":
            return [("", action.url or action.key)]
        places = action.where or [p.name for p in self.places]
        return [(self._sayable(action.query, place), place) for place in places]

    def _sayable(self, query: str, where: str) -> str:
        """Return a query as it may be put to a place: what only private documents hold stays here.

        What counts as public is what was known when this speaker's turn began, so that a turn that is done
        again after a crash asks the same.
        """
        collections = self._shared.library.collections
        outside = any(c.name == where and not c.local for c in collections)
        if not (self._shared.guarded and outside and any(c.private for c in collections)):
            return query
        if self._public is None or self._public[0] != self._called:
            self._public = self._called, self._public_words()
        return self._public[1].query(query, self._state.topic)

    def _public_words(self) -> PublicWords:
        collections, state, called = self._shared.library.collections, self._state, self._called
        said = [turn.text for turn in state.turns if turn.role == "person"]
        public = [f"{p.title} {p.text}" for p in self.found_before() if not p.private]
        outer = {c.name for c in collections if not c.local}
        hits = [
            f"{hit.title} {hit.snippet}"
            for key, search in state.searches.items()
            if key[1] in outer and state.done_at[key] < called
            for hit in search.hits
        ]
        return PublicWords([state.topic, *said, *public, *hits])

    def _known(self, job: tuple[str, str]) -> Searched | PageRead | Computed | None:
        query, where = job
        if query:
            return self._state.searches.get(search_key(query, where))
        return self._state.pages.get(where) or self._state.computed.get(where)

    async def _run(self, action: Action, job: tuple[str, str]) -> Searched | PageRead | Computed | None:
        if self._known(job) is not None:
            return None
        query, where = job
        sandbox = self._shared.services.sandbox
        if action.kind == "compute" and sandbox is not None:
            shared = self._shared
            passages = [self._state.evidence.passages[i] for i in action.passages]
            return await compute(sandbox, action, passages, shared.library, shared.clock, self._speaker)
        return await (self._search(query, where) if query else self._read(where))

    async def _search(self, query: str, where: str) -> Searched:
        began = self._shared.clock.monotonic()
        error: str | None = None
        hits: list[FoundHit] = []
        cached = False
        try:
            found = await self._shared.library.search(query, where, self._shared.results)
            hits, cached = [_found_hit(hit) for hit in found], isinstance(found, KeptHits)
        except SearchError as failure:
            error = str(failure)
        seconds = self._shared.clock.monotonic() - began
        return Searched(speaker=self._speaker, query=query, where=where, hits=hits, error=error,
                        seconds=round(seconds, 3), cached=cached)  # fmt: skip

    async def _read(self, url: str) -> PageRead:
        began = self._shared.clock.monotonic()
        sha256, title, error = None, "", None
        try:
            source = await self._shared.library.read(url)
            sha256, title = source.sha256, source.title
        except (FetchError, ReadError) as failure:
            error = str(failure)
        seconds = self._shared.clock.monotonic() - began
        return PageRead(speaker=self._speaker, url=url, sha256=sha256, title=title, error=error,
                        seconds=round(seconds, 3))  # fmt: skip

    def _had_before(self, job: tuple[str, str]) -> bool:
        """Tell whether something was done before this speaker's turn began (not in it, before a crash)."""
        query, where = job
        key = search_key(query, where) if query else job
        return self._state.done_at[key] < self._state.called_at.get(self._speaker, 0)

    def _observe(self, action: Action) -> Observation:
        jobs = self._jobs(action)
        results = [result for job in jobs if (result := self._known(job)) is not None]
        found: list[Found] = []
        passages: list[Passage] = []
        for result in results:
            if isinstance(result, Searched):
                found += [self._found(hit, result.where) for hit in result.hits]
            elif result.sha256:
                passages += self._shared.library.passages(result.sha256)
        problems = [_problem(result) for result in results if result.error]
        if action.kind == "search":
            found += self._put_on_the_table(action.query)
        barred = self._state.controls.barred
        return Observation(
            action,
            tuple(f for f in found if not barred(f.url)),
            tuple(p for p in passages if not barred(p.url)),
            tuple(problems),
            all(map(self._had_before, jobs)),
        )

    def _put_on_the_table(self, query: str) -> list[Found]:
        """Return what a person had read before this turn and fits a query: it stands in no collection."""
        state, called = self._state, self._state.called_at.get(self._speaker, 0)
        read = [
            page.sha256
            for url, page in state.pages.items()
            if page.speaker == "person" and page.sha256 and state.done_at["", url] < called
        ]
        passages = [passage for sha256 in read for passage in self._shared.library.passages(sha256)]
        if not passages:
            return []
        chosen = select(query, passages, self.statistics, limit=self._shared.results, threshold=0.0)
        return [
            Found(c.passage.url, c.passage.title, c.passage.text[:300], "person", c.score, c.passage)
            for c in chosen
        ]

    def _found(self, hit: FoundHit, where: str) -> Found:
        passage = None
        if hit.span is not None:
            sha256, start, end = hit.span
            passage = self._state.source(sha256).passage(start, end)
        return Found(hit.url, hit.title, hit.snippet, where, hit.score, passage)

    def admit(self, passages: Sequence[tuple[Passage, float]]) -> list[tuple[Passage, bool]]:
        """Give ids to passages that are about to be shown; known ones keep theirs.

        What to show depends on what others have brought meanwhile. So it is decided once: in a turn that is
        done again after a crash, what the journal says was shown is shown.
        """
        state = self._state
        ids = self._shown_before()
        if ids is None:
            self._record_shown(passages)
            ids = [state.spans[passage.key] for passage, _ in passages]
        fresh = set(state.newly_admitted.get(self._speaker, ()))
        return [(state.evidence.passages[i], i in fresh) for i in ids]

    def _shown_before(self) -> list[str] | None:
        """Return what was shown at this point of the turn before a crash; None when it is the first time."""
        called = self._state.called_at.get(self._speaker, 0)
        count = self._shown[1] if self._shown[0] == called else 0
        self._shown = (called, count + 1)
        told = self._state.shown_to.get(self._speaker, [])
        return told[count] if count < len(told) else None

    def _record_shown(self, passages: Sequence[tuple[Passage, float]]) -> None:
        state, new = self._state, dict[tuple[str, int, int], AdmittedPassage]()
        for passage, score in passages:
            if passage.key not in state.spans and passage.key not in new:
                number = f"p{len(state.evidence.passages) + len(new) + 1}"
                new[passage.key] = AdmittedPassage(id=number, span=passage.key, score=round(score, 4))
        ids = [new[p.key].id if p.key in new else state.spans[p.key] for p, _ in passages]
        admitted = PassagesAdmitted(speaker=self._speaker, passages=list(new.values()), shown=ids)
        self._shared.record.add(admitted)

    def answered(self, task: Task[OutputT]) -> bool:
        """Tell whether the journal holds a task's reply."""
        return key_of(task) in self._state.replies

    async def ask(self, task: Task[OutputT]) -> OutputT:
        """Do one task; a reply that the journal holds is had again for nothing."""
        return (await self.ask_all([task]))[0]

    def _settle(self, task: Task[OutputT], key: str, event: ModelReplied | None) -> OutputT:
        if event is not None and key not in self._state.replies:
            self._shared.record.add(event)
        output: Any = task.output.model_validate(self._state.replies[key])
        return output  # type: ignore[no-any-return]

    async def ask_all(self, tasks: Sequence[Task[OutputT]]) -> list[OutputT]:
        """Do several tasks at the same time; journal the replies in the order of the tasks."""
        keys = [key_of(task) for task in tasks]

        async def reply(task: Task[OutputT], key: str) -> ModelReplied | None:
            return None if key in self._state.replies else await self._reply(task, key)

        waiting: list[Awaitable[ModelReplied | None]] = [
            reply(t, k) for t, k in zip(tasks, keys, strict=True)
        ]
        events = await asyncio.gather(*waiting)
        await self._shared.order.arrive(self._speaker)
        return [self._settle(t, k, e) for t, k, e in zip(tasks, keys, events, strict=True)]

    async def ask_jointly(self, tasks: Sequence[Task[Any]]) -> list[Any]:
        """Do several tasks in one request for each role; journal the replies in the order of the tasks."""
        keys = [key_of(task) for task in tasks]
        new = {key: t for key, t in zip(keys, tasks, strict=True) if key not in self._state.replies}
        if len(new) < 2:
            return await self.ask_all(tasks)
        roles = dict.fromkeys(task.role for task in new.values())
        groups = [[task for task in new.values() if task.role == role] for role in roles]
        answered = await asyncio.gather(*(replied_jointly(group, self._reply) for group in groups))
        await self._shared.order.arrive(self._speaker)
        events = {event.key: event for group in answered for event in group}
        self._shared.record.add(*(events[key] for key in new if key not in self._state.replies))
        return [self._settle(task, key, None) for task, key in zip(tasks, keys, strict=True)]

    async def _asked(self, model: Model, task: Task[Any]) -> Reply[Any]:
        limit = self._shared.exhausted()
        if limit is not None:
            raise ReplyUnusable(f"the budget is spent: {limit}")
        with self._shared.speaking.shown(self._speaker, task.name):
            return await model.ask(task)

    async def _reply(self, task: Task[Any], key: str) -> ModelReplied:
        """Ask the model.

        Where nothing usable comes, or a budget is spent, the task's own extract stands in, and the journal
        says so. In the place of an AutoGen agent nobody else answers.
        """
        agent = self._shared.agent_of(self._speaker)
        own = self._shared.seat_model(self._speaker) if task.role == "expert" else None
        model = agent or own or self._shared.models[task.role]
        fallback: str | None = None
        try:
            reply = await self._asked(model, task)
        except ReplyUnusable as failure:
            if agent is not None:
                raise
            fallback = str(failure)
            output = task.extract(self.statistics)
            reply = Reply(output, failure.usage or Usage(model=model.name), failure.prompt_hash)
        return ModelReplied(
            task=task.name,
            speaker=self._speaker,
            key=key,
            prompt_hash=reply.prompt_hash,
            output=reply.output.model_dump(mode="json"),
            usage=reply.usage,
            fallback=fallback,
        )


def _problem(result: Searched | PageRead | Computed) -> str:
    if isinstance(result, Computed):
        return f"not computed: {result.error}"
    what = f"search of {result.where}" if isinstance(result, Searched) else result.url
    return f"{what}: {result.error}"


def _found_hit(hit: Hit) -> FoundHit:
    return FoundHit(
        url=hit.url,
        title=hit.title,
        snippet=hit.snippet[:500],
        score=hit.score,
        published=hit.published,
        span=hit.passage.key if hit.passage else None,
    )
