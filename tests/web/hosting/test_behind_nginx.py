"""Two servers behind nginx, two workers, one PostgreSQL: one of each is killed, and nobody misses a thing."""

from pathlib import Path

import pytest

from benchmarks.load.team import NGINX, Team, measure
from tests.postgres_server import PostgresServer

pytestmark = [pytest.mark.loopback, pytest.mark.slow, pytest.mark.timeout(1500)]


def test_who_follows_through_a_proxy_sees_all_of_every_session_whichever_server_and_worker_dies(
    tmp_path: Path, postgres: PostgresServer
) -> None:
    if not Path(NGINX).exists():
        pytest.skip("nginx is not installed (Debian: nginx)")
    team = Team(documents=2, turns=1)
    found = measure(tmp_path, postgres.database(), NGINX, team)
    assert found["ended"] == found["once"] == team.sessions == 8
    assert found["whole"] == team.followers == 40, "a stream has a gap, or something twice"
    assert found["reconnects"], "nobody was cut off: the killed server had no stream"
