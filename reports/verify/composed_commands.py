"""Is a command put together of what passages say of it?

A manual says how a command is typed by its form (`tar [OPTION] FILE`), names its options on a page that has
the command for a title, or tells a setting without the word that leads to it. Who writes a report fills the
form in, from the question or from what else is cited. Each piece has to stand somewhere; whether the whole
does what is said, a judge reads.
"""

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import chain, product, zip_longest

from library.text import sentences
from reports.verify.operand_order import turned_round
from reports.verify.typed_code import has_token, has_words, holds_typed, in_single_words, placeholders

_FORM = re.compile(
    r"<[^<>\n]{1,40}>|\[(?![\d\s,;–-]+\])[^\[\]\n]{1,80}\]|\{[^{}\n]{1,80}\}|(?<![\w-])[A-Z][A-Z_-]{2,30}\b"
)
"""What stands in a form for what somebody types. `[12]` is a note."""
_FORM_BEHIND = re.compile(rf"(?:[ \t]+(?:--?[A-Za-z][\w-]*=?|\||\.\.\.|…)){{0,12}}[ \t]*(?:{_FORM.pattern})")
"""A form shows directly behind a command, or behind options: capitals further on are words of a sentence."""
_FORM_WITHIN = 160
"""Characters behind a setting's name within which its choices show."""
_CHOICES = re.compile(r"[^\s|=(){}\[\]<>,;:]{1,40}(?:\s?\|\s?[^\s|=(){}\[\]<>,;:]{1,40}){1,20}")
"""Values of which one is typed: `0 | OFF | 1 | ON`."""
_PROGRAM = re.compile(r"[A-Za-z][\w.+]{0,30}")
_SHELL = re.compile(r"[|;&<>$`\\]")
"""Signs by which a shell does something else."""
_NAMES = re.compile(r"[^\W_][\w./-]*")
_SET = re.compile(r"(?P<name>[^=\s]{1,60})=(?P<value>\S{1,80})")
_OPTION = re.compile(r"--?[A-Za-z]")
_SIGNS = 3
"""Blanks and hyphens at its head that may stand for each other: `git lfs track`, `git-lfs-track`."""
_MOST = 16
"""Words of a command that is looked at."""
_SUBCOMMAND = re.compile(r"[a-z][a-z0-9]*(?:-[a-z0-9]+)*")
_DENIES = re.compile(
    r"\b(?:not|never|avoid\w*|without|cannot|nicht|nie|niemals|kein\w*|ohne)\b|n[’']t\b|[不勿别没無无]|禁止",
    re.IGNORECASE,
)
"""An option that is named to warn of it is none to type."""
_TITLE_GOES_ON = (
    r"(?:\s?\(\d\w{0,4}\)|\.\d)?\W*"
    r"(?:$|(?:\s[-–—|]|:)\s|(?:manual|man[ -]?page|command|reference|documentation)\b|命令|手册|用法|说明)"
)
"""What stands in a title behind the command that it is: a section, a sign, or a word for manuals."""


@dataclass(frozen=True, slots=True)
class KnownTexts:
    """All passages that are known, and what was looked up in them: each is searched once for the same."""

    texts: Sequence[str] = ()
    _found: dict[tuple[str, ...], bool] = field(default_factory=dict, compare=False, repr=False)

    def type(self, words: str) -> bool:
        """Tell whether one of them types some words one behind the other."""
        return self._any(("words", words), lambda text: _typed(words).search(text) is not None)

    def have(self, token: str) -> bool:
        """Tell whether one of them has an option or a name that is typed."""
        return self._any(("token", token), lambda text: has_token(text, token))

    def set(self, head: str, name: str) -> bool:
        """Tell whether one of them has some words before a setting, whatever its value: `SET cache = 2`."""
        before = re.compile(rf"(?<!\w){re.escape(head)}\s+(?:\w+\.)?{re.escape(name)}(?!\w)")
        return self._any(("set", head, name), lambda text: before.search(text) is not None)

    def _any(self, key: tuple[str, ...], holds: Callable[[str], bool]) -> bool:
        if key not in self._found:
            self._found[key] = any(map(holds, self.texts))
        return self._found[key]


