"""The few words that the embedded model puts around what it quotes, by language."""

from dataclasses import dataclass

from library.text import phrases_in


@dataclass(frozen=True, slots=True)
class Viewpoint:
    """What one expert looks at; `{subject}` is a heading of the documents, or a phrase found in them."""

    name: str
    """A role that a person may have, the same whatever it looks at."""
    role: str
    question: str
    """Its first question."""

    def is_of(self, told: str) -> bool:
        """Whether an expert that is told as `name: focus` looks from here."""
        return told.startswith(self.name)


@dataclass(frozen=True, slots=True)
class ExpertPhrases:
    """Templates of one language."""

    asked: tuple[Viewpoint, ...]
    """Where the topic is a question; one for each seat, from the first again when there are more seats."""
    named: tuple[Viewpoint, ...]
    """Where the topic names a subject."""
    question: str
    nothing: str


def wording(language: str) -> ExpertPhrases:
    """Return the wording for a language code; English for languages that have none of their own."""
    return phrases_in(language, ExpertPhrases, "experts")
