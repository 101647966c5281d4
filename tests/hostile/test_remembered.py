"""What is remembered without a bound is kept for what the program itself names, and for nobody's texts."""

import ast
from collections.abc import Iterator
from pathlib import Path

from library.text import catalogue
from library.text.multilingual import fixed_phrases, translated_messages
from roundtable.journal.sessions import fork_names

ROOT = Path(__file__).parents[2]
ROOMS = ("agents", "library", "mindmap", "models", "moderator", "reports", "roundtable")
OWN = {
    "library/text/quantities/quantity_data.py: table, words_for",  # tables of the program, by their names
    "library/text/multilingual/fixed_phrases.py: _catalogue, _file, _read",  # languages that there are
    "library/text/multilingual/translated_messages.py: _message_patterns",
    "roundtable/journal/sessions/fork_names.py: _fork_names",
    "roundtable/cli/help_words.py: _words",  # of one command
    "models/client/tls.py: _made",  # two files that the environment names
}
"""Functions that take text and remember all of it, and what that is."""


def is_unbounded(decorator: ast.expr) -> bool:
    """Tell whether a decorator is `cache`, or `lru_cache` without a bound."""
    if not isinstance(decorator, ast.Call):
        return ast.unparse(decorator).removeprefix("functools.") == "cache"
    bounds = [one.value for one in decorator.keywords if one.arg == "maxsize"] + decorator.args
    named = ast.unparse(decorator.func).removeprefix("functools.") == "lru_cache"
    return named and any(ast.unparse(bound) == "None" for bound in bounds)


def remembering(path: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.FunctionDef) and any(map(is_unbounded, node.decorator_list)):
            given = [*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs]
            if any("str" in ast.unparse(one.annotation or one) for one in given):
                yield node.name


def test_no_text_from_outside_is_remembered_for_ever() -> None:
    found = set()
    for path in (
        one for room in ROOMS for one in (ROOT / room).rglob("*.py") if "node_modules" not in one.parts
    ):
        if names := sorted(remembering(path)):
            found.add(f"{path.relative_to(ROOT).as_posix()}: {', '.join(names)}")
    assert found == OWN


def test_what_is_asked_for_as_a_language_is_not_kept() -> None:
    """The page's words are for anybody, in whatever an address calls a language."""
    held = (
        fixed_phrases._catalogue, fixed_phrases._file, translated_messages._message_patterns,
        fork_names._fork_names,
    )  # fmt: skip
    for language in ("en", "tlh"):
        catalogue(language, "page")
        translated_messages.message_patterns(language)
        fork_names.fork_names(language)
    before = [one.cache_info().currsize for one in held]
    for n in range(50):
        assert catalogue(f"x{n}", "page").language == "en"
        assert translated_messages.message_patterns(f"x{n}") == ()
        fork_names.fork_names(f"x{n}")
    assert [one.cache_info().currsize for one in held] == before
