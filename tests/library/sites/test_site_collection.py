"""A site as a collection, over real sockets: its bounds, its traps, what is kept, bringing it up to date."""

import threading
from collections import Counter

import pytest

from library.errors import FetchError, LibraryError, ReadError
from library.library_opening import open_documents
from library.readers.reader import Reader
from library.sites import site_bounds
from library.sites.site_collection import sync_site
from library.sites.site_rows import Site, kept_site, pages_under_way
from library.store.store import Store
from library.web.fetch_settings import FetchSettings
from library.web.fetcher import Fetcher

pytestmark = pytest.mark.loopback


def page(title: str, *links: str, head: str = "") -> str:
    leads = "".join(f'<a href="{link}">more</a>' for link in links)
    text = f"{title} is told of here, in a sentence that nobody else has written down anywhere."
    return f"<html><head><title>{title}</title>{head}</head><body><h1>{title}</h1><p>{text}</p>{leads}"


@pytest.fixture
def store(tmp_path):
    with Store(tmp_path / "library.sqlite") as store:
        yield store


@pytest.fixture
def crawl(store, website, tmp_path):
    """Reads the site; answers with the paths that are kept, and what was found."""
    reader = Reader()

    async def crawl(start="/docs/", depth=3, pages=100, progress=None, name="site", **settings):
        website.asked.clear()
        named = {"allow": (website.host,), "pause": 0, "cache_minutes": 0} | settings
        async with Fetcher(FetchSettings(**named), cache_folder=tmp_path / "pages") as fetcher:
            site = Site(website.url + start, depth, pages)
            held, report = await sync_site(store, name, site, fetcher, reader, progress=progress)
        return [path.removeprefix(website.url) for path in store.files(held)], report

    yield crawl
    reader.close()


def counts(report):
    return report.added, report.changed, report.removed, report.unchanged


async def test_pages_of_the_folder_are_kept_and_found_by_their_addresses(website, store, crawl):
    website.add("/docs/", page("Dikes", "weir.html#top", "../other/x.html", "/docs/deep/sluice", "pic.png"))
    website.add("/docs/weir.html", page("Weirs", "/docs/", head='<meta name="date" content="2024-05-04">'))
    website.add("/docs/deep/sluice", page("Sluices", f"http://localhost:{website.port}/docs/away"))
    website.add("/other/x.html", page("Elsewhere"))
    kept, report = await crawl()
    assert kept == ["/docs/", "/docs/deep/sluice", "/docs/weir.html"]
    assert counts(report) == (3, 0, 0, 0)
    assert website.paths.count("/docs/weir.html") == 1
    assert not {"/other/x.html", "/docs/pic.png", "/docs/away"} & set(website.paths)
    place, _ = open_documents(store, Reader(), "site")
    hit = (await place.search("where weirs are told of", 5))[0]
    assert (hit.url, hit.published) == (website.url + "/docs/weir.html", "2024-05-04")
    described = store.collection("site").description
    assert described.startswith(f"Pages of {website.host}/docs/: ")
    assert {"Dikes", "Weirs", "Sluices"} <= set(described.partition("/docs/: ")[2].split("; "))


async def test_an_endless_calendar_leaves_room_for_the_pages(website, answer, crawl):
    def day(asked):
        number = int(asked.path.rpartition("/")[2])
        return answer(page(f"Day {number}", *(f"{number + n}" for n in range(1, 40))).encode())

    for number in range(400):
        website.pages[f"/docs/day/{number}"] = day
    website.add("/docs/", page("Start", "day/1", "a", "b", "?sort=up", "?sort=down"))
    for name, after in (("a", "c"), ("b", "d"), ("c", "e"), ("d", "f")):
        website.add(f"/docs/{name}", page(f"Page {name}", after))
    kept, report = await crawl(pages=20, depth=5)
    assert len(website.paths) <= 22, "twenty pages, robots.txt and sitemap.xml"
    assert {"/docs/a", "/docs/b", "/docs/c", "/docs/d"} <= set(kept)
    assert not [path for path in website.paths if "?" in path]
    assert "pages known of beyond these 20" in report.warnings[-1].reason


