"""A session as linked notes, for Obsidian: the report, a note for each branch of the map and each source.

Links name the session's own folder, so that it can lie anywhere in a vault, beside other sessions. A passage
is a block with its id (`^p12`), and every citation leads to it. What strangers wrote is escaped, so that it
makes no link, no embed, and nothing that a plugin would carry out.
"""

import json
import re
import zipfile
from collections.abc import Iterable
from io import BytesIO
from pathlib import Path

from library import Evidence, ReadError, Source, rewrite_citations, shown_address
from library.readers import text_beside
from mindmap import MindMap
from reports import SOURCE_LINK, report_markdown, web_address
from reports.cite import bibliography
from reports.export import escape
from roundtable.config.errors import OutputError
from roundtable.journal.fold.state import State
from roundtable.output.clean import clean, clean_line
from roundtable.output.outputs import write_file

_UNFIT = re.compile(r'[\\/:*?"<>|#^\[\]%`\x00-\x1f\x7f]+')
"""What names of files, or links to them, cannot hold."""
_LONGEST = 60
_LARGEST = 50_000_000
"""Bytes that a note of ours may have."""
_CITED = re.compile(r"⟦(p\d+(?:,p\d+)*)⟧")
_ANCHOR = re.compile(r'<a id="source-(\d{1,9})"></a>')
_NAME = re.compile(r"\d{1,9}\.\d{1,9}")
_CARRIED_OUT = re.compile(r"(?<!`)(`+)(?=[ \t]*\$?=)")
"""How code begins that the plugin Dataview would carry out where it stands."""
_TAG = re.compile(r"(?<=\s)#(?=\w)")


def vault_notes(state: State, session_id: str, name: str = "") -> dict[str, str]:
    """Return the notes of a session by their paths: `Topic 0f4b8028/Sources/3 Title.md`.

    Args:
        state: The session.
        session_id: Its id.
        name: What it is called in lists, for its folder; empty: its topic.
    """
    return _Vault(state, session_id, name).notes()


def write_vault(state: State, session_id: str, folder: Path, name: str = "") -> list[Path]:
    """Write a session's notes below a folder; those of an earlier state that are no more are removed.

    Raises:
        OutputError: it cannot be written to.
    """
    notes = vault_notes(state, session_id, name)
    ours = folder / next(iter(notes)).partition("/")[0]
    try:
        for part in ("Map", "Sources"):
            (ours / part).mkdir(parents=True, exist_ok=True)
    except OSError as failure:
        raise OutputError(f"cannot write to {ours}: {failure.strerror or failure}") from failure
    written = [write_file(folder / path, text.encode()) for path, text in notes.items()]
    for path in ours.rglob("*.md"):
        if path not in written and _is_own(path):
            path.unlink()
    return written


def _is_own(note: Path) -> bool:
    try:
        return text_beside(note, _LARGEST).startswith(_OWN)
    except ReadError:
        return False


def vault_zip(state: State, session_id: str) -> bytes:
    """Return a session's notes as an archive, to be unpacked in a vault."""
    packed = BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for path, text in vault_notes(state, session_id).items():
            archive.writestr(zipfile.ZipInfo(path, (1980, 1, 1, 0, 0, 0)), text, zipfile.ZIP_DEFLATED)
    return packed.getvalue()


_OWN = '---\nroundtable: "'
"""How each note begins: which session it is of."""


