"""References as managers export them: RIS, which all write, and CSL-JSON.

RIS tells where attached files lie (`L1`). Those beside the export, or in folders there, are read; a path to
anywhere else is the word of whoever made the export, and is left alone.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

from library.errors import ReadError
from library.evidence import Work
from library.readers.file_bytes import file_bytes, shown_path
from library.readers.plain_text import decode, seen, seen_json
from library.references.reference import CollectedReference

_ENDINGS = (".ris", ".csljson", ".json")
_MEGABYTES = 50.0
_LINE = re.compile(r"([A-Z][A-Z0-9])  - ?(.*)")
_DOI = re.compile(r"(?:https?://(?:dx\.)?doi\.org/|doi:\s*)?(10\.\d{4,9}/\S+)", re.IGNORECASE)
_KINDS = {
    "JOUR": "article-journal", "MGZN": "article-magazine", "NEWS": "article-newspaper",
    "CONF": "paper-conference", "CPAPER": "paper-conference", "BOOK": "book", "CHAP": "chapter",
    "RPRT": "report", "THES": "thesis", "DATA": "dataset", "UNPB": "article", "ELEC": "webpage",
}  # fmt: skip


def is_reference_file(path: Path) -> bool:
    """Tell whether a file is an export of references by its name."""
    return path.suffix.lower() in _ENDINGS


def read_references(path: Path) -> list[CollectedReference]:
    """Read an export. Raises ReadError, which says what it is not."""
    try:
        text = seen(decode(file_bytes(path, _MEGABYTES)))
        found = list(_ris(text, path.parent) if path.suffix.lower() == ".ris" else _csl(text))
    except ReadError as error:
        raise ReadError(f"{shown_path(path)}: {error}") from error
    if not found:
        raise ReadError(f"{shown_path(path)}: it holds no references (RIS and CSL-JSON are read)")
    return found


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
        doi=_doi(first("DO")),
        kind=_KINDS.get(first("TY"), ""),
        title=first("TI", "T1"),
        issued=_date(first("DA", "PY", "Y1")),
    )
    files = [file for tag in ("L1", "L2") for value in fields.get(tag, ()) if (file := _file(value, folder))]
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

    said = [name for name in item.get("author") or () if isinstance(name, dict)]
    authors = [name.get("literal") or f"{name.get('given', '')} {name.get('family', '')}" for name in said]
    issued = item.get("issued")
    parts = issued.get("date-parts") if isinstance(issued, dict) else None
    day = parts[0] if isinstance(parts, list) and parts and isinstance(parts[0], list) else []
    work = Work(
        authors=tuple(author.strip() for author in authors),
        venue=text("container-title") or text("publisher"),
        doi=_doi(text("DOI")),
        kind=text("type"),
        title=text("title"),
        issued="-".join(f"{int(part):02d}" for part in day[:3] if str(part).isdecimal()),
    )
    return CollectedReference(
        key=text("id") or f"reference-{number}", work=work, url=text("URL"), abstract=text("abstract"),
        notes=(text("note"),) if text("note") else (), tags=tuple(filter(None, text("keyword").split(","))),
    )  # fmt: skip


def _given_first(name: str) -> str:
    family, comma, given = name.partition(",")
    return f"{given.strip()} {family.strip()}" if comma else name


def _doi(text: str) -> str:
    found = _DOI.match(text.strip())
    return found[1] if found else ""


def _date(text: str) -> str:
    """Read `2021/05/07/`, `2021` or `2021-05` as an ISO 8601 date, as far as it goes."""
    parts = re.findall(r"\d+", text[:10])
    if not parts or len(parts[0]) != 4:
        return ""
    return "-".join([parts[0], *(f"{int(part):02d}" for part in parts[1:3] if 0 < int(part) < 32)])


def _file(named: str, folder: Path) -> Path | None:
    """Return where an attached file lies, beside the export or below; None for anything else."""
    try:
        parts = urlsplit(named)
        path = Path(unquote(parts.path)) if parts.scheme == "file" else folder / named
        return path if named and path.resolve().is_relative_to(folder.resolve()) else None
    except (ValueError, OSError):
        return None
