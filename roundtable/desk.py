"""The desk of one speaker: what it does is done once, journalled in order, and had again for nothing."""

import asyncio
from collections.abc import Awaitable, Mapping, Sequence
from typing import Any

from agents import Action, Found, Observation, Place
from library import FetchError, Hit, Library, Passage, ReadError, SearchError, TextStatistics
from library.events import AdmittedPassage, FoundHit, PageRead, PassagesAdmitted, Searched
from models import Event, Model, OutputT, Reply, ReplyUnusable, Role, Task, Usage
from models.events import ModelReplied
from models.prompts import inputs_hash
from roundtable.clock import Clock
from roundtable.order import Turnstile
from roundtable.record import Record
from roundtable.state import search_key

_REMEMBERED = 40
"""Searches, and pages, whose results still tell what the topic looks like."""


class Desks:
    """What all desks share: the library, a model for each role, the record, the clock, and the order."""

    def __init__(
        self, library: Library, models: Mapping[Role, Model], record: Record, clock: Clock, *, results: int
    ) -> None:
        self.library = library
        self.models = models
        self.record = record
        self.clock = clock
        self.order = Turnstile()
        self.placed = asyncio.Event()
        """Set while nothing that was said waits for its place in the map."""
        self.placed.set()
        self.results = results

    def desk(self, speaker: str) -> "SessionDesk":
        """Return a speaker's desk."""
        return SessionDesk(speaker, self)


class SessionDesk:
    """One speaker's desk; see `agents.Desk`."""

    def __init__(self, speaker: str, shared: Desks) -> None:
        self._speaker = speaker
        self._shared = shared
        self._state = shared.record.state
        self._shown = (0, 0)
        """Which call of the speaker the turn under way began with, and how often it was shown passages."""

    @property
    def statistics(self) -> TextStatistics:
        """Text statistics over what the library holds."""
        return self._shared.library.statistics

    @property
    def places(self) -> Sequence[Place]:
        """Where one can search."""
        return [Place(c.name, c.description, c.local) for c in self._shared.library.collections]

    def known(self, passages: Sequence[Passage]) -> set[tuple[str, int, int]]:
        """Return the keys of those that the session has admitted before this speaker's turn."""
        state = self._state
        own = set(state.bringing.get(self._speaker, ()))
        return {p.key for p in passages if p.key in state.spans and state.spans[p.key] not in own}

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
        return list(found.values())

    def record(self, event: Event) -> None:
        """Journal something that happened; what the turn told before a crash is not told again."""
        if event not in self._state.told.get(self._speaker, ()):
            self._shared.record.add(event)

    async def settled(self) -> None:
        """Wait until what was said before stands in the map, without holding up whoever places it."""
        if self._shared.placed.is_set():
            return
        self._shared.order.step_aside(self._speaker)
        try:
            await self._shared.placed.wait()
        finally:
            self._shared.order.step_in(self._speaker)

    async def perform(self, actions: Sequence[Action]) -> list[Observation]:
        """Run actions at the same time; journal what came of them in the order of the actions."""
        jobs = [job for action in actions for job in self._jobs(action)]
        results = await asyncio.gather(*(self._run(job) for job in jobs))
        await self._shared.order.arrive(self._speaker)
        for job, result in zip(jobs, results, strict=True):
            if self._known(job) is None and result is not None:
                self._shared.record.add(result)
        return [self._observe(action) for action in actions]

    def _jobs(self, action: Action) -> list[tuple[str, str]]:
        """Return what an action comes down to: ("read", url), or (query, place) for each place."""
        if action.kind == "read":
            return [("", action.url)]
        return [(action.query, place) for place in action.where or [p.name for p in self.places]]

    def _known(self, job: tuple[str, str]) -> Searched | PageRead | None:
        query, where = job
        return self._state.searches.get(search_key(query, where)) if query else self._state.pages.get(where)

    async def _run(self, job: tuple[str, str]) -> Searched | PageRead | None:
        if self._known(job) is not None:
            return None
        query, where = job
        return await (self._search(query, where) if query else self._read(where))

    async def _search(self, query: str, where: str) -> Searched:
        began = self._shared.clock.monotonic()
        error: str | None = None
        hits: list[FoundHit] = []
        try:
            found = await self._shared.library.search(query, where, self._shared.results)
            hits = [_found_hit(hit) for hit in found]
        except SearchError as failure:
            error = str(failure)
        seconds = self._shared.clock.monotonic() - began
        return Searched(speaker=self._speaker, query=query, where=where, hits=hits, error=error,
                        seconds=round(seconds, 3))  # fmt: skip

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
        return Observation(
            action, tuple(found), tuple(passages), tuple(problems), all(map(self._had_before, jobs))
        )

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
        fresh = set(state.bringing.get(self._speaker, ()))
        return [(state.evidence.passages[i], i in fresh) for i in ids]

    def _shown_before(self) -> list[str] | None:
        """Return what was shown at this point of the turn before a crash; None when this is the first time."""
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
        keys = [f"{task.role}:{task.name}:{inputs_hash(task)}" for task in tasks]

        async def reply(task: Task[OutputT], key: str) -> ModelReplied | None:
            return None if key in self._state.replies else await self._reply(task, key)

        waiting: list[Awaitable[ModelReplied | None]] = [
            reply(t, k) for t, k in zip(tasks, keys, strict=True)
        ]
        events = await asyncio.gather(*waiting)
        await self._shared.order.arrive(self._speaker)
        return [self._settle(t, k, e) for t, k, e in zip(tasks, keys, events, strict=True)]

    async def _reply(self, task: Task[OutputT], key: str) -> ModelReplied:
        """Ask the model.

        Where nothing usable comes, the task's own extract stands in, and the journal says so.
        """
        model = self._shared.models[task.role]
        fallback: str | None = None
        try:
            reply = await model.ask(task)
        except ReplyUnusable as failure:
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


def _problem(result: Searched | PageRead) -> str:
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
