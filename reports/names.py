"""Names in a text, and which of them nothing supports."""

import re
from collections.abc import Sequence

_NAME = re.compile(r"(?<!^)(?<![.!?“]\s)\b[A-Z][\w’'-]+")


def missing_names(text: str, passages: Sequence[str], around: Sequence[str] = ()) -> list[str]:
    """Return the names of a text that neither the passages nor what is known of their sources hold."""
    known = " ".join((*passages, *around)).casefold()
    return [name for name in dict.fromkeys(_NAME.findall(text)) if name.casefold() not in known]
