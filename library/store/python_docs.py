"""The collection "python": the language reference and the docstrings that every Python carries.

Modules are parsed, not imported: nothing of theirs runs. Builtins have no source and are asked for their
docstrings.
"""

import ast
import builtins
import inspect
import sys
import sysconfig
import threading
from collections.abc import Iterator
from pathlib import Path

from library.evidence import Source, fingerprint
from library.readers.text_files.underlined_headings import marked_headings
from library.store.cutting.text_cutting import cut
from library.store.store import Held, HeldFile, Store

NAME = "python"
DESCRIPTION = "The Python language reference and the docstrings of the standard library"
_PARSING = threading.Lock()
"""Python 3.11 cannot build syntax trees in two threads at a time."""
_LEAST = 200
"""Characters of a text that is worth being a source."""
_SKIPPED = frozenset(("test", "tests", "idlelib", "lib2to3", "turtledemo", "ensurepip", "pydoc_data", "this"))


def python_sources() -> Iterator[Source]:
    """Yield the texts in a fixed order: topics of the language, modules, builtin types."""
    yield from _topics()
    for path, module in _modules():
        text = _module_text(path, module)
        if len(text) >= _LEAST:
            yield _source(f"python:{module}", f"{module} (Python standard library)", text)
    for name in sorted(vars(builtins)):
        text = _builtin_text(name)
        if len(text) >= _LEAST:
            yield _source(f"python:builtins.{name}", f"{name} (Python builtin)", text)


def sync_python(store: Store) -> Held:
    """Return the collection, filled when it is not there yet or of another Python."""
    held = store.make_collection(NAME, DESCRIPTION, private=False)
    marker = HeldFile(f"python {sys.version}, headings marked", 0, 0, sys.version, "")
    if marker.path in store.files(held):
        return held
    # Read and cut before the store is held: who writes meanwhile waits for so long only, and would give up.
    texts = [(source, cut(source)) for source in python_sources()]
    with store.writing():
        held = store.make_collection(NAME, DESCRIPTION, private=False)
        if marker.path in store.files(held):
            return held  # another process was faster
        store.drop_collection(NAME)
        held = store.make_collection(NAME, DESCRIPTION, private=False)
        for source, made in texts:
            file = HeldFile(source.url, len(source.text), 0, source.sha256, source.sha256)
            store.put_file(held, file, source, made)
        store.put_file(held, marker, None)
    fresh = store.collection(NAME)
    assert fresh is not None
    return fresh


def _topics() -> Iterator[Source]:
    from pydoc_data.topics import topics

    for name in sorted(topics):
        text = marked_headings(topics[name].strip())
        title = text.partition("\n")[0].strip("# ")
        if len(text) >= _LEAST:
            yield _source(f"python:topic/{name}", f"{title} (Python language reference)", text)


def _modules() -> Iterator[tuple[Path, str]]:
    root = Path(sysconfig.get_paths()["stdlib"])
    # Only what is the library's own: the folders of installed packages beside it hold many times as much.
    tops = [top for top in root.iterdir() if _is_public(top.stem) and top.stem in sys.stdlib_module_names]
    files = (path for top in tops for path in ([top] if top.suffix == ".py" else top.rglob("*.py")))
    for path in sorted(files):
        parts = path.relative_to(root).with_suffix("").parts
        if parts[-1] == "__init__":
            parts = parts[:-1]
        if all(map(_is_public, parts)):
            yield path, ".".join(parts)


def _is_public(part: str) -> bool:
    return not (part.startswith("_") or part in _SKIPPED or "-" in part)


def _module_text(path: Path, module: str) -> str:
    """Return a module's docstrings under headings: its own, its public functions', classes' and methods'."""
    try:
        with _PARSING:
            tree = ast.parse(path.read_bytes())
    except (OSError, SyntaxError, ValueError):
        return ""  # a file of the installation that is no Python of this version has no docstrings
    described = ast.get_docstring(tree)
    pieces = [f"# {module}\n\n{marked_headings(described, below=1)}".strip()] if described else []
    for node in tree.body:
        pieces += _described(node, module)
    return "\n\n".join(pieces)


def _described(node: ast.AST, owner: str) -> Iterator[str]:
    if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef) or node.name.startswith(
        "_"
    ):
        return
    name = f"{owner}.{node.name}"
    described = ast.get_docstring(node)
    if described and len(described) > 30:
        call = "" if isinstance(node, ast.ClassDef) else f"({ast.unparse(node.args)})"
        yield f"## {name}{call if len(call) < 160 else '(…)'}\n\n{described}"
    if isinstance(node, ast.ClassDef):
        for member in node.body:
            yield from _described(member, name)


def _builtin_text(name: str) -> str:
    value = getattr(builtins, name)
    described = inspect.getdoc(value) if callable(value) and not name.startswith("_") else None
    if not described:
        return ""
    pieces = [f"# {name}\n\n{described}"]
    if inspect.isclass(value) and not issubclass(value, BaseException):
        for member in sorted(vars(value)):
            text = inspect.getdoc(getattr(value, member)) if not member.startswith("_") else None
            if text and len(text) > 30:
                pieces.append(f"## {name}.{member}\n\n{text}")
    return "\n\n".join(pieces)


def _source(url: str, title: str, text: str) -> Source:
    return Source(fingerprint(text), url, title, text, retrieved="")
