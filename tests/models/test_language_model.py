"""A language model, asked over real sockets with the real `openai` client; the server goes wrong as told."""
# ruff: noqa: SIM117 - the server stands around what is expected of it

import asyncio
import logging

import pytest

from models import ModelUnavailable, ReplyUnusable, estimate
from tests.model_server import ModelServer
from tests.models.conftest import Ask, Findings

pytestmark = pytest.mark.loopback


def test_every_fault_of_the_server_is_in_a_table():
    from tests.faults.models.test_misbehaving_servers import TROUBLES as WHOLE_SESSIONS
    from tests.model_server import TROUBLES

    tried = {*PASSING, *BORNE, *MENDED, *FINAL, *USELESS, *ELSEWHERE, *WHOLE_SESSIONS}
    assert sorted(tried) == sorted(TROUBLES)


@pytest.mark.parametrize("mode", ["structured", "json", "text", "deaf"])
async def test_every_kind_of_server_gives_an_answer(ask_of, mode):
    with ModelServer(mode=mode) as server:
        model = ask_of(server.url)
        first = await model.ask(Ask())
        learning = server.requests
        second = await model.ask(Ask())
    assert isinstance(first.output, Findings)
    assert "Bees dance to show the way. [p1]" in first.output.answer
    assert first.output == second.output
    # What the server does not take is learnt once.
    assert learning == {"structured": 1, "json": 2, "text": 3, "deaf": 2}[mode]
    assert server.requests == learning + 1
    assert first.prompt_hash == second.prompt_hash


async def test_requests_and_tokens_are_counted_and_the_prompt_is_what_was_written(ask_of):
    with ModelServer() as server:
        reply = await ask_of(server.url).ask(Ask())
    [asked] = server.asked
    assert [message["role"] for message in asked.messages] == ["system", "user"]
    assert asked.messages[0]["content"].startswith("You answer from passages. Cite them like [p1].")
    assert asked.messages[1]["content"].startswith("The question: What do bees do?")
    assert asked.key == "sk-secret-1234"
    assert asked.format == "json_schema"
    assert asked.body["max_tokens"] == 4096
    assert "temperature" not in asked.body
    assert "name" not in asked.messages[1]
    usage = reply.usage
    assert (usage.model, usage.requests) == ("openai:test-model", 1)
    assert usage.prompt_tokens == server.prompt_tokens > 0
    assert usage.completion_tokens == server.completion_tokens > 0
    assert usage.seconds > 0
    assert usage.cost is None


PASSING = ["429", "500", "503", "cut", "reset", "html", "not_json", "error_in_200", "no_choices",
           "null_choices", "null_message", "endless", "a_list"]  # fmt: skip
"""Faults that may pass: the same is asked again."""


@pytest.mark.parametrize("trouble", PASSING)
async def test_a_fault_that_passes_costs_one_more_request(ask_of, waits, trouble):
    with ModelServer(troubles=[trouble, trouble]) as server:
        reply = await ask_of(server.url).ask(Ask())
    assert server.requests == 3
    assert reply.usage.requests == 3
    assert waits.seconds == [0.5, 1.0]
    assert reply.output.findings


@pytest.mark.parametrize("trouble", PASSING)
async def test_a_fault_that_stays_stops_the_session_and_is_bounded(ask_of, waits, trouble):
    with ModelServer(troubles=lambda *_: trouble) as server, pytest.raises(ModelUnavailable) as caught:
        await ask_of(server.url, retries=3).ask(Ask())
    assert 3 <= server.requests <= 6
    assert caught.value.usage.requests == server.requests
    assert caught.value.prompt_hash
    assert_a_line(caught.value, server)


async def test_a_server_that_is_slow_is_given_up_in_time(ask_of, waits):
    with ModelServer(troubles=["slow", None]) as server:
        reply = await ask_of(server.url, timeout=0.3).ask(Ask())
    assert reply.usage.requests == 2
    with ModelServer(troubles=lambda *_: "slow") as server:
        with pytest.raises(ModelUnavailable, match="did not answer in time"):
            await ask_of(server.url, timeout=0.2, retries=1).ask(Ask())
        assert server.requests == 2
        with pytest.raises(ModelUnavailable, match="did not finish 'ask' in 0 s"):
            await ask_of(server.url, total_timeout=0.2).ask(Ask())


