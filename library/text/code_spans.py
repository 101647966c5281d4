"""Code within a text, between back quotes: as many on both sides, so that code can hold some (CommonMark)."""

import re

CODE_SPAN = re.compile(r"(?<!`)(?P<quotes>`+)(?!`)(?P<code>(?s:.+?))(?<!`)(?P=quotes)(?!`)")
_RUN = re.compile(r"`+")


def code_spans(text: str) -> list[tuple[str, bool]]:
    """Return a text in its pieces, each with whether it is code; none is empty.

    Code comes without the back quotes, and without the blank that parts them from one of its own.
    """
    found: list[tuple[str, bool]] = []
    at = 0
    for span in CODE_SPAN.finditer(text):
        found += [(text[at : span.start()], False), (_bare(span["code"]), True)]
        at = span.end()
    return [(piece, code) for piece, code in [*found, (text[at:], False)] if piece]


def code_span(code: str) -> str:
    """Return code between as many back quotes as it takes."""
    runs = {len(run) for run in _RUN.findall(code)}
    quotes = "`" * next(n for n in range(1, len(runs) + 2) if n not in runs)
    blank = " " if code.startswith("`") or code.endswith("`") else ""
    return f"{quotes}{blank}{code}{blank}{quotes}"


def _bare(code: str) -> str:
    inside = code[1:-1]
    parted = code[:1] == code[-1:] == " " and (inside[:1] == "`" or inside[-1:] == "`")
    return inside if parted else code
