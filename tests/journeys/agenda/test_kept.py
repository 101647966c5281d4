"""A session that was had before costs nothing again: replies and searches are kept, and counted as such."""

import json

import pytest

from benchmarks.inputs.loopback import NONE, Loopback
from roundtable.config.config import joined, load_settings
from roundtable.output.outputs import usage_values
from roundtable.session.factory import Runtime, start_session


async def had(loopback, home, **changes):
    flags = joined(loopback.flags(3), changes)
    session = await start_session(
        "How do river towns protect themselves against floods?",
        load_settings(flags, environment={}),
        around=Runtime(home=home, environment={}),
    )
    async for _ in session.run():
        pass
    usage = usage_values(session.state)
    said = [turn.text for turn in session.state.turns]
    await session.close()
    return json.loads(json.dumps(usage)), said


@pytest.mark.loopback
@pytest.mark.slow
async def test_a_second_identical_session_sends_nothing(tmp_path):
    with Loopback(NONE) as loopback:
        first, said = await had(loopback, tmp_path, models={"cache": "on"})
        second, again = await had(loopback, tmp_path, models={"cache": "on"})
        once = await had(loopback, tmp_path)
    assert first["requests"] > 10
    assert (first["cached_replies"], first["cached_searches"]) == (0, 0)
    assert (second["requests"], second["tokens"]) == (0, 0)
    assert 10 < second["cached_replies"] <= first["requests"]
    assert second["cached_searches"] == second["searches"] == first["searches"]
    assert again == said
    assert once[0]["requests"] > 10, "unless it is asked for, replies that a model draws anew are not kept"
    assert loopback.counted["requests"] == first["requests"] + once[0]["requests"]
    assert loopback.counted["searches"] == first["searches"]
