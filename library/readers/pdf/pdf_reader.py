"""PDF to text with pdfium. pdfium is C++ and not thread-safe: this runs in a worker process only."""

import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import pairwise
from statistics import median
from typing import Any

from library.errors import ReadError
from library.readers.office.table_text import paragraphs
from library.readers.pdf.pdf_outline import bookmarks, with_headings
from library.readers.pdf.pdf_tables import PageTable, page_tables
from library.readers.pdf.pdf_words import Cut, cuts, largest_line, page_words, without_breaks
from library.readers.text_files.plain_text import seen
from library.text.multilingual.scripts import WIDE

_PASSWORD = 4
"""pdfium's error code for a document that wants a password."""
_ENDS_SENTENCE = re.compile(r"[.!?:;。！？：；…]['\"”’)\]）」]*$")
_WIDE = re.compile(f"[{WIDE}]")
_MOST_LAID_OUT = 1_000
"""Pages of a document in which tables and headings are looked for: 10 ms each, of the seconds for a file."""
_FIGURE = 72
"""Points that each side of a figure has at least: an inch."""
_WHOLE_PAGE = 0.9
"""Share of its page from which on an image is the page itself."""
_PRINTED = (re.compile(r"(?<=\S)\s+(\d{1,4})\s*$"), re.compile(r"^\s*(\d{1,4})\s+(?=\S)"))
"""The number of a page, below its text or above it."""
_NUMBERED = 0.6
"""Share of the pages with text whose numbers must count on, for them to be the pages' own."""
_BROKEN = re.compile("[\u0002\ufffe\u00ad]")
"""Where pdfium saw a hyphen at the end of a line."""
_BULLET = re.compile(r"(?:[•◦▪–*-]|\(?\d{1,2}[.)]|\(?[a-z][.)])\s")


def read_pdf(
    data: bytes,
    most_pages: int,
    largest: int = 50_000_000,
    seen_pages: Mapping[str, str] | None = None,
    seen_figures: Mapping[str, str] | None = None,
) -> dict[str, Any]:
    """Read a PDF: its text, the offsets of its pages, and what it says of itself.

    Args:
        data: The file.
        most_pages: It may have.
        largest: Characters of text that it may hold: a few bytes can stand for any amount.
        seen_pages: What a model that sees has read on pages without text, by their number from 0; with it,
            those that nobody has read are named, under `blank`. None: there is no such model.
        seen_figures: What it has read in the figures of pages with text, likewise; with it, all figures are
            named, under `figures`, as `draw_figures` takes them. None: they are not looked at.

    Raises:
        ReadError: It is encrypted or damaged, has too many pages or too much text, or holds no text.
    """
    import pypdfium2
    from pypdfium2 import raw

    try:
        document = pypdfium2.PdfDocument(data)
    except pypdfium2.PdfiumError as error:
        if raw.FPDF_GetLastError() == _PASSWORD or "password" in str(error).lower():
            raise ReadError("it is encrypted; save a copy without a password") from error
        raise ReadError(f"it is no readable PDF ({_reason(error)})") from error
    count = len(document)
    if count > most_pages:
        raise ReadError(f"it has {count} pages, more than {most_pages}; split it or raise read.pages")
    pages, size = list[str](), 0
    for n in range(count):
        seen_page = (seen_pages or {}).get(str(n))
        pages.append(seen_page or _page_text(document, n, largest, laid_out=count <= _MOST_LAID_OUT))
        if told := (seen_figures or {}).get(str(n)):
            pages[-1] = f"{pages[-1]}\n\n{told}"
        size += len(pages[-1])
        if size > largest:
            raise ReadError(f"it holds more than {largest / 1_000_000:g} MB of text (read.megabytes)")
    text, starts = _joined(with_headings(_unnumbered(pages), bookmarks(document)))
    if not text.strip() and seen_pages is None:
        raise ReadError("it holds no text (scanned pages? name a model that sees, models.vision, or run OCR)")
    said = document.get_metadata_dict(skip_empty=True)  # its dates are the file's, not the publication's
    return {
        "text": text,
        "pages": starts,
        "blank": [] if seen_pages is None else _drawn_on(document, pages, seen_pages),
        "figures": [] if seen_figures is None else _figures(document, pages),
        "title": said.get("Title"),
        "heading": _heading(document),
        "author": said.get("Author"),
    }


def _page_text(document: Any, n: int, largest: int, *, laid_out: bool) -> str:
    import pypdfium2

    try:
        page = document[n]
        text_page = page.get_textpage()
        words = page_words(text_page) if laid_out else []
        tables = page_tables(page, text_page, words, largest)
        text = _with_tables(text_page, tables, cuts(text_page, words))
        text_page.close()
        page.close()
    except pypdfium2.PdfiumError:
        return ""  # a damaged page costs that page alone; its number stays
    return text


def _heading(document: Any) -> str:
    """Return what the first page says in its largest letters; '' where none stand out."""
    import pypdfium2

    try:
        return largest_line(page_words(document[0].get_textpage())) if len(document) else ""
    except pypdfium2.PdfiumError:
        return ""


