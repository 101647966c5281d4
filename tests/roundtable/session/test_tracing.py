"""A session's traces as a collector on loopback gets them."""

import gzip
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import (
    ExportTracePartialSuccess,
    ExportTraceServiceRequest,
    ExportTraceServiceResponse,
)

from models import install_command
from roundtable.config.config import load_settings
from roundtable.journal.clock import SystemClock
from roundtable.session.factory import Runtime, start_session
from roundtable.session.tracing import CONTENT, open_tracing
from tests.library.conftest import Answer, Asked, Website
from tests.model_server import ModelServer

pytestmark = [pytest.mark.loopback, pytest.mark.slow]
TOPIC = "How are exceptions handled?"


@pytest.fixture
def collector() -> Iterator[Website]:
    site = Website()
    site.pages["/v1/traces"] = lambda _asked: Answer(b"", 200, {"Content-Type": "application/x-protobuf"})
    yield site
    site.close()


def spans(asked: list[Asked]) -> list[Any]:
    """Return the spans that a collector was sent, in the order in which they ended."""
    found = []
    for each in asked:
        packed = each.headers.get("content-encoding") == "gzip"
        sent = ExportTraceServiceRequest.FromString(gzip.decompress(each.body) if packed else each.body)
        for resource in sent.resource_spans:
            named = {a.key: a.value.string_value for a in resource.resource.attributes}
            assert named["service.name"] == "roundtable"
            found += [span for scope in resource.scope_spans for span in scope.spans]
    return found


def said(span: Any) -> dict[str, Any]:
    return {a.key: getattr(a.value, a.value.WhichOneof("value")) for a in span.attributes}


async def held(
    tmp_path: Path, environment: dict[str, str], model: str = "", *, offline: bool = True,
    told: list[str] | None = None,
) -> Any:  # fmt: skip
    docs = tmp_path / "docs"
    docs.mkdir(parents=True)
    for name in ("raise", "try"):
        text = f"An exception is handled by {name}. It ends the block that it was raised in. " * 3
        (docs / f"{name}.md").write_text(f"# How exceptions are handled: {name}\n\n{text}\n")
    flags: dict[str, Any] = {"docs": [str(docs)], "offline": offline, "moderator": {"turns": 2}}
    flags["models"] = {"model": model or "embedded"}
    settings = load_settings(flags, environment={})
    around = Runtime(
        home=tmp_path / "home", clock=SystemClock(), environment=environment,
        untold=(told if told is not None else []).append,
    )  # fmt: skip
    session = await start_session(TOPIC, settings, around=around)
    async for _ in session.run():
        pass
    state = session.state
    await session.close()
    return state, session.id


