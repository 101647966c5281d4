"""Model servers that drip, flood, lie and answer with nonsense: one clear line, or a report; never more.

Each answers a whole short session, once as usual and once as a stream that somebody reads along.
"""

import contextlib
import json
import time
from pathlib import Path

import pytest

from models import ModelUnavailable
from models.client.reply_transport import LARGEST_REPLY, LARGEST_STREAM
from roundtable.config.config import joined, load_settings
from roundtable.journal.fold.state import State
from roundtable.session.factory import Runtime, start_session
from tests.faults.town import THINGS, TOPIC, files_of, kept, open_town, settings_for, still_clock
from tests.faults.town import write_documents as write
from tests.model_server import ModelServer

KEY = "sk-planted-4711471147"
STOPS = {"drip": "did not answer in time", "html": "answers with a web page"}
"""What no session goes on with, and what is said then."""
COSTS = {
    "flood:50": "sends without end", "packed": "sends without end|packs what was to come",
    "bad_utf8": "no JSON|not answer as such", "long_number": "no JSON|not answer as such",
    "nested": "no JSON|not answer as such", "nested_content": "no usable reply",
    "braces": "no usable reply", "thoughts": "no usable reply",
    "enormous": "no usable reply|sends without end", "unoffered": "no usable reply",
}  # fmt: skip
"""What costs its answers, which statistics give then, and what is said of them: of a whole one | of a stream.

Where somebody reads along, some requests are streamed and some are not, so that both may be said.
"""
BORNE = ("negative_usage", "hostile")
"""What is read all the same."""
TROUBLES = tuple(trouble.partition(":")[0] for trouble in (*STOPS, *COSTS, *BORNE))
"""As the server calls them."""

pytestmark = [pytest.mark.loopback, pytest.mark.slow]


async def played(trouble: str, tmp_path: Path, server: ModelServer, *, watched: bool) -> State:
    """Run a session to where it comes, with each request in trouble from the third on."""
    home = tmp_path / "town"
    home.mkdir()
    library = open_town(home, write(tmp_path / "documents", THINGS[:2]))
    asked = {"model": "openai:test-model", "base_url": server.url, "timeout": 1.0, "retries": 1}
    patient = asked | ({} if trouble == "drip" else {"timeout": 30.0})
    settings = joined(settings_for(tmp_path / "documents", 2).model_dump(mode="json"), {"models": patient})
    around = Runtime(home=home, clock=still_clock(), environment={"OPENAI_API_KEY": KEY}, library=library)
    session = await start_session(
        TOPIC, load_settings(settings, environment={}), around=around, session_id="s"
    )
    if watched:
        session.watch(lambda _speaker, _said: None)
    with contextlib.suppress(ModelUnavailable):
        async for _ in session.run():
            pass
    await session.close()
    return session.state


@pytest.mark.parametrize("watched", [False, True], ids=["whole", "streamed"])
@pytest.mark.parametrize("trouble", [*STOPS, *COSTS, *BORNE])
async def test_a_server_that_misbehaves(trouble: str, watched: bool, tmp_path: Path) -> None:
    began = time.monotonic()
    with ModelServer(troubles=lambda number, _: trouble if number > 2 else None) as server:
        state = await played(trouble, tmp_path, server, watched=watched)
        most = LARGEST_STREAM if watched else LARGEST_REPLY
        assert server.flooded <= server.requests * (most + 4_000_000), "what is on the way counts too"
    assert time.monotonic() - began < 100, "bounded"
    journal = "\n".join(kept(tmp_path / "town", "s"))
    assert KEY not in journal
    if trouble in STOPS:
        assert state.status == "stopped"
        assert "\n" not in state.reason
        assert STOPS[trouble] in state.reason
        return
    assert state.status == "ended", state.reason
    said = {cost.fallback for cost in state.usage if cost.fallback}
    assert not any("\n" in each for each in said)
    if trouble in COSTS:
        assert said
        assert all(any(words in each for words in COSTS[trouble].split("|")) for each in said), said
        assert not any("is the address right?" in each for each in said), "it answered before"
    assert all(cost.usage.prompt_tokens >= 0 and cost.usage.completion_tokens >= 0 for cost in state.usage)
    assert all(0 <= cost.usage.prompt_tokens < 10**9 for cost in state.usage)
    known = state.evidence.passages.keys()
    assert all(set(turn.citations) <= known for turn in state.turns)
    files = files_of(state, tmp_path / "files")
    for name in ("report.md", "mindmap.md", "transcript.md"):
        text = files[name].decode()  # also: it is UTF-8
        assert not set(text) & set("\x1b\x07\u202e"), name
    sections = json.loads(files["report.json"])["sections"]
    cited = {i for section in sections for sentence in section["sentences"] for i in sentence["citations"]}
    assert cited <= known
    assert cited


async def test_a_redirect_takes_neither_question_nor_key_elsewhere(tmp_path: Path) -> None:
    with (
        ModelServer() as other,
        ModelServer(troubles=lambda *_: f"307:{other.url}/chat/completions") as server,
    ):
        state = await played("307", tmp_path, server, watched=True)
        assert other.requests == 0
    assert state.status == "stopped"
    assert "sends elsewhere (307); name its own address with --base-url" in state.reason
