"""What is done after a fault: decisions alone, nothing is sent."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from models.client.error_classes import Fault
from models.client.retry_policy import RetryOptions, RetryPolicy
from models.errors import ModelUnavailable, ReplyUnusable

WAYS = ["retry", "plainer", "shorten", "refused", "rejected", "final"]
FAULTS = st.builds(
    Fault,
    way=st.sampled_from(WAYS),
    message=st.just("it is broken"),
    wait=st.none() | st.floats(0, 100),
    window=st.none() | st.integers(0, 10**6),
    culprit=st.sampled_from([None, "format", "limit", "temperature"]),
    broken=st.booleans(),
    about=st.sampled_from(["server", "key", "model", "request"]),
)


@given(FAULTS, st.booleans(), st.floats(0, 1), st.integers(0, 8))
def test_patience_ends_and_no_wait_is_longer_than_allowed(fault, answered, chance, retries):
    patience, manner, waited = RetryPolicy(retries, 60), RetryOptions(), 0.0
    for _ in range(retries + 12):
        try:
            step = patience.step(fault, manner, answered=answered, chance=chance)
        except (ModelUnavailable, ReplyUnusable):
            return
        assert 0 <= step.wait <= 60
        waited += step.wait
        manner = step.manner or manner
    pytest.fail("asks for ever")


@given(st.floats(0, 1))
def test_waits_grow_and_are_spread(chance):
    patience = RetryPolicy(5, 60)
    fault = Fault("retry", "busy")
    waits = [patience.step(fault, RetryOptions(), answered=True, chance=chance).wait for _ in range(5)]
    for n, wait in enumerate(waits):
        assert 0.375 * 2**n <= wait <= 0.625 * 2**n


def test_a_wait_is_never_shorter_than_the_server_asks():
    for chance in (0.0, 0.5, 1.0):
        fault = Fault("retry", "x", wait=3)
        step = RetryPolicy(5, 60).step(fault, RetryOptions(), answered=True, chance=chance)
        assert 3 <= step.wait < 3.31


def test_manners_get_plainer_one_by_one():
    manner, formats = RetryOptions(), []
    while manner:
        formats.append(manner.format)
        manner = manner.plainer("format")
    assert formats == ["schema", "object", "text"]
    assert RetryOptions().plainer("limit").limit == "max_completion_tokens"
    assert RetryOptions(limit="max_completion_tokens").plainer("limit").limit == "none"
    assert RetryOptions(limit="none").plainer("limit") is None
    assert RetryOptions().plainer("temperature") == RetryOptions(temperature=False)
    assert RetryOptions(temperature=False).plainer("temperature") is None


def test_the_servers_window_is_believed_once():
    patience = RetryPolicy(3, 60)
    fault = Fault("shorten", "too long", window=8192)
    windows = [patience.step(fault, RetryOptions(), answered=True, chance=0).window for _ in range(3)]
    assert windows == [8192, 0, 0]
    with pytest.raises(ReplyUnusable):
        patience.step(fault, RetryOptions(), answered=True, chance=0)


@pytest.mark.parametrize(
    ("fault", "answered", "error"),
    [
        (Fault("rejected", "x"), True, ReplyUnusable),
        (Fault("rejected", "x"), False, ModelUnavailable),
        (Fault("retry", "x", broken=True), True, ReplyUnusable),
        (Fault("retry", "x"), True, ModelUnavailable),
        (Fault("retry", "x"), False, ModelUnavailable),
        (Fault("refused", "x"), False, ReplyUnusable),
        (Fault("final", "x"), True, ModelUnavailable),
    ],
)
def test_a_model_that_has_answered_loses_one_task_and_not_the_session(fault, answered, error):
    with pytest.raises(error):
        RetryPolicy(0, 60).step(fault, RetryOptions(format="text"), answered=answered, chance=0)
