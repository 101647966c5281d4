"""The few words that the embedded model puts around what it quotes, by language."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class ExpertPhrases:
    """Templates; `{subject}` is a phrase found in the text, `{topic}` the topic."""

    expert: str
    role: str
    first_question: str
    question: str
    nothing: str
    join: str
    aspects: tuple[str, ...]
    """Subjects for when the text gives none."""


_ENGLISH = ExpertPhrases(
    expert="Reader on {subject}",
    role="Reads what the sources say about {subject}",
    first_question="What do the sources say about {subject}?",
    question="What else is reported about {subject}?",
    nothing="Nothing was found that answers this.",
    join=", ",
    aspects=(
        "background",
        "course of events",
        "consequences",
        "people",
        "numbers",
        "reactions",
        "causes",
        "outlook",
    ),
)
_CHINESE = ExpertPhrases(
    expert="{subject}研读者",
    role="研读资料中关于{subject}的内容",
    first_question="关于{subject}，资料中说了什么？",
    question="关于{subject}，还有哪些记载？",
    nothing="没有找到可以回答这个问题的内容。",
    join="、",
    aspects=("背景", "经过", "影响", "人物", "数据", "反应", "原因", "前景"),
)


def wording(language: str) -> ExpertPhrases:
    """Return the wording for a language code; English for languages that have none of their own."""
    return _CHINESE if language.startswith("zh") else _ENGLISH


def told_of(name: str, role: str, focus: str) -> str:
    """Return what is told of an expert: the role, or the focus where the role repeats the name."""
    for words in (_ENGLISH, _CHINESE):
        before, _, after = words.expert.partition("{subject}")
        subject = name.removeprefix(before).removesuffix(after)
        if role == words.role.format(subject=subject) and focus not in ("", subject):
            return focus
    return role