async def test_a_session_is_a_trace_of_agents_chats_and_tools_without_text(
    tmp_path: Path, collector: Website, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OTEL_EXPORTER_OTLP_ENDPOINT", collector.url)
    told: list[str] = []
    with ModelServer() as server:
        given = {"OPENAI_API_KEY": "test", "OPENAI_BASE_URL": server.url}
        environment = {**given, "OTEL_EXPORTER_OTLP_ENDPOINT": collector.url}
        _, identity = await held(tmp_path, environment, "openai:some-model", told=told)
    assert not told
    sent = spans(collector.asked)
    by_id = {span.span_id: span for span in sent}
    assert len({span.trace_id for span in sent}) == 1
    [root] = [span for span in sent if not span.parent_span_id]
    assert root.name == "invoke_workflow roundtable"
    assert all(said(span)["gen_ai.conversation.id"] == identity for span in sent)
    agents = [span for span in sent if said(span)["gen_ai.operation.name"] == "invoke_agent"]
    assert agents
    assert all(by_id[span.parent_span_id] is root for span in agents)
    chats = [span for span in sent if span.name == "chat some-model"]
    assert chats
    for span in chats:
        values = said(span)
        assert (values["gen_ai.provider.name"], values["gen_ai.request.model"]) == ("openai", "some-model")
    assert sum(said(span)["gen_ai.usage.input_tokens"] for span in chats) > 0
    assert any(by_id[span.parent_span_id] in agents for span in chats)
    tools = {said(span)["gen_ai.tool.name"] for span in sent if span.name.startswith("execute_tool")}
    assert any(name.startswith("search docs-") for name in tools)
    for span in sent:
        assert span.start_time_unix_nano <= span.end_time_unix_nano
    # An expert's name may hold words of the topic, as its agent does; nothing else of it is there.
    told = [str(value) for span in sent for key, value in said(span).items() if key != "gen_ai.agent.name"]
    told += [span.name for span in sent if not span.name.startswith("invoke_agent")]
    assert not [text for text in told if "exceptions" in text.lower() or "raised in" in text]


async def test_what_was_searched_and_replied_is_in_it_when_that_is_asked_for(
    tmp_path: Path, collector: Website, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OTEL_EXPORTER_OTLP_ENDPOINT", collector.url)
    environment = {"OTEL_EXPORTER_OTLP_ENDPOINT": collector.url, CONTENT: "true"}
    await held(tmp_path, environment)
    texts = [said(span).get("gen_ai.tool.call.arguments") for span in spans(collector.asked)]
    assert any(text and "exceptions" in text for text in texts)


FAULTS = {
    "nobody": (None, "no answer"),
    "errors": (Answer(b"busy" * 9, 400), "status 400"),
    "hangs": (Answer(b"busy" * 9, 200, hold=True), "no answer"),
    "page": (
        Answer(b"<html>hello</html>", 200, {"Content-Type": "text/html; charset=utf-8"}),
        "it answers with text/html, as no collector does",
    ),
    "full": (
        Answer(
            ExportTraceServiceResponse(
                partial_success=ExportTracePartialSuccess(rejected_spans=3, error_message="quota")
            ).SerializeToString(),
            200, {"Content-Type": "application/x-protobuf"},
        ), "quota",
    ),
}  # fmt: skip


@pytest.mark.parametrize("fault", FAULTS)
async def test_a_collector_that_fails_costs_its_traces_alone(
    tmp_path: Path, collector: Website, monkeypatch: pytest.MonkeyPatch, fault: str
) -> None:
    answer, why = FAULTS[fault]
    url = "http://127.0.0.1:9" if answer is None else collector.url
    monkeypatch.setenv("OTEL_EXPORTER_OTLP_ENDPOINT", url)
    if answer is not None:
        collector.pages["/v1/traces"] = answer
    told: list[str] = []
    state, _ = await held(tmp_path, {"OTEL_EXPORTER_OTLP_ENDPOINT": url}, told=told)
    assert state.report is not None
    [line] = told
    found = re.fullmatch(r"traces: (\d+) of (\d+) were not delivered to (\S+) \((.*)\)", line)
    assert found is not None, line
    lost, made, host, reason = found.groups()
    assert int(made) > 4
    assert lost == ("3" if fault == "full" else made)
    assert url.endswith(host)
    assert reason == why


async def test_a_collector_that_repeats_its_key_gets_it_into_no_line(
    tmp_path: Path, collector: Website, monkeypatch: pytest.MonkeyPatch
) -> None:
    def repeating(asked: Asked) -> Answer:
        said = ExportTracePartialSuccess(
            rejected_spans=3, error_message=f"no {asked.headers['authorization']}"
        )
        body = ExportTraceServiceResponse(partial_success=said).SerializeToString()
        return Answer(body, 200, {"Content-Type": "application/x-protobuf"})

    key = f"collect-{'0123456789' * 12}"  # longer than what is told of an answer
    collector.pages["/v1/traces"] = repeating
    given = {
        "OTEL_EXPORTER_OTLP_ENDPOINT": collector.url,
        "OTEL_EXPORTER_OTLP_HEADERS": f"x-team=mills,authorization=Bearer%20{key}",
    }
    for name, value in given.items():
        monkeypatch.setenv(name, value)
    told: list[str] = []
    await held(tmp_path, given, told=told)
    assert f"Bearer {key}" in [asked.headers["authorization"] for asked in collector.asked]
    [line] = told
    assert line.endswith("(no Bearer …)")


async def test_nothing_is_traced_that_was_not_asked_for(tmp_path: Path, collector: Website) -> None:
    state, _ = await held(tmp_path, {})
    assert state.report is not None
    for number, more in enumerate(({"OTEL_SDK_DISABLED": "true"}, {"OTEL_TRACES_EXPORTER": "none"})):
        await held(tmp_path / str(number), {"OTEL_EXPORTER_OTLP_ENDPOINT": collector.url, **more})
    state, _ = await held(tmp_path / "far", {"OTEL_EXPORTER_OTLP_ENDPOINT": "http://collector.example:4318"})
    assert any("offline: traces are not sent to collector.example" in text for text in state.warnings)
    assert not collector.asked


@pytest.mark.parametrize("part", ["opentelemetry.sdk", "opentelemetry.exporter.otlp.proto.http"])
def test_where_a_part_of_it_is_not_installed_a_line_says_what_to_install(
    part: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in [name for name in sys.modules if name == part or name.startswith(f"{part}.")]:
        monkeypatch.setitem(sys.modules, name, None)
    monkeypatch.setitem(sys.modules, part, None)
    place = {"OTEL_EXPORTER_OTLP_ENDPOINT": "http://127.0.0.1:1"}
    tracing, told = open_tracing("id", place, offline=True, tell=[].append)
    assert tracing is None
    assert install_command("otel") in told
