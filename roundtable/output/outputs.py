"""What a session leaves behind: its files, written whole or not at all, in a folder that is its own."""

import json
import os
import re
import tempfile
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from agents import Turn
from library import SESSION_MARKER, ReadError
from library.readers import text_beside
from models import Usage
from roundtable.config.errors import OutputError
from roundtable.journal.fold.state import State
from roundtable.journal.storage.session_row import checked_id
from roundtable.output.clean import clean

MARKER = SESSION_MARKER
"""Holds the session's id: whose files these are."""
_LONGEST_MARKER = 1_000
"""Bytes."""
FILES = (
    "report.md",
    "report.json",
    "mindmap.json",
    "mindmap.md",
    "sources.json",
    "transcript.md",
    "transcript.jsonl",
    "usage.json",
)


def slug(topic: str, most: int = 40) -> str:
    """Return a topic as part of a folder's name: letters and digits of any script, joined by `-`.

    Of sequences for a terminal nothing stays: `31m` would be a word.
    """
    words = re.findall(r"[^\W_]+", unicodedata.normalize("NFC", clean(topic)).casefold())
    name = ""
    for word in words:
        longer = f"{name}-{word}" if name else word
        if len(longer) > most:
            break
        name = longer
    return name or (words[0][:most] if words else "topic")


def default_folder(topic: str, session_id: str) -> Path:
    """Return where a session's files go when nobody says: `roundtable-out/SLUG-ID`, from here.

    Raises JournalError where its id is no plain name.
    """
    return Path.cwd() / "roundtable-out" / f"{slug(topic)}-{checked_id(session_id)}"


def claim_folder(
    folder: Path,
    session_id: str,
    *,
    force: bool = False,
    nothing_came_of: Callable[[str], bool] = lambda _identity: False,
) -> Path:
    """Make a folder this session's own, or refuse before anything is spent; return it, absolute.

    Args:
        folder: Made if it is not there. Files of other names in it are left alone.
        session_id: Whose files will be written there.
        force: Take it also from another session.
        nothing_came_of: Tells of another session's id whether it may be taken from that one all the same.

    Raises:
        OutputError: it cannot be written to, or holds files that another session wrote.
    """
    folder = folder.expanduser().absolute()
    try:
        folder.mkdir(parents=True, exist_ok=True)
        owner = marked(folder / MARKER)
        if owner != session_id and not force and not (owner and nothing_came_of(owner)):
            _refuse_others(folder, owner)
        write_whole(folder / MARKER, session_id + "\n")
    except OSError as failure:
        raise OutputError(
            f"cannot write to {folder}: {failure.strerror or failure}; choose another --out"
        ) from failure
    return folder


def marked(marker: Path) -> str | None:
    """Return the name in a folder's marker: empty where it cannot be read, None where there is none."""
    if not os.path.lexists(marker):
        return None
    try:
        return text_beside(marker, _LONGEST_MARKER).strip()
    except ReadError:
        return ""


def _refuse_others(folder: Path, owner: str | None) -> None:
    there = [name for name in (*FILES, MARKER) if os.path.lexists(folder / name)]
    if there:
        whose = f"session {owner}" if owner else f"somebody else ({there[0]} is there)"
        raise OutputError(f"{folder} holds the files of {whose}: choose another --out, or add --force")


def write_outputs(state: State, folder: Path) -> list[Path]:
    """Write a session's files as it stands; the report's two only when there is a report.

    Each file is written beside its place and then moved there, so that none is ever half there. Files of an
    earlier state for which there is nothing any more are removed.

    Raises:
        OutputError: the folder cannot be written to, or the disk is full.
    """
    written = []
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for name, text in {**output_texts(state), **_pictured(state, folder)}.items():
            if text is None:
                (folder / name).unlink(missing_ok=True)
            else:
                write_whole(folder / name, text)
                written.append(folder / name)
    except OSError as failure:
        raise OutputError(
            f"cannot write to {folder}: {failure.strerror or failure}; the session is kept: "
            "write its files elsewhere with `roundtable export`"
        ) from failure
    return written


def _pictured(state: State, folder: Path) -> Mapping[str, str | None]:
    """Return the charts as files beside the report, which shows them; None for those of an earlier one."""
    from reports import export_report

    drawn = state.report is not None and any(section.charts for section in state.report.sections)
    earlier = [path.name for path in folder.glob("report-chart-*.svg")]
    if state.report is None or not drawn:
        return dict.fromkeys(earlier)
    made = export_report("md", state.report, state.evidence, stem="report")
    pictures = {name: picture.decode() for name, picture in made.beside.items()}
    return {**dict.fromkeys(earlier), **pictures, "report.md": made.data.decode()}


