"""AutoGen agents at the table: they take a seat, answer, are checked, and are had again after a crash."""

import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from autogen_agentchat.agents import AssistantAgent, BaseChatAgent
from autogen_agentchat.base import Response
from autogen_agentchat.messages import TextMessage
from autogen_ext.models.replay import ReplayChatCompletionClient
from click.testing import CliRunner

from roundtable.cli.group import command as roundtable
from roundtable.config.config import load_settings
from roundtable.config.errors import ExpertMissing, InputError
from roundtable.journal.sessions.bundle import take_in, write_bundle
from roundtable.journal.storage.journal_store import Journal
from roundtable.session.factory import Runtime, resume_session, start_session
from tests.journeys.session.test_embedded import play, settings_for
from tests.journeys.session.test_resume import cut, outcome

TOPIC = "How are exceptions handled?"
REPLAY = "autogen_ext.models.replay"
SHOWN = re.compile(r'<passage id="(p\d+)"[^>]*>\n?(.*?)</passage>', re.DOTALL)


class Skeptic(BaseChatAgent):
    """Quotes the first passage that it is shown, and one that it is not."""

    def __init__(self, name="flood_skeptic", fail=False):
        super().__init__(name, "Doubts what nobody measured.")
        self.prompts = []
        self._fail = fail

    @property
    def produced_message_types(self):
        return (TextMessage,)

    async def on_messages(self, messages, cancellation_token):
        self.prompts.append(messages[0].content)
        if self._fail:
            raise OSError("the line is dead")
        shown = SHOWN.findall(messages[0].content)
        text = f"I doubt it {len(self.prompts)} [{shown[0][0]}][p9999]." if shown else "Nothing is shown."
        return Response(chat_message=TextMessage(content=text, source=self.name))

    async def on_reset(self, cancellation_token):
        pass


@pytest.fixture(autouse=True)
def indexed(around: Runtime, home: Path, python_indexed: Callable[[Path], Path]) -> None:
    """What is talked about is indexed already."""
    python_indexed(around.home)
    python_indexed(home / "roundtable")


def settings(**more):
    return settings_for(Path("python"), moderator={"turns": 5}, **more)


def agent_file(tmp_path, *replies):
    client = ReplayChatCompletionClient(list(replies) or ["I doubt it [p1]. TERMINATE"] * 9)
    agent = AssistantAgent("skeptic", client, description="Doubts what nobody measured.")
    file = tmp_path / "skeptic.json"
    file.write_text(agent.dump_component().model_dump_json())
    return file


async def test_an_agent_takes_a_seat_answers_and_is_checked_as_anybody(around: Runtime):
    skeptic = Skeptic()
    session = await start_session(TOPIC, settings(), around=around, experts=[skeptic])
    events = [recorded.event for recorded in await play(session)]
    state = session.state
    assert len(state.panel) == 3
    [seat] = [p for p in state.panel if p.slug == "flood-skeptic"]
    assert (seat.name, seat.role) == ("Flood skeptic", "Doubts what nobody measured.")
    said = [turn for turn in state.turns if turn.speaker == "flood-skeptic"]
    assert said
    assert said[0].text.startswith("I doubt it 1 [p")
    for turn in said:
        assert "p9999" not in turn.text
        assert len(turn.citations) == 1
        assert turn.citations[0] in state.evidence.passages
    assert [e.ids for e in events if e.kind == "citation_rejected"] == [["p9999"]] * len(said)
    # What it read for its answers stands in the map, and its requests are counted.
    assert state.map.where(state.admitted[said[0].n][0]) is not None
    spent = [c.usage for c in state.usage if c.speaker == "flood-skeptic"]
    assert [(u.model, u.requests) for u in spent] == [("autogen:flood_skeptic", 1)] * len(skeptic.prompts)
    assert "flood" in skeptic.prompts[0].casefold()
    assert state.report is not None


async def test_agents_take_the_seats_that_there_are_and_more_where_they_are_more(around: Runtime):
    agents = [Skeptic(f"agent_{n}") for n in range(4)]
    session = await start_session(TOPIC, settings(), around=around, experts=agents)
    await play(session)
    assert sorted(p.slug for p in session.state.panel) == [f"agent-{n}" for n in range(4)]
    assert [p.slug for panel in session.state.panels for p in panel] == [p.slug for p in session.state.panel]


async def test_an_agent_that_fails_costs_its_turns_alone_and_nobody_speaks_for_it(around: Runtime):
    session = await start_session(TOPIC, settings(), around=around, experts=[Skeptic(fail=True)])
    await play(session)
    state = session.state
    failed = [f for f in state.failed if f.speaker == "flood-skeptic"]
    assert {f.reason for f in failed} == {"OSError: the line is dead"}
    assert "flood-skeptic" not in {turn.speaker for turn in state.turns}
    assert state.status == "ended"
    assert {turn.speaker for turn in state.turns}


async def test_a_spent_budget_puts_no_words_in_an_agents_mouth(around: Runtime):
    skeptic = Skeptic()
    few = settings_for(Path("python"), moderator={"turns": 8, "budget": {"requests": 1}})
    session = await start_session(TOPIC, few, around=around, experts=[skeptic])
    await play(session)
    assert len(skeptic.prompts) == 1
    said = [turn.text for turn in session.state.turns if turn.speaker == "flood-skeptic"]
    assert all(text.startswith("I doubt it") for text in said)


