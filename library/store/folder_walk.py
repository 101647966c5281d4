"""Which files a folder holds: ordinary ones, each once, and none outside it unless links are followed.

A folder may hold anything: pipes and devices that never end, links in circles, links to all there is, names
in no encoding. A file is known by the path without links, so that whatever leads to it, it is read once.
"""

import errno
import os
import stat
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from library.readers.file_bytes import begins_as_man, begins_as_text, shown_path
from library.readers.file_kinds import (
    BARE,
    MAN,
    PAGE_PARTS,
    PICTURES,
    READABLE,
    REFERENCES,
    SCRIPTS,
    ending_of,
)
from library.store.own_writing import is_session_file, is_session_note

_SPHINX, _SPHINX_SOURCES = "objects.inv", "_sources"
"""What a folder of pages made by Sphinx holds, and where it keeps the texts of these pages once more."""
_MOST_KINDS, _SOME = 6, 3
"""Kinds of files that are not read that are told, and how many names of each."""
_MOST_NAMES = 100
"""Of each kind, where all are to be named."""
_NOWHERE, _OUTSIDE, _CIRCLE = "lead nowhere", "lead out of the folder (--follow-links)", "lead to themselves"
_OF_ONE = {
    _NOWHERE: "it is a link that leads nowhere",
    _OUTSIDE: "it is a link that leads out of the folder (--follow-links)",
    _CIRCLE: "it is a link that leads to itself",
}
"""What is said where one link alone is such."""


@dataclass(frozen=True, slots=True)
class Unread:
    """A file or folder that was left out."""

    path: str
    reason: str
    """One line that names it."""


def walk(
    path: Path,
    *,
    follow_links: bool = False,
    lists: bool = False,
    pictures: bool = False,
    own_notes: bool = False,
    names_unread: bool = False,
) -> Iterator[Path | Unread]:
    """Yield a file, or what a folder holds that can be read, and what of it is left out.

    Files come before those behind links, else in the order of their names; hidden ones are passed over in
    silence. Files of kinds that are not read are counted by their endings, and told in one line at the end.

    Args:
        path: A file or a folder, links in it resolved.
        follow_links: Read also what links in the folder lead to outside it.
        pictures: Pictures are read too, unless they stand beside web pages.
        lists: Yield lists of references instead, which are else passed over.
        own_notes: Read also what this program wrote of its sessions, in a vault or as their files.
        names_unread: Name each file of a kind that is not read, in a line for each kind.
    """
    if not path.is_dir():
        yield path
        return
    walked = _Walk(
        path, follow_links=follow_links, lists=lists, pictures=pictures, own_notes=own_notes,
        names_unread=names_unread,
    )  # fmt: skip
    yield from walked.all()