async def test_what_robots_txt_closes_is_left_alone_and_what_it_lists_is_read(website, crawl):
    robots = f"User-agent: *\nDisallow: /docs/closed\nSitemap: {website.url}/lists.xml"
    website.add("/robots.txt", robots, Content_Type="text/plain")
    lists = '<sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"><sitemap><loc>{}</loc></sitemap></sitemapindex>'
    website.add("/lists.xml", lists.format(website.url + "/list.xml"), Content_Type="application/xml")
    listed = "".join(f"<url><loc>{website.url}{path}</loc></url>" for path in ("/docs/listed", "/outside"))
    website.add("/list.xml", f"<urlset>{listed}</urlset>", Content_Type="text/xml")
    website.add("/docs/", page("Start", "closed", "hidden", "quiet"))
    website.add("/docs/closed", page("Closed"))
    website.add("/docs/hidden", page("Hidden", "led", head='<meta name="robots" content="noindex">'))
    website.add("/docs/quiet", page("Quiet", "never", head='<meta name="robots" content="nofollow">'))
    website.add("/docs/listed", page("Listed"))
    website.add("/docs/led", page("Led to"))
    kept, report = await crawl()
    assert kept == ["/docs/", "/docs/led", "/docs/listed", "/docs/quiet"]
    assert not {"/docs/closed", "/docs/never", "/outside"} & set(website.paths)
    assert [unread.path for unread in report.warnings] == [website.url + "/docs/closed"]


async def test_no_more_lists_are_asked_for_than_there_is_room_for_their_pages(website, crawl):
    site = "".join(f"<sitemap><loc>{website.url}/list/{n}.xml</loc></sitemap>" for n in range(40))
    website.add("/sitemap.xml", f"<sitemapindex>{site}</sitemapindex>", Content_Type="text/xml")
    for n in range(40):
        named = "".join(f"<url><loc>{website.url}/docs/{n}/{page}</loc></url>" for page in range(25))
        website.add(f"/list/{n}.xml", f"<urlset>{named}</urlset>", Content_Type="text/xml")
    website.add("/docs/", page("Start"))
    website.add("/docs/0/0", page("Listed"))
    kept, report = await crawl(pages=3)
    assert kept == ["/docs/", "/docs/0/0"]
    assert len([path for path in website.paths if path.startswith("/list/")]) == 3, "60 pages are room enough"
    assert "pages known of beyond these 3: 57" in report.warnings[-1].reason


async def test_of_very_many_addresses_few_lists_are_looked_at_and_none_on_the_loop(
    website, crawl, monkeypatch
):
    judged, judge = Counter(), site_bounds.spelling

    def counted(url):
        judged[threading.current_thread() is threading.main_thread()] += 1
        return judge(url)

    monkeypatch.setattr(site_bounds, "spelling", counted)
    foreign = "".join(f"<sitemap><loc>http://a{n}.example/map.xml</loc></sitemap>" for n in range(5_000))
    website.add("/sitemap.xml", f"<sitemapindex>{foreign}</sitemapindex>", Content_Type="text/xml")
    website.add("/docs/", page("Start", *(f"/elsewhere/{n}" for n in range(400))))
    kept, _ = await crawl()
    assert kept == ["/docs/"]
    assert judged[True] < 20
    assert judged[False] < 2_000 + 400 + 20, "two for each of a thousand lists, one for each link"


async def test_what_leads_away_or_is_too_large_costs_itself_alone(website, answer, crawl):
    website.add("/docs/", page("Start", "away", "huge", "moved", "good"))
    website.redirect("/docs/away", f"http://localhost:{website.port}/docs/there")
    website.redirect("/docs/moved", "good")
    website.pages["/docs/huge"] = answer(b"x" * 50_000_000)
    website.add("/docs/good", page("Good"))
    kept, report = await crawl()
    assert kept == ["/docs/", "/docs/good"]
    told = sorted(unread.reason for unread in report.warnings)
    assert told[0].startswith("it leads elsewhere, to http://localhost")
    assert told[1] == f"the page is larger than 10 MB: {website.url}/docs/huge"
    assert len(told) == 2


async def test_a_site_is_brought_up_to_date(website, answer, store, crawl):
    asked_with = []

    def tagged(asked):
        asked_with.append(asked.headers.get("if-none-match"))
        same = asked.headers.get("if-none-match") == '"1"'
        headers = {"Content-Type": "text/html", "ETag": '"1"'}
        return answer(b"" if same else page("Steady").encode(), 304 if same else 200, headers)

    website.add("/docs/", page("Start", "steady", "changes", "goes", "fails"))
    website.pages["/docs/steady"] = tagged
    for name in ("changes", "goes", "fails"):
        website.add(f"/docs/{name}", page(name))
    assert counts((await crawl())[1]) == (5, 0, 0, 0)
    website.add("/docs/changes", page("Changed by now"))
    website.add("/docs/goes", b"gone", 410)
    website.add("/docs/fails", b"trouble", 500)
    kept, report = await crawl()
    assert kept == ["/docs/", "/docs/changes", "/docs/fails", "/docs/steady"]
    assert counts(report) == (0, 1, 1, 2)
    assert asked_with == [None, '"1"']
    website.add("/docs/", page("Start", "changes"))
    kept, report = await crawl()
    assert kept == ["/docs/", "/docs/changes"], "nothing leads to the others any longer"


