"""Words that say the opposite of others, as denials of these: `disabled` as `not enabled`."""

import re
from functools import lru_cache

from library.text.quantities.quantity_data import table

_MAY_BE = re.compile(r"\b(?:can|may|could|might)\b[^,.;:]{0,60}$")
"""What stands before something that is not so, but possible."""
_DENIES = r"(?P<denied>\b(?:not|never|no longer)\s)?"


@lru_cache(maxsize=100)
def _opposites(language: str) -> tuple[re.Pattern[str], dict[str, str]] | None:
    words = table("negation").get(language, {})
    if not (pairs := words.get("opposites")):
        return None
    meant = {opposite: word for word, *opposites in pairs for opposite in opposites}
    listed = "|".join(re.escape(word) for word in meant)
    return re.compile(rf"{_DENIES}\b(?P<word>{listed})\b", re.IGNORECASE), meant


@lru_cache(maxsize=100)
def _alike(language: str) -> list[tuple[re.Pattern[str], str]]:
    """Return patterns of words that say the same as another one, with that."""
    groups = table("negation").get(language, {}).get("alike", [])
    return [
        (re.compile(rf"\b(?:{'|'.join(map(re.escape, others))})\b", re.IGNORECASE), word)
        for word, *others in groups
    ]


def without_opposites(text: str, language: str) -> str:
    """Return a text that says `not enabled` for `disabled`, and `enabled` for `not disabled`.

    What only may be so stays as it is: `can be disabled` denies nothing.

    Args:
        text: A sentence.
        language: ISO 639-1 code; a text in one whose opposites are not known is returned as it is.
    """
    if (known := _opposites(language)) is None:
        return text
    pattern, meant = known
    for same, word in _alike(language):
        text = same.sub(word, text)

    def said(match: re.Match[str]) -> str:
        if _MAY_BE.search(text, 0, match.start()):
            return match[0]
        word = meant[match["word"].casefold()]
        return word if match["denied"] else f"not {word}"

    return pattern.sub(said, text)
