"""`roundtable docs add NAME PATH --engine lancedb` as it is typed, in a folder and on S3."""

import asyncio
import json
import os
import sys

import pytest

from library.library_opening import open_library
from roundtable.__main__ import run
from roundtable.config.config import load_settings
from roundtable.doctor import examine
from roundtable.session.indexed_collections import held_by_engines
from roundtable.web.files.collections_page import CollectionsPage
from tests.command_process import run_command
from tests.embedding_server import EmbeddingServer
from tests.s3_server import BUCKET, s3_server


@pytest.fixture
def folder(tmp_path):
    root = tmp_path / "pages"
    root.mkdir()
    (root / "kiln.md").write_text("# Kilns\n\nA kiln burns shells to lime. It is fed from above at dawn.")
    (root / "oven.md").write_text("# Ovens\n\nAn oven of clay bakes rye bread in an hour.")
    return root


@pytest.fixture
def typed(tmp_path, monkeypatch, capsys):
    """Types a command in a home; answers with its exit code, what it told, and what it complained of."""

    def typed(*words, home="home"):
        monkeypatch.setenv("ROUNDTABLE_HOME", str(tmp_path / home))
        code = run(["docs", *words])
        return code, *capsys.readouterr()

    return typed


def test_a_collection_is_added_listed_updated_examined_and_removed(typed, folder, tmp_path):
    code, told, failures = typed("add", "heat", str(folder), "--engine", "lancedb", "--about", "On heat")
    assert (code, failures) == (0, "")
    counts = "heat: 2 new, 0 changed, 0 gone, 0 as before. Search it with --docs heat"
    assert told.splitlines()[-1] == counts
    place = tmp_path / "home" / "index-engines" / "heat"
    assert place.is_dir()
    assert typed("list")[1].splitlines()[-1].endswith(f" 2 files  [lancedb: {place}] On heat")
    assert "2 as before" in typed("update", "heat")[1]
    assert "2 as before" in typed("add", "heat", str(folder), "--engine", "lancedb")[1]
    found = [f.detail for f in examine(tmp_path / "home", {}, offline=True) if f.what == "store"]
    assert f"heat: lancedb in {place} holds 2 texts, 2 passages" in found
    page = CollectionsPage(tmp_path / "home", named_only=True)
    row = next(row for row in page.listed() if row["name"] == "heat")
    assert (row["engine"], row["engine_place"], row["files"]) == ("lancedb", "", 2)
    assert typed("remove", "heat")[0] == 0
    assert not place.exists()


def test_nothing_of_the_engine_s_own_log_is_told(folder, tmp_path):
    home = {**os.environ, "ROUNDTABLE_HOME": str(tmp_path / "home")}
    for words in (("add", "heat", folder, "--engine", "lancedb"), ("remove", "heat")):
        done = run_command("docs", *words, env=home)
        assert done.returncode == 0, done.stderr
        assert done.stderr == ""


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        (["{}", "--engine", "solr"], "--engine solr: there is no such engine; there is: lancedb, opensearch"),
        (["{}", "--at", "s3://shelf"], "docs add: --at says where an engine keeps a collection: name it too"),
        (["{}/none", "--engine", "lancedb"], "there is no such file or folder"),
        (["--engine", "lancedb"], "docs add: name files or folders"),
        (["--engine", "lancedb", "--at", "{}/none"], "there is no such folder"),
        (["--engine", "lancedb", "--at", "{}"], "nothing is indexed in"),
        (["{}", "--engine", "lancedb", "--at", "ftp://x/y"], "ftp://x/y: LanceDB:"),
    ],
)
def test_what_cannot_be_done_is_told_in_a_line_and_leaves_nothing(typed, folder, words, complaint):
    code, _, failures = typed("add", "x", *(word.replace("{}", str(folder)) for word in words))
    assert code in {1, 2}
    assert failures.count("\n") == 1
    assert complaint in failures
    assert "x" not in typed("list")[1].split()


def test_settings_say_what_indexes_new_collections_on_the_page_too(typed, folder, tmp_path, monkeypatch):
    assert typed("add", "own", str(folder))[0] == 0
    monkeypatch.setenv("ROUNDTABLE_LIBRARY__ENGINES__INDEX", "lancedb")
    monkeypatch.setenv("ROUNDTABLE_LIBRARY__ENGINES__AT", str(tmp_path / "shelf"))
    assert "2 as before" in typed("update", "own")[1]

    async def brought():
        page = CollectionsPage(tmp_path / "home", named_only=False)
        for file in folder.iterdir():
            await page.keep("heat", f"heat/{file.name}", parts(file.read_bytes()))
        page.refresh("heat")
        await asyncio.gather(*page._tasks)
        return {row["name"]: row for row in page.listed()}

    async def parts(data):
        yield data

    rows = asyncio.run(brought())
    assert (rows["heat"]["engine"], rows["own"]["engine"]) == ("lancedb", "")
    assert rows["heat"]["engine_place"] == str(tmp_path / "shelf" / "heat")
    assert rows["heat"]["news"]["added"] == 2


