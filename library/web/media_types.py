"""Names of media types, and what bytes without such a name look like."""

DOCX = "application/vnd.openxmlformats-officedocument.wordprocessingml.document"
PPTX = "application/vnd.openxmlformats-officedocument.presentationml.presentation"
XLSX = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
ODS = "application/vnd.oasis.opendocument.spreadsheet"
ODT = "application/vnd.oasis.opendocument.text"
EPUB = "application/epub+zip"
CSV = "text/csv"
TSV = "text/tab-separated-values"
PAGES = frozenset(
    {
        "text/html",
        "application/xhtml+xml",
        "text/plain",
        "text/markdown",
        "text/x-markdown",
        "application/pdf",
        DOCX,
        PPTX,
        XLSX,
        ODS,
        ODT,
        EPUB,
        CSV,
        TSV,
    }
)
"""What the reader can make text of."""
JSON = frozenset({"application/json", "text/json", "text/javascript"})
ATOM = frozenset({"application/atom+xml", "application/xml", "text/xml"})
UNTYPED = ("", "application/octet-stream", "binary/octet-stream")
"""Sent by servers that do not know."""


def content_type(header: str) -> tuple[str, str | None]:
    """Read a Content-Type header: the media type, and the charset if one is named, both in lower case."""
    media_type, *parameters = (part.strip() for part in header.split(";"))
    for parameter in parameters:
        name, _, value = parameter.partition("=")
        if name.strip().lower() == "charset" and value.strip(" \"'"):
            return media_type.lower(), value.strip(" \"'").lower()
    return media_type.lower(), None


def sniffed(data: bytes) -> str:
    """Say what bytes without a media type are; an empty string when they look like nothing that is read."""
    start = data[:1024].lstrip().lower()
    if start.startswith(b"%pdf-"):
        return "application/pdf"
    if start.startswith(b"pk\x03\x04") and b"word/document" in data:
        return DOCX
    return "text/html" if start.startswith((b"<!doctype html", b"<html")) else ""
