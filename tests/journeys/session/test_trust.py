"""What a person thinks of sources is kept to: never used, doubted, preferred; and told in the report."""

import json
from pathlib import Path

import pytest

from library import LibrarySettings, TextStatistics, open_library
from library.errors import SearchError
from library.evidence import Passage
from library.search.trust_list import TrustList
from moderator.judging import JudgeAnswer
from roundtable.config.config import load_settings
from roundtable.config.errors import ConfigError, InputError
from roundtable.config.search_places import settle_places
from roundtable.config.trust_file import read_trust
from roundtable.output.closing_figures import unsearched
from roundtable.output.outputs import write_outputs
from roundtable.session.factory import start_session
from tests.journeys.commands.test_source_update import KEEPER, TOWER, VISITS, Days
from tests.journeys.session.test_embedded import play, settings_for


@pytest.mark.parametrize(
    ("url", "kind", "word"),
    [
        ("https://good.example/a", "", "prefer"),
        ("https://sub.good.example/a", "", "prefer"),
        ("https://good.example/rumours/b", "", "doubt"),
        ("https://bad.example/", "", "never"),
        ("https://ask.forum.example/q/1", "forum", "prefer"),
        ("https://other.example/q/1", "forum", "doubt"),
        ("https://other.example/q/1", "", ""),
        ("file:///notes/old/x.txt", "own", "doubt"),
        ("file:///notes/older.txt", "own", ""),
        ("https://evil.example/?u=bad.example", "", ""),
    ],
)
def test_a_host_wins_over_a_kind_and_never_over_all(url: str, kind: str, word: str) -> None:
    trust = TrustList(
        prefer=("good.example", "ask.forum.example"),
        doubt=("good.example/rumours", "kind:forum", "folder:/notes/old"),
        never=("bad.example",),
    )
    assert trust.of_url(url, kind) == word


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ('never = ["kind:blogs"]', "there is no such kind; there are: paper"),
        ('never = ["not a host"]', "is no site"),
        ('distrust = ["a.example"]', "distrust: there are prefer, doubt and never"),
        ('doubt = "a.example"', 'doubt is no list: write it as ["example.org", "kind:forum"]'),
        ("never = [", "is not TOML"),
    ],
)
def test_a_wrong_trust_file_is_told_in_a_line(tmp_path: Path, text: str, says: str) -> None:
    (tmp_path / "trust.toml").write_text(text)
    with pytest.raises(ConfigError, match="trust.toml") as told:
        read_trust(tmp_path)
    assert says in str(told.value)
    assert "\n" not in str(told.value)


def test_a_collection_that_is_not_there_is_told(tmp_path: Path) -> None:
    (tmp_path / "trust.toml").write_text('doubt = ["collection:notes"]')
    with pytest.raises(InputError, match="no collection 'notes'"):
        settle_places(load_settings({"docs": ["python"]}, environment={}), tmp_path)


async def test_what_is_never_used_is_not_and_what_is_doubted_is_told(tmp_path: Path) -> None:
    folder, home = tmp_path / "docs", tmp_path / "own"
    folder.mkdir()
    home.mkdir()
    for name, text in (("tower", TOWER), ("visits", VISITS), ("keeper", KEEPER)):
        front = f"---\ntitle: {name}\nurl: https://{name}.example/page\n---\n"
        (folder / f"{name}.md").write_text(front + text.replace("\n", "\n\n"))
    trust = {"prefer": "tower.example", "doubt": "visits.example", "never": "keeper.example"}
    (home / "trust.toml").write_text("\n".join(f'{word} = ["{host}"]' for word, host in trust.items()))
    settings = settings_for(folder, moderator={"turns": 4})
    session = await start_session("The lighthouse of Orrin", settings, around=Days().runtime(home))
    await play(session)
    state = session.state
    assert {p.url for p in state.evidence.passages.values()} == {
        "https://tower.example/page", "https://visits.example/page",
    }  # fmt: skip
    report = state.report
    assert report is not None
    doubted = [s for section in report.sections for s in section.sentences if s.rests.doubted]
    assert doubted
    assert report.summary.doubted == len(doubted)
    assert all("visits" in state.evidence.passages[s.citations[0]].url for s in doubted)
    made = "\n".join(report.back.made)
    assert "you doubt" in made
    assert "Cited sources that you prefer: 1 of 2." in made
    write_outputs(state, tmp_path / "out")
    assert "rests on sources alone that you doubt" in (tmp_path / "out" / "report.md").read_text()
    told = json.loads((tmp_path / "out" / "sources.json").read_text())["sources"]
    assert {one["title"]: one["trust"] for one in told} == {"tower": "prefer", "visits": "doubt"}


