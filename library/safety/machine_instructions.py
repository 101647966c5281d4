"""Sources that speak to a machine instead of to a reader: found, so that a report can say so.

Nothing rests on this: what such a source says is data like any other, and cannot do more. It is a hint for
whoever judges the source; words that only describe such attacks are found too, and clever ones are not.
"""

import re

from library.text.tokenize import caseless

_WHOM = (
    r"(?:language model|llm|ai(?: (?:assistant|agent|model))?|assistant|chatbot|gpt|claude|gemini|copilot)s?"
)
_RULES = r"(?:instructions?|prompts?|rules|directions|guidelines|guardrails|context)"
_SIGNS = tuple(
    (tuple(hints.split("|")), re.compile(pattern, re.IGNORECASE))
    for hints, pattern in (
        (
            "ignore|disregard|forget|override|bypass",
            rf"\b(?:ignore|disregard|forget|override|bypass)\b[^.\n]{{0,40}}\b{_RULES}\b",
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
            r"<\|?(?:im_start|im_end|system|endoftext|assistant)\|?>|\[/?INST\]|<<SYS>>|###\s*(?:system|instruction)\b",
        ),
        (
            "<",
            r"</?(?:passage|system|tool_call|function_call|question|topic|discussion)\b[^>]{0,80}>",
        ),
        (
            "system prompt|api key|api_key|api-key|apikey|secret|password|environment variable|private doc",
            r"\b(?:reveal|print|repeat|send|output|leak|post|include)\b[^.\n]{0,50}\b(?:system prompt|api[ _-]?keys?|secrets?|passwords?|environment variables?|private documents?)\b",  # noqa: E501
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
