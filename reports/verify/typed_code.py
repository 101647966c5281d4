"""Does code stand in a passage as it is? Letter for letter; blanks may be more or fewer, never none.

What is typed does another thing when its end or a blank is lost: `rm -rf /` is no part of `rm -rf /srv/tmp`.
A placeholder (`ssh <user>@<host>`) may stand for what a passage has there only as an example.
"""

import re
from collections.abc import Iterator, Sequence

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
_PLACEHOLDER = re.compile(r"<[^\W\d_][\w .-]{0,40}>")
_FILLED = r"(?:<[^<>\n]{1,42}>|(?![-|&;<>])[^\s|;<>\"'`]{1,80}?)"
"""What a placeholder stands for: another one, or what is typed there; no option."""
_NAME_OF_WORDS = re.compile(r"[a-z]{3,40}(?:[-_][a-z]{2,40}){1,5}")
_ENDING = re.compile(r"\.[a-z][a-z0-9]{0,15}")
_SHORT_OPTION = re.compile(r"-[A-Za-z]")
_KEY = re.compile(
    r"(?:Ctrl|Control|Shift|Alt|AltGr|Cmd|Command|Option|Meta|Super|Esc|Escape|Enter|Return|Tab|Space|Del"
    r"|Delete|Insert|Home|End|Backspace|F\d{1,2})"
)
"""The name of a key, which is pressed with others: `Ctrl-clicking`, `Ctrl+Z`."""
_VALUE = re.compile(r"[a-z]{3,40}")
_CALLED = re.compile(r"(?<=\w)\\\(")
"""A bracket at once behind a name, in a pattern."""


def holds_typed(passage: str, code: str) -> bool:
    """Tell whether a passage holds what a sentence says is typed: whole commands, names, options or paths.

    A command with short options is held, too, where a sentence names the one and the others (`cp has switches
    such as -i`), a value where it stands with its option in one word (`-Xstream`), and the ending of files
    where one is named that has it.
    """
    if _PLACEHOLDER.fullmatch(code):  # `<host>`: a word on what stands there
        return True
    command, *options = _PLACEHOLDER.sub("<_>", code).split() or [""]
    if _pattern(code, alone=not options).search(passage) is not None:
        return True
    if _KEY.fullmatch(code):
        return re.search(rf"(?<!\w){re.escape(code)}(?!\w)", passage) is not None
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


def code_lines(code: str) -> list[str]:
    """Return the lines of a block of code that say something, as `holds_lines` takes them."""
    return [" ".join(line.split()) for line in code.splitlines() if line.strip()]


def holds_lines(passage: str, lines: Sequence[str]) -> bool:
    """Tell whether a passage holds lines of code, one behind the other; others may stand between."""
    at = 0
    for line in lines:
        if (found := _pattern(line, alone=False).search(passage, at)) is None:
            return False
        at = found.end()
    return True


def placeholders(code: str) -> list[str]:
    """Return the placeholders of what is typed: `["<user>", "<host>"]`."""
    return _PLACEHOLDER.findall(code)


def in_single_words(code: str) -> str:
    """Return what is typed with each placeholder as one word: `<new branch>` as `<new-branch>`."""
    return _PLACEHOLDER.sub(lambda name: "-".join(name[0].split()), code)


def _with_its_option(value: str) -> re.Pattern[str]:
    return re.compile(rf"(?<![\w-])-[A-Z]{re.escape(value)}{_AFTER_WORD}")


def _pattern(code: str, *, alone: bool) -> re.Pattern[str]:
    if not code.split():
        return re.compile("")
    after = _AFTER_COMMAND
    if alone:
        # `/etc/apt/`, `root=`: a sign ends a word by itself.
        after = _AFTER_WORD if re.match(r"\w", code.rstrip()[-1]) else ""
    return re.compile(_BEFORE + "".join(_pieces(code.strip())) + after)


def _pieces(code: str) -> Iterator[str]:
    """Yield the pattern of each piece of what is typed; a placeholder stands for the same everywhere."""
    names = dict[str, str]()
    at = 0
    for found in _PLACEHOLDER.finditer(code):
        yield _literal(code[at : found.start()])
        at = found.end()
        if not found.start() and code[at : at + 1].isspace():  # it would stand for any program
            yield re.escape(found[0])
        elif found[0] in names:
            yield f"(?P={names[found[0]]})"
        else:
            names[found[0]] = f"held{len(names)}"
            yield f"(?P<{names[found[0]]}>{_FILLED})"
    yield _literal(code[at:])


def _literal(piece: str) -> str:
    # A manual may set the brackets of a function apart from its name: `now ()`.
    return _CALLED.sub(r"\\s?\\(", r"\s+".join(map(re.escape, re.split(r"\s+", piece))))
