"""The plan of a session that has not begun: shown, changed, and begun from the page.

A planned session is one that stands still after its panel was seated. So nothing is kept here: a restart of
the server loses no plan, and `roundtable resume` begins it as it stands.
"""

import re
from typing import Any

from pydantic import BaseModel, ConfigDict, Field

from agents import Perspective, slug
from moderator import SLUG
from roundtable.config.config import Settings
from roundtable.config.errors import InputError
from roundtable.config.search_places import check_backends
from roundtable.journal.events import PlanChanged
from roundtable.journal.state import State
from roundtable.session.command_runner import PERSON
from roundtable.session.session import Session
from roundtable.session.session_plan import SessionPlan, plan_of, with_changes
from roundtable.web.schemas import Short, Text

_SPOKEN_FOR = {SLUG, PERSON}


class Seated(BaseModel):
    """An expert as a person wants it."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    slug: str = ""
    """Of an expert of the plan; empty for a new one."""
    name: Short
    focus: str = Field(default="", max_length=2000)
    question: str = Field(default="", max_length=2000)


class Beginning(BaseModel):
    """A plan as a person wants it, to begin with."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    experts: list[Seated] = Field(min_length=1, max_length=8)
    turns: int | None = Field(default=None, ge=1, le=500)
    search: list[Text] | None = Field(default=None, max_length=20)


def waits_to_begin(state: State) -> bool:
    """Tell whether a session stands at its plan: its panel is seated, and nobody has spoken."""
    return bool(state.panel) and not state.taken and state.status in {"running", "stopped"}


def plan_now(state: State) -> SessionPlan:
    """Return the plan of a session. Raises InputError when it has begun, or has no plan yet."""
    if not waits_to_begin(state) or state.start is None:
        raise InputError("this session has no plan to change: it has begun, or nobody is seated yet")
    settings = _settings(state)
    return plan_of(state, settings, (*settings.docs, *settings.search), state.start.model)


def _settings(state: State) -> Settings:
    return with_changes(Settings.model_validate(state.settings), state.plan_changes)


def plan_values(state: State) -> dict[str, Any]:
    """Return the plan as plain values."""
    plan, settings = plan_now(state), _settings(state)
    return {
        "topic": plan.topic,
        "experts": [
            {"slug": p.slug, "name": p.name, "role": p.role, "focus": p.focus, "question": question}
            for p, question in plan.panel
        ],
        "docs": settings.docs,
        "search": settings.search,
        "offline": settings.offline,
        "turns": plan.turns,
        "requests": plan.estimate.requests,
        "tokens": plan.estimate.tokens,
        "cost": plan.estimate.cost,
    }


def changed(
    state: State, wanted: Beginning
) -> tuple[SessionPlan, list[tuple[Perspective, str]], list[PlanChanged]]:
    """Return the plan, its experts as a person wants them, and what else they changed.

    Raises:
        InputError: it cannot be begun so; the message is one line.
    """
    plan, settings = plan_now(state), _settings(state)
    known = {p.slug: p for p, _ in plan.panel}
    edited: list[tuple[Perspective, str]] = []
    for one in wanted.experts:
        name, focus = _line(one.name), _line(one.focus)
        if one.slug and one.slug not in known:
            raise InputError(f"the plan has no expert {one.slug!r}; there are: {', '.join(known)}")
        if one.slug:
            perspective = known[one.slug].model_copy(update={"name": name, "focus": focus or name})
        else:
            own = slug(name, {*_SPOKEN_FOR, *known, *(p.slug for p, _ in edited)})
            perspective = Perspective(slug=own, name=name, role=focus or name, focus=focus or name,
                                      terms=[name, *([focus] if focus else [])])  # fmt: skip
        edited.append((perspective, _line(one.question)))
    return plan, edited, _places(settings, wanted)


def _places(settings: Settings, wanted: Beginning) -> list[PlanChanged]:
    search = settings.search if wanted.search is None else list(dict.fromkeys(wanted.search))
    turns = wanted.turns or settings.moderator.turns
    if (search, turns) == (settings.search, settings.moderator.turns):
        return []
    if search and settings.offline:
        raise InputError("this session is offline: it searches its documents alone")
    if not search and not settings.docs:
        raise InputError("nowhere to search: name a place outside, or begin a session with documents")
    check_backends(search)
    return [PlanChanged(turns=turns, search=search)]


def adopt(session: Session, wanted: Beginning) -> None:
    """Make a plan as a person wants it the session's."""
    plan, edited, events = changed(session.state, wanted)
    session.adopt(plan, edited)
    session.settle(events)


def _line(text: str) -> str:
    return re.sub(r"\s+", " ", text).strip()
