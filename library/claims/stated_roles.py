"""Who holds an office, and who did what only one can have done: designed, founded, won."""

import re
from collections.abc import Iterator

from library.text.multilingual.scripts import HAN

_NAME = r"[A-Z][\w’'-]{1,60}(?:\s(?:(?:de|van|von|der|al|bin)\s)?[A-Z][\w’'-]{1,60}){1,3}"
_ROLE = (
    r"mayor|president|vice-president|prime minister|director|chair(?:man|woman|person)?|chief executive|"
    r"minister|author|founder|architect|captain|owner|governor|head coach|coach|principal|chancellor|"
    r"designer|winner|rector|driver|pilot|manager|dean|commander|leader|conductor|champion|spokes(?:man|woman)|editor|composer|bishop|headmaster|headmistress|secretary-general"
)
_DONE = "designed|founded|directed|composed|discovered|invented|won"
"""What one alone has done, or a few together."""
_DEEDS = frozenset((*_DONE.split("|"), "written", "built", "drawn"))
_BREAK = re.compile(
    r"[,;:.()–—]|\s(?:and|but|while|whereas|which|who|that|when|after|before)\s|\sin\s(?:\d|an?\s)"
)
"""What ends, or stands before, the words of what was done."""
_POST = (
    r"(?:(?:head|chief|deputy|general|executive|managing|assistant|senior)\s)"
    r"[a-z]{3,20}(?:er|or|ist|ian|ant|ent)"
)
"""A post by its form: `head beekeeper`."""
_ROLES = (
    re.compile(
        rf"\b(?P<role>{_ROLE})(?:\s(?:of|for)\s[^,.;]{{2,40}}?(?:\s(?:is|was)|,)|(?:\s(?:is|was)|,)?)"
        rf"\s(?P<name>{_NAME})"
    ),
    re.compile(rf"(?P<name>{_NAME})(?:\s(?:is|was)|,)\s(?:the\s)?(?P<role>{_ROLE})\b"),
    re.compile(
        rf"\b(?P<role>{_DONE}|written|built|drawn)(?:\sin\s\d{{4}})?\sby\s(?:(?:the|its|his|her|their)\s(?:[a-z-]+\s){{1,3}})?"
        rf"(?P<name>{_NAME})"
    ),
    re.compile(rf"(?P<name>{_NAME})\s(?P<role>{_DONE})\b"),
    re.compile(rf"(?P<name>{_NAME}),\s(?:the|its|their)\s(?P<role>{_POST})(?=\s(?:at|of|in)\s|,|[.]$)"),
    re.compile(rf"\b(?:[Tt]he|[Ii]ts|[Tt]heir)\s(?P<role>{_POST})(?:\s(?:at|of|for)\s[^,.;]{{2,40}}?)?\s(?:is|was)\s(?P<name>{_NAME})"),
    re.compile(
        r"(?P<role>[镇市县省村校院局厂馆队社所处科部]长|总统|主席|总理|作者|创始人|设计师|负责人)(?:是|为|叫)"
        rf"(?P<name>[{HAN}]{{2,3}}?)"
        r"(?=[，。；、（在于的说表]|$)"
    ),
)  # fmt: skip


def stated_roles(sentence: str) -> Iterator[tuple[str, str, int, int, str]]:
    """Yield who holds a role in a sentence: role, name, begin and end of what says so, and what was done.

    The last is what someone won, designed or founded, as written: `the Tolvik regatta`. Empty for an office.
    """
    for pattern in _ROLES:
        for match in pattern.finditer(sentence):
            role = match["role"].casefold()
            deed = _deed(sentence, match) if role in _DEEDS else ""
            yield role, match["name"], *match.span(), deed


def _deed(sentence: str, match: re.Match[str]) -> str:
    """Return what was done: behind `Berg won`, before `won by Berg`."""
    if match.end() == match.end("role"):
        found = _BREAK.search(sentence, match.end() + 1)
        return sentence[match.end() : found.start() if found else len(sentence)]
    return _BREAK.split(sentence[: match.start()])[-1]
