"""What one speaker searches, reads and computes: done once, journalled in order, had again for nothing."""

import asyncio
from collections.abc import Callable, Sequence

from agents import ON_THE_TABLE, Action, Found, Observation
from library import (
    Computed,
    FetchError,
    FoundHit,
    Hit,
    PageRead,
    Passage,
    ReadError,
    Searched,
    SearchError,
    ToldOfSource,
    as_told,
    select,
)
from library.safety import PublicWords
from library.search import KeptHits
from roundtable.journal.fold.state_slices import search_key
from roundtable.session.context.journalled_requests import JournalledRequests
from roundtable.session.context.services import compute
from roundtable.session.context.shared_context import SharedContext

_REMEMBERED = 40
"""Searches, and pages, whose results still tell what the topic looks like."""


class JournalledActions(JournalledRequests):
    """The actions of one speaker, who also asks models."""

    def __init__(self, speaker: str, shared: SharedContext) -> None:
        super().__init__(speaker, shared)
        self._public: tuple[int, PublicWords] | None = None
        """The words that are public in the turn that began with that call."""

    @property
    def _called(self) -> int:
        """Number of the event with which this speaker's turn began."""
        return self._state.under_way.called_at.get(self._speaker, 0)

    def found_before(self) -> list[Passage]:
        """Return what had been found when this speaker's turn began, the newest last."""
        state, found = self._state, dict[tuple[str, int, int], Passage]()
        earlier = list(state.work.searches_before(self._called).values())[-_REMEMBERED:]
        for span in (hit.span for search in earlier for hit in search.hits if hit.span):
            found[span] = state.source(span[0]).passage(*span[1:])
        for page in list(state.work.pages_before(self._called).values())[-_REMEMBERED:]:
            if page.sha256:
                found |= {p.key: p for p in self._shared.library.passages(page.sha256)}
        return [passage for passage in found.values() if not state.barred(passage)]

    def rankings_before(self) -> list[tuple[str, list[tuple[str, int, int]]]]:
        """Return each search before this speaker's turn: its query, and keys of what it found, best first."""
        searches = self._state.work.searches_before(self._called).values()
        return [(search.query, [hit.span for hit in search.hits if hit.span]) for search in searches]

    async def perform(self, actions: Sequence[Action]) -> list[Observation]:
        """Run actions at the same time; journal what came of them in the order of the actions."""
        jobs = [(action, job) for action in actions for job in self._jobs(action)]
        results = await asyncio.gather(*(self._run(action, job) for action, job in jobs))
        self._read_ahead(results)
        await self._shared.barrier.arrive(self._speaker)
        for (_, job), result in zip(jobs, results, strict=True):
            if self._known(job) is None and result is not None:
                self._shared.record.add(self._told_once(result))
        return [self._observe(action) for action in actions]

    async def aside(self, work: Callable[[], None]) -> None:
        """Do what takes long in a thread; which speaker's is done first does not show in the journal."""
        await asyncio.to_thread(work)
        await self._shared.barrier.arrive(self._speaker)

    def _read_ahead(self, results: Sequence[object]) -> None:
        """Begin to read the best pages that a search found, while those at work at the same time are awaited.

        They are read anyway; whether they are, and what is journalled of it, does not depend on this.
        """
        found = [r for r in results if isinstance(r, Searched) and any(hit.span is None for hit in r.hits)]
        if len(found) == 1:
            urls = [hit.url for hit in found[0].hits if hit.span is None][: self._shared.ahead]
            self._shared.library.read_ahead([url for url in urls if url not in self._state.work.pages])

    def _jobs(self, action: Action) -> list[tuple[str, str]]:
        """Return what an action comes down to: ("", url or computation), or (query, place) for each place."""
        if action.kind != "search":
            return [("", action.url or action.key)]
        places = action.where or [c.name for c in self._shared.library.collections]
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
        collections, state = self._shared.library.collections, self._state
        said = [turn.text for turn in state.turns if turn.role == "person"]
        public = [f"{p.title} {p.text}" for p in self.found_before() if not p.private]
        outer = {c.name for c in collections if not c.local}
        hits = [
            f"{hit.title} {hit.snippet}"
            for search in state.work.searches_before(self._called).values()
            if search.where in outer
            for hit in search.hits
        ]
        return PublicWords([state.topic, *said, *public, *hits])

    def _known(self, job: tuple[str, str]) -> Searched | PageRead | Computed | None:
        query, where = job
        if query:
            return self._state.work.searches.get(search_key(query, where))
        return self._state.work.pages.get(where) or self._state.work.computed.get(where)

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
        notes: list[str] = []
        try:
            found = await self._shared.library.search(query, where, self._shared.results)
            hits, cached = await asyncio.to_thread(self._as_kept, found), isinstance(found, KeptHits)
            notes = list(getattr(found, "notes", ()))
        except SearchError as failure:
            error = str(failure)
        seconds = self._shared.clock.monotonic() - began
        return Searched(speaker=self._speaker, query=query, where=where, hits=hits, error=error,
                        seconds=round(seconds, 3), cached=cached, notes=notes)  # fmt: skip

    def _as_kept(self, found: Sequence[Hit]) -> list[FoundHit]:
        """Return results as the journal keeps them, each text once with what it is known by."""
        hits, told = list[FoundHit](), set[str]()
        for hit in found:
            kept = found_hit(hit)
            sha256 = hit.passage.sha256 if hit.passage is not None else ""
            if sha256 and sha256 not in told:
                told.add(sha256)
                source = self._shared.library.source(sha256)
                kept = kept.model_copy(update={"told": ToldOfSource.of(source)})
            hits.append(kept)
        return hits

    def _told_once(self, result: Searched | PageRead | Computed) -> Searched | PageRead | Computed:
        """Return a result without what the journal has told of its texts already.

        What that is depends on the order of the journal alone, not on who searched faster.
        """
        if not isinstance(result, Searched):
            return result
        knows = self._state.gathered.knows
        hits = [
            hit.model_copy(update={"told": None}) if hit.told and hit.span and knows(hit.span[0]) else hit
            for hit in result.hits
        ]
        return result.model_copy(update={"hits": hits})

    async def _read(self, url: str) -> PageRead:
        began = self._shared.clock.monotonic()
        sha256, title, error, told = None, "", None, None
        try:
            searches = self._state.work.searches.values()
            led = [hit for search in searches for hit in search.hits if hit.url == url]
            source = await self._shared.library.read(url, led)
            sha256, title = source.sha256, source.title
            told = ToldOfSource.of(await asyncio.to_thread(self._shared.library.source, sha256))
        except (FetchError, ReadError) as failure:
            error = str(failure)
        seconds = self._shared.clock.monotonic() - began
        return PageRead(speaker=self._speaker, url=url, sha256=sha256, title=title, error=error,
                        seconds=round(seconds, 3), told=told)  # fmt: skip

    def _had_before(self, job: tuple[str, str]) -> bool:
        """Tell whether something was done before this speaker's turn began (not in it, before a crash)."""
        query, where = job
        key = search_key(query, where) if query else job
        return self._state.work.done_at[key] < self._called

    def _observe(self, action: Action) -> Observation:
        jobs = self._jobs(action)
        results = [result for job in jobs if (result := self._known(job)) is not None]
        found: list[Found] = []
        passages: list[Passage] = []
        for result in results:
            if isinstance(result, Searched):
                found += [self._found(hit, result.where) for hit in result.hits]
            elif result.sha256:
                passages += self._passages(result.sha256)
        problems = [_problem(result) for result in results if result.error]
        if action.kind == "search":
            found += self._put_on_the_table(action.query)
        barred = self._state.controls.barred
        outdated = self._state.barred
        return Observation(
            action,
            tuple(f for f in found if not (outdated(f.passage) if f.passage else barred(f.url))),
            tuple(p for p in passages if not outdated(p)),
            tuple(problems),
            all(map(self._had_before, jobs)),
        )

    def _put_on_the_table(self, query: str) -> list[Found]:
        """Return what a person had read before this turn and fits a query: it stands in no collection."""
        pages = self._state.work.pages_before(self._called).values()
        read = [page.sha256 for page in pages if page.speaker == "person" and page.sha256]
        passages = [passage for sha256 in read for passage in self._passages(sha256)]
        if not passages:
            return []
        chosen = select(query, passages, self.statistics, limit=self._shared.results, threshold=0.0)
        return [
            Found(c.passage.url, c.passage.title, c.passage.text[:300], ON_THE_TABLE, c.score, c.passage)
            for c in chosen
        ]

    def _passages(self, sha256: str) -> list[Passage]:
        """Return the passages of a text that the session has found, by what it was known by then."""
        source = self._state.source(sha256)
        return [as_told(passage, source) for passage in self._shared.library.passages(sha256)]

    def _found(self, hit: FoundHit, where: str) -> Found:
        passage = None
        if hit.span is not None:
            sha256, start, end = hit.span
            passage = self._state.source(sha256).passage(start, end)
        return Found(hit.url, hit.title, hit.snippet, where, hit.score, passage)


def _problem(result: Searched | PageRead | Computed) -> str:
    if isinstance(result, Computed):
        return f"not computed: {result.error}"
    what = f"search of {result.where}" if isinstance(result, Searched) else result.url
    return f"{what}: {result.error}"


def found_hit(hit: Hit) -> FoundHit:
    """Return a search's result as the journal keeps it."""
    return FoundHit(
        url=hit.url,
        title=hit.title,
        snippet=hit.snippet if hit.work else hit.snippet[:500],
        score=hit.score,
        published=hit.published,
        span=hit.passage.key if hit.passage else None,
        kind=hit.kind,
        work=hit.work,
    )
