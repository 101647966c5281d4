"""What may be said to places outside: a query there holds no word that only the user's own documents have.

A query is what a model wrote after reading everything, private documents too. So what leaves the machine is
not judged by what it looks like: a word passes if it stands in the topic, in what a person said at the table,
or in evidence that is public anyway, and no other word does.
"""

import re
from collections.abc import Iterable
from typing import Literal

from library.text.multilingual.scripts import CJK
from models import Frozen

_WORD = re.compile(f"[{CJK}]+|[^\\W_{CJK}]+")
_WIDE = re.compile(f"[{CJK}]")


class PrivacySettings(Frozen):
    """What leaves this machine."""

    queries: Literal["public", "any"] = "public"
    """Queries to places outside while documents of your own are searched too: `public` sends only words of
    the topic, of yours, and of public evidence; `any` sends what the experts write."""


class PublicWords:
    """The words that may leave the machine."""

    def __init__(self, texts: Iterable[str]) -> None:
        """Take everything that is public: the topic first, evidence after it."""
        self._text = "\n".join(text.casefold() for text in texts)
        self._words = {word for word in _WORD.findall(self._text) if not _WIDE.match(word)}

    def query(self, query: str, topic: str) -> str:
        """Return a query with the words that may leave; the topic where none are left."""
        kept = [part for word in _WORD.findall(query) for part in self._allowed(word)]
        return " ".join(dict.fromkeys(kept)) or topic

    def _allowed(self, word: str) -> list[str]:
        if not _WIDE.match(word):
            return [word] if word.casefold() in self._words else []
        return self._pieces(word)

    def _pieces(self, run: str) -> list[str]:
        """Return the longest pieces of two characters and more of a run without spaces that are public."""
        pieces: list[str] = []
        start = 0
        while start < len(run) - 1:
            end = start
            while end < len(run) and run[start : end + 1] in self._text:
                end += 1
            if end - start >= 2:
                pieces.append(run[start:end])
            start = max(end, start + 1)
        return pieces
