"""Files and pages to sources; which kinds, and how each is known, stands in `file_kinds.py`.

Text is read in this process and costs next to nothing. Everything else is read by worker processes with
bounds on memory and time (`worker_pool.py`). Every failure is a `ReadError` of one line that says
what the file is.
"""

import asyncio
import contextlib
import re
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

from library.errors import ReadError
from library.evidence import Source, fingerprint
from library.readers.file_bytes import file_bytes, shown_path
from library.readers.file_kinds import (
    BARE,
    BY_MEDIA_TYPE,
    PACKED,
    PICTURES,
    READABLE,
    ending_of,
    kind_of,
    language_of,
)
from library.readers.pictures.picture_tasks import PictureReader
from library.readers.read_settings import ReadSettings
from library.readers.site.page_links import PageLinks, SitemapList
from library.readers.text_files.asciidoc import asciidoc_as_markdown
from library.readers.text_files.bare_headings import with_bare_headings, with_comments_as_code
from library.readers.text_files.dated_lines import dated_lines
from library.readers.text_files.front_matter import FrontMatter, front_matter
from library.readers.text_files.markdown_code import code_spans
from library.readers.text_files.markdown_html import without_tags
from library.readers.text_files.markdown_links import without_links
from library.readers.text_files.markdown_marks import without_own_marks
from library.readers.text_files.note_links import without_note_links
from library.readers.text_files.plain_text import decode, seen, tidy
from library.readers.text_files.underlined_headings import marked_headings, unframed
from library.readers.text_files.wiki_text import is_wiki_text, wiki_as_markdown
from library.readers.workers.parser_worker import OWN
from library.readers.workers.worker_pool import Workers
from library.text import byline, reported
from library.web.media_types import content_type
from models.prompting import cut_point

if TYPE_CHECKING:
    from library.web.fetcher import Fetched  # an HTTP client that reading files has no use for

_HEADING = re.compile(r"^#{1,2}[ \t]+(.+)$", re.MULTILINE)
_BEGINNING_OF_TEXT = 4096
"""Characters in which a text's title is looked for."""
_UNDERLINED = re.compile(r"^(\S[^\n]{1,99})\n([=~*#^-])\2{2,99}[ \t]*$", re.MULTILINE)
"""A heading of plain text, as manuals are written: a line with a line of one sign below it."""
_ADDRESS = re.compile(r"(?!(?:javascript|data|vbscript):)[^\x00-\x1f\x7f<>]{1,2000}", re.IGNORECASE)
"""What a document may say that it is from: an address, a DOI, a shelf mark; nothing that a browser would run.
Reports make links of http and https alone."""
_MADE_UP = re.compile(r"(?=.*\d)[0-9a-f]{8,}|[0-9a-f]{8}(?:-[0-9a-f]{4,12}){3,4}", re.IGNORECASE)
_DRAWN = 4
"""Pages that are drawn at a time: each is some MB."""
_NAMED = 10
"""Pages that are named at most, of those that could not be seen."""
_BEGINNING = 60
"""Characters of a text that stand for its title."""
_NO_TITLE = re.compile(
    r"untitled.*|no title|\(?(?:anonymous|unspecified|unknown)\)?|document\d*"
    r"|microsoft (?:word|powerpoint) - .*"
    r"|.*\.(?:docx?|odt|indd|tex|dvi|qxd|pptx?|rtf)",
    re.IGNORECASE,
)
_NO_AUTHOR = re.compile(
    r"python-(?:docx|pptx)|openpyxl|apache poi|(?:microsoft office|windows) user", re.IGNORECASE
)
"""Whom programs, and their templates, name as the author of a file where nobody is told."""


