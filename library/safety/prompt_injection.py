"""Sentences that give orders to whoever quotes them: they are no evidence, and are not quoted.

Two things must come together, since each alone is common in honest text: the passage speaks to a machine (see
`library.safety.machine_instructions`), and the sentence is an order. What only describes such orders is
quoted as ever.
"""

import re
from collections.abc import Callable

from library.safety.machine_instructions import addresses_a_machine

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
