"""A small invented world for long sessions: documents about a town, and pages that are found and read.

Everything repeats: the texts are made from lists, the model is scripted, the clock stands still.
"""

import asyncio
import re
import shutil
import tempfile
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from functools import cache
from hashlib import sha256
from itertools import product
from pathlib import Path
from typing import Any

from library import Library, Source
from library.library_opening import open_documents
from library.readers.reader import Reader
from library.search.interface import Collection, Hit
from library.settings import LibrarySettings
from library.store.store import Store
from models import ScriptedModel
from roundtable.config.config import Settings, load_settings
from roundtable.journal.clock import SteppingClock
from roundtable.journal.events import Recorded
from roundtable.journal.fold.state import State
from roundtable.journal.storage.journal_store import Journal
from roundtable.session.factory import Runtime, start_session
from roundtable.session.session import Session

TOPIC = "How does the town of Asterby live with its river?"
NOWHERE = "pages"
"""The name of the place with the pages."""

THINGS = (
    "harbour", "bridge", "market", "mill", "school", "ferry", "dyke", "library", "orchard", "brewery",
    "lighthouse", "tannery", "quarry", "theatre", "hospital", "railway", "fishery", "sawmill", "archive",
    "weir",
)  # fmt: skip
DOCUMENTED = THINGS[:12]
"""What there are documents about, and not pages."""
DEEDS = (
    ("was flooded", "water stood in its cellars for {n} days"),
    ("was rebuilt", "the town paid {n} thousand crowns for new walls"),
    ("draws visitors", "about {n} guests come in a week of summer"),
    ("employs people", "{n} families live from its work"),
)
MOOD = (
    "after the great storm",
    "in the year of the drought",
    "when the old council ruled",
    "since the dam was built",
)


def _paragraph(thing: str, deed: tuple[str, str], mood: str, number: int) -> str:
    short, long = deed
    told = long.format(n=number)
    return (
        f"The {thing} of Asterby {short} {mood}, and {told}. People by the river remember the {thing} "
        f"because the {thing} stood where the water turns. Records of the town name {number} repairs to "
        f"the {thing} {mood}, each paid by the guild that kept the {thing} open for the river's trade."
    )


def article(thing: str) -> str:
    """Return a document about one thing in the town."""
    start = THINGS.index(thing) + 3
    pairs = list(product(DEEDS, MOOD))[: 4 + start % 3]
    body = [_paragraph(thing, deed, mood, start * 7 + n) for n, (deed, mood) in enumerate(pairs)]
    return "\n\n".join([f"# The {thing} of Asterby", *body])


class Pages:
    """A place outside: it gives addresses of pages, which then have to be read."""

    name = NOWHERE
    description = "Pages about Asterby."
    private = False
    local = False

    def __init__(self, urls: list[str], fails: Callable[[str], Exception | None] = lambda _: None) -> None:
        self._urls = urls
        self._fails = fails
        self.asked: list[str] = []

    async def search(self, query: str, limit: int) -> list[Hit]:
        """Find the pages whose subject is in the query first."""
        self.asked.append(query)
        if failure := self._fails(query):
            raise failure
        ranked = sorted(self._urls, key=lambda url: (url.rpartition("/")[2] not in query.casefold(), url))
        return [Hit(url=url, title=f"On the {url.rpartition('/')[2]}") for url in ranked[:limit]]


def write_documents(folder: Path, things: tuple[str, ...] = DOCUMENTED) -> Path:
    """Write the documents to a folder."""
    folder.mkdir(parents=True, exist_ok=True)
    for thing in things:
        (folder / f"{thing}.md").write_text(article(thing), encoding="utf-8")
    return folder


def keep_pages(store: Store, things: tuple[str, ...] = THINGS[len(DOCUMENTED) :]) -> list[str]:
    """Put pages into the store as if they had been fetched; return their addresses."""
    urls = []
    for thing in things:
        text, url = article(thing), f"https://asterby.example/{thing}"
        digest = sha256(text.encode()).hexdigest()
        store.add(Source(digest, url, f"The {thing}", text, retrieved="2026-01-01T00:00:00.000Z"))
        urls.append(url)
    return urls