@pytest.mark.loopback
def test_vectors_come_with_the_service_that_settings_name(typed, folder, tmp_path, monkeypatch):
    with EmbeddingServer() as server:
        monkeypatch.setenv("ROUNDTABLE_LIBRARY__EMBEDDINGS__MODEL", "small")
        monkeypatch.setenv("ROUNDTABLE_LIBRARY__EMBEDDINGS__URL", server.url)
        monkeypatch.setenv("ROUNDTABLE_LIBRARY__FETCH__ALLOW", json.dumps([server.host]))
        code, _, failures = typed("add", "heat", str(folder), "--engine", "lancedb")
        assert (code, failures) == (0, "")
        environment = {name: value for name, value in os.environ.items() if name.startswith("ROUNDTABLE")}
        found = [f"{f.what}: {f.detail}" for f in examine(tmp_path / "home", environment, offline=True)]
        assert any(line.endswith("holds 2 texts, 2 passages, 2 with vectors of small") for line in found)
        assert f"vectors: {server.host.split(':')[0]} answers: small, 4 dimensions" in found


def test_a_collection_keeps_its_index(typed, folder):
    assert typed("add", "own", str(folder))[0] == 0
    code, _, failures = typed("add", "own", str(folder), "--engine", "lancedb")
    assert code == 2
    assert "own is indexed by roundtable's own index; choose another name" in failures
    assert "2 as before" in typed("update", "own")[1]


def test_one_place_has_one_collection(typed, folder, tmp_path, monkeypatch):
    other, place = tmp_path / "others", str(tmp_path / "shelf")
    other.mkdir()
    (other / "pay.md").write_text("# Wages\n\nThe stoker earns nine crowns a day.")
    one = ("add", "heat", str(folder), "--engine", "lancedb", "--at", place)
    two = ("add", "wages", str(other), "--engine", "lancedb", "--at", place)
    assert typed(*one)[0] == 0
    for home in ("home", "other"):
        code, _, failures = typed(*two, home=home)
        assert (code, failures.count("\n")) == (2, 1)
        assert f"{place}: there is an index already, or somebody's tables; choose another place" in failures
        assert "wages" not in typed("list", home=home)[1]
    assert "2 as before" in typed(*one)[1]
    # What stays where LanceDB is away at the removal is not served by a new collection of the name.
    with monkeypatch.context() as away:
        away.setitem(sys.modules, "lancedb", None)
        assert "what lancedb keeps of it stays there" in "".join(typed("remove", "heat")[1:])
    code, _, failures = typed(*two[:1], "heat", *two[2:])
    assert (code, "there is an index already" in failures) == (2, True)


def test_tables_of_a_persons_own_stay(typed, folder, tmp_path):
    import lancedb

    own = lancedb.connect(tmp_path / "mine")
    own.create_table("texts", [{"id": 1, "body": "an only copy"}])
    code, _, failures = typed(
        "add", "heat", str(folder), "--engine", "lancedb", "--at", str(tmp_path / "mine")
    )
    assert (code, "somebody's tables" in failures) == (2, True)
    assert typed("remove", "heat")[0] == 2, "nothing was made"
    assert own.list_tables().tables == ["texts"]


@pytest.mark.loopback
async def test_two_machines_share_a_collection_on_s3(typed, folder, tmp_path, monkeypatch):
    monkeypatch.setenv("AWS_ACCESS_KEY_ID", "reader")
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "made-up")
    place = f"s3://{BUCKET}/heat"
    with s3_server() as address:
        monkeypatch.setenv("ROUNDTABLE_LIBRARY__ENGINES__OPTIONS", json.dumps({"endpoint": address}))
        assert typed("add", "heat", str(folder), "--engine", "lancedb", "--at", place)[0] == 0
        code, told, _ = typed("add", "warm", "--engine", "lancedb", "--at", place, home="other")
        assert (code, told) == (0, f"warm: 2 documents in {place}. Search it with --docs warm\n")
        assert f"fed elsewhere  [lancedb: {place}]" in typed("list", home="other")[1]
        code, _, failures = typed("update", "warm", home="other")
        assert (code, "is fed elsewhere and only searched here" in failures) == (2, True)
        library = load_settings().library
        other = tmp_path / "other"
        async with await open_library(library, ["warm"], [], offline=True, home=other) as opened:
            [first, *_] = await opened.search("What bakes rye bread?", "warm", 5)
            assert (first.title, first.passage.private) == ("Ovens", True)
            assert opened.source(first.passage.sha256).url == (folder / "oven.md").as_uri()
        (folder / "forge.md").write_text("# Forges\n\nA forge is blown by two bellows in turn.")
        assert "1 new" in typed("update", "heat")[1]
        async with await open_library(library, ["warm"], [], offline=True, home=other) as opened:
            [first, *_] = await opened.search("bellows", "warm", 5)
            assert first.title == "Forges"
        assert typed("remove", "warm", home="other")[0] == 0
        assert "3 as before" in typed("update", "heat")[1]
        told = [*held_by_engines(tmp_path / "home", load_settings(), offline=True)]
        assert told == [("heat", f"lancedb in {place} holds 3 texts, 3 passages", "")]
        monkeypatch.setenv("ROUNDTABLE_LIBRARY__ENGINES__OPTIONS", '{"endpoint": "https://s3.example.org"}')
        monkeypatch.setenv("ROUNDTABLE_OFFLINE", "true")
        code, _, failures = typed("update", "heat")
        assert f"offline: {place} lies on another machine" in failures
