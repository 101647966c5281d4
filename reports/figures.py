"""Numbers and dates of a text, in whatever way they are written, and which of them nothing supports."""

import re
from collections.abc import Sequence

_NUMBER = re.compile(r"\d+(?:[.,]\d+)*")


def missing_figures(text: str, passages: Sequence[str], around: Sequence[str] = ()) -> list[str]:
    """Return the numbers of a text that neither the passages nor what is known of their sources hold."""
    known = {number for part in (*passages, *around) for number in _NUMBER.findall(part)}
    return [number for number in dict.fromkeys(_NUMBER.findall(text)) if number not in known]
