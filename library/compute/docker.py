"""Computing with one of AutoGen's code executors, for instance in a Docker container.

Off unless an image is set (`library.compute.docker`). What holds there is what the container allows: Docker's
usual container has a file system of its own and a network, and an image's clock and chance are real, so that
the same code may give another result. The closed interpreter (`library.compute.monty`) stays the default.
"""

import ast
import asyncio
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from library.compute.monty import LONGEST_RESULT, ComputeError, ComputeSettings, Result
from models import install_command

if TYPE_CHECKING:
    from autogen_core.code_executor import CodeExecutor

_MARK = "----- value of the last line -----"
_MISSING = "computing in Docker needs packages that are not installed"


class ExecutorSandbox:
    """Runs Python in an executor that is started for each computation and stopped after it."""

    def __init__(self, make: Callable[[Path], "CodeExecutor"], settings: ComputeSettings) -> None:
        """Take an executor.

        Args:
            make: Makes one that works in a folder.
            settings: `seconds` bounds a computation; its start and end come on top.
        """
        self._make = make
        self._seconds = settings.seconds

    async def run(self, code: str) -> Result:
        """Run code; see `library.compute.monty.Sandbox`."""
        from autogen_core import CancellationToken
        from autogen_core.code_executor import CodeBlock

        block = CodeBlock(code=_telling(code), language="python")
        token = CancellationToken()
        with tempfile.TemporaryDirectory(prefix="roundtable-") as folder:
            try:
                executor = self._make(Path(folder))
                await executor.start()
                try:
                    async with asyncio.timeout(self._seconds + 5):
                        done = await executor.execute_code_blocks([block], token)
                finally:
                    await executor.stop()
            except TimeoutError as error:
                token.cancel()
                raise ComputeError(f"it took longer than {self._seconds:g} s") from error
            except (RuntimeError, ValueError, OSError) as error:
                raise ComputeError(_line(str(error)) or type(error).__name__) from error
        if done.exit_code != 0:
            raise ComputeError(
                _line(done.output.strip().rpartition("\n")[2]) or f"exit code {done.exit_code}"
            )
        return _result(done.output)


def docker_sandbox(settings: ComputeSettings) -> ExecutorSandbox:
    """Return a sandbox in containers of the image that is set.

    Raises:
        ComputeError: what it needs is not installed, or Docker cannot be reached.
    """
    try:
        import docker  # type: ignore[import-untyped]
        from autogen_ext.code_executors.docker import DockerCommandLineCodeExecutor
    except (ImportError, RuntimeError) as error:
        raise ComputeError(f"{_MISSING}: {install_command('docker')}") from error
    try:
        docker.from_env(timeout=5).ping()
    except docker.errors.DockerException as error:
        mend = "start Docker, or unset library.compute.docker"
        raise ComputeError(f"Docker cannot be reached ({_line(str(error))[:120]}): {mend}") from error
    image, seconds = str(settings.docker), max(1, round(settings.seconds))

    def make(folder: Path) -> "CodeExecutor":
        return DockerCommandLineCodeExecutor(
            image, timeout=seconds, work_dir=folder, auto_remove=True, stop_container=True
        )

    return ExecutorSandbox(make, settings)


def _telling(code: str) -> str:
    """Return the code with the value of its last line printed behind a mark. Raises ComputeError.

    What can be parsed cannot always be written again: a long number in hexadecimal, a chain of powers.
    """
    try:
        return ast.unparse(_with_mark(ast.parse(code)))
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        raise ComputeError(_line(str(error)) or type(error).__name__) from error


def _with_mark(tree: ast.Module) -> ast.Module:
    if tree.body and isinstance(tree.body[-1], ast.Expr):
        shown = ast.parse(f"__value = 0\nif __value is not None:\n    print({_MARK!r}, __value, sep='\\n')")
        assign, tell = shown.body
        assert isinstance(assign, ast.Assign)
        assign.value = tree.body[-1].value
        tree.body[-1:] = [assign, tell]
    return ast.fix_missing_locations(tree)


def _result(output: str) -> Result:
    printed, _, value = output.rpartition(f"{_MARK}\n") if _MARK in output else (output, "", "")
    result = Result(value.strip()[:LONGEST_RESULT], printed.strip()[:LONGEST_RESULT])
    if not (result.value or result.printed):
        raise ComputeError("there is no result: the last line must be the value, or print it")
    return result


def _line(text: str) -> str:
    return " ".join(text.split())[:300]
