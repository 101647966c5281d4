"""Opening sessions.

A new one, or one that the journal holds. Puts the rooms together; nothing else knows them all.
"""

import asyncio
import logging
import os
import secrets
from collections.abc import Callable, Mapping, Sequence
from contextlib import AsyncExitStack, ExitStack, suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

from agents import LEAST_CONTEXT, SeatModels
from library import Indexing, Library, TextStatistics, open_library
from library.readers import PictureText, ReadPicture
from library.text import ESCAPE_SEQUENCE, HIDDEN, MEANING_PROGRESS
from mindmap import Outline
from models import (
    ROLES,
    ChoiceReason,
    Event,
    Model,
    ModelChoice,
    ModelReplied,
    Models,
    Reply,
    choose_model,
    seeing_model,
)
from models.client import SHARED_TURNS, TextCache
from moderator import SLUG
from roundtable import __version__
from roundtable.commands.starting_outline import begun_with
from roundtable.config.config import Settings, home, recorded_settings, unresolved
from roundtable.config.errors import InputError
from roundtable.config.home import shared_folder
from roundtable.config.language_codes import session_language
from roundtable.config.search_places import settle_places
from roundtable.journal.clock import Clock, SystemClock, timestamp
from roundtable.journal.event_log import EventLog
from roundtable.journal.events import PlanChanged, SessionStarted, Warned
from roundtable.journal.fold.state import State
from roundtable.journal.storage.brought_texts import bring_texts
from roundtable.journal.storage.journal_store import Journal, journal_in
from roundtable.session.context.journalled_context import ContextFactory
from roundtable.session.context.services import open_services
from roundtable.session.planning.invited_agents import AgentFromFile, InvitedAgents, invitation
from roundtable.session.planning.session_plan import with_changes
from roundtable.session.session import Session
from roundtable.session.session_loop import Discussion
from roundtable.session.texts.earlier_sessions import documents_of_sessions, with_whole_ids
from roundtable.session.texts.follow_up import begun_from, with_places_of
from roundtable.session.tracing import open_tracing

if TYPE_CHECKING:
    from autogen_agentchat.base import ChatAgent


@dataclass(frozen=True)
class Runtime:
    """What a session runs in. Each has its default; tests and programs give their own."""

    home: Path = field(default_factory=home)
    """Folder with the journal, the store and the collections."""
    clock: Clock = field(default_factory=SystemClock)
    environment: Mapping[str, str] = field(default_factory=lambda: dict(os.environ))
    """Where the models' keys are."""
    model: Model | None = None
    """Does every role in place of the configured models, for instance a ScriptedModel."""
    library: Library | None = None
    """Instead of the one that the settings name; it is not closed with the session."""
    indexing: Indexing | None = None
    """Is told how far reading the documents is, in a thread of its own; None: nobody watches.

    While the session is at work it is told, of no name, of passages that are read for what they mean.
    """
    untold: Callable[[str], None] = lambda line: logging.getLogger(__name__).warning("%s", line)
    """Is told, in a line, what went wrong when the session was closed and its events were over."""
    wall: Callable[[], datetime] = lambda: datetime.now(UTC)
    """The time by which pages grow old and updates are due; aware. The journal's is `clock`."""

    @property
    def together(self) -> Path:
        """The folder of keys, invitations and uploads; see `shared_folder`."""
        return shared_folder(self.home, self.environment)

    def journal(self) -> Journal:
        """Open the journal that is configured. Raises JournalError, ConfigError."""
        return journal_in(self.home, self.clock, self.environment)


