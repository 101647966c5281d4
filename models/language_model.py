"""A language model: a task's prompt is sent, its reply read, mended or asked for again, its cost counted."""

import asyncio
import random
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace
from typing import Any

from pydantic import BaseModel

from models.client.chat_client import Client, Message, ModelAnswer, context_window, first_manner
from models.client.error_classes import Fault
from models.client.providers import Endpoint
from models.client.reply_cache import KeptReplies
from models.client.retry_policy import RetryOptions, RetryPolicy
from models.errors import ModelError, ModelUnavailable, ReplyUnusable
from models.prices import cost, price_of
from models.prompting.output_parsing import LONGEST_VALUE, read_reply, read_value, without_thoughts
from models.prompting.output_schemas import ENVELOPE, instruction, shape_size
from models.prompting.prompts import Prompt, render
from models.prompting.token_estimate import estimate
from models.prompting.tools import Toolbox, parameters
from models.prompting.truncation import shorten
from models.settings import ModelSettings, Price
from models.task import OutputT, Reply, Task, Usage

_LONGEST_ECHO = 2_000
"""Characters of an unusable reply that are shown to the model again."""
_OF_A_TOKEN = 8
"""Characters, at most, that a token of a reply stands for."""
_SMALLEST_WINDOW = 1_024
_PROBE_TOKENS = 64


@dataclass(frozen=True, slots=True)
class Probe:
    """How a language model is, as found by one small request."""

    model: str
    server: str
    seconds: float
    """That the answer took."""
    fault: Fault | None
    """Why it cannot be asked; None when it can."""

    @property
    def reachable(self) -> bool:
        """Whether something that takes questions answers there."""
        return self.fault is None or self.fault.about != "server"

    @property
    def admitted(self) -> bool | None:
        """Whether the key is accepted; None when nothing answers."""
        return self.fault is None or self.fault.about != "key" if self.reachable else None

    @property
    def known(self) -> bool | None:
        """Whether the server has the model; None when it did not come to that."""
        return self.fault is None or self.fault.about != "model" if self.admitted else None

    @property
    def line(self) -> str:
        """Return one line that says how it is and, where something is wrong, what to do."""
        if self.fault is not None:
            return self.fault.message
        return f"{self.model} at {self.server} answers ({self.seconds:.1f} s)"


@dataclass(slots=True)
class _Tally:
    """What a task has cost so far, failed requests included."""

    requests: int = 0
    prompt_tokens: int = 0
    completion_tokens: int = 0


@dataclass(slots=True)
class _Talk:
    """One task on its way: what is sent next."""

    prompt: Prompt
    output: type[BaseModel]
    limit: int
    """Tokens that the reply may have."""
    user: str
    """The prompt's user part, possibly shortened."""
    manner: RetryOptions
    """How it is asked now."""
    toolbox: Toolbox | None = None
    pictures: tuple[str, ...] = ()
    """Shown beside the user part."""
    unusable: str | None = None
    """The reply to be repaired."""
    reason: str = ""

    @property
    def tools(self) -> Toolbox | None:
        """What is to be called; None where JSON is asked for."""
        return self.toolbox if self.manner.tools else None


