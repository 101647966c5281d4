"""Files of the searched collections that a reference names: by address, by path, or by name alone."""

import re
from collections.abc import Iterator, Mapping
from pathlib import PurePath
from urllib.parse import unquote, urlsplit

from reports.audit.reference_entry import trimmed

_FILE = re.compile(r"file:/{1,3}[^\s<>\"“”«»]{1,500}", re.IGNORECASE)
_WEB = re.compile(r"https?://\S+", re.IGNORECASE)
_NAME = re.compile(r"[^\s<>\"“”«»()\[\],;:]{1,300}\.[A-Za-z]\w{0,9}\b")
"""A path or name with an ending."""
_LONGEST = 2_000
"""Characters of an entry that are looked at."""


class DocumentFiles:
    """The files of some collections, to be found by what a text calls them."""

    def __init__(self, files: Mapping[str, str]) -> None:
        """Take the hashes of texts by the paths of their files."""
        self._by_name: dict[str, list[tuple[tuple[str, ...], str]]] = {}
        for path, sha256 in files.items():
            parts = PurePath(path).parts
            self._by_name.setdefault(parts[-1].casefold(), []).append((parts, sha256))

    def named_in(self, entry: str) -> Iterator[str]:
        """Yield the hashes of the files that an entry names; of a name that several have none."""
        for written in _names(entry):
            parts = tuple(part for part in PurePath(written).parts if part not in (".", ".."))
            held = self._by_name.get(parts[-1].casefold(), ()) if parts else ()
            found = {sha256 for path, sha256 in held if path[-len(parts) :] == parts or len(parts) == 1}
            if len(found) == 1:
                yield found.pop()


def _names(entry: str) -> Iterator[str]:
    entry = entry[:_LONGEST]
    for match in _FILE.finditer(entry):
        yield unquote(urlsplit(trimmed(match[0])).path)
    for match in _NAME.finditer(_WEB.sub(" ", _FILE.sub(" ", entry))):
        yield unquote(trimmed(match[0]))
