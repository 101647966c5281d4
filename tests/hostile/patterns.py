"""Every pattern of the product, and texts that are the worst for it."""

import ast
import importlib
import itertools
import pkgutil
import re
import re._constants as codes  # type: ignore[import-not-found]
import re._parser as parser  # type: ignore[import-not-found]
import time
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

ROOMS = ("library", "models", "mindmap", "agents", "reports", "moderator", "roundtable")
_REPEATS = (codes.MAX_REPEAT, codes.MIN_REPEAT, codes.POSSESSIVE_REPEAT)
_BRANCHES = 40
"""Of many names one after the other, those that are tried."""
_USES = "search|subn?|finditer|findall|split|match|fullmatch"
_CATEGORIES = {"CATEGORY_DIGIT": "1", "CATEGORY_WORD": "a", "CATEGORY_SPACE": " "}


@dataclass(frozen=True)
class Used:
    """A pattern with a way in which the program looks for it."""

    where: str
    pattern: re.Pattern[Any]
    use: str

    def seconds(self, text: str) -> float:
        """Look for it as the program does; return how long this thread was busy."""
        given: Any = text.encode("utf-8", "replace") if isinstance(self.pattern.pattern, bytes) else text
        nothing: Any = given[:0]
        begun = time.thread_time()
        match self.use:
            case "sub" | "subn":
                self.pattern.sub(nothing, given)
            case "finditer":
                for _ in self.pattern.finditer(given):
                    pass
            case use:
                getattr(self.pattern, use)(given)
        return time.thread_time() - begun


@cache
def every_pattern(room: str) -> tuple[Used, ...]:
    """Return every pattern that a room's module holds or writes where it uses it, in each way it is used."""
    return tuple(dict.fromkeys(_of_modules(room)))


def _of_modules(room: str) -> Iterator[Used]:
    for found in pkgutil.walk_packages(importlib.import_module(room).__path__, f"{room}."):
        if found.name.endswith("__main__"):
            continue
        module = importlib.import_module(found.name)
        source = Path(str(module.__file__)).read_text(encoding="utf-8")
        yield from _held(found.name, vars(module), source)
        yield from _written(found.name, source)


def _held(module: str, values: dict[str, Any], source: str) -> Iterator[Used]:
    for name, value in list(values.items()):
        if not re.search(rf"^{re.escape(name)}\b", source, re.MULTILINE):
            continue  # another module's
        uses = set(re.findall(rf"\b{re.escape(name)}(?:\[[^\]]*\])?\.({_USES})\b", source)) or {"finditer"}
        for pattern in _inside(value):
            yield from (Used(f"{module}.{name}", pattern, use) for use in sorted(uses))


def _inside(value: Any) -> Iterator[re.Pattern[Any]]:
    if isinstance(value, re.Pattern):
        yield value
    elif isinstance(value, dict):
        yield from _inside(list(value.values()))
    elif isinstance(value, list | tuple | set | frozenset):
        for each in value:
            yield from _inside(each)


def _written(module: str, source: str) -> Iterator[Used]:
    for node in ast.walk(ast.parse(source)):
        match node:
            case ast.Call(
                func=ast.Attribute(value=ast.Name(id="re"), attr=use), args=[ast.Constant(value=written), *_]
            ) if re.fullmatch(_USES, use):
                flags = [eval(ast.unparse(k.value), {"re": re}) for k in node.keywords if k.arg == "flags"]  # noqa: S307 - our own source
                yield Used(f"{module}:{node.lineno}", re.compile(written, *flags), use)


def worst_texts(pattern: re.Pattern[Any]) -> list[str]:
    """Return short texts that, repeated, the pattern nearly matches again and again."""
    signs = list(dict.fromkeys([*_signs(pattern)][:14] + ["a", "1", " ", "\n", "."]))
    pairs = [a + b for a, b in itertools.permutations(signs[:8], 2)]
    written = pattern.pattern if isinstance(pattern.pattern, str) else pattern.pattern.decode("latin-1")
    words = re.findall(r"[A-Za-z<>/=&#|\[\]-]{2,12}", written)[:6]
    usual = ["\n ", " \n", "a ", "A ", "a.", "1.", "1,", "a, ", "Aa ", "\n\n", "x\n"]
    return list(dict.fromkeys([*signs, *pairs, *words, *usual]))


