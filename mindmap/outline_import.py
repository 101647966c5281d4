"""Outlines that a person already has, read from other tools' files: Markdown, OPML, FreeMind, JSON."""

import json
import re
import xml.etree.ElementTree as ET
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from mindmap.changes import AddNode, Change
from mindmap.errors import OutlineError
from mindmap.tree import MindMap

_LONGEST = 5_000_000
"""Bytes: an outline is short, and a file that is not one should not be read whole."""
_MOST = 5_000
"""Nodes."""
_DEEPEST = 60
_TITLE = 300
"""Characters of a title; what is longer is cut at a word."""
_LINE = 2_000
"""Characters of a line that are looked at, for the patterns below take time with the square of its length."""


@dataclass(slots=True)
class Outline:
    """A title with what stands under it."""

    title: str
    children: list["Outline"] = field(default_factory=list)


def read_outline(path: Path) -> Outline:
    """Read an outline from a file, by its ending: `.md`, `.txt`, `.opml`, `.mm`, `.json`.

    Raises:
        OutlineError: the file cannot be read, or holds no outline; the message says why.
    """
    readers: dict[str, Callable[[str], Outline]] = {
        ".md": read_markdown, ".markdown": read_markdown, ".txt": read_markdown, ".opml": read_opml,
        ".xml": read_opml, ".mm": read_freemind, ".json": read_json,
    }  # fmt: skip
    reader = readers.get(path.suffix.lower())
    if reader is None:
        raise OutlineError(f"{path.name}: an outline ends in .md, .opml, .mm or .json")
    try:
        if path.stat().st_size > _LONGEST:
            raise OutlineError(f"{path.name} is too large for an outline ({_LONGEST // 1_000_000} MB)")
        text = path.read_text(encoding="utf-8-sig")
    except OSError as error:
        raise OutlineError(f"{path.name} cannot be read: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise OutlineError(f"{path.name} is not UTF-8 text") from error
    try:
        outline = reader(text)
        _count(outline, 0)
    except OutlineError as error:
        raise OutlineError(f"{path.name}: {error}") from error
    if not outline.children:
        raise OutlineError(f"{path.name} holds no outline: one title and nothing under it")
    return outline


def outline_changes(tree: MindMap, outline: Outline) -> list[Change]:
    """Return the changes that put an outline's nodes under the map's root, made by a person."""
    made: list[Change] = []

    def add(nodes: list[Outline], parent: str) -> None:
        for each in nodes:
            node = tree.next_id(len(made))
            made.append(AddNode(id=node, title=each.title, parent=parent, by="person"))
            add(each.children, node)

    add(outline.children, tree.root)
    return made


_TITLED = ("title", "text", "name", "topic")
_NESTED = ("children", "nodes", "sections")
_HEADING = re.compile(r"^(#{1,6})\s+(.*)$")
_ITEM = re.compile(r"^(\s*)(?:[-*+]|\d{1,9}[.)])\s+(?:\[[ xX]\]\s+)?(.*)$")
_INLINE = re.compile(r"!?\[([^\[\]]*)\]\((?:<[^<>]*>|[^)\s]{0,2000}+)(?:\s+\"[^\"]*\")?\)")
_STYLE = re.compile(r"(?<![\w\\])(\*\*|__|\*|_|~~|`)(?=\S)(.{1,500}?)(?<=[^\s\\])\1(?!\w)")
_ESCAPE = re.compile(r"\\([!-/:-@\[-`{-~])")
_CITED = re.compile(r"(?:\[p\d+\])+\s*($)?")
"""Marks of passages, with a group where they end the text: each run is looked at once."""


def read_markdown(text: str) -> Outline:
    """Read headings and nested lists; other lines are left out. A single first heading is the title."""
    top = Outline("")
    stack: list[tuple[int, Outline]] = [(-1, top)]
    heading = 0
    fenced = False
    for line in text.splitlines():
        each = line[:_LINE]
        if each.lstrip().startswith(("```", "~~~")):
            fenced = not fenced
        elif not fenced and (match := _HEADING.match(each)):
            heading = len(match[1])
            _append(stack, heading, _inline(match[2].rstrip().rstrip("#").rstrip()))
        elif not fenced and (match := _ITEM.match(each)):
            indent = len(match[1].expandtabs(4))
            _append(stack, 10 + indent, _inline(match[2]))
    return _topped(top)


def _append(stack: list[tuple[int, Outline]], level: int, title: str) -> None:
    if not title:
        return
    while stack[-1][0] >= level:
        stack.pop()
    node = Outline(_short(title))
    stack[-1][1].children.append(node)
    stack.append((level, node))


def _inline(text: str) -> str:
    plain = _INLINE.sub(r"\1", _CITED.sub(lambda run: run[0] if run[1] is None else "", text))
    previous = None
    while previous != plain:
        previous, plain = plain, _STYLE.sub(r"\2", plain)
    return " ".join(_ESCAPE.sub(r"\1", plain).split())


def read_opml(text: str) -> Outline:
    """Read OPML's outlines by their `text`."""
    root = _xml(text, "opml")
    body = root.find("body")
    title = root.findtext("head/title") or ""
    top = Outline(_short(title), _elements(body, "outline", "text") if body is not None else [])
    if len(top.children) == 1 and top.children[0].title == top.title:
        return top.children[0]
    return _topped(top)


def read_freemind(text: str) -> Outline:
    """Read FreeMind's nodes by their `TEXT`."""
    return _topped(Outline("", _elements(_xml(text, "map"), "node", "TEXT")))


def _elements(parent: ET.Element, tag: str, attribute: str, depth: int = 0) -> list[Outline]:
    _bound(depth)
    found: list[Outline] = []
    for element in parent:
        if element.tag != tag:
            continue
        title = _short(element.get(attribute) or " ".join("".join(element.itertext()).split()))
        inner = _elements(element, tag, attribute, depth + 1)
        if title:
            found.append(Outline(title, inner))
        else:
            found += inner
    return found


def _xml(text: str, root: str) -> ET.Element:
    if re.search(r"<!(?:DOCTYPE|ENTITY)", text, re.IGNORECASE):
        raise OutlineError("XML with a DOCTYPE or entities is not read")
    try:
        # Safe as the check above leaves no entities to expand; the size and nesting are bounded too.
        element = ET.fromstring(text)  # noqa: S314 - entities are refused above  # nosec B314
    except (ET.ParseError, RecursionError) as error:
        raise OutlineError(f"not well-formed XML ({error})") from error
    if element.tag != root:
        raise OutlineError(f"the XML begins with <{element.tag}>, not <{root}>")
    return element


def read_json(text: str) -> Outline:
    """Read `mindmap.json`, or nested objects with a `title` (or `text`, `name`, `topic`) and `children`."""
    try:
        data = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise OutlineError(f"not JSON ({error})") from error
    if isinstance(data, dict) and isinstance(data.get("nodes"), list):
        return _flat(data)
    nested = _nested(data, 0)
    if len(nested) == 1:
        return nested[0]
    return Outline("", nested)


def _flat(data: dict[str, object]) -> Outline:
    nodes: dict[str, Outline] = {}
    parents: dict[str, str | None] = {}
    if isinstance(data["nodes"], list) and len(data["nodes"]) > _MOST:
        raise OutlineError(f"more than {_MOST} nodes")
    for entry in data["nodes"] if isinstance(data["nodes"], list) else []:
        if isinstance(entry, dict) and isinstance(entry.get("id"), str):
            nodes[entry["id"]] = Outline(_short(str(entry.get("title") or "")))
            parent = entry.get("parent")
            parents[entry["id"]] = parent if isinstance(parent, str) else None
    top = Outline("")
    for name, node in nodes.items():
        parent = parents[name]
        seen = {name}
        while parent in parents and parent not in seen:
            seen.add(parent)
            parent = parents[parent]
        if parent in seen:
            raise OutlineError("its nodes go round in a circle")
        above = parents[name]
        nodes.get(above or "", top).children.append(node)
    return _topped(_titled(top))


def _titled(node: Outline, depth: int = 0) -> Outline:
    """Leave out nodes without a title; what stands under them moves up."""
    _bound(depth)
    children: list[Outline] = []
    for child in [_titled(child, depth + 1) for child in node.children]:
        children += [child] if child.title else child.children
    node.children = children
    return node


def _nested(data: object, depth: int) -> list[Outline]:
    _bound(depth)
    if isinstance(data, str):
        return [Outline(_short(data))] if data.strip() else []
    if isinstance(data, list):
        return [node for each in data for node in _nested(each, depth + 1)]
    if not isinstance(data, dict):
        return []
    title = next((data[key] for key in _TITLED if isinstance(data.get(key), str)), "")
    inner: object = next((data[key] for key in _NESTED if isinstance(data.get(key), list)), [])
    children = _nested(inner, depth + 1)
    return [Outline(_short(str(title)), children)] if str(title).strip() else children


def _topped(outline: Outline) -> Outline:
    """A single node at the top is the title of it all."""
    if not outline.title and len(outline.children) == 1:
        return outline.children[0]
    return outline


def _short(title: str) -> str:
    clean = " ".join("".join(sign if sign.isprintable() else " " for sign in title).split())
    return clean if len(clean) <= _TITLE else clean[:_TITLE].rsplit(" ", 1)[0] + "…"


def _bound(depth: int) -> None:
    if depth > _DEEPEST:
        raise OutlineError(f"nested more than {_DEEPEST} levels deep")


def _count(outline: Outline, depth: int) -> int:
    _bound(depth)
    total = 1 + sum(_count(child, depth + 1) for child in outline.children)
    if total > _MOST:
        raise OutlineError(f"more than {_MOST} nodes")
    return total
