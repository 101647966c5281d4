"""A hurried turn that is cut off anywhere goes on as it was: what was decided for a round stays decided."""

from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from library import TextStatistics
from models import ScriptedModel, Usage
from roundtable.journal.clock import SteppingClock
from roundtable.session.factory import Runtime, resume_session, start_session
from tests.journeys.session.test_embedded import play, settings_for
from tests.journeys.session.test_resume import cut, outcome

COSTS = Usage(model="scripted", requests=1, prompt_tokens=90, completion_tokens=10)
WORDS = ("堤坝", "水位", "老街", "学校", "重建", "预警", "粮食", "桥梁", "村民", "河道")
TOPIC = "青河镇的洪水与重建"


def digging(task: Any) -> dict[str, Any]:
    """Search on by what was done so far alone, so that a turn done again asks the same."""
    if task.rounds_left == 0:
        said = f"水退了[{task.passages[0].id}]。" if task.passages else "不知道。"
        return {"thought": "", "actions": [], "answer": said}
    word = WORDS[task.rounds.count("Round ") % len(WORDS)]
    action = {"kind": "search", "query": f"{word} {task.rounds_left}"}
    return {"thought": "", "actions": [action], "answer": "", "more": 20}


async def test_a_hurried_turn_that_is_cut_off_anywhere_ends_the_same(
    tmp_path: Path, chinese_documents: Path
) -> None:
    settings = settings_for(
        chinese_documents,
        moderator={"turns": 2, "budget": {"requests": 9}},
        agents={"experts": 1, "rounds": 12, "most_rounds": 12},
    )

    def around(name: str) -> Runtime:
        model = ScriptedModel({"respond": digging}, otherwise=TextStatistics(), usage=COSTS)
        clock = SteppingClock(datetime(2026, 1, 1, tzinfo=UTC))
        return Runtime(home=tmp_path / name, clock=clock, environment={}, model=model)

    whole = await start_session(TOPIC, settings, around=around("whole"), session_id="whole")
    events = await play(whole)
    hurried = [recorded for recorded in events if recorded.event.kind == "turn_hurried"]
    assert len(hurried) == 1
    expected = outcome(whole.state)
    at = hurried[0].n
    for after in range(at - 3, at + 4):
        name = f"cut{after}"
        await cut(await start_session(TOPIC, settings, around=around("cut"), session_id=name), after)
        resumed = await resume_session(name, around=around("cut"))
        await play(resumed)
        assert outcome(resumed.state) == expected, f"cut off after event {after}"
