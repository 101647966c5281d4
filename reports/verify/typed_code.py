"""Does code stand in a passage as it is? Letter for letter; blanks may be more or fewer, never none.

What is typed does another thing when its end or a blank is lost: `rm -rf /` is no part of `rm -rf /srv/tmp`.
"""

import re
from collections.abc import Sequence

from library.text import CJK, sentences

_LETTER = rf"[^\W{CJK}]"
_BEFORE = rf"(?<!{_LETTER})(?:(?<!-)|(?<=---))(?<!\d\.)"
"""No part of a longer word; behind an arrow of a drawing, `---tar x--->`, as behind a blank."""
_AFTER_WORD = rf"(?!{_LETTER}|-+{_LETTER}|\.\d)"
"""An option, a name or a path may be told without what it is set to or what lies in it."""
_CLOSES = r"\"'’”`)\]}<>"
_AFTER_COMMAND = (
    rf"(?=\s|\Z|-{{2,9}}>|-{{3,9}}\s|[{_CLOSES}|;{CJK}，。；：、！？）」』》]"
    rf"|&(?:&|\s|\Z)|[.,:!?…]+[{_CLOSES}]*(?:\s|\Z))"
)
"""A command is told with the whole of its last word."""
_NAME_OF_WORDS = re.compile(r"[a-z]{3,40}(?:[-_][a-z]{2,40}){1,5}")
_ENDING = re.compile(r"\.[a-z][a-z0-9]{0,15}")
_SHORT_OPTION = re.compile(r"-[A-Za-z]")
_VALUE = re.compile(r"[a-z]{3,40}")


def holds_typed(passage: str, code: str) -> bool:
    """Tell whether a passage holds what a sentence says is typed: whole commands, names, options or paths.

    A command with short options is held, too, where a sentence names the one and the others (`cp has switches
    such as -i`), a value where it stands with its option in one word (`-Xstream`), and the ending of files
    where one is named that has it.
    """
    command, *options = code.split() or [""]
    if _pattern(code, alone=not options).search(passage) is not None:
        return True
    if _ENDING.fullmatch(code):
        return re.search(rf"(?<=[\w)]){re.escape(code)}{_AFTER_WORD}", passage) is not None
    if options:
        if not all(_SHORT_OPTION.fullmatch(option) for option in options):
            return False
        named = (passage[start:end] for start, end in sentences(passage))
        return any(
            all(_pattern(word, alone=True).search(part) for word in (command, *options)) for part in named
        )
    return _VALUE.fullmatch(code) is not None and _with_its_option(code).search(passage) is not None


def has_token(passage: str, word: str) -> bool:
    """Tell whether a passage has an option or a name that is typed, whatever it is set to there."""
    return _pattern(word, alone=True).search(passage) is not None


def has_words(passage: str, typed: str) -> bool:
    """Tell whether a passage has typed words as they are, with the whole of the last: `/` is no `/srv`."""
    return _pattern(typed, alone=False).search(passage) is not None


def holds_plainly(passage: str, code: str) -> bool:
    """Tell whether a passage says a name's words as words: `parental-agents` where it has `parental agents`.

    That is the thing and not how it is typed, which another passage has to say.
    """
    if not _NAME_OF_WORDS.fullmatch(code):
        return False
    words = re.split("[-_]", code)
    last = words.pop().removesuffix("s")
    said = r"[\s-]".join([*map(re.escape, words), f"{re.escape(last)}s?"])
    return re.search(rf"{_BEFORE}{said}{_AFTER_WORD}", passage, re.IGNORECASE) is not None


def holds_lines(passage: str, lines: Sequence[str]) -> bool:
    """Tell whether a passage holds lines of code, one behind the other; others may stand between."""
    at = 0
    for line in lines:
        if (found := _pattern(line, alone=False).search(passage, at)) is None:
            return False
        at = found.end()
    return True


def _with_its_option(value: str) -> re.Pattern[str]:
    return re.compile(rf"(?<![\w-])-[A-Z]{re.escape(value)}{_AFTER_WORD}")


def _pattern(code: str, *, alone: bool) -> re.Pattern[str]:
    words = code.split()
    if not words:
        return re.compile("")
    after = _AFTER_COMMAND
    if alone:
        # `/etc/apt/`, `root=`: a sign ends a word by itself.
        after = _AFTER_WORD if re.match(r"\w", words[-1][-1]) else ""
    return re.compile(_BEFORE + r"\s+".join(map(re.escape, words)) + after)