def _drawn_on(document: Any, pages: Sequence[str], seen_pages: Mapping[str, str]) -> list[int]:
    """Return the pages that hold no text and show something all the same."""
    bare = (n for n, text in enumerate(pages) if not text.strip() and str(n) not in seen_pages)
    return [n for n in bare if next(iter(document[n].get_objects(max_depth=2)), None) is not None]


def _figures(document: Any, pages: Sequence[str]) -> list[tuple[float, ...]]:
    """Return the images on pages with text: the page, and their edges in points.

    Small ones are signs and logos; one as large as its page is what the text was recognized from.
    """
    from pypdfium2 import raw

    found: list[tuple[float, ...]] = []
    for n in (n for n, text in enumerate(pages) if text.strip()):
        page = document[n]
        least_x, least_y, most_x, most_y = page.get_cropbox()
        whole = (most_x - least_x) * (most_y - least_y)
        for drawn in page.get_objects(filter=[raw.FPDF_PAGEOBJ_IMAGE], max_depth=3):
            left, bottom, right, top = drawn.get_bounds()
            left, right = max(left, least_x), min(right, most_x)
            bottom, top = max(bottom, least_y), min(top, most_y)
            if min(right - left, top - bottom) < _FIGURE:
                continue
            if (right - left) * (top - bottom) < _WHOLE_PAGE * whole:
                found.append((n, left, bottom, right, top))
        page.close()
    return found


def _flowing(text: str) -> str:
    return flow(seen(without_breaks(text)))


def _with_tables(text_page: Any, tables: Sequence[PageTable], begins: Sequence[Cut]) -> str:
    """Return a page's text with each table where the first of its words is drawn.

    Args:
        text_page: Of pypdfium2.
        tables: Of the page.
        begins: Where a paragraph begins, or some code.
    """
    starts = sorted((first, end, number) for number, table in enumerate(tables) for first, end in table.spans)
    parts, told, at = list[str](), set[int](), 0
    for first, end, number in [*starts, (text_page.count_chars(), 0, -1)]:
        own = [cut.first for cut in begins if at < cut.first < first]
        for start, stop in pairwise([at, *own, first]):
            if stop > start and (between := text_page.get_text_range(start, stop - start)).strip():
                parts.append(_code(between) if _is_code(start, begins) else _flowing(between))
        if number >= 0 and number not in told:
            told.add(number)
            parts += map(seen, paragraphs(tables[number].lines))
        at = max(at, end)
    return "\n\n".join(part for part in parts if part)


def _is_code(start: int, begins: Sequence[Cut]) -> bool:
    """Tell whether what goes on at a character is code; a page's first characters may be no word's."""
    at = bisect_right(begins, start, key=lambda cut: cut.first) - 1
    return at >= 0 and begins[at].code


def _code(text: str) -> str:
    lines = [line.rstrip() for line in seen(_BROKEN.sub("-", text)).split("\n")]
    return "\n".join(["```", *(line for line in lines if line), "```"])


def flow(text: str) -> str:
    """Join the lines of a page to paragraphs.

    A PDF knows lines, not paragraphs. A line that ends a sentence well before the right margin ends a
    paragraph; so does one before a bullet. A hyphen at a line's end is dropped when a small letter follows.
    """
    lines = [" ".join(line.split()) for line in re.sub(r"\r\n?", "\n", text).split("\n")]
    widths = [len(line) for line in lines if len(line) > 20]
    usual = median(widths) if widths else 0
    paragraphs = [""]
    for line, following in pairwise([*lines, ""]):
        paragraphs[-1] = _continued(paragraphs[-1], line)
        short = len(line) < usual * 0.8
        ends = not line or (short and (_ENDS_SENTENCE.search(line) or _is_heading(line, following, usual)))
        if ends or _BULLET.match(following):
            paragraphs.append("")
    return "\n\n".join(paragraph for paragraph in paragraphs if paragraph)


def _is_heading(line: str, following: str, usual: float) -> bool:
    return (
        len(line) < usual * 0.6 and line[:1].isupper() and following[:1].isupper() and not line.endswith(",")
    )


def _continued(paragraph: str, line: str) -> str:
    if not paragraph or not line:
        return paragraph or line
    last = paragraph[-1]
    if last == "-" and paragraph[-2:-1].isalpha() and line[0].islower():
        return paragraph[:-1] + line
    return paragraph + ("" if _WIDE.match(last) and _WIDE.match(line) else " ") + line


def _unnumbered(pages: Sequence[str]) -> list[str]:
    """Return pages without the numbers printed at their end or their beginning, where they count on."""
    for printed in _PRINTED:
        found = {n: int(match[1]) - n for n, page in enumerate(pages) if (match := printed.search(page))}
        usual, count = Counter(found.values()).most_common(1)[0] if found else (0, 0)
        if count > 1 and count >= _NUMBERED * sum(map(bool, pages)):
            pages = [printed.sub("", page) if found.get(n) == usual else page for n, page in enumerate(pages)]
    return list(pages)


def _joined(pages: list[str]) -> tuple[str, list[int]]:
    """Join pages by a blank line; return the text and the offset at which each page starts."""
    starts, parts, at = [], [], 0
    for page in pages:
        starts.append(at)
        parts.append(page)
        at += len(page) + (2 if page else 0)
    return "\n\n".join(part for part in parts if part), starts


def _reason(error: Exception) -> str:
    return " ".join(str(error).split())[:120]
