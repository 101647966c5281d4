"""How many tokens a text has, about: without a tokenizer, and rather too many than too few.

Used where a server tells nothing, and to stay inside a model's context window. No tokenizer is loaded: their
vocabularies are megabytes, are downloaded, and differ from model to model anyway.
"""

import math
import re

_CJK = re.compile(
    r"[\u1100-\u11ff\u2e80-\u9fff\ua960-\ua97f\uac00-\ud7ff\uf900-\ufaff\uff00-\uffef\U00020000-\U0003ffff]"
)
_MARKS = re.compile(r"[0-9!-/:-@\[-`{-~\n]")

_ASCII_LETTERS_A_TOKEN = 3.6
_TOKENS_A_MARK = 0.75
_TOKENS_A_CJK_SIGN = 1.2
_TOKENS_AN_OTHER_SIGN = 0.8


def estimate(text: str) -> int:
    """Return about how many tokens the text has: 0 for none, at or above the count of common tokenizers."""
    ascii_alone = text.isascii()
    cjk = 0 if ascii_alone else len(_CJK.findall(text))
    plain = len(text) if ascii_alone else len(text.encode("ascii", "ignore"))
    marks = len(_MARKS.findall(text))
    return math.ceil(
        (plain - marks) / _ASCII_LETTERS_A_TOKEN
        + marks * _TOKENS_A_MARK
        + cjk * _TOKENS_A_CJK_SIGN
        + (len(text) - plain - cjk) * _TOKENS_AN_OTHER_SIGN
    )


def unspaced(sign: str) -> bool:
    """Tell whether a sign is of a script that writes no spaces between words."""
    return _CJK.match(sign) is not None


def is_wide(text: str) -> bool:
    """Tell whether most letters of a text are of such a script: it says as much in more tokens."""
    if text.isascii():
        return False
    letters = [sign for sign in text if sign.isalpha()]
    return 2 * sum(map(unspaced, letters)) > len(letters)