@pytest.mark.parametrize(("trouble", "wait"), [("429:7", 7.0), ("503:2", 2.0), ("429:59", 59.0)])
async def test_retry_after_is_honoured(ask_of, waits, trouble, wait):
    with ModelServer(troubles=[trouble]) as server:
        await ask_of(server.url).ask(Ask())
    assert waits.seconds == [pytest.approx(wait, rel=0.06)]
    assert waits.seconds[0] >= wait


async def test_a_server_that_asks_to_wait_too_long_is_not_waited_for(ask_of, waits):
    with ModelServer(troubles=["429:300"]) as server, pytest.raises(ModelUnavailable, match="wait 300 s"):
        await ask_of(server.url).ask(Ask())
    assert server.requests == 1
    assert waits.seconds == []


BORNE = ["null_usage", "null_counts", "no_usage", "parts", "parsed", "fenced", "trailing_comma",
         "other_finish"]  # fmt: skip
"""Oddities that cost nothing."""


@pytest.mark.parametrize("trouble", BORNE)
async def test_oddities_are_borne(ask_of, trouble):
    with ModelServer(troubles=[trouble]) as server:
        reply = await ask_of(server.url).ask(Ask())
    assert server.requests == 1
    assert "[p1]" in reply.output.answer
    assert reply.usage.prompt_tokens > 50
    assert reply.usage.completion_tokens > 20


async def test_missing_counts_are_estimated(ask_of):
    with ModelServer(troubles=["no_usage"]) as server:
        reply = await ask_of(server.url).ask(Ask())
    sent = sum(estimate(message["content"]) for message in server.asked[0].messages)
    assert reply.usage.prompt_tokens == sent


MENDED = ["empty", "null_content", "prose", "wrong_schema", "bad_json", "truncated", "think_only",
          "endless_thought"]  # fmt: skip
"""Replies of no use, for which the model is asked once more."""


@pytest.mark.parametrize("trouble", MENDED)
async def test_a_reply_of_no_use_is_repaired_once(ask_of, trouble):
    with ModelServer(troubles=[trouble]) as server:
        reply = await ask_of(server.url).ask(Ask())
    assert server.requests == 2
    again = server.asked[1].messages
    assert [message["role"] for message in again] == ["system", "user", "assistant", "user"]
    assert "cannot be used" in again[-1]["content"]
    # The shape is now in the words, for a server that does not heed a response format.
    assert '"findings"' in again[0]["content"]
    assert reply.usage.requests == 2


@pytest.mark.parametrize("trouble", MENDED)
async def test_a_reply_that_stays_of_no_use_is_said_to_be(ask_of, trouble):
    with ModelServer(troubles=lambda *_: trouble) as server:
        with pytest.raises(ReplyUnusable, match="also when asked again") as caught:
            await ask_of(server.url).ask(Ask())
    assert server.requests == 2
    assert caught.value.usage.requests == 2
    assert_a_line(caught.value, server)


async def test_the_repair_says_what_was_wrong(ask_of):
    with ModelServer(troubles=["wrong_schema"]) as server:
        await ask_of(server.url).ask(Ask())
    words = server.asked[1].messages[-1]["content"]
    assert "none of the fields answer, findings" in words


async def test_a_reply_that_was_cut_off_gets_more_room(ask_of):
    with ModelServer(troubles=["truncated"]) as server:
        await ask_of(server.url, max_output_tokens=500).ask(Ask())
    assert [asked.body["max_tokens"] for asked in server.asked] == [500, 1000]
    # It is no sign that the server does not heed the schema.
    assert [asked.format for asked in server.asked] == ["json_schema", "json_schema"]


USELESS = ["refusal", "filtered", "policy"]
"""The content is not wanted: asking again is useless, the session goes on."""


@pytest.mark.parametrize("trouble", USELESS)
async def test_a_refusal_is_not_asked_again(ask_of, trouble):
    with ModelServer(troubles=lambda *_: trouble) as server:
        with pytest.raises(ReplyUnusable, match="refuses the content") as caught:
            await ask_of(server.url).ask(Ask())
    assert server.requests == 1
    assert_a_line(caught.value, server)


FINAL = {
    "wrong_key": "set OPENAI_API_KEY",
    "forbidden": "set OPENAI_API_KEY",
    "unknown_model": "no model 'test-model' there",
    "wrong_path": "does --base-url lack /v1",
    "no_credit": "no credit left",
    "307": "sends elsewhere",
}
"""What a person must mend, and the words that say how."""