class _Walk:
    """One walk: what was met already, and the links, which wait for the end."""

    def __init__(
        self, root: Path, *, follow_links: bool, lists: bool, pictures: bool, own_notes: bool,
        names_unread: bool,
    ) -> None:  # fmt: skip
        self._root = root
        self._names_unread = names_unread
        self._takes_own = own_notes
        self._own: list[str] = []
        """Names of files that this program wrote of its sessions."""
        self._lists = lists
        self._beside_pages = SCRIPTS.union(PICTURES if pictures else ())
        self._follow = follow_links
        self._met: set[Path] = set()
        self._links: list[Path] = []
        self._others: defaultdict[str, list[str]] = defaultdict(list)
        """Names of files of kinds that are not read, by their endings."""
        self._astray: defaultdict[str, list[Path]] = defaultdict(list)
        """Links that are not followed, by what is wrong with them."""
        self._scripts: list[tuple[Path, Path]] = []
        """Programs and pictures that may belong to web pages: each with its path without links."""
        self._has_pages = False

    def all(self) -> Iterator[Path | Unread]:
        yield from self._found()
        yield from self._told()

    def _found(self) -> Iterator[Path | Unread]:
        yield from self._below(self._root)
        while self._links:  # what is behind one may hold others
            links, self._links = self._links, []
            for link in links:
                yield from self._behind(link)

    def _below(self, top: Path) -> Iterator[Path | Unread]:
        """Yield what is in a folder and those in it; a stack, for they may be deeper than calls may be."""
        waiting = [top]
        while waiting:
            path = waiting.pop()
            try:
                mode = path.lstat().st_mode
                if stat.S_ISLNK(mode):
                    self._links.append(path)
                elif not stat.S_ISDIR(mode):
                    yield from self._file(path, path, mode)
                elif self._is_new(path):
                    waiting += self._within(path)
            except OSError as error:
                yield _left_out(path, error.strerror or str(error))

    def _within(self, folder: Path) -> Iterator[Path]:
        """Yield what is looked at in a folder, the last first. Raises OSError."""
        with os.scandir(folder) as entries:
            names = {entry.name for entry in entries}
        sources = _SPHINX_SOURCES if _SPHINX in names else ""
        for name in sorted(names, reverse=True):
            if not self._takes_own and is_session_file(name, names):
                self._own += [name] if ending_of(folder / name) in READABLE else []
            elif name != sources and not name.startswith("."):
                yield folder / name

    def _file(self, path: Path, real: Path, mode: int) -> Iterator[Path | Unread]:
        ending = ending_of(path)
        if self._lists or ending in REFERENCES:
            if self._lists and ending in REFERENCES and stat.S_ISREG(mode) and self._is_new(real):
                yield path
            return
        if ending not in READABLE and ending not in self._beside_pages:
            self._others[ending].append(path.name)
            return
        if ending in self._beside_pages:
            self._scripts.append((path, real))
            return
        if ending == MAN and stat.S_ISREG(mode) and not begins_as_man(real):
            self._others[path.suffix.lower()].append(path.name)
            return
        if ending == BARE and not (stat.S_ISREG(mode) and begins_as_text(real)):
            self._others[path.suffix.lower() or BARE].append(path.name)
            return
        self._has_pages |= READABLE[ending] == "html"
        if not stat.S_ISREG(mode):
            yield _left_out(path, "it is no ordinary file")
        elif self._is_new(real):
            if not self._takes_own and is_session_note(real):
                self._own.append(path.name)
            else:
                yield path

    def _told(self) -> Iterator[Path | Unread]:
        """Yield programs and pictures that belong to no web page, and lines on what is left out."""
        # Programs and pictures of pages are not read where they are there, either.
        beside = self._beside_pages if self._has_pages else frozenset[str]()
        for why, met in self._astray.items():
            links = [link for link in met if link.suffix.lower() not in beside]
            if len(links) == 1:
                yield _left_out(links[0], _OF_ONE[why])
            elif links:
                names = _some([link.name for link in links])
                yield _left_out(self._root, f"{len(links)} links {why}: {names}")
        for path, real in self._scripts:
            if self._has_pages:
                self._others[path.suffix.lower()].append(path.name)
            elif self._is_new(real):
                yield path
        if self._own:
            number = len(self._own)
            what = "a file is" if number == 1 else f"{number} files are"
            what += " of Roundtable's own sessions (--own-notes reads them)"
            yield _left_out(self._root, f"{what}: {_some(self._own)}")
        if self._names_unread:
            for ending, held in sorted(self._others.items()):
                named = _some(sorted(held), _MOST_NAMES)
                yield _left_out(self._root, f"kind not read: {ending} ({len(held)}): {named}")
        elif self._others:
            number = sum(map(len, self._others.values()))
            what = "a file of a kind that is" if number == 1 else f"{number} files of kinds that are"
            yield _left_out(self._root, f"{what} not read: {self._other_kinds()}")

    def _other_kinds(self) -> str:
        """Return how many files there are of each kind that is not read, with some of their names.

        What belongs to web pages is one kind beside them, and is named by endings alone.
        """
        parts = {*PAGE_PARTS, *SCRIPTS} if self._has_pages else set[str]()
        by_number = sorted(self._others.items(), key=lambda pair: -len(pair[1]))
        of_pages = [ending for ending, _ in by_number if ending in parts]
        told = []
        if len(of_pages) > 1:
            number = sum(len(self._others[ending]) for ending in of_pages)
            told.append(f"{number} of web pages ({_some(of_pages)})")
            by_number = [(ending, names) for ending, names in by_number if ending not in parts]
        for ending, names in by_number[:_MOST_KINDS]:
            told.append(f"{len(names)} {ending} ({_some(names)})")
        rest = sum(len(names) for _, names in by_number[_MOST_KINDS:])
        return ", ".join([*told, *([f"and {rest} more"] if rest else [])])

    def _behind(self, link: Path) -> Iterator[Path | Unread]:
        """Yield what a link leads to, unless it was met or lies outside."""
        try:
            real = link.resolve(strict=True)
            mode = real.stat().st_mode
        except FileNotFoundError:
            if _names_a_text(link):
                self._astray[_NOWHERE].append(link)
            return
        except (OSError, RuntimeError) as error:
            if _names_a_text(link):
                if isinstance(error, OSError) and error.errno != errno.ELOOP:
                    yield _left_out(link, error.strerror or str(error))
                else:
                    self._astray[_CIRCLE].append(link)
            return
        folder = stat.S_ISDIR(mode)
        if real in self._met or not (folder or ending_of(link) in READABLE):
            return
        if not self._follow and not real.is_relative_to(self._root):
            self._astray[_OUTSIDE].append(link)
        elif folder:
            yield from self._below(real)
        else:
            yield from self._file(link, real, mode)

    def _is_new(self, real: Path) -> bool:
        known = real in self._met
        self._met.add(real)
        return not known


def _names_a_text(link: Path) -> bool:
    """Tell whether a link that leads to nothing is one to a file: folders have no ending, either."""
    return ending_of(link) in READABLE.keys() - {BARE}


def _some(names: list[str], most: int = _SOME) -> str:
    return ", ".join(map(shown_path, names[:most])) + (", …" if len(names) > most else "")


def _left_out(path: Path, reason: str) -> Unread:
    return Unread(shown_path(path), f"{shown_path(path)}: {reason}")
