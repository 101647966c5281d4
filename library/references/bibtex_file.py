"""BibTeX, also as BibLaTeX, Zotero, JabRef and Mendeley write it; parsed by bibtexparser."""

import logging
import re
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from library.errors import ReadError
from library.evidence import Work
from library.references.reference import CollectedReference
from library.references.reference_fields import attached_file, doi_of, iso_date

if TYPE_CHECKING:
    from bibtexparser.model import Entry

_KINDS = {
    "article": "article-journal", "inproceedings": "paper-conference", "conference": "paper-conference",
    "proceedings": "book", "book": "book", "inbook": "chapter", "incollection": "chapter", "booklet": "book",
    "techreport": "report", "report": "report", "manual": "report", "phdthesis": "thesis",
    "mastersthesis": "thesis", "thesis": "thesis", "unpublished": "article", "dataset": "dataset",
    "online": "webpage", "www": "webpage",
}  # fmt: skip
_VENUES = ("journaltitle", "journal", "booktitle", "publisher", "school", "institution", "organization")
_NOTES = ("note", "annote", "annotation", "comment")
_MONTHS = {name: n for n, name in enumerate(re.findall("...", "janfebmaraprmayjunjulaugsepoctnovdec"), 1)}
_OF_TEX = re.compile(r"(?<!\\)[%&#]")
"""Signs that TeX gives a meaning, and people who write BibTeX seldom mean it."""
_JOINED = re.compile(r"[\"}]\s*#\s*[\"{]")
"""Where a value is joined from two: `"Journal of " # "Dikes"`."""
_NESTING = re.compile(r"(?P<ends>[}\]]|\\end)|[{\[]|\\begin")
_DEEPEST, _LONGEST_TEX = 6, 20_000
"""How deep TeX may be nested, and how long it may be (characters), to be read as TeX: the parser takes twice
as long for each level, and 80,000 characters take seconds. What goes beyond stands as it is written."""
_PARTS = re.compile(r"(?<!\\)[:;]")
"""What parts the descriptions, paths and types of attached files."""
_MOST_PARTS = 300
"""Of what stands under `file`: each is looked for on the disk."""


def read_bibtex(text: str, folder: Path, broken: list[str]) -> Iterator[CollectedReference]:
    """Yield the entries of a file.

    Args:
        text: What is in it.
        folder: Where it lies: files that are attached are read from there and below alone.
        broken: Takes a line for each entry that cannot be read.

    Raises:
        ReadError: it cannot be read at all.
    """
    from bibtexparser.entrypoint import parse_string
    from bibtexparser.model import DuplicateBlockKeyBlock, Entry

    logging.getLogger("bibtexparser").setLevel(logging.ERROR)  # what is broken is told below
    try:
        library = parse_string(text)
    except (ValueError, RecursionError, IndexError) as error:
        raise ReadError(f"it is no BibTeX ({' '.join(str(error).split())[:120]})") from error
    for failed in library.failed_blocks:
        if not isinstance(failed, DuplicateBlockKeyBlock):
            why = " ".join(str(failed.error).split())[:160]
            broken.append(f"the entry at line {(failed.start_line or 0) + 1} is broken ({why})")
    for block in library.blocks:
        entry = block.ignore_error_block if isinstance(block, DuplicateBlockKeyBlock) else block
        if isinstance(entry, Entry):
            try:
                yield _reference(entry, folder)
            except (OSError, ValueError) as error:
                why = " ".join(str(error).split())[:160]
                broken.append(f"the entry {entry.key[:60]} cannot be read ({why})")


