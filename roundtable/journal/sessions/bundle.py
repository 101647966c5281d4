"""A session in one file: its journal and the texts that it speaks of, for another machine.

A zip archive with three members: `bundle.json` says what it is and holds the digests of the others,
`events.jsonl` has an event a line as the journal keeps it, `sources.jsonl` a source a line. What comes out
is checked before anything is kept: digests, the texts' own hashes, every event's form, and that no text is
missing. A digest shows damage; it does not show who made a bundle. Which of several people said something is
nothing for strangers: their names are left out, and none is taken in, which would be of somebody here.
"""

import io
import json
import os
import re
import tempfile
import zipfile
import zlib
from collections.abc import Iterator, Sequence
from dataclasses import replace
from hashlib import sha256
from pathlib import Path

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from agents import AgentsInvited
from library import COMPUTATION, PageRead, Searched, Source, Store, fingerprint
from library.store import IMPORTED
from roundtable.config.config import Settings
from roundtable.config.errors import InputError, OutputError
from roundtable.config.search_places import PYTHON, STORE
from roundtable.journal.events import CommandDone, PlanChanged, Recorded, SessionStarted
from roundtable.journal.sessions.fork import started_anew
from roundtable.journal.sessions.imported import differing, settings_here, unheard, unsigned
from roundtable.journal.storage.brought_texts import store_with
from roundtable.journal.storage.journal_store import Journal
from roundtable.journal.storage.named_texts import read_source, source_line, texts_of
from roundtable.journal.storage.upcast import EventUnreadable, current_format, read_event

FORMAT = "roundtable-bundle"
VERSION = 2
"""Of the archive. In the first, `bundle.json` did not say which format the events have: it is 1."""
_MEMBERS = ("events.jsonl", "sources.jsonl")
_LONGEST = 500_000_000
"""Bytes that one member may unpack to."""
_SMALL, _STEEPEST = 10_000_000, 100
"""Bytes that any bundle may unpack to, and times its size that a larger one may: texts take five times."""


class _About(BaseModel):
    model_config = ConfigDict(extra="ignore")

    format: str
    version: int
    session: str
    name: str = Field(default="", max_length=4000)
    """What it is called in lists; empty: its topic."""
    events: int = 1
    """The format that all events are written in; see `upcast`."""
    digests: dict[str, str]


def write_bundle(
    session_id: str, events: Sequence[Recorded], home: Path, file: Path, name: str = ""
) -> list[Source]:
    """Write a session to a file; return the private documents whose texts are in there.

    Args:
        session_id: The session's.
        events: All of its events.
        home: Where its texts are kept.
        file: Where it is written to.
        name: What it is called in lists; empty: its topic.

    Raises:
        StoreError: a text is not in the store.
        OutputError: the file cannot be written.
    """
    with store_with(events, home) as store:
        sources = [_from(store, digest) for digest in texts_of(events)]
    members = {
        "events.jsonl": "".join(unsigned(item).model_dump_json() + "\n" for item in events),
        "sources.jsonl": "".join(source_line(source) + "\n" for source in sources),
    }
    packed = {name: text.encode("utf-8", "surrogatepass") for name, text in members.items()}
    digests = {name: sha256(data).hexdigest() for name, data in packed.items()}
    about = _About(
        format=FORMAT, version=VERSION, session=session_id, name=name, events=current_format(),
        digests=digests,
    )  # fmt: skip
    _write(file, {"bundle.json": about.model_dump_json(indent=2).encode(), **packed})
    return [source for source in sources if source.private]


def _from(store: Store, digest: str) -> Source:
    from library import StoreError

    source = store.source(digest)
    if source is None:
        raise StoreError(f"{store.path}: the text {digest[:12]} is not in the store")
    return source


