"""What work on texts and things runs in: a library and a model, opened for it and closed with it."""

import os
from collections.abc import Mapping, Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol, TypeVar

from pydantic import BaseModel

from library import Library, open_library
from models import EMBEDDED, Model, Reply, Task, Usage, choose_model, seeing_model
from models.client import TextCache
from roundtable.config.config import Settings, home
from roundtable.journal.clock import Clock, SystemClock
from roundtable.journal.place_names import place_names, told_apart

OutputT = TypeVar("OutputT", bound=BaseModel)


class Spending(Protocol):
    """What somebody may spend on models."""

    def check(self) -> None:
        """Raise QuotaReached when nothing is left."""

    def count(self, usage: Usage) -> None:
        """Count what one request used."""


@dataclass(frozen=True)
class TextRuntime:
    """What it runs in. Each has its default; tests and programs give their own."""

    home: Path = field(default_factory=home)
    """Folder with the store and the collections."""
    clock: Clock = field(default_factory=SystemClock)
    environment: Mapping[str, str] = field(default_factory=lambda: dict(os.environ))
    model: Model | None = None
    """Instead of the configured one."""
    library: Library | None = None
    """Instead of the one that the settings name; it is not closed."""
    spending: Spending | None = None
    """Is asked before each request to a model, and told what it used; None: nobody counts."""


def pictures_seen(settings: Settings) -> list[str]:
    """Return who is shown pictures and pages without text, as a part of a first line; none: nobody."""
    vision = settings.models.vision
    return [] if vision is None else [f"pictures and pages without text are read by {vision}"]


def filled_by(model: str) -> str:
    """Return who fills the cells of a table, as a part of a first line."""
    return "quoted, without a model" if model == EMBEDDED else f"filled by {model}"


def named_documents(settings: Settings) -> list[str]:
    """Return what a person calls the documents that are searched: folders by their own names, told apart."""
    folders = [Path(name) for name in settings.docs if Path(name).is_absolute()]
    names = [name for name in settings.docs if not Path(name).is_absolute()]
    apart = told_apart(folders, names)
    return [apart.get(Path(name), name) for name in settings.docs]


def searched_places(names: Sequence[str], settings: Settings) -> tuple[str, ...]:
    """Return the places that were searched as the person named them: folders by their own names."""
    known = place_names(settings.docs)
    return tuple(known.get(name, name) for name in names)


async def opened_library(
    settings: Settings, around: TextRuntime, opened: AsyncExitStack, *, pages: bool = False
) -> Library:
    """Return the library of some settings, whose places are settled.

    Args:
        settings: What a person set.
        around: What it runs in.
        opened: Closes it.
        pages: Pages will be read that a person named.

    Raises:
        LibraryError: documents cannot be had. ModelUnavailable: the model that is to read pictures cannot.
    """
    if around.library is not None:
        return around.library
    sees = seeing_model(settings.models, around.environment, loopback_only=settings.offline)
    if sees is not None:
        opened.push_async_callback(sees.close)
    alone = settings.offline or not (settings.search or pages)
    library = await open_library(
        settings.library, settings.docs, settings.search, offline=alone, home=around.home,
        environment=around.environment, servers=settings.mcp, pages=pages, sees=sees,
    )  # fmt: skip
    return await opened.enter_async_context(library)


def opened_judge(
    settings: Settings, around: TextRuntime, library: Library, opened: AsyncExitStack
) -> tuple[Model | None, str]:
    """Return the model that judges and its name; None for the embedded one: rules do without it.

    Raises ModelUnavailable: a model is named that cannot be.
    """
    if around.model is not None:
        return _counted(around.model, around), around.model.name
    bounds = settings.models
    path = around.home / "replies.sqlite"
    replies = TextCache(path, megabytes=bounds.cache_megabytes, seconds=bounds.cache_days * 86_400)
    opened.callback(replies.close)
    models = choose_model(
        bounds, around.environment, library.statistics, loopback_only=settings.offline, cache=replies
    )
    opened.push_async_callback(models.close)
    judge = models["judge"]
    return (None, EMBEDDED) if judge.name == EMBEDDED else (_counted(judge, around), judge.name)


def _counted(model: Model, around: TextRuntime) -> Model:
    return model if around.spending is None else _CountedModel(model, around.spending)


class _CountedModel:
    """A model each of whose requests is counted."""

    def __init__(self, model: Model, spending: Spending) -> None:
        self._model = model
        self._spending = spending

    @property
    def name(self) -> str:
        """The model's own."""
        return self._model.name

    async def ask(self, task: Task[OutputT]) -> Reply[OutputT]:
        """Do the task, where that may be spent. Raises what the model and `Spending.check` do."""
        self._spending.check()
        reply = await self._model.ask(task)
        self._spending.count(reply.usage)
        return reply

    async def close(self) -> None:
        """Release the model's connections."""
        await self._model.close()