def _reference(entry: "Entry", folder: Path) -> CollectedReference:
    fields = {field.key.lower(): _value(str(field.value)) for field in entry.fields}

    def first(*names: str) -> str:
        return next((fields[name] for name in names if fields.get(name)), "")

    url = first("url")
    if not url and first("archiveprefix", "eprinttype").lower() == "arxiv" and first("eprint"):
        url = f"https://arxiv.org/abs/{first('eprint')}"
    title, more = (_plain(first(name)) for name in ("title", "subtitle"))
    work = Work(
        authors=tuple(_people(first("author", "editor"))),
        venue=_plain(first(*_VENUES)),
        doi=doi_of(first("doi")) or doi_of(url),
        kind=_KINDS.get(entry.entry_type.lower(), ""),
        title=f"{title}: {more}" if more else title,
        issued=_date(fields),
    )
    keywords = re.split(r"[,;]", _plain(first("keywords", "keyword")))
    named = [part.replace("\\", "") for part in _PARTS.split(first("file"))[:_MOST_PARTS]]
    files = (attached_file(name, folder) for name in named)
    return CollectedReference(
        key=entry.key, work=work, url=url, abstract=_plain(first("abstract")),
        notes=tuple(_plain(fields[name]) for name in _NOTES if fields.get(name)),
        tags=tuple(word.strip() for word in keywords if word.strip()),
        files=tuple(dict.fromkeys(file for file in files if file and file.is_file())),
    )  # fmt: skip


def _value(text: str) -> str:
    """Return a field's value; one that is joined from several still has the signs around each."""
    text = text.strip()
    if _JOINED.search(text) and text[0] in '"{' and text[-1] in '"}':
        text = _JOINED.sub("", text)[1:-1]
    return text.strip()


def _plain(text: str) -> str:
    """Return TeX as text: accents as letters, braces and commands gone, formulas as they are read."""
    if not re.search(r"[\\{}$~]|--", text) or len(text) > _LONGEST_TEX or _depth(text) > _DEEPEST:
        return text
    try:
        read: str = _tex_text(_OF_TEX.sub(r"\\\g<0>", text))
    except (ValueError, RecursionError, LookupError, TypeError, AttributeError):
        return text  # what is no TeX is read as it stands
    return read


def _tex_text(text: str) -> str:
    """Return TeX as text; raise what the parser raises."""
    from pylatexenc.latex2text import LatexNodes2Text
    from pylatexenc.latexwalker import LatexWalker

    commands, meanings = _tex_commands()
    nodes = LatexWalker(text, latex_context=commands).get_latex_nodes()[0]
    read: str = LatexNodes2Text(latex_context=meanings, math_mode="text").nodelist_to_text(nodes)
    return read


@cache
def _tex_commands() -> tuple[object, object]:
    """Return the commands of TeX that are known, and what each means.

    To make them anew for each value takes a millisecond, and a list of authors has thousands.
    """
    from pylatexenc import latex2text, latexwalker

    return latexwalker.get_default_latex_context_db(), latex2text.get_default_latex_context_db()


def _depth(text: str) -> int:
    """Return how deep braces, brackets and environments are nested, with those that stay open."""
    deepest = depth = 0
    for found in _NESTING.finditer(text):
        depth = max(0, depth - 1) if found["ends"] else depth + 1
        deepest = max(deepest, depth)
    return deepest


def _people(names: str) -> Iterator[str]:
    """Yield names with the given name first; what stands in braces is a body's, and stays whole."""
    from bibtexparser.middlewares.names import parse_single_name_into_parts, split_multiple_persons_names

    for name in split_multiple_persons_names(" ".join(names.split())):
        if name == "others":
            continue
        whole = name.startswith("{") and name.endswith("}") and name.count("{") == 1
        parts = None if whole else parse_single_name_into_parts(name, strict=False)
        yield _plain(name if parts is None else parts.merge_first_name_first)


def _date(fields: Mapping[str, str]) -> str:
    if fields.get("date"):
        return iso_date(fields["date"])
    year, month = iso_date(fields.get("year", "")), fields.get("month", "").lower().strip(". ")
    number = int(month) if month.isdecimal() and len(month) < 3 else _MONTHS.get(month[:3], 0)
    return f"{year}-{number:02d}" if year and 0 < number < 13 else year
