"""Looking a session's sources up again: pages that changed, documents that did, and what is found newly.

No model is asked. What came of it is journalled together, once all of it is known; where nothing changed that
the session rests on, and nothing new belongs to its topic, that is all that happens.
"""

import asyncio
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from urllib.parse import unquote, urlsplit

from library import (
    AdmittedPassage,
    FetchError,
    FoundHit,
    Hit,
    PageRead,
    Passage,
    PassagesAdmitted,
    ReadError,
    Searched,
    SearchError,
    Source,
    ToldOfSource,
    TopicProfile,
    on_the_web,
    select,
)
from library.passages import TextChange, statements, text_changes
from library.text import sentences
from library.web import StatusError
from mindmap import Change, DropPassage, MapGrown, PlacePassage
from models import Event
from moderator import QuestionRaised
from roundtable.config.config import Settings
from roundtable.journal.events import SessionResumed
from roundtable.journal.fold.state import State
from roundtable.journal.session_phrases import session_phrases
from roundtable.journal.source_updates import UPDATE, LookedUp, SentenceChange, SourcesUpdated
from roundtable.session.context.journalled_actions import found_hit
from roundtable.session.context.journalled_context import ContextFactory
from roundtable.session.updating.source_versions import SourceVersions

SEARCHES, PAGES = 24, 8
"""Searches that are made again at most, the first ones first, and new pages that are read."""
_TOLD = 40
"""Sentences that are told at most."""
_LONGEST = 300
"""Characters that are told of a passage without a sentence."""
_SHOWN = 12
"""New passages that are admitted at most, and those that whoever answers is shown."""


@dataclass(slots=True)
class _Found:
    """What is found on the way."""

    reads: list[PageRead] = field(default_factory=list)
    searches: list[Searched] = field(default_factory=list)
    sources: list[LookedUp] = field(default_factory=list)
    changed: list[tuple[Source, Source, list[TextChange]]] = field(default_factory=list)
    """Each source that changed: as it was, as it is, and how."""
    new: list[Passage] = field(default_factory=list)
    """Passages of what was not there before."""


