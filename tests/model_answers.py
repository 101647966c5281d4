"""Answers to any task, made from nothing but its JSON schema and the prompt's own passages. Deterministic."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

BODY = r"([^<\n]*(?:(?:\n(?!</)|<(?!/))[^<\n]*)*)"
BLOCK = re.compile(rf'<([a-z][a-z_-]*)[^<>]*?\bid="([^"]+)"[^<>]*>\n{BODY}\n</\1>')
ANY_BLOCK = re.compile(rf"<([a-z][a-z_-]*)[^<>]*>\n{BODY}\n</\1>")
IDS = re.compile(r'\bid="([^"]+)"|\[(p\d+)\]')
NUMBERED = re.compile(r'^\s*(\d{1,3})[.):]\s|\bn="(\d+)"', re.MULTILINE)
SENTENCE = re.compile(r"[^.!?。！？\n]{20,300}[.!?。！？]")
WORD = re.compile(r"[\u4e00-\u9fff]{2,4}|[^\W\d_\u4e00-\u9fff]{4,}")
PIECES = re.compile(r"^# (piece\d+): .*$", re.MULTILINE)
CITED = re.compile(r"[^\n\[\]<>]{12,300}(?:\[p\d+\])+")

DEFAULTS: Mapping[str, Any] = {"actions": [], "new": None, "edits": [], "support": "supported", "words": ""}
"""What is said by the name of a field: an expert answers at once, a judge is content."""

Value = Any | Callable[["Filler"], Any]


@dataclass
class Filler:
    """Fills one reply."""

    prompt: str
    """What the user part of the prompt says: the system part holds examples, not material."""
    values: Mapping[str, Value] = field(default_factory=dict)
    """By the name of a field: a value, or a function of this filler."""
    count: int = 3
    """Items of a list whose length is free."""
    _drawn: dict[str, int] = field(default_factory=dict)

    def __post_init__(self) -> None:
        blocks = [(i, m[3]) for m in BLOCK.finditer(self.prompt) for i in m[2].split()]
        named = [i for m in IDS.finditer(self.prompt) for i in (m[1] or m[2]).split()]
        self.ids = list(dict.fromkeys(named))
        self.passages = [(i, text) for i, text in blocks if re.fullmatch(r"p\d+", i)]
        self.nodes = list(dict.fromkeys(re.findall(r"\bn\d+\b", self.prompt)))
        self.numbers = [int(m[1] or m[2]) for m in NUMBERED.finditer(self.prompt)]
        bodies = [text for _, text in self.passages] or [m[2] for m in ANY_BLOCK.finditer(self.prompt)]
        text = " ".join(bodies) or self.prompt
        self.sentences = [" ".join(s.split()) for s in SENTENCE.findall(text)] or ["There is little to say."]
        self.words = list(dict.fromkeys(WORD.findall(text))) or ["things"]
        self._schema: Mapping[str, Any] = {}

    @cached_property
    def told(self) -> list[str]:
        """Sentences of the prompt that have citations; looked for only when they are wanted."""
        cited = [line for line in self.prompt.splitlines() if "[p" in line]
        return [" ".join(s.split()) for line in cited for s in CITED.findall(line)]

    def fill(self, schema: Mapping[str, Any]) -> Any:
        """Return a value that fits the schema; each of several pieces of work from its own material."""
        pieces = PIECES.split(self.prompt)
        if len(pieces) > 1:
            told = zip(pieces[1::2], pieces[2::2], strict=True)
            return {name: self._piece(text, schema, schema["properties"][name]) for name, text in told}
        self._schema = schema
        return self._value(schema, "")

    def _piece(self, text: str, whole: Mapping[str, Any], schema: Mapping[str, Any]) -> Any:
        return Filler(text, self.values, self.count).fill({**schema, "$defs": whole.get("$defs", {})})

    def next(self, kind: str, of: list[Any]) -> Any:
        """Return the next of a list, from its start again after its end."""
        at = self._drawn.get(kind, 0)
        self._drawn[kind] = at + 1
        return of[at % len(of)]

    def cited(self) -> str:
        """Return the next passage's first sentence with its citation."""
        if not self.passages:
            return str(self.next("sentence", self.told or self.sentences))
        identity, text = self.next("passage", self.passages)
        found = SENTENCE.search(text)
        return f"{' '.join((found[0] if found else text[:200]).split())} [{identity}]"

    def _value(self, schema: Mapping[str, Any], name: str) -> Any:
        known = {**DEFAULTS, **self.values}
        if name in known:
            value = known[name]
            return value(self) if callable(value) else value
        if "$ref" in schema:
            return self._value(self._schema["$defs"][schema["$ref"].rpartition("/")[2]], name)
        for choice in ("anyOf", "oneOf"):
            if choice in schema:
                kinds = [s for s in schema[choice] if s.get("type") != "null"]
                return self._value(kinds[0], name)
        if "enum" in schema:
            return schema["enum"][0]
        if "const" in schema:
            return schema["const"]
        make = {
            "object": self._object, "array": self._array, "string": self._string, "integer": self._number,
            "number": self._number, "boolean": lambda *_: True, "null": lambda *_: None,
        }  # fmt: skip
        return make[schema.get("type", "object")](schema, name)

    def _object(self, schema: Mapping[str, Any], name: str) -> dict[str, Any]:
        return {key: self._value(part, key) for key, part in schema.get("properties", {}).items()}

    def _array(self, schema: Mapping[str, Any], name: str) -> list[Any]:
        if name == "parts":
            return []  # the made topics ask one thing
        items = schema.get("items", {})
        fields = items
        if "$ref" in items:
            fields = self._schema["$defs"][items["$ref"].rpartition("/")[2]]
        properties = fields.get("properties", {})
        count = self.count
        if "id" in properties and (self.ids or self.nodes):
            count = len(self.ids or self.nodes)
        elif "n" in properties and self.numbers:
            count = len(self.numbers)
        count = max(schema.get("minItems", 0), min(count, schema.get("maxItems", count)))
        return [self._value(items, name.removesuffix("s")) for _ in range(count)]

    def _number(self, schema: Mapping[str, Any], name: str) -> Any:
        if name == "n" and self.numbers:
            return self.next("number", self.numbers)
        low = schema.get("minimum", schema.get("exclusiveMinimum", 0))
        return low if schema["type"] == "integer" else min(schema.get("maximum", 1.0), low + 0.5)

    def _string(self, schema: Mapping[str, Any], name: str) -> str:
        if name in {"node", "parent", "into"} and self.nodes:
            return self.next("node", self.nodes)
        if name == "id" and (self.ids or self.nodes):
            return self.next("id", self.ids or self.nodes)
        if name in {"citation", "passage", "cite"} and self.passages:
            return self.next("citation", self.passages)[0]
        if name == "question":
            # Of words that no question before has: asked twice, it is passed over, and a session ends early.
            before = "".join(re.findall(r"<asked>(.*?)</asked>", self.prompt, re.DOTALL))
            pairs = (self._words(2) for _ in self.words)
            new = (pair for pair in pairs if not any(word in before for word in pair.split()))
            return f"What is known about {next(new, 'all else')}?"
        if name in {"title", "name", "heading", "label"}:
            return self._words(2).title()
        if name in {"search", "query", "term", "url", "kind"}:
            return self._words(2)
        if name in {"why", "role", "focus", "reason", "thought", "description", "opening"}:
            return f"It is about {self._words(3)}."
        if name in {"text", "answer", "paragraph", "sentence", "lead", "summary"}:
            return " ".join(self.cited() for _ in range(self.count))
        return self._words(3)

    def _words(self, count: int) -> str:
        return " ".join(self.next("word", self.words) for _ in range(count))
