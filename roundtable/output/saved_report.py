"""A report from its files: what `report.json` and `sources.json` of a folder hold, as report and evidence."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from library import Evidence, Passage, ReadError, Source, Store
from library.readers import text_beside
from reports import Report
from roundtable.config.errors import InputError
from roundtable.config.search_places import STORE

_LARGEST = 200_000_000
"""Bytes of either file."""
_LONGEST = 50_000_000
"""Characters of all texts, by where their passages end: a few words can claim any place."""


def read_saved(folder: Path, home: Path) -> tuple[Report, Evidence]:
    """Return the report and the evidence of a folder that `run` or `export` wrote.

    The archived texts are looked up in the store; where it does not hold one, the passages are taken as the
    folder has them.

    Raises:
        InputError: the files are not there, or are not what `run` writes.
    """
    report, sources = _json(folder / "report.json"), _json(folder / "sources.json")
    try:
        # The checker's own figures are counted again.
        return Report.model_validate(report), _evidence(sources, home)
    except (ValidationError, KeyError, TypeError, ValueError, OverflowError, AttributeError) as failure:
        why = " ".join(str(failure).split())[:200]
        raise InputError(f"{folder}: report.json or sources.json is not as written: {why}") from failure


def _json(path: Path) -> Any:
    try:
        return json.loads(text_beside(path, _LARGEST))
    except ReadError as failure:
        raise InputError(
            f"cannot read {path}: {failure}; name a session, or the folder of one with a report"
        ) from failure
    except (ValueError, RecursionError) as failure:
        raise InputError(f"{path} is not JSON: {failure}") from failure


def _evidence(saved: Mapping[str, Any], home: Path) -> Evidence:
    evidence = Evidence()
    known = _archived([str(item["sha256"]) for item in saved["sources"]], home)
    room = _LONGEST
    for item in saved["sources"]:
        source = known.get(item["sha256"])
        if source is None:
            source = _rebuilt(item, room)
            room -= len(source.text)
        evidence.sources[source.sha256] = source
        for passage in item["passages"]:
            evidence.passages[passage["id"]] = Passage(
                source.sha256, int(passage["start"]), int(passage["end"]), str(passage["text"]), source.url,
                source.title, source.published, id=str(passage["id"]),
            )  # fmt: skip
    return evidence


def _archived(hashes: list[str], home: Path) -> dict[str, Source]:
    if not (home / STORE).exists():
        return {}
    with Store(home / STORE) as store:
        return {sha: source for sha in hashes if (source := store.source(sha)) is not None}


def _rebuilt(item: Mapping[str, Any], room: int) -> Source:
    """Return a source whose text is known only where passages stand; it has at most `room` characters."""
    passages = sorted(item["passages"], key=lambda passage: int(passage["start"]))
    length = max((int(passage["end"]) for passage in passages), default=0)
    if length > room:
        raise ValueError(f"no texts are so long together that a passage could end at {length}")
    text, reached = [], 0
    for passage in passages:
        start, end, words = int(passage["start"]), int(passage["end"]), str(passage["text"])
        if not 0 <= start < end or end - start != len(words):
            raise ValueError(f"the offsets of {passage['id']} do not fit its text")
        text += [" " * (start - reached), words[max(0, reached - start) :]]
        reached = max(reached, end)
    return Source(
        str(item["sha256"]), str(item["url"]), str(item["title"]), "".join(text), item.get("author"),
        item.get("published"), item.get("retrieved") or "",
    )  # fmt: skip
