"""Traces by OpenTelemetry, made of a session's events: which expert did what, with which model, for how long.

Names are those of the conventions for generative AI, which are in development: `invoke_agent`, `chat`,
`execute_tool` (https://github.com/open-telemetry/semantic-conventions-genai). Nothing is sent unless an
endpoint is set in the usual variables, and no text of what was discussed unless the conventions' own variable
asks for it (`CONTENT`): then queries and replies; prompts never, for no event holds them.

The provider is one of our own, never the process's: what AutoGen and others would trace by that holds text.
"""

import asyncio
import json
from collections.abc import Callable, Mapping
from datetime import datetime
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote

from agents import SpeakerCalled, TurnTaken
from library import Computed, PageRead, Searched
from models import ModelReplied, hold_secret, install_command
from models.client import address_host, is_loopback
from roundtable import __version__
from roundtable.journal.events import Recorded
from roundtable.session.trace_delivery import Delivery, exporter

if TYPE_CHECKING:
    from opentelemetry.sdk.trace import TracerProvider
    from opentelemetry.trace import Span

ENDPOINTS = ("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT", "OTEL_EXPORTER_OTLP_ENDPOINT")
HEADERS = ("OTEL_EXPORTER_OTLP_HEADERS", "OTEL_EXPORTER_OTLP_TRACES_HEADERS")
"""What a collector is sent with each request, keys among it: `authorization=Bearer%20…,…`."""
CONTENT = "OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT"
_LONGEST = 4_000
"""Characters of a text in a span."""


def open_tracing(
    session_id: str, environment: Mapping[str, str], *, offline: bool, tell: Callable[[str], None]
) -> tuple["Tracing | None", str]:
    """Return what traces a session, and a line to be told when it cannot though it was asked for.

    Args:
        session_id: Kept with each span as `gen_ai.conversation.id`.
        environment: Where the usual variables of OpenTelemetry are.
        offline: A collector must be on this machine.
        tell: Is told at the end, in a line, when not all arrived.
    """
    endpoint = next((environment[name] for name in ENDPOINTS if environment.get(name, "").strip()), "")
    off = environment.get("OTEL_SDK_DISABLED", "").lower() == "true"
    if not endpoint or off or environment.get("OTEL_TRACES_EXPORTER") == "none":
        return None, ""
    host = address_host(endpoint)
    if not host or not endpoint.strip().lower().startswith(("http://", "https://")):
        return None, "nothing is traced: the endpoint is no address; write it like http://127.0.0.1:4318"
    if offline and not is_loopback(host):
        return None, f"offline: traces are not sent to {host}"
    for pair in (pair for name in HEADERS for pair in environment.get(name, "").split(",")):
        for word in unquote(pair.partition("=")[2]).split():  # `Bearer` and a key, for instance
            hold_secret(word)
    try:
        return Tracing(session_id, environment, Delivery(endpoint), tell), ""
    except ImportError:  # not there, only another exporter, or one of another version
        return None, f"nothing is traced, though an endpoint is set: {install_command('otel')}"


