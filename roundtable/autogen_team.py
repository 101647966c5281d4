"""The table as a team of AutoGen: run, streamed, nested and saved like any other.

team = RoundtableTeam(load_settings({"docs": ["notes/"]}))
await Console(team.run_stream(task="Why do cities flood?"))

A task begins a session; the next one is asked of the same table, and the report is written again with the
answer. The session's journal is the team's memory: `save_state` gives little more than the session's id.
"""

import asyncio
from collections.abc import AsyncGenerator, Mapping, Sequence
from contextlib import AsyncExitStack, aclosing
from datetime import datetime
from pathlib import Path
from typing import Any, Self

from autogen_agentchat.base import ChatAgent, TaskResult, Team
from autogen_agentchat.messages import BaseAgentEvent, BaseChatMessage, TextMessage
from autogen_agentchat.state import BaseState
from autogen_agentchat.teams import BaseGroupChat
from autogen_core import CancellationToken, Component, ComponentModel
from autogen_core.models import RequestUsage
from pydantic import BaseModel, Field

from agents import Turn
from library import citations
from reports import report_markdown
from roundtable.config.config import Settings, load_settings, unresolved
from roundtable.config.errors import InputError
from roundtable.journal.commands.table_commands import FollowUp, Say
from roundtable.journal.events import Recorded
from roundtable.journal.fold.state import Cost, State
from roundtable.session.factory import Runtime, resume_session, start_session
from roundtable.session.session import Session

Task = str | BaseChatMessage | Sequence[BaseChatMessage] | None
"""What a team is given: words, one message, several, or nothing to go on with."""


class RoundtableTeamConfig(BaseModel):
    """A team as `dump_component` writes it."""

    name: str
    description: str
    settings: dict[str, Any] = Field(default_factory=dict)
    """As in a file of settings; without keys."""
    experts: list[ComponentModel] = Field(default_factory=list)
    """AutoGen agents at the table."""
    home: str | None = None
    """Folder with the journal and the store; None: the machine's own."""


class RoundtableTeamState(BaseState):
    """What `save_state` keeps: where the journal has the rest."""

    type: str = Field(default="RoundtableTeamState")
    session: str | None = None
    """Id of the session; None before the first task."""
    turns: int = 0
    """Turns that were given as messages: a session that is gone on with begins with those that were not."""


