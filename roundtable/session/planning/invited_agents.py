"""AutoGen agents that sit at the table: invited with the session, and had again when it is resumed.

The journal keeps what they said, and who they are: a name, a line, and the file that each was read from. An
agent itself is never kept. One that came from a file is read from there again; one that a program gave, the
program gives again.
"""

import asyncio
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from agents import AgentsInvited, InvitedAgent, slug
from models import Model
from moderator import SLUG
from roundtable.config.config import Settings
from roundtable.config.errors import ExpertMissing, InputError
from roundtable.session.turns.command_runner import PERSON

if TYPE_CHECKING:
    from autogen_agentchat.base import ChatAgent

_MOST = 8
_LONGEST_DESCRIPTION = 300


@dataclass(frozen=True, slots=True)
class AgentFromFile:
    """An agent with the file that its configuration stands in."""

    agent: "ChatAgent"
    file: Path


def read_invited(files: Sequence[Path], settings: Settings) -> list[AgentFromFile]:
    """Read agents from files that a person named.

    Raises:
        InputError: one holds no agent that may be loaded; the message says what to do.
    """
    return [AgentFromFile(_read(file.expanduser().absolute(), settings), file.expanduser().absolute())
            for file in files]  # fmt: skip


def _read(file: Path, settings: Settings) -> "ChatAgent":
    from agents.autogen import ComponentError, read_agent

    named = [settings.models.base_url] if settings.models.base_url else []
    try:
        return read_agent(file, [*settings.agents.allow_providers, *named], offline=settings.offline)
    except ComponentError as failure:
        raise InputError(str(failure)) from failure


def invitation(experts: Sequence["ChatAgent | AgentFromFile"]) -> AgentsInvited | None:
    """Return the event that invites agents; None for none.

    Raises:
        InputError: there are too many, or two have the same name.
    """
    if len(experts) > _MOST:
        raise InputError(f"{len(experts)} experts were given: {_MOST} sit at the table at most")
    invited: list[InvitedAgent] = []
    for expert in experts:
        agent, file = (expert.agent, str(expert.file)) if isinstance(expert, AgentFromFile) else (expert, "")
        if any(other.name == agent.name for other in invited):
            raise InputError(f"two experts are called {agent.name!r}: give each agent a name of its own")
        taken = {SLUG, PERSON, *(other.slug for other in invited)}
        described = " ".join(agent.description.split())[:_LONGEST_DESCRIPTION]
        invited.append(
            InvitedAgent(slug=slug(agent.name, taken), name=agent.name, description=described, file=file)
        )
    return AgentsInvited(agents=invited) if invited else None


class InvitedAgents:
    """The agents of one session, each in the place of an expert's model."""

    def __init__(
        self, session_id: str, experts: Sequence["ChatAgent | AgentFromFile"], settings: Settings
    ) -> None:
        """Take the agents that are given now.

        Args:
            session_id: Whose they are, for errors.
            experts: In any order; they are known by their names. Those that the session has no seat for
                are left alone.
            settings: Which providers may be loaded, and how agents are asked.
        """
        self._given = {
            agent.name: agent for agent in (e.agent if isinstance(e, AgentFromFile) else e for e in experts)
        }
        self._id = session_id
        self._settings = settings
        self._models: dict[str, Model] = {}

    async def ready(self, invited: Iterable[InvitedAgent]) -> None:
        """Have those agents at hand, from their files where they were not given.

        Raises:
            ExpertMissing: one was not given and has no file, or its file holds it no longer.
        """
        for who in invited:
            if who.slug in self._models:
                continue
            agent = self._given.get(who.name) or await self._from_file(who)
            from agents.autogen import AgentModel

            self._models[who.slug] = AgentModel(agent, self._settings.models)

    async def _from_file(self, who: InvitedAgent) -> "ChatAgent":
        missing = f"session {self._id}: the expert {who.name!r} is an AutoGen agent"
        again = f"give it again, with --expert FILE.json or experts=[…], or dismiss the expert {who.slug!r}"
        if not who.file:
            raise ExpertMissing(f"{missing} that is not here: {again}")
        try:
            agent = await asyncio.to_thread(_read, Path(who.file), self._settings)
        except InputError as failure:
            raise ExpertMissing(f"{missing} that its file does not give: {failure}; {again}") from failure
        if agent.name != who.name:
            raise ExpertMissing(f"{missing}, and {who.file} now holds {agent.name!r}: {again}")
        return agent

    def model(self, speaker: str) -> Model | None:
        """Return who answers in a speaker's place; None for the table's own speakers."""
        return self._models.get(speaker)