class LanguageModel:
    """Does tasks by asking a language model."""

    def __init__(
        self,
        endpoint: Endpoint,
        settings: ModelSettings,
        *,
        client: Client | None = None,
        replies: KeptReplies | None = None,
        timer: Callable[[], float] = time.perf_counter,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
        chance: Callable[[], float] = random.random,
    ) -> None:
        """Take a model on a server.

        Args:
            endpoint: Which model, where.
            settings: Patience, limits, prices.
            client: To be used instead of one of its own: several roles share a model's connections.
            replies: Where replies are kept for later sessions; None: nowhere.
            timer: Seconds, for measuring.
            sleep: How to wait between requests.
            chance: 0 to 1, spreads retries of requests that were refused together.
        """
        self.name = endpoint.address.model
        self.endpoint = endpoint
        self._settings = settings
        self._client = client or Client(endpoint, settings)
        self._replies = replies
        self._timer = timer
        self._sleep = sleep
        self._chance = chance
        self._manner: RetryOptions | None = None
        self._proven = False
        """Whether a reply to the present manner was read at once: then trouble with it is one task's own."""
        self._own_manners: dict[type[BaseModel], RetryOptions] = {}
        """For outputs with which the usual manner does not work: a schema that the server refuses."""
        self._answered = False
        self._window: int | None = None

    async def ask(self, task: Task[OutputT]) -> Reply[OutputT]:
        """Do the task; see `models.task.Model`. Errors carry what was spent and the prompt's hash."""
        started = self._timer()
        prompt = render(task, self._settings.prompts)
        if self._replies is not None and (known := self._replies.find(prompt, task.output)) is not None:
            return Reply(known, Usage(model=self.name, cached=1), prompt.hash)
        tally = _Tally()
        try:
            async with asyncio.timeout(self._settings.total_timeout):
                output = await self._converse(task, prompt, tally)
        except TimeoutError:
            seconds = f"{self._settings.total_timeout:.0f} s"
            late = ModelUnavailable(f"{self.name} at {self._where} did not finish {task.name!r} in {seconds}")
            raise self._charged(late, prompt, tally, started) from None
        except ModelError as error:
            raise self._charged(error, prompt, tally, started) from None
        if self._replies is not None:
            self._replies.keep(prompt, task.output, output)
        return Reply(output, self._usage(tally, started), prompt.hash)

    async def warm_up(self) -> None:
        """Import what asking needs, in a thread: best done while something else is waited for."""
        await self._client.warm_up()
        await asyncio.to_thread(lambda: self.price)

    @property
    def price(self) -> Price | None:
        """What its tokens cost, None when nobody knows."""
        return price_of(self.name, self._settings.prices, listed=not self.endpoint.own_server)

    async def probe(self) -> "Probe":
        """Find out with one small request whether the model can be asked."""
        await self._client.warm_up()
        started = self._timer()
        manner = replace(self._manner or first_manner(self.endpoint), tools=False)
        messages = [Message("user", "Reply with the word: ready")]
        fault: Fault | None = None
        for _ in range(4):
            try:
                await self._client.create(messages, BaseModel, replace(manner, format="text"), _PROBE_TOKENS)
            except Fault as error:
                fault = error
                plainer = manner.plainer(error.culprit) if error.culprit else None
                if plainer is None:
                    break
                manner = plainer
            else:
                fault = None
                break
        return Probe(self.name, self._where, self._timer() - started, fault)

    async def close(self) -> None:
        """Release connections."""
        await self._client.close()

    @property
    def _where(self) -> str:
        return self.endpoint.address.server

    async def _converse(self, task: Task[OutputT], prompt: Prompt, tally: _Tally) -> OutputT:
        if self._manner is None:
            await self._client.warm_up()
            self._manner = first_manner(self.endpoint, self._settings.tools)
            self._window = context_window(self.endpoint, self._settings)
        patience = RetryPolicy(self._settings.retries, self._settings.longest_wait)
        toolbox = task.toolbox
        usual = self._usual(toolbox)
        manner = self._own_manners.get(task.output, usual)
        limit = self._settings.max_output_tokens
        talk = _Talk(prompt, task.output, limit, prompt.user, manner, toolbox, task.pictures)
        self._fit(talk)
        while True:
            try:
                answer = await self._send(talk, tally)
            except Fault as fault:
                await self._bear(fault, patience, talk)
                continue
            try:
                output: Any = _read(answer, talk)
            except ReplyUnusable as error:
                self._prepare_repair(error, answer, talk)
                continue
            self._remember(talk)
            result: OutputT = output
            return result

    async def _bear(self, fault: Fault, patience: RetryPolicy, talk: _Talk) -> None:
        """Do what helps after a fault: wait, ask for less, shorten. Raises when nothing does."""
        step = patience.step(fault, talk.manner, answered=self._answered, chance=self._chance())
        if step.manner is not None:
            self._change(talk, step.manner)
        if step.window is not None:
            self._learn_window(step.window, talk)
            self._fit(talk)
        if step.wait:
            await self._sleep(step.wait)

    def _change(self, talk: _Talk, manner: RetryOptions) -> None:
        """Ask otherwise: this task, and all that follow unless the usual manner has proven itself."""
        # Requests in flight at the same time learn the same thing once.
        if talk.manner == self._usual(talk.toolbox) and not self._proven:
            kept = self._manner is not None and self._manner.tools
            self._manner = manner if talk.toolbox else replace(manner, tools=kept)
        talk.manner = manner

    def _usual(self, toolbox: Toolbox | None) -> RetryOptions:
        """Return how a task is asked unless it has a manner of its own: without tools when it has none."""
        manner = self._manner or RetryOptions()
        return manner if toolbox else replace(manner, tools=False)

    def _remember(self, talk: _Talk) -> None:
        """Keep what an answer has shown."""
        self._answered = True
        if talk.manner == self._usual(talk.toolbox):
            self._proven = self._proven or talk.unusable is None
        elif self._proven and self._manner is not None:
            self._own_manners[talk.output] = talk.manner

    def _prepare_repair(self, error: ReplyUnusable, answer: ModelAnswer, talk: _Talk) -> None:
        """Set up the one round in which the model sees what was wrong. Raises when it was that round."""
        if answer.finish == "content_filter":
            said = self.endpoint.address.clean(answer.text)
            refusal = f"{self.name} refuses the content of the request"
            raise ReplyUnusable(f"{refusal} ({said})" if said else refusal)
        if talk.unusable is not None:
            raise ReplyUnusable(f"{self.name} gave no usable reply, also when asked again: {error}")
        if (talk.tools or not self._proven) and answer.finish != "length":
            # A server may take tools or a response format and not heed it: then the prompt must say it.
            self._change(talk, talk.manner.plainer("format") or talk.manner)
        talk.unusable, talk.reason = answer.written, str(error)
        if answer.finish == "length":
            talk.reason = f"it was cut off after {talk.limit} tokens; reply with much less text"
            talk.limit *= 2
        self._fit(talk)

    async def _send(self, talk: _Talk, tally: _Tally) -> ModelAnswer:
        messages = _messages(talk)
        tally.requests += 1
        tools = talk.tools.tools if talk.tools else ()
        answer = await self._client.create(messages, talk.output, talk.manner, talk.limit, tools)
        tally.requests += answer.requests - 1
        tally.prompt_tokens += answer.prompt_tokens or sum(estimate(message.text) for message in messages)
        tally.completion_tokens += answer.completion_tokens or estimate(answer.written)
        return answer

    def _fit(self, talk: _Talk) -> None:
        """Shorten the user part until all that is sent fits the bound on prompts, and the window if known."""
        rooms = [] if self._settings.longest_prompt is None else [self._settings.longest_prompt]
        if self._window is not None:
            talk.limit = min(talk.limit, max(self._window // 3, 256))
            rooms.append(self._window - talk.limit)
        if not rooms:
            return
        shorter = shorten(talk.user, min(rooms) - _beside(talk))
        if shorter is None:
            raise ReplyUnusable(f"the prompt does not fit into {min(rooms)} tokens, what {self.name} takes")
        talk.user = shorter

    def _learn_window(self, window: int, talk: _Talk) -> None:
        sent = estimate(talk.prompt.system) + estimate(talk.user) + talk.limit
        learnt = window or sent // 2
        self._window = max(min(learnt, self._window or learnt), _SMALLEST_WINDOW)

    def _usage(self, tally: _Tally, started: float) -> Usage:
        return Usage(
            model=self.name,
            requests=tally.requests,
            prompt_tokens=tally.prompt_tokens,
            completion_tokens=tally.completion_tokens,
            seconds=self._timer() - started,
            cost=cost(self.price, tally.prompt_tokens, tally.completion_tokens),
        )

    def _charged(self, error: ModelError, prompt: Prompt, tally: _Tally, started: float) -> ModelError:
        error.usage, error.prompt_hash = self._usage(tally, started), prompt.hash
        return error


def _beside(talk: _Talk) -> int:
    """Return the tokens of what is sent beside the prompt's user part, on the high side."""
    shape = shape_size(talk.output)
    if talk.tools is not None:
        told = [f"{tool.name} {tool.description} {parameters(tool)}" for tool in talk.tools.tools]
        shape = max(shape, estimate("\n".join([talk.tools.instruction, *told])) + 16 * len(told))
    repair = "" if talk.unusable is None else talk.unusable[:_LONGEST_ECHO] + talk.reason
    return estimate(talk.prompt.system) + shape + estimate(repair) + ENVELOPE


def _read(answer: ModelAnswer, talk: _Talk) -> BaseModel:
    """Read an answer as the task's output: from calls of tools where they were offered, else from JSON."""
    longest = max(LONGEST_VALUE, _OF_A_TOKEN * talk.limit)
    if talk.tools is not None:
        told = talk.tools.output(without_thoughts(answer.text), answer.calls)
        if told is not None:
            return read_value(told, talk.output, longest)
        if answer.calls or "{" not in answer.text:
            raise ReplyUnusable("the reply calls no tool that there is")
    return read_reply(answer.text, talk.output, longest)


def _messages(talk: _Talk) -> list[Message]:
    """Return the conversation: what stays the same first, so that providers' prompt caches hit."""
    system = talk.prompt.system
    if talk.tools is not None:
        system = f"{system}\n\n{talk.tools.instruction}"
    elif talk.manner.format != "schema" or talk.unusable is not None:
        system = f"{system}\n\n{instruction(talk.output)}"
    messages = [Message("system", system), Message("user", talk.user, talk.pictures)]
    if talk.unusable is not None:
        # An empty message is refused by some servers.
        messages.append(Message("assistant", talk.unusable[:_LONGEST_ECHO].strip() or "…"))
        how = "calling the tools" if talk.tools else "with the whole JSON object alone"
        again = f"This reply cannot be used: {talk.reason}. Reply again, {how}."
        messages.append(Message("user", again))
    return messages
