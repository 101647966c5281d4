"""A person's changes to a plan: experts, their first questions, places and turns.

The page sends a whole plan, the command line an edited text or a question at a time. Each becomes the same
`ExpertEdit`s, is checked once, and becomes events, so that a session that goes on from an edited plan resumes
like any other.
"""

import tomllib
from collections.abc import Sequence
from typing import Annotated

from pydantic import Field, StringConstraints, ValidationError

from agents import PanelSeated, Perspective, slug
from models import Event, Frozen
from moderator import SLUG, QuestionClosed, QuestionRaised, QuestionReworded
from roundtable.config.config import Settings
from roundtable.config.errors import InputError, wrong_value
from roundtable.config.search_places import check_backends, refuse_one_name
from roundtable.journal.events import PlanChanged
from roundtable.journal.fold.state import State
from roundtable.session.planning.session_plan import Panel, SessionPlan, changed_settings, plan_now
from roundtable.session.turns.command_runner import PERSON

_RESERVED = {SLUG, PERSON}
"""Slugs that no expert may have."""
_EDITABLE = ("name", "role", "focus", "question")
_Place = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=4000)]


class ExpertEdit(Frozen):
    """An expert as a person wants it."""

    slug: str = ""
    """Of an expert of the plan; empty for a new one."""
    name: Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=400)]
    role: str | None = Field(default=None, max_length=2000)
    """None: as before; for a new expert, its focus."""
    focus: str = Field(default="", max_length=2000)
    """Empty: its role, where one is given, else its name."""
    question: str = Field(default="", max_length=2000)
    """What it asks first; empty for nothing."""


class PlanEdit(Frozen):
    """A plan as a person wants it, to begin with."""

    experts: list[ExpertEdit] = Field(min_length=1, max_length=8)
    """Experts of the plan that are not named do not sit at the table."""
    turns: int | None = Field(default=None, ge=1, le=500)
    """None: as before."""
    search: list[_Place] | None = Field(default=None, max_length=20)
    """None: as before."""


def edited_plan(state: State, wanted: PlanEdit) -> tuple[SessionPlan, Panel, list[PlanChanged]]:
    """Return the plan of a session, its experts as a person wants them, and what else they changed.

    Raises:
        InputError: it cannot be begun so, or has begun; the message is one line.
    """
    plan = plan_now(state)
    return plan, edited_panel(plan, wanted.experts), _changed_places(changed_settings(state), wanted)


def edited_panel(plan: SessionPlan, experts: Sequence[ExpertEdit]) -> Panel:
    """Return the experts of a plan as a person wants them.

    Raises:
        InputError: one is named that the plan does not have, or nobody is left.
    """
    known = {perspective.slug: perspective for perspective, _ in plan.panel}
    panel: list[tuple[Perspective, str]] = []
    for expert in experts:
        if expert.slug and expert.slug not in known:
            raise InputError(f"the plan has no expert {expert.slug!r}; there are: {', '.join(known)}")
        name, role, question = _line(expert.name), _line(expert.role or ""), _line(expert.question)
        focus = _line(expert.focus) or role or name
        if expert.slug:
            before = known[expert.slug]
            kept = expert.role is None or role == before.role
            changed = {"name": name, "role": before.role if kept else role}
            panel.append((_looking_at(before, focus, **changed), question))
            continue
        own = slug(name, {*_RESERVED, *known, *(p.slug for p, _ in panel)})
        terms = list(dict.fromkeys([name, focus]))
        panel.append(
            (Perspective(slug=own, name=name, role=role or focus, focus=focus, terms=terms), question)
        )
    if not panel:
        raise InputError("the plan leaves nobody at the table: keep one expert at least")
    return tuple(panel)


def _looking_at(before: Perspective, focus: str, *, name: str, role: str) -> Perspective:
    """Return an expert of the plan that looks at something else: its role and its terms go with that."""
    changed = {"name": name, "role": role, "focus": focus}
    if focus != before.focus and before.focus:
        changed["role"] = role.replace(f"“{before.focus}”", f"“{focus}”")
        return before.model_copy(update={**changed, "terms": [focus]})
    return before.model_copy(update=changed)


