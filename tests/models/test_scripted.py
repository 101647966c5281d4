"""The models that need no server: scripted, extractive, and the one that goes on with another."""

import subprocess
import sys

import pytest

from models import (
    ExtractiveModel,
    FallbackModel,
    ModelUnavailable,
    Price,
    ReplyUnusable,
    ScriptedModel,
    Usage,
)
from models.prices import cost, price_of
from tests.models.conftest import Ask, Findings

ONE = Findings(answer="One.", findings=[])


async def test_a_list_is_said_in_order_and_then_the_extract():
    lines = [ONE, '{"answer": "Two.", "findings": []}', {"answer": "3", "findings": []}]
    model = ScriptedModel({"ask": lines}, otherwise=object())
    said = [(await model.ask(Ask())).output.answer for _ in range(4)]
    assert said == ["One.", "Two.", "3", "Bees dance to show the way. They also hum. [p1]"]


async def test_a_function_sees_the_task_and_everything_asked_is_remembered():
    model = ScriptedModel({"ask": lambda task: {"answer": task.question, "findings": []}})
    await model.ask(Ask(question="A?"))
    reply = await model.ask(Ask(question="B?"))
    assert reply.output.answer == "B?"
    assert [task.question for task in model.tasks("ask")] == ["A?", "B?"]
    assert model.tasks("other") == []
    assert reply.usage == Usage(model="scripted", requests=1)


async def test_one_line_is_said_every_time():
    model = ScriptedModel({"ask": ONE}, usage=Usage(model="m", prompt_tokens=5))
    assert (await model.ask(Ask())).output is (await model.ask(Ask())).output
    assert (await model.ask(Ask())).usage.prompt_tokens == 5


async def test_without_a_line_or_statistics_it_says_what_is_missing():
    with pytest.raises(LookupError, match="no line for the task 'ask'"):
        await ScriptedModel().ask(Ask())
    model = ScriptedModel({"ask": [ONE]})
    await model.ask(Ask())
    with pytest.raises(LookupError, match="said so far: 1"):
        await model.ask(Ask())


async def test_errors_and_replies_of_no_use_are_raised():
    model = ScriptedModel({"ask": [ModelUnavailable("gone"), "no JSON here", {"answer": 1}, Ask()]})
    with pytest.raises(ModelUnavailable, match="gone"):
        await model.ask(Ask())
    for _ in range(3):
        with pytest.raises(ReplyUnusable):
            await model.ask(Ask())


async def test_the_extractive_model_asks_nobody():
    times = iter([1.0, 3.5])
    model = ExtractiveModel(None, timer=lambda: next(times))
    reply = await model.ask(Ask())
    assert reply.output.answer.endswith("[p1]")
    assert reply.usage == Usage(model="embedded", seconds=2.5)
    assert len(reply.prompt_hash) == 16


async def test_a_fallback_is_asked_once_the_first_cannot_be_had():
    first = ScriptedModel({"ask": [ONE, ModelUnavailable("no key")]}, name="first")
    second = ScriptedModel({"ask": ONE}, name="second")
    model = FallbackModel(first, second)
    names = []
    for _ in range(4):
        assert (await model.ask(Ask())).output == ONE
        names.append(model.name)
    assert names == ["first", "second", "second", "second"]
    assert (len(first.asked), len(second.asked)) == (2, 3)
    assert model.why == "no key"


async def test_a_reply_of_no_use_is_no_reason_for_the_fallback():
    second = ScriptedModel({"ask": ONE})
    with pytest.raises(ReplyUnusable):
        await FallbackModel(ScriptedModel({"ask": "no"}), second).ask(Ask())
    assert second.asked == []


async def test_when_neither_can_be_had_both_reasons_are_told():
    first = ScriptedModel({"ask": ModelUnavailable("no key")})
    model = FallbackModel(first, ScriptedModel({"ask": ModelUnavailable("no server")}))
    with pytest.raises(ModelUnavailable, match="no key; and the fallback: no server"):
        await model.ask(Ask())


def test_prices():
    own = {"openai:gpt-5-mini": Price(prompt=1, completion=2), "ollama:x": Price(prompt=0, completion=0)}
    assert price_of("openai:gpt-5-mini", own, listed=True) == Price(prompt=1, completion=2)
    assert price_of("openai:gpt-5-mini", {}, listed=True) == Price(prompt=0.25, completion=2)
    assert price_of("openai:gpt-5-mini", {}, listed=False) is None
    assert price_of("openai:gpt-5-mini-2025-08-07", {}, listed=True) == Price(prompt=0.25, completion=2)
    assert price_of("openai:gpt-5.1", {}, listed=True) == Price(prompt=1.25, completion=10)
    assert price_of("anthropic:claude-sonnet-4-5-20250929", {}, listed=True) == Price(prompt=3, completion=15)
    assert price_of("openai:unheard-of", {}, listed=True) is None
    assert cost(Price(prompt=1, completion=2), 1_000_000, 500_000) == 2.0
    assert cost(price_of("ollama:x", own, listed=False), 10, 10) == 0
    assert cost(None, 10, 10) is None


def test_importing_the_room_is_light():
    code = "import sys; from models import Task; print(*[m for m in sys.modules if '.' not in m])"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    loaded = set(run.stdout.split())
    assert "pydantic" in loaded
    heavy = {"autogen_core", "autogen_agentchat", "autogen_ext", "openai", "anthropic"}
    assert loaded & (heavy | {"httpx2", "httpx", "numpy", "anyio"}) == set()