def _write(file: Path, members: dict[str, bytes]) -> None:
    """Write an archive beside its place, then move it there; the same members give the same bytes."""
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        handle, name = tempfile.mkstemp(dir=file.parent, prefix=f".{file.name}.")
        try:
            with os.fdopen(handle, "wb") as raw, zipfile.ZipFile(raw, "w", zipfile.ZIP_DEFLATED) as archive:
                for member, data in members.items():
                    archive.writestr(
                        zipfile.ZipInfo(member, (1980, 1, 1, 0, 0, 0)), data, zipfile.ZIP_DEFLATED
                    )
            Path(name).replace(file)
        except BaseException:
            Path(name).unlink(missing_ok=True)
            raise
    except OSError as failure:
        raise OutputError(f"cannot write {file}: {failure.strerror or failure}") from failure


def take_in(file: Path, journal: Journal, home: Path, here: Settings) -> tuple[str, SessionStarted]:
    """Take a session from a file into the journal and the store; return its id and how it begins.

    What it brings is data: servers, models, paths, places and budgets are this machine's (`imported.py`), and
    what a person had asked for there and was not carried out is not carried out here.

    Args:
        file: The bundle.
        journal: Where it is kept.
        home: Where its texts are kept.
        here: This machine's settings.

    Raises:
        InputError: the file is no bundle, is damaged, or was written by a newer program.
        JournalError: there is such a session already; nothing is changed.
        StoreError: the texts cannot be kept.
    """
    about, members = _read(file)
    events = [_event(line, about.events, file) for line in _lines(members["events.jsonl"])]
    sources = [_source(line, file) for line in _lines(members["sources.jsonl"])]
    held = {source.sha256 for source in sources}
    if not events or not isinstance(events[0].event, SessionStarted):
        raise InputError(f"{file}: it holds no session's beginning")
    if missing := [digest for digest in texts_of(events) if digest not in held]:
        raise InputError(f"{file}: {len(missing)} texts are missing that the session speaks of")
    if not re.fullmatch(r"[0-9A-Za-z_-]{1,64}", about.session):
        raise InputError(f"{file}: {about.session[:70]!r} is no session's id")
    if any(row.id == about.session for row in journal.sessions()):
        raise InputError(f"there is a session {about.session} already; nothing was taken in")
    with Store(home / STORE) as store:
        with store.writing():
            for source in sources:  # whoever made the bundle does not say what stands at an address
                store.add(source, named=False, heard=True)
        first = _rooted(events[0], sources, home / IMPORTED / about.session, here)
        journal.shared_texts.source_of = store.source
        journal.adopt(about.session, [first, *(_as_here(event, here) for event in events[1:])])
        why = "it was asked for on another machine"
        if name := " ".join(about.name.split()):
            journal.rename(about.session, name)
        journal.append(about.session, [CommandDone(id=i, problem=why) for i in unheard(events)])
        journal.shared_texts.source_of = None
    assert isinstance(first.event, SessionStarted)
    return about.session, first.event


def _read(file: Path) -> tuple[_About, dict[str, bytes]]:
    try:
        with zipfile.ZipFile(file) as archive:
            about = _About.model_validate_json(_member(archive, "bundle.json", _SMALL))
            if about.format != FORMAT:
                raise InputError(f"{file} is no bundle of a session")
            if about.version > VERSION:
                raise InputError(
                    f"{file} was written by a newer roundtable (format {about.version}, this one reads "
                    f"{VERSION}): upgrade the program"
                )
            most = min(_LONGEST, max(_SMALL, _STEEPEST * file.stat().st_size))
            members = {name: _member(archive, name, most) for name in _MEMBERS}
    except OSError as failure:
        raise InputError(f"cannot read {file}: {failure.strerror or failure}") from failure
    except (zipfile.BadZipFile, zlib.error, KeyError, ValidationError, ValueError, EOFError,
            NotImplementedError, RuntimeError) as failure:  # fmt: skip
        raise InputError(f"{file} is no bundle of a session, or is damaged") from failure
    for name, data in members.items():
        if sha256(data).hexdigest() != about.digests.get(name):
            raise InputError(f"{file} is damaged: {name} is not what was written")
    return about, members