async def start_session(
    topic: str,
    settings: Settings,
    *,
    out: Path | None = None,
    session_id: str | None = None,
    around: Runtime | None = None,
    outline: Outline | None = None,
    experts: Sequence["ChatAgent | AgentFromFile"] = (),
    follows: str = "",
) -> Session:
    """Begin a session; its first event is committed before anything is read or asked.

    Args:
        topic: What the table talks about.
        settings: The settings in force.
        out: Folder that results are written to (absolute), kept in the journal for a resume; None for none.
        session_id: None: a new one is made.
        around: None: the machine's own.
        outline: Stands in the map from the start, as the person's, and is what the table asks about first.
        experts: Agents of AutoGen that sit at the table, at most 8. Each begins every turn afresh
            (`on_reset`), is shown the passages that were found, and cites them; its own memory, tools and
            models stay its own, also when `settings.offline` is set.
        follows: Id of a session that this one goes on from: its map and what its report says are there
            from the start, and its texts are searched.

    Raises:
        InputError: the topic is empty, the session that it follows has no report, there is an outline too,
            or two experts have the same name.
        LibraryError, ModelUnavailable: documents or a model cannot be had; the message says what to do.
        JournalError: nothing can be kept.
    """
    around = around or Runtime()
    identity, journal, settings = _created(
        topic, settings, out, session_id, around, outline, experts, follows
    )
    return await _open(identity, journal, settings, around, experts)


def create_session(
    topic: str, settings: Settings, *, session_id: str, around: Runtime, outline: Outline | None, follows: str
) -> None:
    """Begin a session without running it: its first events are in the journal, for `resume_session`.

    Args:
        topic: See `start_session`, also for the others and for what is raised.
        settings: The settings in force.
        session_id: Its id.
        around: What it will run in, here or elsewhere.
        outline: Stands in the map from the start.
        follows: Id of a session that this one goes on from.
    """
    _, journal, _ = _created(topic, settings, None, session_id, around, outline, (), follows)
    journal.close()


def _created(
    topic: str,
    settings: Settings,
    out: Path | None,
    session_id: str | None,
    around: Runtime,
    outline: Outline | None,
    experts: Sequence["ChatAgent | AgentFromFile"],
    follows: str,
) -> tuple[str, Journal, Settings]:
    """Commit a session's first events; return its id, the journal, and its settings with places settled."""
    words = " ".join(HIDDEN.sub("", ESCAPE_SEQUENCE.sub("", topic)).split())
    if not words:
        raise InputError("the topic is empty: say what the table should talk about")
    if outline and follows:
        raise InputError("a map stands at the beginning already: give an outline or a session to go on from")
    invited = invitation(experts)
    model = _chosen(settings, around)
    with around.journal() as journal:
        follows = journal.find(follows) if follows else ""
        begun = begun_from(journal, follows, words, around.home) if follows else []
        if around.library is None:
            settings = with_places_of(settings, journal, follows) if follows else settings
            settings = with_whole_ids(settle_places(settings, around.home), journal)
    identity = session_id or secrets.token_hex(4)
    language = session_language(words, settings)
    start = SessionStarted(
        topic=words,
        language=language,
        settings=unresolved(settings),
        version=__version__,
        docs=list(settings.docs),
        search=list(settings.search),
        offline=settings.offline,
        model=model,
        out=str(out) if out else "",
        follows=follows,
    )
    first: list[Event] = [start, invited] if invited else [start]
    with ExitStack() as unless_open:
        journal = unless_open.enter_context(around.journal())
        journal.create(identity, [*first, *(begun_with(outline, words, language) if outline else begun)])
        unless_open.pop_all()
    return identity, journal, settings


async def resume_session(
    session_id: str,
    settings: Settings | None = None,
    *,
    around: Runtime | None = None,
    experts: Sequence["ChatAgent | AgentFromFile"] = (),
    bounded: Callable[[Settings], Settings] = lambda settings: settings,
) -> Session:
    """Open a session that the journal holds, to go on from its last event.

    Args:
        session_id: Its whole id; see `Journal.find` for prefixes.
        settings: Instead of those that it was started with, for instance another model; None keeps them.
        around: None: the machine's own.
        experts: The AutoGen agents that it was begun with, known by their names; those that came from a file
            are read from there again. One that is missing is told of when the session runs (ExpertMissing).
        bounded: Returns its settings within what whoever runs it allows now, such as a quota.

    Raises:
        SessionUnknown, SessionLocked, JournalError, LibraryError, ModelUnavailable.
    """
    around = around or Runtime()
    with ExitStack() as unless_open:
        journal = unless_open.enter_context(around.journal())
        events = [recorded.event for recorded in journal.read(session_id)]
        assert isinstance(events[0], SessionStarted)
        changed = [event for event in events if isinstance(event, PlanChanged)]
        started = with_changes(recorded_settings(events[0].settings), changed)
        unless_open.pop_all()
    return await _open(session_id, journal, bounded(settings or started), around, experts, again=True)


