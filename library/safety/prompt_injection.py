"""Texts that give orders to language models: found, told in the report, and not quoted as evidence.

Nothing rests on finding a passage that speaks to a machine: it is data like any other, and cannot do more. It
is a hint for whoever judges the source; words that only describe such attacks are found too, and clever ones
are not. A sentence is left out where two things come together, since each alone is common in honest text: its
passage speaks to a machine, and it is an order itself. Words that a manual says to its reader just as well
(`ignore rules`, `send your password`) are doubtful: they are told, and leave out only an order that has them
and an address.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache

from library.text.tokenize import caseless

_TAGS = r"(?:passage|system|tool_call|function_call|question|topic|discussion)"
"""How prompts mark their parts; in a manual `<topic>` stands for what is to be typed there."""
_WHOM = (
    r"(?:language model|llm|ai(?: (?:assistant|agent|model))?|assistant|chatbot|gpt|claude|gemini|copilot)s?"
)
_RULES = r"(?:instructions?|prompts?|rules|directions|guidelines|guardrails|context)"


@dataclass(frozen=True, slots=True)
class _Sign:
    """One way to speak to a language model."""

    hints: tuple[str, ...]
    """Small-letter words of which a text must hold one: looking for these takes a tenth of a search."""
    pattern: re.Pattern[str]
    sure: bool
    """Whether hardly anything else is meant by it."""


def _sign(hints: str, pattern: str, *, sure: bool = True) -> _Sign:
    return _Sign(tuple(hints.split("|")), re.compile(pattern, re.IGNORECASE | re.MULTILINE), sure)


_SKIPS = r"(?<![\w-])(?<!not )(?<!n’t )(?<!n't )(?:ignore|disregard|forget|override|bypass)\b(?!-)"
_TOLD_RULES = r"(?:instructions?|prompts?|guidelines|guardrails|directions)"
"""Those that a model has been told, and a firewall has not."""
_EARLIER = r"(?:previous|prior|above|earlier|preceding|foregoing)"
_SEND = r"\b(?:reveal|print|repeat|send|output|leak|post|include) (?:all(?: of)? )?(?:the|your|all|any|every)\s(?:\w{2,12}\s)?"  # noqa: E501
_SIGNS = (
    _sign(
        "ignore|disregard|forget|override|bypass",
        rf"{_SKIPS}[^.,\n]{{0,40}}(?:\b{_EARLIER}\b[^.,\n]{{0,30}}\b{_RULES}\b"
        rf"|\b{_RULES} (?:above|before|you)\b|\b(?:system|developer) {_TOLD_RULES}\b"
        rf"|\b(?:all|your) {_TOLD_RULES}\b)",
    ),
    _sign("system|developer", r"\b(?:your|new|hidden) (?:system|developer) (?:instructions?|prompts?)\b"),
    _sign("initial", r"\byour initial (?:instructions?|prompts?)\b"),
    _sign(
        "note|message|instruction|attention|important",
        rf"\b(?:note|message|instructions?|attention|important)\b[^.\n]{{0,20}}\b(?:to|for|:)\s*(?:all |any |the )?{_WHOM}\b",  # noqa: E501
    ),
    _sign(
        "if you are a|as a", rf"\b(?:if you are|as) an? {_WHOM}\b[^.\n]{{0,60}}\b(?:must|should|please|you)\b"
    ),
    _sign(
        "you are now", r"\byou are now\b[^.\n]{0,60}\b(?:assistant|unrestricted|dan|(?:developer|god) mode)\b"
    ),
    _sign(
        "<|inst]|###",
        r"<\|?(?:im_start|im_end|endoftext)\|?>|<\|(?:system|assistant|user)\|>|\[/?INST\]|<<SYS>>|###\s*(?:system|instruction)\s*:",
    ),
    _sign("<", rf"</{_TAGS}>|<{_TAGS} [a-z]{{1,20}}=[^>]{{0,80}}>|(?:^|>)<{_TAGS}>"),
    _sign("system prompt|private doc", rf"{_SEND}(?:system prompt|private documents?)\b"),
    _sign(
        "given|your answer|your reply|your report",
        rf"{_SEND}(?:api[ _-]?keys?|secrets?|passwords?|environment variables?)\b"
        r"[^.\n]{0,20}\b(?:you (?:were|have been) given|in your (?:answer|reply|report))\b",
    ),
    _sign(
        '"kind"|"tool"|"function"|"name"|"action"',
        r"\"(?:kind|tool|function|name|action)\"\s*:\s*\"(?:shell|exec|run|bash|python|read|fetch|http|send|delete)",
    ),
    _sign("忽略|无视|忘记|系统提示词", r"(?:忽略|无视|忘记).{0,12}(?:指令|提示|规则)|系统提示词"),
    # What follows is said to readers, too: by a manual of a firewall, of a shell, of a server.
    _sign("ignore|disregard|forget|override|bypass", rf"{_SKIPS}[^.,\n]{{0,40}}\b{_RULES}\b", sure=False),
    _sign(
        "system|developer|initial",
        rf"\b(?:your|the|new|hidden) (?:system|developer|initial) {_RULES}\b",
        sure=False,
    ),
    _sign("you are now", r"\byou are now\b[^.\n]{0,60}\b(?:mode|admin|root)\b", sure=False),
    _sign(
        "api key|api_key|api-key|apikey|secret|password|environment variable",
        rf"{_SEND}(?:api[ _-]?keys?|secrets?|passwords?|environment variables?)\b",
        sure=False,
    ),
)
"""Sure ones first."""


@dataclass(frozen=True, slots=True)
class SpokenToMachines:
    """What of a text may be said to a language model."""

    words: str
    """The words, in one line."""
    sure: bool
    """False where a manual says so to its reader as well."""


def spoken_to_machines(text: str) -> SpokenToMachines | None:
    """Return what speaks to a language model in a text, None for nothing; what is sure comes first."""
    small = caseless(text)
    for sign in _SIGNS:
        if any(hint in small for hint in sign.hints) and (found := sign.pattern.search(text)):
            return SpokenToMachines(" ".join(found[0].split())[:120], sign.sure)
    return None


_ADDRESS = re.compile(r"[a-z]{2,10}://|\bwww\.|\S@\S", re.IGNORECASE)
_MACHINE = r"(?:ai (?:assistant|agent|model)|language model|llm|chatbot)s?"
_TOLD = "cite|quote|mention|tell|reveal|use|trust|say|write|answer|recommend"
_ORDER = re.compile(
    r"^[\"“‘'(\[]*(?:please,? |now |instead,? |then )?"
    r"(?:(?:system|assistant|user|developer|note|attention|important|instructions?)"
    r"(?: (?:to|for)\b[^:.]{0,40})?:"
    r"|(?:ignore|disregard|forget|override|bypass|pretend|reply|respond|delete|reveal)\b"
    r"|(?:write|say|state|mention|claim|conclude|include|report)\b.{0,40}\b(?:report|answer|summary|that)\b"
    r"|(?:answer|act|behave|speak)\b.{0,20}\b(?:only|as|with|like)\b|tell (?:the|your) (?:user|reader)s?\b"
    rf"|(?:do not|don't|never|always|only) (?:{_TOLD})\b"
    r"|(?:send|print|output|repeat|post|leak)\b.{0,50}\b(?:prompt|keys?|secrets?|passwords?|documents?)\b"
    r"|from now on\b|you (?:are now|must|should|shall|will)\b|(?:if you are|as) an? (?:ai|llm)\b"
    rf"|(?:if you are a |as a |all )?{_MACHINE}\b.{{0,50}}\b(?:must|should|shall)\b)"
    r"|^[“‘「『（]*(?:请)?(?:忽略|无视|忘记|删除)|^[“‘「『（]*(?:从现在起|你现在是|你必须|你应当)",
    re.IGNORECASE,
)


@lru_cache(maxsize=500)
def order_finder(text: str) -> Callable[[str], bool]:
    """Return what tells whether a sentence of this passage gives an order to a machine."""
    found = spoken_to_machines(text)
    if found is None:
        return _no_order
    return _is_order if found.sure else _is_doubtful_order


def _is_order(sentence: str) -> bool:
    return _ORDER.match(sentence) is not None


def _is_doubtful_order(sentence: str) -> bool:
    """`Send the password to the server.` stands in a manual; with where it shall go, it is left out."""
    return bool(_is_order(sentence) and _ADDRESS.search(sentence) and spoken_to_machines(sentence))


def _no_order(_sentence: str) -> bool:
    return False


def without_orders(text: str, split: Callable[[str], list[tuple[int, int]]]) -> str:
    """Return a text without the sentences that give orders to a machine; nearly every text as it is.

    Args:
        text: A passage.
        split: Finds sentences.
    """
    is_order = order_finder(text)
    if is_order is _no_order:
        return text
    return " ".join(text[start:end] for start, end in split(text) if not is_order(text[start:end]))
