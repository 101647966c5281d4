"""A library that grows: what earlier sessions read can be searched, gone on from, listed and forgotten."""

import json
import os
import shutil
import subprocess
from pathlib import Path

import pytest

from library import Store
from mindmap import Outline
from roundtable.config.errors import InputError, SessionUnknown
from roundtable.config.search_places import STORE
from roundtable.journal.storage.journal_store import Journal
from roundtable.journal.storage.named_texts import texts_of
from roundtable.session.factory import resume_session, start_session
from roundtable.session.texts.earlier_sessions import texts_read
from roundtable.session.texts.kept_sources import forget_sources, kept_sources
from tests.command_process import run_command
from tests.journeys.commands.test_source_update import KEEPER, TOWER, VISITS, Days
from tests.journeys.session.test_embedded import play, settings_for

ROOT = Path(__file__).parents[3]


@pytest.fixture
def documents(tmp_path: Path) -> Path:
    folder = tmp_path / "docs"
    folder.mkdir()
    for name, text in (("tower", TOWER), ("visits", VISITS), ("keeper", KEEPER)):
        (folder / f"{name}.txt").write_text(text)
    return folder


async def earlier(documents: Path, home: Path, days: Days) -> str:
    session = await start_session(
        "The lighthouse of Orrin", settings_for(documents, moderator={"turns": 4}), around=days.runtime(home)
    )
    await play(session)
    return session.id


@pytest.mark.parametrize("whose", ["sessions", "session:"])
async def test_what_earlier_sessions_read_is_searched_without_its_documents(
    documents: Path, tmp_path: Path, whose: str
) -> None:
    days, home = Days(), tmp_path / "own"
    identity = await earlier(documents, home, days)
    shutil.rmtree(documents)
    name = whose if whose == "sessions" else f"session:{identity[:5]}"
    settings = settings_for(Path(name), moderator={"turns": 4}, docs=[name])
    session = await start_session("What does a ticket cost?", settings, around=days.runtime(home))
    await play(session)
    report = session.state.report
    assert report is not None
    assert "12 pounds" in report.model_dump_json()
    kept = session.state.start
    assert kept is not None
    assert kept.docs == ["sessions" if whose == "sessions" else f"session:{identity}"]
    again = await resume_session(session.id, around=days.runtime(home))
    await again.close()


async def test_two_versions_of_a_page_are_told_apart_by_when_they_were_read(
    documents: Path, tmp_path: Path
) -> None:
    from agents.tasks import show_passages

    days, home = Days(), tmp_path / "own"
    await earlier(documents, home, days)
    days.pass_by(3)
    (documents / "visits.txt").write_text(VISITS.replace("12 pounds", "15 pounds"))
    os.utime(documents / "visits.txt", (days.now.timestamp(), days.now.timestamp()))
    await earlier(documents, home, days)
    settings = settings_for(Path("sessions"), moderator={"turns": 3}, docs=["sessions"])
    session = await start_session("What does a ticket cost?", settings, around=days.runtime(home))
    await play(session)
    prices = [p for p in session.state.evidence.passages.values() if "pounds" in p.text]
    assert {"12" in p.text for p in prices} == {True, False}
    shown = show_passages(prices)
    assert shown.count("read=") == len(prices)
    assert 'read="2026-11-23"' in shown


async def test_a_session_goes_on_from_anothers_map_and_report(documents: Path, tmp_path: Path) -> None:
    days, home = Days(), tmp_path / "own"
    identity = await earlier(documents, home, days)
    settings = settings_for(documents, moderator={"turns": 4}, docs=[])
    session = await start_session(
        "How is the lighthouse of Orrin visited?", settings, around=days.runtime(home), follows=identity[:6]
    )
    begun = session.state
    assert begun.evidence.passages
    facts = [note.text for note in begun.memory.blocks.values()]
    assert any("lighthouse" in fact for fact in facts)
    assert {p for node in begun.map.walk() for p in begun.map.passages(node)} == set(begun.evidence.passages)
    assert begun.start is not None
    assert begun.start.follows == identity
    assert f"session:{identity}" in begun.start.docs
    await play(session)
    assert session.state.status == "ended"
    assert session.state.report is not None
    assert session.state.report.summary.cited