@pytest.mark.parametrize(("trouble", "words"), FINAL.items())
async def test_what_a_person_must_mend_stops_at_once_and_says_how(ask_of, waits, trouble, words):
    with ModelServer(troubles=lambda *_: trouble) as server, pytest.raises(ModelUnavailable) as caught:
        await ask_of(server.url).ask(Ask())
    assert words in str(caught.value)
    assert server.requests == 1
    assert waits.seconds == []
    assert_a_line(caught.value, server)


async def test_a_key_never_comes_back_in_an_error(ask_of):
    with ModelServer(troubles=lambda *_: "wrong_key:sk-secret-1234") as server:
        model = ask_of(server.url)
        with pytest.raises(ModelUnavailable) as caught:
            await model.ask(Ask())
    assert "sk-secret" not in str(caught.value)
    assert caught.value.__cause__ is None
    assert "sk-secret" not in repr(model.endpoint)


ELSEWHERE = ["slow", "400", "too_long", "no_temperature", "no_max_tokens"]
"""Faults with tests of their own."""


async def test_a_server_without_json_modes_that_says_nothing_of_use_is_asked_plainly(ask_of):
    def no_format(number, asked):
        return None if asked.format == "text" else "400"

    with ModelServer(troubles=no_format) as server:
        await ask_of(server.url).ask(Ask())
    assert [asked.format for asked in server.asked] == ["json_schema", "json_object", "text"]


async def test_one_bad_request_of_a_model_that_has_answered_costs_that_task_alone(ask_of):
    with ModelServer(troubles=lambda number, _: "400" if number > 1 else None) as server:
        model = ask_of(server.url)
        await model.ask(Ask())
        with pytest.raises(ReplyUnusable):
            await model.ask(Ask(question="One that the server chokes on?"))


async def test_a_refusal_of_unknown_reason_changes_nothing_for_the_tasks_after_it(ask_of):
    def choke(number, asked):
        return "400" if "CHOKE" in asked.prompt else None

    with ModelServer(troubles=choke) as server:
        model = ask_of(server.url)
        await model.ask(Ask())
        with pytest.raises(ReplyUnusable):
            await model.ask(Ask(question="CHOKE?"))
        await model.ask(Ask())
    assert server.asked[-1].format == "json_schema"


async def test_an_output_whose_schema_is_not_taken_is_asked_for_otherwise_from_then_on(ask_of):
    class Other(Ask):
        name = "ask"

        def fields(self):
            return {**super().fields(), "question": "OTHER"}

    class Shape(Findings):
        pass

    Other.output = Shape

    def picky(number, asked):
        return "400" if "OTHER" in asked.prompt and asked.format == "json_schema" else None

    with ModelServer(troubles=picky) as server:
        model = ask_of(server.url)
        for task in (Ask(), Other(), Other(), Ask()):
            await model.ask(task)
    formats = [asked.format for asked in server.asked]
    assert formats == ["json_schema", "json_schema", "json_object", "json_object", "json_schema"]


async def test_parameters_that_a_model_does_not_take_are_left_out_from_then_on(ask_of):
    def picky(number, asked):
        if "temperature" in asked.body:
            return "no_temperature"
        return "no_max_tokens" if "max_tokens" in asked.body else None

    with ModelServer(troubles=picky) as server:
        model = ask_of(server.url, temperature=0.5)
        await model.ask(Ask())
        await model.ask(Ask())
    assert server.requests == 4
    last = server.asked[-1].body
    assert last["max_completion_tokens"] == 4096
    assert "temperature" not in last
    # Nothing was given up that had not been refused.
    assert server.asked[-1].format == "json_schema"


async def test_a_prompt_too_long_is_shortened_evenly_to_what_the_server_takes(ask_of):
    long = Ask(texts=("Bees dance. " * 900, "Wax melts.", "Honey keeps. " * 700))

    def window(number, asked):
        return "too_long:2048" if estimate(asked.prompt) > 2048 else None

    with ModelServer(troubles=window) as server:
        model = ask_of(server.url)
        await model.ask(long)
        assert server.requests == 2
        # The window is remembered: the next long prompt is cut before it is sent.
        await model.ask(long)
        assert server.requests == 3
    shown = server.asked[1].messages[1]["content"]
    assert shown.count("</passage>") == 3
    assert "Wax melts." in shown
    assert 0.5 < shown.count("Bees dance.") / shown.count("Honey keeps.") < 2


