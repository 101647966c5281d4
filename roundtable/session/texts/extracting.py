"""Named fields of pages and documents: what is named is read, the model opened, the table filled."""

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

from library import Library, LibraryError
from library.web import WebAddress, is_web_address, located
from reports import Comparison, ComparisonStep, FieldExtractor, NamedDocument
from roundtable.config.config import Settings
from roundtable.config.errors import InputError
from roundtable.config.search_places import settle_places
from roundtable.journal.clock import timestamp
from roundtable.session.factory import load_stubs
from roundtable.session.texts.runtime import (
    TextRuntime,
    filled_by,
    opened_judge,
    opened_library,
    pictures_seen,
)

_MOST = 4_000
"""Cells of a table."""


@dataclass(frozen=True, slots=True)
class ExtractionBegun:
    """Everything is open, and pages will be fetched; the line says what leaves this machine."""

    line: str
    documents: int
    """How many rows the table has, if each page can be read."""


async def extract_fields(
    named: Sequence[str], fields: Sequence[str], settings: Settings, around: TextRuntime | None = None
) -> AsyncIterator[ExtractionBegun | ComparisonStep | Comparison]:
    """Fill a table of documents against fields.

    Args:
        named: Addresses of pages, files, folders and collections; each document has a row, in this order.
        fields: What is wanted of each: `price`, `licence`, a question.
        settings: Which model fills the cells, and how pages are fetched.
        around: None: the machine's own.

    Raises:
        InputError: nothing is asked, too much of it, or something that is not there.
        LibraryError: nothing of it could be read. ModelUnavailable: a model cannot be had.
    """
    # Addresses lose user name and password before anything is told of them.
    named = [where.url if isinstance(where := located(name), WebAddress) else name for name in named]
    pages = [name for name in named if is_web_address(name)]
    files = [name for name in named if not is_web_address(name)]
    if not named or not fields:
        raise InputError("name what is read and what is wanted of it: extract FILE --fields 'price, licence'")
    if pages and settings.offline:
        raise InputError(f"{pages[0]}: a page is not read with --offline; save it, and name the file")
    load_stubs()
    around = around or TextRuntime()
    if files:
        settings = settle_places(settings.model_copy(update={"docs": files}), around.home)
    settings = settings.model_copy(update={"docs": settings.docs if files else [], "search": []})
    async with AsyncExitStack() as opened:
        library = await opened_library(settings, around, opened, pages=bool(pages))
        model, by = opened_judge(settings, around, library, opened)
        held = sum(len(library.documents(place.name)) for place in library.collections)
        yield ExtractionBegun(_line(pages, by, settings), held + len(set(pages)))
        documents, missed = await _documents(named, settings.docs, library)
        if len(documents) * len(fields) > _MOST:
            raise InputError(f"a table has at most {_MOST} cells: name fewer documents, or fewer fields")
        extractor = FieldExtractor(documents, fields, library, model)
        async for step in extractor.steps():
            yield step
        at = timestamp(around.clock.now())
        yield extractor.table(extracted_at=at, model=by, notices=[*library.warnings, *missed])


async def _documents(
    named: Sequence[str], docs: Sequence[str], library: Library
) -> tuple[list[NamedDocument], list[str]]:
    """Return what was read, and a line for each page that could not be. Raises LibraryError."""
    pages = list(dict.fromkeys(name for name in named if is_web_address(name)))
    read = dict(zip(pages, await asyncio.gather(*(_page(url, library) for url in pages)), strict=True))
    places = iter(zip(docs, library.collections, strict=True))
    found: list[NamedDocument] = []
    missed: list[str] = []
    for name in dict.fromkeys(named):
        if name in read:
            page = read[name]
            found += [page] if isinstance(page, NamedDocument) else []
            missed += [] if isinstance(page, NamedDocument) else [str(page)]
        elif (place := next(places, None)) is not None:
            held = library.documents(place[1].name)
            found += [NamedDocument(_called(path, Path(place[0])), sha) for path, sha in held.items()]
    if not found:
        raise LibraryError("; ".join(missed) or "there is nothing in it to be read")
    return found, missed


async def _page(url: str, library: Library) -> NamedDocument | LibraryError:
    try:
        return NamedDocument(url, (await library.read(url)).sha256)
    except LibraryError as error:
        return error


def _called(path: str, root: Path) -> str:
    """Return what a file is called: by its path in the folder that was named."""
    file = Path(path)
    return str(file.relative_to(root)) if file != root and file.is_relative_to(root) else file.name


def _line(pages: Sequence[str], model: str, settings: Settings) -> str:
    """Return what is fetched, and what leaves this machine."""
    hosts = ", ".join(dict.fromkeys(urlsplit(url).netloc for url in pages))
    told = [f"pages are fetched from {hosts}" if hosts else "nothing goes to the web"]
    return "; ".join([*told, filled_by(model), *pictures_seen(settings)])
