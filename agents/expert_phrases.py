"""The few words that the embedded model puts around what it quotes, by language."""

from dataclasses import dataclass

from library.text import phrases_by_language, phrases_in


@dataclass(frozen=True, slots=True)
class Viewpoint:
    """What one expert looks at; `{subject}` is a heading of the documents, or a phrase found in them."""

    name: str
    role: str
    question: str
    """Its first question."""

    def is_of(self, name: str) -> bool:
        """Whether an expert of this name looks from here."""
        return name.startswith(self.name.partition("{subject}")[0])


@dataclass(frozen=True, slots=True)
class ExpertPhrases:
    """Templates of one language."""

    asked: tuple[Viewpoint, ...]
    """Where the topic is a question; one for each seat, from the first again when there are more seats."""
    named: tuple[Viewpoint, ...]
    """Where the topic names a subject."""
    question: str
    nothing: str
    join: str


def wording(language: str) -> ExpertPhrases:
    """Return the wording for a language code; English for languages that have none of their own."""
    return phrases_in(language, ExpertPhrases, "experts")


def told_of(name: str, role: str, focus: str) -> str:
    """Return what is told of an expert: the role, or the focus where the role repeats the name."""
    for words in phrases_by_language(ExpertPhrases, "experts").values():
        for view in (*words.asked, *words.named):
            before, _, after = view.name.partition("{subject}")
            subject = name.removeprefix(before).removesuffix(after)
            if role == view.role.format(subject=subject) and focus not in ("", subject):
                return focus
    return role
