"""What a batch is: a folder, a name, and a session for each topic, whose id follows from both."""

import json
import re
import secrets
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any

from roundtable.batch.session_job import SessionJob
from roundtable.batch.topics_file import TopicRow
from roundtable.config.config import Settings, unresolved
from roundtable.config.errors import ConfigError, InputError, OutputError
from roundtable.output.outputs import MARKER, marked, slug

BATCH_MARKER = ".roundtable-batch"
"""Holds a batch's name: whose folder it is."""
_NAME = re.compile(r"[0-9A-Za-z][0-9A-Za-z_-]{0,39}")


@dataclass(frozen=True, slots=True)
class PlannedSession:
    """A topic's place in a batch."""

    row: TopicRow
    job: SessionJob
    settings: Settings
    state: str
    """A digest of its settings: two that differ were run differently."""


def claim_batch(folder: Path, name: str | None) -> tuple[Path, str]:
    """Make a folder a batch's own; return it, absolute, and the batch's name.

    Args:
        folder: Made if it is not there.
        name: None: the one that the folder has, else one that is drawn.

    Raises:
        InputError: the name cannot be one.
        OutputError: the folder cannot be written to, or is that of something else.
    """
    folder = folder.expanduser().absolute()
    if name is not None and not _NAME.fullmatch(name):
        raise InputError(f"--name {name!r}: give up to 40 letters of A to Z, digits, _ and -")
    marker = folder / BATCH_MARKER
    try:
        folder.mkdir(parents=True, exist_ok=True)
        if (held := marked(marker)) is not None:
            if name not in {None, held} or not _NAME.fullmatch(held):
                raise OutputError(
                    f"{folder} holds the batch {held!r}: choose another --out, or leave out --name"
                )
            return folder, held
        for theirs in (MARKER, "batch.jsonl", "batch.csv", "index.html"):
            if (folder / theirs).exists():
                raise OutputError(
                    f"{folder} holds the files of something else ({theirs}): choose another --out"
                )
        drawn = name or secrets.token_hex(3)
        marker.write_text(drawn + "\n", encoding="utf-8")
    except OSError as failure:
        raise OutputError(
            f"cannot write to {folder}: {failure.strerror or failure}; choose another --out"
        ) from failure
    return folder, drawn


def planned(
    rows: Sequence[TopicRow],
    name: str,
    folder: Path,
    settled: Callable[[Mapping[str, Any]], Settings],
    experts: Sequence[str] = (),
) -> list[PlannedSession]:
    """Return a session for each topic; the same batch, topic and settings of its own give the same id.

    Args:
        rows: The topics.
        name: Of the batch.
        folder: Of the batch.
        settled: Returns the settings in force for a row's own, with their places settled.
        experts: Files with AutoGen agents.

    Raises:
        ConfigError, InputError: a row's settings are wrong; the message names the line.
    """
    seen: Counter[str] = Counter()
    known: dict[str, tuple[Settings, Mapping[str, Any], str]] = {}
    plans = []
    for row in rows:
        own = json.dumps(row.settings, sort_keys=True)
        if own not in known:
            try:
                settings = settled(row.settings)
            except (ConfigError, InputError) as failure:
                lines = str(failure).splitlines()
                raise type(failure)(
                    "\n".join(f"{row.place}: {_unflagged(line)}" for line in lines)
                ) from failure
            values: Mapping[str, Any] = settings.model_dump(mode="json")
            state = sha256(json.dumps(unresolved(settings), sort_keys=True).encode()).hexdigest()[:12]
            known[own] = settings, values, state
        settings, values, state = known[own]
        key = json.dumps([row.name, row.topic, own])
        seen[key] += 1
        digest = sha256(f"{key}{seen[key]}".encode("utf-8", "surrogatepass")).hexdigest()[:10]
        job = SessionJob(
            session=f"{name}-{digest}", topic=row.topic, folder=str(folder / f"{slug(row.topic)}-{digest}"),
            settings=values, experts=tuple(experts),
        )  # fmt: skip
        plans.append(PlannedSession(row, job, settings, state))
    return plans


def _unflagged(line: str) -> str:
    """Return an error without where its value came from: the row's place says it."""
    return line.removeprefix("flag: ").removeprefix("--")