async def test_pages_stay_where_what_leads_to_them_fails_for_a_moment(website, crawl):
    website.add("/docs/", page("Start", "guide/", "goes"))
    website.add("/docs/guide/", page("Guide", "a", "b"))
    for name in ("guide/a", "guide/b", "goes"):
        website.add(f"/docs/{name}", page(name))
    website.add("/lists.xml", f"<urlset><url><loc>{website.url}/docs/alone</loc></url></urlset>")
    website.add("/robots.txt", f"Sitemap: {website.url}/lists.xml", Content_Type="text/plain")
    website.add("/docs/alone", page("Alone"))
    everything, _ = await crawl()
    assert len(everything) == 6
    website.add("/docs/guide/", b"trouble", 500)
    website.add("/docs/goes", b"gone", 410)
    website.add("/docs/alone", b"trouble", 500)
    kept, report = await crawl()
    everything.remove("/docs/goes")
    assert kept == everything, "what is gone goes, though the guide cannot be had"
    assert report.warnings[-1].reason.endswith("what led to them could not be had: 2")
    website.add("/docs/guide/", page("Guide", "a"))
    website.add("/docs/alone", page("Alone"))
    website.add("/lists.xml", b"trouble", 500)
    assert (await crawl())[0] == everything, "what is listed is not known"
    website.add("/lists.xml", "<urlset></urlset>")
    kept, report = await crawl()
    assert kept == ["/docs/", "/docs/guide/", "/docs/guide/a"]
    assert counts(report) == (0, 0, 2, 3)
    website.add("/docs/guide/", b"later", 503, Retry_After="900")
    assert (await crawl())[0] == kept, "the host wants to be left alone from now on"


async def test_a_page_that_says_nothing_for_a_moment_stays_with_those_below_it(website, crawl):
    website.add("/docs/", page("Start", "guide"))
    website.add("/docs/guide", page("Guide", "a"))
    website.add("/docs/a", page("A"))
    everything, _ = await crawl()
    website.add("/docs/guide", "<html><body><a href='a'></a>")
    kept, report = await crawl()
    assert kept == everything
    assert "it holds no text" in report.warnings[0].reason


async def test_a_stopped_reading_asks_again_for_what_failed(website, crawl):
    website.add("/docs/", page("Start", "guide"))
    website.add("/docs/guide", page("Guide", "a"))
    website.add("/docs/a", page("A"))
    everything, _ = await crawl()
    website.add("/docs/guide", b"trouble", 500)

    def stop(done, of):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        await crawl(progress=stop)
    website.add("/docs/guide", page("Guide", "b"))
    website.add("/docs/b", page("B"))
    kept, _ = await crawl()
    assert kept == ["/docs/", "/docs/b", "/docs/guide"], "it is read this time, and leads elsewhere"


async def test_a_first_page_that_leads_elsewhere_does_not_empty_a_collection(website, store, crawl):
    website.redirect("/docs/", "/docs/en/")
    website.add("/docs/en/", page("Start", "a"))
    website.add("/docs/en/a", page("A"))
    assert (await crawl())[0] == ["/docs/en/", "/docs/en/a"]
    website.add("/login", page("Log in"))
    website.redirect("/docs/", "/login")
    with pytest.raises(FetchError, match=r"/docs/ leads to .*/login, out of .*/docs/en/ of which site is"):
        await crawl()
    assert len(store.files(store.collection("site"))) == 2
    website.add("/docs/en/login", page("Log in"))
    website.redirect("/docs/", "/docs/en/login")
    kept, _ = await crawl()
    assert kept == ["/docs/en/", "/docs/en/a", "/docs/en/login"]


async def test_a_first_page_out_of_the_folder_that_was_named_is_told(website, crawl):
    website.redirect("/docs/", "/manual/en/")
    website.add("/manual/en/", page("Start"))
    kept, report = await crawl()
    assert kept == ["/manual/en/"]
    assert f"/docs/ leads to {website.url}/manual/en/: pages of " in report.warnings[0].reason


