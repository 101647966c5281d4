"""Somebody's text, audited: what is asked for settled, the library and the model opened, the audit made."""

import asyncio
import os
from collections.abc import AsyncIterator, Mapping
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from pathlib import Path

from library import Library, TextStatistics, open_library
from library.readers import Reader
from models import EMBEDDED, Model, Models, choose_model
from models.client import TextCache
from reports import Audit, Auditor, AuditStep, Manuscript, manuscript
from roundtable.config.config import Settings, home
from roundtable.config.errors import InputError
from roundtable.config.search_places import settle_places
from roundtable.journal.clock import Clock, SystemClock, timestamp
from roundtable.session.factory import load_stubs

CATALOGUES = ("crossref", "openalex")
"""Who is asked whether a reference exists, where nobody else is named and no documents are."""


@dataclass(frozen=True)
class AuditRuntime:
    """What an audit runs in. Each has its default; tests and programs give their own."""

    home: Path = field(default_factory=home)
    """Folder with the store and the collections."""
    clock: Clock = field(default_factory=SystemClock)
    environment: Mapping[str, str] = field(default_factory=lambda: dict(os.environ))
    model: Model | None = None
    """Judges in place of the configured model."""
    library: Library | None = None
    """Instead of the one that the settings name; it is not closed."""


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


def settle_audit(settings: Settings, home_folder: Path) -> Settings:
    """Return the settings with their places made definite: the catalogues, where nothing is named.

    With documents nothing outside is asked unless a place is named too.

    Raises InputError, LibraryError: as `settle_places`.
    """
    if not (settings.docs or settings.search or settings.offline):
        settings = settings.model_copy(update={"search": list(CATALOGUES)})
    return settle_places(settings, home_folder)


async def audit_file(
    path: Path, settings: Settings, around: AuditRuntime | None = None
) -> AsyncIterator[AuditBegun | AuditStep | AuditDone]:
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
    around = around or AuditRuntime()
    settings = settings if around.library is not None else settle_audit(settings, around.home)
    with Reader(settings.library.read) as reader:
        text = manuscript(await asyncio.to_thread(reader.read_manuscript, path))
    if not (text.claims or text.references):
        raise InputError(f"{path}: it holds neither claims nor references")
    async with AsyncExitStack() as opened:
        library = around.library
        alone = settings.offline or not settings.search
        if library is None:
            library = await opened.enter_async_context(
                await open_library(
                    settings.library,
                    settings.docs,
                    settings.search,
                    offline=alone,
                    home=around.home,
                    environment=around.environment,
                    servers=settings.mcp,
                )
            )
        model, name = _judge(settings, around, library, opened)
        yield AuditBegun(len(text.claims), len(text.references), _line(settings, text, name, alone=alone))
        auditor = Auditor(text, library, model)
        async for step in auditor.steps():
            yield step
        now = timestamp(around.clock.now())
        yield AuditDone(auditor.audit(file=path.name, checked_at=now, model=name), text.source.text)


def _judge(
    settings: Settings, around: AuditRuntime, library: Library, opened: AsyncExitStack
) -> tuple[Model | None, str]:
    """Return the model that judges and its name; None for the embedded one: the audit has its rules."""
    if around.model is not None:
        return around.model, around.model.name
    models = _models(settings, around, library.statistics, opened)
    opened.push_async_callback(models.close)
    judge = models["judge"]
    return (None, EMBEDDED) if judge.name == EMBEDDED else (judge, judge.name)


def _models(
    settings: Settings, around: AuditRuntime, statistics: TextStatistics, opened: AsyncExitStack
) -> Models:
    bounds = settings.models
    path = around.home / "replies.sqlite"
    replies = TextCache(path, megabytes=bounds.cache_megabytes, seconds=bounds.cache_days * 86_400)
    opened.callback(replies.close)
    return choose_model(bounds, around.environment, statistics, loopback_only=settings.offline, cache=replies)


def _line(settings: Settings, text: Manuscript, model: str, *, alone: bool) -> str:
    """Return what is asked, and what leaves this machine."""
    places = [] if alone else [name for name in settings.search if name not in CATALOGUES]
    told = [f"{len(text.claims)} claims, {len(text.references)} references"]
    if settings.docs:
        told.append(f"looked for in {', '.join(Path(name).name for name in settings.docs)}")
    if alone:
        told.append("nothing goes to the web")
    else:
        told.append("references are looked up at Crossref and OpenAlex, the pages that are cited are fetched")
    if places:
        told.append(f"claims go to {', '.join(places)}")
    told.append("judged by words, without a model" if model == EMBEDDED else f"judged by {model}")
    return "; ".join(told)