@dataclass(frozen=True, slots=True)
class Told:
    """What a command may be put together of."""

    cited: Sequence[tuple[str, Sequence[str]]]
    """Of each passage that the sentence cites: its text, and what its page and its section are called."""
    asked: str = ""
    """The question: what it names may be filled in."""
    known: KnownTexts = KnownTexts()
    """All passages that are known, the cited among them: how the same is typed there."""


def is_composed(code: str, told: Told, *, concluded: bool = False) -> bool:
    """Tell whether a command is put together of pieces that are told of it.

    Its first words stand in a cited passage, or are what that is called; a program may stand with a hyphen in
    place of the blank (`git lfs`, `git-lfs`) where some passage types it so. What follows is options that the
    passage names of it, or what it says in one piece; a value or an operand that it does not hold stands in
    the question or in what else is cited, and the passage shows by a form that something is typed there. None
    is composed that a known passage types with its operands turned round. A `;` may end it.

    Args:
        code: The command.
        told: What it may be put together of.
        concluded: It is marked as a conclusion: what is typed behind the options needs no form, only names
            that cited passages tell (`--format '{size} {path}'` of a list of keys).
    """
    words = in_single_words(code.strip().removesuffix(";")).split()
    if not 1 < len(words) <= _MOST:
        return False
    composed = any(
        _leads(words[:cut], words[cut:], passage, told)
        and _follows(words, cut, passage, told, concluded=concluded)
        for cut in range(len(words), 0, -1)
        for passage in told.cited
    )
    texts = dict.fromkeys([*(text for text, _names in told.cited), *told.known.texts])
    return composed and not turned_round(words, texts)


def _leads(head: Sequence[str], rest: Sequence[str], passage: tuple[str, Sequence[str]], told: Told) -> bool:
    """Tell whether a passage is on a command that begins with some words."""
    text, names = passage
    if not _PROGRAM.match(head[0]):
        return False
    typed = " ".join(head)
    # A subcommand that is known belongs to what a passage has to be on: `git stash`, not `git`.
    if (operand := next((word for word in rest if not _is_option(word)), "")) and (
        _SUBCOMMAND.fullmatch(operand) and told.known.type(f"{typed} {operand}")
    ):
        return False
    if any(
        holds_typed(text, form) or any(_is_called(name, form) for name in names)
        for form in _ways(typed, told)
    ):
        return True
    return bool(rest) and "=" in rest[0] and told.known.set(typed, rest[0].partition("=")[0])


def _ways(typed: str, told: Told) -> Iterable[str]:
    """Yield the forms of a command that count: as it is typed, and as passages have it where one does so."""
    yield typed
    # Typed with another sign between its words than the passage has: somebody has to type it so.
    head = typed.split()
    program = head[0] if "-" in head[0] else " ".join(head[:2])
    others = _forms(typed)[1:]
    if others and told.known.have(program):
        yield from others


def _forms(typed: str) -> list[str]:
    """Return how a command may be written: as it is typed, or with other signs between its first words."""
    pieces = re.split(r"([ -])", typed, maxsplit=_SIGNS)
    words, signs = pieces[::2], len(pieces) // 2
    if not all(map(_PROGRAM.match, words)):
        return [typed]
    ways = ("".join(chain(*zip_longest(words, way, fillvalue=""))) for way in product(" -", repeat=signs))
    return list(dict.fromkeys([typed, *ways]))


def _is_called(name: str, typed: str) -> bool:
    """Tell whether a title, a heading or a file's name is that of a command: `git-lfs-track(1)`.

    What only begins with it (`Git tips`) is on more, or on less.
    """
    title = rf"\W*(?:man\s)?{re.escape(typed)}(?![\w-]){_TITLE_GOES_ON}"
    return re.match(title, name.strip(), re.IGNORECASE) is not None


