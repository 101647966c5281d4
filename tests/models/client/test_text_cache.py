"""Replies kept from session to session: paid for once, never mistaken for another, given up in time."""

import sqlite3

import pytest
from pydantic import BaseModel

from library.text.similarity.tfidf import TextStatistics
from models import ModelSettings
from models.client.reply_cache import is_kept
from models.client.text_cache import TextCache, key_of
from models.model_registry import choose_model
from tests.model_server import ModelServer
from tests.models.conftest import Ask


class Clock:
    def __init__(self) -> None:
        self.now = 1_000_000.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def cache(tmp_path, clock):
    with TextCache(tmp_path / "home" / "kept.sqlite", megabytes=0.1, seconds=3600, now=clock) as opened:
        yield opened


def test_what_is_kept_is_found_until_it_is_too_old(cache, clock):
    assert cache.find("a") is None
    cache.keep("a", "text 🌊 洪水")
    clock.now += 3600
    assert cache.find("a") == "text 🌊 洪水"
    clock.now += 1
    assert cache.find("a") is None
    clock.now -= 7200  # a clock that was set back: nothing is from the future
    assert cache.find("a") is None


def test_what_was_not_used_for_longest_goes_first(cache, clock):
    for number in range(60):
        clock.now += 1
        cache.keep(f"k{number}", "x" * 3_000)
        assert cache.find("k0") is not None
    held = [number for number in range(60) if cache.find(f"k{number}")]
    assert held[0] == 0
    assert 25 <= len(held) <= 34
    assert held[1:] == list(range(61 - len(held), 60))


def test_two_processes_share_it(cache, tmp_path, clock):
    cache.keep("a", "one")
    with TextCache(tmp_path / "home" / "kept.sqlite", megabytes=0.1, seconds=3600, now=clock) as other:
        assert other.find("a") == "one"
        other.keep("a", "two")
    assert cache.find("a") == "two"


def test_a_damaged_file_starts_anew_and_a_locked_one_costs_the_keeping(tmp_path, clock, caplog):
    path = tmp_path / "kept.sqlite"
    path.write_bytes(b"no database at all" * 200)
    with TextCache(path, megabytes=1, seconds=60, now=clock) as cache:
        assert cache.find("a") is None
        cache.keep("a", "one")
        assert cache.find("a") == "one"
    assert "starts anew" in caplog.text
    folder = tmp_path / "in the way"
    folder.write_text("")
    with TextCache(folder / "kept.sqlite", megabytes=1, seconds=60, now=clock) as cache:
        cache.keep("a", "one")
        assert cache.find("a") is None
    assert "cannot be written" in caplog.text


def test_nothing_is_made_before_it_is_used(tmp_path):
    path = tmp_path / "elsewhere" / "kept.sqlite"
    with TextCache(path, megabytes=1, seconds=60) as cache:
        assert not path.parent.exists()
    cache.keep("a", "after the end")
    assert cache.find("a") is None
    assert not path.parent.exists()


def test_a_key_depends_on_every_part_and_on_their_borders():
    keys = [key_of(*parts) for parts in (("a", "b"), ("ab",), ("a", "b", None), ({"a": "b"},), ("b", "a"))]
    assert len(set(keys)) == 5
    assert key_of({"x": 1, "y": 2}) == key_of({"y": 2, "x": 1})


@pytest.mark.parametrize(
    ("cache", "temperature", "kept"),
    [
        ("auto", None, False), ("auto", 0.7, False), ("auto", 0.0, True), ("on", None, True),
        ("on", 0.7, True), ("off", 0.0, False),
    ],
)  # fmt: skip
def test_replies_that_a_model_would_draw_anew_are_kept_only_when_asked_for(cache, temperature, kept):
    assert is_kept(ModelSettings(cache=cache, temperature=temperature)) is kept


@pytest.mark.loopback
async def test_the_same_question_is_paid_for_once_and_another_is_asked(tmp_path, prompts):
    with ModelServer() as server, TextCache(tmp_path / "r.sqlite", megabytes=1, seconds=60) as cache:

        async def ask(name: str, **settings: object):
            chosen = ModelSettings.model_validate(
                {
                    "model": "openai:test-model",
                    "base_url": server.url,
                    "cache": "on",
                    "prompts": prompts,
                    **settings,
                }
            )
            models = choose_model(chosen, {}, TextStatistics(), cache=cache)
            try:
                return await models["expert"].ask(Ask(question=name))
            finally:
                await models.close()

        first = await ask("Ada")
        again = await ask("Ada")
        assert server.requests == 1
        assert again.output == first.output
        assert again.prompt_hash == first.prompt_hash
        assert (first.usage.requests, first.usage.cached) == (1, 0)
        assert (again.usage.requests, again.usage.cached, again.usage.prompt_tokens) == (0, 1, 0)
        others = ({}, {"temperature": 0.5}, {"max_output_tokens": 99}, {"model": "openai:other"})
        for asked, other in enumerate(others, 2):
            await ask("Bob" if not other else "Ada", **other)
            assert server.requests == asked
        await ask("Ada", cache="off")
        assert server.requests == 6
        assert b"You answer from passages" not in (tmp_path / "r.sqlite").read_bytes(), "no prompt is kept"


@pytest.mark.loopback
async def test_a_kept_reply_of_another_shape_is_asked_for_again(tmp_path, prompts):
    with ModelServer() as server, TextCache(tmp_path / "r.sqlite", megabytes=1, seconds=60) as cache:
        chosen = ModelSettings(model="openai:test-model", base_url=server.url, cache="on", prompts=prompts)
        models = choose_model(chosen, {}, TextStatistics(), cache=cache)
        await models["expert"].ask(Ask(question="Ada"))
        with sqlite3.connect(tmp_path / "r.sqlite") as base:
            base.execute("UPDATE kept SET text = '{\"other\": 1}'")
        base.close()
        reply = await models["expert"].ask(Ask(question="Ada"))
        await models.close()
        assert isinstance(reply.output, BaseModel)
        assert server.requests == 2
