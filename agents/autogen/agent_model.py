"""An AutoGen agent in the place of an expert's model: it is shown what an expert is shown, and answers."""

import re
import time
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from agents.research.moves.respond import Move, Respond
from models import ModelSettings, OutputT, Reply, ReplyUnusable, Task, Usage, cost, estimate, load, price_of

if TYPE_CHECKING:
    from autogen_agentchat.base import ChatAgent, Response
    from autogen_agentchat.messages import BaseAgentEvent, BaseChatMessage

PROMPT = "answer_as_agent"
_LAST_WORD = re.compile(r"(?<!\s)\s*\bTERMINATE\W*$")
"""AutoGen's agents are told by default to end with this word when their task is done."""


class AgentModel:
    """Answers an expert's question by asking an AutoGen `ChatAgent`.

    The agent has no other part in the research: the passages were searched for as the table does for any
    expert, and what it cites is checked as anybody's. It begins each turn afresh (`on_reset`), for all
    that it needs is in the prompt, and a session that is resumed must not depend on what it remembers.
    """

    def __init__(self, agent: "ChatAgent", settings: ModelSettings) -> None:
        """Take an agent.

        Args:
            agent: Asked for one answer at a time.
            settings: Where prompts are overridden, and prices; `autogen:NAME` is what it is called there.
        """
        self.name = f"autogen:{agent.name}"
        self._agent = agent
        self._settings = settings

    async def ask(self, task: Task[OutputT]) -> Reply[OutputT]:
        """Have the agent answer; it raises what the agent raises.

        Raises:
            TypeError: the task is none of an expert's moves.
            ReplyUnusable: the agent said nothing.
        """
        from autogen_agentchat.messages import TextMessage
        from autogen_core import CancellationToken

        if not isinstance(task, Respond):
            raise TypeError(f"an agent answers questions, it does not do {task.name!r}")
        template = load("agents", PROMPT, self._settings.prompts)
        told = task.fields()
        prompt = template.fill({name: told[name] for name in template.names})
        words = TextMessage(content=f"{prompt.system}\n\n{prompt.user}", source="moderator")
        started, token = time.perf_counter(), CancellationToken()
        try:
            await self._agent.on_reset(token)
            response = await self._agent.on_messages([words], token)
        except BaseException:
            token.cancel()
            raise
        usage = self._usage(response, words.content, time.perf_counter() - started)
        answer = _LAST_WORD.sub("", response.chat_message.to_model_text()).strip()
        if not answer:
            raise ReplyUnusable(f"the agent {self._agent.name} said nothing")
        move: Any = Move(thought="", actions=[], answer=answer)
        return Reply(move, usage, prompt.hash)

    async def close(self) -> None:
        """Leave the agent as it is: it belongs to whoever made it."""

    def _usage(self, response: "Response", asked: str, seconds: float) -> Usage:
        """Return what the agent says that it used; where it says nothing, an estimate of one request."""
        messages: Sequence[BaseAgentEvent | BaseChatMessage]
        messages = [*(response.inner_messages or ()), response.chat_message]
        told = [m.models_usage for m in messages if m.models_usage is not None]
        prompt = sum(u.prompt_tokens for u in told) or estimate(asked)
        completion = sum(u.completion_tokens for u in told) or estimate(response.chat_message.to_model_text())
        price = price_of(self.name, self._settings.prices, listed=False)
        return Usage(
            model=self.name,
            requests=max(1, len(told)),
            prompt_tokens=prompt,
            completion_tokens=completion,
            seconds=seconds,
            cost=cost(price, prompt, completion),
        )
