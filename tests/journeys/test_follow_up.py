"""Who asks on after the report waits for the answer and what it changes, not for the report all over."""

import re
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from reports import Report
from roundtable.session.factory import Runtime, start_session
from tests.journeys.test_embedded import settings_for
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
