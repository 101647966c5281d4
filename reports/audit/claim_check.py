"""What rules can tell of a claim beside passages: figures, dates, names, denials, and shared words."""

from collections.abc import Sequence
from dataclasses import dataclass

from library import detect, is_inference
from library.claims import denies_anything, denies_what_is_said, missing_figures, swapped_figures
from library.text import sentence_vectors, sentences
from models import Statistics
from reports.audit.audit_findings import ClaimVerdict
from reports.audit.claim_evidence import Candidate, joint_share, weights_of
from reports.document import Sentence
from reports.verify.check import Checker

HELD = 0.6
"""Share of a claim's words, by weight, that passages must hold to say it, as far as words alone can tell."""
HELD_MEANT = 0.4
"""The same, where the nearest sentence means what the claim does, as far as the sentence model can tell."""
MEANT = 0.75
"""Cosine of an English claim and a passage's sentence from which the two say the same in other words."""
NEAR = 0.5
"""The same, from which a sentence is near enough to be read, though it confirms nothing."""
ALIKE = 0.55
"""Share of a claim's words in one sentence, from which another figure or name is a contradiction."""


@dataclass(frozen=True, slots=True)
class WordsVerdict:
    """What the rules say of a claim beside some passages."""

    verdict: ClaimVerdict
    """`supported`, `contradicted`, `near` or `not_found`."""
    reason: str = ""
    candidate: Candidate | None = None
    """The passage that says so, or otherwise."""
    sentence: str = ""
    """The sentence of it that says otherwise; empty where none does."""


def judge_by_words(
    claim: str,
    candidates: Sequence[Candidate],
    checker: Checker,
    statistics: Statistics,
    *,
    cited: bool = False,
) -> WordsVerdict:
    """Judge a claim by the passages that may say it; the rules of the reports' own checker hold here too.

    Of what is cited for it, `near` is told too: what may say it in other words.
    """
    if not candidates:
        return WordsVerdict("not_found")
    share = joint_share(claim, candidates, statistics)
    best = max(candidates, key=lambda one: one.share)
    reason, turned = _objection(claim, best, candidates, checker)
    if not reason:
        if share >= HELD or (share >= HELD_MEANT and _means(claim, candidates, statistics)):
            return WordsVerdict("supported", "", best)
        near = _nearest_in_meaning(claim, candidates) if cited else None
        if near is not None:
            return WordsVerdict("near", _little(share), *near)
        return WordsVerdict("not_found", _little(share))
    nearest, likeness, sentence = _nearest(claim, candidates, statistics)
    figures = not is_inference(claim) and (
        swapped_figures(claim, sentence) or missing_figures(claim, [nearest.passage.text])
    )
    if likeness >= ALIKE and (figures or turned or share >= HELD):
        return WordsVerdict("contradicted", reason, nearest, sentence)
    return WordsVerdict("not_found", reason)


def unless_denied(claim: str, said: WordsVerdict, statistics: Statistics, language: str) -> WordsVerdict:
    """Return a verdict: it stands unless the nearest sentence denies the claim, with the same words."""
    if said.candidate is None:
        return said
    nearest, _likeness, sentence = _nearest(claim, [said.candidate], statistics)
    if not denies_what_is_said(_plain(claim), sentence, language):
        return said
    return WordsVerdict("contradicted", "the source denies it", nearest, sentence)


def _objection(
    claim: str, best: Candidate, candidates: Sequence[Candidate], checker: Checker
) -> tuple[str, bool]:
    """Return what the rules have against a claim, and whether a passage says it the other way round.

    What is missing may stand in any of the passages; what is denied, or has its names exchanged, is judged by
    the one that says most of it.
    """
    said = _plain(claim)
    turned = checker.turned(said, [best.passage])
    if turned:
        claimed = "”, “".join(one.rstrip(" .。") for one in turned)
        return f"the source says otherwise than “{claimed}”", True
    ids = list(dict.fromkeys(candidate.passage.id for candidate in candidates))
    checked = checker.sentence(Sentence(text=said, citations=ids))
    return (checked.reason or "", False) if checked.support == "unsupported" else ("", False)


def _means(claim: str, candidates: Sequence[Candidate], statistics: Statistics) -> bool:
    """Tell whether the sentence nearest to a claim says it in other words; never where one of them denies."""
    nearest, _share, sentence = _nearest(claim, candidates, statistics)
    if any(detect(text) != "en" for text in (claim, nearest.passage.text)):
        return False
    if denies_anything(claim, "en") or denies_anything(sentence, "en"):
        return False
    return sentence_vectors().likeness(claim, [sentence])[0] >= MEANT


def _nearest_in_meaning(claim: str, candidates: Sequence[Candidate]) -> tuple[Candidate, str] | None:
    """Return the sentence nearest to an English claim in meaning, with its passage; None where none is near.

    Nor where one of the two alone denies something: that is no matter of wording.
    """
    told = [
        (candidate, " ".join(text[start:end].split()))
        for candidate in candidates
        if detect(text := candidate.passage.text) == "en"
        for start, end in sentences(text)
    ]
    if not told or detect(claim) != "en":
        return None
    cosines = sentence_vectors().likeness(claim, [sentence for _, sentence in told])
    best = max(range(len(told)), key=lambda n: cosines[n])
    denied = denies_anything(claim, "en") != denies_anything(told[best][1], "en")
    return told[best] if cosines[best] >= NEAR and not denied else None


def _plain(claim: str) -> str:
    """Return a claim whose quotation marks ask for no exact words: manuscripts quote for irony, too."""
    return claim.replace("“", "’").replace("”", "’").replace('"', "’")


def _little(share: float) -> str:
    return f"of its words the nearest passages hold {share:.0%}"


def _nearest(
    claim: str, candidates: Sequence[Candidate], statistics: Statistics
) -> tuple[Candidate, float, str]:
    """Return the passage with the sentence most like a claim, the share of it there, and the sentence."""
    weights = weights_of(claim, statistics)
    whole = sum(weights.values()) or 1.0
    found: list[tuple[float, int, str]] = []
    for n, candidate in enumerate(candidates):
        text = candidate.passage.text
        for start, end in sentences(text):
            held = set(statistics.terms(text[start:end]))
            share = sum(weight for term, weight in weights.items() if term in held) / whole
            found.append((-round(share, 9), n, " ".join(text[start:end].split())))
    share, n, sentence = min(found)
    return candidates[n], -share, sentence
