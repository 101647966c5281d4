"""Asking in a way that lets one read along, where somebody watches and the server can.

Watching is a courtesy and changes nothing else: a server that does not stream, breaks off, or answers a
streamed request with something that is no stream is asked again as usual, and that answer counts.
"""

import contextlib
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from models.client.error_classes import Address, classify
from models.prompting.partial_json import LONGEST_SHOWN, Watcher, present_watcher
from models.secrets import mask_unfinished

if TYPE_CHECKING:
    from autogen_core.models import ChatCompletionClient, CreateResult, LLMMessage


class Streaming:
    """What is known of how one server streams."""

    def __init__(self, address: Address, *, able: bool) -> None:
        """Take a server; one that is not `able` is never asked to stream."""
        self._address = address
        self._able = able
        self._proven = False
        """Whether a streamed answer came whole: then trouble with one is not about streaming."""

    async def create(
        self,
        client: "ChatCompletionClient",
        messages: "Sequence[LLMMessage]",
        arguments: Mapping[str, Any],
    ) -> "tuple[CreateResult, int]":
        """Ask; return the answer and how many requests it took. Raises a fault."""
        watcher = present_watcher()
        if watcher is None or not self._able or arguments.get("tools"):
            return await client.create(messages, **arguments), 1
        try:
            result = await self._watched(client, messages, arguments, watcher)
        except Exception as failure:  # noqa: BLE001 - classed, and raised unless asking again helps
            fault = classify(failure, self._address, answered=self._proven)
            if self._proven or not (fault.way == "rejected" or fault.broken or "stream" in fault.message):
                raise fault from None
        else:
            if result.content and result.finish_reason != "unknown":
                self._proven = True
                return result, 1
        # No stream, or one that broke off: AutoGen tells the latter from a whole one by its finish alone.
        plain = await client.create(messages, **arguments)
        self._able = self._proven
        return plain, 2

    async def _watched(
        self,
        client: "ChatCompletionClient",
        messages: "Sequence[LLMMessage]",
        arguments: Mapping[str, Any],
        watcher: Watcher,
    ) -> "CreateResult":
        written, length, last = list[str](), 0, None
        # Only OpenAI's client takes `include_usage`, and counts nothing without it.
        stream: Any = client.create_stream(messages, **arguments, include_usage=True)  # type: ignore[call-arg]
        async with contextlib.aclosing(stream) as parts:
            async for part in parts:
                if not isinstance(part, str):
                    last = part
                elif length < LONGEST_SHOWN:
                    written.append(part)
                    length += len(part)
                    watcher(mask_unfinished("".join(written)))
        if last is None:
            raise ValueError("the stream held no answer")
        return last  # type: ignore[no-any-return]
