"""Reading along while a model writes: over real sockets, with the real `openai` client."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from models.prompting.partial_json import partial_text, watched
from tests.model_server import ModelServer
from tests.models.conftest import Ask


async def seen_of(model, task=None):
    """Ask; return the reply, and everything that was seen of it on the way."""
    seen = []
    with watched(seen.append):
        return await model.ask(task or Ask()), seen


@pytest.mark.loopback
@pytest.mark.parametrize("mode", ["structured", "json", "text", "deaf"])
async def test_what_a_model_writes_is_seen_while_it_writes_and_the_reply_is_the_same(ask_of, mode):
    with ModelServer(mode=mode) as server:
        plain = await ask_of(server.url).ask(Ask())
        assert server.pieces == 0, "nobody watched, so nothing was streamed"
        reply, seen = await seen_of(ask_of(server.url))
        assert server.pieces > 10
    assert reply.output == plain.output
    assert (reply.usage.prompt_tokens, reply.usage.completion_tokens) == (
        plain.usage.prompt_tokens, plain.usage.completion_tokens,
    )  # fmt: skip
    answers = [partial_text(written, "answer") for written in seen]
    assert reply.output.answer in answers
    assert all(reply.output.answer.startswith(text) or mode == "deaf" for text in answers)


@pytest.mark.loopback
async def test_a_server_that_does_not_stream_is_asked_as_usual_from_then_on(ask_of):
    with ModelServer(streams=False) as server:
        model = ask_of(server.url)
        reply, seen = await seen_of(model)
        assert (reply.usage.requests, seen) == (2, [])
        again, _ = await seen_of(model)
        assert again.usage.requests == 1
        assert [bool(asked.body.get("stream")) for asked in server.asked] == [True, False, False]


@pytest.mark.loopback
async def test_an_answer_that_breaks_off_is_asked_for_again_whole(ask_of):
    with ModelServer(troubles=["cut"]) as server:
        reply, seen = await seen_of(ask_of(server.url))
    assert seen
    assert "Bees dance" in reply.output.answer
    assert reply.usage.requests == 2


@pytest.mark.loopback
async def test_a_refused_key_is_not_asked_twice(ask_of):
    from models import ModelUnavailable

    with ModelServer(key="another") as server:
        with pytest.raises(ModelUnavailable):
            await seen_of(ask_of(server.url))
        assert server.requests == 1


@given(
    st.text(), st.text(), st.booleans(), st.sampled_from(["", '<think>{"answer": "no"}</think>', "```json\n"])
)
def test_a_text_only_grows_and_ends_as_it_is(answer, thought, ascii_only, before):
    value = {"thought": thought, "actions": [{"answer": "not this"}], "answer": answer, "more": 0}
    whole = before + json.dumps(value, ensure_ascii=ascii_only)
    if "<think" in thought or "</" in thought:
        return
    last = ""
    for end in range(0, len(whole) + 1, max(1, len(whole) // 40)):
        text = partial_text(whole[:end], "answer")
        assert answer.startswith(text)
        assert text.startswith(last)
        last = text
    assert partial_text(whole, "answer") == answer


@given(st.text())
def test_anything_may_be_written(written):
    assert isinstance(partial_text(written, "answer"), str)


def test_lines_broken_within_a_text_and_prose_after_the_object_are_tolerated():
    assert partial_text('Here: {"thought": "a\nb", "answer": "one\ntwo', "answer") == "one two"
    assert partial_text('{"answer": "one\\ntwo"} That is all.', "answer") == "one\ntwo"
    assert partial_text('{"answer": 3}', "answer") == ""
