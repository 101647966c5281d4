"""Sections are drafted: what each is written from, and what becomes of a writer's text."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from library import Evidence, citations, without_claims
from library.passages import blocks, rank_pages, word_count
from library.text import is_question, sentences
from models import Statistics
from reports.brief import Brief
from reports.cite.lead_ins import in_their_paragraphs, led_to
from reports.document import Section, Sentence
from reports.extract.opening import opening, said_everywhere
from reports.extract.page_units import OpeningPassage, opening_passages
from reports.extract.quotations import key, quotes
from reports.extract.quote_selection import Wish, choose, focus_of
from reports.extract.quoted_sentences import quoted_sentences
from reports.extract.ranked_sections import BestSection, best_section, sections_ranked
from reports.plan.conclusions import across_sections
from reports.plan.layout import IN_ORDER
from reports.plan.map_reader import Map, branch
from reports.plan.outline import ReportPlan
from reports.plan.pages import answering_passages
from reports.report_phrases import ReportPhrases
from reports.settings import ReportSettings
from reports.tables.found_series import found_series
from reports.tables.series import ProposedTable, proposed
from reports.tasks.prompt_texts import shown
from reports.tasks.section_task import Material, SectionText, WriteSection
from reports.visible_text import plain
from reports.write.drafting.batch import BatchedRequest
from reports.write.drafting.batch_tasks import SectionTexts, seen_by_writers, writing
from reports.write.drafting.drafts import Drafts, draft_key, only_shown
from reports.write.drafting.written_text import written

_WORDS_A_SENTENCE = 25
_SHORTEST = 60
"""Words of a section."""
_EACH = 20
"""Words that may be said of each passage, however short it is."""
_TOLD = 0.8
"""Words in which what passages say is told, as a share of theirs."""
_DIGEST = (240, 200, 160)
"""Words that are quoted of each page, about, where a question is answered without a language model: of the
best one most, of the third and the others alike."""
_BRIEF = 3
"""How much shorter these are in a brief: one may be told whole that is more than twice as long."""
_LEAST = 2
"""Passages that a node is written from when none of its own tells much."""


@dataclass(frozen=True, slots=True)
class SectionDrafting:
    """What sections are written from, and how their writers' texts are read."""

    brief: Brief
    evidence: Evidence
    statistics: Statistics
    settings: ReportSettings
    phrases: ReportPhrases
    needed: Sequence[str] = ()
    """Passages that the discussion's answers rest on: each is told by the section that has it."""
    chosen: Sequence[str] = ()
    """Passages that an outline for the question chose, in its order; none where the map is the outline."""
    aside: Mapping[str, str] = field(default_factory=dict)
    """Passages that it is written without, with the reasons."""
    found: Sequence[tuple[str, str]] = ()
    """What was noted as missing and a sentence answers, with citations: its passages' writer is told."""

    def drafting(self, plans: Sequence[ReportPlan], drafts: Drafts) -> BatchedRequest[dict[str, SectionText]]:
        """Ask for the sections that were not drafted before; each text comes under its key."""
        tasks = self.tasks(plans)
        keys = [draft_key(plan, self.brief, self.settings) for plan in plans]
        new = [i for i, place in enumerate(keys) if place not in drafts]
        requests = writing([tasks[i] for i in new])
        shown_to = seen_by_writers(requests)

        def read(replies: list[SectionTexts]) -> dict[str, SectionText]:
            written = [text for t, r in zip(requests, replies, strict=True) for text in r.of(len(t.parts))]
            each = zip(new, written, shown_to, strict=True)
            return {keys[i]: only_shown(text, seen) for i, text, seen in each}

        return BatchedRequest(list(requests), read)

    def drafted(self, plans: Sequence[ReportPlan], drafts: Drafts) -> list[Section]:
        """Return the sections as they were drafted."""
        said = set[str]()
        return [
            self.section(plan, drafts[draft_key(plan, self.brief, self.settings)], set(plan.passages()), said)
            for plan in plans
        ]

    def quoted(self, plans: Sequence[ReportPlan]) -> list[Section]:
        """Return the sections as they are without a writer."""
        said = set[str]()
        return [
            self.section(plan, task.extract(self.statistics), set(plan.passages()), said)
            for plan, task in zip(plans, self.tasks(plans), strict=True)
        ]

    def tasks(self, plans: Sequence[ReportPlan]) -> list[WriteSection]:
        """Return what is asked for each section."""
        quotations, telling = self.quotations(plans)
        said: list[str] = []
        best, pages = BestSection(), dict[str, float]()
        alone = asks_alone(self.brief)
        if alone:
            held = self.quotable_passages()
            told = opening(self.brief.topic, held, self.statistics, self.settings.share)
            best = best_section(*sections_ranked(self.brief.topic, held, self.statistics))
            pages = dict(rank_pages(self.brief.topic, held, self.statistics))
            everywhere = said_everywhere(self.brief.topic, held, self.statistics)
            said = [*everywhere, *(each.words for each in told)]
            telling = set(self.evidence.passages)
        needed = set(self.needed)
        materials = [self.materials(plan, telling) for plan in plans]
        lengths = self._lengths(plans, materials)
        answers = [] if self.brief.embedded else [answer for _question, answer in self.brief.given]
        concluded = across_sections(plans, answers, self.evidence.passages, self.statistics)
        return [
            WriteSection(
                topic=self.brief.topic,
                directions=self.brief.directions,
                heading=plan.heading,
                language=self.brief.language,
                style=self.settings.style,
                audience=self.settings.audience,
                words=lengths[i],
                materials=materials[i],
                purpose=plan.purpose,
                needed=[p for p in plan.passages() if p in needed],
                concluded=concluded[i],
                premises=shown(
                    [p for text in concluded[i] for p in citations(text) if p not in plan.passages()],
                    self.evidence,
                ),
                elsewhere=[other.heading for j, other in enumerate(plans) if j != i],
                quotations=quotations[i],
                digest=self._digest(i) if alone and self._of_one_page(plan) else 0,
                said=said,
                best=best,
                page_fit=max((pages.get(sha, 0.0) for sha in self._pages_of(plan)), default=0.0),
            )
            for i, plan in enumerate(plans)
        ]

    def _digest(self, n: int) -> int:
        """Return about how many words the n-th section, from 0, quotes of its page."""
        usual = _DIGEST[min(n, len(_DIGEST) - 1)]
        return usual // _BRIEF if self.settings.style == "brief" else usual

    def _lengths(self, plans: Sequence[ReportPlan], materials: Sequence[Sequence[Material]]) -> list[int]:
        """Return how many words each section has: as planned, else by what its passages hold.

        None has more than its passages; what one cannot use, the others have.
        """
        held = [int(sum(word_count(p.text) for m in own for p in m.passages)) for own in materials]
        # A planner's figure may be more than can be said; a branch of the map is as long as it is.
        held = [int(_TOLD * n) if plan.words else n for plan, n in zip(plans, held, strict=True)]
        weights = [float(plan.words or max(words, 1)) for plan, words in zip(plans, held, strict=True)]
        found, open_still = [0] * len(plans), list(range(len(plans)))
        left = min(float(self.settings.words), sum(plan.words for plan in plans) or float("inf"))
        while open_still:
            rate = left / sum(weights[i] for i in open_still)
            full = [i for i in open_still if held[i] <= rate * weights[i]]
            for i in full or open_still:
                found[i] = held[i] if full else int(rate * weights[i])
            left -= sum(found[i] for i in full)
            open_still = [i for i in open_still if i not in full] if full else []
        # Something is said of a passage of a few words, too.
        least = [min(_SHORTEST, _EACH * sum(len(m.passages) for m in own)) for own in materials]
        found = [max(words, few) for words, few in zip(found, least, strict=True)]
        return self._with_steps(found, plans) if any(plan.words for plan in plans) else found

    def _with_steps(self, lengths: Sequence[int], plans: Sequence[ReportPlan]) -> list[int]:
        """Return lengths in which the steps and the code that answers rest on find room, as they are.

        All sections together get longer by half of what was asked for at most.
        """
        needed, held = set(self.needed), self.evidence.passages
        done = [sum(_to_be_done(held[p].text) for p in plan.passages() if p in needed) for plan in plans]
        more = [max(0, steps - length) for steps, length in zip(done, lengths, strict=True)]
        share = min(1.0, self.settings.words / 2 / max(sum(more), 1))
        return [length + int(share * extra) for length, extra in zip(lengths, more, strict=True)]

    def materials(self, plan: ReportPlan, telling: Collection[str]) -> list[Material]:
        """Return what a section is written from: all its passages for a model, else those that tell most."""
        return [
            Material(
                title=part.title,
                notes=[
                    *(
                        (note.question, without_claims(note.answer, self.brief.withdrawn, sentences))
                        for note in part.notes
                    ),
                    *(noted for noted in self.found if set(citations(noted[1])) & set(part.passages)),
                ],
                passages=shown(
                    part.passages
                    if plan.words or not self.brief.embedded
                    else [p for p in part.passages if p in telling] or part.passages[:_LEAST],
                    self.evidence,
                ),
            )
            for top in plan.branches
            for part in top.walk()
            if part.passages or part.notes
        ]

    def quotations(self, plans: Sequence[ReportPlan]) -> tuple[list[list[str]], set[str]]:
        """Choose the report's quotations.

        Returns:
            The keys of those that each section has, and the passages that tell most: those that hold a
            quotation, and those that the discussion cites. A map may hold ten times more than a report of
            this length can say.
        """
        owner = {p: i for i, plan in enumerate(plans) for p in plan.passages()}
        titles = {p: title for plan in plans for p, title in plan.titles().items()}
        wish = self.wish(owner, titles)
        most = int(self.settings.share * self.settings.max_sentences) // (2 if wish.asks else 1)
        pool = quotes(wish.texts.items(), self.statistics)
        chosen = choose(pool, most, most // 4, wish, self.statistics)
        keys = [[q.key for q in chosen if owner[q.passages[0]] == i] for i in range(len(plans))]
        longer = self.settings.words // _WORDS_A_SENTENCE
        if longer > most:
            chosen = choose(pool, longer, longer // 4, wish, self.statistics)
        telling = {p for q in chosen for p in q.passages[:3]}
        parts = [part for plan in plans for top in plan.branches for part in top.walk()]
        noted = [note.answer for part in parts for note in part.notes]
        more = () if self.brief.embedded else self.needed
        return keys, telling.union(more, *map(citations, noted))

    def wish(self, ids: Iterable[str], headings: Mapping[str, str]) -> Wish:
        """Return what a choice of quotations knows of passages."""
        found = {i: self.evidence.passages[i] for i in ids}
        return Wish(
            topic=self.brief.topic,
            headings=headings,
            sources={i: passage.sha256 for i, passage in found.items()},
            texts={i: passage.text for i, passage in found.items()},
            titles={i: passage.title for i, passage in found.items()},
            asks=asks_alone(self.brief),
        )

    def section(self, plan: ReportPlan, text: SectionText, allowed: set[str], said: set[str]) -> Section:
        """Return a section of what was written; what was said before is not, but for steps and code.

        Args:
            plan: The section.
            text: As written: it cites what its writer was shown, and nothing else.
            allowed: Ids of the passages that quotations and figures may be of.
            said: Keys of what was said in sections before; what this one says is added.
        """
        points = self.settings.style == "outline"
        sentences = [
            sentence
            for sentence in quoted_sentences(text.quotations, self.evidence, allowed, points=points)
            if key(sentence.text) not in said
        ]
        said |= {key(sentence.text) for sentence in sentences}
        told = written(text.paragraphs, self.evidence.passages, self.statistics, points=points)
        left: list[Sentence | None] = []
        for n, sentence in enumerate(told):
            again = key(sentence.text) in said and sentence.form not in IN_ORDER and not led_to(told, n)
            stays = bool(key(sentence.text)) and not again
            left.append(sentence if stays else None)
            if stays:
                said.add(key(sentence.text))
        sentences += in_their_paragraphs(told, left)
        series = text.tables or self.series(plan)
        tables, charts = proposed(series, allowed, self.evidence)
        return Section(
            heading=plain(plan.heading),
            level=plan.level,
            node=plan.node,
            opening=plain(text.opening),
            sentences=sentences,
            tables=tables,
            charts=charts,
        )

    def series(self, plan: ReportPlan) -> list[ProposedTable]:
        """Return what a section's passages hold of figures in rows, where its writer gave no table."""
        held = self.evidence.passages
        texts = {p: held[p].text for p in plan.passages()}
        return found_series(texts, plain(plan.heading), self.phrases, self.statistics)

    def _of_one_page(self, plan: ReportPlan) -> bool:
        """Tell whether a section is written from a single source."""
        return len(self._pages_of(plan)) == 1

    def _pages_of(self, plan: ReportPlan) -> set[str]:
        return {self.evidence.passages[i].sha256 for i in plan.passages()}

    def quotable_passages(self) -> list[OpeningPassage]:
        """Return what was admitted and can be quoted in an opening."""
        return opening_passages(answering_passages(self.brief.topic, self.evidence), self.evidence)

    def about(self, tree: Map) -> dict[str, float]:
        """Return how much each passage of the map is about the topic."""
        wish = self.wish(branch(tree, tree.root, self.evidence).all_passages(), {})
        return {i: round(near, 4) for i, near in focus_of(wish, self.statistics).items()}


def _to_be_done(text: str) -> int:
    """Return how many words of a text are steps, and code between them; 0 where nothing is to be done."""
    return int(sum(word_count(text[b.start : b.end]) for b in blocks(text) if b.form in ("step", "code")))


def asks_alone(brief: Brief) -> bool:
    """Tell whether the topic is a question, and no language model is there to answer it."""
    return brief.embedded and is_question(brief.topic)