class Reader:
    """Reads files and pages; `close()` lets its worker processes go."""

    def __init__(self, settings: ReadSettings | None = None, pictures: PictureReader | None = None) -> None:
        """Set up; `pictures` has scans and pictures read by a model that sees, None: nobody reads them."""
        self.settings = settings or ReadSettings()
        self.pictures = pictures
        self._workers = Workers(
            self.settings.workers, self.settings.worker_megabytes, self.settings.worker_seconds
        )
        # Threads of its own: those of the event loop would all wait for the few workers, and nothing else
        # got on.
        self._threads = ThreadPoolExecutor(self.settings.workers, thread_name_prefix="reader")
        self._missed: dict[str, str] = {}

    @property
    def side_by_side(self) -> int:
        """How many files it can read at the same time."""
        return self.settings.workers

    @property
    def reads_pictures(self) -> bool:
        """Whether there is a model that sees."""
        return self.pictures is not None

    @property
    def names_unread(self) -> bool:
        """Whether each file of a kind that is not read is to be named."""
        return self.settings.names_unread

    def missed(self, sha256: str) -> str:
        """Return which pages of a text that it read nobody could see, and why; '' where none is missing."""
        return self._missed.get(sha256, "")

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_error: object) -> None:
        self.close()

    def close(self) -> None:
        """Let the worker processes go, after what they are at."""
        self._threads.shutdown(wait=True, cancel_futures=True)
        self._workers.close()

    async def warm_up(self) -> None:
        """Start a worker process and let it import what reads pages: about half a second, once."""
        with contextlib.suppress(ReadError):  # there is nothing to be read in it
            await self.read_bytes_async(b"<!doctype html><html></html>", "about:blank", "text/html")

    def read_file(self, path: Path, retrieved: str = "") -> Source:
        """Read a file of the user's own. Raises ReadError."""
        return self.read_file_bytes(self.file_bytes(path), path, retrieved)

    def read_manuscript(self, path: Path) -> Source:
        """Read a text that cites: links keep their addresses, notes and lists of references stay.

        Raises ReadError.
        """
        data = self.file_bytes(path)
        try:
            kind = kind_of(data, READABLE.get(ending_of(path)))
            if kind in ("html", "docx"):
                read = self._workers.perform(kind, data, **self._options(kind, None, "", ""), links=True)
        except ReadError as error:
            raise ReadError(f"{shown_path(path)}: {error}") from error
        if kind not in ("html", "docx"):
            return self.read_file_bytes(data, path, links=True)
        return _worker_source(read, kind, path.absolute().as_uri(), "", shown_path(path.stem), private=True)

    def file_bytes(self, path: Path) -> bytes:
        """Return what is in a file, within the bound on its size. Raises ReadError."""
        try:
            return file_bytes(path, self.settings.megabytes)
        except ReadError as error:
            raise ReadError(f"{shown_path(path)}: {error}") from error

    def read_file_bytes(self, data: bytes, path: Path, retrieved: str = "", *, links: bool = False) -> Source:
        """Read what a file of the user's own held when it was looked at. Raises ReadError.

        Args:
            data: What it held.
            path: Where it was.
            retrieved: When, ISO 8601.
            links: Whether links of Markdown to the web keep their addresses.
        """
        ending = ending_of(path)
        packed = path.suffix.lower() == PACKED and ending != PACKED
        stem = Path(path.stem).stem if packed else path.stem
        kind = READABLE.get(ending, PICTURES.get(ending))
        language = language_of(stem, data) if ending == BARE else ending[1:]
        if ending == BARE and language:
            kind = "code"
        try:
            url, name = path.absolute().as_uri(), shown_path(path.name if kind == "code" else stem)
            return self._source(data, url, kind, None, retrieved, name, language, private=True, links=links)
        except ReadError as error:
            raise ReadError(f"{shown_path(path)}: {error}") from error

    def read_bytes(
        self, data: bytes, url: str, media_type: str | None, retrieved: str = "", *, private: bool = False
    ) -> Source:
        """Read what was fetched from a url. Raises ReadError.

        Args:
            data: What was fetched.
            url: Where it was; a page's own word on its url is not taken.
            media_type: As the server named it, with or without `; charset=…`; None when it did not.
            retrieved: When, ISO 8601.
            private: It is the user's own.
        """
        essence, charset = content_type(media_type or "")
        kind = BY_MEDIA_TYPE.get(essence)
        try:
            return self._source(data, url, kind, charset, retrieved, "", "", private=private)
        except ReadError as error:
            raise ReadError(f"{url}: {error}") from error

    async def read_file_async(self, path: Path, retrieved: str = "") -> Source:
        """Read a file of the user's own without holding up the event loop. Raises ReadError."""
        return await self._in_thread(partial(self.read_file, path, retrieved))

    async def read_bytes_async(
        self, data: bytes, url: str, media_type: str | None, retrieved: str = "", *, private: bool = False
    ) -> Source:
        """Read what was fetched from a url without holding up the event loop. Raises ReadError."""
        return await self._in_thread(
            partial(self.read_bytes, data, url, media_type, retrieved, private=private)
        )

    async def see(self, picture: str) -> str:
        """Return what a picture says, a PNG in base64; '' where nobody sees it. Raises ReadError."""
        if self.pictures is None:
            return ""
        read = partial(self.pictures.read, picture)
        return await asyncio.get_running_loop().run_in_executor(self._threads, read)

    async def read_page(self, page: "Fetched") -> Source:
        """Read a page as it was fetched. Raises ReadError."""
        media_type = f"{page.media_type}; charset={page.charset}" if page.charset else page.media_type
        return await self.read_bytes_async(page.data, page.url, media_type, page.retrieved)

    async def links(self, page: "Fetched") -> PageLinks:
        """Return where a page of HTML leads. Raises ReadError."""
        largest = int(self.settings.html_megabytes * 1_000_000)
        read = partial(
            self._workers.perform, "page links", page.data,
            charset=page.charset, url=page.url, largest=largest,
        )  # fmt: skip
        return PageLinks(**await asyncio.get_running_loop().run_in_executor(self._threads, read))

    async def sitemap(self, data: bytes) -> SitemapList:
        """Return what a sitemap lists. Raises ReadError."""
        largest = int(self.settings.unpacked_megabytes * 1_000_000)
        read = partial(self._workers.perform, "sitemap", data, largest=largest)
        return SitemapList(**await asyncio.get_running_loop().run_in_executor(self._threads, read))

    def work(self, job: str, data: bytes, **options: Any) -> dict[str, Any]:
        """Have a worker process do a job: `module:function`, given data and options. Raises ReadError."""
        return self._workers.perform(OWN, data, job=job, options=options)

    async def _in_thread(self, read: Callable[[], Source]) -> Source:
        return await asyncio.get_running_loop().run_in_executor(self._threads, read)

    def _source(
        self,
        data: bytes,
        url: str,
        kind: str | None,
        charset: str | None,
        retrieved: str,
        name: str,
        ending: str,
        *,
        private: bool,
        links: bool = False,
    ) -> Source:
        if not data.strip(b" \t\r\n\0\xef\xbb\xbf"):
            raise ReadError("it is empty")
        kind = kind_of(data, kind)
        if kind in ("markdown", "text", "asciidoc"):
            text = decode(data, charset)
            return _text_source(text, kind, url, retrieved, name, private=private, links=links)
        options = self._options(kind, charset, retrieved, ending)
        if kind == "picture":
            read = self._picture(data)
        elif kind == "pdf" and self.pictures is not None:
            read = self._scanned(data, options, self.pictures)
        else:
            read = self._workers.perform(kind, data, **options)
        source = _worker_source(read, kind, url, retrieved, name, private=private)
        if "missed" in read:
            self._missed[source.sha256] = read["missed"]
        return source

    def _picture(self, data: bytes) -> dict[str, Any]:
        if self.pictures is None:
            raise ReadError("it is a picture, not text; a model that sees can read it (models.vision)")
        [picture] = self._workers.perform("picture", data)["pictures"]
        text = self.pictures.read(picture)
        if not text:
            raise ReadError(f"the picture says nothing, as {self.pictures.name} sees it")
        return {"text": text}

    def _scanned(self, data: bytes, options: dict[str, Any], pictures: PictureReader) -> dict[str, Any]:
        """Read a PDF whose pages may be scans: those without text are drawn, and seen; figures where asked.

        What cannot be seen costs itself alone; which page, and why, stands under `missed`.
        """
        seen_pages: dict[str, str] = {}
        seen_figures: dict[str, str] | None = {} if self.settings.figures else None
        failed: dict[int, ReadError] = {}
        wanted = {**options, "seen_pages": seen_pages, "seen_figures": seen_figures}
        read = self._workers.perform("pdf", data, **wanted)
        for n, text in self._seen("pdf pages", "pages", read["blank"], data, pictures, failed):
            seen_pages[str(n)] = text
        for n, text in self._seen("pdf figures", "figures", read["figures"], data, pictures, failed):
            if text and seen_figures is not None:
                told = f"Figure, as {pictures.name} reads it: {text}"
                seen_figures[str(n)] = "\n\n".join(filter(None, (seen_figures.get(str(n)), told)))
        if any(seen_pages.values()) or seen_figures:
            read = self._workers.perform("pdf", data, **wanted)
        first = next(iter(failed.values()), None)
        if not read["text"].strip():
            if first is not None:
                raise first
            raise ReadError(f"it holds no text, nor does {pictures.name} see any on its pages")
        if first is not None:
            named = ", ".join(str(n + 1) for n in list(failed)[:_NAMED])
            more = ", …" if len(failed) > _NAMED else ""
            read["missed"] = f"without what pages {named}{more} show: {first}"
        return read

    def _seen(
        self, job: str, of: str, wanted: Sequence[Any], data: bytes, pictures: PictureReader,
        failed: dict[int, ReadError],
    ) -> Iterator[tuple[int, str]]:  # fmt: skip
        """Draw pages or parts of pages, and yield of each its page and what it says; keep why one failed."""
        for start in range(0, len(wanted), _DRAWN):
            some = wanted[start : start + _DRAWN]
            drawn = self._workers.perform(job, data, **{of: some})["pictures"]
            for one, picture in zip(some, drawn, strict=True):
                n = one if isinstance(one, int) else int(one[0])
                try:
                    yield n, pictures.read(picture)
                except ReadError as error:
                    failed[n] = error

    def _options(self, kind: str, charset: str | None, retrieved: str, ending: str) -> dict[str, Any]:
        if kind == "code":
            return {"language": ending}
        unpacked = int(self.settings.unpacked_megabytes * 1_000_000)
        page = int(self.settings.html_megabytes * 1_000_000)
        match kind:
            case "pdf":
                return {
                    "most_pages": self.settings.pages,
                    "largest": int(self.settings.megabytes * 1_000_000),
                }
            case "html":
                return {"largest": page, "charset": charset, "latest": retrieved[:10] or "2100-01-01"}
            case _:
                return {"largest": unpacked, "largest_page": page, "charset": charset}


