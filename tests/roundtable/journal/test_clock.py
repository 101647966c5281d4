from datetime import UTC, datetime, timedelta, timezone

import pytest

from roundtable.journal.clock import SteppingClock, SystemClock, timestamp


def test_the_system_clock_is_aware_and_runs_forward():
    clock = SystemClock()
    assert clock.now().tzinfo is UTC
    assert clock.monotonic() <= clock.monotonic()


def test_a_stepping_clock_gives_the_same_times_again():
    start = datetime(2026, 1, 1, tzinfo=UTC)
    looks = [
        [clock.now(), clock.monotonic(), clock.now()]
        for clock in (SteppingClock(start), SteppingClock(start))
    ]
    assert looks[0] == looks[1] == [start, 1.0, start + timedelta(seconds=2)]


def test_a_stepping_clock_refuses_a_naive_start():
    with pytest.raises(ValueError, match="time zone"):
        SteppingClock(datetime(2026, 1, 1))  # noqa: DTZ001


def test_timestamps_are_in_utc_to_the_millisecond():
    moment = datetime(2026, 1, 1, 13, 0, 0, 7000, tzinfo=timezone(timedelta(hours=1)))
    assert timestamp(moment) == "2026-01-01T12:00:00.007Z"
    assert datetime.fromisoformat(timestamp(moment)) == moment
