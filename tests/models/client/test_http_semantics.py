"""What a host's name and an answer's headers mean."""

import pytest

from models.client import is_loopback, retry_after


@pytest.mark.parametrize("host", ["localhost", "127.0.0.1", "127.8.9.1", "::1"])
def test_this_machine(host):
    assert is_loopback(host)


@pytest.mark.parametrize("host", ["127.example.org", "localhost.org", "10.0.0.1", "0.0.0.0", "::", ""])
def test_other_machines_whatever_they_call_themselves(host):
    assert not is_loopback(host)


def test_a_date_and_seconds_are_both_read():
    assert retry_after("Sun, 01 Mar 2026 12:00:30 GMT", 1772366400.0) == 30.0
    assert retry_after("Sun, 01 Mar 2026 11:00:00 GMT", 1772366400.0) == 0.0
    assert retry_after("2.5", 1772366400.0) == 2.5
    assert retry_after("soon", 1772366400.0) is None
