"""One expert's research on one question: search, read what was found, admit what fits.

The first round needs no model: it searches for the question and reads the best pages found.
`agents.research.research_loop` goes on from there with a model.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial

from agents.research.closeness import Closeness
from agents.research.moves.actions import Action, Found, Observation
from agents.research.moves.observed import (
    by_fit,
    extent,
    first_hits,
    fitting_around,
    ids_told,
    in_order_found,
    is_wide,
    passages_of,
    untold,
    whole_ones,
    wide_last,
)
from agents.research.moves.proposals import Allowed
from agents.research.often_found import OftenFound
from agents.research.passage_choice import PassageChoice
from agents.research.place_fit import PlaceFit
from agents.research.question_fit import QuestionFit
from agents.research.rounds import SAME
from agents.settings import AgentSettings
from agents.speaker_context import SpeakerContext
from library import Passage, TopicProfile
from library.passages import answering_sections, rank_pages, read_on
from library.text import is_question, question_parts

_SIDES = 3
"""Of a subject, that are searched for where nobody chooses what to search."""
_BY_PART = 2
"""Sections whose pages are read on in beside those that fit best as wholes."""
_SECTIONS, _SECTION_TOKENS = 4, 1_200
"""Sections of the pages that are read on in that are admitted whole where no language model chooses: those
that answer best, and tokens of each."""
_Key = tuple[str, int, int]
_SECTION = 0.55
"""What is read on in around a passage that was opened, in tokens, as a share of a prompt's passages; twice
that for all that one round opens."""


@dataclass(slots=True)
class Findings:
    """What a research has found so far."""

    question: str
    """The words that passages are weighed against."""
    passages: dict[str, Passage] = field(default_factory=dict)
    """Shown to the expert, by id, in the order of admission."""
    fresh: list[str] = field(default_factory=list)
    """Ids admitted by this research, not known before it."""
    last: list[str] = field(default_factory=list)
    """Ids that the last round brought to this research."""
    found: list[str] = field(default_factory=list)
    """Ids of what the last round computed, then of what its searches and readings gave, best first."""
    searches: list[str] = field(default_factory=list)
    """What the last round looked for."""
    opened: list[str] = field(default_factory=list)
    """Ids that the last round opened by name."""
    beside: list[str] = field(default_factory=list)
    """Ids of what stands around those on their pages, where it was read on."""
    pages: dict[str, str] = field(default_factory=dict)
    """Pages found and not read: url to title, best first."""
    notices: list[str] = field(default_factory=list)
    """What the last round met with, for the next prompt."""
    unrelated: set[str] = field(default_factory=set)
    """Places that gave nothing fitting for this question."""
    brought: dict[str, str] = field(default_factory=dict)
    """By the line of each action of the last round: what came of it, in few words."""


def first_actions(query: str, parts: Sequence[str] = ()) -> list[Action]:
    """Return the plainest beginning: a search, everywhere, and one for each part of what is asked."""
    return [Action(kind="search", query=words) for words in (query, *parts)]


class Research:
    """Runs the rounds of one research for one speaker."""

    def __init__(
        self,
        context: SpeakerContext,
        settings: AgentSettings,
        topic: str,
        question: str,
        question_id: str = "",
        *,
        asked: Sequence[str] = (),
        wide: str = "",
        by_person: bool = False,
    ) -> None:
        """Begin a research.

        Args:
            context: Whose research it is.
            settings: How far a round goes.
            topic: What the table talks about: passages must fit it.
            question: The words that passages are weighed against.
            question_id: Of the agenda; empty for a search that belongs to no question.
            asked: The question in each of its wordings; empty: `question`.
            wide: The search of local places that holds the whole topic beside the question: what it alone
                finds stands behind what the others found. Empty: there is none.
            by_person: A person asked: what is found best counts, whether or not it fits the topic.
        """
        self._context = context
        self._settings = settings
        # Who chooses reads what is found; without, what it means tells as well what is of the topic.
        self._profile = TopicProfile(
            topic, context.statistics, cut_off=settings.cut_off, by_meaning=not context.chooses
        )
        self._wide = wide
        self._asked_for = list(asked) or [question]
        self._closeness = (
            Closeness("" if by_person else topic, self._asked_for, context.statistics)
            if context.chooses
            else None
        )
        """None: nobody chooses what is searched next."""
        self._told: set[str] = set()
        """Ids that earlier rounds were said to have brought."""
        self._read_on: set[_Key] = set()
        """Keys of what was opened by name, and of what was read on in around it."""
        self._around: dict[str, list[_Key]] = {}
        """By the id that the last round opened: keys of it and of what stands around it."""
        self._headed: set[_Key] = set()
        """Keys of what the last round knew by its headings."""
        self._profile.learn(context.found_before())
        self.admitted = {passage.id: passage for passage in context.admitted_before()}
        """What the session had admitted when the turn began, and what this research has found since."""
        self.fit = QuestionFit(
            self._profile,
            self._closeness,
            self.admitted,
            context.statistics,
            f"{question} {topic}",
            asks=by_person or is_question(topic),
            by_person=by_person,
            first=settings.sure,
            room=settings.passage_tokens if question_id else 0,
        )
        """What may be admitted."""
        self._often = OftenFound(context.rankings_before() if context.chooses else ())
        self._rounds = 0
        self._done: set[str] = set()
        self._choice = PassageChoice(context, settings)
        self._place_fit = PlaceFit(context, question_id)
        self.findings = Findings(question, unrelated=self._place_fit.unrelated)

    @property
    def met(self) -> bool:
        """Whether the places gave anything at all, close or not."""
        return bool(self._profile.passages or self.findings.pages)

    @property
    def allowed(self) -> Allowed:
        """What the research so far allows."""
        places = [place.name for place in self._context.places]
        unrelated = frozenset(self.findings.unrelated)
        return Allowed(
            self.findings.pages,
            self.admitted,
            places,
            unrelated if len(unrelated) < len(places) else frozenset(),
            self._context.computes,
            self._context.looks,
        )

    async def search_widely(self, query: str) -> list[str]:
        """Search a subject and then its sides, as the best of what was found tells them; admit what fits all.

        Sources may tell a subject in words that its name has not, and one search finds those that share some
        with it. Where it gave fewer results than were asked for, there are no others.

        Returns:
            The ids of what was admitted.
        """
        found = await self._context.perform(first_actions(query))
        given = [p for seen in found for p in passages_of(seen)]
        sides: list[str] = []
        if len(given) >= self._settings.results:
            await self._learn(given)
            sides = self._profile.queries(_SIDES)
        return await self.run([Action(kind="search", query=side) for side in sides], before=found)

    async def run(
        self, actions: Sequence[Action], *, before: Sequence[Observation] = (), headed: bool = False
    ) -> list[str]:
        """Do one round: run the actions, read the best new pages of the web, admit the passages that fit.

        Args:
            actions: What is done.
            before: What was observed and is looked at only now.
            headed: What was observed is known by its headings: to be near the topic is enough for it.

        Returns:
            The ids that were not shown in this research before.
        """
        known = set(self.findings.passages)
        self._headed = {p.key for seen in before for p in passages_of(seen)} if headed else set()
        self._rounds += 1
        self.findings.opened = [action.opens for action in actions if action.opens]
        wide, places = self._wide, self._context.places
        asking = [action for action in [*(seen.action for seen in before), *actions] if action.query]
        own_words = [action.query for action in asking if not is_wide(action, wide, places)]
        self.findings.searches = own_words or [action.query for action in asking]
        # The first round is not the expert's own choice: that somebody did the same before tells it nothing.
        own = bool(self._done)
        repeated = [action for action in actions if action.key in self._done]
        self._done |= {action.key for action in [*(seen.action for seen in before), *actions]}
        observations = [*before, *(await self._context.perform(actions))]
        self._note(observations, repeated, own=own)
        unread = self._unread(observations)
        if unread:
            readings = [Action(kind="read", url=url, query=self.findings.question) for url in unread]
            self._done |= {action.key for action in readings}
            pages = await self._context.perform(readings)
            self._note(pages, [], own=own)
            observations += pages
        self.findings.brought = {}
        await self._admit(observations)
        self.findings.last = [i for i in self.findings.passages if i not in known]
        return self.findings.last

    async def follow(self, most: int) -> list[str]:
        """Read on in the pages of the user's documents that fit the question best, and admit what fits.

        A search gives the passages that share words with a question; what answers it often stands beside
        them, in other words. The sections of these pages that answer best are admitted whole.

        Args:
            most: Pages to follow.

        Returns:
            The ids that were not shown in this research before.
        """
        held = [passage for passage in self._profile.passages if passage.private]
        urls = {passage.sha256: passage.url for passage in held}
        whole = rank_pages(self.findings.question, held, self._context.statistics)
        asked = self.findings.question
        wanted = [(asked, _SECTIONS), *((part, _BY_PART) for part in question_parts(asked))]
        parts = [
            section[0].sha256
            for words, _most in wanted
            for section in (await self._sections(words, held, _BY_PART))
        ]
        # By all that was found of them, and by the part that answers.
        best = list(dict.fromkeys([*list(whole)[:most], *parts]))
        known = set(self.findings.passages)
        for page in best:
            await self.run([Action(kind="read", url=urls[page], query=self.findings.question)])
        read = [p for p in self._profile.passages if p.sha256 in best]
        for words, count in wanted:
            for section in await self._sections(words, read, count):
                scores = self._profile.scores(section)
                self._taken([(p, min(1.0, score)) for p, score in zip(section, scores, strict=True)])
        return [i for i in self.findings.passages if i not in known]

    async def _sections(self, asked: str, passages: Sequence[Passage], most: int) -> list[list[Passage]]:
        """Return the sections that answer best what is asked, of what is known of some pages."""
        order = {page: n for n, page in enumerate(dict.fromkeys(p.sha256 for p in passages))}
        held = sorted(passages, key=lambda p: (order[p.sha256], p.start))
        found, statistics = list[list[Passage]](), self._context.statistics
        look = partial(answering_sections, asked, held, statistics, most, _SECTION_TOKENS)
        await self._context.aside(lambda: found.extend(look()))
        return found

    def _taken(self, admitted: Sequence[tuple[Passage, float]]) -> dict[_Key, str]:
        """Admit passages; return their ids by key."""
        ids: dict[_Key, str] = {}
        for passage, is_new in self._context.admit(admitted):
            ids[passage.key] = passage.id
            self.findings.passages[passage.id] = self.admitted[passage.id] = passage
            if is_new and passage.id not in self.findings.fresh:
                self.findings.fresh.append(passage.id)
        return ids

    async def _learn(self, passages: Sequence[Passage]) -> None:
        """Learn what the topic is of passages; what they mean takes long to work out."""
        if self._context.chooses:
            self._profile.learn(passages)
        else:
            await self._context.aside(lambda: self._profile.learn(passages))

    def _note(self, observations: Sequence[Observation], repeated: Sequence[Action], *, own: bool) -> None:
        for seen in observations:
            self.findings.notices += seen.problems
            if own and not seen.action.opens and (seen.repeated or seen.action in repeated):
                self.findings.notices.append(f"done before, the same result: {seen.action.line}")
            for found in seen.found:
                if found.passage is None and f"read {found.url}" not in self._done:
                    self.findings.pages.setdefault(found.url, found.title)
            if seen.action.kind == "read":
                self.findings.pages.pop(seen.action.url, None)

    def _unread(self, observations: Sequence[Observation]) -> list[str]:
        """Return the urls of the pages to read now: of each search the best, taken in turns."""
        ranked: list[tuple[int, int, Found]] = [
            (rank, place, found)
            for place, seen in enumerate(observations)
            if seen.action.kind == "search"
            for rank, found in enumerate(f for f in seen.found if f.passage is None)
        ]
        urls = dict.fromkeys(found.url for _, _, found in sorted(ranked, key=lambda r: r[:2]))
        return [url for url in urls if url in self.findings.pages][: self._settings.pages]

    async def _admit(self, observations: Sequence[Observation]) -> None:
        computed = [p for seen in observations if seen.action.kind == "compute" for p in seen.passages]
        texts = [seen for seen in observations if seen.action.kind != "compute"]
        candidates = list({p.key: p for seen in texts for p in passages_of(seen)}.values())
        await self._learn(candidates)
        scores = {p.key: s for p, s in zip(candidates, self._profile.scores(candidates), strict=True)}
        near = self.fit.near(scores)
        self._place_fit.judge(texts, near)
        often = self._often_found(texts)
        fits = self.fit.may_come(texts, scores, self._own_words, self._headed, often)
        fitting = [p for p in candidates if p.key in fits]
        known = self._context.known(fitting)
        shown = list(self.findings.passages.values())
        chosen = [
            p
            for asked, given, limit in self._shares(texts, fitting)
            for p in await self._choice.best(asked, given, known, limit, shown)
        ]
        if self._context.chooses:
            chosen = whole_ones(chosen, [p for p in candidates if p.key in near])
            new = [p for p in fitting if p.key in often - known]
            chosen += untold(new, [*chosen, *self.admitted.values()])
        own = [seen for seen in texts if seen.action.kind == "read" and self._own_words(seen.action)]
        wanted = by_fit(own, self._context.statistics)
        chosen = in_order_found(list({p.key: p for p in chosen}.values()), texts, wanted)
        admitted = [(passage, min(1.0, scores[passage.key])) for passage in chosen]
        # A computation is the expert's own: its fit to the topic is that of the passages behind it.
        admitted += [(passage, 1.0) for passage in computed]
        # What was opened by its id is shown again whatever it fits.
        taken = {passage.key for passage, _ in admitted}
        named = [self.admitted[seen.action.opens] for seen in texts if seen.action.opens]
        tokens = _SECTION * self._settings.passage_tokens * min(1.0, 2 / max(len(named), 1))
        self._around = {}
        beside = [p for seen in texts if seen.action.opens for p in self._beside(seen, int(tokens), near)]
        around = {p.key: p for p in [*named, *beside]}
        admitted += [(p, 1.0) for p in around.values() if p.key not in taken]
        ids = {p.key: i for i, p in self.findings.passages.items() if p.key in fits}
        ids |= self._taken(admitted)
        in_order = in_order_found(candidates, texts, wanted)
        brought = [*computed, *wide_last(in_order, texts, self._wide, self._context.places)]
        far = self.fit.far(scores)
        first = [p for seen in texts for p in first_hits(seen, self._settings.passages) if p.key not in far]
        theirs = shown_to_others(first, self.admitted, self._context.seen_before())
        self.findings.found = [i for p in brought if (i := ids.get(p.key) or theirs.get(p.key))]
        self.findings.opened = list(dict.fromkeys(ids[p.key] for p in named if p.key in ids))
        self.findings.beside = list(dict.fromkeys(ids[p.key] for p in beside if p.key in ids))
        self._tell(observations, ids)

    def _often_found(self, texts: Sequence[Observation]) -> set[_Key]:
        """Return the keys of what a good part of the session's searches found, with those of this round."""
        for seen in texts:
            if seen.action.kind == "search":
                self._often.add(seen.action.query, [f.passage.key for f in seen.found if f.passage])
        return self._often.keys(self._context.statistics.count)

    def _tell(self, observations: Sequence[Observation], ids: Mapping[_Key, str]) -> None:
        """Say what each action brought, what several found with the first of them."""
        fresh, told = set(self.findings.fresh) - self._told, set[str]()
        self._told |= set(ids.values())
        pages = {seen.action.url: seen.passages for seen in observations if seen.action.kind == "read"}
        for seen in observations:
            given = [p for f in seen.found if f.passage is None for p in pages.get(f.url, ())]
            shown = list(dict.fromkeys(ids[p.key] for p in [*passages_of(seen), *given] if p.key in ids))
            # What was opened by its id is told with what stands around it, whoever else read that document.
            own = [ids[key] for key in self._around.get(seen.action.opens, ()) if key in ids]
            more = [*own, *(i for i in shown if i not in told and i not in own)]
            told |= set(more)
            came = ids_told([i for i in more if i in fresh], [i for i in more if i not in fresh])
            said = came or (SAME if shown else "nothing close")
            self.findings.brought[seen.action.line] = said + extent(seen)

    def _beside(self, seen: Observation, tokens: int, near: Collection[_Key]) -> list[Passage]:
        """Return what stands around the passage that a reading named and was not read on in before.

        Under the headings that follow, that is what is near the topic, the question or what it is read for.
        Who says what it is read for is not brought what fits neither that nor the question; what this speaker
        was shown in an earlier turn comes again where it fits what it is read for.
        """
        passage, query = self.admitted[seen.action.opens], seen.action.query
        wanted = fitting = None
        known = self._read_on
        if self._closeness is not None:
            wanted = {*near, *self._closeness.to_question(seen.passages)}
            asked_for = self._closeness.to_query(query, seen.passages) if query else set[_Key]()
            wanted |= asked_for
            if query:
                asked = [query, *self._asked_for[:1]]
                fitting = fitting_around(asked, seen.passages, self._context.statistics)
            before = self._context.seen_before()
            known = known | ({p.key for i, p in self.admitted.items() if i in before} - asked_for)
        around = read_on(seen.passages, passage, known, tokens, wanted, fitting)
        self._read_on |= {p.key for p in around}
        self._around[seen.action.opens] = [passage.key, *(p.key for p in around if p.key != passage.key)]
        return [p for p in around if p.key != passage.key]

    def _own_words(self, action: Action) -> bool:
        """Whether an action is the expert's own, with words of its own that say what is wanted of it."""
        return self._rounds > 1 and bool(action.query) and action.query != self.findings.question

    def _shares(
        self, texts: Sequence[Observation], fitting: Sequence[Passage]
    ) -> list[tuple[str, list[Passage], int]]:
        """Return what passages are weighed against, which, and how many may be admitted.

        The first round is for the question. What an expert searches afterwards, with the pages read for it,
        is weighed by that search's words; what it reads, by the question and what it is read for. Each action
        has a share of its own.
        """
        limit, question = self._settings.passages, self.findings.question
        along = [seen for seen in texts if seen.action.kind == "read" and seen.action.query == question]
        own = [seen for seen in texts if seen not in along]
        if self._rounds < 2 or not own:
            return [(question, list(fitting), limit)]
        pages = [p for seen in along for p in passages_of(seen)]
        given = [
            (seen.action.query, [*passages_of(seen), *pages])
            if seen.action.kind == "search"
            else (f"{seen.action.query} {question}", passages_of(seen))
            for seen in own
        ]
        keys = {p.key for p in fitting}
        share = -(-limit // len(own))
        return [(asked, [p for p in found if p.key in keys], share) for asked, found in given]


def shown_to_others(
    found: Sequence[Passage], admitted: Mapping[str, Passage], before: Collection[str]
) -> dict[_Key, str]:
    """Return by key the ids of what was found and the session holds, but this speaker was never shown."""
    held = {passage.key: i for i, passage in admitted.items() if i not in before}
    return {p.key: held[p.key] for p in found if p.key in held}
