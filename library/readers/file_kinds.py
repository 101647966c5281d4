"""Which kinds of files are read: by the ending of a name, by a media type, and by what the bytes are."""

import re
from pathlib import Path

from library.errors import ReadError
from library.readers.text_files.plain_text import UNKNOWN, binary_kind
from library.web.media_types import CSV, DOCX, EPUB, ODS, ODT, PPTX, TSV, XLSX

_TEXT = {
    ".md": "markdown", ".markdown": "markdown", ".mdx": "markdown",
    ".txt": "text", ".text": "text", ".rst": "text", ".log": "text", ".org": "text",
    ".adoc": "asciidoc", ".asciidoc": "asciidoc",
    ".html": "html", ".htm": "html", ".xhtml": "html",
}  # fmt: skip
_DOCUMENTS = {
    ".pdf": "pdf", ".docx": "docx", ".odt": "odt", ".epub": "epub", ".pptx": "slides",
    ".csv": "table", ".tsv": "table",
    ".xlsx": "sheets", ".xlsm": "sheets", ".xlsb": "sheets", ".xls": "sheets", ".ods": "sheets",
    ".eml": "mail", ".ipynb": "notebook", ".srt": "subtitles", ".vtt": "subtitles",
}  # fmt: skip
PICTURES = dict.fromkeys((".png", ".jpg", ".jpeg", ".webp", ".tif", ".tiff", ".gif", ".bmp"), "picture")
"""Read by a model that sees, where there is one."""
REFERENCES = frozenset({".bib", ".bibtex", ".ris"})
"""Lists of references: each of them is a source of its own (`library.references`)."""
PAGE_PARTS = frozenset({".woff", ".woff2", ".eot", ".ttf", ".otf", ".css", ".map", ".ico", ".svg", *PICTURES})
"""Fonts, styles and pictures: beside web pages they are parts of those, and nobody meant them to be read."""
SCRIPTS = frozenset({".js", ".mjs"})
"""Programs that stand beside web pages are a part of those, and not read."""
_CODE = (
    ".py .pyi .js .mjs .jsx .ts .tsx .java .kt .kts .scala .groovy .c .h .cc .cpp .cxx .hpp .cs .fs .go .rs "
    ".swift .m .mm .rb .php .pl .lua .r .jl .hs .ml .ex .exs .erl .clj .lisp .el .dart .zig .nim .sql .sh "
    ".yaml .yml .toml .ini .cfg .conf"
)
MAN = ".man"
"""Stands for the endings of manual pages: their sections, as in `rsync.1` and `EVP_Digest.3ssl`."""
BARE = "without an ending"
"""Stands for the ending of names that have none: README, NEWS. Their first bytes tell whether it is text."""
READABLE = _TEXT | _DOCUMENTS | dict.fromkeys(_CODE.split(), "code") | {MAN: "man", BARE: "text"}
"""Endings of files that are looked for in folders, and how they are read."""

PACKED = ".gz"
"""Ends the name of a file that is packed by itself, as Debian packs the longer texts of a documentation."""

