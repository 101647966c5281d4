"""The table as an AutoGen team: a group chat whose manager asks the policy who speaks, stepped turn by turn.

Between two steps the team stands still. A team whose step failed or was cancelled is poisoned (its list of
active speakers is never cleared), so it is dropped and the next step builds a new one: nothing is lost, since
AutoGen holds no state of ours. This is the only file of the room that imports AutoGen's private modules;
`tests/moderator/test_team.py` holds the contract with them.
"""

import asyncio
import os
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from autogen_agentchat.base import TerminationCondition
from autogen_agentchat.messages import BaseAgentEvent, BaseChatMessage, MessageFactory, TextMessage
from autogen_agentchat.teams import BaseGroupChat
from autogen_agentchat.teams._group_chat._base_group_chat_manager import BaseGroupChatManager
from autogen_agentchat.teams._group_chat._events import GroupChatTermination
from autogen_agentchat.teams._group_chat._sequential_routed_agent import SequentialRoutedAgent
from autogen_core import CancellationToken

from agents import Contribution, Speaker, SpeakRequest
from agents.autogen import AutogenSeat, request_message, said_in, seat_name
from models import quiet_autogen

NextSpeakers = Callable[[], Sequence[str]]
"""Who speaks next, by slug; several speak at the same time."""

_MANAGER = "moderator_policy"
_LONGEST_THREAD = 40
"""Messages that AutoGen's thread keeps: speakers take what they need from the session, not from there."""
_GRACE = 10.0
"""Seconds that a cancelled step has to let go."""


class Team:
    """Speakers in AutoGen seats, called by the policy."""

    def __init__(self, speakers: Sequence[Speaker], seconds: float) -> None:
        """Seat the speakers.

        Args:
            speakers: Everyone who may be called; another panel is another team.
            seconds: After which one speaker's turn is given up.
        """
        self._speakers = list(speakers)
        self._seconds = seconds
        self._called: Sequence[str] = ()
        self._seats: dict[str, AutogenSeat] = {}
        self._chat: _PolicyGroupChat | None = None
        self.built = 0
        """Times that an AutoGen team was built: one, and one more after each failed or cancelled step."""

    async def step(
        self, requests: Mapping[str, SpeakRequest], briefing: str = ""
    ) -> list[Contribution | str]:
        """Let the called speakers speak, at the same time when they are several.

        Args:
            requests: What each is called for, by slug.
            briefing: A line for whoever reads AutoGen's thread.

        Returns:
            In the order of the requests: each one's contribution, or the reason why it said nothing.
        """
        messages = await self.messages(list(requests), request_message(requests, briefing, _MANAGER))
        return [said_in(message) for message in messages]

    def error(self, slug: str) -> BaseException | None:
        """Return what a speaker's last turn failed with: some faults must stop the session."""
        seat = self._seats.get(slug)
        return seat.error if seat else None

    async def messages(self, speakers: Sequence[str], task: TextMessage) -> list[TextMessage]:
        """Step the team once; the speakers' messages come in the order of the slugs, whoever was first."""
        self._called = speakers
        chat = self._chat = self._chat or self._build()
        token = CancellationToken()
        work = asyncio.ensure_future(_run(chat, task, token))
        try:
            said = await asyncio.shield(work)
        except BaseException:
            self._chat = None
            if not work.done():
                # Without the token the team would wait for its speakers to end by themselves.
                token.cancel()
                await asyncio.wait({work}, timeout=_GRACE)
                work.cancel()
            if not work.cancelled() and work.done():
                work.exception()
            raise
        return [said[seat_name(slug)] for slug in speakers]

    async def close(self) -> None:
        """Let go of the team; a step under way is to be cancelled by its caller."""
        self._chat, self._seats = None, {}

    def _build(self) -> "_PolicyGroupChat":
        quiet_autogen()
        # Spans would carry names and timings to whatever collector is configured.
        os.environ.setdefault("AUTOGEN_DISABLE_RUNTIME_TRACING", "true")
        self.built += 1
        self._seats = {speaker.slug: AutogenSeat(speaker, self._seconds) for speaker in self._speakers}
        return _PolicyGroupChat(list(self._seats.values()), lambda: self._called)


async def _run(
    chat: "_PolicyGroupChat", task: TextMessage, token: CancellationToken
) -> dict[str, TextMessage]:
    said: dict[str, TextMessage] = {}
    stream = chat.run_stream(task=task, cancellation_token=token, output_task_messages=False)
    async for message in stream:
        if isinstance(message, TextMessage):
            said[message.source] = message
    return said


class _PolicyManager(BaseGroupChatManager):
    """Asks the policy who speaks."""

    def __init__(self, *arguments: Any, next_speakers: NextSpeakers) -> None:
        super().__init__(*arguments)
        self._next_speakers = next_speakers

    async def validate_group_state(self, messages: list[BaseChatMessage] | None) -> None:
        """Accept any state: a poisoned team is never run again."""

    async def reset(self) -> None:
        """Forget the thread."""
        self._message_thread.clear()

    async def update_message_thread(self, messages: Sequence[BaseAgentEvent | BaseChatMessage]) -> None:
        """Keep the end of the thread alone, so that a long session does not grow."""
        await super().update_message_thread(messages)
        del self._message_thread[:-_LONGEST_THREAD]

    async def select_speaker(self, thread: Sequence[BaseAgentEvent | BaseChatMessage]) -> list[str]:
        """Return the names of the seats that the policy calls."""
        del thread  # the policy knows the session, and needs no messages
        return [seat_name(slug) for slug in self._next_speakers()]


class _PolicyGroupChat(BaseGroupChat):
    """A group chat of one turn at a time."""

    def __init__(self, seats: Sequence[AutogenSeat], next_speakers: NextSpeakers) -> None:
        super().__init__(
            name="roundtable",
            description="A table of experts and a moderator.",
            participants=list(seats),
            group_chat_manager_name=_MANAGER,
            group_chat_manager_class=_PolicyManager,
            max_turns=1,
        )
        self._next_speakers = next_speakers

    def _create_group_chat_manager_factory(
        self,
        name: str,
        group_topic_type: str,
        output_topic_type: str,
        participant_topic_types: list[str],
        participant_names: list[str],
        participant_descriptions: list[str],
        output_message_queue: asyncio.Queue[BaseAgentEvent | BaseChatMessage | GroupChatTermination],
        termination_condition: TerminationCondition | None,
        max_turns: int | None,
        message_factory: MessageFactory,
    ) -> Callable[[], SequentialRoutedAgent]:
        return lambda: _PolicyManager(
            name,
            group_topic_type,
            output_topic_type,
            participant_topic_types,
            participant_names,
            participant_descriptions,
            output_message_queue,
            termination_condition,
            max_turns,
            message_factory,
            next_speakers=self._next_speakers,
        )
