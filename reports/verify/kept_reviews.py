"""What was said of a report's sentences before: only those that changed are judged and edited again."""

import hashlib
import json
from dataclasses import dataclass, field
from typing import Literal

from pydantic import Field

from models import Event, Frozen
from reports.document import Section, Sentence
from reports.verify.review import SentenceVerdict


class Review(Frozen):
    """What became of one sentence; parts that nobody looked at are None."""

    support: Literal["supported", "inferred", "partial", "unsupported"] | None = None
    """A judge's word."""
    words: str = ""
    edit: str | None = None
    """What the last pass over the whole made of it: the same text when it changed nothing, empty when it was
    left out."""
    edit_refused: str = ""
    """Why the sentence stands as it was all the same; empty: the edit was taken, or there was none."""


class SentencesReviewed(Event):
    """Sentences of a report were judged and edited; each under its words and citations."""

    kind: Literal["sentences_reviewed"] = "sentences_reviewed"
    reviews: dict[str, Review] = Field(default_factory=dict)


@dataclass(slots=True)
class Reviews:
    """Reviews that are known, and those that came to them since."""

    known: dict[str, Review] = field(default_factory=dict)
    new: dict[str, Review] = field(default_factory=dict)

    def judged(self, text: str, citations: list[str], verdict: SentenceVerdict) -> None:
        """Keep a judge's word."""
        self._learn(sentence_key(text, citations), {"support": verdict.support, "words": verdict.words})

    def edited(self, sentence: Sentence, text: str) -> None:
        """Keep what the last pass made of a sentence."""
        self._learn(sentence_key(sentence.text, sentence.citations), {"edit": text})

    def edit_refused(self, sentence: Sentence, why: str) -> None:
        """Keep why an edit was not taken; an empty text says that it was."""
        self._learn(sentence_key(sentence.text, sentence.citations), {"edit_refused": why})

    def verdict(self, n: int, sentence: Sentence) -> SentenceVerdict | None:
        """Return what a judge said of a sentence before, under the number that it has now."""
        review = self._found(sentence)
        if review is None or review.support is None:
            return None
        return SentenceVerdict(n=n, support=review.support, words=review.words)

    def edit(self, sentence: Sentence) -> str | None:
        """Return what the last pass made of a sentence before; None when it never saw it."""
        review = self._found(sentence)
        return None if review is None else review.edit

    def seen(self, section: Section) -> bool:
        """Tell whether the last pass saw every sentence of a section before."""
        return all(self.edit(sentence) is not None for sentence in section.sentences)

    def _found(self, sentence: Sentence) -> Review | None:
        name = sentence_key(sentence.text, sentence.citations)
        return self.new.get(name) or self.known.get(name)

    def _learn(self, name: str, values: dict[str, str]) -> None:
        before = self.new.get(name) or self.known.get(name) or Review()
        after = before.model_copy(update=values)
        if after != before:
            self.new[name] = after


def sentence_key(text: str, citations: list[str]) -> str:
    """Return the key of a sentence; a passage's id always means the same words."""
    return hashlib.sha256(json.dumps([text, citations]).encode()).hexdigest()[:20]
