"""What the writer is told of a session beside its map: answers, counts, limits, how the report was made."""

import re
from collections.abc import Sequence
from itertools import zip_longest

from agents import Turn, withdrawn_claims
from library import citations, cite, without_claims
from library.safety import spoken_to_machines
from library.text import sentences, translated
from models import EMBEDDED, Usage
from reports import AskedQuestion, Brief, Counts, GivenAnswer, PanelMember
from roundtable.journal.fold.state import State
from roundtable.journal.session_phrases import SessionPhrases, session_phrases
from roundtable.session.judging.answer_weighing import undated_questions
from roundtable.session.judging.told_contradictions import told_apart


def brief_of(state: State) -> Brief:
    """Return what the writer is told beside the map and the evidence."""
    usages = [cost.usage for cost in state.usage[: state.asked_for_talk]]
    alone = {u.model for u in usages} <= {EMBEDDED}
    standing = [note for note in state.memory.blocks.values() if not note.dropped]
    facts = [state.updates.current(f"{n.text} {cite(n.passages)}") for n in standing if n.kind == "fact"]
    partly = state.agenda.answered_in_part()
    # What the embedded model asks is made of phrases it came upon: no reader misses an answer to it.
    missed = [*(q for q in state.agenda.unanswered() if not q.in_part), *(partly if alone else [])]
    wanting = [] if alone else [q.wanting for q in partly]
    withdrawn = [each.claim.text for each in withdrawn_claims(state.turns)]
    return Brief(
        topic=state.topic,
        language=state.language,
        parts=state.parts,
        directions=state.directions,
        open_questions=[q.text for q in missed if not alone or (q.by == "person" and q.state == "waiting")],
        gaps=_in_turn(
            list(reversed(state.talk.unsaid)), [*wanting, *(n.text for n in standing if n.kind == "gap")]
        ),
        answers=_given_answers(state, state.answers(), withdrawn),
        asked=_asked(state, withdrawn) if alone else [],
        withdrawn=withdrawn,
        facts=[fact for fact in facts if citations(fact)],
        contradictions=told_apart(state),
        experts=[PanelMember(name=p.name, role=p.role) for p in state.at_table()],
        counts=_counts(state, usages),
        stopped_early=translated(state.reason, state.language)
        if state.close_cause and state.close_cause.early
        else None,
        limits=_limits(state),
    )


def _in_turn(first: Sequence[str], second: Sequence[str]) -> list[str]:
    """Return texts of both in turn: where there is room for a few, neither takes it all."""
    return [text for pair in zip_longest(first, second) for text in pair if text is not None]


def _asked(state: State, withdrawn: Sequence[str]) -> list[AskedQuestion]:
    """Return what a person asked and what came of it; not what nobody has looked for yet.

    The points of an outline stand in its order, whatever order the table took them in.
    """
    places = {state.map.title(node): n for n, node in enumerate(state.map.walk())}
    asked = [
        AskedQuestion(
            question=q.text,
            about=_point(q.text, session_phrases(state.language)),
            answer=" ".join(_given(state, turn, withdrawn).answer for turn in state.answers_to(q)),
            holds=q.state not in ("open", "not_found"),
        )
        for q in state.agenda.questions.values()
        if q.by == "person" and q.state not in ("waiting", "merged", "dropped")
    ]
    return sorted(asked, key=lambda each: places.get(each.about, len(places)))


def _point(question: str, words: SessionPhrases) -> str:
    """Return the point of an outline that a question was made of; empty where it is a question by itself."""
    for form in (words.outlined, words.outlined_below):
        pattern = re.escape(form).replace(r"\{title\}", "(.+)").replace(r"\{above\}", ".+")
        if found := re.fullmatch(pattern, question):
            return found[1]
    return ""


def given_answers(state: State, turns: Sequence[Turn]) -> list[GivenAnswer]:
    """Return answers as the writer is told them: without what was taken back, none that is left empty."""
    return _given_answers(state, turns, [each.claim.text for each in withdrawn_claims(state.turns)])


def _given_answers(state: State, turns: Sequence[Turn], withdrawn: Sequence[str]) -> list[GivenAnswer]:
    return [given for turn in turns if (given := _given(state, turn, withdrawn)).answer]


def counts_of(state: State) -> Counts:
    """Return what the session did and used until now, its report included."""
    return _counts(state, [cost.usage for cost in state.usage])


def _counts(state: State, usages: Sequence[Usage]) -> Counts:
    costs = [u.cost for u in usages if u.requests]
    return Counts(
        turns=state.counted,
        asked=len(state.asked_from_outside("person")),
        searches=len(state.work.searches),
        sources_read=len({p.sha256 for p in state.evidence.passages.values() if not p.computed}),
        passages_read=len(state.evidence.passages),
        requests=sum(u.requests for u in usages),
        tokens=sum(u.prompt_tokens + u.completion_tokens for u in usages),
        cost=None if None in costs or not costs else sum(c for c in costs if c is not None),
        models=list(dict.fromkeys(u.model for u in usages)),
    )


def _given(state: State, turn: Turn, withdrawn: Sequence[str]) -> GivenAnswer:
    question = state.agenda.questions.get(turn.question or "")
    answer = without_claims(state.updates.current(turn.text), withdrawn, sentences)
    return GivenAnswer(question=question.text if question else state.topic, answer=answer)


def _limits(state: State) -> list[str]:
    """Return what the report does not cover.

    Places that could not be searched, pages that could not be read.
    """
    searches = dict.fromkeys(f"{s.where}: {s.error}" for s in state.work.searches.values() if s.error)
    pages = [p.url for p in state.work.pages.values() if p.error]
    words = session_phrases(state.language)
    limits = [words.unsearched.format(problem=problem) for problem in searches]
    limits += [words.undated.format(question=question) for question in undated_questions(state)]
    limits += _speaking_to_machines(state, words)
    if pages:
        limits.append(words.unread.format(count=len(pages)))
    return limits


_WORDS_ALONE = re.compile(r"[^\w\s’'-]+")


def _speaking_to_machines(state: State, words: SessionPhrases) -> list[str]:
    """Return which sources speak to language models, those that may speak to their reader apart."""
    sure, doubtful = dict[str, None](), dict[str, None]()
    for source in state.evidence.sources.values():
        found = spoken_to_machines(source.text)
        if found is not None and found.sure:
            sure[source.url] = None
        elif found is not None:
            doubtful[f"{source.url} (“{_WORDS_ALONE.sub(' ', found.words)}”)"] = None
    told = ((words.ordering, sure), (words.perhaps_ordering, doubtful))
    return [phrase.format(urls=", ".join(urls)) for phrase, urls in told if urls]
