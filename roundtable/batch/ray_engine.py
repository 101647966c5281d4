"""Sessions on a cluster of Ray: actors, several sessions in each. What a lost node ran goes on on another.

Ray places the actors and makes them anew elsewhere when their node is gone; a session that was cut off is
given again, and its journal knows how far it is. So nothing of a session is in Ray.
"""

import asyncio
import contextlib
import itertools
import logging
import os
import socket
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from models import Spent, install_command
from roundtable.batch.local_processes import ProcessLost
from roundtable.batch.session_job import JobResult, JobRunner, SessionJob
from roundtable.config.config import home
from roundtable.config.errors import InputError
from roundtable.config.home import SHARED, is_database, journal_place, shared_folder
from roundtable.session.factory import Runtime, load_stubs

_GLANCE = 1.0
"""Seconds between two looks at what a session has spent."""
_ENVIRONMENT = {
    "RAY_USAGE_STATS_ENABLED": "0",  # it tells its makers how it is used, else
    "RAY_raylet_start_wait_time_s": "600",  # a busy machine begins slowly
    "RAY_agent_register_timeout_ms": "600000",
}
_PATIENCE = 120.0
"""Seconds for an actor to be placed before it is told that the cluster has no room for it."""
_REACHED_SECONDS = 10.0
"""For one connection to a cluster before it is said that none is there: Ray itself tries for minutes."""
_OWN_PATIENCE = 600.0
"""The same where the cluster is this machine's own: it has room, and may be slow to begin."""


@contextlib.contextmanager
def _in_a_folder_of_ours() -> Iterator[None]:
    """Stand in an empty folder for a while, and name by whole paths what this process was told by others.

    Ray's processes look for modules, before anywhere else, in the folder that a cluster was joined from; and
    that may be a stranger's project, with a `roundtable` or a `json.py` of his in it.
    """
    ours = {"ROUNDTABLE_HOME": home(), SHARED: shared_folder(home())}
    os.environ.update({name: str(path) for name, path in ours.items() if os.environ.get(name, "").strip()})
    folder = home() / "ray"
    folder.mkdir(parents=True, exist_ok=True)
    with contextlib.chdir(folder):
        yield


class RaySessions:
    """An actor: sessions in a process of some node. Its methods run on one event loop."""

    def __init__(self) -> None:
        """Make what sessions run in, from the environment of the node."""
        load_stubs()
        self._runner = JobRunner(Runtime())
        self._spent: dict[str, Spent] = {}

    async def journal(self) -> str:
        """Return where this node keeps sessions."""
        return str(journal_place(home()))

    async def run(self, job: dict[str, Any]) -> dict[str, Any]:
        """Do a job."""
        session = job["session"]

        def hear(spent: Spent) -> None:
            self._spent[session] = spent

        try:
            result = await self._runner.run(SessionJob.model_validate(job), hear)
        finally:
            self._spent.pop(session, None)
        return result.model_dump(mode="json")

    async def spent(self, session: str) -> Spent | None:
        """Return what a session has used so far; None: nothing was told yet."""
        return self._spent.get(session)

    async def withdraw(self) -> None:
        """Take nothing back: what is given is begun."""

    async def stop(self) -> None:
        """Have all sessions close their tables and write their reports."""
        self._runner.stop()