def _text_source(
    text: str, kind: str, url: str, retrieved: str, name: str, *, private: bool, links: bool = False
) -> Source:
    text = seen(text)
    said = front_matter(text)
    body = text[said.body_start :]
    if kind == "asciidoc":
        body, kind = asciidoc_as_markdown(body), "markdown"
    elif kind == "text" and is_wiki_text(body):
        body, kind = wiki_as_markdown(body), "markdown"
    body = tidy(_without_marks(body, links=links) if kind == "markdown" else dated_lines(body))
    if not body:
        raise ReadError("it is empty")
    plain = body
    if kind == "markdown":
        body = marked_headings(body, markdown=True)
    else:
        body = with_bare_headings(marked_headings(with_comments_as_code(body)))
    if kind == "markdown":
        heading = _first_heading(body, named=bool(name) and not _MADE_UP.fullmatch(name))
    else:
        heading = _UNDERLINED.search(plain, 0, _BEGINNING_OF_TEXT)
    body = _with_tags(body, said)
    below = byline(body, "" if private else retrieved[:10])
    # A page from the web cannot say where it is from; a document of the user's can.
    theirs = said.url if private and said.url and not reported(said.url) else ""
    return Source(
        sha256=fingerprint(body),
        url=theirs if _ADDRESS.fullmatch(theirs) else url,
        title=_title(said.title)
        or unframed(_without_end(heading[1].replace("`", "") if heading else ""))
        or _named(name, body)
        or url,
        text=body,
        author=said.author,
        published=said.date or (below.published if below else None),
        retrieved=retrieved,
        private=private,
    )


