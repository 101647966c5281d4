"""What is gone stays gone: another model takes over, and a dead place costs its wait a few times."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from library.errors import SearchError
from library.search.backends.web import WebCollection
from library.search.search_settings import SearchSettings
from roundtable.config.config import load_settings
from roundtable.session.factory import Runtime, start_session
from tests.faults.town import TOPIC, play, still_clock, write_documents
from tests.model_server import ModelServer


@pytest.mark.loopback
async def test_a_model_that_dies_in_the_middle_is_replaced_and_asked_no_more(tmp_path: Path) -> None:
    documents = write_documents(tmp_path / "documents")

    def dies(number: int, asked: Any) -> str | None:
        return "wrong_key" if number > 4 else None

    with ModelServer(troubles=dies) as first, ModelServer() as second:
        flags = {
            "docs": [str(documents)], "offline": True, "moderator": {"turns": 4},
            "models": {"model": "openai:main", "base_url": first.url, "fallback": "ollama:spare"},
        }  # fmt: skip
        environment = {"OPENAI_API_KEY": "sk-test", "OLLAMA_HOST": second.url.removesuffix("/v1")}
        around = Runtime(home=tmp_path / "home", clock=still_clock(), environment=environment)
        session = await start_session(TOPIC, load_settings(flags, environment={}), around=around)
        await play(session)
        assert first.requests <= 4 + 8, "asked again and again"
        assert second.requests > 3
    state = session.state
    assert state.status == "ended"
    assert state.report is not None
    assert {cost.usage.model for cost in state.usage} == {"openai:main", "ollama:spare"}
    assert state.usage[-1].usage.model == "ollama:spare"


class Time:
    """A clock that a search moves on by as long as it takes."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now

    async def sleep(self, seconds: float) -> None:
        self.now += seconds


def web(time: Time, ask: Callable[[str], Any], **settings: Any) -> WebCollection:
    place = WebCollection(SearchSettings(**settings), now=time, sleep=time.sleep)
    place._ask = lambda text, limit: ask(text)  # type: ignore[method-assign]
    return place


async def test_a_dead_web_costs_its_wait_a_few_times_and_not_at_every_turn() -> None:
    time, asked = Time(), []

    def dead(text: str) -> Any:
        asked.append(text)
        time.now += 10
        raise SearchError("the web could not be searched (no route)")

    place = web(time, dead, web_attempts=3, web_pause=1.5)
    for turn in range(20):
        with pytest.raises(SearchError) as failure:
            await place.search(f"query {turn}", 5)
    assert "left alone" in str(failure.value)
    assert len(asked) <= 6, "after two searches that failed it is left alone"
    time.now += 61
    with pytest.raises(SearchError):
        await place.search("after a while", 5)
    assert len(asked) <= 7, "one try shows whether it is there again"


async def test_a_web_that_comes_back_is_searched_again() -> None:
    time, state = Time(), {"dead": True}

    def moody(text: str) -> Any:
        if state["dead"]:
            raise SearchError("no route")
        return [{"href": "https://example.org/", "title": "A", "body": "b"}]

    place = web(time, moody)
    for _ in range(4):
        with pytest.raises(SearchError):
            await place.search("river", 5)
    state["dead"] = False
    with pytest.raises(SearchError, match="left alone"):
        await place.search("river", 5)
    time.now += 61
    assert await place.search("river", 5)
    assert await place.search("bridge", 5)
