"""What the talk comes to between two turns: how much was new, what contradicts, which answers hold.

Functions of the state alone: a session that was cut off weighs the same again, with the same outcome.
"""

import re
from collections.abc import Sequence
from datetime import date

from agents import MemoryBlock, MemoryDropped, Turn, claims_made, set_aside
from library import (
    Passage,
    TextStatistics,
    citations,
    cited_claims,
    strip_citations,
)
from library.claims import (
    ages,
    ages_in_weeks,
    freshness,
    newest,
    stale_days,
)
from library.passages import combined_relevance
from library.text import sentences, titled_text
from models import Budget, Event, Spent
from moderator import (
    NOVELTY_ANSWERS,
    SLUG,
    AnswerJudged,
    AnswerVerdict,
    Closing,
    JudgeAnswer,
    ModeratorSettings,
    NoveltyMeasured,
    Question,
    QuestionClosed,
    QuestionReturned,
    first_cited,
    novelty,
    taken_up_share,
    wording,
)
from roundtable.journal.fold.state import State
from roundtable.session.judging.refused_claims import refused_claims, unsaid_clauses

_IN_VAIN = 2
"""Experts who looked for something in vain, after whom nobody else is asked."""
_SEARCHED, _SEARCHED_IN_ALL = 6, 16
"""Searches that whoever judges an answer is told of, and whoever judges the one to the topic itself."""
_LONG_TOPIC = 20
"""Characters of a topic from which on it is a question or a title that each search would repeat."""
_WAITING = 6
"""Waiting questions that whoever judges an answer is shown at most."""
_GAPS = 3
"""Notes of something missing that are told beside those."""
_TAKEN_UP = 0.2
"""Share (0 to 1) of a waiting question that an answer must take up for it to be judged before that is put."""
_NEAR = 0.5
"""Share of the nearest passage cited from which on another one's source is about as near to the question."""
_NAMED = re.compile(r"\bturn (\d{1,4})\b|第\s?(\d{1,4})\s?(?:轮|次|回合|个?发言)", re.IGNORECASE)
"""A turn that is named by its number."""
_SEVERAL = re.compile(r"[;；]")
"""Stands between what a claim says and what is asked of it."""


def today(state: State) -> str:
    """Return the ISO date on which the session began: the day by which its passages are old or new."""
    return state.started[:10]


# How much is new


def measure(state: State, statistics: TextStatistics) -> list[Event]:
    """Return how much the last answers brought, once after each."""
    answers = state.answers()
    measured = state.talk.novelty[-1].turn if state.talk.novelty else 0
    if not answers or answers[-1].n <= measured:
        return []
    admitted = [len(state.admitted[turn.n]) for turn in answers]
    shown = [state.shown[turn.n] for turn in answers]
    passages = min(1.0, novelty(admitted, shown))
    terms = new_terms([turn.text for turn in answers], statistics)
    return [NoveltyMeasured(turn=answers[-1].n, passages=round(passages, 3), terms=round(terms, 3))]


def new_terms(texts: Sequence[str], statistics: TextStatistics, last: int = NOVELTY_ANSWERS) -> float:
    """Return the share (0 to 1) of the terms of the last texts that no text before them holds."""
    before = set[str]().union(*(statistics.terms(text) for text in texts[:-last]))
    now = set[str]().union(*(statistics.terms(text) for text in texts[-last:]))
    return len(now - before) / len(now) if now else 0.0


def brought(state: State, answers: Sequence[Turn]) -> list[int]:
    """Return how many passages each answer brought, or cited for the first time.

    A small collection is found whole at once; it is talked about from then on.
    """
    first = first_cited([turn.citations for turn in answers])
    return [len(state.admitted[turn.n]) + cited for turn, cited in zip(answers, first, strict=True)]


def share_new(state: State, settings: ModeratorSettings) -> float:
    """Return how new the last answers were, by passages or words; 1 until there were enough of them."""
    measured = state.talk.novelty
    if len(measured) < settings.dry_answers:
        return 1.0
    return max(measured[-1].passages, measured[-1].terms)