def _member(archive: zipfile.ZipFile, name: str, most: int) -> bytes:
    # Bundles are stored or deflated; other ways of packing take memory as the file says.
    if archive.getinfo(name).compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
        raise ValueError(f"{name} is packed as no bundle is")
    with archive.open(name) as packed:
        data = packed.read(most + 1)
    if len(data) > most:
        raise ValueError(f"{name} is too large")
    return data


def _lines(data: bytes) -> Iterator[bytes]:
    """Yield the lines that hold something, one at a time: millions of empty ones take no memory."""
    return filter(None, map(bytes.strip, io.BytesIO(data)))


def _event(line: bytes, written: int, file: Path) -> Recorded:
    try:
        kept = json.loads(line)
        event = read_event(json.dumps(kept["event"]), written)
        return Recorded(n=kept["n"], at=kept["at"], event=event)
    except EventUnreadable as failure:
        what = "a later version wrote it; upgrade the program" if failure.too_new else "it is damaged"
        raise InputError(f"{file}: event {kept['n']!r:.9} {failure}: {what}") from failure
    except (ValueError, KeyError, TypeError, RecursionError) as failure:
        raise InputError(f"{file} holds an event that cannot be read: it is damaged") from failure


def _source(line: bytes, file: Path) -> Source:
    try:
        source = read_source(line)
    except (ValueError, RecursionError) as failure:
        raise InputError(f"{file} holds a source that cannot be read") from failure
    if fingerprint(source.text) != source.sha256:
        raise InputError(f"{file} holds a text that is not what its hash says: {source.url[:100]}")
    return source


def _rooted(first: Recorded, sources: Sequence[Source], folder: Path, here: Settings) -> Recorded:
    """Return the first event as it is here: with the bundle's own texts, and this machine's settings.

    A path in a bundle is a stranger's word: what stands there on this machine was never meant.
    """
    started = first.event
    assert isinstance(started, SessionStarted)
    docs = [name for name in started.docs if name == PYTHON]
    made = {PYTHON, COMPUTATION}  # here again, or by the session itself
    texts = [each for each in sources if each.private and each.url.partition(":")[0].lower() not in made]
    if texts:
        folder.mkdir(parents=True, exist_ok=True)
        for name, source in _named(texts):
            (folder / name).write_bytes(source.text.encode("utf-8", "surrogatepass"))
        docs.append(str(folder))
    own = settings_here(started.settings, here, docs)
    return started_anew(
        first, docs=docs, settings=own, search=own["search"], offline=own["offline"],
        imported=differing({**started.settings, "search": started.search}, own),
    )  # fmt: skip


def _as_here(recorded: Recorded, here: Settings) -> Recorded:
    """Return an event without what another machine chose (places, agents' files) and says of texts."""
    match recorded.event:
        case Searched(hits=hits) as searched:
            silent = [hit.model_copy(update={"told": None, "work": None}) for hit in hits]
            return recorded.model_copy(update={"event": searched.model_copy(update={"hits": silent})})
        case PageRead() as read:
            return recorded.model_copy(update={"event": read.model_copy(update={"told": None})})
        case PlanChanged() as plan:
            return recorded.model_copy(update={"event": plan.model_copy(update={"search": here.search})})
        case AgentsInvited(agents=agents):
            unnamed = [agent.model_copy(update={"file": ""}) for agent in agents]
            return recorded.model_copy(update={"event": AgentsInvited(agents=unnamed)})
        case _:
            return unsigned(recorded)


def _named(sources: Sequence[Source]) -> Iterator[tuple[str, Source]]:
    for source in sources:
        words = re.findall(r"[^\W_]+", source.title)
        yield f"{'-'.join(words)[:40] or 'text'}-{source.sha256[:8]}.txt", replace(source)


__all__ = ["take_in", "texts_of", "write_bundle"]
