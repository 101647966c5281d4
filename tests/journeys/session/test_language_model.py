"""A whole session with a language model: real sockets, the real client, a server on this machine."""

import json
import re
from pathlib import Path

import pytest

from agents.settings import LEAST_CONTEXT
from models import estimate
from roundtable.session.factory import Runtime, start_session
from tests.journeys.research.test_research_bounds import long_text
from tests.journeys.session.test_embedded import play, settings_for
from tests.model_answers import Filler
from tests.model_server import Mode, ModelServer


@pytest.mark.loopback
@pytest.mark.parametrize("mode", ["structured", "json", "text", "deaf"])
async def test_a_session_ends_with_a_cited_report_whatever_the_model_can_do(
    mode: Mode, around: Runtime, chinese_documents: Path
) -> None:
    with ModelServer(mode=mode) as server:
        models = {"model": "openai:test-model", "base_url": server.url}
        settings = settings_for(chinese_documents, models=models, moderator={"turns": 6})
        session = await start_session("青河镇的洪水与重建", settings, around=around)
        await play(session)
        assert server.requests > 5
    state = session.state
    assert state.status == "ended"
    assert len(state.turns) >= 5
    assert not [cost.fallback for cost in state.usage if cost.fallback]
    assert {cost.usage.model for cost in state.usage} == {"openai:test-model"}
    assert sum(cost.usage.prompt_tokens for cost in state.usage) > 1000
    assert state.report is not None
    sentences = [s for section in state.report.sections for s in section.sentences]
    assert sentences
    assert all(set(s.citations) <= set(state.evidence.passages) for s in sentences)
    assert all(s.citations for s in sentences)


@pytest.mark.loopback
async def test_citations_of_passages_that_were_not_shown_are_dropped_and_recorded(
    around: Runtime, chinese_documents: Path
) -> None:
    with ModelServer(values={"answer": "Nobody knows [p1]. It was so [p999]. Or so [p2, p7777]."}) as server:
        settings = settings_for(
            chinese_documents,
            models={"model": "openai:test-model", "base_url": server.url},
            moderator={"turns": 3},
        )
        session = await start_session("青河镇的洪水与重建", settings, around=around)
        events = [recorded.event for recorded in await play(session)]
    rejected = [event for event in events if event.kind == "citation_rejected"]
    assert rejected
    assert {"p999", "p7777"} <= {i for event in rejected for i in event.ids}
    assert all("p999" not in turn.text and "p7777" not in turn.text for turn in session.state.turns)


@pytest.mark.loopback
async def test_no_prompt_of_a_session_is_longer_than_the_experts_context(
    around: Runtime, tmp_path: Path
) -> None:
    (tmp_path / "docs").mkdir()
    for number in range(8):
        (tmp_path / "docs" / f"{number}.md").write_text(long_text(number), encoding="utf-8")
    with ModelServer() as server:
        settings = settings_for(
            tmp_path / "docs",
            models={"model": "openai:test-model", "base_url": server.url},
            moderator={"turns": 6},
            agents={"context": LEAST_CONTEXT, "passage_tokens": 20_000},
            reports={"words": 6000},
        )
        session = await start_session("The harbour of Asterby", settings, around=around)
        await play(session)
    sent = [
        sum(estimate(str(m["content"])) for m in asked.messages)
        + estimate(json.dumps(asked.body.get("response_format", "")))
        for asked in server.asked
    ]
    assert LEAST_CONTEXT * 0.5 < max(sent) <= LEAST_CONTEXT
    assert session.state.report is not None


@pytest.mark.loopback
async def test_a_warm_start_of_two_rounds_answers_together_what_the_first_answers_raised(
    around: Runtime, chinese_documents: Path
) -> None:
    def asks(filler: Filler) -> list[str]:
        # All are shown much the same: each asks about something of its own, by who it is.
        own = "\n".join(re.findall(r"<you>\s*(.*?)\s*</you>", filler.prompt, re.DOTALL))
        return [] if "<discussion>" in filler.prompt else [f"{own}后来怎样？"]

    with ModelServer(values={"ask": asks}) as server:
        settings = settings_for(
            chinese_documents,
            models={"model": "openai:test-model", "base_url": server.url},
            moderator={"turns": 7, "warm_rounds": 2, "disputes": 0},
        )
        session = await start_session("青河镇的洪水与重建", settings, around=around)
        events = [recorded.event for recorded in await play(session)]
    kinds = [event.kind for event in events if event.kind in {"speaker_called", "turn_taken"}]
    assert kinds[:12] == (["speaker_called"] * 3 + ["turn_taken"] * 3) * 2
    raised = {e.id for e in events if e.kind == "question_raised" and e.why == "a gap"}
    assert {turn.question for turn in session.state.turns[3:6]} <= raised
    replies = [e for e in events if e.kind == "model_replied"]
    free = [e for e in replies if e.task == "judge_answer" and e.usage.requests == 0]
    assert free, "answers are judged in the request that places them"
