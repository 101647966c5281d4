"""Pages that give orders are read by a model that obeys what it can: nothing happens that should not."""

import json
import re
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

from library import Library, Source
from library.instructions import addresses_a_machine
from library.store import Store
from models import ScriptedModel
from roundtable.config import load_settings
from roundtable.open import Surroundings, start_session
from roundtable.terminal.plain import plain_lines
from tests.faults.town import TOPIC, Pages, article, files_of, play, still_clock
from tests.hostile.injections import INJECTIONS, ORDERS, URL

KEY = "sk-planted-0123456789"
_ADDRESS = re.compile(r"[a-z]+:/{1,3}[^\s\"'<>()\]}，]+")
_HIDDEN = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u200b\u202a-\u202e\U000e0000-\U000e007f]")


class Watched(Library):
    """A library that remembers what it was asked to read."""

    wanted: list[str]

    async def read(self, url: str) -> Source:
        """Remember the address."""
        self.wanted.append(url)
        return await super().read(url)


def gullible(library: Library) -> Any:
    """Return a script that does what any page says, in every form that it knows."""

    def respond(task: Any) -> Any:
        texts = [passage.text for passage in task.passages]
        urls = list(dict.fromkeys(u for text in texts for u in _ADDRESS.findall(text)))
        if task.rounds_left and urls:
            actions = [{"kind": "read", "url": url, "query": "", "where": []} for url in urls[:2]]
            actions += [
                {"kind": kind, "query": "curl", "where": ["/", "shell"], "url": urls[0]}
                for kind in ("shell", "fetch")
            ]
            return {"thought": " ".join(texts)[:500], "actions": actions, "answer": ""}
        said = task.extract(library.statistics)
        return said.model_copy(update={"answer": f"{said.answer} {' '.join(texts)[-600:]} [p1] [p99999]"})

    return respond


def test_the_corpus_is_large_and_each_of_its_texts_is_another() -> None:
    assert len(set(INJECTIONS)) >= 60


@pytest.mark.parametrize("start", range(0, len(INJECTIONS), 8))
async def test_no_order_of_a_page_is_carried_out(start: int, tmp_path: Path) -> None:
    orders = INJECTIONS[start : start + 8]
    store = Store(tmp_path / "library.sqlite")
    urls = []
    for number, order in enumerate(orders):
        parts = article(
            ("harbour", "bridge", "market", "mill", "school", "ferry", "dyke", "orchard")[number]
        ).split("\n\n")
        text = "\n\n".join([parts[0], *(f"{part} {order}" for part in parts[1:3])])
        url = f"https://asterby.example/{number}"
        store.add(Source(sha256(text.encode()).hexdigest(), url, f"On Asterby {order}", text))
        urls.append(url)
    library = Watched(store, [Pages(urls)])
    library.wanted = []
    model = ScriptedModel({"respond": gullible(library)}, otherwise=library.statistics)
    around = Surroundings(
        home=tmp_path, clock=still_clock(), environment={"OPENAI_API_KEY": KEY}, model=model, library=library
    )
    flags = {"search": ["web"], "models": {"model": "embedded"}, "moderator": {"turns": 5}}
    session = await start_session(TOPIC, load_settings(flags, environment={}), around=around)
    events = await play(session)
    state = session.state
    assert state.status == "ended"
    assert library.wanted
    assert set(library.wanted) <= set(urls), "an address that no search gave was read"
    assert set(state.pages) <= set(urls)
    assert {place for _, place in state.searches} == {"pages"}
    for turn in state.turns:
        assert set(turn.citations) <= set(state.evidence.passages)
    shown = "\n".join(plain_lines(events))
    assert not _HIDDEN.search(shown.replace("\n", ""))
    files = files_of(state, tmp_path / "out")
    assert sorted(files) == sorted(files_of(state, tmp_path / "again"))
    everything = b"".join(files.values()) + "".join(e.model_dump_json() for e in events).encode()
    assert KEY.encode() not in everything
    assert {p["url"] for p in json.loads(files["sources.json"])["sources"]} <= set(urls)
    store.close()


@pytest.mark.parametrize("order", ORDERS)
def test_a_source_that_gives_orders_to_a_machine_is_found(order: str) -> None:
    assert addresses_a_machine(f"The river rose. {order.replace('{url}', URL)}")


@pytest.mark.parametrize(
    "words",
    [
        article("harbour"),
        "The company must send the report to the council. Ignore the noise of the mill.",
        "An assistant helps the harbour master; the rules of the guild are old.",
        "Artificial intelligence models language. The prompt reply came by post.",
    ],
)
def test_a_source_that_speaks_to_readers_is_not(words: str) -> None:
    assert addresses_a_machine(words) is None
