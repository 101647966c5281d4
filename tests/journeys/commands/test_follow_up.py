"""Who asks on after the report waits for the answer and what it changes, not for the report all over."""

import re
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from agents import Turn
from reports import Report, ReportSettings
from roundtable.journal.fold.state import State
from roundtable.session.closing.report_writing import standing_report
from roundtable.session.factory import Runtime, start_session
from tests.journeys.session.test_embedded import settings_for
from tests.model_answers import Filler
from tests.model_server import ModelServer


def sections(filler: Filler) -> list[dict[str, Any]]:
    """Write each section from the passages shown; of a report that stands, change the first alone."""
    if "What was asked since" in filler.prompt:
        return [{"n": 1, "passages": [identity for identity, _text in filler.passages]}]
    found = re.findall(r'^Section n="(\d+)": (.*), about', filler.prompt, re.MULTILINE)
    now = "如今" if "It stands already" in filler.prompt else ""
    return [{"n": int(n), "paragraphs": [f"{heading}{now}：{filler.cited()}"]} for n, heading in found]


def outline(filler: Filler) -> list[dict[str, Any]]:
    """Plan two sections from all passages that are shown."""
    ids = re.findall(r"^(p\d+)\*? ", filler.prompt, re.MULTILINE)
    return [
        {"heading": "洪水", "words": 90, "passages": ids[::2]},
        {"heading": "重建", "words": 90, "passages": ids[1::2]},
    ]


@pytest.mark.loopback
@pytest.mark.parametrize("opening", [False, True])
async def test_a_follow_up_writes_what_it_changes_and_leaves_the_rest(
    opening: bool, around: Runtime, chinese_documents: Path
) -> None:
    reports: list[Report] = []
    asked: list[int] = []
    values = {"sections": sections, "outline": outline, "added": [], "opening": opening}
    with ModelServer(values=values) as server:
        models = {"model": "openai:test-model", "base_url": server.url}
        settings = settings_for(chinese_documents, models=models, moderator={"turns": 6})
        session = await start_session("青河镇为什么被淹，重建由谁出钱？", settings, around=around)
        async for recorded in session.run(stay=True):
            if recorded.event.kind == "report_written":
                reports.append(recorded.event.report)
            if recorded.event.kind == "session_ended":
                asked.append(len(session.state.usage))
                if len(reports) == 2:
                    break
                session.do("湿地里有哪些鸟类？")
        await session.close()
    costs = [cost for cost in session.state.usage[asked[0] :] if cost.usage.requests]
    of_report = Counter(cost.task for cost in costs if cost.speaker == "writer")
    expected = {"plan_revision": 1, "write_sections": 1, "judge_section": 1}
    assert of_report == (expected | {"write_answer": 1, "judge_section": 2} if opening else expected)
    assert "review_discussion" not in {cost.task for cost in costs}, "nobody is called to respond any more"
    before, after = reports
    assert [s.heading for s in after.sections] == ["概要", "洪水", "重建"]
    assert (after.sections[0] == before.sections[0]) is not opening
    assert after.sections[1] != before.sections[1]
    assert after.sections[2] == before.sections[2]
    assert "另就参与者的提问发言 1 次" in "".join(after.back.made)


@pytest.mark.parametrize(
    ("directions", "act", "stands"), [([], "add", True), (["costs"], "add", False), ([], "concede", False)]
)
def test_a_report_is_written_whole_after_a_new_direction_or_a_claim_taken_back(
    directions: list[str], act: str, *, stands: bool
) -> None:
    said = {"speaker": "a", "name": "A", "role": "expert", "act": "answer", "citations": [], "question": "q1"}
    replies = {"turn": 1, "speaker": "a", "name": "A", "text": "It is 12 m high.", "act": act}
    turns = [
        Turn(n=1, text="It is 12 m high. It is old.", at="2026-01-01T00:00:00.000Z", seconds=1.0, **said),
        Turn(n=2, text="Yes.", at="2026-01-01T00:00:01.000Z", seconds=1.0, replies_to=replies, **said),
    ]
    settings = ReportSettings()
    state = State(lambda _sha256: pytest.fail("no source is asked for"))
    state.turns, state.report = turns, Report(title="T", topic="t", sections=[])
    state.writing.answers, state.writing.settings = 1, settings
    state.controls.steering = directions
    assert (standing_report(state, settings) is not None) == stands
