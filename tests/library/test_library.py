import asyncio
import json
import subprocess
import sys
import threading
from dataclasses import asdict, replace
from pathlib import Path

import pytest

from library.errors import LibraryError, ReadError, SearchError
from library.evidence import Work
from library.library import Library
from library.library_opening import open_library
from library.search.interface import Hit
from library.settings import FetchSettings, LibrarySettings
from library.store.store import Store


@pytest.fixture
def docs(tmp_path):
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "a.md").write_text("# Whales\n\nWhales sing in the deep sea and travel far.")
    return tmp_path / "docs"


async def opened(home, *docs, search=(), offline=True):
    return await open_library(LibrarySettings(), [str(d) for d in docs], search, offline=offline, home=home)


async def test_a_file_that_is_not_read_is_named_by_its_collection(tmp_path, docs):
    (docs / "sub").mkdir()
    (docs / "sub" / "broken.pdf").write_text("%PDF-1.4 broken")
    (tmp_path / "alone.pdf").write_text("%PDF-1.4 broken")
    (tmp_path / "served").mkdir()
    with Store(tmp_path / "served" / "library.sqlite") as store:
        store.make_collection("kilns", "Kilns", paths=[str(docs), str(tmp_path / "alone.pdf")])
    async with await opened(tmp_path / "served", "kilns") as library:
        told = sorted(library.warnings)
        assert [line.partition(":")[0] for line in told] == ["kilns/alone.pdf", "kilns/sub/broken.pdf"]
        assert str(tmp_path) not in " ".join(told)
    async with await opened(tmp_path / "other", docs) as library:
        (line,) = library.warnings
        assert line.startswith(str(docs / "sub" / "broken.pdf")), "a path that was given is said as it is"


async def test_a_folder_is_searched_and_read(tmp_path, docs):
    async with await opened(tmp_path, docs) as library:
        (place,) = library.collections
        (hit,) = await library.search("whales", place.name, 5)
        assert place.private
        assert hit.passage.private
        source = await library.read(hit.url)
        assert library.passages(source.sha256) == [hit.passage]
        assert library.source(source.sha256) == source
        assert library.statistics.weight("whale") < library.statistics.weight("otter")


async def test_statistics_stay_as_they_were_when_other_pages_are_kept(tmp_path, docs):
    async with await opened(tmp_path, docs) as library:
        before = library.statistics.weight("otter")
        library.store.add(
            library.source((await library.search("whales", library.collections[0].name, 1))[0].passage.sha256)
        )
        assert library.statistics.weight("otter") == before


async def test_an_unknown_place_is_named_with_what_there_is(tmp_path, docs):
    async with await opened(tmp_path, docs) as library:
        with pytest.raises(SearchError, match="there is: docs-"):
            await library.search("whales", "nowhere", 5)


async def test_a_page_that_is_not_here_cannot_be_read_offline(tmp_path, docs):
    async with await opened(tmp_path, docs) as library:
        with pytest.raises(ReadError, match="not in the store"):
            await library.read("https://example.org/")


async def test_a_page_begun_ahead_ends_with_the_library_though_who_waited_for_it_is_cancelled(
    tmp_path, website, monkeypatch
):
    settings = LibrarySettings(fetch=FetchSettings(allow=(website.host,)))
    library = await open_library(settings, [], [], offline=False, home=tmp_path / "home", pages=True)
    looked, at_hand = threading.Event(), library.at_hand
    monkeypatch.setattr(library, "at_hand", lambda url: at_hand(url) if looked.wait(30) else None)
    url = website.add("/whales", "<p>Whales sing in the deep sea and travel far.</p>")
    library.read_ahead([url])
    waiting = asyncio.create_task(library.read(url))
    await asyncio.sleep(0.01)
    waiting.cancel()
    await asyncio.gather(waiting, return_exceptions=True)
    closing = asyncio.create_task(library.close())
    await asyncio.sleep(0.01)
    looked.set()
    await closing
    assert asyncio.all_tasks() == {asyncio.current_task()}
    assert website.paths == []


async def test_nothing_to_search_says_what_to_pass(tmp_path):
    with pytest.raises(LibraryError, match="--docs"):
        await opened(tmp_path, search=["web"])


async def test_a_missing_path_says_what_to_pass(tmp_path):
    with pytest.raises(LibraryError, match="python"):
        await opened(tmp_path, tmp_path / "absent")


class Boundless:
    """A place outside that answers without bounds; another distribution may bring any."""

    name, description, private, local = "boundless", "Anything.", False, False

    async def search(self, query, limit):
        long = "x" * 10**6
        hits = (Hit(f"https://{n}a.example/", long, long, published="\x1b[2J") for n in range(limit))
        work = Work(("A" * 1000,) * 1000, "v" * 10**6, "d" * 10**6, issued="\x1b[2J")
        refused = ("https://user:password@a.example/", "https://a.example/" + "x" * 10**6)
        return [*(Hit(url, "x") for url in refused), *(replace(hit, work=work) for hit in hits)]


async def test_what_a_place_says_of_its_results_is_bounded(tmp_path):
    async with Library(Store(tmp_path / "store"), [Boundless()]) as library:
        hits = await library.search("whales", "boundless", 9)
        assert len({hit.url for hit in hits}) == 9
        assert max(len(json.dumps(asdict(hit))) for hit in hits) < 100_000
        assert "\\u001b" not in json.dumps([asdict(hit) for hit in hits])


async def test_bad_files_are_warnings(tmp_path, docs):
    (docs / "bad.md").write_bytes(b"\x89PNG\r\n" * 20)
    async with await opened(tmp_path, docs) as library:
        assert len(library.warnings) == 1


async def test_the_python_collection(tmp_path):
    async with await opened(tmp_path, "python") as library:
        (place,) = library.collections
        assert (place.name, place.private) == ("python", False)
        hits = await library.search("json encoder separators", "python", 5)
        assert "python:json.encoder" in [hit.url for hit in hits]
        assert (await library.read("python:topic/with")).title.startswith('The "with" statement')
        assert len(library.store.postings(place.held).ids) > 1000


def test_the_room_imports_nothing_heavy():
    heavy = ("numpy", "scipy", "httpx2", "trafilatura", "pydantic")
    code = f"import library, sys; print([m for m in {heavy} if m in sys.modules])"
    root = Path(__file__).parents[2]
    done = subprocess.run([sys.executable, "-c", code], cwd=root, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


async def test_a_collection_s_documents_are_those_that_have_a_text(tmp_path, python_indexed):
    """What the program marks in the collection of Python is none: a table of it ended in an error."""
    python_indexed(tmp_path)
    async with await opened(tmp_path, "python") as library:
        held = library.documents("python")
        assert len(held) > 10
        assert all(library.source(sha256).text for sha256 in held.values())