class SourceUpdate:
    """One look at what became of a session's sources; holds nothing that the record does not."""

    def __init__(self, contexts: ContextFactory, settings: Settings) -> None:
        self._contexts = contexts
        self._settings = settings

    @property
    def _state(self) -> State:
        return self._contexts.record.state

    async def look(self) -> SourcesUpdated:
        """Look the sources up, search again, and journal what came of it; return that.

        With news, the session goes on: new passages are in the map or wait for a place, and a question
        about them is on the agenda.
        """
        since = self._state.updates.at or self._state.ended or self._state.started
        found = _Found()
        looked = await self._look_up(found)
        await self._search_again(found, since)
        events = self._told(found, since, looked)
        self._contexts.record.add(*events)
        return next(event for event in events if isinstance(event, SourcesUpdated))

    # What the session rests on

    async def _look_up(self, found: _Found) -> int:
        """Read the session's sources again, those at different hosts at the same time; return how many."""
        sources = self._standing()
        now = await asyncio.gather(*(self._now(source) for source in sources))
        for source, result in zip(sources, now, strict=True):
            if isinstance(result, LookedUp):
                if result.fate != "gone" or result.url not in self._state.updates.lost:
                    found.sources.append(result)
            elif result is not None and result.sha256 != source.sha256:
                await asyncio.to_thread(self._compare, source, result, found)
        return len(sources)

    def _standing(self) -> list[Source]:
        """Return the sources that are used, each url as it was read last."""
        usable = self._state.usable()
        held = {p.sha256 for p in usable.passages.values()}
        return list({s.url: s for sha, s in usable.sources.items() if sha in held}.values())

    async def _now(self, source: Source) -> Source | LookedUp | None:
        """Return a source as it is now; what is to be told where it cannot be had; None for computations."""
        if source.url.startswith("file:") and not await asyncio.to_thread(_path_of(source.url).exists):
            return LookedUp(url=source.url, title=source.title, fate="gone", reason="there is no such file")
        held = None if on_the_web(source.url) else self._contexts.library.at_hand
        if held is not None and await asyncio.to_thread(held, source.url) is None:
            return None  # a computation, or a file that no collection of this session holds
        try:
            return await self._contexts.library.read_now(source.url)
        except StatusError as failure:
            fate = "gone" if failure.gone else "unreachable"
            return LookedUp(url=source.url, title=source.title, fate=fate, reason=str(failure))
        except (FetchError, ReadError) as failure:
            return LookedUp(url=source.url, title=source.title, fate="unreachable", reason=str(failure))

    def _compare(self, before: Source, after: Source, found: _Found) -> None:
        """Take in a text that is not what it was."""
        found.changed.append((before, after, text_changes(before.text, after.text)))
        found.reads.append(PageRead(
            speaker=UPDATE, url=before.url, sha256=after.sha256, title=after.title,
            told=ToldOfSource.of(after),
        ))  # fmt: skip

    # What was not there

    async def _search_again(self, found: _Found, since: str) -> None:
        """Search what was searched before; take in what was not found then, and documents that came since."""
        searches = self._state.work.searches.values()
        known = {hit.url for search in searches for hit in search.hits} | set(self._state.work.pages)
        texts = {passage.sha256 for passage in self._state.evidence.passages.values()}
        texts |= {now.sha256 for _, now, _ in found.changed}
        pages, passages = dict[str, FoundHit](), dict[tuple[str, int, int], Passage]()
        for hit in await self._hits_now(found):
            if hit.passage is None and hit.url not in known:
                pages.setdefault(hit.url, found_hit(hit))
            elif hit.passage and hit.passage.sha256 not in texts and self._came(hit.passage.sha256, since):
                passages.setdefault(hit.passage.key, hit.passage)
        found.new += passages.values()
        await self._read_new(list(pages.values())[:PAGES], found)

    async def _hits_now(self, found: _Found) -> list[Hit]:
        """Return what earlier searches find now, one after the other: engines are asked as in a session."""
        library, results = self._contexts.library, self._settings.agents.results
        here = {place.name for place in library.collections}
        earlier = [s for s in self._state.work.searches.values() if s.where in here and not s.error]
        now: list[Hit] = []
        for search in earlier[:SEARCHES]:
            try:
                hits = await library.search(search.query, search.where, results, anew=True)
            except SearchError as failure:
                lost = LookedUp(url="", title=search.where, fate="unreachable", reason=str(failure))
                if lost.title not in {source.title for source in found.sources}:
                    found.sources.append(lost)
                continue
            now += hits
            same = search.model_copy(update={"speaker": UPDATE, "hits": list(map(found_hit, hits))})
            found.searches.append(same)
        return now

    def _came(self, sha256: str, since: str) -> bool:
        """Tell whether a document was first read after a time."""
        readings = self._contexts.library.store.readings(sha256=sha256)
        first = min((reading.first for reading in readings), default="")
        return bool(first) and datetime.fromisoformat(first) > datetime.fromisoformat(since)

    async def _read_new(self, hits: Sequence[FoundHit], found: _Found) -> None:
        library = self._contexts.library

        async def read(hit: FoundHit) -> PageRead:
            try:
                source = await library.read(hit.url, [hit])
            except (FetchError, ReadError) as failure:
                return PageRead(speaker=UPDATE, url=hit.url, error=str(failure))
            told = ToldOfSource.of(source)
            return PageRead(
                speaker=UPDATE, url=hit.url, sha256=source.sha256, title=source.title, told=told
            )  # fmt: skip

        for page in await asyncio.gather(*map(read, hits)):
            found.reads.append(page)
            if page.sha256:
                found.new += library.passages(page.sha256)

    # What is told of it

    def _told(self, found: _Found, since: str, looked: int) -> list[Event]:
        """Return the events of one look."""
        ids = _Ids(self._state)
        replaced, sentence_changes, gone = dict[str, str](), list[SentenceChange](), list[str]()
        on_topic = self._on_topic(found)
        sources = list(found.sources)
        for before, after, changes in found.changed:
            now = self._contexts.library.passages(after.sha256)
            own = SourceVersions(self._state, before, now, changes)
            told = own.sentence_changes(ids.of, on_topic)
            sentence_changes += told
            replaced |= own.replaced(ids.of)
            gone += own.gone_claims()
            if told:
                sources.append(LookedUp(url=before.url, title=after.title, fate="changed"))
        for passage in self._chosen([p for p in found.new if p.key in on_topic]):
            if passage.url not in {source.url for source in sources}:
                sources.append(LookedUp(url=passage.url, title=passage.title, fate="new"))
            sentence_changes.append(
                SentenceChange(before="", after=self._most_telling(passage), passages=[ids.of(passage)])
            )
        updated = SourcesUpdated(
            since=since, looked=looked, searches=len(found.searches), sources=sources,
            changes=sentence_changes[:_TOLD], more=max(0, len(sentence_changes) - _TOLD),
            replaced=replaced, gone=list(dict.fromkeys(gone)),
        )  # fmt: skip
        if not updated.news:
            return [updated]
        admitted = PassagesAdmitted(speaker=UPDATE, passages=ids.new, shown=None)
        return [
            *found.reads, *found.searches, *([admitted] if ids.new else []), updated,
            *self._on_the_map(replaced), SessionResumed(turns=0), *self._question(updated),
        ]  # fmt: skip

    def _on_topic(self, found: _Found) -> set[tuple[str, int, int]]:
        """Return the keys of the passages found that belong to the session's topic."""
        library = self._contexts.library
        profile = TopicProfile(self._state.topic, library.statistics, cut_off=self._settings.agents.cut_off)
        candidates = [*found.new, *(p for _, now, _ in found.changed for p in library.passages(now.sha256))]
        profile.learn([*self._state.usable().passages.values(), *candidates])
        own = {p.key for p in candidates}
        return {item.passage.key for item in profile.on_topic() if item.passage.key in own}

    def _chosen(self, passages: Sequence[Passage]) -> list[Passage]:
        """Return the new passages that say most of the topic and nothing that is known."""
        state, statistics = self._state, self._contexts.library.statistics
        known = list(state.usable().passages.values())
        best = select(state.topic, passages, statistics, limit=_SHOWN, threshold=0.0, seen=known)
        return [item.passage for item in best]

    def _most_telling(self, passage: Passage) -> str:
        """Return the sentence of a passage that is nearest to the topic."""
        told = [s.words for s in statements(passage.text, sentences) if s.form != "code"]
        if not told:
            return " ".join(passage.text.split())[:_LONGEST]
        near = self._contexts.library.statistics.relevance(self._state.topic, told)
        return told[max(range(len(told)), key=lambda n: (round(near[n], 6), -n))]

    def _on_the_map(self, replaced: dict[str, str]) -> Iterable[Event]:
        """Put what is in a passage's place where that stood."""
        changes: list[Change] = []
        for old, new in replaced.items():
            node = self._state.map.where(old)
            if node is not None:
                changes += [PlacePassage(passage=new, node=node)] if new else []
                changes.append(DropPassage(passage=old))
        return [MapGrown(changes=changes)] if changes else []

    def _question(self, updated: SourcesUpdated) -> Iterable[Event]:
        """Ask the table what is new, from the passages that tell it."""
        words = session_phrases(self._state.language)
        titles = list(dict.fromkeys(s.title for s in updated.sources if s.fate in ("changed", "new")))
        text = words.what_changed.format(
            topic=self._state.topic, date=updated.since[:10], titles=words.listed.join(titles[:4])
        )
        passages = list(dict.fromkeys(i for change in updated.changes for i in change.passages[-1:]))
        fresh = [i for i in passages if i not in updated.replaced][:_SHOWN]
        if fresh:
            yield QuestionRaised(
                id=self._state.agenda.next_id(), text=text, by=UPDATE, search=self._state.topic,
                why="sources changed", passages=fresh,
            )  # fmt: skip


def _path_of(url: str) -> Path:
    """Return where a file stands."""
    return Path(unquote(urlsplit(url).path))


class _Ids:
    """Gives ids to passages that are admitted with this look."""

    def __init__(self, state: State) -> None:
        self._state = state
        self._own: dict[tuple[str, int, int], str] = {}
        self.new: list[AdmittedPassage] = []

    def of(self, passage: Passage) -> str:
        """Return a passage's id: the one that it has, or a new one."""
        known = self._state.gathered.ids.get(passage.key) or self._own.get(passage.key)
        if known:
            return known
        given = f"p{len(self._state.evidence.passages) + len(self.new) + 1}"
        self._own[passage.key] = given
        self.new.append(AdmittedPassage(id=given, span=passage.key, score=1.0))
        return given
