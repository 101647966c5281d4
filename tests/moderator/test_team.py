"""The AutoGen team: who is called speaks, nobody ends the run, a cancelled team is rebuilt."""

import asyncio
import inspect
import logging
import time

import pytest
from autogen_agentchat.teams._group_chat._base_group_chat_manager import BaseGroupChatManager

from agents import Contribution, SpeakRequest
from models import ModelUnavailable
from moderator import team as team_module
from moderator.team import Team


class Voice:
    """A speaker that does what it is told."""

    def __init__(self, slug, speak=None):
        self.slug = slug
        self.description = f"The {slug}."
        self.heard = []
        self._speak = speak

    async def speak(self, request):
        self.heard.append(request)
        if self._speak is not None:
            return await self._speak(request)
        return Contribution(act="answer", text=f"{self.slug} on {request.text}", citations=["p1"])


def request(turn, text="bees"):
    return SpeakRequest(turn=turn, question="q1", text=text)


async def test_the_called_speaker_speaks_and_its_structure_survives():
    ada, bob = Voice("bee-keeper"), Voice("2nd-voice")
    team = Team([ada, bob], seconds=5)
    [said] = await team.step({"bee-keeper": request(1)})
    assert said == Contribution(act="answer", text="bee-keeper on bees", citations=["p1"])
    assert ada.heard == [request(1)]
    assert bob.heard == []


async def test_each_of_many_steps_hears_its_own_request_on_one_team():
    ada, bob = Voice("ada"), Voice("bob")
    team = Team([ada, bob], seconds=5)
    for turn in range(1, 21):
        slug = "ada" if turn % 3 else "bob"
        [said] = await team.step({slug: request(turn, f"t{turn}")})
        assert said.text == f"{slug} on t{turn}"
    assert [r.turn for r in bob.heard] == [3, 6, 9, 12, 15, 18]
    assert team.built == 1


async def test_several_speak_at_the_same_time_and_come_in_the_order_of_the_calls():
    met = asyncio.Barrier(3)

    async def meet(request):
        # All three wait here until all are here: one after the other they would never pass.
        place = await met.wait()
        for _ in range(place * 3):
            await asyncio.sleep(0)
        return Contribution(act="answer", text=request.text)

    team = Team([Voice(slug, meet) for slug in ("a", "b", "c")], seconds=5)
    said = await team.step({slug: request(n, f"for {slug}") for n, slug in enumerate(("c", "a", "b"), 1)})
    assert [one.text for one in said] == ["for c", "for a", "for b"]


ERRORS = [ValueError("no: good"), KeyError("x"), RuntimeError(), StopAsyncIteration()]


@pytest.mark.parametrize("error", ERRORS)
async def test_a_speaker_that_fails_says_nothing_and_the_others_go_on(error):
    async def fail(request):
        raise error

    team = Team([Voice("a", fail), Voice("b")], seconds=5)
    broken, whole = await team.step({"a": request(1), "b": request(2)})
    assert isinstance(broken, str)
    assert type(error).__name__ in broken
    assert whole.text == "b on bees"
    assert team.error("a") is error
    assert team.error("b") is None
    [again] = await team.step({"b": request(3, "wax")})
    assert again.text == "b on wax"
    assert team.built == 1


async def test_a_model_that_cannot_be_had_reaches_the_caller_as_it_is():
    gone = ModelUnavailable("openai:x: set OPENAI_API_KEY")

    async def fail(request):
        raise gone

    team = Team([Voice("a", fail)], seconds=5)
    assert await team.step({"a": request(1)}) == ["openai:x: set OPENAI_API_KEY"]
    assert team.error("a") is gone


async def test_a_speaker_that_does_not_end_is_given_up():
    async def hang(request):
        await asyncio.Event().wait()

    team = Team([Voice("slow", hang), Voice("b")], seconds=0.01)
    late, whole = await team.step({"slow": request(1), "b": request(2)})
    assert late == "took longer than 0.01 s"
    assert whole.text == "b on bees"
    assert team.built == 1


async def test_a_cancelled_step_ends_at_once_and_the_next_one_works():
    started = asyncio.Event()
    ended = asyncio.Event()

    async def hang(request):
        if request.turn > 1:
            return Contribution(act="answer", text="here again")
        started.set()
        try:
            await asyncio.Event().wait()
        finally:
            ended.set()

    team = Team([Voice("a", hang), Voice("b")], seconds=60)
    step = asyncio.create_task(team.step({"a": request(1)}))
    await started.wait()
    before = time.perf_counter()
    step.cancel()
    with pytest.raises(asyncio.CancelledError):
        await step
    assert time.perf_counter() - before < 2
    assert ended.is_set()
    [said] = await team.step({"a": request(2)})
    assert said.text == "here again"
    assert team.built == 2
    # Nothing is left running behind.
    await asyncio.sleep(0)
    assert [t for t in asyncio.all_tasks() if t is not asyncio.current_task()] == []


async def test_a_request_does_not_outlive_its_turn():
    """A seat that is called without a request of its own does not answer an old one."""
    ada = Voice("ada")
    team = Team([ada], seconds=5)
    await team.step({"ada": request(1)})
    message = team_module.request_message({}, "", "person")
    [silent] = await team.messages(["ada"], message)
    assert silent.content == ""
    assert len(ada.heard) == 1


async def test_an_unknown_speaker_is_an_error_and_the_team_is_rebuilt():
    team = Team([Voice("a")], seconds=5)
    with pytest.raises(RuntimeError, match="seat_nobody"):
        await team.step({"nobody": request(1)})
    [said] = await team.step({"a": request(2)})
    assert said.text == "a on bees"
    assert team.built == 2


async def test_the_thread_does_not_grow():
    team = Team([Voice("a")], seconds=5)
    for turn in range(1, 61):
        await team.step({"a": request(turn)})
    runtime = team._chat._runtime
    agents = runtime._instantiated_agents.values()
    managers = [agent for agent in agents if isinstance(agent, team_module._PolicyManager)]
    assert len(managers) == 1
    assert len(managers[0]._message_thread) <= team_module._LONGEST_THREAD


async def test_prompts_do_not_reach_logs(caplog):
    caplog.set_level(logging.INFO)
    team = Team([Voice("a")], seconds=5)
    await team.step({"a": request(1, "a secret plan")}, briefing="a secret plan")
    assert "secret" not in caplog.text


def test_autogen_still_has_what_is_used_of_its_private_parts():
    parameters = list(inspect.signature(BaseGroupChatManager.__init__).parameters)
    assert parameters == [
        "self", "name", "group_topic_type", "output_topic_type", "participant_topic_types",
        "participant_names", "participant_descriptions", "output_message_queue", "termination_condition",
        "max_turns", "message_factory", "emit_team_events",
    ]  # fmt: skip
    abstract = {"select_speaker", "reset", "validate_group_state"}
    assert BaseGroupChatManager.__abstractmethods__ == abstract
    assert inspect.iscoroutinefunction(BaseGroupChatManager.update_message_thread)
