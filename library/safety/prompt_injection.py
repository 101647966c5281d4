"""Texts that give orders to language models: found, told in the report, and not quoted as evidence.

Nothing rests on finding a passage that speaks to a machine: it is data like any other, and cannot do more. It
is a hint for whoever judges the source; words that only describe such attacks are found too, and clever ones
are not. A sentence is left out where two things come together, since each alone is common in honest text: its
passage speaks to a machine, and it is an order itself.
"""

import re
from collections.abc import Callable

from library.text.tokenize import caseless

_TAGS = r"(?:passage|system|tool_call|function_call|question|topic|discussion)"
"""How prompts mark their parts; in a manual `<topic>` stands for what is to be typed there."""
_WHOM = (
    r"(?:language model|llm|ai(?: (?:assistant|agent|model))?|assistant|chatbot|gpt|claude|gemini|copilot)s?"
)
_RULES = r"(?:instructions?|prompts?|rules|directions|guidelines|guardrails|context)"
_SIGNS = tuple(
    (tuple(hints.split("|")), re.compile(pattern, re.IGNORECASE | re.MULTILINE))
    for hints, pattern in (
        (
            "ignore|disregard|forget|override|bypass",
            rf"(?<!not )(?<!n’t )(?<!n't )\b(?:ignore|disregard|forget|override|bypass)\b[^.,\n]{{0,40}}\b{_RULES}\b",  # noqa: E501
        ),
        (
            "system|developer|initial",
            rf"\b(?:your|the|new|hidden) (?:system|developer|initial) {_RULES}\b",
        ),
        (
            "note|message|instruction|attention|important",
            rf"\b(?:note|message|instructions?|attention|important)\b[^.\n]{{0,20}}\b(?:to|for|:)\s*(?:all |any |the )?{_WHOM}\b",  # noqa: E501
        ),
        (
            "if you are a|as a",
            rf"\b(?:if you are|as) an? {_WHOM}\b[^.\n]{{0,60}}\b(?:must|should|please|you)\b",
        ),
        (
            "you are now",
            r"\byou are now\b[^.\n]{0,60}\b(?:mode|assistant|unrestricted|dan|admin|root)\b",
        ),
        (
            "<|inst]|###",
            r"<\|?(?:im_start|im_end|endoftext)\|?>|<\|(?:system|assistant|user)\|>|\[/?INST\]|<<SYS>>|###\s*(?:system|instruction)\s*:",
        ),
        (
            "<",
            rf"</{_TAGS}>|<{_TAGS} [a-z]{{1,20}}=[^>]{{0,80}}>|(?:^|>)<{_TAGS}>",
        ),
        (
            "system prompt|api key|api_key|api-key|apikey|secret|password|environment variable|private doc",
            r"\b(?:reveal|print|repeat|send|output|leak|post|include) (?:all(?: of)? )?(?:the|your|all|any|every)\s(?:\w{2,12}\s)?(?:system prompt|api[ _-]?keys?|secrets?|passwords?|environment variables?|private documents?)\b",  # noqa: E501
        ),
        (
            '"kind"|"tool"|"function"|"name"|"action"',
            r"\"(?:kind|tool|function|name|action)\"\s*:\s*\"(?:shell|exec|run|bash|python|read|fetch|http|send|delete)",
        ),
        (
            "忽略|无视|忘记|系统提示词",
            r"(?:忽略|无视|忘记).{0,12}(?:指令|提示|规则)|系统提示词",
        ),
    )
)
"""Each with small-letter words of which a text must hold one: looking for these takes a tenth of a search."""


def addresses_a_machine(text: str) -> str | None:
    """Return the words with which a text speaks to a language model, None when none are found."""
    small = caseless(text)
    for hints, sign in _SIGNS:
        if any(hint in small for hint in hints) and (found := sign.search(text)):
            return " ".join(found[0].split())[:120]
    return None


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


def order_finder(text: str) -> Callable[[str], bool]:
    """Return what tells whether a sentence of this passage gives an order to a machine."""
    return _is_order if addresses_a_machine(text) is not None else _no_order


def _is_order(sentence: str) -> bool:
    return _ORDER.match(sentence) is not None


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
