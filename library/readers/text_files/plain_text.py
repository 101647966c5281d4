"""Bytes to text: which encoding, which kind of file, and which characters nobody sees."""

import codecs
import json
import re
from typing import Any

from library.errors import ReadError
from library.text.hidden_characters import UNSEEN, WRITTEN_SEQUENCE

_BOMS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_MAGIC = (
    (b"\x89PNG", "a PNG image"),
    (b"\xff\xd8\xff", "a JPEG image"),
    (b"GIF8", "a GIF image"),
    (b"RIFF", "a sound, film or WebP file"),
    (b"PK\x03\x04", "a ZIP archive"),
    (b"\x1f\x8b", "a gzip archive"),
    (b"7z\xbc\xaf", "a 7z archive"),
    (b"BZh", "a bzip2 archive"),
    (b"\xfd7zXZ", "an xz archive"),
    (b"\x7fELF", "a program"),
    (b"MZ", "a Windows program"),
    (b"SQLite format 3", "an SQLite database"),
    (b"\xd0\xcf\x11\xe0", "an old Office document or an encrypted one (save it as .docx without a password)"),
    (b"{\\rtf", "an RTF document (save it as .docx)"),
    (b"%!PS", "a PostScript document (convert it to PDF)"),
    (b"ID3", "a sound file"),
    (b"OggS", "a sound or film file"),
)
_DETECTED_ON = 65_536
"""Bytes that a guess of the encoding looks at."""

_LINE_ENDS = re.compile(r"\r\n?|[\u0085\u2028]|\u000b|\u000c")
_BLANK_LINES = re.compile(r"\n[ \t]*\n(?:[ \t]*\n)+")
_META_CHARSET = re.compile(
    rb"<meta[^>]{0,200}?charset\s*+=\s*+[\"']?\s*+([A-Za-z0-9_.:-]{2,40})", re.IGNORECASE
)


def seen(text: str) -> str:
    """Return the text without characters that nobody sees, its lines ended by line feeds alone."""
    if not text.replace("\n", "").replace("\t", "").isprintable():  # no control character is printable
        text = _LINE_ENDS.sub("\n", text.replace("\u2029", "\n\n"))
        text = WRITTEN_SEQUENCE.sub("", text)
    elif text.isascii():
        return text
    return UNSEEN.sub("", text)


def seen_json(data: str | bytes) -> Any:
    """Return JSON of others, its texts as `seen`. Raises ValueError, RecursionError for what is none."""
    return json.loads(data, object_pairs_hook=lambda pairs: {_shown(k): _shown(v) for k, v in pairs})


def _shown(value: Any) -> Any:
    if isinstance(value, list):  # lists of lists too: objects in them are done
        return [_shown(each) for each in value]
    return seen(value) if isinstance(value, str) else value


def tidy(text: str) -> str:
    """Return the text without runs of blank lines and without space around it."""
    return _BLANK_LINES.sub("\n\n", text).strip()


_ODD = bytes([*range(1, 9), *range(14, 27), *range(28, 32)])
"""Control characters that texts have few of."""
UNKNOWN = "a binary file"
"""What is said of bytes that are no text and that nothing tells the kind of."""


def binary_kind(data: bytes) -> str | None:
    """Say what a file is that is no text; None when it may be text. Ask about PDF and DOCX before."""
    if data.startswith(tuple(bom for bom, _ in _BOMS)):
        return None
    for magic, name in _MAGIC:
        if data.startswith(magic):
            return name
    start = data[:8192]
    if start[4:8] == b"ftyp":
        return "a film or sound file"
    odd = len(start) - len(start.translate(None, _ODD))
    return UNKNOWN if b"\0" in start or odd > len(start) * 0.02 else None


def decode(data: bytes, declared: str | None = None) -> str:
    """Decode bytes: by their byte order mark, as UTF-8, as declared, or by a guess from the bytes themselves.

    UTF-8 comes before the declaration, because bytes of another encoding are hardly ever valid UTF-8, while
    declarations are often left over. Raises ReadError when nothing fits.
    """
    for bom, encoding in _BOMS:
        if data.startswith(bom):
            return data[len(bom) :].decode(encoding, "replace")
    if not _is_stateful(declared):
        try:
            return data.decode("utf-8")
        except UnicodeDecodeError:
            pass  # one of the others
    if declared and (text := _as_declared(data, declared)) is not None:
        return text
    return _guessed(data)


def _is_stateful(declared: str | None) -> bool:
    """Tell whether the encoding writes other letters with ASCII bytes, so that it would pass for UTF-8."""
    return declared is not None and declared.lower().startswith(
        ("iso-2022", "hz", "utf-7", "utf-16", "utf-32")
    )


def _as_declared(data: bytes, declared: str) -> str | None:
    try:
        codec = codecs.lookup(declared)
    except (LookupError, ValueError):
        return None
    # Browsers read what calls itself ISO 8859-1 as Windows-1252, and GB 2312 as its superset.
    name = {"iso8859-1": "cp1252", "ascii": "cp1252", "gb2312": "gb18030", "gbk": "gb18030"}.get(
        codec.name, codec.name
    )
    try:
        text = data.decode(name, "replace")
    except (LookupError, ValueError, TypeError):
        return None  # a codec that does not make text of bytes, such as "hex"
    return text if isinstance(text, str) and text.count("\ufffd") <= len(text) * 0.01 else None


def _guessed(data: bytes) -> str:
    from charset_normalizer import from_bytes

    best = from_bytes(data[:_DETECTED_ON]).best()
    if best is None:
        raise ReadError("its encoding cannot be made out; save it as UTF-8")
    return data.decode(best.encoding, "replace")


def html_charset(data: bytes) -> str | None:
    """Return the encoding that a page declares in its first bytes; None when it does not."""
    found = _META_CHARSET.search(data[:4096])
    return found[1].decode("ascii").lower() if found else None