class RoundtableTeam(Team, Component[RoundtableTeamConfig]):
    """Experts and a moderator who discuss a task, each searching and reading, and write a report that cites.

    It streams a `TextMessage` for each turn, and one with the report at the end. Passages are cited as
    `[p12]`, and listed under each turn with title and address; `metadata` says the turn's number, act,
    role and citations, and the session. It may sit in a group chat, in a `SocietyOfMindAgent`, or be a
    `TeamTool`. One task runs at a time.
    """

    component_config_schema = RoundtableTeamConfig
    component_provider_override = "roundtable.RoundtableTeam"

    def __init__(
        self,
        settings: Settings | None = None,
        *,
        experts: Sequence[ChatAgent] = (),
        name: str = "roundtable",
        description: str = "Experts who research a topic together and write a report that cites its sources.",
        around: Runtime | None = None,
    ) -> None:
        """Set a table; nothing is opened before the first task.

        Args:
            settings: None: those of the environment. Sessions that are gone on with keep their own.
            experts: AutoGen agents that sit at the table; see `start_session`.
            name: Under which it writes the report, and stands in a larger team.
            description: For whoever chooses among teams.
            around: Where it runs; None: the machine's own.
        """
        self._settings = load_settings() if settings is None else settings
        self._experts = list(experts)
        self._name = name
        self._description = description
        self._around = around or Runtime()
        self._id: str | None = None
        self._told = 0
        """Number of the last turn that was given as a message."""
        self._session: Session | None = None
        self._running = False

    @property
    def name(self) -> str:
        """Under which the team writes the report."""
        return self._name

    @property
    def description(self) -> str:
        """What the team is for."""
        return self._description

    @property
    def session_id(self) -> str | None:
        """Id of the session, as `roundtable show` takes it; None before the first task."""
        return self._id

    async def run(
        self,
        *,
        task: Task = None,
        cancellation_token: CancellationToken | None = None,
        output_task_messages: bool = True,
    ) -> TaskResult:
        """Do a task to its end; see `run_stream`."""
        stream = self.run_stream(
            task=task, cancellation_token=cancellation_token, output_task_messages=output_task_messages
        )
        async with aclosing(stream):
            messages = [message async for message in stream]
        result = messages[-1]
        assert isinstance(result, TaskResult)  # the stream ends with one, or raises
        return result

    async def run_stream(
        self,
        *,
        task: Task = None,
        cancellation_token: CancellationToken | None = None,
        output_task_messages: bool = True,
    ) -> AsyncGenerator[BaseAgentEvent | BaseChatMessage | TaskResult, None]:
        """Do a task; yield each turn as it is taken, the report, and the result.

        Args:
            task: The first begins a session on its words; a later one is asked of the same table. Of several
                messages the last is the task. None goes on with a session that was cancelled.
            cancellation_token: Stops at once; what was said is kept, and a run without a task goes on.
            output_task_messages: Whether the task's own messages come first.

        Raises:
            ValueError: it runs already, or there is neither a task nor a session.
            InputError, LibraryError, ModelUnavailable: as `start_session` and `Session.run` raise.
        """
        if self._running:
            raise ValueError("the team is running already: one task runs at a time")
        asked = _messages(task)
        words = asked[-1].to_model_text() if asked else ""
        if not words.strip() and (asked or self._id is None):
            raise ValueError("there is no task: say what the table should talk about")
        self._running = True
        try:
            said: list[BaseAgentEvent | BaseChatMessage] = list(asked) if output_task_messages else []
            for message in list(said):
                yield message
            async with AsyncExitStack() as opened:
                session = await self._opened(words)
                opened.push_async_callback(session.close)
                async for own in self._played(session, cancellation_token or CancellationToken()):
                    said.append(own)
                    yield own
                reason = session.state.reason
        finally:
            self._running, self._session = False, None
        yield TaskResult(messages=said, stop_reason=reason)

    async def _opened(self, words: str) -> Session:
        """Begin a session, or take up the team's own and ask it."""
        if self._id is None:
            session = await start_session(words, self._settings, around=self._around, experts=self._experts)
            self._id = session.id
        else:
            session = await resume_session(self._id, around=self._around, experts=self._experts)
            if words:
                try:
                    session.do((FollowUp if session.state.status == "ended" else Say).of(text=words))
                except BaseException:
                    await session.close()
                    raise
        self._session = session
        return session

    async def _played(self, session: Session, token: CancellationToken) -> AsyncGenerator[TextMessage, None]:
        """Run a session; yield its turns, and at the end its report."""
        costs = _Costs(session.state)
        for turn in [turn for turn in session.state.turns if turn.n > self._told]:
            # Taken just before a run was cancelled, which then did not come to giving it.
            self._told = turn.n
            yield _turn_message(turn, session, None)
        async with aclosing(session.run()) as events:
            while (recorded := await _next(events, token)) is not None:
                if recorded.event.kind == "turn_taken":
                    turn = recorded.event.turn
                    self._told = turn.n
                    yield _turn_message(turn, session, costs.of(turn.speaker))
        yield self._report_message(session, costs.rest())

    def _report_message(self, session: Session, used: RequestUsage | None) -> TextMessage:
        state = session.state
        text = report_markdown(state.report, state.evidence) if state.report else state.reason
        told = {"session": session.id, "act": "report"}
        return TextMessage(
            id=f"{session.id}-report-{state.last}", source=self._name, content=text, metadata=told,
            models_usage=used,
        )  # fmt: skip

    async def reset(self) -> None:
        """Forget the session: the next task begins a new one. The old one stays in the journal.

        Raises:
            RuntimeError: the team is running.
        """
        if self._running:
            raise RuntimeError("the team is running: it cannot be reset before it has stopped")
        self._id, self._told = None, 0

    async def pause(self) -> None:
        """Stand still after the turn under way, until `resume`; nothing where no discussion goes on.

        A session is ahead of the messages that are taken from it: its discussion may be over already.
        """
        if (session := self._discussing()) is not None:
            session.do("/pause")

    async def resume(self) -> None:
        """Go on after `pause`; nothing where no discussion goes on."""
        if (session := self._discussing()) is not None:
            session.do("/go")

    def _discussing(self) -> Session | None:
        session = self._session
        return session if session is not None and session.state.status == "running" else None

    async def save_state(self) -> Mapping[str, Any]:
        """Return the session's id, and how far its turns were given; all else is in the journal."""
        return RoundtableTeamState(session=self._id, turns=self._told).model_dump()

    async def load_state(self, state: Mapping[str, Any]) -> None:
        """Take up the session that a state names.

        Raises:
            SessionUnknown: this machine's journal has no such session.
            RuntimeError: the team is running.
        """
        if self._running:
            raise RuntimeError("the team is running: its state cannot be changed before it has stopped")
        read = RoundtableTeamState.model_validate(state)
        if read.session is not None:
            with self._around.journal() as journal:
                journal.find(read.session)
        self._id, self._told = read.session, read.turns

    def _to_config(self) -> RoundtableTeamConfig:
        if self._around.model is not None or self._around.library is not None:
            raise InputError("a team that was given a model or a library cannot be dumped: use settings")
        return RoundtableTeamConfig(
            name=self._name,
            description=self._description,
            settings=unresolved(self._settings),
            experts=[expert.dump_component() for expert in self._experts],
            home=None if self._around.home == Runtime().home else str(self._around.home),
        )

    @classmethod
    def _from_config(cls, config: RoundtableTeamConfig) -> Self:
        return cls(
            Settings.model_validate(config.settings),
            experts=[ChatAgent.load_component(expert) for expert in config.experts],
            name=config.name,
            description=config.description,
            around=None if config.home is None else Runtime(home=Path(config.home)),
        )


