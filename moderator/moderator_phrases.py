"""The few sentences that the moderator says by itself, by language."""

from dataclasses import dataclass

from library.text import phrases_in


@dataclass(frozen=True, slots=True)
class ModeratorPhrases:
    """Templates; the names in braces say what goes there."""

    disagree: str
    disagree_noted: str
    """The same of what an expert noted, with what both passages say."""
    nothing: str
    beside: str
    missing: str
    indefinite: str
    undated: str
    stale: str
    one_source: str
    weak_source: str
    warn_undated: str
    """Said with an answer that rests on passages of unknown date."""
    warn_stale: str
    stale_price: str
    warn_stale_price: str
    join: str


def wording(language: str) -> ModeratorPhrases:
    """Return the wording for a language code; English for languages that have none of their own."""
    return phrases_in(language, ModeratorPhrases, "moderator")