BY_MEDIA_TYPE = {
    "text/markdown": "markdown", "text/x-markdown": "markdown", "text/plain": "text",
    "text/html": "html", "application/xhtml+xml": "html", "application/pdf": "pdf",
    DOCX: "docx", PPTX: "slides", XLSX: "sheets", ODS: "sheets", ODT: "odt", EPUB: "epub",
    CSV: "table", TSV: "table", "text/troff": "man", "application/x-troff-man": "man",
}  # fmt: skip
_LOOKS_LIKE_HTML = re.compile(
    rb"\s*+(?:<\?xml[^>]*>\s*+)?(?:<!--(?>.*?-->)\s*+)*<(?:!doctype\s+html|html[\s>])",
    re.IGNORECASE | re.DOTALL,
)
_PACKED = (
    (b"word/document", "docx"),
    (b"ppt/presentation", "slides"),
    (b"xl/workbook", "sheets"),
    (b"opendocument.spreadsheet", "sheets"),
    (b"opendocument.text", "odt"),
    (b"application/epub+zip", "epub"),
)
"""What stands in a ZIP archive of each kind, unpacked: names of its parts, and its own media type."""
_SECTION = re.compile(r"\.[1-9][a-z]{0,8}")
_TITLED = re.compile(rb"^\.[ \t]*(?:TH|Dd|so)[ \t]", re.MULTILINE)
"""What a manual page begins with, behind comments and settings: its title, its date, another page."""
BEGINNING = 64_000
"""Bytes that tell: what a translator or a converter puts first may be long."""
_OLD_OFFICE = b"\xd0\xcf\x11\xe0"
_CALLED = {
    "makefile": "makefile", "gnumakefile": "makefile", "dockerfile": "docker", "containerfile": "docker",
    "rakefile": "rb", "gemfile": "rb", "vagrantfile": "rb",
}  # fmt: skip
"""Languages of programs that are known by their whole names."""
_INTERPRETED = re.compile(rb"#![ \t]*+(\S[^\r\n]*+)")
_ARMOUR = b"-----BEGIN "
"""What keys, certificates and signed or encrypted messages begin with: no text that anybody wants read."""
_NOT_TEXT = ("pdf", "docx", "slides", "sheets", "odt", "epub")


def ending_of(path: Path) -> str:
    """Return the ending of a name, small; of a packed file that of what is in it, where that is read.

    A name without one, packed or not (`NEWS`, `NEWS.gz`), has `BARE`.
    """
    ending = path.suffix.lower()
    inside = Path(path.stem).suffix.lower() if ending == PACKED else ""
    if not ending or (ending == PACKED and not inside):
        return BARE
    if _SECTION.fullmatch(inside or ending):
        return MAN
    return inside if inside in READABLE else ending


def is_man(data: bytes) -> bool:
    """Tell whether bytes begin like a manual page; logs that were put away are called `mail.1`, too."""
    begins = data[:BEGINNING]
    return begins.lstrip()[:1] in (b".", b"'") and _TITLED.search(begins) is not None


def is_written(data: bytes) -> bool:
    """Tell whether the first bytes of a file whose name says nothing are of a text that somebody wrote."""
    return b"%PDF-" in data[:1024] or not (data.startswith(_ARMOUR) or binary_kind(data))


def language_of(name: str, data: bytes) -> str:
    """Return the language of a program without an ending, by its name or its first line; '' of a text."""
    if name.lower() in _CALLED:
        return _CALLED[name.lower()]
    found = _INTERPRETED.match(data[:1024])
    if found is None:
        return ""
    # What runs it, by its last name: of `/usr/bin/env -S python3 -u` that is python.
    words = [word.rsplit(b"/", 1)[-1] for word in found[1].split() if not word.startswith(b"-")]
    called = next((word for word in words if word != b"env"), b"")
    return called.decode("ascii", "replace").rstrip("0123456789.")


def kind_of(data: bytes, named: str | None) -> str:
    """Say how bytes are to be read: what they are goes before what they are called.

    Args:
        data: What is to be read.
        named: The kind that its name or media type stands for; None when there is none.

    Raises:
        ReadError: it is nothing that is read; the message says what it is.
    """
    if b"%PDF-" in data[:1024]:
        return "pdf"
    if data.startswith(b"PK\x03\x04"):
        found = [kind for mark, kind in _PACKED if mark in data]
        if found:
            return named if named in found else found[0]
    if named == "sheets" and data.startswith(_OLD_OFFICE):
        return "sheets"
    if named == "picture":
        return named
    what = binary_kind(data)
    if named in _NOT_TEXT and what in (None, UNKNOWN):
        called = {"slides": "presentation", "sheets": "spreadsheet"}.get(named, named.upper())
        raise ReadError(f"it is no {called}{', or it is damaged' if what else ''}")
    if what:
        raise ReadError(f"it is {what}, not text")
    if named in (None, "text", "man") and is_man(data):
        return "man"
    if named == "man":
        return "text"
    if named in (None, "text") and _LOOKS_LIKE_HTML.match(data[:4096]):
        return "html"
    return named or "text"
