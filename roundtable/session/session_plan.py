"""The plan of a session, as a person sees it before anything else is spent: who, what first, where, how much.

A plan is a view of the state after the panel is seated. As text it can be edited: what was changed becomes
events, so that a session that goes on from an edited plan resumes like any other.
"""

import tomllib
from collections.abc import Sequence
from dataclasses import dataclass

from agents import PanelSeated, Perspective
from models import Event, cost, price_of
from moderator import QuestionClosed, QuestionRaised, QuestionReworded
from roundtable.config.config import Settings
from roundtable.config.errors import InputError
from roundtable.journal.events import PlanChanged
from roundtable.journal.state import State

_AROUND = 650
"""Tokens of a prompt beside its passages: instructions, the talk, the branch of the map; many have less."""
_REPLY = 350
"""Tokens of a reply."""
_SECTIONS = 12
"""Requests for the report: sections together, their judgement, the lead, the title, repairs."""


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
    panel: tuple[tuple[Perspective, str], ...]
    """The experts, each with a first question ('' for none)."""
    places: tuple[str, ...]
    turns: int
    estimate: Estimate


def plan_of(state: State, settings: Settings, places: tuple[str, ...], model: str) -> SessionPlan:
    """Return the plan of a session whose panel is seated."""
    first = {q.to: q.text for q in reversed(state.agenda.waiting()) if q.to}
    return SessionPlan(
        topic=state.topic,
        panel=tuple((p, first.get(p.slug, "")) for p in state.panel),
        places=places,
        turns=settings.moderator.turns,
        estimate=estimate(settings, model),
    )


def with_changes(settings: Settings, changed: Sequence[PlanChanged]) -> Settings:
    """Return the settings as a person changed them with the plan."""
    for event in changed:
        turns = settings.moderator.model_copy(update={"turns": event.turns})
        settings = settings.model_copy(update={"search": event.search, "moderator": turns})
    return settings


def estimate(settings: Settings, model: str) -> Estimate:
    """Return what the turns and the report will need: three requests an answer at most."""
    if model == "embedded":
        return Estimate(0, 0, 0.0)
    turns, agents = settings.moderator.turns, settings.agents
    asked = turns // (settings.moderator.after_answers + 1)
    answers = turns - asked
    research = min(2, agents.rounds) * answers
    shown = agents.passage_tokens + agents.listed_tokens
    # Placing an answer's passages and judging the answer is one request.
    requests = research + asked + answers + _SECTIONS
    prompts = requests * (_AROUND + shown)
    price = price_of(model, settings.models.prices, listed=settings.models.base_url is None)
    return Estimate(requests, prompts + requests * _REPLY, cost(price, prompts, requests * _REPLY))


def plan_text(plan: SessionPlan) -> str:
    """Print a plan for a person."""
    lines = [plan.topic, "=" * min(78, len(plan.topic)), "", "At the table:"]
    for perspective, question in plan.panel:
        lines += [f"- {perspective.name} — {perspective.focus or perspective.role}"]
        lines[-1] += f" — asks first: {question}" if question else ""
    needs = plan.estimate
    money = "price unknown" if needs.cost is None else f"about ${needs.cost:.2f}"
    spends = f"about {needs.requests} requests, {needs.tokens:,} tokens, {money}"
    lines += [
        "",
        f"Searching: {', '.join(plan.places) or 'nothing'}",
        f"At most {plan.turns} turns; "
        + (spends if needs.requests else "no requests to a language model, nothing to pay"),
    ]
    return "\n".join(lines)


def editable(plan: SessionPlan) -> str:
    """Print what can be changed of a plan, as TOML that `read_edited` takes."""
    lines = [
        "# Change what you like, and save. An expert whose part is deleted does not sit at the table.",
        f"# Topic: {plan.topic}",
    ]
    for perspective, question in plan.panel:
        lines += ["", f"[{perspective.slug}]"]
        fields = {"name": perspective.name, "role": perspective.role, "focus": perspective.focus}
        lines += [f"{key} = {_toml(value)}" for key, value in {**fields, "question": question}.items()]
    return "\n".join(lines) + "\n"


def _toml(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return '"' + "".join(c if c.isprintable() else " " for c in escaped) + '"'


def read_edited(text: str, plan: SessionPlan) -> list[tuple[Perspective, str]]:
    """Read an edited plan.

    Raises:
        InputError: it is no TOML, has an unknown name, or leaves nobody at the table.
    """
    try:
        parts = tomllib.loads(text)
    except tomllib.TOMLDecodeError as failure:
        raise InputError(f"the plan cannot be read: {failure}") from failure
    known = {p.slug: (p, question) for p, question in plan.panel}
    edited: list[tuple[Perspective, str]] = []
    for slug, part in parts.items():
        if slug not in known or not isinstance(part, dict):
            raise InputError(f"the plan has no expert [{slug}]; there are: {', '.join(known)}")
        perspective, question = known[slug]
        if wrong := sorted(set(part) - {"name", "role", "focus", "question"}):
            raise InputError(f"[{slug}] has no {wrong[0]!r}; there are name, role, focus and question")
        values = {key: " ".join(str(value).split()) for key, value in part.items()}
        question = values.pop("question", question)
        edited.append((perspective.model_copy(update=values), question))
    if not edited:
        raise InputError("the plan leaves nobody at the table: keep one expert at least")
    return edited


def changes(state: State, plan: SessionPlan, edited: list[tuple[Perspective, str]]) -> list[Event]:
    """Return the events that make an edited plan the session's; none where nothing was changed."""
    before = {p.slug: (p, question) for p, question in plan.panel}
    events: list[Event] = []
    if [p for p, _ in edited] != [p for p, _ in plan.panel]:
        events.append(PanelSeated(panel=[p for p, _ in edited], reason="a person changed the plan"))
    waiting = {q.to: q.id for q in reversed(state.agenda.waiting()) if q.to}
    for perspective, question in edited:
        if question == before.get(perspective.slug, (perspective, ""))[1]:
            continue
        known = waiting.get(perspective.slug)
        if known and question:
            events.append(QuestionReworded(id=known, text=question))
        elif question:
            number = len(state.agenda.questions) + sum(isinstance(e, QuestionRaised) for e in events) + 1
            events.append(
                QuestionRaised(id=f"q{number}", text=question, by=perspective.slug, to=perspective.slug)
            )
    gone = set(before) - {p.slug for p, _ in edited}
    gone |= {p.slug for p, question in edited if not question}
    events += [
        QuestionClosed(id=waiting[slug], state="dropped", reason="taken out of the plan")
        for slug in before
        if slug in gone and slug in waiting
    ]
    return events
