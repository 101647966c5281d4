"""Computing with AutoGen's executors: the code path with its local one, and what is said without Docker."""

import re
import socket
import sys
from pathlib import Path

import pytest
from autogen_ext.code_executors.local import LocalCommandLineCodeExecutor

from library.compute.docker import ExecutorSandbox, docker_sandbox
from library.compute.monty import ComputeError, ComputeSettings
from models import install_command
from roundtable.config.config import load_settings
from roundtable.session.context.services import open_services

pytestmark = pytest.mark.filterwarnings("ignore:Using LocalCommandLineCodeExecutor")


def nobody() -> str:
    """Return an address at which nobody answers."""
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        return f"tcp://127.0.0.1:{taken.getsockname()[1]}"


def sandbox(seconds: float = 20) -> ExecutorSandbox:
    def make(folder: Path) -> LocalCommandLineCodeExecutor:
        return LocalCommandLineCodeExecutor(timeout=max(1, round(seconds)), work_dir=folder)

    return ExecutorSandbox(make, ComputeSettings(seconds=seconds))


async def test_the_value_of_the_last_line_and_what_was_printed_are_told_apart() -> None:
    result = await sandbox().run("print('first')\nshare = 41 / 100\nround(share * 300)")
    assert (result.value, result.printed) == ("123", "first")


async def test_printing_alone_is_a_result_and_silence_is_none() -> None:
    assert (await sandbox().run("print(2 + 2)")).printed == "4"
    with pytest.raises(ComputeError, match="there is no result"):
        await sandbox().run("x = 1")


@pytest.mark.parametrize(
    ("code", "said"),
    [("1 / 0", "ZeroDivisionError"), ("(", "never closed"), (f"0x{'f' * 4000}", "Exceeds the limit")],
)
async def test_what_fails_says_why_in_one_line(code: str, said: str) -> None:
    with pytest.raises(ComputeError, match=said) as failure:
        await sandbox().run(code)
    assert "\n" not in str(failure.value)


async def test_endless_code_is_ended() -> None:
    with pytest.raises(ComputeError):
        await sandbox(seconds=1).run("while True: pass")


@pytest.mark.loopback
def test_docker_that_cannot_be_reached_is_a_clear_error(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("docker")
    monkeypatch.setenv("DOCKER_HOST", nobody())
    with pytest.raises(ComputeError, match=r"Docker cannot be reached .*start Docker, or unset"):
        docker_sandbox(ComputeSettings(docker="python:3.12-slim"))


def test_without_its_package_docker_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "docker", None)
    with pytest.raises(ComputeError, match=re.escape(install_command("docker"))):
        docker_sandbox(ComputeSettings(docker="python:3.12-slim"))


@pytest.mark.loopback
def test_docker_is_off_by_default_and_a_session_goes_on_without_it(monkeypatch: pytest.MonkeyPatch) -> None:
    assert ComputeSettings().docker is None
    monkeypatch.setenv("DOCKER_HOST", nobody())
    wanted = {"library": {"compute": {"docker": "python:3.12-slim"}}}
    services, warnings = open_services(load_settings(wanted, environment={}), {})
    assert services.sandbox is None
    assert [w.partition(":")[0] for w in warnings] == ["nothing is computed"]
