"""After each round the moderator looks at the answers: whose claim is put to whom, what is asked next."""

from collections.abc import Collection, Sequence

from agents import MemoryBlock, Turn, TurnClaim, discussion, looked_for
from library import Passage, claimed
from models import Event, Statistics
from moderator import (
    SLUG,
    Agenda,
    DiscussionReviewed,
    ExchangeDraft,
    ModeratorSettings,
    Question,
    QuestionClosed,
    QuestionRaised,
    ReviewDiscussion,
    ReviewDraft,
    answer_line,
    claim_meant,
    put_before,
    put_line,
    question_line,
)
from roundtable.journal.fold.state import State
from roundtable.session.context.journalled_context import ContextFactory
from roundtable.session.judging.opposed_sides import shortened
from roundtable.session.judging.told_contradictions import disputes, judged, possible

_EXCHANGES = 2
"""Claims that one review puts to experts at most."""
_EARLIER = 6
"""Answers that an earlier review saw in full and whose beginnings are shown again."""
_OVER, _CLOSED = 12, ("answered", "merged", "dropped")
"""Questions that are answered which a review is told of at most; states of what nobody is asked again."""
_GAPS = 6
"""Things that experts found missing which a review is told of, the last ones."""
_LINES = 3
"""Lines of what is common, and of what is apart."""
_LONGEST = 300
"""Characters of such a line, and of a question."""
_LONGEST_SOURCE = 80
"""Characters of a source's title above what it states."""
_SEARCH, _TELLING = 120, 10
"""Characters of the words that a claim is searched by; how many of its own are taken where none are given."""


def review_due(state: State, limit: int) -> bool:
    """Tell whether each expert could have answered since the last review, and turns are left to respond."""
    answers = [turn for turn in state.answers() if turn.n > state.talk.reviewed]
    return len(state.panel) > 1 and len(answers) >= len(state.panel) and _left(state, limit) > 0


def _left(state: State, limit: int) -> int:
    """Return the turns before the closing one."""
    return limit - state.counted - (state.agenda.tail() is not None)


async def review(contexts: ContextFactory, limit: int, settings: ModeratorSettings) -> None:
    """Have the moderator look at the answers since it looked last, and journal what follows."""
    state = contexts.record.state
    stated = await possible(state, contexts.library.statistics, settings)
    answers = [turn for turn in state.answers() if turn.n > state.talk.reviewed]
    left = _left(state, limit)
    most = claims_to_put(state.agenda, {p.slug for p in state.panel}, left)
    questions = [q for q in state.agenda.questions.values() if q.place != "tail"]
    found = state.talk.contradictions[state.talk.weighed :]
    names = {p.slug: p.name for panel in state.panels for p in panel}
    notes = state.memory.blocks.values()
    task = ReviewDiscussion(
        topic=state.topic,
        directions=tuple(state.directions),
        language=state.language,
        experts=tuple(f"{p.name}: {p.focus}" for p in state.panel),
        answers=tuple(answer_line(turn, _asked(state, turn)) for turn in answers),
        earlier=discussion([turn for turn in state.answers() if turn.n < answers[0].n], _EARLIER),
        put=tuple(put_line(q, names) for q in questions if q.claim),
        questions=tuple(
            question_line(q, len(state.answered_by(q))) for q in _told(questions, contexts.library.statistics)
        ),
        exchanges=most,
        left=left,
        gaps=tuple(
            _missing(n, state, contexts.library.statistics)
            for n in [n for n in notes if n.kind == "gap" and not n.dropped][-_GAPS:]
        ),
        points=tuple(f"{point.about}: {' / '.join(f'“{c}”' for c in point.claims)}" for point in found),
        stated=tuple((_source(one.passage), one.shown) for one in stated),
    )
    draft = await contexts.of(SLUG).ask(task)
    differ = dict.fromkeys([*draft.differ, *draft.differ_asked])
    # Of what sources state side by side, nothing is known but what the model says.
    opposed = judged(state, stated, draft.opposed, settings)
    points = len(state.talk.contradictions)
    places = [state.talk.weighed + n - 1 for n in differ if 1 <= n <= len(found)]
    places += range(points, points + len(opposed))
    contexts.record.add(
        *(point for _, point in opposed), *_events(state, contexts, draft, answers[-1].n, most, places)
    )
    # What is asked already is true all the same, and told; another question on it would be the same one.
    new = [point for n, point in enumerate(found, 1) if n in draft.differ and n not in draft.differ_asked]
    new += [point for said, point in opposed if not said.asked]
    contexts.record.add(*disputes(state, new, settings, contexts.library.statistics))