def output_texts(state: State) -> Mapping[str, str | None]:
    """Return the text of each file of `FILES`; None for one that there is nothing for."""
    from mindmap.export import mindmap_json, mindmap_markdown
    from reports import report_json, report_markdown, sources_json
    from roundtable.output.transcript import transcript_markdown

    report = state.report
    return {
        "sources.json": sources_json(state.evidence),
        "mindmap.json": mindmap_json(state.map),
        "mindmap.md": mindmap_markdown(state.map, state.evidence.labels()),
        "transcript.md": transcript_markdown(state),
        "transcript.jsonl": "".join(
            json.dumps(turn_values(t), ensure_ascii=False) + "\n" for t in state.turns
        ),
        "usage.json": json.dumps(usage_values(state), ensure_ascii=False, indent=2) + "\n",
        "report.json": report_json(report) if report else None,
        "report.md": report_markdown(report, state.evidence) if report else None,
    }


def write_file(path: Path, data: bytes) -> Path:
    """Write one more file, whole or not at all. Raises OutputError when it cannot be written."""
    try:
        write_whole(path, data)
    except OSError as failure:
        raise OutputError(f"cannot write {path}: {failure.strerror or failure}") from failure
    return path


def write_whole(path: Path, content: str | bytes) -> None:
    """Write a file beside its place, then move it there."""
    # Lone surrogates, which JSON in web pages can smuggle in, cannot be written as UTF-8.
    data = content.encode("utf-8", errors="replace") if isinstance(content, str) else content
    handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        Path(temporary).chmod(0o666 & ~_umask())
        Path(temporary).replace(path)
    except BaseException:
        Path(temporary).unlink(missing_ok=True)
        raise


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask


def turn_values(turn: Turn) -> dict[str, Any]:
    """Return a turn as a line of `transcript.jsonl` holds it."""
    return {
        "n": turn.n,
        "speaker": turn.speaker,
        "role": turn.role,
        **({"person": turn.person} if turn.person else {}),
        "act": turn.act,
        "text": turn.text,
        "citations": turn.citations,
        "replies_to": turn.replies_to.model_dump() if turn.replies_to else None,
        **({"age": turn.age} if turn.age else {}),
        **({"withdrawn": list(turn.withdrawn)} if turn.withdrawn else {}),
        "at": turn.at,
        "seconds": turn.seconds,
    }


def usage_values(state: State) -> dict[str, Any]:
    """Return what a session used, as `usage.json` holds it, with the report's own figures."""
    return {
        **summed([cost.usage for cost in state.usage]),
        "searches": len(state.work.searches),
        "cached_searches": sum(search.cached for search in state.work.searches.values()),
        "pages": len(state.work.pages),
        "seconds": round(state.time.worked, 3),
        "models": sorted({cost.usage.model for cost in state.usage}),
        "by_task": _grouped(state, lambda cost: str(cost.task)),
        "by_speaker": _by_speaker(state),
        "report": state.report.summary.model_dump() if state.report else None,
    }


def summed(usages: list[Usage]) -> dict[str, Any]:
    """Return what several requests used together; `cost` is None where the price of one is not known."""
    asked = [usage for usage in usages if usage.requests]
    known = all(usage.cost is not None for usage in asked)
    prompt, completion = (sum(getattr(u, f"{k}_tokens") for u in usages) for k in ("prompt", "completion"))
    return {
        "requests": sum(usage.requests for usage in usages),
        "cached_replies": sum(usage.cached for usage in usages),
        "tokens": prompt + completion,
        "prompt_tokens": prompt,
        "completion_tokens": completion,
        "cost": round(sum((usage.cost or 0.0 for usage in asked), 0.0), 6) if known else None,
        "model_seconds": round(sum(usage.seconds for usage in usages), 3),
    }


def _grouped(state: State, key: Callable[[Any], str]) -> dict[str, dict[str, Any]]:
    groups: defaultdict[str, list[Usage]] = defaultdict(list)
    for cost in state.usage:
        groups[key(cost)].append(cost.usage)
    return {name: {"tasks": len(groups[name]), **summed(groups[name])} for name in sorted(groups)}


def _by_speaker(state: State) -> dict[str, dict[str, Any]]:
    searches = Counter(search.speaker for search in state.work.searches.values())
    pages = Counter(page.speaker for page in state.work.pages.values())
    spoken: defaultdict[str, float] = defaultdict(float)
    for turn in state.turns:
        spoken[turn.speaker] += turn.seconds
    models = _grouped(state, lambda cost: str(cost.speaker))
    names = sorted({*models, *searches, *pages, *spoken})
    nothing: dict[str, Any] = {"tasks": 0, **summed([])}
    return {
        name: {
            **models.get(name, nothing),
            "models": sorted({cost.usage.model for cost in state.usage if cost.speaker == name}),
            "searches": searches[name],
            "pages": pages[name],
            "seconds": round(spoken[name], 3),
        }
        for name in names
    }