def _follows(
    words: Sequence[str], cut: int, passage: tuple[str, Sequence[str]], told: Told, *, concluded: bool
) -> bool:
    """Tell whether what stands behind the first words of a command is told of it."""
    (text, names), head, rest = passage, words[:cut], words[cut:]
    if not rest or ("=" in rest[0] and has_words(text, " ".join(rest))):
        return True
    forms = list(_ways(" ".join(head), told))
    has_form = _shows_form(forms, text)
    # What a page on the command names belongs to it; elsewhere, what one sentence names with it.
    whole = has_form or any(_is_called(name, form) for name in names for form in forms)
    parts = [text[start:end] for start, end in sentences(text)]
    if not whole:
        parts = [part for part in parts if any(holds_typed(part, form) for form in forms)]
        parts = [part for part in parts if not _DENIES.search(part)]
    for n, word in enumerate(rest):
        if _is_option(word) and any(_is_its(part, word, forms) for part in parts):
            continue
        if (pair := _SET.fullmatch(word)) and _takes(text, pair["name"], pair["value"], told):
            continue
        before = rest[n - 1] if n else ""
        takes_value = _is_option(before) and _has_value(text, before)
        if (has_form or takes_value) and _is_told(word, told):
            continue
        if whole and word.isupper() and _FORM.fullmatch(word) and has_token(text, word):  # told of there
            continue
        if concluded and _of_told_names(word, told):
            continue
        return False
    return True


def _of_told_names(word: str, told: Told) -> bool:
    """Tell whether what is typed holds no option, no other command and no name but told ones."""
    for name in placeholders(word):
        word = word.replace(name, " ")
    if _is_option(word) or _SHELL.search(word):
        return False
    return all(_is_told(name, told) for name in _NAMES.findall(word))


def _is_its(part: str, option: str, forms: Sequence[str]) -> bool:
    """Tell whether a sentence names an option as one of a command: of no other, and not to warn of it.

    It is that of the command that stands before it, or else of the first behind it; where the sentence names
    none, of what the page is on.
    """
    programs = "|".join(sorted({re.escape(re.split("[ -]", form)[0]) for form in forms}))
    named = [found.start() for found in re.finditer(rf"(?<![\w-])(?:{programs})(?!\w)", part)]
    for found in re.finditer(rf"(?<![\w-]){re.escape(option)}(?![\w-])", part):
        if not has_token(part, option) or _DENIES.search(part, 0, found.start()):
            continue
        before = [at for at in named if at < found.start()]
        of = before[-1] if before else next(iter(named), None)
        if of is None or any(_typed(form).match(part, of) for form in forms):
            return True
    return False


def _is_option(word: str) -> bool:
    return _OPTION.match(word) is not None and "=" not in word


def _is_told(word: str, told: Told) -> bool:
    """Tell whether the question or a cited passage holds a value; a placeholder says that there is one."""
    bare = word.strip("\"'")
    if placeholders(bare) == [bare]:
        return True
    return bool(bare) and any(
        has_words(text, bare) for text in (told.asked, *(text for text, _names in told.cited))
    )


def _takes(text: str, name: str, value: str, told: Told) -> bool:
    """Tell whether a setting takes a value: one of its choices, or what is told, where it has a place."""
    found = re.compile(
        rf"(?<![\w-])(?:\w+\.)?{re.escape(name)}\s?=?\s?(?P<behind>[^\n;]{{0,{_FORM_WITHIN}}})"
    )
    for setting in found.finditer(text):
        choices = _CHOICES.search(setting["behind"].lstrip("[({< "))
        if choices and value in re.split(r"\s?\|\s?", choices[0]):
            return True
        if _FORM.match(setting["behind"].lstrip("= ")) and _is_told(value, told):
            return True
    return False


def _has_value(text: str, option: str) -> bool:
    """Tell whether an option's form has a value behind it."""
    return re.search(rf"(?<![\w-]){re.escape(option)}(?:[ =]|\[=)\s?(?:{_FORM.pattern})", text) is not None


def _shows_form(forms: Sequence[str], text: str) -> bool:
    """Tell whether a passage shows by a form how a command goes on behind its first words."""
    return any(
        _FORM_BEHIND.match(text, found.end()) for form in forms for found in _typed(form).finditer(text)
    )


@lru_cache(maxsize=1_000)
def _typed(form: str) -> re.Pattern[str]:
    words = r"\s+".join(map(re.escape, form.split()))
    return re.compile(rf"(?<![\w-]){words}(?![\w-])")
