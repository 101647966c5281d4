"""Somebody's text, audited: what is asked for settled, the library and the model opened, the audit made."""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import AsyncExitStack
from dataclasses import dataclass
from pathlib import Path

from library.readers import Reader
from models import EMBEDDED
from reports import Audit, Auditor, AuditStep, Manuscript, manuscript
from roundtable.config.config import Settings
from roundtable.config.errors import InputError
from roundtable.config.search_places import settle_places
from roundtable.journal.clock import timestamp
from roundtable.session.factory import load_stubs
from roundtable.session.texts.runtime import (
    TextRuntime,
    named_documents,
    opened_judge,
    opened_library,
    pictures_seen,
    searched_places,
)

CATALOGUES = ("crossref", "openalex")
"""Who is asked whether a reference exists, where nobody else is named and no documents are."""


@dataclass(frozen=True, slots=True)
class AuditBegun:
    """A text was read and its claims are known; the line says what is asked, and what leaves this machine."""

    claims: int
    references: int
    line: str


@dataclass(frozen=True, slots=True)
class AuditDone:
    """What was found, with the text that it was found in."""

    audit: Audit
    text: str


def settle_audit(settings: Settings, home: Path) -> Settings:
    """Return the settings with their places made definite: the catalogues, where nothing is named.

    With documents nothing outside is asked unless a place is named too.

    Raises InputError, LibraryError: as `settle_places`.
    """
    if not (settings.docs or settings.search or settings.offline):
        settings = settings.model_copy(update={"search": list(CATALOGUES)})
    return settle_places(settings, home)


async def audit_file(
    path: Path, settings: Settings, around: TextRuntime | None = None
) -> AsyncGenerator[AuditBegun | AuditStep | AuditDone, None]:
    """Audit a file: what its references are, and what its claims rest on.

    Args:
        path: The text: Markdown, DOCX, PDF, HTML, and whatever else the readers know.
        settings: Where is looked, and which model judges.
        around: None: the machine's own.

    Raises:
        InputError: there is nowhere to look, or the text claims nothing.
        ReadError: it cannot be read. LibraryError, ModelUnavailable: documents or a model cannot be had.
    """
    load_stubs()
    around = around or TextRuntime()
    settings = settings if around.library is not None else settle_audit(settings, around.home)
    with Reader(settings.library.read) as reader:
        source = await asyncio.to_thread(reader.read_manuscript, path)
    text = await asyncio.to_thread(manuscript, source)
    if not (text.claims or text.references):
        raise InputError(f"{path.name}: it holds neither claims nor references")
    async with AsyncExitStack() as opened:
        library = await opened_library(settings, around, opened)
        model, name = opened_judge(settings, around, library, opened)
        yield AuditBegun(len(text.claims), len(text.references), _line(settings, text, name))
        auditor = Auditor(text, library, model)
        async for step in auditor.steps():
            yield step
        now = timestamp(around.clock.now())
        audit = auditor.audit(file=path.name, checked_at=now, model=name)
        places = searched_places(audit.searched, settings)
        yield AuditDone(audit.model_copy(update={"searched": places}), text.source.text)


def _line(settings: Settings, text: Manuscript, model: str) -> str:
    """Return what is asked, and what leaves this machine."""
    told = [f"claims: {len(text.claims)}, references: {len(text.references)}"]
    if settings.docs:
        told.append(f"looked for in {', '.join(named_documents(settings))}")
    if settings.offline or not settings.search:
        told.append("nothing goes to the web")
    else:
        told.append("references are looked up at Crossref and OpenAlex, the pages that are cited are fetched")
        if places := [name for name in settings.search if name not in CATALOGUES]:
            told.append(f"claims go to {', '.join(places)}")
    told.append("judged by words, without a model" if model == EMBEDDED else f"judged by {model}")
    return "; ".join([*told, *pictures_seen(settings)])
