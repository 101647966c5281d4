"""The source of a manual page to lines: what is conditional is decided, macros of the page are written out.

It is read as a terminal shows it (`.if n` holds), without fonts, sizes and movements. A page is data:
nothing is run, no file is named by it, and what its own macros make of it is bounded.
"""

import re
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass, field

from library.readers.man_pages.roff_letters import LETTERS, STRINGS, named

_MOST_WRITTEN_OUT = 10_000
"""Macros of a page's own that are written out: they may call each other without end."""
_MOST_CHARACTERS = 1_000_000
"""Characters that macros and strings of a page's own are written out to: each may stand for many others."""
_MOST_CHAINED = 100
"""Conditions in a row on one line; what stands behind more is left out."""
_MOST_UNENDED = 10
"""Definitions, tables and conditions without an end: for each the rest of the page is looked through."""
_CONTROL = re.compile(r"[.'][ \t]*([^\s\\]*)[ \t]*(.*)", re.DOTALL)
_COMMENT = re.compile(r"(?<!\\)(?:\\\\)*\\[\"#].*")
_ARGUMENT = re.compile(r'"((?:[^"]|"")*)"?|((?:\\.|[^\s"\\])(?:\\.|[^\s\\])*|\\$)', re.DOTALL)
_CHAINED = re.compile(r"[.'][ \t]*(if|ie|el|while)(?![^\s\\])[ \t]*")
_LONG_NAME = r"\[([^\]]{0,80})\]"
"""Its length is bounded, for each that is not closed is looked for up to there."""
_NAMED = rf"(?:\((..)|{_LONG_NAME}|(.))"
_SIZE = r"s(?:[-+]?\([-+]?..|[-+]?\[[^\]]{0,80}\]|[-+]?'[^']{0,80}'|[-+]\d|[1-3]\d|\d)"
"""Two digits are a size from 10 to 39 without a sign alone: others begin the text."""
_ESCAPE = re.compile(
    rf"\\(?:(?P<of>[*fnmMFgkYV])[-+]?{_NAMED}|{_SIZE}|"
    r"[hvwlLDXboAZRSHBxC](?:'[^']*'|(?<=[hvw])\S+)|N'(?P<code>\d{1,7})'|z.|"
    r"\((?P<two>..)|\[(?P<long>[^\]]{0,80})\]|(?P<one>.)|$)",
    re.DOTALL,
)
_NUMERIC = re.compile(r"\(*(-?\d{1,9})(?:([<>=]=?)(-?\d{1,9}))?\)*")
_OPENS, _CLOSES = "\\{", "\\}"


@dataclass(frozen=True, slots=True)
class RoffLine:
    """A line of text, or a macro with its arguments."""

    macro: str
    """Its name; "" for a line of text."""
    arguments: tuple[str, ...]
    """As they read, without escapes; of text the line alone, of a table ("TS") its lines as they stand."""
    glued: bool = False
    """What follows stands at once behind it, without a space."""


def roff_lines(source: str) -> Iterator[RoffLine]:
    """Yield the lines of a page in order, with those that its own macros stand for."""
    yield from _Roff(deque(source.replace("\\\n", "").split("\n"))).all()