async def test_a_collection_that_was_there_stays_with_its_description(website, store, crawl):
    website.add("/docs/", page("Start"))
    await crawl()
    held = store.collection("site")
    store.make_collection("site", "On water", held.paths)
    website.add("/docs/", page("Start", head='<meta name="robots" content="noindex">'))
    with pytest.raises(ReadError, match="no page there can be read; .*may not be kept"):
        await crawl()
    assert store.collection("site").description == "On water"


async def test_a_canonical_address_that_leads_back_costs_no_page(website, crawl):
    website.add("/docs/", page("Start", "a", "b/", "b", "c"))
    for name in "abc":
        canonical = f'<link rel="canonical" href="/docs/{name}/">'
        website.add(f"/docs/{name}", page(f"Page {name}", f"{name}/", head=canonical))
        website.redirect(f"/docs/{name}/", f"/docs/{name}")
    named = ["/docs/", "/docs/a/", "/docs/b/", "/docs/c/"]
    kept, report = await crawl(depth=1)
    assert kept == named
    assert counts(report) == (4, 0, 0, 0)
    assert "/docs/a/" not in website.paths, "it was read already"
    kept, report = await crawl(depth=1)
    assert kept == named
    assert counts(report) == (0, 0, 0, 4)


async def test_a_description_is_made_anew_only_where_it_was_made(website, store, crawl):
    website.add("/docs/", page("Start"))
    await crawl()
    made = store.collection("site").description
    website.add("/docs/", page("Dikes"))
    await crawl()
    assert "Dikes" in store.collection("site").description != made
    said = "Pages of the ministry about dikes"
    store.make_collection("site", said, store.collection("site").paths)
    await crawl()
    assert store.collection("site").description == said


async def test_what_was_read_before_a_stop_stays_and_the_next_time_goes_on(website, store, crawl):
    website.add("/docs/", page("Start", *(f"p{chr(97 + n)}" for n in range(11))))
    for n in range(11):
        website.add(f"/docs/p{chr(97 + n)}", page(f"Page {chr(97 + n)}"), Cache_Control="no-store")

    def stop(done, of):
        assert (done, of) == (5, 12)
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        await crawl(progress=stop)
    held = store.collection("site")
    assert len(store.files(held)) == 5
    kept, report = await crawl()
    assert len(kept) == 12
    assert counts(report) == (7, 0, 0, 0)
    assert len([path for path in website.paths if path.startswith("/docs/p")]) == 7, "no page twice"
    assert not pages_under_way(store, held)


async def test_forms_of_one_page_are_one(website, crawl):
    website.add("/wiki/", page("Start", "?title=Dike&utm_source=x", "?title=Dike", "?title=Weir&print=1"))
    website.add("/wiki/?title=Start", page("Start", "?title=Dike&utm_source=x", "?title=Dike", "?title=Old"))
    website.add("/wiki/?title=Dike", page("Dike"))
    website.add("/wiki/?title=Old", page("Dike", head='<link rel="canonical" href="/wiki/?title=Dike">'))
    kept, _ = await crawl("/wiki/?title=Start")
    assert kept == ["/wiki/?title=Dike", "/wiki/?title=Start"]
    assert website.paths.count("/wiki/?title=Dike") == 1


async def test_what_cannot_be_read_is_said_in_a_line(website, store, crawl):
    with pytest.raises(FetchError, match="HTTP 404 Not Found"):
        await crawl("/nothing/")
    website.add("/empty/", "<html></html>")
    with pytest.raises(ReadError, match="no page there can be read; .*it holds no text"):
        await crawl("/empty/")
    website.add("/docs/", page("Start"))
    await crawl()
    with pytest.raises(LibraryError, match=r"site is made of http.*/docs/; choose another name"):
        await crawl("/empty/")


async def test_an_index_of_other_terms_is_made_anew_without_asking_the_site(website, store, crawl):
    website.add("/docs/", page("Dikes"))
    await crawl()
    with store.writing() as connection:
        connection.execute("UPDATE collections SET analysis = 'of before'")
    website.asked.clear()
    place, _ = open_documents(store, Reader(), "site")
    assert [hit.title for hit in await place.search("dikes", 3)] == ["Dikes"]
    assert website.paths == []
    assert len(store.files(store.collection("site"))) == 1
    assert kept_site(store, store.collection("site")) == Site(website.url + "/docs/", 3, 100)