async def test_a_prompt_whose_own_words_are_too_long_is_said_to_be(ask_of):
    with ModelServer(troubles=lambda *_: "too_long:600") as server:
        with pytest.raises(ReplyUnusable, match="fit|too long"):
            await ask_of(server.url).ask(Ask(question="What? " * 2000))
    assert server.requests <= 4


async def test_a_window_that_is_set_is_kept_without_asking(ask_of):
    with ModelServer() as server:
        await ask_of(server.url, context_window=1500).ask(Ask(texts=("Bees dance. " * 900,)))
    [asked] = server.asked
    assert estimate(asked.prompt) + asked.body["max_tokens"] <= 1500


async def test_as_many_requests_as_allowed_are_in_flight(ask_of):
    with ModelServer(latency=0.05) as server:
        model = ask_of(server.url, concurrency=3)
        await asyncio.gather(*(model.ask(Ask(question=f"Question {n}?")) for n in range(9)))
    assert server.most_in_flight == 3
    assert server.requests == 9


async def test_requests_together_learn_the_same_thing_once(ask_of):
    with ModelServer(mode="json") as server:
        model = ask_of(server.url)
        replies = await asyncio.gather(*(model.ask(Ask(question=f"Question {n}?")) for n in range(6)))
    assert all(reply.output.findings for reply in replies)
    assert [asked.format for asked in server.asked].count("text") == 0


async def test_a_cancelled_question_is_gone(ask_of):
    with ModelServer(troubles=lambda *_: "slow") as server:
        model = ask_of(server.url)
        asking = asyncio.create_task(model.ask(Ask()))
        while not server.in_flight:  # noqa: ASYNC110 - the server lives in another thread
            await asyncio.sleep(0.01)
        asking.cancel()
        with pytest.raises(asyncio.CancelledError):
            await asking


async def test_a_server_that_is_not_there_is_said_to_be(ask_of, waits, unused_tcp_port):
    with pytest.raises(ModelUnavailable, match="nothing listens there"):
        await ask_of(f"http://127.0.0.1:{unused_tcp_port}/v1", retries=2).ask(Ask())
    assert len(waits.seconds) == 2


async def test_no_prompt_and_no_key_in_the_logs(ask_of, caplog):
    caplog.set_level(logging.DEBUG)
    with ModelServer(troubles=["500"]) as server:
        await ask_of(server.url).ask(Ask(question="What is the secret plan?"))
    assert "secret plan" not in caplog.text
    assert "sk-secret" not in caplog.text


async def test_a_proxy_of_the_environment_is_not_used_towards_this_machine(ask_of, monkeypatch):
    monkeypatch.setenv("HTTP_PROXY", "http://127.0.0.1:9")
    monkeypatch.setenv("ALL_PROXY", "http://127.0.0.1:9")
    with ModelServer() as server:
        await ask_of(server.url).ask(Ask())
    assert server.requests == 1


def assert_a_line(error, server):
    """Check that a message is one line that names model and server and is fit for a person."""
    message = str(error)
    assert "\n" not in message
    assert "openai:test-model" in message
    assert len(message) < 500
    assert "Traceback" not in message
    assert "<html" not in message


PROBES = {
    None: (True, True, True),
    "html": (False, None, None),
    "wrong_key": (True, False, None),
    "no_credit": (True, False, None),
    "unknown_model": (True, True, False),
    "503": (True, True, True),
}


@pytest.mark.parametrize(("trouble", "found"), PROBES.items())
async def test_a_probe_tells_what_is_wrong(ask_of, waits, trouble, found):
    with ModelServer(troubles=lambda *_: trouble) as server:
        probe = await ask_of(server.url).probe()
    assert (probe.reachable, probe.admitted, probe.known) == found
    assert (probe.fault is None) == (trouble is None)
    assert "openai:test-model" in probe.line
    assert server.requests == 1


async def test_a_probe_of_a_model_that_takes_no_max_tokens(ask_of):
    with ModelServer(troubles=["no_max_tokens"]) as server:
        assert (await ask_of(server.url).probe()).known
    assert "max_completion_tokens" in server.asked[1].body


async def test_a_probe_of_nothing(ask_of, unused_tcp_port):
    probe = await ask_of(f"http://127.0.0.1:{unused_tcp_port}/v1").probe()
    assert not probe.reachable
    assert "nothing listens there" in probe.line
