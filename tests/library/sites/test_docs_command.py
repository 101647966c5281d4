"""`roundtable docs add NAME ADDRESS` as it is typed: what is told, and what goes on."""

import asyncio

import pytest

from library.library_opening import open_documents
from library.readers.reader import Reader
from library.store.recovery import salvage_store
from library.store.store import Store
from roundtable.__main__ import run
from roundtable.cli.lines import indexing_lines
from roundtable.config.errors import InputError
from roundtable.config.search_places import STORE
from roundtable.web.files.collections_page import CollectionsPage

pytestmark = pytest.mark.loopback


@pytest.fixture
def typed(website, tmp_path, monkeypatch, capsys):
    """Types a command; answers with its exit code, what it told, and what it complained of."""
    monkeypatch.setenv("ROUNDTABLE_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("ROUNDTABLE_LIBRARY__FETCH__ALLOW", f'["{website.host}"]')
    monkeypatch.setenv("ROUNDTABLE_LIBRARY__FETCH__PAUSE", "0")
    # A busy machine may let a connection wait, and a reading take so long that progress is told.
    monkeypatch.setenv("ROUNDTABLE_LIBRARY__FETCH__CONNECT_SECONDS", "60")
    monkeypatch.setenv("ROUNDTABLE_LIBRARY__FETCH__SECONDS", "300")
    monkeypatch.setattr(indexing_lines, "_FIRST", 600.0)

    def typed(*words):
        code = run(["docs", *words])
        return code, *capsys.readouterr()

    return typed


def test_a_site_is_added_listed_updated_and_removed(website, typed):
    said = "is told of in this sentence, which nobody else has written down."
    website.add("/docs/", f"<title>Dikes</title><p>A dike {said}</p><a href='weir'>w</a><a href='lost'>l</a>")
    website.add("/docs/weir", f"<title>Weirs</title><p>A weir {said}</p>")
    address = website.url + "/docs/"
    code, told, failures = typed(
        "add", "water", address, "--depth", "1", "--pages", "9", "--about", "On water"
    )
    assert (code, told) == (0, "water: 2 new, 0 changed, 0 gone, 0 as before. Search it with --docs water\n")
    assert failures == f"roundtable: skipped: HTTP 404 Not Found: {address}lost\n"
    assert typed("list")[1].splitlines()[-1].endswith(" 2 pages  On water")
    assert "2 as before" in typed("update", "water")[1]
    assert typed("remove", "water")[0] == 0


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        (["{}", "--depth", "-1"], "depth: input should be greater than or equal to 0, not -1"),
        (["{}", "--pages", "0"], "pages: input should be greater than or equal to 1, not 0"),
        (["{}", "."], "docs add: a site is a collection of its own: name one address and nothing else"),
        ([".", "--depth", "1"], "docs add: --depth and --pages are of a site: name its address, https://…"),
        (["http://"], "the url names no host: http://"),
        (["http://127.0.0.2/"], "127.0.0.2 belongs to this machine"),
        (["{}nothing"], "HTTP 404 Not Found"),
    ],
)
def test_what_cannot_be_done_is_told_in_a_line(website, typed, words, complaint):
    code, _, failures = typed("add", "x", *(word.replace("{}", website.url + "/") for word in words))
    assert code in {1, 2}
    assert failures.count("\n") == 1
    assert complaint in failures
    assert "x" not in typed("list")[1].split()


async def test_the_page_reads_a_site_and_refreshes_it(website, typed, tmp_path):
    text = "<p>A dike is told of in this sentence, which nobody else has written down.</p>"
    website.add("/docs/", f"<title>Dikes</title>{text}<a href='lost'>l</a>")
    page = CollectionsPage(tmp_path / "home", named_only=True)

    async def ended():
        await asyncio.gather(*page._tasks)
        return next(one for one in page.listed() if one["name"] == "dikes")

    page.read_site("dikes", website.url + "/docs/", 1, 5)
    found = await ended()
    assert (found["files"], found["of_site"]) == (1, True)
    assert found["skipped"] == [f"HTTP 404 Not Found: {website.url}/docs/lost"]
    website.add("/docs/lost", f"<title>Found</title>{text}again")
    page.refresh("dikes")
    assert (await ended())["files"] == 2
    with pytest.raises(InputError, match="write the address of a site as https"):
        page.read_site("dikes", "example.org", None, None)
    page.read_site("dikes", website.url + "/other/", None, None)
    assert "is made of" in (await ended())["trouble"]
    await page.remove("dikes")
    assert "dikes" not in {one["name"] for one in page.listed()}, "though its last update failed"


def test_a_sites_collection_outlives_a_repair_and_another_analysis(website, typed, tmp_path):
    text = "<p>A dike is told of in this sentence, which nobody else has written down.</p>"
    website.add("/docs/", f"<title>Dikes</title>{text}<a href='more'>m</a>")
    website.add("/docs/more", f"<title>More</title>{text}again")
    assert typed("add", "dikes", website.url + "/docs/")[::2] == (0, "")
    path = tmp_path / "home" / STORE
    with Store(path) as store, store.writing() as connection:
        connection.execute("UPDATE collections SET analysis = 'of before'")
    assert typed("describe", "dikes", "On dikes")[0] == 0
    assert typed("list")[1].splitlines()[-1].endswith(" 2 pages  On dikes")
    salvage_store(path)
    with Store(path) as store:
        [unread] = open_documents(store, Reader(), "dikes")[1]
        assert unread.reason.endswith("/docs/ is kept; `roundtable docs update dikes` reads it")
    assert "2 new" in typed("update", "dikes")[1]
    assert typed("list")[1].splitlines()[-1].endswith(" 2 pages  On dikes")