class RayCluster:
    """So many actors on a cluster, each with so many sessions at once."""

    def __init__(self, actors: int | None, sessions: int, address: str | None) -> None:
        """Join a cluster, or begin one on this machine; actors are placed apart.

        Args:
            actors: None: one for each processor of the cluster.
            sessions: At once in each.
            address: Of the cluster (`auto`: the one that runs on this machine); None: one is begun.

        Raises:
            InputError: Ray is not installed, the cluster cannot be joined or has no room, or its nodes keep
                sessions elsewhere.
        """
        for name, value in _ENVIRONMENT.items():
            os.environ.setdefault(name, value)
        try:
            import ray
        except ImportError as failure:
            raise InputError(f"--on ray needs Ray ({failure}): {install_command('ray')}") from failure
        self._ray: Any = ray  # what it hands out is made at run time
        try:
            if address:
                _reach(address)
            own: dict[str, Any] = {} if address else {"include_dashboard": False}
            with _in_a_folder_of_ours():
                ray.init(address=address or "local", log_to_driver=False, logging_level=logging.ERROR, **own)
        except Exception as failure:  # Ray raises bare ones, too
            said = " ".join(str(failure).split())[:300]
            raise InputError(
                f"--address {address}: no cluster of Ray can be had: {said}"
                if address
                else f"--on ray: no cluster of Ray can be had: {said}"
            ) from failure
        self.actors = actors or max(1, int(self._ray.cluster_resources().get("CPU", 1)))
        self.sessions = sessions
        self._patience = _PATIENCE if address else _OWN_PATIENCE
        try:
            self._actors = self._placed()
            self._agree()
        except BaseException:
            ray.shutdown()
            raise
        self._jobs = dict.fromkeys(range(self.actors), 0)
        self._here = JobRunner(Runtime())

    def _placed(self) -> list[Any]:
        """Return actors, spread over the nodes; one whose node is lost is made anew where there is room."""
        from ray.util.scheduling_strategies import NodeAffinitySchedulingStrategy

        nodes = [each for each in self._ray.nodes() if each["Alive"] and each["Resources"].get("CPU")]
        where = itertools.cycle([NodeAffinitySchedulingStrategy(node["NodeID"], soft=True) for node in nodes])
        how = {"max_restarts": -1, "max_concurrency": self.sessions + 4}
        made = self._ray.remote(RaySessions)
        return [
            made.options(scheduling_strategy=place, **how).remote()
            for place in itertools.islice(where, self.actors)
        ]

    def _agree(self) -> None:
        """Refuse a cluster whose nodes run no Roundtable, or keep sessions elsewhere than this process."""
        from ray.exceptions import RayActorError

        ours = str(journal_place(home()))
        hosts = {node["NodeManagerHostname"] for node in self._ray.nodes() if node["Alive"]}
        if hosts != {socket.gethostname()} and not is_database(ours):
            raise InputError(
                "the nodes of a cluster reach sessions in PostgreSQL alone, and here they are in "
                f"{ours}: set ROUNDTABLE_DATABASE here and on every node"
            )
        asked = [actor.journal.remote() for actor in self._actors]
        done, waiting = self._ray.wait(asked, num_returns=len(asked), timeout=self._patience)
        if waiting:
            raise InputError(
                f"the cluster has room for {len(done)} of {len(asked)} processes: say so with --processes"
            )
        try:
            theirs = {*self._ray.get(done)}
        except RayActorError as failure:
            raise InputError(
                f"a node of the cluster cannot run Roundtable ({_last_words(failure)}): install it there, in "
                "the environment that Ray is started from"
            ) from failure
        if theirs != {ours}:
            raise InputError(
                "nodes of the cluster keep sessions elsewhere than this machine: start them with the same "
                "ROUNDTABLE_DATABASE, or on one machine with the same ROUNDTABLE_HOME"
            )

    @property
    def room(self) -> int:
        """How many sessions it runs at once."""
        return self.actors * self.sessions

    async def run(self, job: SessionJob, told: Callable[[Spent], None]) -> JobResult:
        """Do a job in the actor that has least to do.

        Raises:
            ProcessLost: the node or the process is gone; the session is where it was.
        """
        from ray.exceptions import RayActorError, RayTaskError

        number = min(self._jobs, key=lambda n: (self._jobs[n], n))
        actor = self._actors[number]
        self._jobs[number] += 1
        try:
            begun = actor.run.remote(job.model_dump(mode="json"))
            work: asyncio.Future[Any] = asyncio.wrap_future(begun.future())
            while not (await asyncio.wait([work], timeout=_GLANCE))[0]:
                with contextlib.suppress(TimeoutError):  # it computes: its loop answers later
                    asking = asyncio.wrap_future(actor.spent.remote(job.session).future())
                    if spent := await asyncio.wait_for(asking, _GLANCE):
                        told(spent)
            result = JobResult.model_validate(work.result())
        except (RayActorError, RayTaskError) as failure:
            await self._wait_for(actor)
            lines = str(failure).strip().splitlines()
            said = lines[0] if lines else repr(failure)
            raise ProcessLost(f"its process on the cluster is gone: {said}") from failure
        finally:
            self._jobs[number] -= 1
        if result.status == "ended" and not (Path(job.folder) / "report.md").exists():
            return await self._here.run(job)  # it was written on the disk of another machine
        return result

    async def _wait_for(self, actor: Any) -> None:
        """Return when Ray has made an actor anew, so that what is given to it next is not refused."""
        from ray.exceptions import RayActorError

        due = time.monotonic() + self._patience
        while time.monotonic() < due:
            with contextlib.suppress(RayActorError):
                await asyncio.wrap_future(actor.journal.remote().future())
                return
            await asyncio.sleep(_GLANCE)

    async def withdraw(self) -> None:
        """Take nothing back: what is given is begun."""

    async def stop(self) -> None:
        """Have all sessions close their tables and write their reports."""
        for actor in self._actors:
            actor.stop.remote()

    async def close(self) -> None:
        """Leave all sessions where they are, and the cluster."""
        for actor in self._actors:
            self._ray.kill(actor)
        self._ray.shutdown()


def _reach(address: str) -> None:
    """Connect once to an address `host:port`; others (`auto`, `local`, `ray://…`) are left to Ray.

    Raises:
        OSError, OverflowError: nothing answers there.
    """
    host, _, port = address.rpartition(":")
    if host and "/" not in host and port.isdecimal():
        socket.create_connection((host.strip("[]"), int(port)), _REACHED_SECONDS).close()


def _last_words(failure: Exception) -> str:
    """Return the last line of what went wrong on a node: its own error, below Ray's account of the way."""
    lines = str(failure).strip().splitlines()
    return " ".join(lines[-1].split())[:200] if lines else type(failure).__name__
