"""Whether there is anything new to answer a question with, before it is put to the table again.

A search by the words of what an answer lacks, without a model: what it finds counts as new when nobody who
answered was shown it, it fits the topic, and it fits what is wanting better than all that was shown.
"""

from collections.abc import Sequence

from agents import Action
from agents.research import routed_actions
from library import Passage, TopicProfile
from moderator import SLUG, Question
from roundtable.journal.state import State
from roundtable.session.journalled_context import ContextFactory, JournalledContext

_CUT_OFF = 0.2
"""Fit to the topic (share of the best) below which a passage is not about it."""


async def anything_new(desks: ContextFactory, question: Question, wanting: str) -> bool:
    """Search for what an answer lacks; tell whether something that was not shown before fits it better.

    The search is journalled like any other, and is had again for nothing when a session is resumed.
    """
    state, desk = desks.record.state, desks.desk(SLUG)
    before = _shown_for(state, question)
    found = await desk.perform(_actions(state, desk, question, wanting))
    passages = {p.key: p for seen in found for each in seen.found if (p := each.passage) is not None}
    later = {p.key: p for p in state.usable().passages.values()}
    known = {p.key for p in before}
    words = {_words(p) for p in before}
    new = [p for p in (passages | later).values() if p.key not in known and _words(p) not in words]
    unread = [
        f"{each.title} {each.snippet}"
        for seen in found
        for each in seen.found
        if each.passage is None and each.url not in state.pages
    ]
    profile = TopicProfile(state.topic, desk.statistics, cut_off=_CUT_OFF)
    profile.learn([*desk.found_before(), *before, *new])
    fits = [p for p, score in zip(new, profile.scores(new), strict=True) if score >= profile.cut_off]
    texts = [*(f"{p.title}\n{p.text}" for p in fits), *unread]
    return _best(desk, wanting, texts) > _best(desk, wanting, [f"{p.title}\n{p.text}" for p in before])


def _actions(state: State, desk: JournalledContext, question: Question, wanting: str) -> list[Action]:
    """Return one search of each place: in full words at home, in key words outside."""
    inside = f"{question.search or question.text} {wanting}"
    key_words = list(dict.fromkeys(desk.statistics.terms(f"{state.topic} {wanting}")))
    return routed_actions(" ".join(key_words), inside, [p.name for p in desk.places], desk.places)


def _shown_for(state: State, question: Question) -> list[Passage]:
    """Return what those who answered a question brought or cited."""
    turns = [turn for turn in state.answers() if turn.question == question.id]
    ids = {i for turn in turns for i in [*turn.citations, *state.admitted.get(turn.n, [])]}
    return [p for i, p in state.evidence.passages.items() if i in ids]


def _words(passage: Passage) -> str:
    return " ".join(passage.text.split()).casefold()


def _best(desk: JournalledContext, wanting: str, texts: Sequence[str]) -> float:
    return max(desk.statistics.relevance(wanting, texts), default=0.0) if texts else 0.0
