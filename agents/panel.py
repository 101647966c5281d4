"""Who sits at the table.

Perspectives from drafts, the expert nearest to a question, and names that are safe.
"""

import re
import unicodedata
from collections.abc import Collection, Sequence

from agents.events import InvitedAgent
from agents.expert_phrases import wording
from agents.settings import SeatSettings
from agents.tasks import PanelDraft, PerspectiveDraft
from agents.turn import Perspective
from library.passages import combined_relevance
from models import Statistics

RESERVED = frozenset({"moderator", "person"})
"""Slugs that no expert may have."""
_UNSAFE = re.compile(r"[^a-z0-9]+")


def slug(name: str, taken: Collection[str]) -> str:
    """Return a name of `[a-z0-9-]` for a speaker, unlike those taken.

    Names without Latin letters become `expert`.
    """
    plain = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode().casefold()
    stem = _UNSAFE.sub("-", plain).strip("-")[:32].strip("-") or "expert"
    candidates = [stem, *(f"{stem}-{n}" for n in range(2, len(taken) + 3))]
    return next(c for c in candidates if c not in taken)


def asked_parts(draft: PanelDraft, most: int = 5) -> list[str]:
    """Return the parts of what was asked, each a question of its own; none where it asks one thing."""
    parts = list(dict.fromkeys(line for part in draft.parts if (line := _line(part))))[:most]
    return parts if len(parts) > 1 else []


def seat_panel(draft: PanelDraft, count: int, taken: Collection[str]) -> list[tuple[Perspective, str]]:
    """Turn a proposed panel into perspectives with their first questions.

    Proposals without a name, or with the name of another, are passed over; more than `count` are cut.
    """
    seated: list[tuple[Perspective, str]] = []
    names: set[str] = set()
    slugs = set(taken)
    for expert in draft.experts:
        name = _line(expert.name)
        if not name or name.casefold() in names or len(seated) == count:
            continue
        names.add(name.casefold())
        seated.append((_perspective(expert, name, slug(name, slugs)), _line(expert.question)))
        slugs.add(seated[-1][0].slug)
    return seated


def _perspective(draft: PerspectiveDraft, name: str, own: str) -> Perspective:
    terms = list(dict.fromkeys(_line(t) for t in draft.terms if _line(t)))[:8]
    return Perspective(slug=own, name=name, role=_line(draft.role), focus=_line(draft.focus), terms=terms)


def seat_slugs(seats: Sequence[SeatSettings]) -> list[str]:
    """Return the slugs of the experts of a person's own choice, in order."""
    found: list[str] = []
    for seat in seats:
        found.append(slug(seat.name, {*RESERVED, *found}))
    return found


def own_seats(
    draft: PanelDraft, seats: Sequence[SeatSettings], language: str
) -> list[tuple[Perspective, str]]:
    """Return the experts of a person's own choice, with what the planner proposed for them.

    Name, focus, model and first question are as they were given; role, terms and a first question that was
    not given are the planner's for an expert of that name, else made of the focus.
    """
    proposed = {_line(expert.name).casefold(): expert for expert in draft.experts}
    seated = []
    for seat, own in zip(seats, seat_slugs(seats), strict=True):
        name, focus = _line(seat.name), _line(seat.focus) or _line(seat.name)
        known = proposed.get(name.casefold())
        question = wording(language).question.format(subject=focus)
        given = PerspectiveDraft(name=name, role=focus, focus=focus, terms=[focus], question=question)
        expert = _perspective(known or given, name, own)
        expert = expert.model_copy(update={"focus": focus, "model": seat.model or ""})
        seated.append((expert, _line(seat.question) or _line((known or given).question)))
    return seated


def invited_seats(
    seated: Sequence[tuple[Perspective, str]], invited: Sequence[InvitedAgent], statistics: Statistics
) -> list[tuple[Perspective, str]]:
    """Give each invited agent the seat of the proposed expert who is nearest to it.

    With the seat go the first question and the terms to search by: the viewpoints that are left still
    differ. Agents for whom no seat was proposed come last, without a first question.
    """
    seats, free = list(seated), list(range(len(seated)))
    for agent in invited:
        own = Perspective(slug=agent.slug, name=_shown_name(agent.name), role=agent.description, focus="")
        if not free:
            seats.append((own, ""))
            continue
        near = nearness(describe(own), [seats[place][0] for place in free], statistics)
        place = free.pop(max(range(len(free)), key=lambda n: (near[n], -n)))
        proposed, question = seats[place]
        seats[place] = (own.model_copy(update={"terms": proposed.terms}), question or proposed.focus)
    return seats


def _shown_name(name: str) -> str:
    """Return an agent's name, an identifier, as people write names."""
    words = " ".join(name.replace("_", " ").split())
    return words[:1].upper() + words[1:]


def _line(text: str) -> str:
    return " ".join(text.split())[:300]


def describe(perspective: Perspective) -> str:
    """Return everything that says what an expert is near to."""
    return " ".join([perspective.name, perspective.role, perspective.focus, *perspective.terms])


def nearness(question: str, panel: Sequence[Perspective], statistics: Statistics) -> list[float]:
    """Return how near each expert is to a question, by words and meaning together, in the panel's order.

    From 0 to 1, to be compared within this panel alone (`library.passages.combined_relevance`).
    """
    return combined_relevance(question, [describe(p) for p in panel], statistics) if panel else []


def reach(question: str, panel: Sequence[Perspective], statistics: Statistics) -> float:
    """Return how near (cosine of their words, 0 to 1) the nearest expert is to a question."""
    return max(statistics.relevance(question, [describe(p) for p in panel]), default=0.0)
