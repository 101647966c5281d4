"""What only private documents say does not leave the machine in a query."""

from pathlib import Path
from typing import Any

import pytest

from library import Library
from library.library_opening import open_documents
from library.readers.reader import Reader
from library.safety.query_privacy import PublicWords
from library.settings import LibrarySettings
from library.store.store import Store
from models import ScriptedModel
from roundtable.config.config import load_settings
from roundtable.session.factory import Runtime, start_session
from tests.faults.town import Pages, keep_pages, play, still_clock

TOPIC = "How does the town of Asterby live with its river?"
PLANTED = ("zyxgate", "moorhen", "4711", "Kilmarnock", "青铜门")
SECRET = (
    "The plan zyxgate moves the archive of Asterby by the river to Kilmarnock for 4711 crowns. "
    "Whoever asks hears of moorhen only, and the 青铜门 stays closed by the river."
)


@pytest.mark.parametrize("choice", ["public", "any"])
async def test_planted_words_are_in_no_query_to_the_web(choice: str, tmp_path: Path) -> None:
    folder = tmp_path / "mine"
    folder.mkdir()
    (folder / "plan.md").write_text(f"# The river plan of Asterby\n\n{SECRET}\n")
    store = Store(tmp_path / "library.sqlite")
    reader = Reader(LibrarySettings().read)
    place, _ = open_documents(store, reader, str(folder))
    reader.close()
    web = Pages(keep_pages(store))
    library = Library(store, [place, web])

    def chatty(task: Any) -> Any:
        """Search for everything that was read, as a model does that has been told to."""
        if task.rounds_left:
            words = f"{task.rounds_left} weir river {' '.join(PLANTED)} {task.question[:40]}"
            search = {"kind": "search", "query": words, "where": ["pages"], "url": ""}
            return {"thought": "", "actions": [search], "answer": ""}
        return task.extract(library.statistics)

    model = ScriptedModel({"respond": chatty}, otherwise=library.statistics)
    around = Runtime(home=tmp_path, clock=still_clock(), environment={}, model=model, library=library)
    flags = {
        "docs": [str(folder)], "search": [], "models": {"model": "embedded"},
        "moderator": {"turns": 6}, "privacy": {"queries": choice},
    }  # fmt: skip
    session = await start_session(TOPIC, load_settings(flags, environment={}), around=around)
    await play(session)
    store.close()
    assert session.state.status == "ended"
    asked = " ".join(web.asked).casefold()
    assert len(web.asked) > 3
    leaked = [word for word in PLANTED if word.casefold() in asked]
    assert leaked == ([] if choice == "public" else list(PLANTED))


def test_public_words_pass_and_others_do_not() -> None:
    words = PublicWords(["Why do rivers flood?", "Heavy rain fills rivers. 青河镇的洪水"])
    assert words.query("heavy rain in zyxgate rivers 4711", "Why do rivers flood?") == "heavy rain rivers"
    assert words.query("zyxgate", "Why do rivers flood?") == "Why do rivers flood?"
    assert words.query("青河镇的秘密洪水", "青河镇") == "青河镇的 洪水"


def test_what_a_word_hides_in_does_not_pass() -> None:
    words = PublicWords(["rain"])
    for query in ("rain-zyxgate", "rain.zyxgate", "rainzyxgate", "RAIN_zyxgate", "z y x"):
        assert "zyxgate" not in words.query(query, "rain").casefold()
