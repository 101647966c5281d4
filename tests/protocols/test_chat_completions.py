"""Chat surfaces ask as they ask any OpenAI-compatible server: the `openai` package, and AutoGen's client."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import openai
import pytest
from autogen_core.models import AssistantMessage, ModelFamily, UserMessage
from autogen_ext.models.openai import OpenAIChatCompletionClient

from tests.web.conftest import Server

pytestmark = [pytest.mark.loopback, pytest.mark.slow]
TOPIC = {"role": "user", "content": "Why do cities flood?"}
QUICK = {"roundtable": {"turns": 3, "offline": True}}


@pytest.fixture
def client(server: Server) -> Iterator[openai.OpenAI]:
    address = f"{server.base}/v1"
    with openai.OpenAI(base_url=address, api_key=server.bearer, max_retries=0, timeout=300) as client:
        yield client


def cited(answer: str, annotations: list[Any]) -> None:
    """Every annotation stands at a number in brackets, and says where it leads."""
    assert annotations
    for each in annotations:
        place = each["url_citation"] if isinstance(each, dict) else each.url_citation.model_dump()
        assert re.fullmatch(r"\[\d+\.\d+(, \d+\.\d+)*\]", answer[place["start_index"] : place["end_index"]])
        assert place["url"]
        assert place["title"]


def test_the_report_is_the_answer_and_the_next_message_goes_on_in_the_same_session(client: openai.OpenAI):
    names = [model.id for model in client.models.list()]
    assert names == ["roundtable", "roundtable/python", "roundtable/floods"]
    assert client.models.retrieve("roundtable/floods").id == "roundtable/floods"

    first = client.chat.completions.create(model="roundtable/floods", messages=[TOPIC], extra_body=QUICK)
    message = first.choices[0].message
    assert message.content.startswith("# Why do cities flood?")
    assert "](#source-" not in message.content
    assert "<a id" not in message.content
    cited(message.content, message.annotations)
    assert first.choices[0].finish_reason == "stop"
    assert first.usage.total_tokens == 0  # the embedded model
    assert "**" in message.reasoning_content
    identity = re.search(r"Session `(\w+)`$", message.content)[1]

    talk = [TOPIC, {"role": "assistant", "content": message.content}]
    more = client.chat.completions.create(
        model="roundtable", messages=[*talk, {"role": "user", "content": "What do pumps need?"}]
    )
    said = more.choices[0].message
    assert said.content.endswith(f"Session `{identity}`")
    assert not said.content.startswith("#")
    cited(said.content, said.annotations)


def test_a_stream_tells_what_goes_on_and_then_the_report(client: openai.OpenAI):
    thoughts, text, annotations, reasons, usages = "", "", [], [], []
    stream = client.chat.completions.create(
        model="roundtable/floods", messages=[TOPIC], stream=True, extra_body=QUICK,
        stream_options={"include_usage": True},
    )  # fmt: skip
    for chunk in stream:
        usages += [chunk.usage] if chunk.usage else []
        for choice in chunk.choices:
            thoughts += getattr(choice.delta, "reasoning_content", None) or ""
            text += choice.delta.content or ""
            annotations += getattr(choice.delta, "annotations", None) or []
            reasons += [choice.finish_reason] if choice.finish_reason else []
    assert "**: " in thoughts
    assert text.startswith("# Why do cities flood?")
    cited(text, annotations)
    assert reasons == ["stop"]
    assert len(usages) == 1


@pytest.mark.parametrize(
    ("given", "status", "said"),
    [
        ({"model": "gpt-5"}, 400, "there is no model 'gpt-5'; there is roundtable"),
        ({"model": "roundtable/etc"}, 400, "only named collections may be searched here"),
        ({"extra_body": {"roundtable": {"docs": ["/etc"]}}}, 400, "only named collections"),
        ({"extra_body": {"roundtable": {"session": "nothing"}}}, 404, "no session"),
        ({"extra_body": {"roundtable": {"turns": 0}}}, 400, "turns: "),
        ({"messages": [{"role": "user", "content": " "}]}, 400, "the last message is the topic"),
        ({"messages": [TOPIC, {"role": "assistant", "content": "x"}]}, 400, "the last message is the topic"),
        (
            {"messages": [{"role": "user", "content": [
                {"type": "image_url", "image_url": {"url": "data:,"}}]}]},
            400, "image_url is not",
        ),
        ({"response_format": {"type": "json_object"}}, 400, "answers are text"),
        ({"n": 2}, 400, "n: "),
    ],
)  # fmt: skip
def test_what_cannot_be_answered_is_refused_in_words(
    standing: Server, given: dict[str, Any], status: int, said: str
):
    address = f"{standing.base}/v1"
    with (
        openai.OpenAI(base_url=address, api_key=standing.bearer, max_retries=0, timeout=300) as client,
        pytest.raises(openai.APIStatusError) as caught,
    ):
        client.chat.completions.create(**{"model": "roundtable/floods", "messages": [TOPIC], **given})
    assert caught.value.status_code == status
    assert said in str(caught.value)


def test_a_wrong_key_is_refused(standing: Server):
    with (
        openai.OpenAI(base_url=f"{standing.base}/v1", api_key="sk-wrong", max_retries=0) as client,
        pytest.raises(openai.AuthenticationError, match="the key is no token of this server") as caught,
    ):
        client.models.list()
    assert "roundtable serve --bearer" in caught.value.body["message"]


async def test_autogen_asks_it_as_a_model(server: Server, home: Path):
    client = OpenAIChatCompletionClient(
        model="roundtable/floods", base_url=f"{server.base}/v1", api_key=server.bearer, extra_body=QUICK,
        model_info={"vision": False, "function_calling": False, "json_output": False,
                    "structured_output": False, "family": ModelFamily.UNKNOWN},
    )  # fmt: skip
    try:
        topic = UserMessage(content="Why do cities flood?", source="user")
        whole = await client.create([topic])
        assert whole.content.startswith("# Why do cities flood?")
        assert whole.thought
        told = AssistantMessage(content=whole.content, source="roundtable")
        again = UserMessage(content="What do pumps need?", source="user")
        pieces = [piece async for piece in client.create_stream([topic, told, again])]
        assert pieces[-1].content.endswith(whole.content.rpartition("\n")[2])
        assert "What do pumps need?" in pieces[-1].thought
    finally:
        await client.close()
