"""The few sentences that the moderator says by itself, by language."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class ModeratorPhrases:
    """Templates; the names in braces say what goes there."""

    disagree: str
    nothing: str
    beside: str
    missing: str
    indefinite: str
    undated: str
    stale: str
    one_source: str
    warn_undated: str
    """Said with an answer that rests on passages of unknown date."""
    warn_stale: str
    join: str


_ENGLISH = ModeratorPhrases(
    disagree="Sources disagree on {about}: {a} or {b}?",
    nothing="nothing was found that answers it",
    beside="the answer does not speak of {parts}",
    missing="a part is not answered: {parts}",
    indefinite="the answer is not definite",
    undated="it asks for something that changes, and nobody knows when the passages were published",
    stale="it asks for something that changes, and the newest passage is of {date}",
    one_source="the answer rests on a single source, and others were found",
    warn_undated="(This may have changed: the sources do not say when they were published.)",
    warn_stale="(This may have changed: the newest source is of {date}.)",
    join=", ",
)
_CHINESE = ModeratorPhrases(
    disagree="关于{about}，资料说法不一：是{a}，还是{b}？",
    nothing="没有找到可以回答这个问题的内容",
    beside="回答没有提到{parts}",
    missing="有一部分没有回答：{parts}",
    indefinite="回答不明确",
    undated="问的是会变化的情况，而资料没有写明发布时间",
    stale="问的是会变化的情况，而最新的资料是{date}的",
    one_source="回答只依据一个来源，而还找到了别的来源",
    warn_undated="（情况可能已经变化：资料没有写明发布时间。）",
    warn_stale="（情况可能已经变化：最新的资料是{date}的。）",
    join="、",
)


def wording(language: str) -> ModeratorPhrases:
    """Return the wording for a language code; English for languages that have none of their own."""
    return _CHINESE if language.startswith("zh") else _ENGLISH
