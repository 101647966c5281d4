"""Tasks whose output is asked for as calls of tools, at the servers of all providers."""

from collections.abc import Mapping
from typing import Any

import pytest

from agents.research.moves.respond import Move, Respond
from models import LanguageModel, ModelSettings
from models.client.chat_client import first_manner
from models.model_registry import endpoint
from tests.model_server import ModelServer

pytestmark = pytest.mark.loopback
ACTS: Mapping[str, Any] = {
    "thought": "The dike is missing.",
    "actions": [{"kind": "search", "query": "dikes", "where": ["docs"]}],
    "answer": "",
}


def task(left: int = 2) -> Respond:
    return Respond(
        topic="Floods", language="en", expert="Engineer", places=("docs: reports",), discussion="", branch="",
        question="Why?", passages=(), rounds_left=left,
    )  # fmt: skip


def model(server: ModelServer, provider: str = "openai", **settings: Any) -> LanguageModel:
    name = f"{provider}:test-model"
    base = server.url if provider == "openai" else server.url.removesuffix("/v1")
    chosen = ModelSettings(model=name, base_url=base, **settings)
    return LanguageModel(endpoint(name, chosen, {"ANTHROPIC_API_KEY": "k"}), chosen)


@pytest.mark.parametrize("provider", ["openai", "anthropic", "ollama"])
async def test_a_move_is_made_by_calling_tools_in_one_request(provider: str) -> None:
    pytest.importorskip(provider)
    with ModelServer(mode="tools", reply=lambda _: ACTS) as server:
        asked = model(server, provider, tools="always")
        reply = await asked.ask(task())
        await asked.close()
    assert isinstance(reply.output, Move)
    assert reply.output.thought == "The dike is missing."
    assert [(a.kind, a.query, a.where) for a in reply.output.actions] == [("search", "dikes", ["docs"])]
    assert server.requests == reply.usage.requests == 1
    [sent] = server.asked
    assert sent.body["tools"]
    assert "response_format" not in sent.body
    assert "JSON schema" not in sent.prompt


@pytest.mark.parametrize("mode", ["structured", "json", "text"])
async def test_a_server_that_refuses_tools_is_asked_for_json_from_then_on(mode: Any) -> None:
    with ModelServer(mode=mode, reply=lambda _: ACTS) as server:
        asked = model(server, tools="always")
        assert (await asked.ask(task())).output.actions[0].query == "dikes"
        before = server.requests
        assert (await asked.ask(task())).output.actions[0].query == "dikes"
        await asked.close()
    assert server.requests == before + 1
    assert "tools" not in server.asked[-1].body


async def test_a_model_that_calls_nothing_is_asked_once_more_for_json() -> None:
    replies = iter(["Let me think about it.", '{"thought": "", "actions": [], "answer": "So it was [p1]."}'])
    with ModelServer(mode="tools", reply=lambda _: next(replies)) as server:
        asked = model(server, tools="always")
        reply = await asked.ask(task())
        await asked.close()
    assert reply.output.answer == "So it was [p1]."
    called = [bool(sent.body.get("tools")) for sent in server.asked]
    assert (called[0], any(called[1:])) == (True, False)


async def test_a_model_that_writes_json_in_the_place_of_calls_is_read_all_the_same() -> None:
    said = '{"thought": "", "actions": [], "answer": "So it was [p1]."}'
    with ModelServer(mode="tools", reply=lambda _: said) as server:
        asked = model(server, tools="always")
        assert (await asked.ask(task())).output.answer == "So it was [p1]."
        await asked.close()
    assert server.requests == 1


def test_tools_are_the_default_for_models_known_to_call_them_and_to_take_no_schema() -> None:
    def calls(name: str, use: Any = "auto") -> bool:
        place = endpoint(name, ModelSettings(model=name), {"ANTHROPIC_API_KEY": "k", "OPENAI_API_KEY": "k"})
        return first_manner(place, use).tools

    assert not calls("openai:gpt-5-mini")
    assert calls("openai:gpt-4-turbo")
    assert calls("openai:gpt-5-mini", "always")
    assert not calls("openai:gpt-4-turbo", "never")
    pytest.importorskip("anthropic")
    assert calls("anthropic:claude-haiku-4-5")