async def test_where_the_trust_list_leaves_nothing_it_is_told_so(tmp_path: Path) -> None:
    folder, home = tmp_path / "docs", tmp_path / "own"
    folder.mkdir()
    home.mkdir()
    (folder / "tower.md").write_text(f"---\nurl: https://tower.example/page\n---\n{TOWER}")
    (home / "trust.toml").write_text('never = ["tower.example"]')
    session = await start_session(
        "The lighthouse of Orrin", settings_for(folder, moderator={"turns": 4}), around=Days().runtime(home)
    )
    await play(session)
    why = "all that was found is of sources that your trust list never uses: tower.example"
    assert unsearched(session.state) == why
    write_outputs(session.state, tmp_path / "out")
    assert why in (tmp_path / "out" / "report.md").read_text()
    planned = await start_session(
        "The lighthouse of Orrin", settings_for(folder, moderator={"turns": 4}), around=Days().runtime(home)
    )
    with pytest.raises(InputError, match="that your trust list never uses: tower.example"):
        await planned.plan()
    await planned.close()


@pytest.mark.parametrize(
    ("trusts", "url", "asked"),
    [
        (["doubt", "doubt"], "https://a.example/", True),
        (["doubt", ""], "https://a.example/", False),
        (["", ""], "https://www.reddit.com/r/a", True),
        (["prefer", ""], "https://www.reddit.com/r/a", False),
    ],
)
def test_an_answer_on_weak_sources_alone_wants_a_second_of_another_kind(
    trusts: list[str], url: str, asked: bool
) -> None:
    text = "A ticket to the lighthouse costs 12 pounds."
    cited = tuple(
        Passage(f"s{n}", 0, len(text), text, f"{url}{n}", "t", id=f"p{n}", trust=trust)  # type: ignore[arg-type]
        for n, trust in enumerate(trusts)
    )
    task = JudgeAnswer(
        topic="The lighthouse", language="en", question="What does a ticket cost in pounds?",
        answer=f"{text} [p0][p1]", cited=cited, today="2026-11-22",
    )  # fmt: skip
    verdict = task.extract(TextStatistics())
    assert verdict.sourced is not asked
    assert ("second source" in verdict.missing) is asked


async def test_a_collection_is_never_used_also_where_its_documents_name_addresses(tmp_path: Path) -> None:
    for name, head in (("notes", "---\nurl: https://blog.example/x\n---\n"), ("kept", "")):
        (tmp_path / name).mkdir()
        told = f"{head}# Tides of {name}\n\nThe tide rises twice a day at {name}.\n"
        (tmp_path / name / "a.md").write_text(told)
    docs = [str(tmp_path / name) for name in ("notes", "kept")]
    given = LibrarySettings.model_validate({"trust": {"never": [f"folder:{tmp_path / 'notes'}"]}})
    async with await open_library(given, docs, [], offline=True, home=tmp_path, environment={}) as library:
        notes, kept = library.collections
        with pytest.raises(SearchError, match="your trust list never uses"):
            await library.search("tide", notes.name, 9)
        hits = await library.search("tide", kept.name, 9)
    assert [hit.title for hit in hits] == ["Tides of kept"]
