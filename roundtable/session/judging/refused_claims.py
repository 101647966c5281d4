"""What of an answer stands no longer, and what it leaves open, as a judge that reads names it."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from agents import Turn, TurnClaim, claims_made
from library import (
    Passage,
    TextStatistics,
    citations,
    claimed,
    is_inference,
    strip_citations,
    whole_clause,
)
from library.claims import denied_otherwise, missing_figures
from moderator import AnswerVerdict, Question, likeness
from roundtable.journal.fold.state import State

_CLAUSES, _LONGEST_CLAUSE = 4, 200
"""Things that one answer may be said to leave open, and characters of one."""
_MEANT = 0.6
"""Likeness (0 to 1) to a conclusion from which that is the one that a judge means."""
_CLAUSE_LEAST, _WHOLE_CLAIM = 8, 0.8
"""Characters of a clause that a judge may name of a conclusion; share of it from which on it is the whole."""
_WORDS_HELD = 0.5
"""Share (0 to 1) of a claim's words that its passages must hold for it to stay though a judge names it whole:
a sentence that tells what its sources say beside a view of its own would take that along."""
_MARKS = " .。…“”‘’\"'`«»"
"""Around what a judge names, and no part of it."""
_ONE_SIGN = str.maketrans("“”‘’«»", '""\'\'""')
"""Of marks that stand for each other one; each is as long as before."""


class _Said(NamedTuple):
    """What a claim says, read once for all that may name it."""

    text: str
    """Without citations and mark."""
    plain: str
    """The same in whatever marks and case, letter by letter."""


def refused_claims(
    state: State, turn: Turn, question: Question, verdict: AnswerVerdict, statistics: TextStatistics
) -> list[TurnClaim]:
    """Return what a judge takes back, as it was said: conclusions, and other claims that no passage bears."""
    answers = [t for t in state.answers() if t.question == question.id and t.n <= turn.n]
    said = [claim for t in answers for claim in claims_made(t)]
    drawn = [claim for claim in said if is_inference(claim.text)]
    if question.claim and is_inference(question.claim.text):
        drawn.append(question.claim)
    plain = [c for c in said if not is_inference(c.text)]
    held = state.evidence.passages
    # A clause of a conclusion may be one that nothing bears out, and the conclusion itself stands.
    told, bare = _said(drawn), _said(plain)
    within = [words for words in verdict.unborne if _is_clause(words, told) and not _is_clause(words, bare)]
    others = [words for words in verdict.unborne if words not in within]
    unborne = [
        claim
        for claim in [*_named(others, plain), *_named(within, drawn)]
        if not _in_their_words(claim.text, held, statistics, state.language)
    ]
    # What another answer disputed may be a plain claim: it goes where its passages do not say it either.
    disputed = [c for c in (question.claim,) if c is not None and not is_inference(c.text)]
    refuted = [
        claim
        for claim in _named(verdict.withdrawn, disputed)
        if not _in_their_words(claim.text, held, statistics, state.language)
    ]
    return [*_named(verdict.withdrawn, drawn), *refuted, *unborne]


def _in_their_words(
    claim: str, passages: Mapping[str, Passage], statistics: TextStatistics, language: str
) -> bool:
    """Tell whether the passages that a claim cites hold half of its words, all its figures, and deny nothing.

    A judge who calls that borne out by nothing means a part of it; a clause named alone cites nothing.
    """
    texts = [passages[i].text for i in citations(claim) if i in passages]
    words = set(statistics.terms(claimed(claim)))
    held = words & {term for text in texts for term in statistics.terms(text)}
    if not texts or len(held) < _WORDS_HELD * len(words):
        return False
    return not (missing_figures(claimed(claim), texts) or denied_otherwise(claimed(claim), texts, language))


def _named(named: Sequence[str], drawn: Sequence[TurnClaim]) -> list[TurnClaim]:
    """Return the claims that a judge names, each as it was made, or the clause of it that is named."""
    found: dict[str, TurnClaim] = {}
    said = _said(drawn)
    for words in named if drawn else []:
        clause = claimed(words).strip(_MARKS)
        plain = _plain(clause)
        # Who names a clause names its sentence, whatever other sentence has more of its words.
        holding = [n for n, each in enumerate(said) if len(clause) >= _CLAUSE_LEAST and plain in each.plain]
        near = {n: likeness(claimed(words), said[n].text) for n in holding or range(len(said))}
        meant = max(near, key=near.__getitem__)
        claim, told = drawn[meant], said[meant]
        if near[meant] < _MEANT and not holding:
            continue
        # A clause goes alone: what its sentence tells beside it may be a source's.
        text, at = claim.text, told.plain.find(plain)
        if holding and len(clause) < _WHOLE_CLAIM * len(told.text):
            text = whole_clause(told.text[at : at + len(clause)])
        known = TurnClaim(**claim.model_dump(include=set(TurnClaim.model_fields)))
        found.setdefault(text, known.model_copy(update={"text": text}))
    return list(found.values())


def _is_clause(words: str, said: Sequence[_Said]) -> bool:
    """Tell whether some words stand within one of some claims, and are not nearly all of it."""
    clause = claimed(words).strip(_MARKS)
    plain = _plain(clause)
    short = (each for each in said if len(clause) < _WHOLE_CLAIM * len(each.text))
    return len(clause) >= _CLAUSE_LEAST and any(plain in each.plain for each in short)


def _said(claims: Sequence[TurnClaim]) -> list[_Said]:
    texts = [claimed(claim.text) for claim in claims]
    return [_Said(text, _plain(text)) for text in texts]


def _plain(text: str) -> str:
    """Return a text in one case and one kind of marks; each letter stays where it is."""
    return "".join(sign.lower()[:1] for sign in text.translate(_ONE_SIGN))


def unsaid_clauses(verdict: AnswerVerdict) -> list[str]:
    """Return what an answer says the sources do not tell, each once, in one line and without a stop."""
    lines = [" ".join(strip_citations(text).split()).strip(" .。") for text in verdict.unsaid]
    return list(dict.fromkeys(line[:_LONGEST_CLAUSE] for line in lines if line))[:_CLAUSES]
