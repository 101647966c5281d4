"""The plan of a session, as a person sees it before anything else is spent: who, what first, where, how much.

A plan is a view of the state after the panel is seated, and nothing of it is kept: a session that stands
still there has lost no plan after a restart, and `roundtable resume` begins it as it stands.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from agents import Perspective
from models import cost, price_of
from roundtable.config.config import Settings, recorded_settings
from roundtable.config.errors import InputError
from roundtable.journal.events import PlanChanged
from roundtable.journal.fold.state import State

_AROUND = 1_500
"""Tokens of a prompt beside an expert's passages: instructions, the talk, the map; what others are shown."""
_SHOWN = 0.75
"""Of the room for an expert's passages, how much is filled on average."""
_REPLY = 350
"""Tokens of a reply."""
_READ_TO_WRITE = 4
"""How often the evidence of a report is read: to plan, to write the answer, to judge and mend it."""
_RESTED_ON = 20_000
"""Tokens of what the answers rest on, read to write the sections and to judge them, however much else is."""
_SECTIONS = 15
"""Requests for the panel, names in the map, and the report: sections, their judgement, the lead, repairs."""


Panel = tuple[tuple[Perspective, str], ...]
"""The experts, each with a first question ('' for none)."""


@dataclass(frozen=True, slots=True)
class Estimate:
    """What a session will need, roughly; 0 requests for the embedded model."""

    requests: int
    tokens: int
    cost: float | None
    """US dollars; None when nobody knows a price."""


@dataclass(frozen=True, slots=True)
class SessionPlan:
    """What the table is about to do."""

    topic: str
    panel: Panel
    places: tuple[str, ...]
    turns: int
    estimate: Estimate
    depth: str = "standard"
    """`quick`, `standard` or `deep`."""
    things: tuple[str, ...] = ()
    """What the moderator proposes to compare; empty for nothing."""
    respects: tuple[str, ...] = ()


def plan_of(state: State, settings: Settings, places: tuple[str, ...], model: str) -> SessionPlan:
    """Return the plan of a session whose panel is seated."""
    first = {q.to: q.text for q in reversed(state.agenda.waiting()) if q.to}
    return SessionPlan(
        topic=state.topic,
        panel=tuple((p, first.get(p.slug, "")) for p in state.panel),
        places=places,
        turns=settings.moderator.turns,
        estimate=estimate(settings, model),
        depth=settings.depth,
        things=tuple(state.proposed.things) if state.proposed else (),
        respects=tuple(state.proposed.questions) if state.proposed else (),
    )


def with_changes(settings: Settings, changed: Sequence[PlanChanged]) -> Settings:
    """Return the settings as a person changed them with the plan."""
    for event in changed:
        turns = settings.moderator.model_copy(update={"turns": event.turns})
        settings = settings.model_copy(update={"search": event.search, "moderator": turns})
    return settings


def changed_settings(state: State) -> Settings:
    """Return the settings of a session as a person changed them with its plan."""
    return with_changes(recorded_settings(state.settings), state.plan_changes)


def plan_now(state: State) -> SessionPlan:
    """Return the plan of a session. Raises InputError when it has begun, or has no plan yet."""
    waits = bool(state.panel) and not state.taken and state.status in {"running", "stopped"}
    if not waits or state.start is None:
        raise InputError("this session has no plan to change: it has begun, or nobody is seated yet")
    settings = changed_settings(state)
    return plan_of(state, settings, (*settings.docs, *settings.search), state.start.model)


def estimate(settings: Settings, model: str) -> Estimate:
    """Return what the turns and the report will need: three requests an answer at most."""
    if model == "embedded":
        return Estimate(0, 0, 0.0)
    turns, agents = settings.moderator.turns, settings.agents
    asked = turns // (settings.moderator.after_answers + 1)
    answers = turns - asked
    research = min(2, agents.rounds) * answers
    shown = _SHOWN * (agents.passage_tokens + agents.listed_tokens)
    # Placing an answer's passages and judging the answer is one request.
    requests = research + asked + answers + _SECTIONS
    written = _RESTED_ON + _READ_TO_WRITE * settings.reports.evidence_tokens
    prompts = int(requests * _AROUND + research * shown + written)
    price = price_of(model, settings.models.prices, listed=settings.models.base_url is None)
    return Estimate(requests, prompts + requests * _REPLY, cost(price, prompts, requests * _REPLY))


def plan_text(plan: SessionPlan) -> str:
    """Print a plan for a person."""
    from rich.cells import cell_len

    lines = [plan.topic, "=" * min(78, cell_len(plan.topic)), "", "At the table:"]
    for perspective, question in plan.panel:
        lines += [f"- {perspective.name} — {perspective.focus or perspective.role}"]
        lines[-1] += f" — asks first: {question}" if question else ""
        lines[-1] += f" — speaks by {perspective.model}" if perspective.model else ""
    if plan.things:
        lines += ["", f"Proposes to compare {', '.join(plan.things)}: {', '.join(plan.respects)}"]
    needs = plan.estimate
    money = "price unknown" if needs.cost is None else f"about ${needs.cost:.2f}"
    spends = f"about {needs.requests} requests, {needs.tokens:,} tokens, {money}"
    lines += [
        "",
        f"Searching: {', '.join(plan.places) or 'nothing'}",
        f"At most {plan.turns} turns, depth {plan.depth}; "
        + (spends if needs.requests else "no requests to a language model, nothing to pay"),
    ]
    return "\n".join(lines)
