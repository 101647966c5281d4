"""Who sits at the table: the background is searched, the panel seated, and later renewed."""

from collections.abc import Sequence

from agents import (
    AgentSettings,
    PanelDraft,
    PanelSeated,
    Perspective,
    PlanPanel,
    asked_parts,
    invited_seats,
    own_seats,
    seat_panel,
    seat_slugs,
)
from agents.research import Research, first_actions, has_headings, limits_searches, told_by_headings
from library.text import is_question, one_line, question_parts
from models import Event
from moderator import SLUG, Question, holds_part, raise_all
from roundtable.config.config import Settings
from roundtable.journal.events import Warned
from roundtable.journal.fold.state import State
from roundtable.journal.place_names import place_names
from roundtable.session.context.journalled_context import ContextFactory
from roundtable.session.planning.comparison_proposal import proposed_comparison
from roundtable.session.planning.session_plan import SessionPlan, plan_of
from roundtable.session.turns.command_runner import PERSON

_BEFORE_LIMITS = 4
"""Passages of the background that stand before those that tell limits."""
_FOLLOWED = 3
"""Pages that are read on in where no language model chooses what to read."""


class PanelSetup:
    """Seats one session's panel; holds nothing that the record does not."""

    def __init__(self, contexts: ContextFactory, settings: Settings) -> None:
        self._contexts = contexts
        self._settings = settings

    @property
    def _state(self) -> State:
        return self._contexts.record.state

    def _record(self, *events: Event) -> None:
        self._contexts.record.add(*events)

    async def seat(self) -> bool:
        """Search for the background and seat the panel; False when nothing was found: nobody sits there."""
        if not self._state.panel:
            background = await self._search_background()
            if background is None:
                return False
            await self._seat_first(background)
        return True

    async def _search_background(self) -> list[str] | None:
        agents = self._settings.agents
        wide = AgentSettings(**{**agents.model_dump(), "passages": agents.background})
        research = Research(self._contexts.of(SLUG), wide, self._state.topic, self._state.topic)
        chooses, limits = self._contexts.of(SLUG).chooses, list[str]()
        if chooses or is_question(self._state.topic):
            parts = [] if chooses else question_parts(self._state.topic)
            await research.run(first_actions(self._state.topic, parts))
            if chooses:
                limits = await self._search_limits(research)
            else:
                # Nobody will choose what to read: the pages that answer best are read on in.
                await research.follow(_FOLLOWED)
        else:
            # Nor what to search: the subject's sides are, as what was found tells them.
            await research.search_widely(self._state.topic)
        for notice in research.findings.notices:
            if notice not in self._state.warnings:
                self._record(Warned(text=notice))
        # Where nothing is close, experts who can search in other words sit down all the same.
        goes_on = chooses and research.met
        found = list(research.findings.passages)
        # What tells limits is shown with the best of the rest: who plans asks about it only where it is seen.
        others = [i for i in found if i not in limits]
        return [*others[:_BEFORE_LIMITS], *limits, *others[_BEFORE_LIMITS:]] or ([] if goes_on else None)

    async def _search_limits(self, research: Research) -> list[str]:
        """Look for what a question's thing is meant for and its limits; return what was admitted."""
        context, state = self._contexts.of(SLUG), self._state
        held = research.findings.passages.values()
        if not is_question(state.topic) or (held and not has_headings(held)):
            return []
        seen = await context.perform(limits_searches(state.topic, state.language, context.places))
        told = [each for each in map(told_by_headings, seen) if each.found]
        return await research.run([], before=told, headed=True) if told else []

    async def _seat_first(self, background: Sequence[str]) -> None:
        state = self._state
        seats = self._settings.agents.seats
        count = max(self._settings.agents.experts, len(state.invited) + len(seats))
        taken = {SLUG, PERSON, *(agent.slug for agent in state.invited), *seat_slugs(seats)}
        passages = tuple(state.evidence.passages[i] for i in background)
        task = PlanPanel(
            topic=state.topic, language=state.language, count=count, background=passages,
            background_tokens=self._settings.agents.background_tokens,
            given=tuple(f"{seat.name}: {seat.focus or seat.name}" for seat in seats),
        )  # fmt: skip
        draft = await self._contexts.of(SLUG).ask(task)
        parts, begun = asked_parts(draft), {expert.part for expert in draft.experts}
        own, count = own_seats(draft, seats, state.language), count - len(seats)
        named = {p.name.casefold() for p, _ in own}
        others = [e for e in draft.experts if one_line(e.name) not in named]
        seated = seat_panel(PanelDraft(experts=others), count, taken)
        if len(seated) < count:
            # A model that proposes too few: the background's own groups fill the panel.
            draft = task.extract(self._contexts.library.statistics)
            names = {p.name for p, _ in seated}
            more = seat_panel(draft, count, taken | {p.slug for p, _ in seated})
            seated += [(p, q) for p, q in more if p.name not in names][: count - len(seated)]
        seated = [*own, *invited_seats(seated, state.invited, self._contexts.library.statistics)]
        asked = [(p, q or p.focus) for p, q in seated]
        questions = [(q, " ".join(p.terms[:4]), p.slug, p.slug) for p, q in asked if q]
        raised = raise_all(state.agenda, questions)
        left = [
            (part, "", SLUG, None)
            for n, part in enumerate(parts, 1)
            if n not in begun and not any(holds_part(part, event.text) for event in raised)
        ]
        raised += raise_all(state.agenda, left, why="a part of what was asked", first=len(raised), part=True)
        topic = raise_all(state.agenda, [(state.topic, "", SLUG, None)], place="tail", first=len(raised))
        kept = [p.slug for p, _ in own]
        self._record(PanelSeated(panel=[p for p, _ in seated], parts=parts, kept=kept), *raised, *topic)
        proposed = proposed_comparison(
            state.topic, passages, self._contexts.library.statistics, state.language
        )
        self._record(*([proposed] if proposed else []))

    async def renew(self, leaving: str, question: Question) -> None:
        """Replace one expert by one who is near to what the talk has come to."""
        state = self._state
        staying = [p for p in state.panel if p.slug != leaving]
        unused = [state.evidence.passages[i] for i in state.unused()]
        near = self._contexts.library.statistics.relevance(
            f"{question.text} {question.search}", [p.text for p in unused]
        )
        ranked = sorted(zip(near, unused, strict=True), key=lambda pair: -pair[0])
        background = tuple(passage for _, passage in ranked[: self._settings.agents.background])
        known = [staying, *state.panels]
        task = PlanPanel(
            topic=f"{state.topic}: {question.text}", language=state.language, count=1,
            background=background, directions=tuple(state.directions),
            present=tuple(dict.fromkeys(f"{p.name}: {p.focus}" for seated in known for p in seated)),
        )  # fmt: skip
        taken = {SLUG, PERSON, *(p.slug for panel in state.panels for p in panel)}
        new: list[Perspective] = [p for p, _ in seat_panel(await self._contexts.of(SLUG).ask(task), 1, taken)]
        panel = [*staying, *new] if new else state.panel
        self._record(PanelSeated(panel=panel, reason=f"the talk has come to “{question.text}”"))

    def planned(self) -> SessionPlan:
        """Return the plan; the panel must be seated."""
        context = self._contexts.of(SLUG)
        known = place_names(self._settings.docs)
        places = tuple(known.get(place.name, place.name) for place in context.places)
        return plan_of(self._state, self._settings, places, self._contexts.models["expert"].name)
