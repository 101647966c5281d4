"""What a list of options or terms defines, passage by passage: `dnskey-ttl` above `The default is 1 hour`."""

import re
from functools import lru_cache

_LINE = re.compile(
    r"^[ \t#>*•-]{0,12}[`*]{0,3}(?P<term>-{0,2}[A-Za-z][A-Za-z0-9]{0,40}(?:[-_][A-Za-z0-9]{1,40}){1,8})"
    r"[`*]{0,3}[ \t]*(?::|$)",
    re.MULTILINE,
)
"""A line that is a typed name of several words, or begins with one and a colon; of one word nobody knows."""


def defined_above(text: str, at: int) -> str:
    """Return the option or term that a text last named on a line of its own before a place, else ''."""
    return next((term for start, term in reversed(_terms(text)) if start <= at), "")


@lru_cache(maxsize=1_000)
def _terms(text: str) -> list[tuple[int, str]]:
    return [(match.start(), match["term"].casefold()) for match in _LINE.finditer(text)]
