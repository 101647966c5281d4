"""A real PostgreSQL server for tests, on a Unix socket in a folder of its own."""

import contextlib
import os
import pwd
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from functools import cache
from itertools import count
from pathlib import Path

_NUMBERS = count(1)


@cache
def binaries() -> Path | None:
    """Return the folder of PostgreSQL's programs, None where it is not installed."""
    if found := shutil.which("initdb"):
        return Path(found).resolve().parent
    folders = sorted(Path("/usr/lib/postgresql").glob("*/bin"))
    return folders[-1] if folders else None


class PostgresServer:
    """One server, with as many databases as are asked for."""

    def __init__(self, folder: Path, user: str) -> None:
        self._folder, self._user = folder, user

    def _run(self, program: str, *words: str | Path) -> None:
        found = binaries()
        assert found is not None
        done = subprocess.run(
            [found / program, *map(str, words)], user=self._user if os.geteuid() == 0 else None,
            env={"PATH": os.environ["PATH"], "LC_ALL": "C.UTF-8"}, cwd=self._folder, timeout=300, check=False,
            stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
        )  # fmt: skip
        assert done.returncode == 0, f"{program}: {done.stderr.decode()}"

    def start(self) -> None:
        """Begin it, on its socket alone."""
        # What was written stays in the machine's memory, which goes on: with fsync the server would bring
        # thousands of files to the disk after each end before it lets anybody in.
        options = f"-k {self._folder} -c listen_addresses='' -c max_connections=60 -c fsync=off"
        self._run(
            "pg_ctl", "-D", self._folder / "data", "-l", self._folder / "log", "-w", "-o", options, "start"
        )

    def stop(self) -> None:
        """End it at once, as a machine does that loses its power."""
        self._run("pg_ctl", "-D", self._folder / "data", "-m", "immediate", "-w", "stop")

    def database(self) -> str:
        """Return the address of a new, empty database."""
        name = f"roundtable{next(_NUMBERS)}"
        self._run("createdb", "-h", self._folder, "-U", self._user, name)
        return f"postgresql:///{name}?host={self._folder}&user={self._user}"

    @classmethod
    @contextlib.contextmanager
    def running(cls) -> Iterator["PostgresServer"]:
        """Make a server, and take it away again."""
        me = pwd.getpwuid(os.geteuid()).pw_name
        user = "postgres" if os.geteuid() == 0 else me  # it refuses to run as root
        folder = Path(tempfile.mkdtemp(prefix="roundtable-postgres-"))
        if user != me:
            shutil.chown(folder, user)
        server = cls(folder, user)
        try:
            server._run("initdb", "-D", folder / "data", "-A", "trust", "-U", user, "--no-sync", "-E", "UTF8")
            server.start()
            try:
                yield server
            finally:
                with contextlib.suppress(AssertionError):  # a test has ended it
                    server.stop()
        finally:
            shutil.rmtree(folder, ignore_errors=True)