@pytest.mark.parametrize(
    ("agents", "problem"),
    [([Skeptic(), Skeptic()], "two experts are called 'flood_skeptic'"),
     ([Skeptic(f"a{n}") for n in range(9)], "8 sit at the table at most")],
)  # fmt: skip
async def test_who_cannot_be_seated_is_refused_before_anything_begins(around: Runtime, agents, problem):
    with pytest.raises(InputError, match=problem):
        await start_session(TOPIC, settings(), around=around, experts=agents)
    assert not (around.home / "journal.db").exists()


async def test_a_resumed_session_asks_an_agent_nothing_twice_and_ends_the_same(around: Runtime, tmp_path):
    whole = await start_session(TOPIC, settings(), around=around, experts=[Skeptic()], session_id="whole")
    events = await play(whole)
    replies = [r for r in events if r.event.kind == "model_replied"]
    answered = next(r.n for r in replies if r.event.speaker == "flood-skeptic")
    first = Skeptic()
    begun = await start_session(TOPIC, settings(), around=around, experts=[first], session_id="cut")
    await cut(begun, answered)
    again = Skeptic()
    again.prompts = ["as if it had been asked once"]
    resumed = await resume_session("cut", around=around, experts=[again])
    await play(resumed)
    assert outcome(resumed.state) == outcome(whole.state)
    assert len(first.prompts) == 1


async def test_who_is_missing_is_told_before_anything_is_spent(around: Runtime):
    begun = await start_session(TOPIC, settings(), around=around, experts=[Skeptic()], session_id="s")
    await cut(begun, 12)
    resumed = await resume_session("s", around=around)
    last = resumed.state.last
    told = r"session s: the expert 'flood_skeptic' .* --expert FILE.json or experts="
    with pytest.raises(ExpertMissing, match=told):
        await play(resumed)
    assert resumed.state.last == last


async def test_one_who_was_dismissed_is_not_missed(around: Runtime):
    begun = await start_session(TOPIC, settings(), around=around, experts=[Skeptic()], session_id="s")
    events = begun.run()
    async for recorded in events:
        if recorded.event.kind == "turn_taken":
            begun.do("/dismiss flood-skeptic")
        if recorded.event.kind == "command_done":
            break
    await events.aclose()
    await begun.close()
    resumed = await resume_session("s", around=around)
    await play(resumed)
    assert resumed.state.status == "ended"


def run(*arguments):
    return CliRunner().invoke(roundtable, [str(a) for a in arguments], standalone_mode=False)


ORDER = ("--docs", "python", "--offline", "--model", "embedded", "--turns", "4")


def test_from_the_command_line_and_again_from_the_file(home: Path, tmp_path: Path):
    file, out = agent_file(tmp_path), tmp_path / "out"
    ran = run("run", TOPIC, *ORDER, "--expert", file, "--allow-provider", REPLAY, "--out", out)
    assert ran.exception is None, ran.output
    assert ran.return_value == 0
    assert "AutoGen agents at the table: skeptic (skeptic.json)" in ran.output
    said = [json.loads(line) for line in (out / "transcript.jsonl").read_text().splitlines()]
    assert "I doubt it [p1]." in {turn["text"] for turn in said if turn["speaker"] == "skeptic"}
    # It goes on with the file that the journal names …
    went_on = run("resume", "last", "--turns", "2")
    assert went_on.exception is None, went_on.output
    assert went_on.return_value == 0
    # … and says what to do when that is gone.
    file.unlink()
    missing = run("resume", "last", "--turns", "2")
    assert isinstance(missing.exception, ExpertMissing)
    assert re.search(r"'skeptic'.*cannot read .*skeptic.json.*give it again", str(missing.exception))
    back = agent_file(tmp_path / "..").rename(tmp_path / "elsewhere.json")
    again = run("resume", "last", "--turns", "2", "--expert", back, "--allow-provider", REPLAY)
    assert again.exception is None, again.output


def test_a_file_that_may_not_be_loaded_is_told_before_anything_begins(home: Path, tmp_path: Path):
    out = tmp_path / "out"
    ran = run("run", TOPIC, *ORDER, "--expert", agent_file(tmp_path), "--out", out)
    assert isinstance(ran.exception, InputError)
    assert "--allow-provider" in str(ran.exception)
    assert not out.exists()
    assert not (home / "journal.db").exists()


async def test_a_strangers_session_names_no_file_and_allows_nothing(around: Runtime, tmp_path: Path):
    from roundtable.session.planning.invited_agents import read_invited

    trusting = settings(agents={"allow_providers": [REPLAY]})
    invited = read_invited([agent_file(tmp_path)], trusting)
    begun = await start_session(TOPIC, trusting, around=around, experts=invited, session_id="theirs")
    await cut(begun, 12)
    with Journal(around.home / "journal.db", around.clock) as journal:
        write_bundle("theirs", journal.read("theirs"), around.home, tmp_path / "session.zip")
    here = Runtime(home=tmp_path / "here", clock=around.clock, environment={})
    with Journal(here.home / "journal.db", here.clock) as journal:
        take_in(tmp_path / "session.zip", journal, here.home, load_settings(environment={}))
        first, second = (recorded.event for recorded in journal.read("theirs")[:2])
    assert first.settings["agents"]["allow_providers"] == []
    assert [agent.file for agent in second.agents] == [""]
    resumed = await resume_session("theirs", around=here)
    with pytest.raises(ExpertMissing, match="not here"):
        await play(resumed)