def claims_to_put(agenda: Agenda, panel: Collection[str], left: int) -> int:
    """Return how many claims may be put with so many turns left, by whom the waiting questions were raised.

    An exchange comes before them: as long as an expert's question waits, half of the turns are theirs.
    """
    raised = any(q.by in panel and not q.returns for q in agenda.waiting())
    return min(_EXCHANGES, left // 2 if raised else max(1, (left + 1) // 2))


def _source(passage: Passage) -> str:
    """Return what a review is told of a source: its title, and when it was published where that is known."""
    title = shortened(passage.title or passage.url, _LONGEST_SOURCE)
    return f"{title} ({passage.published})" if passage.published else title


def _missing(note: MemoryBlock, state: State, statistics: Statistics) -> str:
    """Return what an expert noted as missing, and whether anybody has searched for it."""
    searches = state.work.searches.values()
    own = [search.query for search in searches if search.speaker == note.speaker]
    found = looked_for(note.text, [search.query for search in searches], statistics, own)
    return f"{'not found' if found else 'perhaps not looked for yet'}: {note.text}"


def _told(questions: Sequence[Question], statistics: Statistics) -> list[Question]:
    """Return the questions that a review is told of, in order: of those that are over, the nearest.

    They are told because one that waits may mean the same.
    """
    waiting = [q.text for q in questions if q.state == "waiting"]
    over = [q for q in questions if q.state == "answered"]
    fits = [statistics.relevance(text, [q.text for q in over]) for text in waiting]
    near = {q.id: max(each, default=0.0) for q, *each in zip(over, *fits, strict=True)}
    kept = sorted(near, key=lambda i: -round(near[i], 6))[:_OVER]
    return [q for q in questions if q.state not in _CLOSED or q.id in kept]


def _asked(state: State, turn: Turn) -> str:
    question = state.agenda.questions.get(turn.question or "")
    return question.text if question else state.topic


def _events(
    state: State, contexts: ContextFactory, draft: ReviewDraft, last: int, most: int, differ: Sequence[int]
) -> list[Event]:
    """Return what follows from a review; what it names and there is not, is passed over.

    `differ`: places of the points that are disagreements, those among them that the review itself adds.
    """
    waiting = {q.id: q for q in state.agenda.waiting()}
    points = len(state.talk.contradictions)
    reviewed = DiscussionReviewed(
        turn=last,
        common=_lines(draft.common),
        apart=_lines(draft.apart),
        order=[i for i in dict.fromkeys(draft.order) if i in waiting],
        weighed=points + sum(place >= points for place in differ),
        differ=[*differ],
    )
    merged = {
        pair.id: pair.of
        for pair in draft.same
        if _may_go(waiting.get(pair.id)) and pair.of in state.agenda.questions and pair.of != pair.id
    }
    closed = [
        QuestionClosed(id=one, state="merged", reason=f"the same as {of}")
        for one, of in merged.items()
        if of not in merged
    ]
    raised: list[QuestionRaised] = []
    put = [q.claim for q in state.agenda.questions.values() if q.claim]
    passed_over: list[str] = []
    for exchange in draft.exchanges:
        meant = claim_meant(exchange, state.answers(), state.panel, contexts.library.statistics)
        text = " ".join(exchange.question.split())[:_LONGEST]
        why = ""
        if meant is None:
            why = "no such claim of a turn, or nobody else to respond to it"
        elif len(raised) == most:
            why = "no turn is left for it"
        elif state.agenda.asked(text):
            why = "the question was asked before"
        elif put_before(meant[0], meant[1].slug, put, state.turns):
            why = "it was put before, or has gone back and forth enough"
        if meant is None or why:
            passed_over.append(f"{' '.join(exchange.claim.split())[:_LONGEST]}: {why}")
            continue
        claim, to = meant
        put.append(claim)
        number = len(state.agenda.questions) + len(raised) + 1
        raised.append(
            QuestionRaised(
                id=f"q{number}", text=text, by=SLUG, to=to.slug, place="head", claim=claim,
                why=f"{claim.name} claims it in turn {claim.turn}",
                search=_searched_by(exchange, claim, contexts.library.statistics),
            )
        )  # fmt: skip
    return [reviewed.model_copy(update={"passed_over": passed_over}), *closed, *raised]


def _searched_by(exchange: ExchangeDraft, claim: TurnClaim, statistics: Statistics) -> str:
    """Return the words by which what decides a claim is searched for: a sentence finds others of its kind."""
    words = " ".join(exchange.search.split())[:_SEARCH]
    telling = statistics.feedback("", [claimed(claim.text), exchange.question], _TELLING)
    return words or " ".join(telling) or claimed(claim.text)


def _may_go(question: Question | None) -> bool:
    return question is not None and question.by != "person"


def _lines(texts: list[str]) -> list[str]:
    lines = (" ".join(text.split())[:_LONGEST] for text in texts)
    return [line for line in lines if line][:_LINES]
