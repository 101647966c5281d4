"""The other providers' real clients, over real sockets: Ollama's and Anthropic's dialects."""
# ruff: noqa: SIM117 - the server stands around what is expected of it

import importlib.util

import pytest

from models import ModelSettings, ModelUnavailable, ReplyUnusable
from models.client.chat_client import first_manner
from models.model_registry import endpoint
from tests.model_server import ModelServer
from tests.models.conftest import Ask

pytestmark = pytest.mark.loopback

ollama = pytest.mark.skipif(
    not importlib.util.find_spec("ollama"), reason="the extra `ollama` is not installed"
)
anthropic = pytest.mark.skipif(
    not importlib.util.find_spec("anthropic"), reason="the extra `anthropic` is not installed"
)


@pytest.fixture
def ollama_of(ask_of):
    return lambda server, **settings: ask_of(
        server.url.removesuffix("/v1"), name="ollama:qwen3:8b", **settings
    )


@pytest.fixture
def anthropic_of(ask_of):
    return lambda server, **settings: ask_of(
        server.url.removesuffix("/v1"), name="anthropic:claude-haiku-4-5", **settings
    )


@ollama
async def test_ollama_is_asked_with_a_schema_and_a_window_large_enough(ollama_of):
    with ModelServer(troubles=["fenced"]) as server:
        reply = await ollama_of(server, temperature=0.1, max_output_tokens=900).ask(Ask())
    [asked] = server.asked
    assert asked.format == "json_schema"
    assert asked.body["model"] == "qwen3:8b"
    assert asked.body["options"] == {"num_ctx": 16384, "num_predict": 900, "temperature": 0.1}
    assert "[p1]" in reply.output.answer
    assert reply.usage.prompt_tokens == server.prompt_tokens


@ollama
@pytest.mark.parametrize(
    ("trouble", "error", "words"),
    [
        ("unknown_model", ModelUnavailable, "no model 'qwen3:8b' there"),
        ("prose", ReplyUnusable, "asked again"),
        ("503", ModelUnavailable, "503"),
        ("reset", ModelUnavailable, "reached"),
        ("packed", ModelUnavailable, "packs what was to come as it is"),
        ("flood:50", ModelUnavailable, "sends without end"),
    ],
)
async def test_what_goes_wrong_with_ollama(ollama_of, waits, trouble, error, words):
    with ModelServer(troubles=lambda *_: trouble) as server, pytest.raises(error, match=words):
        await ollama_of(server).ask(Ask())
    assert 1 <= server.requests <= 7


@ollama
async def test_an_ollama_server_that_is_not_there(ask_of, unused_tcp_port):
    with pytest.raises(ModelUnavailable, match=f"ollama:x at http://127.0.0.1:{unused_tcp_port}"):
        await ask_of(f"http://127.0.0.1:{unused_tcp_port}", name="ollama:x").ask(Ask())


@anthropic
async def test_anthropic_is_asked_in_words(anthropic_of):
    with ModelServer(mode="text", key="sk-secret-1234") as server:
        reply = await anthropic_of(server, max_output_tokens=900, temperature=0.2).ask(Ask())
    [asked] = server.asked
    assert asked.body["max_tokens"] == 900
    assert asked.body["temperature"] == 0.2
    assert "JSON schema:" in asked.messages[0]["content"]
    assert "[p1]" in reply.output.answer
    assert reply.usage.completion_tokens == server.completion_tokens


@anthropic
@pytest.mark.parametrize(
    ("trouble", "error", "words"),
    [
        ("wrong_key:sk-secret-1234", ModelUnavailable, "set ANTHROPIC_API_KEY"),
        ("truncated", ReplyUnusable, "asked again"),
        ("429:300", ModelUnavailable, "300 s"),
        ("too_long:700", ReplyUnusable, "fit|too long"),
        ("html", ModelUnavailable, "web page"),
    ],
)
async def test_what_goes_wrong_with_anthropic(anthropic_of, waits, trouble, error, words):
    with ModelServer(mode="text", troubles=lambda *_: trouble) as server:
        with pytest.raises(error, match=words) as caught:
            await anthropic_of(server).ask(Ask(question="Why? " * 500))
    assert "sk-secret" not in str(caught.value)
    assert 1 <= server.requests <= 7


@pytest.mark.parametrize(
    ("name", "manner"),
    [
        ("gpt-4o", ("schema", "max_completion_tokens", True)),
        ("gpt-5-mini", ("schema", "max_completion_tokens", False)),
        ("o3", ("schema", "max_completion_tokens", False)),
        ("gpt-3.5-turbo", ("object", "max_completion_tokens", True)),
        ("something-newer", ("schema", "max_completion_tokens", True)),
    ],
)
def test_known_models_are_asked_as_autogen_knows_them(name, manner):
    place = endpoint(f"openai:{name}", ModelSettings(), {"OPENAI_API_KEY": "k"})
    found = first_manner(place)
    assert (found.format, found.limit, found.temperature) == manner
