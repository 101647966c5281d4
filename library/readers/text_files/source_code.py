"""Programs to text: what people say in them as text, code between fences, each definition under its name.

What is said of a definition stands before its code, also where a language has it behind the first line.
"""

import re
import textwrap
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import groupby
from typing import Any

from pygments.lexer import Lexer
from pygments.lexers import get_lexer_by_name, get_lexer_for_filename
from pygments.token import Comment, Keyword, Name, String
from pygments.util import ClassNotFound

from library.errors import ReadError
from library.readers.text_files.plain_text import decode, seen, tidy

_LONGEST_LINE = 1_000
"""Characters of a line on average from which on a program was packed for machines, not written by people."""
_SHORT = 10
"""Lines of a definition that is shown as one; of a longer one its signature stands by itself."""
_DEEPEST = 5
"""Level of a heading at most; `#` is the file's."""
_OPENS = re.compile(
    r"^[ \t]*(?:/\*+[!*]?|//+[/!]?|#+!?|--+(?:\[\[)?|;+|%+|\(\*+|\{-+\|?|\*(?![*/])"
    r"|[rRuUbB]{0,2}(?:\"\"\"|'''))[ \t]?"
)
_CLOSES = ("*/", "*)", "-}", "]]", '"""', "'''")
_GOES_ON = re.compile(r"^[ \t]*\*(?![*/])[ \t]?")
"""What stands before the further lines of a comment that begins with `/*`."""
_ENDS = re.compile(r"[ \t]*(?:[{)}\]>]|end\b|else\b|elif\b|except\b|finally\b|catch\b)")
"""What closes a block stands no further in than the block, and belongs to it."""
_NOT_SAID = (Comment.Preproc, Comment.PreprocFile, Comment.Hashbang, Comment.Directive)


@dataclass(slots=True)
class _Line:
    text: str
    said: bool = False
    """Words of a comment, or of a text that documents, stand on it."""
    documents: bool = False
    """They are of a text that documents."""
    code: bool = False
    """Something of the program stands on it."""
    defines: str = ""
    """The name that it defines."""
    kinds: list[Any] = field(default_factory=list)
    marked: re.Pattern[str] | None = _OPENS
    """What stands before its words; None within a text in quotes, where each sign is of the words."""

    @property
    def indent(self) -> int:
        return len(self.text) - len(self.text.lstrip())

    @property
    def only_said(self) -> bool:
        return self.said and not self.code

    @property
    def decorates(self) -> bool:
        return self.text.lstrip().startswith("@")


def read_program(data: bytes, language: str) -> dict[str, Any]:
    """Read a program's text. Raises ReadError for one that was packed by another program."""
    code = tidy(seen(decode(data)).replace("\t", "    "))
    if not code:
        raise ReadError("it is empty")
    if len(code) > _LONGEST_LINE * (code.count("\n") + 1):
        raise ReadError("its lines are too long to be written by people; it was packed by a program")
    return {"text": told(code, language, headed=True)}


def told(code: str, language: str, *, headed: bool) -> str:
    """Return a program as text: its comments as paragraphs, code between fences.

    Args:
        code: As it was written.
        language: The ending of its files, or a name of it; one that nobody knows is shown as it is.
        headed: Each definition stands under a heading with its name, after those that it stands in.
    """
    lexer = _lexer(language, code)
    if lexer is None:
        return fenced(code, language)
    lines = _lines(code, lexer)
    parts: list[str] = []
    for name, level, held in _definitions(lines) if headed else [("", 0, lines)]:
        if name:
            parts.append(f"{'#' * min(level + 2, _DEEPEST)} {name}")
        parts += _told(held, language)
    return "\n\n".join(parts)


def fenced(code: str, language: str) -> str:
    """Return code between fences; a line in it that would end them is marked, so that it does not."""
    inner = re.sub(r"^([ \t]*)(```|~~~)", r"\1.\2", code.strip("\n"), flags=re.MULTILINE)
    inner = re.sub(r"\n[ \t]*\n+", "\n\n", inner)
    return f"```{language}\n{inner}\n```"


def _lexer(language: str, code: str) -> Lexer | None:
    try:
        return get_lexer_for_filename(f"program.{language}", code)
    except ClassNotFound:
        pass  # it may be the name of a language
    try:
        return get_lexer_by_name(language)
    except ClassNotFound:
        return None


def _lines(code: str, lexer: Lexer) -> list[_Line]:
    lines = [_Line(text) for text in code.split("\n")]
    at = 0
    for _offset, kind, value in lexer.get_tokens_unprocessed(code):
        for n, piece in enumerate(value.split("\n")):
            at += n > 0
            if not piece.strip():
                continue
            line = lines[at]
            if kind in String.Doc or (kind in Comment and not any(kind in other for other in _NOT_SAID)):
                if n and not line.said:
                    line.marked = _GOES_ON if value.lstrip().startswith("/*") else None
                line.said = True
                line.documents = kind in String.Doc
                continue
            line.code = True
            line.kinds.append(kind)
            defines = kind in Name.Function or kind in Name.Class
            if defines and not line.defines and _is_definition(line):
                line.defines = "" if piece.isupper() else piece.strip()  # SQL shouts its own words
    return lines