@dataclass(slots=True)
class _Roff:
    left: deque[str]
    strings: dict[str, str] = field(default_factory=lambda: dict(STRINGS))
    macros: dict[str, list[str]] = field(default_factory=dict)
    otherwise: list[bool] = field(default_factory=list)
    """For each `.ie` that waits for its `.el` whether that holds."""
    written_out: int = 0
    characters: int = 0
    """That macros and strings were written out to."""
    unended: int = 0
    """Of what was begun how many had no end."""

    def all(self) -> Iterator[RoffLine]:
        while self.left:
            line = _COMMENT.sub("", self.left.popleft()).replace(_CLOSES, "")
            control = _CONTROL.fullmatch(line)
            if control is None:
                yield RoffLine("", (self.plain(line),), glued=line.rstrip().endswith("\\c"))
            elif control[1]:
                yield from self.control(control[1], control[2])

    def control(self, name: str, rest: str) -> Iterator[RoffLine]:
        match name:
            case "de" | "de1" | "am" | "am1":
                called, end = _ended(rest)
                body = self.until(end)
                if body is not None and name.startswith("de"):
                    self.macros[called] = body
                elif body is not None and called in self.macros:  # one that is not the page's own stays
                    self.macros[called].extend(body)
            case "als":
                # Both names stand for one body: what is added to it by one is added for the other.
                alias, called, *_ = [*rest.split(), "", ""]
                self.macros[alias] = self.macros.get(called, [f".{called} \\\\$@"])
            case "ig":
                self.until(_ended(f"x {rest}")[1])
            case "EQ":
                self.until("EN")
            case "ds" | "as":
                string, _, value = rest.partition(" ")
                value = value.lstrip(" ").removeprefix('"')
                self.strings[string] = (self.strings.get(string, "") if name == "as" else "") + value
            case "if" | "ie" | "el" | "while":
                self.condition(name, rest)
            case "TS":
                yield RoffLine("TS", tuple(map(self.plain, self.until("TE") or ())))
            case _ if name in self.macros and name not in ("Vb", "Ve", "Sp"):
                self.write_out(self.macros[name], _arguments(rest))
            case _:
                yield RoffLine(
                    name, tuple(map(self.plain, _arguments(rest))), glued=rest.rstrip().endswith("\\c")
                )

    def until(self, end: str) -> list[str] | None:
        """Take what stands before the line that only names `end`; None, and nothing, where there is none."""
        held: list[str] = []
        while self.left and self.unended < _MOST_UNENDED:
            line = self.left.popleft()
            if line.startswith(".") and _names(line, end):
                return held
            held.append(line)
        self.put_back(held)
        return None

    def put_back(self, held: list[str]) -> None:
        """Have lines read for themselves, as what they would have belonged to has no end."""
        self.left.extendleft(reversed(held))
        self.unended += 1

    def write_out(self, body: list[str], arguments: list[str]) -> None:
        self.written_out += 1
        self.characters += 10 * len(body)  # a line costs time, though it be empty
        if self.written_out > _MOST_WRITTEN_OUT or self.characters > _MOST_CHARACTERS:
            return

        def value(found: re.Match[str]) -> str:
            if found[1] in "@*":
                return self.bounded(" ".join(f'"{each}"' if found[1] == "@" else each for each in arguments))
            place = int(found[1])
            return self.bounded(arguments[place - 1]) if 0 < place <= len(arguments) else ""

        self.left.extendleft(
            re.sub(r"\\\\\$([0-9@*])", value, self.bounded(line)).replace("\\\\", "\\")
            for line in reversed(body)
        )

    def bounded(self, text: str) -> str:
        """Return what a macro or a string stands for; nothing where a page makes too much of them."""
        self.characters += len(text)
        return text if self.characters <= _MOST_CHARACTERS else ""

    def condition(self, name: str, rest: str) -> None:
        """Put back what a condition holds for, or pass over it."""
        for _ in range(_MOST_CHAINED):
            holds, rest = self.decided(name, rest)
            if not holds:
                self.pass_over(rest)
                return
            rest = rest.lstrip(" \t").removeprefix(_OPENS).lstrip(" \t")
            chained = _CHAINED.match(rest)
            if chained is None:
                self.left.appendleft(rest)
                return
            name, rest = chained[1], rest[chained.end() :]

    def decided(self, name: str, rest: str) -> tuple[bool, str]:
        """Return whether what a condition is for is read, and that."""
        if name == "el":
            return bool(self.otherwise) and self.otherwise.pop(), rest
        holds, rest = self.asked(rest)
        if name == "ie":
            self.otherwise.append(not holds)
        return holds and name != "while", rest

    def pass_over(self, rest: str) -> None:
        depth = rest.count(_OPENS) - rest.count(_CLOSES)
        held: list[str] = []
        while depth > 0 and self.left and self.unended < _MOST_UNENDED:
            held.append(self.left.popleft())
            depth += held[-1].count(_OPENS) - held[-1].count(_CLOSES)
        if depth > 0:
            self.put_back(held)

    def asked(self, rest: str) -> tuple[bool, str]:
        """Return whether a condition holds, and what stands behind it."""
        stated = rest.lstrip("! \t")
        if rest[: len(rest) - len(stated)].count("!") % 2:
            holds, rest = self.asked(stated)
            return not holds, rest
        rest = stated
        if rest[:1] in ("'", '"'):
            parts = rest[1:].split(rest[0], 2)
            same = len(parts) > 2 and self.plain(parts[0]) == self.plain(parts[1])
            return same, parts[2] if len(parts) > 2 else ""
        if rest[:1] in "ntoevdrcFmSh" and rest[1:2] in (" ", "\t", "\\", "", "!"):
            if rest[:1] in "dr":
                word, _, rest = rest[1:].lstrip().partition(" ")
                return word in self.strings or word in self.macros, rest
            return rest[:1] == "n", rest[1:]
        found = re.match(r"(?:(?!\\\{)\S)*", rest)
        asked = found[0] if found else ""
        registers = re.sub(rf"\\n[-+]?{_NAMED}", lambda m: "1" if ".g" in m[0] else "0", asked)
        return _holds(registers), rest[len(asked) :]

    def plain(self, text: str) -> str:
        """Return a text as it reads: letters for escapes, no fonts and movements."""
        for _ in range(3):  # a string may hold escapes
            if "\\" not in text:
                break
            shown = _ESCAPE.sub(self.letter, text)
            if "\0" not in shown:
                text = shown
                break
            text = shown.replace("\0", "")
        return text.replace("\1", "\\").replace("\0", "")

    def letter(self, found: re.Match[str]) -> str:
        if found["of"]:
            name = next(filter(None, found.groups()[1:4]), "")
            # The mark has what the string holds read again: it may hold escapes itself.
            return "\0" + self.bounded(self.strings.get(name, "")) if found["of"] == "*" else ""
        if found["code"]:
            return _sign(int(found["code"]))
        name = found["two"] or found["long"]
        if name is None:
            return LETTERS.get(f"\\{found['one']}", "") if found["one"] else ""
        if re.fullmatch(r"u[0-9A-F]{4,6}", name):
            return _sign(int(name[1:], 16))
        return named(name)


