"""The table as a team of AutoGen: in its console, nested, as a tool, saved, cancelled and gone on with."""

import asyncio
import json
import re
from datetime import UTC, datetime

import pytest
from autogen_agentchat.agents import AssistantAgent, SocietyOfMindAgent
from autogen_agentchat.base import TaskResult, Team
from autogen_agentchat.messages import StopMessage, TextMessage, ToolCallExecutionEvent
from autogen_agentchat.teams import RoundRobinGroupChat
from autogen_agentchat.tools import TeamTool
from autogen_agentchat.ui import Console
from autogen_core import CancellationToken, FunctionCall
from autogen_core.models import CreateResult, RequestUsage
from autogen_ext.models.replay import ReplayChatCompletionClient

import roundtable
from models import ScriptedModel
from roundtable import RoundtableTeam, start_session
from roundtable.config import load_settings
from roundtable.config.errors import InputError, SessionUnknown
from roundtable.journal.clock import SteppingClock
from roundtable.session.factory import Runtime

TOPIC = "How are exceptions handled?"
INFO = {"vision": False, "function_calling": True, "json_output": False, "family": "unknown",
        "structured_output": False}  # fmt: skip


@pytest.fixture
def around(tmp_path, python_indexed):
    clock = SteppingClock(datetime(2026, 1, 1, tzinfo=UTC))
    return Runtime(home=python_indexed(tmp_path / "home"), clock=clock, environment={})


def settings(turns=3):
    flags = {"docs": ["python"], "offline": True, "models": {"model": "embedded"}}
    flags["moderator"] = {"turns": turns}
    return load_settings(flags, environment={})


def replay(*replies):
    return ReplayChatCompletionClient(list(replies), model_info=INFO)


def team(around, **more):
    return RoundtableTeam(settings(), around=around, **more)


async def test_each_turn_is_a_message_and_the_last_one_is_the_report(around):
    table = team(around)
    assert isinstance(table, Team)
    seen = [message async for message in table.run_stream(task=TOPIC)]
    task, *turns, report, result = seen
    assert (task.source, task.content) == ("user", TOPIC)
    assert [int(turn.metadata["turn"]) for turn in turns] == [1, 2, 3]
    for turn in turns:
        text, _, sources = turn.content.partition("\n\n")
        marks = re.findall(r"\[(\d+\.\d+(?:, \d+\.\d+)*)\]", text)
        named = [name for mark in marks for name in mark.split(", ")]
        assert len(turn.metadata["citations"].split()) == len({*named}) > 0
        assert [line.split()[0] for line in sources.splitlines()] == [f"[{i}]" for i in dict.fromkeys(named)]
        assert "python:" in sources
    assert report.source == "roundtable"
    assert report.metadata["act"] == "report"
    assert report.content.startswith(f"# {TOPIC}\n")
    assert "## Sources" in report.content
    assert isinstance(result, TaskResult)
    assert list(result.messages) == seen[:-1]
    assert result.stop_reason == "3 turns taken"


async def test_the_next_task_is_asked_of_the_same_table(around):
    table = team(around)
    await table.run(task=TOPIC)
    session = table.session_id
    more = await table.run(task="What does the else clause do?", output_task_messages=False)
    asked, *answers, report = more.messages
    assert (asked.source, asked.metadata["role"]) == ("person", "person")
    assert asked.content == "What does the else clause do?"
    assert answers
    assert report.metadata == {"session": session, "act": "report"}
    assert table.session_id == session
    again = await table.run()
    assert [message.content for message in again.messages] == [report.content]
    await table.reset()
    several = [TextMessage(content="…", source="user"), TextMessage(content=TOPIC, source="planner")]
    other = await table.run(task=several)
    assert other.messages[-1].metadata["session"] == table.session_id != session


@pytest.mark.parametrize("task", [None, "", "  ", [], [TextMessage(content=" ", source="user")]])
async def test_without_a_task_there_is_nothing_to_do(around, task):
    with pytest.raises(ValueError, match="there is no task"):
        await team(around).run(task=task)
    assert not (around.home / "journal.db").exists()


async def test_it_works_in_autogens_console(around, capsys):
    result = await Console(team(around).run_stream(task=TOPIC), output_stats=True)
    shown = capsys.readouterr().out
    assert "---------- TextMessage (user) ----------" in shown
    assert result.messages[-1].content in shown
    assert f"Number of messages: {len(result.messages)}" in shown


async def test_it_works_in_a_society_of_mind_and_is_reset_after_each_task(around):
    client, table = replay("They are caught, says the table."), team(around)
    mind = SocietyOfMindAgent("mind", table, client)
    result = await mind.run(task=TOPIC)
    assert result.messages[-1].to_text() == "They are caught, says the table."
    prompt = "".join(str(message.content) for message in client.create_calls[0]["messages"])
    assert "## Sources" in prompt
    assert re.search(r"^\[\d+\.\d+\] .* — python:", prompt, re.MULTILINE)
    assert table.session_id is None


async def test_it_works_as_a_tool(around):
    call = FunctionCall(id="1", name="research", arguments=json.dumps({"task": TOPIC}))
    usage = RequestUsage(prompt_tokens=1, completion_tokens=1)
    calls = CreateResult(finish_reason="function_calls", content=[call], usage=usage, cached=False)
    tool = TeamTool(team(around), "research", "Researches a topic.", return_value_as_last_message=True)
    agent = AssistantAgent("boss", replay(calls, "Done."), tools=[tool], reflect_on_tool_use=True)
    result = await agent.run(task="Find out about exceptions.")
    [done] = [message for message in result.messages if isinstance(message, ToolCallExecutionEvent)]
    assert done.content[0].is_error is False
    assert done.content[0].content.startswith(f"# {TOPIC}")
    assert result.messages[-1].to_text() == "Done."
    again = TeamTool.load_component(TeamTool(RoundtableTeam(settings()), "research", "x").dump_component())
    assert isinstance(again._team, RoundtableTeam)


