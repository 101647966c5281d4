"""Do two claims measure the same in other words: what stands around a figure or a denial, by what it means.

`An adult pays …` and `Admission is … for adults` share one word. The sentence model finds such sentences near
each other, and others of one subject too: alone it tells nothing, beside the tests of subject, scope and time
it does (docs/LOG.md).
"""

import re

from library.claims.claims import NEGATION, Claim, content
from library.claims.disagreement.compared_sources import ComparedSources
from library.claims.disagreement.same_measure import nearly_same_measure, other_dimension
from library.text import titled_text
from library.text.multilingual.language import detect
from library.text.similarity.sentence_model import sentence_vectors

ALIKE = 0.75
"""Cosine, from which two measure the same, of one's clause and the other's sentence without their figures."""
NEARLY = {"number": 0.5, "negation": 0.64}
"""The same, where what is counted or denied has nearly as many words in common as is asked of words alone."""
VERY_ALIKE = 0.8
"""The same, where only another sentence of a page has the words for what one of the two is on."""
CLAUSES_ALIKE = 0.76
"""The same, of the clauses themselves as well, where they call by different words what they are on."""
_NARROWS = re.compile(r"\b(?:with|without|including|excluding|except|besides)\s(?P<what>[^,;.]{1,60})")
_ANY = "some"
"""Stands for the figure."""


def least_likeness(a: Claim, b: Claim, among: ComparedSources) -> float | None:
    """Return the cosine (0 to 1) that shows two claims to measure the same; None: the model is not asked."""
    if nearly_same_measure(a, b, among):
        return NEARLY[a.kind]
    return ALIKE if comparable_in_meaning(a, b) else None


def comparable_in_meaning(a: Claim, b: Claim) -> bool:
    """Tell whether two claims are figures with a word in common, of one dimension as far as they say it."""
    if a.kind != "number" or b.kind != "number" or a.wide or b.wide or other_dimension(a.near, b.near):
        return False
    return bool(a.near.keys() & b.about.keys() and b.near.keys() & a.about.keys())


def meant_alike(a: Claim, b: Claim, least: float) -> bool:
    """Tell whether what stands around two values means the same, by the cosine `least` (0 to 1)."""
    if any(detect(titled_text(claim.passage)) != "en" for claim in (a, b)):
        return False
    if _narrowed(a, b) or _narrowed(b, a):
        return False
    vectors = sentence_vectors()
    pairs = [(_clause(a), _sentence(b)), (_clause(b), _sentence(a))]
    if a.kind == "negation":
        pairs = [(_undenied(a), _undenied(b))]
    return any(vectors.likeness(clause, [sentence])[0] >= least for clause, sentence in pairs)


def _narrowed(one: Claim, other: Claim) -> bool:
    """Tell whether a figure is of a thing `with more memory`, and the other's sentence has none of that."""
    for match in _NARROWS.finditer(one.clause):
        said = content(match["what"]).keys()
        if said and said.isdisjoint(other.about):
            return True
    return False


def clauses_alike(a: Claim, b: Claim) -> bool:
    """Tell whether two figures measure the same whatever it is called there: clause beside clause."""
    if not meant_alike(a, b, CLAUSES_ALIKE):
        return False
    return sentence_vectors().likeness(_clause(a), [_clause(b)])[0] >= CLAUSES_ALIKE


def _undenied(claim: Claim) -> str:
    return " ".join(NEGATION.sub(" ", claim.clause).split())


def _clause(claim: Claim) -> str:
    return " ".join(claim.clause.replace(claim.written, _ANY, 1).split())


def _sentence(claim: Claim) -> str:
    return " ".join(claim.sentence.replace(claim.written, _ANY, 1).split())
