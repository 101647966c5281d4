"""Letters (`.eml`) to text: who wrote to whom, when, about what, and the words of the letter."""

from email import policy
from email.message import EmailMessage
from email.parser import BytesParser
from email.utils import parsedate_to_datetime
from typing import Any

from library.errors import ReadError
from library.readers.html.html_reader import read_html
from library.readers.text_files.plain_text import seen, tidy

_HEADS = ("From", "To", "Cc", "Date", "Subject")


def read_mail(data: bytes, largest_page: int) -> dict[str, Any]:
    """Read a letter; files that came with it are named, and not read.

    Args:
        data: The file, as RFC 5322 has it.
        largest_page: Bytes that a letter in HTML may have.

    Raises:
        ReadError: it is no letter, or says nothing.
    """
    letter = BytesParser(policy=policy.default).parsebytes(data)
    assert isinstance(letter, EmailMessage)
    heads = {name: " ".join(str(letter[name]).split()) for name in _HEADS if letter[name]}
    if "From" not in heads and "Subject" not in heads:
        raise ReadError("it is no letter: it says neither who wrote it nor about what")
    words = _words(letter, largest_page)
    attached = [part.get_filename() or part.get_content_type() for part in letter.iter_attachments()]
    if not words and not attached:
        raise ReadError("the letter is empty")
    told = [f"{name}: {value}" for name, value in heads.items()]
    if attached:
        told.append(f"Attached: {', '.join(attached)}")
    return {
        # As a row of a table, whose heads they are: no sentences of the letter.
        "text": "\n\n".join([" | ".join(told), *([words] if words else [])]),
        "title": heads.get("Subject"),
        "author": heads.get("From"),
        "published": _day(heads.get("Date", "")),
    }


def _words(letter: EmailMessage, largest_page: int) -> str:
    body = letter.get_body(("plain", "html"))
    if body is None:
        return ""
    try:
        if body.get_content_type() == "text/html":
            page = body.get_payload(decode=True)
            assert isinstance(page, bytes)
            return str(read_html(page, body.get_content_charset(), largest_page, "2100-01-01")["text"])
        return tidy(seen(str(body.get_content())))
    except (LookupError, ValueError, UnicodeError) as error:
        raise ReadError(f"its words cannot be decoded ({error})") from error


def _day(text: str) -> str | None:
    try:
        return parsedate_to_datetime(text).date().isoformat()
    except (TypeError, ValueError, OverflowError, IndexError):
        return None
