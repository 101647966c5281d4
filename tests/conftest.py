"""What holds for every test: no network, no home folder, no keys."""

import ipaddress
import os
import socket
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, settings

from library.store.vector_cache import kept_meanings
from library.text.similarity.sentence_model import keep_vectors
from tests.postgres_server import PostgresServer, binaries
from tests.python_home import python_indexed

__all__ = ["python_indexed"]

# The same examples on every run, so that a failure in CI is a failure everywhere;
# `--hypothesis-profile=explore` looks for new ones.
settings.register_profile(
    "steady", max_examples=50, derandomize=True, deadline=None,
    suppress_health_check=[HealthCheck.too_slow], database=None,
)  # fmt: skip
settings.register_profile("explore", deadline=None, max_examples=500)
settings.load_profile("steady")

KEYS = ("API_KEY", "BASE_URL", "_HOST", "_PROXY", "_TOKEN")
OUR_OWN = ("ROUNDTABLE_FRESHWIKI", "ROUNDTABLE_FAULTS", "ROUNDTABLE_CRASH_EVERY")
"""Variables by which tests are given data that does not come with the project, or told to try more."""


def _module(item: pytest.Item) -> str:
    return item.nodeid.partition("::")[0]


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Deal whole modules to the processes of a run, those with slow tests first.

    Each process is given a run of the list as long as the others', and takes from the others at its end:
    what is left for then is short.
    """
    processes = int(os.environ.get("PYTEST_XDIST_WORKER_COUNT", "1"))
    modules: dict[str, list[pytest.Item]] = {}
    for item in items:
        modules.setdefault(_module(item), []).append(item)
    slow = {name for name, held in modules.items() if any(item.get_closest_marker("slow") for item in held)}
    hands: list[list[pytest.Item]] = [[] for _ in range(processes)]
    for n, name in enumerate(name for name in modules if name in slow):
        hands[n % processes] += modules[name]
    for name in modules:
        if name not in slow:
            min(hands, key=len).extend(modules[name])
    items[:] = [item for hand in hands for item in hand]


class NetworkUsed(RuntimeError):
    """A test tried to reach something outside."""


def _is_loopback(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def _judge(address: Any, *, loopback: bool) -> None:
    """Refuse an address of the internet; Unix sockets have a path and not a pair."""
    if not isinstance(address, tuple):
        return
    host = str(address[0])
    if not _is_loopback(host):
        raise NetworkUsed(f"a test tried to connect to {host}: tests have no network")
    if not loopback:
        raise NetworkUsed(f"a test tried to connect to {host} without the mark `loopback`")


@pytest.fixture(autouse=True)
def no_network(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Refuse every connection except over Unix sockets, and to this machine with the mark `loopback`.

    Names are not looked up either, except `localhost`. It covers this process alone: what a test starts is
    told to stay offline by its own flags.
    """
    loopback = request.node.get_closest_marker("loopback") is not None
    connect, connect_ex = socket.socket.connect, socket.socket.connect_ex
    sendto, resolve = socket.socket.sendto, socket.getaddrinfo

    def guarded_connect(self: socket.socket, address: Any) -> None:
        _judge(address, loopback=loopback)
        connect(self, address)

    def guarded_connect_ex(self: socket.socket, address: Any) -> int:
        _judge(address, loopback=loopback)
        return connect_ex(self, address)

    def guarded_sendto(self: socket.socket, data: bytes, *rest: Any) -> int:
        _judge(rest[-1], loopback=loopback)
        return sendto(self, data, *rest)

    def guarded_resolve(host: Any, *rest: Any, **named: Any) -> Any:
        name = host.decode() if isinstance(host, bytes) else str(host or "localhost")
        if name != "localhost" and not _is_address(name):
            raise NetworkUsed(f"a test tried to look up {name}: tests have no network")
        return resolve(host, *rest, **named)

    monkeypatch.setattr(socket.socket, "connect", guarded_connect)
    monkeypatch.setattr(socket.socket, "connect_ex", guarded_connect_ex)
    monkeypatch.setattr(socket.socket, "sendto", guarded_sendto)
    monkeypatch.setattr(socket, "getaddrinfo", guarded_resolve)


def _is_address(host: str) -> bool:
    try:
        ipaddress.ip_address(host.partition("%")[0])
    except ValueError:
        return False
    return True


@pytest.fixture(scope="session", autouse=True)
def meanings(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A file for what texts mean, shared by all tests and what they start: most read the same texts."""
    base = tmp_path_factory.getbasetemp()
    file = (base.parent if "PYTEST_XDIST_WORKER" in os.environ else base) / "meanings.sqlite"
    with pytest.MonkeyPatch.context() as environment:
        # What is begun for several tests comes before any test's own environment.
        environment.setenv("ROUNDTABLE_MEANINGS", str(file))
        yield file


@pytest.fixture(autouse=True)
def clean_environment(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, meanings: Path) -> Path:
    """Give each test an empty home and an environment without keys; return the home."""
    for name in list(os.environ):
        ours = name.startswith("ROUNDTABLE_") and name not in OUR_OWN
        if ours or name.upper().endswith(KEYS) or name in {"XDG_DATA_HOME", "XDG_CACHE_HOME", "NO_COLOR"}:
            monkeypatch.delenv(name)
    home = tmp_path / "home"
    home.mkdir()
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.setenv("ROUNDTABLE_HOME", str(home / "roundtable"))
    monkeypatch.setenv("ROUNDTABLE_MEANINGS", str(meanings))
    keep_vectors(kept_meanings(home))
    return home


@pytest.fixture
def home(clean_environment: Path) -> Path:
    """The test's own home folder."""
    return clean_environment


@pytest.fixture(scope="session")
def postgres() -> Iterator[PostgresServer]:
    """A PostgreSQL server of this run's own."""
    if binaries() is None:
        pytest.skip("PostgreSQL is not installed (Debian: postgresql)")
    with PostgresServer.running() as server:
        yield server