_STUBS = (
    "agents", "agents.autogen", "agents.research", "library", "library.claims", "library.compute",
    "library.index_engines", "library.passages", "library.readers", "library.references", "library.safety",
    "library.search", "library.search.backends", "library.sites", "library.store", "library.text",
    "library.web", "mindmap", "models", "models.client", "models.prompting", "moderator", "reports",
    "reports.cite", "reports.export",
)  # fmt: skip
"""Packages that hand out names by a stub."""


def load_stubs() -> None:
    """Load what every room hands out, before threads begin to parse.

    Python 3.11 cannot build syntax trees in two threads at a time, and both the rooms' stubs and Python's own
    documentation are read as such.
    """
    for package in _STUBS:
        import_module(package)


def _tell_of_meaning(indexing: Indexing | None) -> None:
    """Tell on the loop, of whatever this task and what it begins read for meaning."""
    if indexing is None:
        return
    loop, told = asyncio.get_running_loop(), partial(indexing, "")

    def tell(done: int, of: int) -> None:
        with suppress(RuntimeError):  # the loop has ended
            loop.call_soon_threadsafe(told, done, of)

    MEANING_PROGRESS.set(tell)


async def _open(
    identity: str,
    journal: Journal,
    settings: Settings,
    around: Runtime,
    experts: Sequence["ChatAgent | AgentFromFile"],
    *,
    again: bool = False,
) -> Session:
    load_stubs()
    _tell_of_meaning(around.indexing)
    async with AsyncExitStack() as opened:
        opened.callback(journal.close)
        opened.enter_context(journal.lock(identity))
        SHARED_TURNS.set(journal.turns(identity))
        library = around.library
        replies = _reply_cache(settings, around)
        opened.callback(replies.close)
        if library is None:
            sees = seeing_model(
                settings.models, around.environment, loopback_only=settings.offline, cache=replies
            )
            if sees is not None:
                opened.push_async_callback(sees.close)
            earlier = documents_of_sessions(settings.docs, journal)
            library = await open_library(
                settings.library, settings.docs, settings.search, offline=settings.offline, home=around.home,
                progress=around.indexing, environment=around.environment, servers=settings.mcp,
                clock=around.wall, texts=earlier, sees=sees,
            )  # fmt: skip
            opened.push_async_callback(library.close)
        journal.shared_texts.source_of = library.store.source
        record = EventLog(identity, journal, State(library.source))
        events = journal.read(identity)
        bring_texts(journal, events, library.store)
        record.repeat(events)
        models = _models(settings, around, library, replies)
        opened.push_async_callback(models.close)
        seats = _seat_models(settings, around, library.statistics, replies)
        opened.push_async_callback(seats.close)
        warming = asyncio.gather(models.warm_up(), library.warm_up())
        opened.push_async_callback(_warmed, warming)
        services, refused = open_services(settings, around.environment)
        opened.push_async_callback(services.close)
        contexts = ContextFactory(
            library, models.by_role, record, around.clock, results=settings.agents.results, services=services
        )
        contexts.guarded = settings.privacy.queries == "public"
        contexts.ahead = settings.agents.pages
        contexts.prompt_room = settings.models.longest_prompt or within_window(settings).agents.context
        invited = InvitedAgents(identity, experts, settings)
        contexts.agent_of, contexts.seat_model = invited.model, seats.model
        time = lambda: timestamp(around.clock.now())  # noqa: E731
        discussion = Discussion(contexts, within_window(settings), time, invited)
        opened.push_async_callback(discussion.close)
        tracing, untraced = open_tracing(
            identity, around.environment, offline=settings.offline, tell=around.untold
        )
        if tracing is not None:
            record.observers.append(tracing)
            opened.push_async_callback(tracing.close)
        notices = (*settings.notices, *library.warnings, *refused, *([untraced] if untraced else []))
        if again:
            record.take_up(timestamp(around.clock.now()))
        warnings = [text for text in notices if text not in record.state.warnings]
        record.add(*(Warned(text=text) for text in warnings), *map(_seen, library.pictures_read))
        return Session(identity, discussion, contexts, opened.pop_all(), offline=settings.offline)
    raise AssertionError  # the block above returns or raises