def _without_marks(body: str, *, links: bool) -> str:
    """Return Markdown with what a page shows of links, pictures and HTML; `links` to the web may stay."""
    shown = without_links(without_note_links(body), of_web=not links)
    shown = without_own_marks(shown)
    return shown if links else without_tags(shown)


def _first_heading(body: str, *, named: bool) -> re.Match[str] | None:
    """Return the heading of Markdown that is its title: of the first level, or what it begins with.

    Where the text is not `named` otherwise its first heading is.
    """
    begins = body[:_BEGINNING_OF_TEXT]
    code = code_spans(begins)
    headings = [
        found
        for found in _HEADING.finditer(begins)
        if not any(start <= found.start() < end for start, end in code)
    ]
    main = next((found for found in headings if found[0].startswith("# ")), None)
    first = next(iter(headings), None)
    return main or (first if first and not (named and begins[: first.start()].strip()) else None)


def _with_tags(body: str, said: FrontMatter) -> str:
    """Return a text with its tags and other names below it, so that it is found by them."""
    lines = [("Tags", said.tags), ("Also called", said.aliases)]
    return "\n\n".join([body, *(f"{name}: {', '.join(words)}" for name, words in lines if words)])


def _worker_source(
    read: dict[str, Any], kind: str, url: str, retrieved: str, name: str, *, private: bool
) -> Source:
    text = read["text"]
    pages = tuple(read.get("pages", ()))
    if kind not in ("html", "pdf", "slides"):  # those have cleaned it, or know where its pages begin
        text = tidy(seen(text))
    return Source(
        sha256=fingerprint(text),
        url=url,
        title=_title(read.get("title")) or _title(read.get("heading")) or name or url,
        text=text,
        author=_author(read.get("author")),
        published=_line(read.get("published")) or None,
        retrieved=retrieved,
        private=private,
        pages=pages,
    )


def _named(name: str, text: str) -> str:
    """Return what a file is called; of one that a program named by a number or hash how its text begins."""
    if not _MADE_UP.fullmatch(name):
        return name
    line = text.strip().partition("\n")[0].strip("# ")
    return line if len(line) <= _BEGINNING else f"{line[: cut_point(line, _BEGINNING)].rstrip()} …"


def _title(value: object) -> str:
    """Read a title; those that a program gave to a file by itself, or wrote where it found none, are none."""
    title = _line(value)
    return "" if _NO_TITLE.fullmatch(title) or reported(title) else title


def _author(value: object) -> str | None:
    author = _title(value)
    return None if _NO_AUTHOR.fullmatch(author) else author or None


def _without_end(heading: str) -> str:
    """Return a heading without the signs that may close it."""
    return heading.rstrip("#").rstrip(" \t") or heading


def _line(value: object) -> str:
    return " ".join(seen(value).split())[:500] if isinstance(value, str) else ""
