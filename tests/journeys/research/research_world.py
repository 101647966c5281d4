"""A small world for journeys of research: two folders, pages that must be read, a scripted model."""

from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from hashlib import sha256
from pathlib import Path
from typing import Any

from library import Library, Source
from library.library_opening import open_documents
from library.readers.reader import Reader
from library.search.interface import Collection, Hit
from library.settings import LibrarySettings
from library.store.store import Store
from models import ScriptedModel, Usage
from models.prompting.output_schemas import instruction
from models.prompting.prompts import render
from models.prompting.token_estimate import estimate
from roundtable.config.config import load_settings
from roundtable.journal.clock import SteppingClock
from roundtable.journal.events import Recorded
from roundtable.session.factory import Runtime, start_session
from roundtable.session.session import Session
from tests.journeys.research.spoken_model import SpokenModel
from tests.model_server import Mode

SPEAKING: Mode | None = None
"""How models are asked: through a server in this mode, or (None) without one; see the fixture `each_mode`."""
TOPIC = "The harbour of Asterby"
SIDES = ("ferry", "dyke", "market", "lighthouse", "fishery", "customs", "shipyard", "pilots")
Script = Callable[[Any], Any]


def document(side: str, number: int = 7) -> str:
    """Return a text about one side of the harbour, with a few figures."""
    return "\n\n".join(
        f"The {side} of the harbour of Asterby was rebuilt in 19{number + year:02d} at a cost of "
        f"{number * 100 + year} thousand crowns. The harbour council says that the {side} served "
        f"{number * 1000 + year} people a year before, and that the {side} of Asterby draws more each year."
        for year in (1, 12, 23)
    )


class Pages:
    """A place outside: it gives addresses, which then have to be read."""

    private = False
    local = False

    def __init__(self, urls: Sequence[str], name: str = "pages", snippet: str = "") -> None:
        self.name = name
        self.description = "Pages about the harbour of Asterby."
        self.asked: list[str] = []
        self._urls = list(urls)
        self._snippet = snippet

    async def search(self, query: str, limit: int) -> list[Hit]:
        """Find all pages, whatever is asked."""
        self.asked.append(query)
        return [Hit(url=url, title=url.rpartition("/")[2], snippet=self._snippet) for url in self._urls][
            :limit
        ]


def scripted(
    scripts: Mapping[str, Any], *, otherwise: Any, longest: int | None = None, **more: Any
) -> ScriptedModel:
    """Return a model that follows scripts, asked as `SPEAKING` says."""
    if SPEAKING is None:
        return ScriptedModel(scripts, otherwise=otherwise, **more)
    return SpokenModel(SPEAKING, scripts, otherwise=otherwise, longest=longest, **more)


class World:
    """A library of documents, and a session on it with a scripted model."""

    def __init__(
        self, home: Path, *places: Collection, folders: Mapping[str, Mapping[str, str]] | None = None
    ):
        self.home = home
        self.store = Store(home / "library.sqlite")
        local: list[Collection] = []
        reader = Reader(LibrarySettings().read)
        given = folders if folders is not None else {"harbour": {side: document(side) for side in SIDES}}
        for name, texts in given.items():
            (home / name).mkdir(parents=True, exist_ok=True)
            for title, text in texts.items():
                (home / name / f"{title}.md").write_text(text, encoding="utf-8")
            local.append(open_documents(self.store, reader, str(home / name))[0])
        reader.close()
        self.library = Library(self.store, [*local, *places])
        self.model = ScriptedModel(otherwise=self.library.statistics)
        self.events: list[Any] = []
        self.session: Session | None = None
        self.step = timedelta(0)
        """What the clock goes on by each time that it is looked at."""

    def keep(self, url: str, text: str) -> str:
        """Put a page into the store as if it had been fetched."""
        digest = sha256(text.encode()).hexdigest()
        self.store.add(
            Source(digest, url, url.rpartition("/")[2], text, retrieved="2026-01-01T00:00:00.000Z")
        )
        return url

    async def play(
        self,
        scripts: Mapping[str, Any],
        *,
        turns: int = 1,
        extracts: bool = True,
        budget: Mapping[str, Any] | None = None,
        usage: Usage | None = None,
        topic: str = TOPIC,
        **agents: Any,
    ) -> list[Any]:
        """Run a session of one expert and return its events.

        Args:
            scripts: What the model says, by task.
            turns: After which the table closes.
            extracts: Else what there is no script for is made up by the server.
            budget: Limits.
            usage: What each request costs; then no server is asked.
            topic: What is talked about.
            agents: Settings of the experts.
        """
        context = agents.get("context")
        statistics = self.library.statistics if extracts else None
        if usage is None:
            self.model = scripted(scripts, otherwise=statistics, longest=context)
        else:
            self.model = ScriptedModel(scripts, otherwise=statistics, usage=usage)
        around = Runtime(
            home=self.home, clock=SteppingClock(datetime(2026, 1, 1, tzinfo=UTC), self.step),
            environment={}, model=self.model, library=self.library,
        )  # fmt: skip
        settings = load_settings(
            {
                "docs": [str(self.home)], "offline": True, "models": {"model": "embedded"},
                "moderator": {"turns": turns, "dry_answers": 50, "budget": dict(budget or {})},
                "agents": {"experts": 1, "passages": 3, "background": 4, "pages": 1, **agents},
            },
            environment={},
        )  # fmt: skip
        self.session = await start_session(topic, settings, around=around)
        recorded: list[Recorded] = [event async for event in self.session.run()]
        await self.session.close()
        self.events = [r.event for r in recorded]
        return self.events

    @property
    def asked(self) -> list[Any]:
        """The experts' requests for their next move, in order."""
        return self.model.tasks("respond")

    def of(self, kind: str) -> list[Any]:
        """The events of a kind."""
        return [event for event in self.events if event.kind == kind]


def acts(*actions: Mapping[str, Any], thought: str = "", **more: Any) -> dict[str, Any]:
    """Return a move that acts."""
    return {"thought": thought, "actions": [dict(action) for action in actions], "answer": "", **more}


def answers(text: str, **more: Any) -> dict[str, Any]:
    """Return a move that answers."""
    return {"thought": "", "actions": [], "answer": text, **more}


def search(query: str, *where: str) -> dict[str, Any]:
    """Return a search."""
    return {"kind": "search", "query": query, "where": list(where), "url": ""}


def read(url: str) -> dict[str, Any]:
    """Return a reading."""
    return {"kind": "read", "query": "", "where": [], "url": url}


def prompt_size(task: Any) -> int:
    """Return the tokens of a task's prompt as it would be sent to a model that must be told the schema."""
    prompt = render(task)
    return estimate(prompt.system) + estimate(prompt.user) + estimate(instruction(task.output))
