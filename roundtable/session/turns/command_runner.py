"""Between two turns: what a person asked for is carried out, in the order in which it was asked."""

import asyncio
from collections.abc import Callable

from agents import Act, Action, PanelSeated, Perspective, Turn, TurnTaken, slug
from library import PageRead, ReadError, ToldOfSource, citations, claimed, select
from library.text import terms
from library.web import WebAddress, located
from mindmap import DropPassage, MapEdited
from models import Event
from moderator import SLUG, QuestionClosed, QuestionRaised, claim_named
from roundtable.config.config import Settings
from roundtable.journal.commands.command_reading import AnyCommand
from roundtable.journal.commands.table_commands import (
    AddExpert,
    Compare,
    DismissExpert,
    DropHost,
    DropSource,
    ReadSource,
    RenameExpert,
    Say,
    SetAside,
    Steer,
)
from roundtable.journal.events import CommandDone
from roundtable.journal.fold.state import State
from roundtable.journal.fold.user_controls import on_host
from roundtable.journal.session_phrases import session_phrases
from roundtable.session.context.journalled_context import ContextFactory
from roundtable.session.turns.comparison_making import compared_at_the_table

PERSON = "person"


class CommandRunner:
    """Carries out the commands that wait for a turn boundary; holds nothing but readings under way."""

    def __init__(self, contexts: ContextFactory, settings: Settings, timestamp: Callable[[], str]) -> None:
        self._contexts = contexts
        self._settings = settings
        self._timestamp = timestamp
        self._readings: dict[str, asyncio.Task[str]] = {}

    @property
    def _state(self) -> State:
        return self._contexts.record.state

    async def attend(self) -> None:
        """Carry out everything that waits; each command's events are committed together."""
        while self._state.controls.waiting:
            identity, command = next(iter(self._state.controls.waiting.items()))
            events, problem = await self._carried_out(command)
            events = _spoken_by(self._state.controls.people.get(identity, ""), events)
            self._contexts.record.add(*events, CommandDone(id=identity, problem=problem))

    def read_ahead(self, place: str) -> None:
        """Begin to read while the turn under way goes on; what was read is put on the table at its end."""
        if place not in self._readings:
            self._readings[place] = asyncio.ensure_future(self._read(place))

    async def close(self) -> None:
        """Let go of readings under way."""
        for reading in self._readings.values():
            reading.cancel()
        await asyncio.gather(*self._readings.values(), return_exceptions=True)

    async def _carried_out(self, command: AnyCommand) -> tuple[list[Event], str]:
        """Return the events that a command comes to, or why nothing came of it."""
        match command:
            case Say():
                return self._said(command), ""
            case Steer():
                return [TurnTaken(turn=self._turn("steer", command.text))], ""
            case SetAside():
                return self._set_aside(command.subject), ""
            case DropSource():
                return self._without(lambda url: url == command.source), ""
            case DropHost():
                return self._without(lambda url: on_host(url, command.host)), ""
            case ReadSource():
                return await self._put_on_the_table(command.place)
            case Compare():
                return await self._compared(command)
            case _:
                return self._reseated(command)

    def _turn(self, act: Act, text: str, question: str | None = None) -> Turn:
        return Turn(
            n=self._state.taken + 1, speaker=PERSON,
            name=session_phrases(self._state.language).person, role="person", act=act, text=text,
            citations=citations(text) if act == "note" else [], question=question,
            at=self._timestamp(), seconds=0.0,
        )  # fmt: skip

    def _said(self, command: Say) -> list[Event]:
        """Give a person's words a turn of their own, and put them on the agenda first."""
        number = self._state.agenda.next_id()
        state, statistics = self._state, self._contexts.library.statistics
        # What is said of somebody's claim goes to whoever made it, who may take it back.
        claim = claim_named(command.text, state.turns, state.panel, statistics)
        to = command.to or (claim.speaker if claim else None)
        raised = QuestionRaised(
            id=number, text=command.text, by=PERSON, to=to if to in {p.slug for p in state.panel} else None,
            search=command.search or (claimed(claim.text) if claim and claim.speaker == to else ""),
            claim=claim if claim and claim.speaker == to else None,
        )  # fmt: skip
        return [raised, TurnTaken(turn=self._turn("question", command.text, number))]

    def _set_aside(self, subject: str) -> list[Event]:
        wanted = set(terms(subject))
        words = session_phrases(self._state.language).set_aside.format(subject=subject)
        closed = [
            QuestionClosed(id=q.id, state="open", reason=f"set aside: {subject}")
            for q in self._state.agenda.waiting()
            if wanted and q.by != PERSON and wanted <= set(terms(f"{q.text} {q.search}"))
        ]
        return [TurnTaken(turn=self._turn("steer", words)), *closed]

    def _without(self, dropped: Callable[[str], bool]) -> list[Event]:
        """Take a source's passages off the map."""
        state = self._state
        gone = [i for i, p in state.evidence.passages.items() if dropped(p.url) and state.map.where(i)]
        return [MapEdited(changes=[DropPassage(passage=i) for i in gone])] if gone else []

    def _reseated(self, command: AnyCommand) -> tuple[list[Event], str]:
        panel, kept = list(self._state.panel), []
        match command:
            case AddExpert():
                taken = {SLUG, PERSON, *(p.slug for seated in self._state.panels for p in seated)}
                kept = [slug(command.expert, taken)]
                panel.append(_perspective(command, kept[0]))
                reason = f"{command.expert} joins"
            case RenameExpert():
                new, kept = {"name": command.to}, [command.expert]
                panel = [p.model_copy(update=new) if p.slug == command.expert else p for p in panel]
                reason = f"{command.expert} is called {command.to} now"
            case DismissExpert() if len(panel) > 1:
                panel = [p for p in panel if p.slug != command.expert]
                reason = f"{command.expert} leaves"
            case _:
                return [], "the table has changed meanwhile"
        if panel == self._state.panel:
            return [], "whom it was about is not at the table any more"
        return [PanelSeated(panel=panel, reason=reason, kept=kept)], ""

    async def _compared(self, command: Compare) -> tuple[list[Event], str]:
        """Set things side by side, and put the table on the table."""
        brought = await compared_at_the_table(command, self._contexts, self._contexts.of(PERSON))
        turn = self._turn("note", brought.text)
        taken = TurnTaken(turn=turn, admitted=brought.admitted, shown=len(turn.citations))
        return [taken, brought.event], ""

    # Reading what a person names

    async def _put_on_the_table(self, place: str) -> tuple[list[Event], str]:
        """Admit the best passages of a page or file; every later search finds them too."""
        reading = self._readings.pop(place, None)
        url = await (reading or self._read(place))
        page = self._state.work.pages[url]
        if page.sha256 is None:
            return [], page.error or "it could not be read"
        state = self._state
        query = state.controls.steered(" ".join([state.topic, *(q.text for q in state.agenda.waiting()[:1])]))
        passages = self._contexts.library.passages(page.sha256)
        statistics, limit = self._contexts.library.statistics, self._settings.agents.passages
        best = select(query, passages, statistics, limit=limit, threshold=0.0)
        chosen = [(item.passage, item.score) for item in best] or [(p, 0.0) for p in passages[:limit]]
        brought = self._contexts.of(PERSON).admit(chosen)
        words = session_phrases(state.language).please_read.format(title=page.title or url)
        turn = self._turn("note", words)
        fresh = [passage.id for passage, new in brought if new]
        return [TurnTaken(turn=turn, admitted=fresh, shown=len(brought))], ""

    async def _read(self, place: str) -> str:
        """Read a page or a file, journal that, and return the url it is known by."""
        where = located(place)
        if isinstance(where, WebAddress):
            await self._contexts.of(PERSON).perform([Action(kind="read", url=where.url)])
            return where.url
        path = where.path
        url, began = path.as_uri(), self._contexts.clock.monotonic()
        sha256, title, error, told = None, path.name, None, None
        try:
            source = await self._contexts.library.read_file(path)
            sha256, title = source.sha256, source.title
            told = ToldOfSource.of(await asyncio.to_thread(self._contexts.library.source, sha256))
        except ReadError as failure:
            error = str(failure)
        seconds = round(self._contexts.clock.monotonic() - began, 3)
        self._contexts.record.add(
            PageRead(
                speaker=PERSON, url=url, sha256=sha256, title=title, error=error, seconds=seconds, told=told
            )
        )
        return url


def _spoken_by(person: str, events: list[Event]) -> list[Event]:
    """Return events with the name of whose words they are; empty: it is not known."""
    if not person:
        return events
    return [
        event.model_copy(update={"turn": event.turn.model_copy(update={"person": person})})
        if isinstance(event, TurnTaken)
        else event
        for event in events
    ]


def _perspective(command: AddExpert, own: str) -> Perspective:
    focus = command.focus or command.expert
    return Perspective(
        slug=own, name=command.expert, role=command.role or focus, focus=focus,
        terms=[command.expert, *([command.focus] if command.focus else [])],
    )  # fmt: skip