def _is_definition(line: _Line) -> bool:
    """Tell whether a name of a function or a class is defined on a line: a word of the language is first."""
    return line.kinds[0] in Keyword or line.kinds[0] in Name.Decorator


def _definitions(lines: Sequence[_Line]) -> Iterator[tuple[str, int, list[_Line]]]:
    """Yield the parts of a program in order, each with its name and how deep it stands; '' for none."""
    begins = {_first_of(lines, n): n for n, line in enumerate(lines) if line.defines}
    above: list[tuple[int, str]] = []
    name, level, held = "", 0, list[_Line]()
    until = -1
    for n, line in enumerate(lines):
        if n in begins:
            if any(each.text.strip() for each in held):
                yield name, level, held
            until, indent = begins[n], lines[begins[n]].indent
            above = [each for each in above if each[0] < indent]
            above.append((indent, lines[until].defines))
            name, level, held = ".".join(each for _, each in above), len(above) - 1, []
        elif n > until and above and line.code and line.indent <= above[-1][0] and not _ENDS.match(line.text):
            yield name, level, held
            above = [each for each in above if each[0] < line.indent]
            outer = ".".join(each for _, each in above)
            name, level, held = outer or "Module level", max(len(above) - 1, 0), []
        held.append(line)
    if any(each.text.strip() for each in held):
        yield name, level, held


def _first_of(lines: Sequence[_Line], n: int) -> int:
    """Return the line from which on a definition is told: decorators and comments right above it."""
    first = n
    while (
        first and (lines[first - 1].only_said or lines[first - 1].decorates) and not lines[first - 1].defines
    ):
        first -= 1
    return first if lines[first].indent == lines[n].indent else n


def _told(lines: Sequence[_Line], language: str) -> Iterator[str]:
    """Yield the paragraphs and the code of a part, what is said of a definition before its code."""
    kinds = groupby(
        _without_blanks(lines), key=lambda each: (each.only_said, each.only_said and each.documents)
    )
    runs = [(said, list(run)) for (said, _), run in kinds]
    at = 0
    while at < len(runs):
        said, run = runs[at]
        at += 1
        if said:
            if words := _words(run):
                yield words
            continue
        behind = at < len(runs) and any(line.defines for line in run) and _is_docstring(run, runs[at][1])
        if behind:
            if words := _words(runs[at][1]):
                yield words
            body = runs[at + 1][1] if at + 1 < len(runs) and not runs[at + 1][0] else []
            at += 2 if body else 1
            if len(run) + len(body) <= _SHORT:
                yield fenced(_dedented([*run, *body]), language)
            else:
                yield fenced(_dedented(run), language)
                if body:
                    yield fenced(_dedented(body), language)
        elif code := _dedented(run).strip("\n"):
            yield fenced(code, language)


def _is_docstring(code: Sequence[_Line], said: Sequence[_Line]) -> bool:
    """Tell whether words stand right behind the line that defines something, further in: its docstring."""
    defines = max(n for n, line in enumerate(code) if line.defines)
    return said[0].documents and said[0].indent > code[defines].indent


def _without_blanks(lines: Sequence[_Line]) -> list[_Line]:
    """Return lines, blank ones going with what stands before them; those at the beginning left out."""
    kept: list[_Line] = []
    for line in lines:
        if line.said or line.code:
            kept.append(line)
        elif kept:
            kept.append(replace(kept[-1], text=line.text, defines="", kinds=[]))
    return kept


def _words(lines: Sequence[_Line]) -> str:
    """Return what comments say, without their marks; further in stays further in."""
    opened = [line.marked.sub("", line.text, count=1) if line.marked else line.text for line in lines]
    bare = [_unclosed(text) for text in opened]
    first = next((n for n, line in enumerate(bare) if line.strip()), len(bare))
    return f"{bare[first].strip()}\n{_dedented_text(bare[first + 1 :])}".strip() if first < len(bare) else ""


def _unclosed(text: str) -> str:
    """Return a line without the mark that ends a comment, and without blanks at its end."""
    text = text.rstrip()
    for mark in _CLOSES:
        if text.endswith(mark):
            return text.removesuffix(mark).rstrip("*" if "*" in mark else "").rstrip()
    return text


def _dedented(lines: Sequence[_Line]) -> str:
    return _dedented_text([line.text for line in lines]).strip("\n")


def _dedented_text(lines: Sequence[str]) -> str:
    return textwrap.dedent("\n".join(lines))