# `TeamTool` asks for a BaseGroupChat where it is loaded, and uses nothing of it that a Team has not.
BaseGroupChat.register(RoundtableTeam)


def _messages(task: Task) -> list[BaseChatMessage]:
    if task is None:
        return []
    if isinstance(task, str):
        return [TextMessage(content=task, source="user")]
    return [task] if isinstance(task, BaseChatMessage) else list(task)


async def _next(events: AsyncGenerator[Recorded], token: CancellationToken) -> Recorded | None:
    """Return the next event, None after the last; a cancelled token ends the wait."""
    waiting = asyncio.ensure_future(anext(events, None))
    token.link_future(waiting)
    try:
        return await waiting
    except BaseException:
        waiting.cancel()
        raise


def _turn_message(turn: Turn, session: Session, used: RequestUsage | None) -> TextMessage:
    """Return a turn with its citations listed under it."""
    evidence = session.state.evidence
    passages, labels = evidence.passages, evidence.labels()
    cited = [passages[i] for i in dict.fromkeys(citations(turn.text)) if i in passages]
    listed = [f"[{labels[p.id]}] {p.title or p.url}{f' — {p.url}' if p.title else ''}" for p in cited]
    told = {
        "session": session.id, "turn": str(turn.n), "name": turn.name, "role": turn.role, "act": turn.act,
        "citations": " ".join(turn.citations),
    }  # fmt: skip
    said = evidence.named(turn.text)
    content = f"{said}\n\n{chr(10).join(listed)}" if listed else said
    return TextMessage(
        id=f"{session.id}-{turn.n}", source=turn.speaker, content=content,
        created_at=datetime.fromisoformat(turn.at), metadata=told, models_usage=used,
    )  # fmt: skip


class _Costs:
    """What models used, told once: with the turn of the speaker who asked them, the rest with the report.

    Experts research ahead of their turns, while others speak: the order of requests does not tell whose they
    were.
    """

    def __init__(self, state: State) -> None:
        """Count from here on: what was used before belongs to an earlier task."""
        self._state, self._read = state, len(state.usage)
        self._waiting: list[Cost] = []

    def of(self, speaker: str) -> RequestUsage | None:
        """Return what a speaker used since it last spoke; None where it asked no model."""
        self._gather()
        own = [cost for cost in self._waiting if cost.speaker == speaker]
        self._waiting = [cost for cost in self._waiting if cost.speaker != speaker]
        return _used(own)

    def rest(self) -> RequestUsage | None:
        """Return what nobody's turn told yet; None where no model was asked for it."""
        self._gather()
        left, self._waiting = self._waiting, []
        return _used(left)

    def _gather(self) -> None:
        self._waiting += self._state.usage[self._read :]
        self._read = len(self._state.usage)


def _used(costs: Sequence[Cost]) -> RequestUsage | None:
    usages = [cost.usage for cost in costs if cost.usage.requests]
    if not usages:
        return None
    return RequestUsage(
        prompt_tokens=sum(u.prompt_tokens for u in usages),
        completion_tokens=sum(u.completion_tokens for u in usages),
    )