async def test_a_session_without_a_report_cannot_be_gone_on_from(documents: Path, tmp_path: Path) -> None:
    days, home = Days(), tmp_path / "own"
    session = await start_session("The lighthouse", settings_for(documents), around=days.runtime(home))
    await session.close()
    with pytest.raises(InputError, match="a map stands at the beginning already"):
        await start_session("Orrin", settings_for(documents), follows="x", outline=Outline("Orrin"))
    with pytest.raises(InputError, match="has no report to go on from"):
        await start_session("More", settings_for(documents), around=days.runtime(home), follows=session.id)
    with pytest.raises(SessionUnknown):
        await start_session("More", settings_for(documents), around=days.runtime(home), follows="zz")


def roundtable(home: Path, *arguments: object) -> subprocess.CompletedProcess[str]:
    return run_command(*arguments, env={**os.environ, "ROUNDTABLE_HOME": str(home)})


async def test_what_was_read_is_listed_shown_and_forgotten(documents: Path, tmp_path: Path) -> None:
    days, home = Days(), tmp_path / "own"
    identity = await earlier(documents, home, days)
    days.pass_by(1)
    (documents / "visits.txt").write_text(VISITS.replace("12 pounds", "15 pounds"))
    session = await resume_session(identity, around=days.runtime(home))
    [_ async for _ in session.update()]
    await session.close()
    listed = json.loads(roundtable(home, "sources", "list", "--json").stdout)
    assert len(listed) == 4
    assert {one["read"][:10] for one in listed} == {"2026-11-20", "2026-11-21"}
    assert all(one["sessions"] == [identity] for one in listed)
    url = next(one["url"] for one in listed if "visits" in one["url"])
    assert len(roundtable(home, "sources", "list", "visits").stdout.splitlines()) == 2
    old = next(one["sha256"] for one in listed if one["url"] == url and one["read"][:10] == "2026-11-20")
    shown = roundtable(home, "sources", "show", old[:8]).stdout
    assert "this text, last 2026-11-20" in shown
    assert "version" in shown
    assert "12 pounds" in roundtable(home, "sources", "show", old[:8], "--text").stdout
    refused = roundtable(home, "sources", "forget", old[:8], "--yes")
    assert (refused.returncode, "sessions rest on it" in refused.stderr) == (2, True)
    assert roundtable(home, "delete", identity, "--yes").returncode == 0
    held = roundtable(home, "sources", "forget", url, "--yes")
    assert (held.returncode, "the collection docs-" in held.stderr) == (2, True)
    gone = roundtable(home, "sources", "forget", old[:8], "--yes")
    assert gone.returncode == 0, gone.stderr
    assert len(json.loads(roundtable(home, "sources", "list", "--json").stdout)) == 3
    assert roundtable(home, "sources", "show", old[:8]).returncode == 2
    assert "forgotten: 0 texts" in roundtable(home, "sources", "forget", "--older", "1", "--yes").stdout


def test_sessions_is_no_name_for_a_collection_of_ones_own(tmp_path: Path) -> None:
    done = roundtable(tmp_path / "own", "docs", "add", "sessions", ROOT / "docs")
    assert (done.returncode, "what earlier sessions read" in done.stderr) == (2, True)


async def test_a_session_keeps_what_its_searches_found_too(documents: Path, tmp_path: Path) -> None:
    days, home = Days(), tmp_path / "own"
    for n in range(25):
        text = f"House {n} of the street by the harbour has {n + 3} windows."
        text += " A lighthouse is seen from its door."
        (documents / f"more{n}.txt").write_text(text)
    identity = await earlier(documents, home, days)
    with Journal(home / "journal.db", days.runtime(home).clock) as journal, Store(home / STORE) as store:
        needed = set(texts_of([*journal.read(identity)]))
        assert needed > set(texts_read(journal)[identity])
        for held in store.collections():  # what the documents' collection alone holds may go
            store.drop_collection(held.name)
        kept = kept_sources(home, journal)
        assert {one.text.sha256 for one in kept if one.sessions} == needed
        forget_sources(home, [one for one in kept if not one.sessions])
        assert all(store.source(sha) for sha in needed)
        with pytest.raises(InputError, match="sessions rest on it"):
            forget_sources(home, [one for one in kept if one.sessions][-1:])
