"""Several people share one store: what one says of a text is not what another's session cites it as."""

import asyncio
from datetime import UTC, datetime
from pathlib import Path
from urllib.parse import urlsplit
from urllib.request import url2pathname

import pytest

from library import Library, Store, Work, open_library
from library.evidence import Source, fingerprint
from library.readers.reader import Reader
from library.store.recovery import salvage_store
from library.web.fetch_settings import FetchSettings
from library.web.fetcher import Fetcher
from roundtable.config import Settings
from roundtable.journal.replay import replayed
from roundtable.journal.storage.journal_store import Journal
from roundtable.session.factory import Runtime, resume_session, start_session
from roundtable.session.texts.earlier_sessions import documents_of_sessions
from tests.faults.town import TOPIC, play, settings_for, still_clock, write_documents
from tests.library.conftest import Website, website  # noqa: F401 - a fixture

FORGED = "---\nurl: https://liar.example/forged\ntitle: Forged\nauthor: Nobody\ndate: 1901-02-03\n---\n"


def forged_copies(documents: Path, folder: Path) -> Path:
    """Write the same texts with another word in front of them."""
    folder.mkdir()
    for file in documents.iterdir():
        (folder / file.name).write_text(FORGED + file.read_text(encoding="utf-8"), encoding="utf-8")
    return folder


async def brought(folder: Path, home: Path) -> None:
    settings = Settings(offline=True)
    await (await open_library(settings.library, [str(folder)], [], offline=True, home=home)).close()


def cited(home: Path) -> set[tuple[str, str, str | None, str | None]]:
    with Journal(home / "journal.db", still_clock()) as journal:
        events = journal.read("hers")
    with replayed(events, home) as state:
        sources = state.evidence.sources.values()
        assert sources
        return {(source.url, source.title, source.author, source.published) for source in sources}


async def test_who_brings_a_text_first_or_later_says_nothing_of_it_for_another(tmp_path: Path) -> None:
    home, hers = tmp_path / "home", write_documents(tmp_path / "hers")
    home.mkdir(exist_ok=True)
    theirs = forged_copies(hers, tmp_path / "theirs")
    await brought(theirs, home)
    around = Runtime(home=home, clock=still_clock(), environment={})
    session = await start_session(TOPIC, settings_for(hers, 1), around=around, session_id="hers")
    await play(session)
    found = cited(home)
    assert {url for url, *_ in found} <= {file.as_uri() for file in hers.iterdir()}
    assert {(author, date) for _, _, author, date in found} == {(None, None)}
    assert "Forged" not in {title for _, title, *_ in found}
    # And what they say of it afterwards, by a list of references, changes nothing of what she has cited.
    entries = [
        f"@article{{a{n}, title = {{Forged again}}, author = {{No Body}}, year = 1900, file = {{{file}}}}}"
        for n, file in enumerate(theirs.iterdir())
    ]
    (theirs / "own.bib").write_text("\n".join(entries), encoding="utf-8")
    await brought(theirs, home)
    assert cited(home) == found
    session = await resume_session("hers", around=around)
    assert {s.title for s in session.state.evidence.sources.values()} == {title for _, title, *_ in found}
    await session.close()


async def test_what_an_earlier_session_read_is_known_by_what_that_knew_it_by(tmp_path: Path) -> None:
    home, hers = tmp_path / "home", write_documents(tmp_path / "hers")
    home.mkdir(exist_ok=True)
    await brought(forged_copies(hers, tmp_path / "theirs"), home)
    around = Runtime(home=home, clock=still_clock(), environment={})
    await play(await start_session(TOPIC, settings_for(hers, 1), around=around, session_id="hers"))
    with Journal(home / "journal.db", still_clock()) as journal:
        for documents in (["session:hers"], ["sessions"]):
            told = documents_of_sessions(documents, journal)
            library = await open_library(
                Settings().library, documents, [], offline=True, home=home, texts=told
            )
            async with library:
                [place] = library.collections
                for hit in await library.search("harbour flooded after the great storm", place.name, 5):
                    assert hit.passage is not None
                    source = library.source(hit.passage.sha256)
                    known = (source.url, source.author, source.published)
                    assert known == (hit.url, None, None)
                    assert Path(url2pathname(urlsplit(hit.url).path)).parent == hers
                    assert "Forged" not in {hit.title, source.title}


