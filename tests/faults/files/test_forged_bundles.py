"""A stranger's bundle whose sources claim the addresses and paths of this machine's own texts."""

import contextlib
from pathlib import Path

from library import Store, open_library
from roundtable.config import Settings
from roundtable.journal.sessions.bundle import take_in, write_bundle
from roundtable.journal.source_updates import SourcesUpdated
from roundtable.journal.storage.journal_store import Journal
from roundtable.session.factory import Runtime, resume_session, start_session
from tests.faults.town import TOPIC, play, settings_for, still_clock, write_documents

SECRET = "The mill of Asterby was set on fire by the miller's brother, and nobody may know."


def around(home: Path) -> Runtime:
    home.mkdir()
    return Runtime(home=home, clock=still_clock(), environment={})


async def test_what_a_bundle_names_is_neither_read_here_nor_stands_for_what_is_here(tmp_path: Path) -> None:
    documents = write_documents(tmp_path / "documents")
    there, here = around(tmp_path / "there"), around(tmp_path / "here")
    session = await start_session(TOPIC, settings_for(documents, 2), around=there, session_id="first")
    await play(session)
    with Journal(there.home / "journal.db", there.clock) as journal:
        write_bundle("first", journal.read("first"), there.home, tmp_path / "sent.zip")
    with Journal(here.home / "journal.db", here.clock) as journal:
        take_in(tmp_path / "sent.zip", journal, here.home, Settings(offline=True))
    with Store(here.home / "library.sqlite") as store:
        assert store.known()
        assert [store.find(text.url) for text in store.known()] == [None] * len(store.known())
    # Now this machine has documents of its own there, in a collection that the session was not given.
    for file in documents.iterdir():
        file.write_text(f"{file.read_text()}\n\n{SECRET}\n")
    settings = Settings(offline=True)
    own = await open_library(settings.library, [str(documents)], [], offline=True, home=here.home)
    await own.close()
    session = await resume_session("first", around=here)
    async with contextlib.aclosing(session.update()) as events:
        told = [item.event async for item in events]
    await session.close()
    [update] = [event for event in told if isinstance(event, SourcesUpdated)]
    assert not update.news
    assert SECRET not in "".join(event.model_dump_json() for event in told)


async def test_a_text_of_a_bundle_that_is_read_here_is_cited_from_where_it_was_read(tmp_path: Path) -> None:
    there, here = around(tmp_path / "there"), around(tmp_path / "here")
    session = await start_session(
        TOPIC, settings_for(write_documents(tmp_path / "theirs"), 1), around=there, session_id="first"
    )
    await play(session)
    with Journal(there.home / "journal.db", there.clock) as journal:
        write_bundle("first", journal.read("first"), there.home, tmp_path / "sent.zip")
    with Journal(here.home / "journal.db", here.clock) as journal:
        take_in(tmp_path / "sent.zip", journal, here.home, Settings(offline=True))
    own = write_documents(tmp_path / "own")
    settings = Settings(offline=True)
    await (await open_library(settings.library, [str(own)], [], offline=True, home=here.home)).close()
    with Store(here.home / "library.sqlite") as store:
        [held] = store.collections()
        texts = [store.source(file.sha256) for file in store.files(held).values()]
    assert {text.url for text in texts if text is not None} == {file.as_uri() for file in own.iterdir()}
