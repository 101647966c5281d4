"""Where passages disagree: found by their words or noted by experts, asked about, marked and reported.

Functions of the state alone: a session that was cut off finds the same again.
"""

import asyncio
import re
from collections.abc import Sequence

from library import TextStatistics, quote, strip_citations
from library.claims import StatedSentence, contradictions, near_statements
from mindmap import SetMark
from models import Event, Statistics
from moderator import (
    SLUG,
    ContradictionFound,
    ModeratorSettings,
    OpposedDraft,
    PassagesCompared,
    QuestionRaised,
    raise_all,
    wording,
)
from reports import ReportedContradiction, Side
from roundtable.journal.fold.state import State
from roundtable.journal.session_phrases import session_phrases
from roundtable.session.judging.opposed_sides import shared_phrase, shortened, stated_of

_BARE_ID, _LONGEST_POINT = re.compile(r"\bp[0-9]+\b", re.ASCII), 200
"""A passage's id in the words of a note, which tells a reader nothing; characters of a point."""
_LONGEST_SIDE, _LONGEST_VALUE = 160, 60
"""Characters of what a side says, and of a value, in a question."""
_TELLS_SIDES = re.compile(r"[:：;；—]|,\s(?:while|but|whereas)\b|\s(?:vs\.?|versus)\s")
"""Parts what a note is about from what each side says."""
_SHORTEST_LABEL, _LONGEST_LABEL = 4, 80
"""Characters of what a row of the table is called."""
STATED_ROOM = 4_000
"""Characters of what sources state that one review is shown beside what rules found: a thousand tokens."""
_LONGEST_ABOUT = 100
"""Characters of what two statements say differently, in the words of a model."""
_TELLING = 10
"""Words by which what decides a noted point is searched for."""
_DISPUTE = "sources disagree"
"""Why a question is asked on which sources disagree."""


def compare(
    state: State, statistics: TextStatistics, settings: ModeratorSettings, *, alone: bool
) -> list[Event]:
    """Return what the passages of the turns that are over contradict.

    Without a language model (`alone`) each point is put on the agenda, once; with one the moderator's
    review does so (`roundtable.session.judging.discussion_review`), with those that are disagreements.
    """
    # Compared, or of a turn under way.
    settled = state.talk.compared.union(*state.under_way.newly_admitted.values())
    passages = {i: p for i, p in state.evidence.passages.items() if i not in state.updates.replaced}
    waiting = [i for i in passages if i not in settled]
    room = max(0, settings.contradictions - len(state.talk.contradictions))
    noted = _noted(state, statistics)[:room]
    if not waiting:
        return [*noted]
    known = [passages[i] for i in passages if i in state.talk.compared]
    room -= len(noted)
    found = contradictions([passages[i] for i in waiting], known, statistics, state.topic, room)
    told_before = {frozenset(point.claims) for point in state.talk.contradictions}
    found = [c for c in found if frozenset(c.sentences) not in told_before]
    events: list[Event] = [PassagesCompared(passages=waiting)]
    told = [
        ContradictionFound(
            passages=[c.a.id, c.b.id], about=c.about, how=c.kind, values=list(c.values),
            claims=list(c.sentences), published=[c.a.published, c.b.published],
        )
        for c in found
    ]  # fmt: skip
    asked = disputes(state, told, settings, statistics) if alone else []
    return [*events, *noted, *told, *asked]


async def possible(state: State, statistics: Statistics, settings: ModeratorSettings) -> list[StatedSentence]:
    """Return what sources state that a model may find to contradict each other.

    Of two such statements one at least is of a passage that it was not asked about before.
    """
    passages = {i: p for i, p in state.evidence.passages.items() if i not in state.updates.replaced}
    compared = [i for i in passages if i in state.talk.compared]
    fresh = [passages[i] for i in compared if i not in state.talk.paired]
    known = [passages[i] for i in compared if i in state.talk.paired]
    if not fresh or len(state.talk.contradictions) >= settings.contradictions:
        return []
    told = {frozenset(point.claims) for point in state.talk.contradictions}
    return await asyncio.to_thread(near_statements, fresh, known, statistics, STATED_ROOM, told)