def _seen(reply: Reply[PictureText]) -> ModelReplied:
    """Return the event that tells what a picture of the documents cost to read."""
    name = ReadPicture.name
    return ModelReplied(
        task=name, speaker=SLUG, key=f"{ReadPicture.role}:{name}:{reply.prompt_hash}",
        prompt_hash=reply.prompt_hash, output={}, usage=reply.usage,
    )  # fmt: skip


def _chosen(settings: Settings, around: Runtime) -> str:
    """Return the name of the model that answers: the one that was named, else the one that can be had."""
    if around.model is not None:
        return around.model.name
    chosen = choose_model(
        settings.models, around.environment, TextStatistics(), loopback_only=settings.offline
    )
    check_prices(chosen, settings)
    _seat_models(settings, around, TextStatistics(), None)
    return chosen["expert"].name


def _reply_cache(settings: Settings, around: Runtime) -> TextCache:
    """Return where replies are kept from session to session: a file that is made when it is first used."""
    bounds = settings.models
    path = around.home / "replies.sqlite"
    return TextCache(path, megabytes=bounds.cache_megabytes, seconds=bounds.cache_days * 86_400)


def _models(settings: Settings, around: Runtime, library: Library, replies: TextCache) -> Models:
    """Return a model for each role."""
    if around.model is not None:
        choice = ModelChoice(around.model.name, ChoiceReason.NAMED)
        return Models(dict.fromkeys(ROLES, around.model), choice)
    models = settings.models
    if models.longest_prompt is None:
        models = models.model_copy(update={"longest_prompt": settings.agents.longest_prompt})
    chosen = choose_model(
        models, around.environment, library.statistics, loopback_only=settings.offline, cache=replies
    )
    check_prices(chosen, settings)
    return chosen


def _seat_models(
    settings: Settings, around: Runtime, statistics: TextStatistics, replies: TextCache | None
) -> SeatModels:
    """Return the models of the seats that name one. Raises ModelUnavailable, InputError."""
    if around.model is not None:
        return SeatModels({})
    models = settings.models
    if models.longest_prompt is None:
        models = models.model_copy(update={"longest_prompt": settings.agents.longest_prompt})
    seats = SeatModels.chosen(
        settings.agents,
        models,
        lambda wanted: choose_model(
            wanted, around.environment, statistics, loopback_only=settings.offline, cache=replies
        ),
    )
    for chosen in seats.all:
        check_prices(chosen, settings)
    return seats


def check_prices(models: Models, settings: Settings) -> None:
    """Refuse to spend under a limit of money that cannot be held. Raises InputError."""
    limit = settings.moderator.budget.money
    if limit is None:
        return
    for model in models.language_models:
        if model.price is None:
            raise InputError(
                f"the budget of ${limit:g} cannot be held: no price is known for {model.name}; "
                f'set models.prices."{model.name}" = {{ prompt = …, completion = … }} in a configuration '
                "file (US dollars for a million tokens; 0 for a server of your own), or limit tokens instead"
            )


async def _warmed(warming: "asyncio.Future[Any]") -> None:
    """Wait until what was being made ready is: what cannot be is met, and told, where it is first used."""
    await asyncio.wait([warming])
    if not warming.cancelled():
        warming.exception()


def within_window(settings: Settings) -> Settings:
    """Return settings whose experts' prompts leave room for a reply in the model's window, if it is set."""
    window = settings.models.context_window
    if window is None:
        return settings
    most = max(LEAST_CONTEXT, window - min(settings.models.max_output_tokens, window // 3))
    agents = settings.agents
    fitting = {
        name: min(most, tokens)
        for name, tokens in (("context", agents.context), ("closing_context", agents.closing_context))
    }
    return settings.model_copy(update={"agents": agents.model_copy(update=fitting)})