class _Vault:
    """The notes, with the names that links need."""

    def __init__(self, state: State, session_id: str, name: str) -> None:
        self._state = state
        self._id = session_id
        self._evidence: Evidence = state.evidence
        self._tree: MindMap = state.map
        self._folder = f"{_name(name or state.topic)} {session_id[:8]}"
        numbers = self._evidence.numbers()
        self._sources = {
            sha: f"Sources/{numbers[sha]} {_name(source.title or source.url)}"
            for sha, source in self._evidence.sources.items()
        }
        self._nodes = {
            node: f"Map/{number} {_name(self._tree.title(node))}"
            for number, node in enumerate(self._tree.walk(), 1)
            if node != self._tree.root
        }
        self._nodes[self._tree.root] = _name(state.topic)

    def notes(self) -> dict[str, str]:
        notes = {self._nodes[self._tree.root]: self._branch(self._tree.root)}
        if self._state.report is not None:
            notes["Report"] = self._report()
        for node, path in self._nodes.items():
            notes.setdefault(path, self._branch(node))
        for sha, path in self._sources.items():
            notes[path] = self._source(self._evidence.sources[sha])
        # Lone surrogates, which pages can smuggle in, cannot be written as UTF-8.
        written = {path: text.encode("utf-8", "replace").decode() for path, text in notes.items()}
        return {f"{self._folder}/{path}.md": text for path, text in written.items()}

    def _link(self, path: str, shown: str, block: str = "") -> str:
        target = f"{self._folder}/{path}{f'#^{block}' if block else ''}"
        return f"[[{target}|{_UNFIT.sub(' ', shown).strip() or path}]]"

    def _cite(self, ids: Iterable[str]) -> str:
        passages, labels = self._evidence.passages, self._evidence.labels()
        known = [i for i in ids if i in passages]
        return " ".join(self._link(self._sources[passages[i].sha256], labels[i], i) for i in known)

    def _text(self, text: str) -> str:
        """Return what was said, escaped, its citations as links."""
        marked = rewrite_citations(text, lambda ids: f"⟦{','.join(ids)}⟧")
        told = "\n\n".join(_shown(paragraph) for paragraph in marked.split("\n") if paragraph.strip())
        return _CITED.sub(lambda found: self._cite(found[1].split(",")), told)

    def _head(self, **properties: str | list[str]) -> str:
        """Return a note's properties as YAML; JSON's strings and lists are YAML's too."""
        lines = [f"{name}: {json.dumps(value)}" for name, value in properties.items() if value]
        return "\n".join([f'{_OWN}{self._id}"', *lines, "---", ""])

    def _branch(self, node: str) -> str:
        held, root = self._tree.node(node), node == self._tree.root
        title = self._state.topic if root else held.title
        kind = "roundtable/topic" if root else "roundtable/branch"
        parts = [self._head(tags=[kind, *(f"roundtable/{mark}" for mark in held.marks)])]
        parts.append(f"# {_shown(title)}")
        if held.parent is not None:
            parts.append(f"↑ {self._link(self._nodes[held.parent], self._tree.title(held.parent))}")
        elif self._state.report is not None:
            parts.append(f"→ {self._link('Report', self._state.report.title)}")
        if children := self._tree.children(node):
            parts.append("\n".join(f"- {self._link(self._nodes[c], self._tree.title(c))}" for c in children))
        for note in held.notes:
            parts.append(f"**{_shown(note.question)}**")
            parts += [self._text(note.answer)] if note.answer else []
        if held.passages:
            told = (self._evidence.passages[i] for i in held.passages if i in self._evidence.passages)
            parts.append("\n".join(f"- {self._cite([p.id])} {_shown(clean_line(p.text, 200))}" for p in told))
        return "\n\n".join(parts) + "\n"

    def _report(self) -> str:
        report = self._state.report
        assert report is not None
        text = report_markdown(report, self._evidence)
        entries = {entry.number: entry for entry in bibliography(report, self._evidence).entries}

        def link(found: re.Match[str]) -> str:
            entry = entries.get(int(found[2]))
            if entry is None:
                return found[1]
            named = _NAME.search(found[1])
            block = next((p.id for p in entry.passages if named and entry.name_of(p) == named[0]), "")
            return self._link(self._sources[entry.source.sha256], found[1], block or entry.passages[0].id)

        named = _ANCHOR.sub(lambda found: f"[{found[1]}](#source-{found[1]}) ", _still(text))
        linked = SOURCE_LINK.sub(link, named)
        return f"{self._head(tags=['roundtable/report'])}\n{linked}"

    def _source(self, source: Source) -> str:
        labels = self._evidence.labels()
        head = self._head(
            tags=["roundtable/source", *([f"roundtable/{source.became}"] if source.became else [])],
            title=" ".join(source.title.split()), url=web_address(source.url) or "",
            author=" ".join((source.author or "").split()), date=source.published or "",
            retrieved=source.retrieved, doi=source.work.doi if source.work else "", sha256=source.sha256,
        )  # fmt: skip
        parts = [head, f"# {_shown(source.title or source.url)}", _shown(shown_address(source.url))]
        for passage in self._evidence.passages.values():
            if passage.sha256 == source.sha256:
                lines = [line for line in passage.text.split("\n") if line.strip()]
                said = "\n".join(f"> {_shown(line)}" for line in lines)
                parts.append(f"**{labels[passage.id]}**\n{said}\n\n^{passage.id}")
        return "\n\n".join(parts) + "\n"


def _name(text: str) -> str:
    """Return a title as the name of a note: no longer than may be, never hidden, never empty."""
    words = " ".join(_UNFIT.sub(" ", clean(text)).split())
    if len(words) > _LONGEST:  # cut between words, where the script has blanks
        words = words[: _LONGEST + 1].rpartition(" ")[0] or words[:_LONGEST]
    return words[:_LONGEST].strip(" .") or "note"


def _shown(text: str) -> str:
    """Return a stranger's text as one line of a note."""
    return _still(escape(text))


def _still(shown: str) -> str:
    """Return Markdown in which plugins find nothing to carry out, and Obsidian no tags and comments."""
    still = _CARRIED_OUT.sub(r"\1·", shown).replace("<%", "< %").replace("%%", "%\\%")
    return _TAG.sub(r"\\#", still)