def judged(
    state: State,
    stated: Sequence[StatedSentence],
    drafts: Sequence[OpposedDraft],
    settings: ModeratorSettings,
) -> list[tuple[OpposedDraft, ContradictionFound]]:
    """Return what a model says to contradict among what sources state, each with what it said.

    What is of one source, not there, or told already is passed over.
    """
    told = {frozenset(point.claims) for point in state.talk.contradictions}
    room = max(0, settings.contradictions - len(state.talk.contradictions))
    found: list[tuple[OpposedDraft, ContradictionFound]] = []
    for draft in drafts:
        if not {draft.a, draft.b} <= {*range(1, len(stated) + 1)}:
            continue
        a, b = stated[draft.a - 1], stated[draft.b - 1]
        pair = frozenset((a.sentence, b.sentence))
        if a.passage.sha256 == b.passage.sha256 or pair in told or len(found) == room:
            continue
        told.add(pair)
        about = shortened(draft.about, _LONGEST_ABOUT) or a.shared_words(b) or state.topic
        point = ContradictionFound(
            passages=[a.passage.id, b.passage.id], about=about, how="judged", values=[],
            claims=[a.sentence, b.sentence], published=[a.passage.published, b.passage.published],
        )  # fmt: skip
        found.append((draft, point))
    return found


def _noted(state: State, statistics: TextStatistics) -> list[ContradictionFound]:
    """Return the contradictions that experts noted and that are not told yet, each with what both sides say.

    That is the sentence of each passage which the note speaks of; a note of more passages is told by two.
    """
    told = {point.about for point in state.talk.contradictions if point.how == "noted"}
    known = {frozenset(point.passages) for point in state.talk.contradictions}
    found = []
    for note in state.memory.blocks.values():
        sides = [p for i in note.passages if (p := state.evidence.passages.get(i)) is not None][:2]
        pair = frozenset(p.id for p in sides)
        about = " ".join(_BARE_ID.sub("", strip_citations(note.text)).split())[:_LONGEST_POINT]
        if note.kind != "contradiction" or note.dropped or about in told or len(pair) < 2 or pair in known:
            continue
        known.add(pair)
        found.append(
            ContradictionFound(
                passages=[p.id for p in sides], about=about, how="noted", values=[],
                claims=[stated_of(p.text, note.text, statistics) for p in sides],
                published=[p.published for p in sides],
            )
        )  # fmt: skip
    return found


def disputes(
    state: State,
    found: Sequence[ContradictionFound],
    settings: ModeratorSettings,
    statistics: Statistics,
) -> list[QuestionRaised]:
    """Return the questions that points of disagreement raise, as far as there is room for such."""
    words = wording(state.language)
    raised = sum(question.why == _DISPUTE for question in state.agenda.questions.values())
    room = max(0, settings.disputes - raised)
    questions = []
    for point in found[:room]:
        if point.how == "noted":  # a note is an expert's shorthand: the passages say it themselves
            a, b = (shortened(claim, _LONGEST_SIDE) for claim in point.claims)
            search = " ".join(statistics.feedback("", point.claims, _TELLING))
            questions.append((words.disagree_noted.format(a=a, b=b), search or point.about, SLUG, None))
            continue
        a, b = (shortened(value, _LONGEST_VALUE) for value in point.values or point.claims)
        text = words.disagree.format(about=point.about, a=a, b=b)
        questions.append((text, f"{point.about} {a} {b}", SLUG, None))
    return raise_all(state.agenda, questions, place="head", why=_DISPUTE)


def marks(state: State, *, alone: bool) -> list[SetMark]:
    """Return the marks that the map still lacks: at each side of a contradiction that has its place.

    With a language model (not `alone`) only of those that the moderator found to be some.
    """
    where = {p: node for node in state.map.walk() for p in state.map.node(node).passages}
    wanted: dict[str, list[str]] = {}
    for point in state.talk.disagreements(confirmed=not alone):
        if all(p in where for p in point.passages):
            for passage in point.passages:
                node = where[passage]
                missing = set(point.passages) - set(state.map.node(node).sides)
                if missing:
                    wanted.setdefault(node, []).extend(point.passages)
    return [
        SetMark(node=node, mark="contradiction", sides=list(dict.fromkeys(sides)))
        for node, sides in wanted.items()
    ]


def row_label(note: str) -> str:
    """Return what a note says it is about, before it says who tells what; all of it where it does not."""
    head = _TELLS_SIDES.split(note)[0].strip()
    return head if _SHORTEST_LABEL <= len(head) <= _LONGEST_LABEL else shortened(note, _LONGEST_LABEL)


def told_apart(state: State) -> list[ReportedContradiction]:
    """Return the contradictions as the report is told of them: both sides, word for word."""
    differ = session_phrases(state.language).values_differ
    return [
        ReportedContradiction(
            about=(shared_phrase(*point.claims) or row_label(point.about))
            if point.how == "noted"
            else point.about + (differ if point.how == "values" else ""),
            sides=[
                Side(claim=quote(claim), citations=[passage], value=value)
                for claim, passage, value in zip(
                    point.claims, point.passages, point.values or [""] * len(point.claims), strict=True
                )
            ],
        )
        for point in state.talk.disagreements(confirmed=False)
    ]