async def test_both_cite_a_text_as_they_brought_it(tmp_path: Path) -> None:
    hers = write_documents(tmp_path / "hers")
    theirs = forged_copies(hers, tmp_path / "theirs")
    settings = Settings(offline=True)
    for folder in (hers, theirs, hers, theirs):
        own = folder == hers
        async with await open_library(
            settings.library, [str(folder)], [], offline=True, home=tmp_path
        ) as library:
            [place] = library.collections
            hits = await library.search("harbour flooded after the great storm", place.name, 5)
            assert hits
            for hit in hits:
                assert hit.passage is not None
                source = library.source(hit.passage.sha256)
                assert (source.title, hit.title) == (hit.title, library.passages(source.sha256)[0].title)
                assert (hit.title == "Forged", hit.url == "https://liar.example/forged") == (not own, not own)
                assert (source.author, source.published) == (
                    (None, None) if own else ("Nobody", "1901-02-03")
                )


@pytest.mark.loopback
async def test_a_page_is_cited_as_it_was_fetched_whoever_has_its_text_already(
    tmp_path: Path, website: Website  # noqa: F811
) -> None:
    text = "Whales sing to each other in the deep sea, and their songs change from year to year."
    url = website.add("/whales.txt", text, Content_Type="text/plain")
    port = int(url.split(":")[2].split("/")[0])
    allowed = FetchSettings(allow=(f"127.0.0.1:{port}",), robots=False)
    store, reader = Store(tmp_path / "library.sqlite"), Reader()
    told = ("Forged", text, "Nobody", "1901-02-03", "", True)
    forged = Source(fingerprint(text), url, *told)  # their document claims to be the page
    store.add(forged, place="/theirs/whales.md")
    library = Library(store, [], Fetcher(allowed), reader)
    source = await library.read(url)
    kept = library.source(source.sha256)
    assert source.sha256 == forged.sha256
    assert (kept.url, kept.author, kept.published, kept.private) == (url, None, None, False)
    assert "Forged" not in {kept.title, source.title, library.passages(source.sha256)[0].title}
    # What a catalogue said of it there is of the page, and what theirs says of their file is not.
    await asyncio.to_thread(store.describe, source.sha256, Work(title="Forged again"), "/theirs/whales.md")
    assert library.source(source.sha256).title == kept.title
    await asyncio.to_thread(store.describe, source.sha256, Work(venue="The Journal of Whales"), url)
    work = library.source(source.sha256).work
    assert work is not None
    assert work.venue == "The Journal of Whales"
    assert (store.source(source.sha256) or source).work is None
    found = store.find(url)
    assert found is not None
    assert found.title == kept.title
    await library.close()
    salvage_store(tmp_path / "library.sqlite")
    with Store(tmp_path / "library.sqlite") as repaired:
        again = repaired.find(url)
        assert again is not None
        assert (again.title, again.author, again.private) == (kept.title, None, False)
        repaired.tell_again(source.sha256, url, '{"url": [')


@pytest.mark.loopback
async def test_a_page_that_a_wrong_clock_noted_in_the_future_is_asked_for_again(
    tmp_path: Path,
    website: Website,  # noqa: F811
) -> None:
    url = website.add("/whales.txt", "Whales sing in the deep sea.", Content_Type="text/plain")
    port = int(url.split(":")[2].split("/")[0])
    allowed = FetchSettings(allow=(f"127.0.0.1:{port}",), robots=False, pause=0)
    for year, text in ((2099, "Whales sing in the deep sea."), (2026, "Whales are silent now.")):
        website.add("/whales.txt", text, Content_Type="text/plain")

        def now(year: int = year) -> datetime:
            return datetime(year, 3, 29, 2, 30, tzinfo=UTC)

        store = Store(tmp_path / "library.sqlite", now)
        async with Library(store, [], Fetcher(allowed), Reader(), clock=now) as library:
            assert (await library.read(url)).text == text