def _sign(code: int) -> str:
    """Return the sign of a code, "" for one of none: control signs, halves of a pair, what is too large."""
    return chr(code) if 31 < code < 0xD800 or 0xDFFF < code < 0x110000 else ""


def _holds(asked: str) -> bool:
    found = _NUMERIC.fullmatch(asked)
    if found is None:
        return False
    first = int(found[1])
    if found[2] is None:
        return first > 0
    second = int(found[3])
    return {"<": first < second, ">": first > second}.get(found[2][0], first == second) or (
        len(found[2]) > 1 and first == second
    )


def _ended(rest: str) -> tuple[str, str]:
    """Return the name that a macro gets, and the one that ends it: `.` (a line `..`), or the word named."""
    called, end, *_ = [*rest.split(), "", ""]
    return called, end or "."


def _names(line: str, name: str) -> bool:
    """Tell whether a line calls a macro: blanks may stand behind the point, and anything behind the name."""
    found = _CONTROL.fullmatch(_COMMENT.sub("", line))
    return found is not None and found[1] == name


def _arguments(rest: str) -> list[str]:
    """Return the arguments of a macro, of those in quotes without them."""
    return [
        found[1].replace('""', '"') if found[1] is not None else found[2]
        for found in _ARGUMENT.finditer(rest)
    ]
