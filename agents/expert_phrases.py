"""The few words that the embedded model puts around what it quotes, by language."""

from dataclasses import dataclass


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


_ENGLISH = ExpertPhrases(
    asked=(
        Viewpoint(
            "How it is done: {subject}", "Looks for how it is done, in {subject}",
            "How is it done, step by step, according to “{subject}”?",
        ),
        Viewpoint(
            "What and why: {subject}", "Looks for what it is and why it is so, in {subject}",
            "What has one to know of “{subject}”, and why is it so?",
        ),
        Viewpoint(
            "Limits: {subject}", "Looks for limits, exceptions and what can go wrong, in {subject}",
            "What can go wrong, and what is not possible, according to “{subject}”?",
        ),
        Viewpoint(
            "Choices: {subject}", "Looks for other ways and when they fit, in {subject}",
            "What other ways are there, according to “{subject}”, and when do they fit?",
        ),
    ),
    named=(
        Viewpoint(
            "The facts: {subject}", "Looks for what, who, when and where, in {subject}",
            "What is known of “{subject}”: what, who, when and where?",
        ),
        Viewpoint(
            "How and why: {subject}", "Looks for how it came about and why, in {subject}",
            "How did it come to “{subject}”, and why?",
        ),
        Viewpoint(
            "What followed: {subject}", "Looks for what came of it and what is disputed, in {subject}",
            "What came of “{subject}”, and what is disputed about it?",
        ),
        Viewpoint(
            "Compared: {subject}", "Looks for what it is like and unlike, in {subject}",
            "What is “{subject}” like, and what is it unlike?",
        ),
    ),
    question="What else should one know about {subject}?",
    nothing="Nothing was found that answers this.",
    join=", ",
)  # fmt: skip
_CHINESE = ExpertPhrases(
    asked=(
        Viewpoint(
            "怎么做：{subject}", "查找具体做法：{subject}",
            "按照“{subject}”，具体步骤是什么？",
        ),
        Viewpoint(
            "是什么、为什么：{subject}", "查找含义和缘由：{subject}",
            "关于“{subject}”，需要先知道什么？为什么？",
        ),
        Viewpoint(
            "限制：{subject}", "查找限制、例外和可能出的问题：{subject}",
            "按照“{subject}”，哪些做不到？可能出什么问题？",
        ),
        Viewpoint(
            "选择：{subject}", "查找其他办法及其适用情形：{subject}",
            "按照“{subject}”，还有哪些办法？各适用于什么情形？",
        ),
    ),
    named=(
        Viewpoint(
            "事实：{subject}", "查找何事、何人、何时、何地：{subject}",
            "关于“{subject}”，已知何事、何人、何时、何地？",
        ),
        Viewpoint(
            "经过与原因：{subject}", "查找经过和原因：{subject}",
            "“{subject}”是怎么发生的？为什么？",
        ),
        Viewpoint(
            "影响：{subject}", "查找结果和争议：{subject}",
            "“{subject}”带来了什么？有哪些争议？",
        ),
        Viewpoint(
            "比较：{subject}", "查找异同：{subject}",
            "“{subject}”与什么相似？与什么不同？",
        ),
    ),
    question="关于{subject}，还应该知道什么？",
    nothing="没有找到可以回答这个问题的内容。",
    join="、",
)  # fmt: skip


def wording(language: str) -> ExpertPhrases:
    """Return the wording for a language code; English for languages that have none of their own."""
    return _CHINESE if language.startswith("zh") else _ENGLISH


def told_of(name: str, role: str, focus: str) -> str:
    """Return what is told of an expert: the role, or the focus where the role repeats the name."""
    for words in (_ENGLISH, _CHINESE):
        for view in (*words.asked, *words.named):
            before, _, after = view.name.partition("{subject}")
            subject = name.removeprefix(before).removesuffix(after)
            if role == view.role.format(subject=subject) and focus not in ("", subject):
                return focus
    return role
