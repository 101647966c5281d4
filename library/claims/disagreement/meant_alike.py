"""Do two figures measure the same in other words: what stands around them, by what it means as a whole.

`An adult pays …` and `Admission is … for adults` share one word. The sentence model finds such sentences near
each other, and others of one subject too: alone it tells nothing, beside the tests of subject, scope and time
it does (docs/LOG.md).
"""

import re

from library.claims.claims import Claim, content
from library.claims.disagreement.same_measure import other_dimension
from library.text import titled_text
from library.text.multilingual.language import detect
from library.text.similarity.sentence_model import sentence_vectors

ALIKE = 0.75
"""Cosine, from which two measure the same, of one's clause and the other's sentence without their figures."""
VERY_ALIKE = 0.8
"""The same, where only another sentence of a page has the words for what one of the two is on."""
_NARROWS = re.compile(r"\b(?:with|without|including|excluding|except|besides)\s(?P<what>[^,;.]{1,60})")
_ANY = "some"
"""Stands for the figure."""


def comparable_in_meaning(a: Claim, b: Claim) -> bool:
    """Tell whether the model is asked about two claims: figures, with a word in common."""
    if a.kind != "number" or b.kind != "number" or a.wide or b.wide or other_dimension(a.near, b.near):
        return False
    return bool(a.near.keys() & b.about.keys() and b.near.keys() & a.about.keys())


def meant_alike(a: Claim, b: Claim, least: float = ALIKE) -> bool:
    """Tell whether what stands around two figures means the same, by the cosine `least` (0 to 1)."""
    if any(detect(titled_text(claim.passage)) != "en" for claim in (a, b)):
        return False
    if _narrowed(a, b) or _narrowed(b, a):
        return False
    vectors = sentence_vectors()
    pairs = ((_clause(a), _sentence(b)), (_clause(b), _sentence(a)))
    return any(vectors.likeness(clause, [sentence])[0] >= least for clause, sentence in pairs)


def _narrowed(one: Claim, other: Claim) -> bool:
    """Tell whether a figure is of a thing `with more memory`, and the other's sentence has none of that."""
    for match in _NARROWS.finditer(one.clause):
        said = content(match["what"]).keys()
        if said and said.isdisjoint(other.about):
            return True
    return False


def _clause(claim: Claim) -> str:
    return " ".join(claim.clause.replace(claim.written, _ANY, 1).split())


def _sentence(claim: Claim) -> str:
    return " ".join(claim.sentence.replace(claim.written, _ANY, 1).split())