def _line(text: str) -> str:
    return " ".join(text.split())


def _changed_places(settings: Settings, wanted: PlanEdit) -> list[PlanChanged]:
    search = settings.search if wanted.search is None else list(dict.fromkeys(wanted.search))
    turns = wanted.turns or settings.moderator.turns
    if (search, turns) == (settings.search, settings.moderator.turns):
        return []
    local = [name for name in search if name in settings.mcp and settings.mcp[name].local]
    if settings.offline and len(local) < len(search):
        raise InputError("this session is offline: it searches its documents alone")
    if not search and not settings.docs:
        raise InputError("nowhere to search: name a place outside, or begin a session with documents")
    check_backends(search, settings)
    refuse_one_name(settings.docs, search)
    return [PlanChanged(turns=turns, search=search)]


def editable(plan: SessionPlan) -> str:
    """Print what can be changed of a plan, as TOML that `read_edited` takes."""
    lines = [
        "# Change what you like, and save. An expert whose part is deleted does not sit at the table.",
        f"# Topic: {plan.topic}",
    ]
    for perspective, question in plan.panel:
        lines += ["", f"[{perspective.slug}]"]
        values = (perspective.name, perspective.role, perspective.focus, question)
        lines += [f"{key} = {_toml(value)}" for key, value in zip(_EDITABLE, values, strict=True)]
    return "\n".join(lines) + "\n"


def _toml(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return '"' + "".join(c if c.isprintable() else " " for c in escaped) + '"'


def read_edited(text: str, plan: SessionPlan) -> Panel:
    """Read an edited plan; what is not there stays as it is.

    Raises:
        InputError: it is no TOML, has an unknown name or a wrong value, or leaves nobody at the table.
    """
    try:
        parts = tomllib.loads(text)
    except (ValueError, RecursionError) as failure:
        raise InputError(f"the plan cannot be read: {failure}") from failure
    known = {perspective.slug: (perspective, question) for perspective, question in plan.panel}
    experts: list[ExpertEdit] = []
    for name, part in parts.items():
        if name not in known or not isinstance(part, dict):
            raise InputError(f"the plan has no expert [{name}]; there are: {', '.join(known)}")
        if wrong := sorted(set(part) - set(_EDITABLE)):
            raise InputError(f"[{name}] has no {wrong[0]!r}; there are name, role, focus and question")
        perspective, question = known[name]
        values = {"name": perspective.name, "role": perspective.role, "focus": perspective.focus,
                  "question": question, **{key: str(value) for key, value in part.items()}}  # fmt: skip
        try:
            experts.append(ExpertEdit.model_validate({"slug": name, **values}))
        except ValidationError as failure:
            first = failure.errors()[0]
            raise InputError(f"[{name}] {first['loc'][0]}: {wrong_value(first)}") from failure
    return edited_panel(plan, experts)


def changes(state: State, plan: SessionPlan, panel: Panel) -> list[Event]:
    """Return the events that make an edited plan the session's; none where nothing was changed."""
    before = {p.slug: (p, question) for p, question in plan.panel}
    events: list[Event] = []
    if [p for p, _ in panel] != [p for p, _ in plan.panel]:
        wanted = [p for p, _ in panel]
        written = [p.slug for p in wanted if before.get(p.slug, (None, ""))[0] != p]
        events.append(PanelSeated(panel=wanted, reason="a person changed the plan", kept=written))
    waiting = {q.to: q.id for q in reversed(state.agenda.waiting()) if q.to}
    for perspective, question in panel:
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
    gone = set(before) - {p.slug for p, _ in panel}
    gone |= {p.slug for p, question in panel if not question}
    events += [
        QuestionClosed(id=waiting[slug], state="dropped", reason="taken out of the plan")
        for slug in before
        if slug in gone and slug in waiting
    ]
    return events
