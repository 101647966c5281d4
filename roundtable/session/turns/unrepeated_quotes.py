"""Quotations that several who speak at the same time have chosen alike: the first to speak gives each.

Who quotes without a language model chooses by the topic's words, so those who begin together find the same
sentences the best. None hears the others; what each would have quoted next stands in its place.
"""

import re
from collections.abc import Sequence

from agents import Contribution
from library import citations

_QUOTATION = re.compile(r"(“[^“”]+”)( \[p\d+\])?")


def unrepeated(said: Sequence[Contribution | str]) -> list[Contribution | str]:
    """Return contributions without what one before has quoted, filled up from what each has to spare.

    One that would be left without a word keeps its first quotation. One that has nothing to spare stays as it
    is: what a language model quotes belongs to what it says.

    Args:
        said: In the order of the turns; a text in a contribution's place is the reason why nothing came.
    """
    given = set[str]()
    kept = list[Contribution | str]()
    for one in said:
        if isinstance(one, Contribution):
            if one.spare:
                one = _without(one, given)  # noqa: PLW2901
            given |= {quoted for quoted, _ in _QUOTATION.findall(one.text)}
        kept.append(one)
    return kept


def _without(one: Contribution, given: set[str]) -> Contribution:
    chosen = _QUOTATION.findall(one.text)
    own = [piece for piece in chosen if piece[0] not in given]
    if len(own) == len(chosen):
        return one
    spare = [piece for piece in _QUOTATION.findall(one.spare) if piece[0] not in given and piece not in own]
    further = [*own, *spare][: len(chosen)] or chosen[:1]
    text = " ".join(quoted + cited for quoted, cited in further)
    return one.model_copy(update={"text": text, "citations": citations(text)})