def open_town(home: Path, documents: Path, *more: Collection) -> Library:
    """Open a library with the documents and the pages."""
    store = Store(home / "library.sqlite")
    reader = Reader(LibrarySettings().read)
    try:
        place, _ = open_documents(store, reader, str(documents))
    finally:
        reader.close()
    urls = keep_pages(store)
    return Library(store, [place, *(more or (Pages(urls),))])


def curious(library: Library) -> Callable[[Any], Any]:
    """Return an expert's script: it acts a second time, reads a page that was left, cites beside the mark."""

    def respond(task: Any) -> Any:
        if task.rounds_left == 2 and task.pages:
            url = task.pages[0].split()[0]
            words = f"Asterby {task.question.split()[-1].strip('?')} river"
            return {
                "thought": "",
                "answer": "",
                "actions": [
                    {"kind": "read", "url": url, "query": task.question, "where": []},
                    {"kind": "search", "query": words, "where": [NOWHERE], "url": ""},
                    {"kind": "fly", "query": "", "where": [], "url": ""},
                ],
            }
        drawn = task.extract(library.statistics)
        return drawn.model_copy(update={"answer": f"{drawn.answer} Nobody knows more [p9999]."})

    return respond


def surroundings(home: Path, library: Library, **scripts: Any) -> Runtime:
    """Return what a session runs in: the same words and the same time whenever it runs."""
    model = ScriptedModel({"respond": curious(library), **scripts}, otherwise=library.statistics)
    return Runtime(home=home, clock=still_clock(), environment={}, model=model, library=library)


def still_clock() -> SteppingClock:
    """Return a clock that does not move: how often somebody looks at it makes no difference."""
    return SteppingClock(datetime(2026, 1, 1, tzinfo=UTC), timedelta(0))


def settings_for(documents: Path, turns: int) -> Settings:
    """Return settings for a session of so many turns."""
    flags = {
        "docs": [str(documents)], "search": [], "offline": True, "models": {"model": "embedded"},
        "moderator": {"turns": turns, "dry_answers": turns, "after_answers": 2},
        "agents": {"pages": 1, "results": 12, "passages": 6, "background": 12},
    }  # fmt: skip
    return load_settings(flags, environment={})


async def play(session: Session) -> list[Recorded]:
    """Run a session to its end and close it."""
    try:
        return [recorded async for recorded in session.run()]
    finally:
        await session.close()


def kept(home: Path, session_id: str) -> list[str]:
    """Return a session's events as they stand in the journal, times included."""
    with Journal(home / "journal.db", still_clock()) as journal:
        return [recorded.model_dump_json() for recorded in journal.read(session_id)]


def files_of(state: State, folder: Path) -> dict[str, bytes]:
    """Write a session's files and return their bytes."""
    from roundtable.output.outputs import write_outputs

    return {path.name: path.read_bytes() for path in write_outputs(state, folder)}


def but_requests(text: str) -> str:
    """Return a text without how many requests were made: what was cut off is asked again, and counted."""
    return re.sub(r"\b\d+ requests\b|\brequests: \d+", "requests", text)


def told(events: list[str]) -> list[str]:
    """Return what is said, asked and written, whatever its order: who works beside whom may come first.

    What waits for its place when a session dies may be placed with the next turn: the map is the same then,
    and so is its file; its events are not. A report counts the requests that were made, again ones too.
    """
    kinds = ("turn_taken", "question_raised", "passages_admitted", "searched", "page_read", "report_written")
    wanted = tuple(f'"event":{{"kind":"{kind}"' for kind in kinds)
    return sorted(
        but_requests(text.partition(',"at":')[2]) for text in events if any(kind in text for kind in wanted)
    )


def written(files: dict[str, bytes]) -> dict[str, str]:
    """Return files as they are, but for the count of requests, which `usage.json` holds by task."""
    return {name: but_requests(data.decode()) for name, data in files.items() if name != "usage.json"}


@cache
def played_journal() -> bytes:
    """Return the file of a journal that holds one short session."""
    folder = Path(tempfile.mkdtemp(prefix="roundtable-town-"))

    async def begin_and_end() -> None:
        library = open_town(folder, write_documents(folder / "documents", THINGS[:3]))
        session = await start_session(
            TOPIC,
            settings_for(folder / "documents", 3),
            around=surroundings(folder, library),
            session_id="short",
        )
        await play(session)
        library.store.close()

    try:
        asyncio.run(begin_and_end())
        return (folder / "journal.db").read_bytes()
    finally:
        shutil.rmtree(folder)