class Tracing:
    """Makes spans of events as they are recorded."""

    def __init__(
        self,
        session_id: str,
        environment: Mapping[str, str],
        delivery: Delivery,
        tell: Callable[[str], None],
    ) -> None:
        """Begin the session's trace; spans are sent from a thread of their own."""
        from opentelemetry.trace import SpanKind

        self._delivery, self._tell = delivery, tell
        self._made = 1  # the session's
        self._content = environment.get(CONTENT, "").lower() == "true"
        self._kind = SpanKind
        self._provider = _provider(environment, delivery)
        self._tracer = self._provider.get_tracer("roundtable", __version__)
        self._always = {"gen_ai.conversation.id": session_id}
        self._session: Span = self._tracer.start_span("invoke_workflow roundtable", attributes={
            "gen_ai.operation.name": "invoke_workflow", "gen_ai.workflow.name": "roundtable", **self._always,
        })  # fmt: skip
        self._turns: dict[str, Span] = {}

    def __call__(self, recorded: Recorded) -> None:
        """Take an event that was just committed."""
        match recorded.event:
            case SpeakerCalled() as called:
                self._turns[called.speaker] = self._begin(called.speaker, _time(recorded.at))
            case TurnTaken(turn=turn) if turn.speaker in self._turns:
                self._turns.pop(turn.speaker).end(_time(recorded.at))
            case ModelReplied() as reply:
                self._chat(reply, recorded)
            case Searched() as done:
                self._tool(f"search {done.where}", "datastore", done, done.query, recorded)
            case PageRead() as done:
                self._tool("read", "datastore", done, done.url, recorded)
            case Computed() as done:
                self._tool("compute", "function", done, done.code, recorded)
            case _:
                pass

    async def close(self) -> None:
        """End what is open, send what was not sent yet, and tell when that did not arrive."""
        for span in (*self._turns.values(), self._session):
            span.end()
        await asyncio.to_thread(self._provider.shutdown)
        if line := self._delivery.line(self._made):
            self._tell(line)

    def _begin(self, speaker: str, at: int) -> "Span":
        self._made += 1
        return self._tracer.start_span(
            f"invoke_agent {speaker}", context=self._within(None), start_time=at,
            attributes={
                "gen_ai.operation.name": "invoke_agent", "gen_ai.agent.name": speaker, **self._always,
            },
        )  # fmt: skip

    def _chat(self, reply: ModelReplied, recorded: Recorded) -> None:
        usage = reply.usage
        provider, _, name = usage.model.partition(":")
        attributes: dict[str, Any] = {
            "gen_ai.operation.name": "chat", "gen_ai.provider.name": provider,
            "gen_ai.request.model": name or provider, "gen_ai.usage.input_tokens": usage.prompt_tokens,
            "gen_ai.usage.output_tokens": usage.completion_tokens, "gen_ai.agent.name": reply.speaker,
            "roundtable.task": reply.task, "roundtable.requests": usage.requests,
            "roundtable.cached": bool(usage.cached),
        }  # fmt: skip
        if usage.cost is not None:
            attributes["roundtable.cost_usd"] = usage.cost
        if self._content:
            text = json.dumps(reply.output, ensure_ascii=False)[:_LONGEST]
            said = [{"role": "assistant", "parts": [{"type": "text", "content": text}]}]
            attributes["gen_ai.output.messages"] = json.dumps(said, ensure_ascii=False)
        self._span(f"chat {name or provider}", reply.speaker, usage.seconds, recorded, attributes)

    def _tool(
        self, name: str, kind: str, done: Searched | PageRead | Computed, given: str, recorded: Recorded
    ) -> None:
        attributes: dict[str, Any] = {
            "gen_ai.operation.name": "execute_tool", "gen_ai.tool.name": name, "gen_ai.tool.type": kind,
            "gen_ai.agent.name": done.speaker,
        }  # fmt: skip
        if done.error:
            attributes["error.type"] = "tool_error"
        if self._content:
            attributes["gen_ai.tool.call.arguments"] = given[:_LONGEST]
        self._span(f"execute_tool {name}", done.speaker, done.seconds, recorded, attributes)

    def _span(
        self, name: str, speaker: str, seconds: float, recorded: Recorded, attributes: Mapping[str, Any]
    ) -> None:
        self._made += 1
        end = _time(recorded.at)
        span = self._tracer.start_span(
            name, context=self._within(speaker), start_time=end - int(seconds * 1e9),
            kind=self._kind.CLIENT if name.startswith("chat") else self._kind.INTERNAL,
            attributes={**attributes, **self._always},
        )  # fmt: skip
        span.end(end)

    def _within(self, speaker: str | None) -> Any:
        from opentelemetry.trace import set_span_in_context

        return set_span_in_context(self._turns.get(speaker or "", self._session))


def _provider(environment: Mapping[str, str], delivery: Delivery) -> "TracerProvider":
    from opentelemetry.sdk.resources import Resource
    from opentelemetry.sdk.trace import TracerProvider
    from opentelemetry.sdk.trace.export import BatchSpanProcessor

    name = environment.get("OTEL_SERVICE_NAME") or "roundtable"
    resource = Resource.create({"service.name": name, "service.version": __version__})
    provider = TracerProvider(resource=resource, shutdown_on_exit=False)
    provider.add_span_processor(BatchSpanProcessor(exporter(delivery)))
    return provider


def _time(at: str) -> int:
    """Return an event's time in nanoseconds since 1970."""
    return int(datetime.fromisoformat(at).timestamp() * 1e9)