def nearly_matched(pattern: re.Pattern[Any]) -> list[tuple[str, str]]:
    """Return of each repetition in a pattern what it needs before it, and what it takes, again and again.

    A text of both is matched up to there, and then not: what may be taken in several ways is taken in all.
    """
    parsed = parser.parse(pattern.pattern, pattern.flags & ~re.DEBUG)
    wholes = [("", _sample(parsed, often)) for often in (0, 1)]
    return [pair for pair in dict.fromkeys([*_repeated(parsed, ""), *wholes]) if 0 < len(pair[1]) < 200]


def _repeated(parsed: Any, before: str) -> Iterator[tuple[str, str]]:
    for code, value in parsed:
        if code in _REPEATS:
            if value[1] > 3:
                yield from ((before, _sample(value[2], often)) for often in (0, 1))
            yield from _repeated(value[2], before)
        elif code is codes.BRANCH:
            for branch in value[1][:_BRANCHES]:
                yield from _repeated(branch, before)
        elif code in (codes.SUBPATTERN, codes.ATOMIC_GROUP):
            yield from _repeated(value[3] if code is codes.SUBPATTERN else value, before)
        before += _sample([(code, value)], 1)


def _sample(parsed: Any, often: int) -> str:
    """Return a short text that a pattern takes, with what may be repeated so often."""
    taken = ""
    for code, value in parsed:
        if code is codes.BRANCH:
            taken += _sample(value[1][0], often)
        elif code is codes.SUBPATTERN:
            taken += _sample(value[3], often)
        elif code is codes.ATOMIC_GROUP:
            taken += _sample(value, often)
        elif code in _REPEATS:
            taken += _sample(value[2], often) * max(value[0], min(value[1], often))
        elif code not in (codes.ASSERT, codes.ASSERT_NOT):
            taken += next(_of([(code, value)]), "")
    return taken


def _signs(pattern: re.Pattern[Any]) -> Iterator[str]:
    yield from _of(parser.parse(pattern.pattern, pattern.flags & ~re.DEBUG))


def _of(parsed: Any) -> Iterator[str]:
    for code, value in parsed:
        if code is codes.LITERAL:
            yield chr(value)
        elif code in (codes.NOT_LITERAL, codes.ANY):
            yield "x"
        elif code is codes.IN:
            yield from _of_class(value)
        elif code is codes.BRANCH:
            for branch in value[1]:
                yield from _of(branch)
        elif code is codes.SUBPATTERN:
            yield from _of(value[3])
        elif code in (codes.MAX_REPEAT, codes.MIN_REPEAT, codes.POSSESSIVE_REPEAT):
            yield from _of(value[2])
        elif code in (codes.ASSERT, codes.ASSERT_NOT):
            yield from _of(value[1])
        elif code is codes.ATOMIC_GROUP:
            yield from _of(value)


def _of_class(members: Any) -> Iterator[str]:
    if members[0][0] is codes.NEGATE:
        yield from ("x", " ")
        return
    for code, value in members[:6]:
        if code is codes.CATEGORY:
            yield _CATEGORIES.get(str(value).rpartition(".")[2], "x")
        else:
            yield chr(value if code is codes.LITERAL else value[0])


def repeats_groups_possessively(pattern: re.Pattern[Any]) -> bool:
    """Tell whether what may match in several ways stands under `*+`, `++`, `?+` or `{n,m}+`.

    Python before 3.11.5 matches that wrongly (https://github.com/python/cpython/issues/106052).
    """
    return any(
        code is codes.POSSESSIVE_REPEAT and any(one in _ROOMY for one, _ in _nodes(argument[2]))
        for code, argument in _nodes(parser.parse(pattern.pattern, pattern.flags))
    )


_ROOMY = (*_REPEATS, codes.BRANCH)


def _nodes(parsed: Any) -> Iterator[tuple[Any, Any]]:
    """Yield every part of a parsed pattern, with what it holds."""
    for code, argument in parsed:
        yield code, argument
        for held in argument if isinstance(argument, tuple) else (argument,):
            for each in held if isinstance(held, list) else (held,):
                if isinstance(each, parser.SubPattern):
                    yield from _nodes(each)