# Which answers hold


def to_judge(state: State, turns: Sequence[Turn]) -> list[Turn]:
    """Return those answers whose question nobody has closed; of one question the last."""
    questions = state.agenda.questions
    open_still = [t for t in turns if t.question in questions and questions[t.question].state == "taken"]
    return list({turn.question: turn for turn in open_still}.values())


def judgement(state: State, turn: Turn, statistics: TextStatistics) -> JudgeAnswer:
    """Return the task of judging what was answered to a turn's question, up to that turn."""
    question = state.agenda.questions[turn.question or ""]
    answers = [t for t in state.answers() if t.question == turn.question and t.n <= turn.n]
    cited = dict.fromkeys(i for t in answers for i in t.citations)
    admitted = dict.fromkeys(i for t in answers for i in state.admitted[t.n] if i not in cited)
    passages = state.evidence.passages
    others = tuple(passages[i] for i in admitted if i in passages)[:8]
    return JudgeAnswer(
        topic=state.topic,
        directions=tuple(state.directions),
        language=state.language,
        question=question.text,
        subject=question.search,
        answer="\n\n".join(t.text for t in answers),
        claim=f"{question.claim.name}: {question.claim.text}" if question.claim else "",
        named=_named_turns(state, answers, statistics),
        waiting=(
            *(f"{q.id} {q.text}" for q in _beside(state)),
            *(f"{gap.id} {gap.text}" for gap in _gaps_near(state, turn, answers, statistics)),
        ),
        cited=tuple(passages[i] for i in cited if i in passages),
        others=others,
        far=_far(state, turn, question, [passages[i] for i in cited if i in passages], others, statistics),
        searched=tuple(_beside_topic(_searched(state, answers, question, statistics), state.topic)),
        found=_brought(state, answers, question),
        today=today(state),
    )


def _named_turns(
    state: State, answers: Sequence[Turn], statistics: TextStatistics
) -> tuple[tuple[int, str], ...]:
    """Return of each turn that some answers name by its number what comes nearest to what they say of it."""
    known = {turn.n: turn for turn in state.answers() if turn not in answers}
    said: dict[int, list[str]] = {}
    for answer in answers:
        for claim in cited_claims(answer.text, sentences):
            for number in _NAMED.finditer(claim):
                said.setdefault(int(number[1] or number[2]), []).append(strip_citations(claim))
    found = []
    for n in sorted(said.keys() & known.keys()):
        claims = [claim.text for claim in claims_made(known[n]) if citations(claim.text)]
        near = statistics.relevance(" ".join(said[n]), claims) if claims else []
        if near:
            found.append((n, claims[near.index(max(near))]))
    return tuple(found)


def _far(
    state: State,
    turn: Turn,
    question: Question,
    cited: Sequence[Passage],
    others: Sequence[Passage],
    statistics: TextStatistics,
) -> tuple[str, ...]:
    """Return the ids of passages that no answer to a question could rest on, by notes or nearness.

    By what was noted and cited when the turn that is judged was over. Others may work meanwhile, and a
    session that was cut off has their notes already when it asks again.
    """
    over = state.taken_at[turn.n]
    before = [each for each in state.turns if state.taken_at[each.n] <= over]
    apart = set_aside(state.memory.standing_at(over), {i for each in before for i in each.citations})
    texts = [titled_text(p) for p in (*cited, *others)]
    near = combined_relevance(question.text, texts, statistics) if cited and others else []
    least = _NEAR * max(near[: len(cited)], default=0.0)
    beyond = {p.id for p, fit in zip(others, near[len(cited) :], strict=False) if fit < least}
    return tuple(p.id for p in others if p.id in apart | beyond)


def _beside(state: State) -> list[Question]:
    """Return the first of the questions that wait and that an answer to another one may answer, too.

    Not what somebody outside the table asked, nor what a speaker is just asked. The answer to the topic
    itself may tell what nobody had a turn left for.
    """
    asked = {call.question for call in state.running()}
    waiting = [
        q for q in state.agenda.waiting() if q.id not in asked and not (q.owed or q.claim or q.returns)
    ]
    return waiting[:_WAITING]


