"""Words that tell of the same: irregular pasts and their base forms, by their roots."""

from collections.abc import Mapping

from library.text import tokenize as analysis
from library.text.quantities.quantity_data import table

_PARTICLES = ("up", "down", "out", "in", "on", "off", "over", "away", "back")


def irregular_verbs() -> dict[str, list[str]]:
    """Return the base forms of irregular verbs, each with its past forms."""
    return dict(table("irregular_verbs")["en"])


def base_roots(alike: Mapping[str, str]) -> dict[str, str]:
    """Return the terms of irregular pasts, also with a particle (`froze over`), and the roots they stand for.

    Args:
        alike: Words that stand for others, as written, each with the root of these.
    """
    found: dict[str, str] = {}
    for base, pasts in irregular_verbs().items():
        for particle in ("", *_PARTICLES):
            # Behind a verb and its particle stands the term that they make.
            *_, root = analysis.terms(f"{base} {particle}")
            for past in pasts:
                *_, term = analysis.terms(f"{past} {particle}")
                found[term] = root if particle else alike.get(base, root)
    return found