async def test_it_works_in_a_larger_team(around):
    critic = AssistantAgent("critic", replay("Too long."))
    larger = RoundRobinGroupChat([team(around), critic], max_turns=2)
    result = await larger.run(task=TOPIC)
    assert result.messages[-1].to_text() == "Too long."
    assert "roundtable" in [message.source for message in result.messages]
    await larger.reset()


async def test_agents_sit_at_the_table_of_a_team(around):
    skeptic = AssistantAgent("skeptic", replay(*["I doubt it [p1]. TERMINATE"] * 5), description="Doubts.")
    result = await team(around, experts=[skeptic]).run(task=TOPIC)
    [said] = [message for message in result.messages if message.source == "skeptic"]
    assert said.content.startswith("I doubt it [1.1].\n\n[1.1] ")
    assert said.models_usage.completion_tokens > 0


async def test_its_state_is_the_sessions_id(around):
    table = team(around)
    assert (await table.save_state())["session"] is None
    await table.run(task=TOPIC)
    state = json.loads(json.dumps(await table.save_state()))
    named = {"session": table.session_id, "turns": 3}
    assert state == {"type": "RoundtableTeamState", "version": "1.0.0", **named}
    other = team(around)
    await other.load_state(state)
    assert other.session_id == table.session_id
    [report] = (await other.run()).messages
    assert report.content.startswith(f"# {TOPIC}")
    with pytest.raises(SessionUnknown, match="no session begins with"):
        await other.load_state({**state, "session": "ffffffff"})
    assert other.session_id == table.session_id


async def test_cancelled_it_stops_at_once_keeps_what_was_said_and_goes_on(around):
    table, token, said = team(around), CancellationToken(), []

    async def play():
        stream = table.run_stream(task=TOPIC, cancellation_token=token, output_task_messages=False)
        async for message in stream:
            said.append(message)
            token.cancel()

    with pytest.raises(asyncio.CancelledError):
        await play()
    assert [message.metadata["turn"] for message in said] == ["1"]
    result = await table.run()
    turns = [m.metadata["turn"] for m in result.messages if m.metadata["act"] != "report"]
    assert turns == ["2", "3"]
    assert result.stop_reason == "3 turns taken"


async def test_left_early_it_lets_go_of_the_session(around):
    table = team(around)
    stream = table.run_stream(task=TOPIC)
    async for message in stream:
        if message.source != "user":
            break
    await stream.aclose()
    assert (await table.run()).messages[-1].metadata["act"] == "report"  # no lock is held
    assert [t for t in asyncio.all_tasks() if t is not asyncio.current_task()] == []


async def test_it_stands_still_and_goes_on(around):
    table = RoundtableTeam(settings(4), around=around)
    said, begun = [], asyncio.Event()
    await table.pause()  # nothing runs: nothing to do

    async def play():
        async for message in table.run_stream(task=TOPIC, output_task_messages=False):
            said.append(message)
            if len(said) == 1:
                await table.pause()
                begun.set()

    playing = asyncio.create_task(play())
    await asyncio.wait({playing, asyncio.create_task(begun.wait())}, return_when=asyncio.FIRST_COMPLETED)
    done, _ = await asyncio.wait({playing}, timeout=1.5)
    assert not done
    with pytest.raises(ValueError, match="running already"):
        await table.run(task="another")
    with pytest.raises(RuntimeError, match="cannot be reset"):
        await table.reset()
    await table.resume()
    await asyncio.wait_for(playing, 300)
    assert isinstance(said[-1], TaskResult)


async def test_a_pause_after_the_discussion_stops_nothing(around):
    table, said = team(around), []
    async for message in table.run_stream(task=TOPIC):
        said.append(message)
        await table.pause()
        await table.resume()
    assert isinstance(said[-1], TaskResult)


async def test_it_is_described_as_a_component_and_built_from_that(around):
    skeptic = AssistantAgent("skeptic", replay("x"), description="Doubts.")
    table = RoundtableTeam(settings(5), experts=[skeptic], name="table", around=Runtime(home=around.home))
    described = json.loads(table.dump_component().model_dump_json())
    assert described["provider"] == "roundtable.RoundtableTeam"
    built = Team.load_component(described)
    assert isinstance(built, RoundtableTeam)
    assert (built.name, built._settings, built._around.home) == ("table", settings(5), around.home)
    assert [expert.name for expert in built._experts] == ["skeptic"]
    with pytest.raises(InputError, match="cannot be dumped"):
        RoundtableTeam(settings(), around=Runtime(home=around.home, model=ScriptedModel({}))).dump_component()


async def test_a_topic_about_which_nothing_is_found_says_so(around, tmp_path):
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "a.txt").write_text("Bees dance in the hive.")
    flags = {"docs": [str(tmp_path / "docs")], "offline": True, "models": {"model": "embedded"}}
    table = RoundtableTeam(load_settings(flags, environment={}), around=around)
    result = await table.run(task=StopMessage(content="quasars redshift", source="user"))
    assert "nothing was found" in result.stop_reason
    assert result.messages[-1].source == "roundtable"


def test_a_session_can_be_started_by_the_same_door():
    assert start_session.__module__ == "roundtable.session.factory"
    with pytest.raises(AttributeError, match="has no attribute 'x'"):
        _ = roundtable.x