def _gaps_near(
    state: State, turn: Turn, answers: Sequence[Turn], statistics: TextStatistics
) -> list[MemoryBlock]:
    """Return what was noted as missing when an answer was given and that it may tell: the nearest few."""
    noted = [n for n in state.memory.standing_at(state.taken_at[turn.n]) if n.kind == "gap"]
    said = " ".join(strip_citations(t.text) for t in answers)
    shares = [taken_up_share(note.text, said, state.topic, statistics) for note in noted]
    order = sorted(range(len(noted)), key=lambda n: (-round(shares[n], 6), n))
    return [noted[n] for n in order[:_GAPS] if shares[n] >= _TAKEN_UP]


def may_settle(state: State, question: Question, turns: Sequence[Turn], statistics: TextStatistics) -> bool:
    """Tell whether a waiting question is so much like what was just answered that this may settle it."""
    if question.state != "waiting" or question.owed or question.claim or question.returns or not turns:
        return False
    said = " ".join(strip_citations(turn.text) for turn in turns)
    return taken_up_share(question.text, said, state.topic, statistics) >= _TAKEN_UP


def _searched(
    state: State, answers: Sequence[Turn], question: Question, statistics: TextStatistics
) -> tuple[str, ...]:
    """Return what was searched for on the way to some answers.

    The topic itself is answered from all searches, the nearest first. So is what nobody searched for: what
    somebody searched for before is had again; those of turns behind it do not count.
    """
    own = dict.fromkeys(query for t in answers for query in state.talk.searched.get(t.n, ()))
    closing = question.place == "tail"
    if own and not closing:
        return tuple(own)[-_SEARCHED:]
    last = max((t.n for t in answers), default=0)
    made = dict.fromkeys(query for n, each in state.talk.searched.items() if n <= last for query in each)
    others = [query for query in made if query not in own]
    said = " ".join([question.text, *(strip_citations(t.text) for t in answers)])
    near = statistics.relevance(said, others) if others else []
    ranked = sorted(range(len(others)), key=lambda n: (-round(near[n], 6), n))
    most = _SEARCHED_IN_ALL if closing else _SEARCHED
    first = list(own)[-most:]
    return (*first, *(others[n] for n in ranked[: most - len(first)]))


def _beside_topic(queries: Sequence[str], topic: str) -> list[str]:
    """Return what searches held beside a long topic, told anyway; of one that held it alone, that."""
    long = topic if len(topic) >= _LONG_TOPIC else "\0"
    bare = (" ".join(query.replace(long, " ").split()) or query for query in queries)
    return list(dict.fromkeys(bare))


def _brought(state: State, answers: Sequence[Turn], question: Question) -> int:
    """Return how many passages those searches brought that were new then; for the topic itself, all did."""
    if question.place != "tail":
        return sum(len(state.admitted[t.n]) for t in answers)
    last = max((t.n for t in answers), default=0)
    return sum(len(ids) for turn, ids in state.admitted.items() if turn <= last)


def may_return(state: State, turn: Turn, verdict: AnswerVerdict, settings: ModeratorSettings) -> bool:
    """Tell whether a question may be asked again, provided there is something new to answer it with.

    Not when two experts have looked in vain for what is wanting, and once at most when a part alone is.
    """
    question = state.agenda.questions[turn.question or ""]
    later = any(t.question == question.id and t.n > turn.n for t in state.talk.unjudged)
    most = min(settings.returns, 1) if verdict.in_part else settings.returns
    if verdict.holds or verdict.in_vain or question.state != "taken" or later or question.returns >= most:
        return False
    return not (verdict.lacks and len(state.answered_by(question)) >= _IN_VAIN)


