"""References as managers export them: RIS and BibTeX, which all write, and CSL-JSON.

RIS (`L1`) and BibTeX (`file`) tell where attached files lie. Those beside the export, or in folders there,
are read; a path to anywhere else is left alone.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from library.errors import ReadError
from library.evidence import Work
from library.readers.file_bytes import file_bytes, shown_path
from library.readers.file_kinds import REFERENCES
from library.readers.text_files.plain_text import decode, seen, seen_json
from library.references.bibtex_file import read_bibtex
from library.references.reference import CollectedReference
from library.references.reference_fields import attached_file, doi_of, iso_date

_ENDINGS = (*REFERENCES, ".csljson", ".json")
_MEGABYTES = 50.0
_LINE = re.compile(r"([A-Z][A-Z0-9])  - ?(.*)")
_KINDS = {
    "JOUR": "article-journal", "MGZN": "article-magazine", "NEWS": "article-newspaper",
    "CONF": "paper-conference", "CPAPER": "paper-conference", "BOOK": "book", "CHAP": "chapter",
    "RPRT": "report", "THES": "thesis", "DATA": "dataset", "UNPB": "article", "ELEC": "webpage",
}  # fmt: skip


def is_reference_file(path: Path) -> bool:
    """Tell whether a file is an export of references by its name."""
    return path.suffix.lower() in _ENDINGS


@dataclass(frozen=True, slots=True)
class ReferenceList:
    """What an export holds."""

    references: list[CollectedReference]
    broken: list[str]
    """One line for each part of it that cannot be read."""


def read_references(path: Path) -> ReferenceList:
    """Read an export. Raises ReadError, which says what it is not."""
    broken: list[str] = []
    try:
        text = seen(decode(file_bytes(path, _MEGABYTES)))
        match path.suffix.lower():
            case ".ris":
                found = list(_ris(text, path.parent))
            case ".bib" | ".bibtex":
                found = list(read_bibtex(text, path.parent, broken))
            case _:
                found = list(_csl(text))
    except ReadError as error:
        raise ReadError(f"{shown_path(path)}: {error}") from error
    if not found:
        why = broken[0] if broken else "it holds no references (RIS, BibTeX and CSL-JSON are read)"
        raise ReadError(f"{shown_path(path)}: {why}")
    return ReferenceList(found, broken)


def _ris(text: str, folder: Path) -> Iterator[CollectedReference]:
    fields: dict[str, list[str]] = {}
    last = ""
    count = 0
    for line in text.splitlines():
        found = _LINE.match(line.rstrip())
        if found is None:
            if last and line.strip():  # a value that goes on
                fields[last][-1] += f"\n{line.strip()}"
            continue
        last, value = found[1], found[2].strip()
        if last == "ER":
            count += 1
            yield _from_ris(fields, folder, count)
            fields, last = {}, ""
        else:
            fields.setdefault(last, []).append(value)


def _from_ris(fields: Mapping[str, Sequence[str]], folder: Path, number: int) -> CollectedReference:
    def first(*tags: str) -> str:
        return next((value for tag in tags for value in fields.get(tag, ()) if value), "")

    work = Work(
        authors=tuple(map(_given_first, [*fields.get("AU", ()), *fields.get("A1", ())])),
        venue=first("T2", "JO", "JF", "PB"),
        doi=doi_of(first("DO")),
        kind=_KINDS.get(first("TY"), ""),
        title=first("TI", "T1"),
        issued=iso_date(first("DA", "PY", "Y1")),
    )
    named = [value for tag in ("L1", "L2") for value in fields.get(tag, ())]
    files = [file for value in named if (file := attached_file(value, folder))]
    return CollectedReference(
        key=first("ID") or f"reference-{number}", work=work, url=first("UR"), abstract=first("AB", "N2"),
        notes=tuple(fields.get("N1", ())), tags=tuple(fields.get("KW", ())), files=tuple(files),
    )  # fmt: skip


def _csl(text: str) -> Iterator[CollectedReference]:
    try:
        items = seen_json(text)
    except (ValueError, RecursionError) as error:
        raise ReadError("it is no JSON") from error
    for number, item in enumerate(items if isinstance(items, list) else (), 1):
        if isinstance(item, dict) and isinstance(item.get("title"), str):
            yield _from_csl(item, number)


def _from_csl(item: Mapping[str, Any], number: int) -> CollectedReference:
    def text(name: str) -> str:
        value = item.get(name)
        return str(value) if isinstance(value, str | int) else ""

    named = item.get("author")
    said = [name for name in named if isinstance(name, dict)] if isinstance(named, list) else []
    authors = [str(n.get("literal") or f"{n.get('given', '')} {n.get('family', '')}") for n in said]
    issued = item.get("issued")
    parts = issued.get("date-parts") if isinstance(issued, dict) else None
    day = parts[0] if isinstance(parts, list) and parts and isinstance(parts[0], list) else []
    work = Work(
        authors=tuple(author.strip() for author in authors),
        venue=text("container-title") or text("publisher"),
        doi=doi_of(text("DOI")),
        kind=text("type"),
        title=text("title"),
        issued=iso_date("-".join(str(part) for part in day[:3])),
    )
    return CollectedReference(
        key=text("id") or f"reference-{number}", work=work, url=text("URL"), abstract=text("abstract"),
        notes=(text("note"),) if text("note") else (), tags=tuple(filter(None, text("keyword").split(","))),
    )  # fmt: skip


def _given_first(name: str) -> str:
    family, comma, given = name.partition(",")
    return f"{given.strip()} {family.strip()}" if comma else name