def settle(
    state: State, turn: Turn, verdict: AnswerVerdict, statistics: TextStatistics, *, again: bool
) -> list[Event]:
    """Return what follows from a verdict: the question is closed, comes back, or waits for a later answer.

    Args:
        state: The session.
        turn: The answer.
        verdict: What it is worth.
        statistics: Tells whether the passages of a claim hold its words.
        again: There is something new to answer the question with, and it may be asked again.
    """
    question = state.agenda.questions[turn.question or ""]
    stands = verdict.answers and bool(turn.citations)
    beside = [q.id for q in _beside(state) if stands and q.id in verdict.settles]
    settled = [QuestionClosed(id=i, state="merged", reason=f"the same as {question.id}") for i in beside]
    held = state.memory.blocks
    told = [i for i in dict.fromkeys(verdict.settles) if stands and i in held and held[i].kind == "gap"]
    found = [MemoryDropped(id=i, speaker=SLUG) for i in told if not held[i].dropped]
    return [*_settled(state, turn, question, verdict, statistics, again=again), *settled, *found]


def _settled(
    state: State,
    turn: Turn,
    question: Question,
    verdict: AnswerVerdict,
    statistics: TextStatistics,
    *,
    again: bool,
) -> list[Event]:
    """Return what follows from a verdict for the question that was answered."""
    reason = "" if verdict.holds else " ".join(verdict.missing.split())[:300] or "the answer does not hold"
    judged: list[Event] = [
        AnswerJudged(
            question=question.id, turn=t.n, passed=verdict.holds, reason=reason,
            unsaid=unsaid_clauses(verdict) if t.n == turn.n else [],
            withdrawn=refused_claims(state, turn, question, verdict, statistics) if t.n == turn.n else [],
        )
        for t in state.talk.unjudged
        if t.question == question.id and t.n <= turn.n
    ]  # fmt: skip
    if question.state != "taken":
        return judged
    if verdict.holds:
        return [*judged, QuestionClosed(id=question.id, state="answered")]
    if any(t.question == question.id and t.n > turn.n for t in state.talk.unjudged):
        return judged
    if again:
        # By itself: beside the question's words, which are searched for too, it would drown.
        search = (verdict.wanted or reason) if verdict.in_part else ""
        back = QuestionReturned(id=question.id, reason=reason, search=search, in_part=verdict.in_part)
        return [*judged, back]
    state_now: Closing = "answered" if verdict.in_part else "not_found" if verdict.lacks else "open"
    return [*judged, QuestionClosed(id=question.id, state=state_now, reason=reason)]


# How fresh an answer is


def said_of_age(state: State, question: Question | None, answer: str) -> str:
    """Return what must be said beside an answer about something that changes; '' when nothing must.

    Of a question that puts a claim only what it asks counts, not what the claim says.
    """
    if question is None:
        return ""
    asked = _SEVERAL.split(question.text)[-1] if question.claim else question.text
    aging = [claim for claim in cited_claims(answer, sentences) if ages(asked, strip_citations(claim))]
    cited = dict.fromkeys(i for claim in aging for i in citations(claim))
    passages = [state.evidence.passages[i] for i in cited if i in state.evidence.passages]
    if not passages:
        return ""
    words = wording(state.language)
    match freshness(passages, date.fromisoformat(today(state)), stale_days(asked)):
        case "undated":
            return words.warn_undated
        case "stale":
            soon = ages_in_weeks(asked)
            return (words.warn_stale_price if soon else words.warn_stale).format(date=newest(passages))
        case _:
            return ""


def undated_questions(state: State) -> list[str]:
    """Return the questions about something that changes whose answers rest on undated or stale passages."""
    questions = [q for q in state.agenda.questions.values() if q.place != "tail"]
    said = {q.id: " ".join(t.text for t in state.answers() if t.question == q.id) for q in questions}
    return [q.text for q in questions if said_of_age(state, q, said[q.id])]


# How much is left to spend


def talk_share(budget: Budget, used: Spent) -> float:
    """Return how much of what the talk may spend is gone: the reserve is the report's."""
    return budget.share(used) / (1 - budget.reserve)
